using System.Text;

namespace Standin
{
    /// <summary>XXH64 with seed 0 of a text in UTF-8: Unity's ids for names in imported
    /// files.</summary>
    internal static class Xxh64
    {
        const ulong P1 = 0x9e3779b185ebca87;
        const ulong P2 = 0xc2b2ae3d27d4eb4f;
        const ulong P3 = 0x165667b19e3779f9;
        const ulong P4 = 0x85ebca77c2b2ae63;
        const ulong P5 = 0x27d4eb2f165667c5;

        public static long Hash(string text)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(text);
            unchecked
            {
                int at = 0;
                ulong h = bytes.Length >= 32 ? Stripes(bytes, ref at) : P5;
                h += (ulong)bytes.Length;
                for (; bytes.Length - at >= 8; at += 8)
                    h = Rotate(h ^ Mix(0, Load(bytes, at, 8)), 27) * P1 + P4;
                if (bytes.Length - at >= 4)
                {
                    h = Rotate(h ^ Load(bytes, at, 4) * P1, 23) * P2 + P3;
                    at += 4;
                }
                for (; at < bytes.Length; at++)
                    h = Rotate(h ^ bytes[at] * P5, 11) * P1;
                h = (h ^ h >> 33) * P2;
                h = (h ^ h >> 29) * P3;
                return (long)(h ^ h >> 32);
            }
        }

        static ulong Rotate(ulong x, int by) { return x << by | x >> (64 - by); }

        static ulong Load(byte[] bytes, int at, int count)
        {
            ulong x = 0;
            while (count-- > 0)
                x = x << 8 | bytes[at + count];
            return x;
        }

        static ulong Mix(ulong lane, ulong input)
        {
            return unchecked(Rotate(lane + input * P2, 31) * P1);
        }

        static ulong Stripes(byte[] bytes, ref int at)
        {
            unchecked
            {
                ulong[] lanes = { P1 + P2, P2, 0, 0 - P1 };
                for (; bytes.Length - at >= 32; at += 32)
                    for (int i = 0; i < 4; i++)
                        lanes[i] = Mix(lanes[i], Load(bytes, at + 8 * i, 8));
                ulong h = Rotate(lanes[0], 1) + Rotate(lanes[1], 7) + Rotate(lanes[2], 12) + Rotate(lanes[3], 18);
                foreach (ulong lane in lanes)
                    h = (h ^ Mix(0, lane)) * P1 + P4;
                return h;
            }
        }
    }
}
