using System;
using System.Collections;
using System.Globalization;

namespace NUnit.Framework.Constraints
{
    /// <summary>Equality and order as in NUnit: numbers by value, collections item by item.</summary>
    sealed class Comparing
    {
        public double? Tolerance;
        public bool IsPercent;
        public bool IgnoresCase;
        public Func<object, object, bool> Comparer;

        public StringComparison TextComparison
        {
            get { return IgnoresCase ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal; }
        }

        public string Description
        {
            get
            {
                return (Tolerance == null ? "" : " +/- " + Tolerance.Value.ToString(CultureInfo.InvariantCulture) +
                        (IsPercent ? " Percent" : "")) + (IgnoresCase ? ", ignoring case" : "");
            }
        }

        public static bool Same(object expected, object actual, Comparing how)
        {
            if (how != null && how.Comparer != null && !(expected is IEnumerable && actual is IEnumerable))
                return how.Comparer(expected, actual);
            if (expected == null || actual == null)
                return (expected ?? actual) == null || (expected ?? actual).Equals(null);
            if (expected is string && actual is string)
                return string.Equals((string)expected, (string)actual,
                                     how == null ? StringComparison.Ordinal : how.TextComparison);
            if (IsNumber(expected) && IsNumber(actual))
                return SameNumber(expected, actual, how);
            if (expected is DictionaryEntry && actual is DictionaryEntry)
                return SameEntry((DictionaryEntry)expected, (DictionaryEntry)actual, how);
            if (expected is IEnumerable && actual is IEnumerable)
                return SameItems((IEnumerable)expected, (IEnumerable)actual, how);
            return expected.Equals(actual);
        }

        static bool SameEntry(DictionaryEntry a, DictionaryEntry b, Comparing how)
        {
            return Same(a.Key, b.Key, how) && Same(a.Value, b.Value, how);
        }

        static bool SameItems(IEnumerable expected, IEnumerable actual, Comparing how)
        {
            IEnumerator a = expected.GetEnumerator(), b = actual.GetEnumerator();
            while (true)
            {
                bool more = a.MoveNext();
                if (more != b.MoveNext())
                    return false;
                if (!more)
                    return true;
                if (!Same(a.Current, b.Current, how))
                    return false;
            }
        }

        public static bool IsNumber(object value)
        {
            return value is int || value is long || value is float || value is double || value is byte ||
                   value is sbyte || value is short || value is ushort || value is uint || value is ulong ||
                   value is decimal;
        }

        static bool IsReal(object value) { return value is float || value is double; }

        static bool SameNumber(object expected, object actual, Comparing how)
        {
            if (how == null || how.Tolerance == null)
                return IsReal(expected) || IsReal(actual) ? Real(expected).Equals(Real(actual))
                    : Convert.ToDecimal(expected) == Convert.ToDecimal(actual);
            double a = Real(expected), b = Real(actual);
            double amount = how.IsPercent ? Math.Abs(a) * how.Tolerance.Value / 100 : how.Tolerance.Value;
            return a.Equals(b) || Math.Abs(a - b) <= amount;
        }

        /* A float compared with a double counts as written: 0.1f is 0.1. */
        static double Real(object value) { return Convert.ToDouble(value, CultureInfo.InvariantCulture); }

        public static int Order(object a, object b)
        {
            if (IsNumber(a) && IsNumber(b))
                return IsReal(a) || IsReal(b) ? Real(a).CompareTo(Real(b))
                    : Convert.ToDecimal(a).CompareTo(Convert.ToDecimal(b));
            var comparable = a as IComparable;
            if (comparable == null)
                throw new ArgumentException("the values cannot be compared");
            return comparable.CompareTo(b);
        }
    }
}
