using System;
using System.Text;

namespace Multiverse.Editor
{
    /// <summary>
    /// Finds the existing name that is most similar to a misspelled one.
    /// At most a third of the letters of the longer name may differ: extra, missing, wrong, or two
    /// swapped. Upper and lower case are equal, and so are - and _. Among equally similar names the
    /// first offered wins. Letters are UTF-8 bytes, as in the headless editor; names longer than
    /// <see cref="MaxLength"/> never match.
    /// <code>
    ///     var near = new Nearest("max_dept");
    ///     foreach (string name in known)
    ///         near.Offer(name);
    ///     if (near.Best != null) ...       // "max_depth"
    /// </code>
    /// </summary>
    public sealed class Nearest
    {
        public const int MaxLength = 64;

        readonly byte[] wanted;
        readonly int[][] rows;
        int distance;

        public Nearest(string wanted)
        {
            this.wanted = Encoding.UTF8.GetBytes(wanted);
            rows = new[] { new int[MaxLength + 1], new int[MaxLength + 1], new int[MaxLength + 1] };
        }

        /// <summary>null: no similar name.</summary>
        public string Best { get; private set; }

        /// <summary>Offer a name. Return true if it is the best so far.</summary>
        public bool Offer(string name)
        {
            int length = Encoding.UTF8.GetByteCount(name);
            int longer = Math.Max(wanted.Length, length), shorter = Math.Min(wanted.Length, length);
            if (shorter == 0 || longer > MaxLength || (longer - shorter) * 3 > longer)
                return false;
            int d = ComputeDistance(wanted, Encoding.UTF8.GetBytes(name));
            if (d * 3 > longer || (Best != null && d >= distance))
                return false;
            Best = name;
            distance = d;
            return true;
        }

        /* Row i holds the distances of the first i letters of a to every prefix of b. A swap of
           two letters needs the row two above, so three rows are kept. */
        int ComputeDistance(byte[] a, byte[] b)
        {
            for (int j = 0; j <= b.Length; j++)
                rows[0][j] = j;
            for (int i = 1; i <= a.Length; i++)
            {
                int[] row = rows[i % 3], above = rows[(i - 1) % 3], twoAbove = rows[(i + 1) % 3];
                row[0] = i;
                for (int j = 1; j <= b.Length; j++)
                {
                    int x = FoldByte(a[i - 1]), y = FoldByte(b[j - 1]);
                    row[j] = Math.Min(Math.Min(above[j], row[j - 1]) + 1, above[j - 1] + (x != y ? 1 : 0));
                    if (i > 1 && j > 1 && x == FoldByte(b[j - 2]) && y == FoldByte(a[i - 2]))
                        row[j] = Math.Min(row[j], twoAbove[j - 2] + 1);
                }
            }
            return rows[a.Length % 3][b.Length];
        }

        static int FoldByte(byte c)
        {
            if (c >= 'A' && c <= 'Z')
                return c + ('a' - 'A');
            return c == '-' ? (int)'_' : c;
        }
    }
}
