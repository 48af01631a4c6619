using System;
using Standin;

namespace UnityEngine
{
    /// <summary>
    /// Up to eight colours and eight alphas over the time from 0 to 1. The file stores the colours
    /// in key0 to key7, with the alpha keys' alphas in their a, and the times multiplied by 65535.
    /// </summary>
    [Serializable, NativeStruct("Gradient"), SerializedVersion(2)]
    public class Gradient
    {
        const int MaxKeys = 8;

        Color key0 = Color.white;
        Color key1 = Color.white;
        Color key2 = Color.clear;
        Color key3 = Color.clear;
        Color key4 = Color.clear;
        Color key5 = Color.clear;
        Color key6 = Color.clear;
        Color key7 = Color.clear;
        ushort ctime0;
        ushort ctime1 = 65535;
        ushort ctime2;
        ushort ctime3;
        ushort ctime4;
        ushort ctime5;
        ushort ctime6;
        ushort ctime7;
        ushort atime0;
        ushort atime1 = 65535;
        ushort atime2;
        ushort atime3;
        ushort atime4;
        ushort atime5;
        ushort atime6;
        ushort atime7;
        [NativeType("int")] GradientMode m_Mode = GradientMode.Blend;
#if UNITY_2022_2_OR_NEWER
        internal int m_ColorSpace = -1;
#endif
        byte m_NumColorKeys = 2;
        byte m_NumAlphaKeys = 2;

        public GradientMode mode { get { return m_Mode; } set { m_Mode = value; } }

        public GradientColorKey[] colorKeys
        {
            get
            {
                var keys = new GradientColorKey[m_NumColorKeys];
                for (int i = 0; i < keys.Length; i++)
                {
                    Color color = Colors[i];
                    color.a = 1;
                    keys[i] = new GradientColorKey(color, ColorTimes[i] / 65535f);
                }
                return keys;
            }
            set { SetKeys(value, alphaKeys); }
        }

        public GradientAlphaKey[] alphaKeys
        {
            get
            {
                var keys = new GradientAlphaKey[m_NumAlphaKeys];
                for (int i = 0; i < keys.Length; i++)
                    keys[i] = new GradientAlphaKey(Colors[i].a, AlphaTimes[i] / 65535f);
                return keys;
            }
            set { SetKeys(colorKeys, value); }
        }

        Color[] Colors
        {
            get { return new[] { key0, key1, key2, key3, key4, key5, key6, key7 }; }
            set
            {
                key0 = value[0];
                key1 = value[1];
                key2 = value[2];
                key3 = value[3];
                key4 = value[4];
                key5 = value[5];
                key6 = value[6];
                key7 = value[7];
            }
        }

        ushort[] ColorTimes
        {
            get { return new[] { ctime0, ctime1, ctime2, ctime3, ctime4, ctime5, ctime6, ctime7 }; }
            set
            {
                ctime0 = value[0];
                ctime1 = value[1];
                ctime2 = value[2];
                ctime3 = value[3];
                ctime4 = value[4];
                ctime5 = value[5];
                ctime6 = value[6];
                ctime7 = value[7];
            }
        }

        ushort[] AlphaTimes
        {
            get { return new[] { atime0, atime1, atime2, atime3, atime4, atime5, atime6, atime7 }; }
            set
            {
                atime0 = value[0];
                atime1 = value[1];
                atime2 = value[2];
                atime3 = value[3];
                atime4 = value[4];
                atime5 = value[5];
                atime6 = value[6];
                atime7 = value[7];
            }
        }

        public void SetKeys(GradientColorKey[] colorKeys, GradientAlphaKey[] alphaKeys)
        {
            var colors = (GradientColorKey[])(colorKeys ?? new GradientColorKey[0]).Clone();
            var alphas = (GradientAlphaKey[])(alphaKeys ?? new GradientAlphaKey[0]).Clone();
            if (colors.Length > MaxKeys || alphas.Length > MaxKeys)
                throw new ArgumentException("A Gradient has at most 8 keys of each kind.");
            Sorting.ByTime(colors, key => key.time);
            Sorting.ByTime(alphas, key => key.time);
            var parts = new Color[MaxKeys];
            var colorTimes = new ushort[MaxKeys];
            var alphaTimes = new ushort[MaxKeys];
            for (int i = 0; i < colors.Length; i++)
            {
                parts[i] = colors[i].color;
                parts[i].a = 0;
                colorTimes[i] = FileTime(colors[i].time);
            }
            for (int i = 0; i < alphas.Length; i++)
            {
                parts[i].a = alphas[i].alpha;
                alphaTimes[i] = FileTime(alphas[i].time);
            }
            Colors = parts;
            ColorTimes = colorTimes;
            AlphaTimes = alphaTimes;
            m_NumColorKeys = (byte)colors.Length;
            m_NumAlphaKeys = (byte)alphas.Length;
        }

        static ushort FileTime(float time) { return (ushort)Math.Round(Mathf.Clamp01(time) * 65535f); }

        public Color Evaluate(float time)
        {
            GradientColorKey[] colors = colorKeys;
            GradientAlphaKey[] alphas = alphaKeys;
            Color result = Color.white;
            int at = colors.Length == 0 ? -1 : Array.FindIndex(colors, key => key.time >= time);
            if (colors.Length > 0)
                result = at < 0 ? colors[colors.Length - 1].color : at == 0 || mode == GradientMode.Fixed
                    ? colors[at].color : Color.Lerp(colors[at - 1].color, colors[at].color, Mathf.InverseLerp(
                        colors[at - 1].time, colors[at].time, time));
            at = alphas.Length == 0 ? -1 : Array.FindIndex(alphas, key => key.time >= time);
            if (alphas.Length > 0)
                result.a = at < 0 ? alphas[alphas.Length - 1].alpha : at == 0 || mode == GradientMode.Fixed
                    ? alphas[at].alpha : Mathf.Lerp(alphas[at - 1].alpha, alphas[at].alpha, Mathf.InverseLerp(
                        alphas[at - 1].time, alphas[at].time, time));
            return result;
        }
    }
}
