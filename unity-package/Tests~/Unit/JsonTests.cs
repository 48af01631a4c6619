using System;
using System.Globalization;
using System.Text;
using NUnit.Framework;

namespace Multiverse.Editor.Tests
{
    /// <summary>Reading and writing JSON.</summary>
    public class JsonTests
    {
        static string RoundTrip(string text)
        {
            var w = new JsonWriter();
            w.Value(JsonReader.Read(text));
            return w.ToString();
        }

        [TestCase("{}")]
        [TestCase("[]")]
        [TestCase("{\"a\":[1,-2.5,1e3,true,false,null,\"x\"],\"b\":{\"c\":{}}}")]
        [TestCase("\"\\\"\\\\\\n\\r\\t\"")]
        [TestCase("12345678901234567890123456789")]
        [TestCase("0")]
        [TestCase("-0.0e-7")]
        [TestCase("\"\u00fc\u20ac\ud83d\ude00\"")]
        public void ParsedJsonIsWrittenUnchanged(string text) { Assert.AreEqual(text, RoundTrip(text)); }

        [TestCase(" \t\r\n{ \"a\" : [ 1 , 2 ] } \n", "{\"a\":[1,2]}")]
        [TestCase("\"\\/\\b\\f\\u0041\\uD83D\\ude00\"", "\"/\\u0008\\u000cA\ud83d\ude00\"")]
        [TestCase("\"\\ud83d\"", "\"\ufffd\"")]
        [TestCase("\"\\ude00x\"", "\"\ufffdx\"")]
        public void OtherSpellingsAreRead(string text, string written) { Assert.AreEqual(written, RoundTrip(text)); }

        [TestCase("")]
        [TestCase(" ")]
        [TestCase("{")]
        [TestCase("[1,]")]
        [TestCase("{\"a\":1,}")]
        [TestCase("{\"a\" 1}")]
        [TestCase("{a:1}")]
        [TestCase("{'a':1}")]
        [TestCase("[1 2]")]
        [TestCase("01")]
        [TestCase("+1")]
        [TestCase("1.")]
        [TestCase(".5")]
        [TestCase("1e")]
        [TestCase("-")]
        [TestCase("NaN")]
        [TestCase("nul")]
        [TestCase("true false")]
        [TestCase("\"a")]
        [TestCase("\"\n\"")]
        [TestCase("\"\\x\"")]
        [TestCase("\"\\u12g4\"")]
        [TestCase("\"\\u12")]
        [TestCase("\"\\")]
        [TestCase("]")]
        [TestCase("\u00a01")]
        public void InvalidJsonIsRejected(string text)
        {
            Assert.Throws<JsonException>(() => JsonReader.Read(text));
        }

        [Test]
        public void DeepNestingIsRejected()
        {
            string deep = new string('[', JsonReader.MaxDepth + 1) + new string(']', JsonReader.MaxDepth + 1);
            Assert.AreEqual(deep, RoundTrip(deep));
            Assert.Throws<JsonException>(() => JsonReader.Read("[" + deep + "]"));
            Assert.Throws<JsonException>(() => JsonReader.Read(new string('[', 1000000)));
            Assert.Throws<JsonException>(() => JsonReader.Read(Repeat("{\"a\":", 1000000)));
        }

        static string Repeat(string part, int times)
        {
            var text = new StringBuilder(part.Length * times);
            for (int i = 0; i < times; i++)
                text.Append(part);
            return text.ToString();
        }

        [Test]
        public void AccessToAbsentMembersCanBeChained()
        {
            JsonValue value = JsonReader.Read("{\"a\":null,\"b\":1}");
            Assert.IsTrue(value.Has("a") && !value.Has("c"));
            Assert.IsTrue(value.Get("a").IsNull && value.Get("c").IsNull);
            Assert.AreEqual(0, value.Get("c").Get("d").Count);
            Assert.AreEqual(0, value.Get("b").Items.Length);
            Assert.AreEqual("x", value.Get("c").GetString("d", "x"));
            Assert.AreEqual(7, value.GetLong("a", 7));
            Assert.IsTrue(value.GetBool("b", true));
            Assert.AreEqual(0, JsonValue.None.Keys.Length);
        }

        [Test]
        public void TheLastOfDuplicateKeysWins()
        {
            Assert.AreEqual(2, JsonReader.Read("{\"a\":1,\"a\":2}").GetLong("a", 0));
        }

