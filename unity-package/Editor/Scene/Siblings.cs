using System;
using System.Collections.Generic;
using System.Globalization;

namespace Multiverse.Editor
{
    /// <summary>
    /// The names of an object's children, or of a scene's roots, and the numbers that distinguish
    /// duplicates. The first of a name has no number (0); later ones count up from 1 and skip a
    /// number if a sibling literally has that name. Of A, A and A[1], the second is A[2].
    /// Add all names before requesting a number. Numbers are assigned in sibling order and cached;
    /// their total cost is linear.
    /// <code>
    ///     var siblings = new Siblings();
    ///     siblings.Add("A"); siblings.Add("A"); siblings.Add("A[1]");
    ///     siblings.Number(1)          // 2
    /// </code>
    /// </summary>
    public sealed class Siblings
    {
        sealed class Name
        {
            public int First;
            public int Last; /* the last assigned number */
        }

        readonly List<string> names = new List<string>();
        readonly List<int> numbers = new List<int>();
        readonly Dictionary<string, Name> known = new Dictionary<string, Name>(StringComparer.Ordinal);
        bool hasBrackets;

        public int Count { get { return names.Count; } }

        public void Add(string name)
        {
            if (!known.ContainsKey(name))
                known.Add(name, new Name { First = names.Count });
            hasBrackets |= name.EndsWith("]", StringComparison.Ordinal);
            names.Add(name);
        }

        public string NameAt(int index) { return names[index]; }

        /// <summary>Return the sibling's number; 0: the first of its name.</summary>
        public int Number(int index)
        {
            while (numbers.Count <= index)
                numbers.Add(NextNumber(numbers.Count));
            return numbers[index];
        }

        int NextNumber(int index)
        {
            Name name = known[names[index]];
            if (name.First == index)
                return 0;
            do
                name.Last++;
            while (hasBrackets && known.ContainsKey(AppendNumber(names[index], name.Last)));
            return name.Last;
        }

        /// <summary>Return the index, or -1. The literal name is tried before a number is split
        /// off.</summary>
        public int Find(string name)
        {
            Name found;
            if (known.TryGetValue(name, out found))
                return found.First;
            int number;
            return CutNumber(ref name, out number) ? Find(name, number) : -1;
        }

        int Find(string name, int number)
        {
            Name found;
            if (!known.TryGetValue(name, out found))
                return -1;
            for (int i = found.First; i < names.Count; i++)
                if (Number(i) == number && string.Equals(names[i], name, StringComparison.Ordinal))
                    return i;
            return -1;
        }

        static string AppendNumber(string name, int number)
        {
            return name + "[" + number.ToString(CultureInfo.InvariantCulture) + "]";
        }

        /// <summary>Split "Panel[1]" into "Panel" and 1. Only numbers as written in paths: no sign,
        /// no leading zeros.</summary>
        public static bool CutNumber(ref string name, out int number)
        {
            number = 0;
            int open = name.LastIndexOf('[');
            if (open < 0 || name[name.Length - 1] != ']')
                return false;
            string digits = name.Substring(open + 1, name.Length - open - 2);
            bool isPlain = digits.Length > 0 && (digits.Length == 1 || digits[0] != '0');
            if (!isPlain || !int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out number))
                return false;
            name = name.Substring(0, open);
            return true;
        }
    }
}
