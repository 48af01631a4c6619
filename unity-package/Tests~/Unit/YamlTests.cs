using System;
using NUnit.Framework;

namespace Standin.Tests
{
    /// <summary>Unity's YAML: what texts mean, and that they come back as they were.</summary>
    public class YamlTests
    {
        const string Head = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";

        static DataNode Body(string fields)
        {
            return YamlFile.Parse(Head + "--- !u!1 &5\nGameObject:\n" + fields).Documents[0].Body;
        }

        static string Text(DataNode body)
        {
            var document = new YamlDocument { ClassId = 1, FileId = 5, ClassName = "GameObject", Body = body };
            return YamlWriter.Write(new[] { document }).Substring((Head + "--- !u!1 &5\nGameObject:\n").Length);
        }

        [TestCase("  a: 1\n  near clip plane: 0.3\n")]
        [TestCase("  m_Name: \n  <Hp>k__BackingField: 3\n")]
        [TestCase("  at: {x: 0, y: -1.5, z: 1e-9}\n  to: {fileID: 0}\n")]
        [TestCase("  of: {fileID: -87654321, guid: 0123456789abcdef0123456789abcdef, type: 2}\n")]
        [TestCase("  list: []\n  map: {}\n")]
        [TestCase("  list:\n  - {x: 1, y: 2}\n  - a: 1\n    b:\n    - 2\n    - 3\n  after: 1\n")]
        [TestCase("  paths:\n  - - {x: 1, y: 2}\n    - {x: 3, y: 4}\n  - - {x: 5, y: 6}\n")]
        [TestCase("  a:\n    b:\n      c: 1\n    d: 2\n")]
        [TestCase("  t: 'it: is'\n  u: '#no comment'\n  v: \"caf\\xE9 \\u4E16\\n\"\n  w: - ok\n")]
        [TestCase("  t: '  spaces  '\n  u: '@at'\n  v: -5\n  w: a#b\n")]
        public void RoundTripIsUnchanged(string fields)
        {
            string expected = fields.Replace("w: - ok", "w: '- ok'");
            Assert.AreEqual(expected, Text(Body(fields)));
        }

        [TestCase("  t: one\n    two\n  u: 1\n", "one two")]
        [TestCase("  t: 'one\n\n    two'\n  u: 1\n", "one\ntwo")]
        [TestCase("  t: \"one \\\n    \\ two\"\n  u: 1\n", "one  two")]
        [TestCase("  t: \"a\\tb\\x41\\U0001F600\"\n  u: 1\n", "a\tbA\ud83d\ude00")]
        [TestCase("  t: 'it''s'\n  u: 1\n", "it's")]
        [TestCase("  t: \"ends with a line\n\n\"\n  u: 1\n", "ends with a line\n")]
        public void TextsOverSeveralLines(string fields, string expected)
        {
            DataNode body = Body(fields);
            Assert.AreEqual(expected, body.Get("t").Text);
            Assert.AreEqual("1", body.Get("u").Text);
        }

        [Test]
        public void WrappedBraces()
        {
            DataNode body = Body("  target: {fileID: 12, guid: 0123456789abcdef0123456789abcdef,\n      type: 3}\n  u: 1\n");
            DataNode target = body.Get("target");
            Assert.AreEqual(DataKind.Reference, target.Kind);
            Assert.AreEqual(12L, target.FileId);
            Assert.AreEqual(3, target.FileType);
            Assert.AreEqual("1", body.Get("u").Text);
        }

        [Test]
        public void DocumentsHaveIdsClassesAndMarks()
        {
            YamlFile file = YamlFile.Parse(Head + "--- !u!4 &-7 stripped\nTransform:\n  a: 1\n--- !u!114 &9\nMonoBehaviour:\n"
                + "  b: 2\r\n");
            Assert.AreEqual(2, file.Documents.Count);
            Assert.IsTrue(file.Documents[0].IsStripped);
            Assert.AreEqual(-7L, file.Documents[0].FileId);
            Assert.AreEqual("MonoBehaviour", file.Find(9).ClassName);
            Assert.AreEqual("2", file.Find(9).Body.Get("b").Text);
            Assert.IsNull(file.Find(10));
        }

