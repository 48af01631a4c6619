using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using NUnit.Framework.Constraints;

namespace NUnit.Framework
{
    /// <summary>The message of a failed assertion, in NUnit's format.</summary>
    static class Failure
    {
        const int maxItems = 10;
        const int maxDepth = 4;

        public static string Format(string message, object[] args)
        {
            if (message == null)
                return "";
            return args == null || args.Length == 0
                ? message : string.Format(CultureInfo.InvariantCulture, message, args);
        }

        public static string Text(Constraint constraint, object actual, string message, object[] args)
        {
            var text = new StringBuilder();
            string own = Format(message, args);
            if (own.Length > 0)
                text.Append("  ").Append(own).Append('\n');
            text.Append("  Expected: ").Append(constraint.Description).Append('\n');
            text.Append("  But was:  ").Append(constraint.Found(actual)).Append('\n');
            return text.ToString();
        }

        public static string Show(object value) { return Show(value, 0); }

        static string Show(object value, int depth)
        {
            if (value == null)
                return "null";
            if (value is string)
                return (string)value == "" ? "<string.Empty>" : "\"" + Escaped((string)value) + "\"";
            if (value is char)
                return "'" + value + "'";
            if (value is bool)
                return (bool)value ? "True" : "False";
            if (value is float)
                return Real(((float)value).ToString("G9", CultureInfo.InvariantCulture)) + "f";
            if (value is double)
                return Real(((double)value).ToString("R", CultureInfo.InvariantCulture)) + "d";
            if (value is IEnumerable && depth < maxDepth)
                return Items((IEnumerable)value, depth);
            if (value is IFormattable && value.GetType().IsPrimitive)
                return ((IFormattable)value).ToString(null, CultureInfo.InvariantCulture);
            return value is Enum ? value.ToString() : "<" + value + ">";
        }

        static string Real(string text)
        {
            return text.IndexOfAny(new[] { '.', 'E', 'N', 'I' }) < 0 ? text + ".0" : text;
        }

        static string Items(IEnumerable items, int depth)
        {
            var shown = new List<string>();
            bool more = false;
            foreach (object item in items)
            {
                more = shown.Count == maxItems;
                if (more)
                    break;
                shown.Add(Show(item, depth + 1));
            }
            return shown.Count == 0 ? "<empty>" : "< " + string.Join(", ", shown.ToArray()) + (more ? "..." : "") + " >";
        }

        static string Escaped(string text)
        {
            return text.Replace("\\", "\\\\").Replace("\n", "\\n").Replace("\r", "\\r").Replace("\t", "\\t");
        }
    }
}
