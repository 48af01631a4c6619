using System.Collections.Generic;

namespace UnityEngine
{
    /// <summary>Kept in memory until the domain ends.</summary>
    public class PlayerPrefs
    {
        static readonly Dictionary<string, object> values = new Dictionary<string, object>();

        static T Get<T>(string key, T otherwise)
        {
            object value;
            return values.TryGetValue(key, out value) && value is T ? (T)value : otherwise;
        }

        public static int GetInt(string key) { return GetInt(key, 0); }
        public static int GetInt(string key, int defaultValue) { return Get(key, defaultValue); }
        public static float GetFloat(string key) { return GetFloat(key, 0); }
        public static float GetFloat(string key, float defaultValue) { return Get(key, defaultValue); }
        public static string GetString(string key) { return GetString(key, ""); }
        public static string GetString(string key, string defaultValue) { return Get(key, defaultValue); }
        public static void SetInt(string key, int value) { values[key] = value; }
        public static void SetFloat(string key, float value) { values[key] = value; }
        public static void SetString(string key, string value) { values[key] = value; }
        public static bool HasKey(string key) { return values.ContainsKey(key); }
        public static void DeleteKey(string key) { values.Remove(key); }
        public static void DeleteAll() { values.Clear(); }
        public static void Save() { }
    }
}