        [TestCase("hello", 1, "does not begin with %YAML")]
        [TestCase("version https://git-lfs.github.com/spec/v1\n", 1, "Git LFS")]
        [TestCase(Head + "--- !u!x &1\nA:\n  a: 1\n", 3, "head of a document")]
        [TestCase(Head + "--- !u!1 &1\nA:\n  a: 1\n  nonsense\n", 6, "key is expected")]
        [TestCase(Head + "--- !u!1 &1\nA:\n  a: {x: 1\n", 5, "not closed")]
        [TestCase(Head + "--- !u!1 &1\nA:\n  a: 'x\n", 5, "quote is not closed")]
        public void MalformedTextIsAnError(string text, int line, string what)
        {
            var error = Assert.Throws<YamlError>(() => YamlFile.Parse(text));
            StringAssert.Contains(what, error.Message);
            Assert.AreEqual(line, error.Line);
        }

        [Test]
        public void ABinaryFileIsAnError()
        {
            var error = Assert.Throws<YamlError>(() => YamlFile.Parse("%YAML 1.1\n\0\u0001"));
            StringAssert.Contains("binary", error.Message);
        }

        [Test]
        public void DepthHasALimit()
        {
            string deep = new string('[', 5000);
            Assert.Throws<YamlError>(() => Body("  a: " + deep + "\n"));
            var blocks = new System.Text.StringBuilder();
            for (int i = 0; i < 200; i++)
                blocks.Append(' ', 2 + i).Append("k:\n");
            Assert.Throws<YamlError>(() => Body(blocks.ToString()));
        }

        [Test]
        public void ArbitraryBytesNeverHang()
        {
            const string alphabet = "- :{}[]'\"\n\n  a1#&!\\\t,?|>%";
            var random = new Random(5);
            for (int i = 0; i < 3000; i++)
            {
                var text = new char[random.Next(60)];
                for (int k = 0; k < text.Length; k++)
                    text[k] = alphabet[random.Next(alphabet.Length)];
                try
                {
                    Text(Body("  a:\n" + new string(text) + "\n"));
                }
                catch (YamlError)
                {
                }
            }
        }

        [Test]
        public void ManagedReferencesAreStoredInTheirFields()
        {
            string fields = "  shape:\n    rid: 7\n  other:\n    rid: 7\n  none:\n    rid: -2\n  references:\n    version: 2\n"
                + "    RefIds:\n    - rid: -2\n      type: {class: , ns: , asm: }\n    - rid: 7\n"
                + "      type: {class: Circle, ns: My.Game, asm: Assembly-CSharp}\n      data:\n        radius: 2\n";
            DataNode body = Body(fields);
            Assert.AreEqual("Assembly-CSharp My.Game.Circle", body.Get("shape").TypeName);
            Assert.AreSame(body.Get("shape"), body.Get("other"));
            Assert.AreEqual("2", body.Get("shape").Get("radius").Text);
            Assert.AreEqual("", body.Get("none").TypeName);
            Assert.AreEqual(fields, Text(ManagedData.Unlink(body, false)));
        }

        [Test]
        public void OldManagedReferences()
        {
            DataNode body = Body("  shape:\n    id: 0\n  references:\n    version: 1\n    00000000:\n"
                + "      type: {class: Circle/Inner, ns: , asm: Game}\n      data:\n        radius: 3\n");
            Assert.AreEqual("Game Circle/Inner", body.Get("shape").TypeName);
            StringAssert.Contains("    00000000:\n      type: {class: Circle/Inner, ns: , asm: Game}\n",
                Text(ManagedData.Unlink(body, true)));
        }
    }
}
