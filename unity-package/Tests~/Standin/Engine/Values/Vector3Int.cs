using System;
using System.Globalization;
using Standin;

namespace UnityEngine
{
    [Serializable, NativeStruct("Vector3Int", Flow = true)]
    public struct Vector3Int : IEquatable<Vector3Int>
    {
        [SerializedName("x")] int m_X;
        [SerializedName("y")] int m_Y;
        [SerializedName("z")] int m_Z;

        public Vector3Int(int x, int y, int z)
        {
            m_X = x;
            m_Y = y;
            m_Z = z;
        }

        public int x { get { return m_X; } set { m_X = value; } }
        public int y { get { return m_Y; } set { m_Y = value; } }
        public int z { get { return m_Z; } set { m_Z = value; } }

        public static Vector3Int zero { get { return new Vector3Int(0, 0, 0); } }
        public static Vector3Int one { get { return new Vector3Int(1, 1, 1); } }
        public static Vector3Int up { get { return new Vector3Int(0, 1, 0); } }
        public static Vector3Int down { get { return new Vector3Int(0, -1, 0); } }
        public static Vector3Int left { get { return new Vector3Int(-1, 0, 0); } }
        public static Vector3Int right { get { return new Vector3Int(1, 0, 0); } }

        public float magnitude { get { return Mathf.Sqrt(sqrMagnitude); } }
        public int sqrMagnitude { get { return x * x + y * y + z * z; } }

        public static Vector3Int operator +(Vector3Int a, Vector3Int b)
        {
            return new Vector3Int(a.x + b.x, a.y + b.y, a.z + b.z);
        }

        public static Vector3Int operator -(Vector3Int a, Vector3Int b)
        {
            return new Vector3Int(a.x - b.x, a.y - b.y, a.z - b.z);
        }

        public static Vector3Int operator *(Vector3Int a, int b) { return new Vector3Int(a.x * b, a.y * b, a.z * b); }
        public static bool operator ==(Vector3Int a, Vector3Int b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
        public static bool operator !=(Vector3Int a, Vector3Int b) { return !(a == b); }
        public static implicit operator Vector3(Vector3Int v) { return new Vector3(v.x, v.y, v.z); }
        public static explicit operator Vector2Int(Vector3Int v) { return new Vector2Int(v.x, v.y); }

        public bool Equals(Vector3Int other) { return this == other; }
        public override bool Equals(object other) { return other is Vector3Int && this == (Vector3Int)other; }
        public override int GetHashCode()
        {
            return x.GetHashCode() ^ (y.GetHashCode() << 4) ^ (z.GetHashCode() << 8);
        }
        public override string ToString()
        {
            return string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2})", x, y, z);
        }
    }
}
