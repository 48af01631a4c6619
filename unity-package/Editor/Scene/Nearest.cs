using System;
using System.Text;

namespace Multiverse.Editor
{
    /// <summary>
    /// The name somebody meant: of those that exist the one that is nearest to what was written.
    /// <code>
    ///     var near = new Nearest("max_dept");
    ///     foreach (string name in known)
    ///         near.Offer(name);
    ///     if (near.Best != null) ...       // "max_depth"
    /// </code>
    /// Near are names that differ in at most a third of the letters of the longer one: a letter too
    /// many, too few, wrong, or two that changed places. Upper and lower case, - and _ are the same. Of
    /// equally near ones the first that was offered wins. Letters are bytes of UTF-8, as the headless
    /// editor counts them; what is longer than <see cref="MaxLength"/> is near to nothing.
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

        /// <summary>null: none is near.</summary>
        public string Best { get; private set; }

        /// <summary>True: it is the best by now.</summary>
        public bool Offer(string name)
        {
            int length = Encoding.UTF8.GetByteCount(name);
            int longer = Math.Max(wanted.Length, length), shorter = Math.Min(wanted.Length, length);
            if (shorter == 0 || longer > MaxLength || (longer - shorter) * 3 > longer)
                return false;
            int d = Distance(wanted, Encoding.UTF8.GetBytes(name));
            if (d * 3 > longer || (Best != null && d >= distance))
                return false;
            Best = name;
            distance = d;
            return true;
        }

        /* Row i holds the distances of the first i letters of a to every beginning of b; a swap of two
         * letters looks two rows back, so three are kept. */
        int Distance(byte[] a, byte[] b)
        {
            for (int j = 0; j <= b.Length; j++)
                rows[0][j] = j;
            for (int i = 1; i <= a.Length; i++)
            {
                int[] row = rows[i % 3], above = rows[(i - 1) % 3], twoAbove = rows[(i + 1) % 3];
                row[0] = i;
                for (int j = 1; j <= b.Length; j++)
                {
                    int x = Fold(a[i - 1]), y = Fold(b[j - 1]);
                    row[j] = Math.Min(Math.Min(above[j], row[j - 1]) + 1, above[j - 1] + (x != y ? 1 : 0));
                    if (i > 1 && j > 1 && x == Fold(b[j - 2]) && y == Fold(a[i - 2]))
                        row[j] = Math.Min(row[j], twoAbove[j - 2] + 1);
                }
            }
            return rows[a.Length % 3][b.Length];
        }

        static int Fold(byte c)
        {
            if (c >= 'A' && c <= 'Z')
                return c + ('a' - 'A');
            return c == '-' ? (int)'_' : c;
        }
    }
}