        [TestCase("9223372036854775807", true, long.MaxValue)]
        [TestCase("-9223372036854775808", true, long.MinValue)]
        [TestCase("9223372036854775808", false, 0L)]
        [TestCase("5.0", true, 5L)]
        [TestCase("1e3", true, 1000L)]
        [TestCase("1.5", false, 0L)]
        [TestCase("1e400", false, 0L)]
        [TestCase("1e-45", false, 0L)]
        [TestCase("\"5\"", false, 0L)]
        public void WholeNumbers(string text, bool isWhole, long expected)
        {
            long value;
            Assert.AreEqual(isWhole, JsonReader.Read(text).TryLong(out value));
            Assert.AreEqual(expected, isWhole ? value : 0);
        }

        [TestCase("18446744073709551615", true, ulong.MaxValue)]
        [TestCase("18446744073709551616", false, 0UL)]
        [TestCase("-1", false, 0UL)]
        public void UnsignedWholeNumbers(string text, bool isWhole, ulong expected)
        {
            ulong value;
            Assert.AreEqual(isWhole, JsonReader.Read(text).TryULong(out value));
            Assert.AreEqual(expected, isWhole ? value : 0);
        }

        static string Written(float value)
        {
            var w = new JsonWriter();
            w.Value(value);
            return w.ToString();
        }

        static string Written(double value)
        {
            var w = new JsonWriter();
            w.Value(value);
            return w.ToString();
        }

        [Test]
        public void NumbersRoundTrip()
        {
            var random = new Random(5);
            var bytes = new byte[8];
            for (int i = 0; i < 20000; i++)
            {
                random.NextBytes(bytes);
                float f = BitConverter.ToSingle(bytes, 0);
                double d = BitConverter.ToDouble(bytes, 0);
                if (!float.IsNaN(f) && !float.IsInfinity(f))
                    Assert.AreEqual(f, float.Parse(Written(f), NumberStyles.Float, CultureInfo.InvariantCulture));
                if (!double.IsNaN(d) && !double.IsInfinity(d))
                    Assert.AreEqual(d, JsonReader.Read(Written(d)).AsDouble);
            }
        }

        [Test]
        public void NumbersAreShortAndReal()
        {
            Assert.AreEqual("0.1", Written(0.1f));
            Assert.AreEqual("0.1", Written(0.1));
            Assert.AreEqual("0.19607843", Written(50 / 255f), "rounded once");
            Assert.AreEqual("1845.0312", Written(1845.03125f), "the even one of two");
            Assert.AreEqual("0.00024414062", Written(0.000244140625f));
            Assert.AreEqual("1E-45", Written(float.Epsilon));
            Assert.AreEqual("-0.0", Written(-0f));
            Assert.AreEqual("-0.0", Written(-0.0));
            Assert.AreEqual("5.0", Written(5f));
            Assert.AreEqual("\"NaN\"", Written(float.NaN));
            Assert.AreEqual("\"-Infinity\"", Written(double.NegativeInfinity));
        }

        [Test]
        public void NumbersDoNotDependOnTheCulture()
        {
            CultureInfo before = CultureInfo.CurrentCulture;
            try
            {
                CultureInfo.CurrentCulture = new CultureInfo("de-DE");
                Assert.AreEqual("0.5", Written(0.5f));
                Assert.AreEqual(double.NegativeInfinity, 1 / JsonReader.Read("-0.0").AsDouble);
                Assert.AreEqual(0.5, JsonReader.Read("0.5").AsDouble);
            }
            finally
            {
                CultureInfo.CurrentCulture = before;
            }
        }

        [Test]
        public void AnyInputIsParsedOrThrowsJsonException()
        {
            const string alphabet = "{}[]\",:0123456789.eE+-\\utrfalsn \n\u00fc\ud83d";
            var random = new Random(11);
            for (int i = 0; i < 20000; i++)
            {
                var text = new StringBuilder();
                for (int n = random.Next(30); n >= 0; n--)
                    text.Append(alphabet[random.Next(alphabet.Length)]);
                try
                {
                    string once = RoundTrip(text.ToString());
                    Assert.AreEqual(once, RoundTrip(once));
                }
                catch (JsonException)
                {
                }
            }
        }

        [Test]
        public void TheWriterSetsCommasAndQuotes()
        {
            var w = new JsonWriter();
            w.BeginObject();
            w.Member("a", 1);
            w.Key("b");
            w.BeginArray();
            w.Value("x\u0001");
            w.BeginObject();
            w.EndObject();
            w.Null();
            w.Raw("{\"c\":2}");
            w.EndArray();
            w.Member("d", (string)null);
            w.Member("e", 7L);
            w.EndObject();
            Assert.AreEqual("{\"a\":1,\"b\":[\"x\\u0001\",{},null,{\"c\":2}],\"d\":null,\"e\":7}", w.ToString());
            w.Clear();
            w.Value(true);
            Assert.AreEqual("true", w.ToString());
        }
    }
}
