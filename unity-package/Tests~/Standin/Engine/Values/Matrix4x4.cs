using System;
using Standin;

namespace UnityEngine
{
    [Serializable, NativeStruct("Matrix4x4f")]
    public struct Matrix4x4 : IEquatable<Matrix4x4>
    {
        [SerializedName("e00")] public float m00;
        [SerializedName("e01")] public float m01;
        [SerializedName("e02")] public float m02;
        [SerializedName("e03")] public float m03;
        [SerializedName("e10")] public float m10;
        [SerializedName("e11")] public float m11;
        [SerializedName("e12")] public float m12;
        [SerializedName("e13")] public float m13;
        [SerializedName("e20")] public float m20;
        [SerializedName("e21")] public float m21;
        [SerializedName("e22")] public float m22;
        [SerializedName("e23")] public float m23;
        [SerializedName("e30")] public float m30;
        [SerializedName("e31")] public float m31;
        [SerializedName("e32")] public float m32;
        [SerializedName("e33")] public float m33;

        public static Matrix4x4 zero { get { return new Matrix4x4(); } }
        public static Matrix4x4 identity { get { return new Matrix4x4 { m00 = 1, m11 = 1, m22 = 1, m33 = 1 }; } }

        public static Matrix4x4 TRS(Vector3 pos, Quaternion q, Vector3 s)
        {
            Vector3 x = q * Vector3.right * s.x, y = q * Vector3.up * s.y, z = q * Vector3.forward * s.z;
            return new Matrix4x4
            {
                m00 = x.x, m01 = y.x, m02 = z.x, m03 = pos.x,
                m10 = x.y, m11 = y.y, m12 = z.y, m13 = pos.y,
                m20 = x.z, m21 = y.z, m22 = z.z, m23 = pos.z,
                m33 = 1
            };
        }

        public float this[int row, int column]
        {
            get { return GetRow(row)[column]; }
            set
            {
                Vector4 v = GetRow(row);
                v[column] = value;
                SetRow(row, v);
            }
        }

        public Vector4 GetRow(int index)
        {
            switch (index)
            {
                case 0: return new Vector4(m00, m01, m02, m03);
                case 1: return new Vector4(m10, m11, m12, m13);
                case 2: return new Vector4(m20, m21, m22, m23);
                case 3: return new Vector4(m30, m31, m32, m33);
                default: throw new IndexOutOfRangeException("Invalid row index!");
            }
        }

        public void SetRow(int index, Vector4 row)
        {
            switch (index)
            {
                case 0: m00 = row.x; m01 = row.y; m02 = row.z; m03 = row.w; break;
                case 1: m10 = row.x; m11 = row.y; m12 = row.z; m13 = row.w; break;
                case 2: m20 = row.x; m21 = row.y; m22 = row.z; m23 = row.w; break;
                case 3: m30 = row.x; m31 = row.y; m32 = row.z; m33 = row.w; break;
                default: throw new IndexOutOfRangeException("Invalid row index!");
            }
        }

        public Vector4 GetColumn(int index)
        {
            return new Vector4(GetRow(0)[index], GetRow(1)[index], GetRow(2)[index], GetRow(3)[index]);
        }

        public Vector3 MultiplyPoint3x4(Vector3 p)
        {
            return new Vector3(m00 * p.x + m01 * p.y + m02 * p.z + m03, m10 * p.x + m11 * p.y + m12 * p.z + m13,
                               m20 * p.x + m21 * p.y + m22 * p.z + m23);
        }

        public static Matrix4x4 operator *(Matrix4x4 a, Matrix4x4 b)
        {
            var product = new Matrix4x4();
            for (int row = 0; row < 4; row++)
                for (int column = 0; column < 4; column++)
                    product[row, column] = Vector4.Dot(a.GetRow(row), b.GetColumn(column));
            return product;
        }

        public bool Equals(Matrix4x4 other)
        {
            for (int row = 0; row < 4; row++)
                if (!GetRow(row).Equals(other.GetRow(row)))
                    return false;
            return true;
        }
        public override bool Equals(object other) { return other is Matrix4x4 && Equals((Matrix4x4)other); }
        public override int GetHashCode()
        {
            return GetRow(0).GetHashCode() ^ GetRow(1).GetHashCode() << 2 ^ GetRow(2).GetHashCode() >> 2;
        }
        public override string ToString() { return GetRow(0) + "\n" + GetRow(1) + "\n" + GetRow(2) + "\n" + GetRow(3); }
    }
}
