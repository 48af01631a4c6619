using NUnit.Framework;

namespace Multiverse.Editor.Tests
{
    public class JsonTests
    {
        static string RoundTrip(string text)
        {
            var w = new JsonWriter();
            w.Value(JsonReader.Read(text));
            return w.ToString();
        }

        [Test]
        public void ParsedJsonIsWrittenUnchanged()
        {
            const string text = "{\"a\":[1,-2.50,1e3,true,false,null],\"b\":{\"\":\"\\\"\\\\\\n\"},\"c\":[]}";
            Assert.AreEqual(text, RoundTrip(text));
            Assert.AreEqual("\"\u00e4\ud83d\ude00\"", RoundTrip("\"\\u00e4\\ud83d\\ude00\""));
        }

        [Test]
        public void InvalidJsonIsRejected()
        {
            foreach (string bad in new[] { "", "{", "[1,]", "{\"a\" 1}", "\"\n\"", "01", "tru", "1 2", "\"\\x\"" })
                Assert.Throws<JsonException>(() => JsonReader.Read(bad), bad);
            Assert.Throws<JsonException>(() => JsonReader.Read(new string('[', 100000)));
        }

        [Test]
        public void AccessToAbsentMembersCanBeChained()
        {
            JsonValue v = JsonReader.Read("{\"a\":null}");
            Assert.IsTrue(v.Has("a"));
            Assert.IsFalse(v.Has("b"));
            Assert.AreEqual(7, v.Get("b").Get("c").GetLong("d", 7));
            Assert.AreEqual(0, v.Get("b").Items.Length);
        }

        [Test]
        public void NumbersAreShortAndExact()
        {
            var w = new JsonWriter();
            w.BeginArray();
            w.Value(0.1f);
            w.Value(5f);
            w.Value(0.1);
            w.Value(float.NaN);
            w.Value(ulong.MaxValue);
            w.EndArray();
            Assert.AreEqual("[0.1,5.0,0.1,\"NaN\",18446744073709551615]", w.ToString());
            long n;
            Assert.IsTrue(JsonReader.Read("5.0").TryLong(out n));
            Assert.AreEqual(5, n);
            Assert.IsFalse(JsonReader.Read("5.5").TryLong(out n));
        }
    }
}
