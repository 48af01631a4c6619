using System;
using System.Globalization;
using Standin;

namespace UnityEngine
{
    [Serializable, NativeStruct("Rect"), SerializedVersion(2)]
    public struct Rect : IEquatable<Rect>
    {
        [SerializedName("x")] float m_XMin;
        [SerializedName("y")] float m_YMin;
        [SerializedName("width")] float m_Width;
        [SerializedName("height")] float m_Height;

        public Rect(float x, float y, float width, float height)
        {
            m_XMin = x;
            m_YMin = y;
            m_Width = width;
            m_Height = height;
        }

        public Rect(Vector2 position, Vector2 size) : this(position.x, position.y, size.x, size.y) { }

        public static Rect zero { get { return new Rect(0, 0, 0, 0); } }

        public static Rect MinMaxRect(float xmin, float ymin, float xmax, float ymax)
        {
            return new Rect(xmin, ymin, xmax - xmin, ymax - ymin);
        }

        public float x { get { return m_XMin; } set { m_XMin = value; } }
        public float y { get { return m_YMin; } set { m_YMin = value; } }
        public float width { get { return m_Width; } set { m_Width = value; } }
        public float height { get { return m_Height; } set { m_Height = value; } }
        public float xMin { get { return m_XMin; } set { m_Width += m_XMin - value; m_XMin = value; } }
        public float yMin { get { return m_YMin; } set { m_Height += m_YMin - value; m_YMin = value; } }
        public float xMax { get { return m_XMin + m_Width; } set { m_Width = value - m_XMin; } }
        public float yMax { get { return m_YMin + m_Height; } set { m_Height = value - m_YMin; } }
        public Vector2 position { get { return new Vector2(x, y); } set { x = value.x; y = value.y; } }
        public Vector2 size { get { return new Vector2(width, height); } set { width = value.x; height = value.y; } }
        public Vector2 min { get { return new Vector2(xMin, yMin); } set { xMin = value.x; yMin = value.y; } }
        public Vector2 max { get { return new Vector2(xMax, yMax); } set { xMax = value.x; yMax = value.y; } }
        public Vector2 center
        {
            get { return new Vector2(x + width / 2, y + height / 2); }
            set { position = value - size / 2; }
        }

        public bool Contains(Vector2 point)
        {
            return point.x >= xMin && point.x < xMax && point.y >= yMin && point.y < yMax;
        }

        public bool Overlaps(Rect other)
        {
            return other.xMax > xMin && other.xMin < xMax && other.yMax > yMin && other.yMin < yMax;
        }

        public static bool operator ==(Rect a, Rect b) { return a.Equals(b); }
        public static bool operator !=(Rect a, Rect b) { return !(a == b); }

        public bool Equals(Rect other)
        {
            return x == other.x && y == other.y && width == other.width && height == other.height;
        }
        public override bool Equals(object other) { return other is Rect && Equals((Rect)other); }
        public override int GetHashCode() { return new Vector4(x, y, width, height).GetHashCode(); }
        public override string ToString()
        {
            return string.Format(CultureInfo.InvariantCulture,
                                 "(x:{0:F2}, y:{1:F2}, width:{2:F2}, height:{3:F2})", x, y, width, height);
        }
    }
}
