using System;
using Standin;

namespace UnityEngine
{
    [Serializable, NativeStruct("Bounds")]
    public struct Bounds : IEquatable<Bounds>
    {
        Vector3 m_Center;
        [SerializedName("m_Extent")] Vector3 m_Extents;

        public Bounds(Vector3 center, Vector3 size)
        {
            m_Center = center;
            m_Extents = size * 0.5f;
        }

        public Vector3 center { get { return m_Center; } set { m_Center = value; } }
        public Vector3 extents { get { return m_Extents; } set { m_Extents = value; } }
        public Vector3 size { get { return m_Extents * 2; } set { m_Extents = value * 0.5f; } }
        public Vector3 min { get { return center - extents; } set { SetMinMax(value, max); } }
        public Vector3 max { get { return center + extents; } set { SetMinMax(min, value); } }

        public void SetMinMax(Vector3 min, Vector3 max)
        {
            extents = (max - min) * 0.5f;
            center = min + extents;
        }

        public void Encapsulate(Vector3 point) { SetMinMax(Vector3.Min(min, point), Vector3.Max(max, point)); }

        public void Encapsulate(Bounds bounds)
        {
            Encapsulate(bounds.min);
            Encapsulate(bounds.max);
        }

        public bool Contains(Vector3 point)
        {
            return point.x >= min.x && point.x <= max.x && point.y >= min.y && point.y <= max.y
                && point.z >= min.z && point.z <= max.z;
        }

        public static bool operator ==(Bounds a, Bounds b) { return a.center == b.center && a.extents == b.extents; }
        public static bool operator !=(Bounds a, Bounds b) { return !(a == b); }

        public bool Equals(Bounds other) { return center.Equals(other.center) && extents.Equals(other.extents); }
        public override bool Equals(object other) { return other is Bounds && Equals((Bounds)other); }
        public override int GetHashCode() { return center.GetHashCode() ^ (extents.GetHashCode() << 2); }
        public override string ToString() { return "Center: " + center + ", Extents: " + extents; }
    }
}
