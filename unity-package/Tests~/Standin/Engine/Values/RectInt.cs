using System;
using System.Globalization;
using Standin;

namespace UnityEngine
{
    [Serializable, NativeStruct("RectInt")]
    public struct RectInt : IEquatable<RectInt>
    {
        [SerializedName("x")] int m_XMin;
        [SerializedName("y")] int m_YMin;
        [SerializedName("width")] int m_Width;
        [SerializedName("height")] int m_Height;

        public RectInt(int xMin, int yMin, int width, int height)
        {
            m_XMin = xMin;
            m_YMin = yMin;
            m_Width = width;
            m_Height = height;
        }

        public RectInt(Vector2Int position, Vector2Int size) : this(position.x, position.y, size.x, size.y) { }

        public int x { get { return m_XMin; } set { m_XMin = value; } }
        public int y { get { return m_YMin; } set { m_YMin = value; } }
        public int width { get { return m_Width; } set { m_Width = value; } }
        public int height { get { return m_Height; } set { m_Height = value; } }
        public int xMin { get { return Math.Min(m_XMin, m_XMin + m_Width); } }
        public int yMin { get { return Math.Min(m_YMin, m_YMin + m_Height); } }
        public int xMax { get { return Math.Max(m_XMin, m_XMin + m_Width); } }
        public int yMax { get { return Math.Max(m_YMin, m_YMin + m_Height); } }
        public Vector2Int position { get { return new Vector2Int(x, y); } set { x = value.x; y = value.y; } }
        public Vector2Int size
        {
            get { return new Vector2Int(width, height); }
            set { width = value.x; height = value.y; }
        }

        public bool Contains(Vector2Int position)
        {
            return position.x >= xMin && position.y >= yMin && position.x < xMax && position.y < yMax;
        }

        public bool Equals(RectInt other)
        {
            return x == other.x && y == other.y && width == other.width && height == other.height;
        }
        public override bool Equals(object other) { return other is RectInt && Equals((RectInt)other); }
        public override int GetHashCode() { return x ^ (y << 4) ^ (width << 8) ^ (height << 12); }
        public override string ToString()
        {
            return string.Format(CultureInfo.InvariantCulture,
                                 "(x:{0}, y:{1}, width:{2}, height:{3})", x, y, width, height);
        }
    }
}
