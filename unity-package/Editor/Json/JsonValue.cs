using System;
using System.Collections.Generic;
using System.Globalization;

namespace Multiverse.Editor
{
    public enum JsonKind { Null, Bool, Number, String, Array, Object }

    /// <summary>
    /// A JSON value that was read: immutable, safe to share between threads.
    /// <code>
    ///     JsonValue message = JsonReader.Read(text);          // throws JsonException
    ///     string type = message.GetString("type", "");
    ///     foreach (JsonValue item in message.Get("job_ids").Items) ...
    /// </code>
    /// Get of a member that is absent is <see cref="None"/>, a null that can be asked further:
    /// chains need no checks. Has tells an absent member from a null.
    /// </summary>
    public sealed class JsonValue
    {
        static readonly JsonValue[] nothing = new JsonValue[0];
        static readonly string[] noKeys = new string[0];
        public static readonly JsonValue None = new JsonValue(JsonKind.Null); /* needs the two above */

        public readonly JsonKind Kind;
        readonly bool flag;
        readonly string text;
        readonly JsonValue[] items;
        readonly string[] keys;

        JsonValue(JsonKind kind, bool flag = false, string text = "", JsonValue[] items = null,
                  string[] keys = null)
        {
            Kind = kind;
            this.flag = flag;
            this.text = text;
            this.items = items ?? nothing;
            this.keys = keys ?? noKeys;
        }

        public static JsonValue FromBool(bool value) { return new JsonValue(JsonKind.Bool, value); }
        public static JsonValue FromString(string value) { return new JsonValue(JsonKind.String, false, value); }
        /// <summary>A number by its text, which must be a JSON number.</summary>
        public static JsonValue FromNumber(string token) { return new JsonValue(JsonKind.Number, false, token); }
        public static JsonValue FromItems(List<JsonValue> items)
        {
            return new JsonValue(JsonKind.Array, false, "", items.ToArray());
        }
        /// <summary>An object; of equal keys the last one counts.</summary>
        public static JsonValue FromMembers(List<string> keys, List<JsonValue> values)
        {
            return new JsonValue(JsonKind.Object, false, "", values.ToArray(), keys.ToArray());
        }

        public bool IsNull { get { return Kind == JsonKind.Null; } }
        public bool IsBool { get { return Kind == JsonKind.Bool; } }
        public bool IsNumber { get { return Kind == JsonKind.Number; } }
        public bool IsString { get { return Kind == JsonKind.String; } }
        public bool IsArray { get { return Kind == JsonKind.Array; } }
        public bool IsObject { get { return Kind == JsonKind.Object; } }

        public bool AsBool { get { return flag; } }
        /// <summary>The text of a string, or of a number as it was written.</summary>
        public string AsString { get { return text; } }
        public double AsDouble
        {
            get
            {
                double d;
                double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out d);
                return d == 0 && text.StartsWith("-", StringComparison.Ordinal) ? -0.0 : d; /* mono drops the sign */
            }
        }

        /// <summary>True if it is a whole number in range; 5.0 and 1e3 are whole numbers, too.</summary>
        public bool TryLong(out long value)
        {
            value = 0;
            if (Kind != JsonKind.Number)
                return false;
            if (long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value))
                return true;
            decimal exact;
            if (!TryWhole(out exact) || exact < long.MinValue || exact > long.MaxValue)
                return false;
            value = (long)exact;
            return true;
        }

        /// <summary>As TryLong, for what is above the largest long.</summary>
        public bool TryULong(out ulong value)
        {
            value = 0;
            decimal exact;
            if (Kind != JsonKind.Number || !TryWhole(out exact) || exact < 0 || exact > ulong.MaxValue)
                return false;
            value = (ulong)exact;
            return true;
        }

        /* A decimal makes 0 of what is too small for it. */
        bool TryWhole(out decimal exact)
        {
            return decimal.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out exact) &&
                   exact == decimal.Truncate(exact) && (exact != 0 || AsDouble == 0);
        }

        /// <summary>Elements of an array or values of an object, in order; else empty.</summary>
        public JsonValue[] Items { get { return items; } }
        /// <summary>Keys of an object, beside Items.</summary>
        public string[] Keys { get { return keys; } }
        public int Count { get { return items.Length; } }

        public bool Has(string key) { return IndexOf(key) >= 0; }

        public JsonValue Get(string key)
        {
            int i = IndexOf(key);
            return i < 0 ? None : items[i];
        }

        int IndexOf(string key)
        {
            for (int i = keys.Length - 1; i >= 0; i--)
                if (string.Equals(keys[i], key, StringComparison.Ordinal))
                    return i;
            return -1;
        }

        public string GetString(string key, string absent)
        {
            JsonValue v = Get(key);
            return v.IsString ? v.text : absent;
        }

        public long GetLong(string key, long absent)
        {
            long n;
            return Get(key).TryLong(out n) ? n : absent;
        }

        public bool GetBool(string key, bool absent)
        {
            JsonValue v = Get(key);
            return v.IsBool ? v.flag : absent;
        }
    }
}
