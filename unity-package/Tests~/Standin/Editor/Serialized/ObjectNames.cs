using System.Text;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    public sealed class ObjectNames
    {
        /// <summary>"m_UseGravity", "_useGravity" and "kUseGravity" become "Use Gravity".</summary>
        public static string NicifyVariableName(string name)
        {
            string rest = name ?? "";
            if (rest.StartsWith("m_", System.StringComparison.Ordinal))
                rest = rest.Substring(2);
            else if (rest.Length > 1 && rest[0] == 'k' && char.IsUpper(rest[1]))
                rest = rest.Substring(1);
            rest = rest.TrimStart('_');
            var text = new StringBuilder();
            for (int i = 0; i < rest.Length; i++)
            {
                bool isStart = i > 0 && char.IsUpper(rest[i])
                    && (char.IsLower(rest[i - 1]) || (i + 1 < rest.Length && char.IsLower(rest[i + 1])));
                bool isNumber = i > 0 && char.IsDigit(rest[i]) && char.IsLetter(rest[i - 1]);
                if ((isStart || isNumber) && text.Length > 0 && text[text.Length - 1] != ' ')
                    text.Append(' ');
                text.Append(text.Length == 0 ? char.ToUpperInvariant(rest[i]) : rest[i]);
            }
            return text.ToString();
        }

        public static string GetClassName(Object obj) { return obj == null ? "Object" : obj.GetType().Name; }

        public static string GetInspectorTitle(Object obj)
        {
            if (obj == null)
                return "Nothing Selected";
            string title = NicifyVariableName(obj.GetType().Name);
            if (obj is MonoBehaviour)
                return title + " (Script)";
            return obj is Component ? title : obj.name + " (" + title + ")";
        }
    }
}
