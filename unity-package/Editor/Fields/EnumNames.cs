using System;
using System.Collections.Generic;
using System.Reflection;

namespace Multiverse.Editor
{
    /// <summary>
    /// The values of an enum and their names, as declared.
    /// <code>
    ///     EnumNames e = EnumNames.Of(typeof(RigidbodyConstraints));
    ///     e.NameOf(112)                       // "FreezeRotation"
    ///     e.TryValue("FreezeAll", out n)
    /// </code>
    /// </summary>
    public sealed class EnumNames
    {
        static readonly Dictionary<Type, EnumNames> known = new Dictionary<Type, EnumNames>();

        public readonly Type Type;
        public readonly bool IsFlags;
        /// <summary>In the order of declaration, parallel to Values.</summary>
        public readonly string[] Names;
        public readonly long[] Values;

        /* Enum.GetNames sorts by value, but of two names with one value the first declared is
           shown. */
        EnumNames(Type type)
        {
            FieldInfo[] members = type.GetFields(BindingFlags.Public | BindingFlags.Static);
            Type = type;
            IsFlags = type.IsDefined(typeof(FlagsAttribute), false);
            Names = new string[members.Length];
            Values = new long[members.Length];
            for (int i = 0; i < members.Length; i++)
            {
                object value = members[i].GetRawConstantValue();
                Names[i] = members[i].Name;
                Values[i] = value is ulong ? unchecked((long)(ulong)value) : Convert.ToInt64(value);
            }
        }

        public static EnumNames Of(Type type)
        {
            EnumNames names;
            if (!known.TryGetValue(type, out names))
                known.Add(type, names = new EnumNames(type));
            return names;
        }

        /// <summary>Return the first name of a value, "A, B" for flags, or null.</summary>
        public string NameOf(long value)
        {
            int at = Array.IndexOf(Values, value);
            if (at >= 0)
                return Names[at];
            return IsFlags ? FlagNames(unchecked((ulong)value)) : null;
        }

        /* Take the members whose bits are all set, largest first, as .NET does. */
        string FlagNames(ulong left)
        {
            string names = null;
            while (left != 0)
            {
                int best = -1;
                for (int i = 0; i < Values.Length; i++)
                {
                    ulong bits = unchecked((ulong)Values[i]);
                    if (bits != 0 && (bits & ~left) == 0 &&
                        (best < 0 || bits > unchecked((ulong)Values[best])))
                        best = i;
                }
                if (best < 0)
                    return null;
                left &= ~unchecked((ulong)Values[best]);
                names = names == null ? Names[best] : Names[best] + ", " + names;
            }
            return names;
        }

        /// <summary>Find the value of one name as written.</summary>
        public bool TryValue(string name, out long value)
        {
            int at = Array.IndexOf(Names, name);
            value = at < 0 ? 0 : Values[at];
            return at >= 0;
        }
    }
}
