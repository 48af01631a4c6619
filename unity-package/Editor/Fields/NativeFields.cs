using System;
using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>
    /// The C# meaning of native engine fields where SerializedProperty does not show it: a native
    /// enum appears as an int. The rows are in <see cref="BuiltinFields"/>; a class's rows are read
    /// on first use.
    /// <code>
    ///     NativeFields.MeaningOf("UnityEngine.Rigidbody", "m_Constraints")
    ///                                             // "eUnityEngine.RigidbodyConstraints"; null: nothing
    ///     NativeFields.ClassName("AudioMixerGroup")       // "UnityEngine.Audio.AudioMixerGroup"
    /// </code>
    /// </summary>
    static class NativeFields
    {
        static Dictionary<string, int> rows;
        static Dictionary<string, string> natives;
        static readonly Dictionary<string, Dictionary<string, string>> owners =
            new Dictionary<string, Dictionary<string, string>>(StringComparer.Ordinal);

        /// <summary>owner: C# full name of a class, or native name of a struct.</summary>
        public static string MeaningOf(string owner, string key)
        {
            Dictionary<string, string> fields;
            if (!owners.TryGetValue(owner, out fields))
                owners.Add(owner, fields = Read(owner));
            string meaning;
            return fields != null && fields.TryGetValue(key, out meaning) ? meaning : null;
        }

        static Dictionary<string, string> Read(string owner)
        {
            if (rows == null)
            {
                rows = new Dictionary<string, int>(StringComparer.Ordinal);
                for (int i = 0; i < BuiltinFields.Meanings.Length; i += 2)
                    rows.Add(Full(BuiltinFields.Meanings[i]), i + 1);
            }
            int row;
            return rows.TryGetValue(owner, out row) ? Pairs(BuiltinFields.Meanings[row]) : null;
        }

        /// <summary>Return the C# name of a native class; null if it has the same name in
        /// UnityEngine, or is unknown.</summary>
        public static string ClassName(string native)
        {
            if (natives == null)
                natives = Pairs(BuiltinFields.Natives);
            string name;
            return natives.TryGetValue(native, out name) ? name : null;
        }

        static Dictionary<string, string> Pairs(string text)
        {
            var pairs = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (string pair in text.Split(' '))
            {
                int at = pair.IndexOf('=');
                string value = pair.Substring(at + 1);
                int mark = value.LastIndexOf('[') + 1; /* the letter before a name; a class has none */
                bool hasMark = value.Length > mark + 1 && value[mark + 1] == '.';
                pairs.Add(pair.Substring(0, at).Replace('~', ' '),
                          hasMark ? value.Substring(0, mark + 1) + Full(value.Substring(mark + 1)) : Full(value));
            }
            return pairs;
        }

        /* ".X" is "UnityEngine.X". */
        static string Full(string name) { return name[0] == '.' ? "UnityEngine" + name : name; }
    }
}
