using System;
using System.Globalization;
using System.Text;

namespace Standin.Testing
{
    /// <summary>Arguments in test names, as NUnit writes them: Adds(1,"a",2.5d).</summary>
    static class TestNames
    {
        const int maxText = 40;

        public static string Arguments(object[] arguments)
        {
            return "(" + string.Join(",", Array.ConvertAll(arguments, One)) + ")";
        }

        static string One(object value)
        {
            if (value == null)
                return "null";
            if (value is string)
                return Quoted((string)value);
            if (value is char)
                return "'" + value + "'";
            if (value is bool)
                return (bool)value ? "True" : "False";
            if (value is double)
                return Real(((double)value).ToString("R", CultureInfo.InvariantCulture)) + "d";
            if (value is float)
                return Real(((float)value).ToString("R", CultureInfo.InvariantCulture)) + "f";
            if (value is decimal)
                return ((decimal)value).ToString(CultureInfo.InvariantCulture) + "m";
            if (value is Type)
                return ((Type)value).Name;
            if (value is Array)
                return value.GetType().GetElementType().Name + "[]";
            return Convert.ToString(value, CultureInfo.InvariantCulture);
        }

        static string Real(string digits)
        {
            return digits.IndexOfAny(new[] { '.', 'E', 'N', 'I' }) < 0 ? digits + ".0" : digits;
        }

        static string Quoted(string text)
        {
            var quoted = new StringBuilder("\"");
            foreach (char c in text.Length > maxText ? text.Substring(0, maxText - 3) + "..." : text)
            {
                switch (c)
                {
                    case '"': quoted.Append("\\\""); break;
                    case '\\': quoted.Append("\\\\"); break;
                    case '\n': quoted.Append("\\n"); break;
                    case '\r': quoted.Append("\\r"); break;
                    case '\t': quoted.Append("\\t"); break;
                    default: quoted.Append(c); break;
                }
            }
            return quoted.Append('"').ToString();
        }
    }
}
