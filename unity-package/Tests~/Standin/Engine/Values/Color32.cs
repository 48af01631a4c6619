using System;
using System.Globalization;
using System.Runtime.InteropServices;
using Standin;

namespace UnityEngine
{
    [Serializable, StructLayout(LayoutKind.Explicit), NativeStruct("ColorRGBA"), SerializedVersion(2)]
    public struct Color32
    {
        [FieldOffset(0)] internal uint rgba;
        [FieldOffset(0), NonSerialized] public byte r;
        [FieldOffset(1), NonSerialized] public byte g;
        [FieldOffset(2), NonSerialized] public byte b;
        [FieldOffset(3), NonSerialized] public byte a;

        public Color32(byte r, byte g, byte b, byte a)
        {
            rgba = 0;
            this.r = r;
            this.g = g;
            this.b = b;
            this.a = a;
        }

        public static implicit operator Color32(Color c)
        {
            return new Color32(Part(c.r), Part(c.g), Part(c.b), Part(c.a));
        }

        public static implicit operator Color(Color32 c)
        {
            return new Color(c.r / 255f, c.g / 255f, c.b / 255f, c.a / 255f);
        }

        static byte Part(float value) { return (byte)Math.Round(Mathf.Clamp01(value) * 255f); }

        public override string ToString()
        {
            return string.Format(CultureInfo.InvariantCulture, "RGBA({0}, {1}, {2}, {3})", r, g, b, a);
        }
    }
}
