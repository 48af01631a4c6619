using System;
using System.Collections.Generic;
using System.Globalization;
using Standin;
using UnityEngine;

namespace UnityEditor
{
    /// <summary>Kept until the editor ends: across domain reloads, not across restarts.</summary>
    public class SessionState
    {
        static Dictionary<string, object> values = new Dictionary<string, object>(StringComparer.Ordinal);

        /* A name may have one value of each type. */
        static string Key(string kind, string key)
        {
            HostState.RequireMainThread("SessionState");
            return kind + ":" + key;
        }

        static object Get(string kind, string key)
        {
            object value;
            return values.TryGetValue(Key(kind, key), out value) ? value : null;
        }

        static void Set(string kind, string key, object value) { values[Key(kind, key)] = value; }

        public static void SetBool(string key, bool value) { Set("bool", key, value); }
        public static bool GetBool(string key, bool defaultValue) { return (bool)(Get("bool", key) ?? defaultValue); }
        public static void EraseBool(string key) { values.Remove(Key("bool", key)); }

        public static void SetFloat(string key, float value) { Set("float", key, (double)value); }
        public static float GetFloat(string key, float defaultValue)
        {
            return Convert.ToSingle(Get("float", key) ?? defaultValue, CultureInfo.InvariantCulture);
        }
        public static void EraseFloat(string key) { values.Remove(Key("float", key)); }

        public static void SetInt(string key, int value) { Set("int", key, (long)value); }
        public static int GetInt(string key, int defaultValue)
        {
            return Convert.ToInt32(Get("int", key) ?? defaultValue, CultureInfo.InvariantCulture);
        }
        public static void EraseInt(string key) { values.Remove(Key("int", key)); }

        public static void SetString(string key, string value) { Set("string", key, value ?? ""); }
        public static string GetString(string key, string defaultValue)
        {
            return (string)Get("string", key) ?? defaultValue;
        }
        public static void EraseString(string key) { values.Remove(Key("string", key)); }

        public static void SetVector3(string key, Vector3 value)
        {
            Set("vector3", key, new List<object> { (double)value.x, (double)value.y, (double)value.z });
        }
        public static Vector3 GetVector3(string key, Vector3 defaultValue)
        {
            var parts = Get("vector3", key) as List<object>;
            return parts == null ? defaultValue : new Vector3(Convert.ToSingle(parts[0]), Convert.ToSingle(parts[1]),
                                                              Convert.ToSingle(parts[2]));
        }
        public static void EraseVector3(string key) { values.Remove(Key("vector3", key)); }

        public static void SetIntArray(string key, int[] value)
        {
            Set("ints", key, new List<object>(Array.ConvertAll(value, i => (object)(long)i)));
        }
        public static int[] GetIntArray(string key, int[] defaultValue)
        {
            var items = Get("ints", key) as List<object>;
            return items == null ? defaultValue : items.ConvertAll(i => Convert.ToInt32(i)).ToArray();
        }
        public static void EraseIntArray(string key) { values.Remove(Key("ints", key)); }

        internal static Dictionary<string, object> Export() { return values; }
        internal static void Import(Dictionary<string, object> earlier) { values = earlier; }
    }
}
