using System;
using System.Globalization;
using Standin;

namespace UnityEngine
{
    [Serializable, NativeStruct("Quaternion", Flow = true)]
    public struct Quaternion : IEquatable<Quaternion>
    {
        public float x;
        public float y;
        public float z;
        public float w;

        public Quaternion(float x, float y, float z, float w)
        {
            this.x = x;
            this.y = y;
            this.z = z;
            this.w = w;
        }

        public static Quaternion identity { get { return new Quaternion(0, 0, 0, 1); } }

        public float this[int index]
        {
            get { return new Vector4(x, y, z, w)[index]; }
            set
            {
                var v = new Vector4(x, y, z, w);
                v[index] = value;
                this = new Quaternion(v.x, v.y, v.z, v.w);
            }
        }

        public Quaternion normalized
        {
            get
            {
                float length = Mathf.Sqrt(Dot(this, this));
                return length < Mathf.Epsilon
                    ? identity : new Quaternion(x / length, y / length, z / length, w / length);
            }
        }

        /// <summary>In degrees; rotation about z, then x, then y.</summary>
        public Vector3 eulerAngles
        {
            get
            {
                Quaternion q = normalized;
                float sin = 2 * (q.w * q.x - q.y * q.z);
                float about = Mathf.Asin(Mathf.Clamp(sin, -1, 1));
                float yaw, roll;
                if (Math.Abs(sin) > 0.999999f)
                {
                    yaw = Mathf.Atan2(-2 * (q.x * q.z - q.w * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
                    roll = 0;
                }
                else
                {
                    yaw = Mathf.Atan2(2 * (q.x * q.z + q.w * q.y), 1 - 2 * (q.x * q.x + q.y * q.y));
                    roll = Mathf.Atan2(2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z));
                }
                return new Vector3(Positive(about), Positive(yaw), Positive(roll));
            }
            set { this = Euler(value); }
        }

        static float Positive(float radians)
        {
            float degrees = radians * Mathf.Rad2Deg;
            return degrees < -1e-4f ? degrees + 360 : degrees;
        }

        public static float Dot(Quaternion a, Quaternion b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
        public static Quaternion Normalize(Quaternion q) { return q.normalized; }

        public static Quaternion Inverse(Quaternion q) { return new Quaternion(-q.x, -q.y, -q.z, q.w); }

        public static Quaternion Euler(Vector3 euler) { return Euler(euler.x, euler.y, euler.z); }

        public static Quaternion Euler(float x, float y, float z)
        {
            return AngleAxis(y, Vector3.up) * AngleAxis(x, Vector3.right) * AngleAxis(z, Vector3.forward);
        }

        public static Quaternion AngleAxis(float angle, Vector3 axis)
        {
            Vector3 n = axis.normalized * Mathf.Sin(angle * Mathf.Deg2Rad / 2);
            return new Quaternion(n.x, n.y, n.z, Mathf.Cos(angle * Mathf.Deg2Rad / 2));
        }

        public static float Angle(Quaternion a, Quaternion b)
        {
            float dot = Mathf.Min(Mathf.Abs(Dot(a, b)), 1);
            return dot > 0.999999f ? 0 : Mathf.Acos(dot) * 2 * Mathf.Rad2Deg;
        }

        public static Quaternion Lerp(Quaternion a, Quaternion b, float t)
        {
            float back = Dot(a, b) < 0 ? -1 : 1;
            t = Mathf.Clamp01(t);
            return new Quaternion(a.x + (b.x * back - a.x) * t, a.y + (b.y * back - a.y) * t,
                                  a.z + (b.z * back - a.z) * t, a.w + (b.w * back - a.w) * t).normalized;
        }

        public static Quaternion Slerp(Quaternion a, Quaternion b, float t)
        {
            float dot = Dot(a, b), back = dot < 0 ? -1 : 1;
            float angle = Mathf.Acos(Mathf.Min(Mathf.Abs(dot), 1)), sin = Mathf.Sin(angle);
            if (sin < 1e-4f)
                return Lerp(a, b, t);
            t = Mathf.Clamp01(t);
            float p = Mathf.Sin((1 - t) * angle) / sin, q = back * Mathf.Sin(t * angle) / sin;
            return new Quaternion(a.x * p + b.x * q, a.y * p + b.y * q, a.z * p + b.z * q, a.w * p + b.w * q);
        }

        public static Quaternion LookRotation(Vector3 forward) { return LookRotation(forward, Vector3.up); }

        public static Quaternion LookRotation(Vector3 forward, Vector3 upwards)
        {
            Vector3 f = forward.normalized, r = Vector3.Cross(upwards, f).normalized;
            if (f == Vector3.zero)
                return identity;
            if (r == Vector3.zero)
                r = Vector3.Cross(Vector3.forward, f).normalized;
            Vector3 u = Vector3.Cross(f, r);
            float w = Mathf.Sqrt(Mathf.Max(0, 1 + r.x + u.y + f.z)) / 2;
            float x = Mathf.Sqrt(Mathf.Max(0, 1 + r.x - u.y - f.z)) / 2;
            float y = Mathf.Sqrt(Mathf.Max(0, 1 - r.x + u.y - f.z)) / 2;
            float z = Mathf.Sqrt(Mathf.Max(0, 1 - r.x - u.y + f.z)) / 2;
            return new Quaternion(u.z - f.y < 0 ? -x : x, f.x - r.z < 0 ? -y : y, r.y - u.x < 0 ? -z : z, w);
        }

        public static Quaternion operator *(Quaternion a, Quaternion b)
        {
            return new Quaternion(
                a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
        }

        public static Vector3 operator *(Quaternion q, Vector3 v)
        {
            var axis = new Vector3(q.x, q.y, q.z);
            Vector3 t = Vector3.Cross(axis, v) * 2;
            return v + t * q.w + Vector3.Cross(axis, t);
        }

        public static bool operator ==(Quaternion a, Quaternion b) { return Dot(a, b) > 0.999999f; }
        public static bool operator !=(Quaternion a, Quaternion b) { return !(a == b); }

        public bool Equals(Quaternion other) { return x == other.x && y == other.y && z == other.z && w == other.w; }
        public override bool Equals(object other) { return other is Quaternion && Equals((Quaternion)other); }
        public override int GetHashCode() { return new Vector4(x, y, z, w).GetHashCode(); }
        public override string ToString()
        {
            return string.Format(CultureInfo.InvariantCulture, "({0:F5}, {1:F5}, {2:F5}, {3:F5})", x, y, z, w);
        }
    }
}
