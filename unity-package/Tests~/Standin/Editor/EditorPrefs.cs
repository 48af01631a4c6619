using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using Standin;

namespace UnityEditor
{
    /// <summary>
    /// The user's preferences, here in the project's Library/EditorPrefs.json, so that tests do not
    /// affect each other.
    /// </summary>
    public class EditorPrefs
    {
        static Dictionary<string, object> values;

        static string FilePath { get { return HostState.ProjectPath + "/Library/EditorPrefs.json"; } }

        static Dictionary<string, object> Values()
        {
            HostState.RequireMainThread("EditorPrefs");
            if (values == null)
                values = File.Exists(FilePath) ? Json.ReadObject(File.ReadAllText(FilePath))
                                               : new Dictionary<string, object>(StringComparer.Ordinal);
            return values;
        }

        static void Set(string key, object value)
        {
            Values()[key] = value;
            Save();
        }

        static void Save()
        {
            Directory.CreateDirectory(Path.GetDirectoryName(FilePath));
            StateFile.Write(FilePath, Json.Write(values));
        }

        public static void SetInt(string key, int value) { Set(key, (long)value); }
        public static int GetInt(string key) { return GetInt(key, 0); }
        public static int GetInt(string key, int defaultValue)
        {
            object value;
            return Values().TryGetValue(key, out value) && value is long ? (int)(long)value : defaultValue;
        }

        public static void SetFloat(string key, float value) { Set(key, (double)value); }
        public static float GetFloat(string key) { return GetFloat(key, 0); }
        public static float GetFloat(string key, float defaultValue)
        {
            object value;
            return Values().TryGetValue(key, out value) && (value is double || value is long)
                ? Convert.ToSingle(value, CultureInfo.InvariantCulture) : defaultValue;
        }

        public static void SetString(string key, string value) { Set(key, value); }
        public static string GetString(string key) { return GetString(key, ""); }
        public static string GetString(string key, string defaultValue)
        {
            object value;
            return Values().TryGetValue(key, out value) && value is string ? (string)value : defaultValue;
        }

        public static void SetBool(string key, bool value) { Set(key, value); }
        public static bool GetBool(string key) { return GetBool(key, false); }
        public static bool GetBool(string key, bool defaultValue)
        {
            object value;
            return Values().TryGetValue(key, out value) && value is bool ? (bool)value : defaultValue;
        }

        public static bool HasKey(string key) { return Values().ContainsKey(key); }

        public static void DeleteKey(string key)
        {
            if (Values().Remove(key))
                Save();
        }

        public static void DeleteAll()
        {
            Values().Clear();
            Save();
        }
    }
}
