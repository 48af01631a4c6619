using System;
using Standin;

namespace UnityEngine
{
    [Serializable, NativeStruct("BoundsInt")]
    public struct BoundsInt : IEquatable<BoundsInt>
    {
        Vector3Int m_Position;
        Vector3Int m_Size;

        public BoundsInt(int xMin, int yMin, int zMin, int sizeX, int sizeY, int sizeZ)
            : this(new Vector3Int(xMin, yMin, zMin), new Vector3Int(sizeX, sizeY, sizeZ)) { }

        public BoundsInt(Vector3Int position, Vector3Int size)
        {
            m_Position = position;
            m_Size = size;
        }

        public Vector3Int position { get { return m_Position; } set { m_Position = value; } }
        public Vector3Int size { get { return m_Size; } set { m_Size = value; } }
        public Vector3Int min { get { return m_Position; } }
        public Vector3Int max { get { return m_Position + m_Size; } }
        public Vector3 center { get { return (Vector3)m_Position + (Vector3)m_Size / 2; } }

        public static bool operator ==(BoundsInt a, BoundsInt b) { return a.Equals(b); }
        public static bool operator !=(BoundsInt a, BoundsInt b) { return !a.Equals(b); }

        public bool Equals(BoundsInt other) { return position == other.position && size == other.size; }
        public override bool Equals(object other) { return other is BoundsInt && Equals((BoundsInt)other); }
        public override int GetHashCode() { return position.GetHashCode() ^ (size.GetHashCode() << 2); }
        public override string ToString() { return "Position: " + position + ", Size: " + size; }
    }
}
