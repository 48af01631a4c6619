using System;
using System.Collections.Generic;
using System.Globalization;

namespace Multiverse.Editor
{
    public enum JsonKind { Null, Bool, Number, String, Array, Object }

    /// <summary>
    /// A parsed JSON value: immutable, safe to share between threads. Get of an absent member
    /// returns <see cref="None"/>, so chains need no checks. Has distinguishes an absent member
    /// from null.
    /// <code>
    ///     JsonValue message = JsonReader.Read(text);          // throws JsonException
    ///     string type = message.GetString("type", "");
    ///     foreach (JsonValue item in message.Get("job_ids").Items) ...
    /// </code>
    /// </summary>
    public sealed class JsonValue
    {
        static readonly JsonValue[] nothing = new JsonValue[0];
        static readonly string[] noKeys = new string[0];
        /* must come after the two fields above */
        public static readonly JsonValue None = new JsonValue(JsonKind.Null);

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
        /// <summary>Create a number from its text, which must be a JSON number.</summary>
        public static JsonValue FromNumber(string token) { return new JsonValue(JsonKind.Number, false, token); }
        public static JsonValue FromItems(List<JsonValue> items)
        {
            return new JsonValue(JsonKind.Array, false, "", items.ToArray());
        }
        /// <summary>Create an object; of duplicate keys the last one wins.</summary>
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
        /// <summary>The text of a string, or of a number as written.</summary>
        public string AsString { get { return text; } }
        public double AsDouble
        {
            get
            {
                double d;
                double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out d);
                /* mono drops the sign */
                return d == 0 && text.StartsWith("-", StringComparison.Ordinal) ? -0.0 : d;
            }
        }

        /// <summary>Return true for a whole number in range; 5.0 and 1e3 are whole numbers.</summary>
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

        /// <summary>Like TryLong, for numbers above the largest long.</summary>
        public bool TryULong(out ulong value)
        {
            value = 0;
            decimal exact;
            if (Kind != JsonKind.Number || !TryWhole(out exact) || exact < 0 || exact > ulong.MaxValue)
                return false;
            value = (ulong)exact;
            return true;
        }

        /* A decimal parses numbers too small for it as 0. */
        bool TryWhole(out decimal exact)
        {
            return decimal.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out exact) &&
                   exact == decimal.Truncate(exact) && (exact != 0 || AsDouble == 0);
        }

        /// <summary>The elements of an array or the values of an object, in order; otherwise
        /// empty.</summary>
        public JsonValue[] Items { get { return items; } }
        /// <summary>The keys of an object, in the order of Items.</summary>
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
