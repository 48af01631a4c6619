using System;
using System.Globalization;
using Standin;

namespace UnityEngine
{
    [Serializable, NativeStruct("Color", Flow = true)]
    public struct Color : IEquatable<Color>
    {
        public float r;
        public float g;
        public float b;
        public float a;

        public Color(float r, float g, float b, float a)
        {
            this.r = r;
            this.g = g;
            this.b = b;
            this.a = a;
        }

        public Color(float r, float g, float b) : this(r, g, b, 1) { }

        public static Color red { get { return new Color(1, 0, 0, 1); } }
        public static Color green { get { return new Color(0, 1, 0, 1); } }
        public static Color blue { get { return new Color(0, 0, 1, 1); } }
        public static Color white { get { return new Color(1, 1, 1, 1); } }
        public static Color black { get { return new Color(0, 0, 0, 1); } }
        public static Color yellow { get { return new Color(1, 0.92156863f, 0.015686275f, 1); } }
        public static Color cyan { get { return new Color(0, 1, 1, 1); } }
        public static Color magenta { get { return new Color(1, 0, 1, 1); } }
        public static Color gray { get { return new Color(0.5f, 0.5f, 0.5f, 1); } }
        public static Color grey { get { return gray; } }
        public static Color clear { get { return new Color(0, 0, 0, 0); } }

        public float this[int index]
        {
            get { return new Vector4(r, g, b, a)[index]; }
            set
            {
                Vector4 v = this;
                v[index] = value;
                this = v;
            }
        }

        public float grayscale { get { return 0.299f * r + 0.587f * g + 0.114f * b; } }

        public static Color Lerp(Color a, Color b, float t) { return a + (b - a) * Mathf.Clamp01(t); }

        public static Color operator +(Color a, Color b)
        {
            return new Color(a.r + b.r, a.g + b.g, a.b + b.b, a.a + b.a);
        }
        public static Color operator -(Color a, Color b)
        {
            return new Color(a.r - b.r, a.g - b.g, a.b - b.b, a.a - b.a);
        }
        public static Color operator *(Color a, Color b)
        {
            return new Color(a.r * b.r, a.g * b.g, a.b * b.b, a.a * b.a);
        }
        public static Color operator *(Color a, float b) { return new Color(a.r * b, a.g * b, a.b * b, a.a * b); }
        public static Color operator *(float b, Color a) { return a * b; }
        public static Color operator /(Color a, float b) { return new Color(a.r / b, a.g / b, a.b / b, a.a / b); }
        public static bool operator ==(Color a, Color b) { return (Vector4)a == (Vector4)b; }
        public static bool operator !=(Color a, Color b) { return !(a == b); }
        public static implicit operator Vector4(Color c) { return new Vector4(c.r, c.g, c.b, c.a); }
        public static implicit operator Color(Vector4 v) { return new Color(v.x, v.y, v.z, v.w); }

        public bool Equals(Color other) { return r == other.r && g == other.g && b == other.b && a == other.a; }
        public override bool Equals(object other) { return other is Color && Equals((Color)other); }
        public override int GetHashCode() { return ((Vector4)this).GetHashCode(); }
        public override string ToString()
        {
            return string.Format(CultureInfo.InvariantCulture, "RGBA({0:F3}, {1:F3}, {2:F3}, {3:F3})", r, g, b, a);
        }
    }
}
