using System;
using System.Globalization;
using Standin;

namespace UnityEngine
{
    [Serializable, NativeStruct("Vector2Int", Flow = true)]
    public struct Vector2Int : IEquatable<Vector2Int>
    {
        [SerializedName("x")] int m_X;
        [SerializedName("y")] int m_Y;

        public Vector2Int(int x, int y)
        {
            m_X = x;
            m_Y = y;
        }

        public int x { get { return m_X; } set { m_X = value; } }
        public int y { get { return m_Y; } set { m_Y = value; } }

        public static Vector2Int zero { get { return new Vector2Int(0, 0); } }
        public static Vector2Int one { get { return new Vector2Int(1, 1); } }
        public static Vector2Int up { get { return new Vector2Int(0, 1); } }
        public static Vector2Int down { get { return new Vector2Int(0, -1); } }
        public static Vector2Int left { get { return new Vector2Int(-1, 0); } }
        public static Vector2Int right { get { return new Vector2Int(1, 0); } }

        public float magnitude { get { return Mathf.Sqrt(sqrMagnitude); } }
        public int sqrMagnitude { get { return x * x + y * y; } }

        public static Vector2Int operator +(Vector2Int a, Vector2Int b) { return new Vector2Int(a.x + b.x, a.y + b.y); }
        public static Vector2Int operator -(Vector2Int a, Vector2Int b) { return new Vector2Int(a.x - b.x, a.y - b.y); }
        public static Vector2Int operator *(Vector2Int a, int b) { return new Vector2Int(a.x * b, a.y * b); }
        public static bool operator ==(Vector2Int a, Vector2Int b) { return a.x == b.x && a.y == b.y; }
        public static bool operator !=(Vector2Int a, Vector2Int b) { return !(a == b); }
        public static implicit operator Vector2(Vector2Int v) { return new Vector2(v.x, v.y); }
        public static explicit operator Vector3Int(Vector2Int v) { return new Vector3Int(v.x, v.y, 0); }

        public bool Equals(Vector2Int other) { return this == other; }
        public override bool Equals(object other) { return other is Vector2Int && this == (Vector2Int)other; }
        public override int GetHashCode() { return x.GetHashCode() ^ (y.GetHashCode() << 2); }
        public override string ToString()
        {
            return string.Format(CultureInfo.InvariantCulture, "({0}, {1})", x, y);
        }
    }
}
