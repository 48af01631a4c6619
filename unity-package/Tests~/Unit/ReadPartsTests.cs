using System;
using System.Collections.Generic;
using System.Text;
using NUnit.Framework;

namespace Multiverse.Editor.Tests
{
    /// <summary>Paths, names and types without a scene.</summary>
    public class ReadPartsTests
    {
        static int[] Numbers(params string[] names)
        {
            var siblings = new Siblings();
            foreach (string name in names)
                siblings.Add(name);
            var numbers = new int[names.Length];
            for (int i = names.Length - 1; i >= 0; i--) /* requested in any order */
                numbers[i] = siblings.Number(i);
            return numbers;
        }

        [Test]
        public void DuplicateNamesAreNumbered()
        {
            Assert.AreEqual(new[] { 0, 0, 1, 2, 1 }, Numbers("A", "B", "A", "A", "B"));
        }

        [Test]
        public void ANumberTakenByANameIsSkipped()
        {
            Assert.AreEqual(new[] { 0, 2, 0 }, Numbers("A", "A", "A[1]"));
            Assert.AreEqual(new[] { 0, 0, 0, 3, 1 }, Numbers("A[2]", "A[1]", "A", "A", "A[1]"));
            Assert.AreEqual(new[] { 0, 1, 0 }, Numbers("A", "A", "B[1]"));
        }

        [Test]
        public void TheLiteralNameIsFoundFirst()
        {
            var siblings = new Siblings();
            foreach (string name in new[] { "A", "A", "A[1]", "", "" })
                siblings.Add(name);
            Assert.AreEqual(0, siblings.Find("A"));
            Assert.AreEqual(0, siblings.Find("A[0]"));
            Assert.AreEqual(2, siblings.Find("A[1]"));
            Assert.AreEqual(1, siblings.Find("A[2]"));
            Assert.AreEqual(-1, siblings.Find("A[3]"));
            Assert.AreEqual(-1, siblings.Find("A[02]"));
            Assert.AreEqual(-1, siblings.Find("A[-1]"));
            Assert.AreEqual(-1, siblings.Find("A[99999999999]"));
            Assert.AreEqual(-1, siblings.Find("A["));
            Assert.AreEqual(3, siblings.Find(""));
            Assert.AreEqual(4, siblings.Find("[1]"));
        }

        [Test]
        public void ManyDuplicateNamesCostLinearTime()
        {
            var siblings = new Siblings();
            for (int i = 0; i < 50000; i++)
                siblings.Add(i % 2 == 0 ? "A" : "A[" + i + "]");
            var watch = System.Diagnostics.Stopwatch.StartNew();
            siblings.Number(49999);
            Assert.IsTrue(watch.ElapsedMilliseconds < 2000, "took " + watch.ElapsedMilliseconds + " ms");
        }

        static string Path(params string[] names)
        {
            var path = new StringBuilder();
            foreach (string name in names)
                PathText.Append(path, name, 0);
            return path.ToString();
        }

        [Test]
        public void SlashesInNamesAreEscaped()
        {
            Assert.AreEqual("/a\\/b", Path("a/b"));
            Assert.AreEqual("/a\\b", Path("a\\b"));
            Assert.AreEqual("/a\\\\\\/b", Path("a\\/b"));
            Assert.AreEqual("/a\\\\", Path("a\\"));
            Assert.AreEqual("//", Path("", ""));
        }

        [Test]
        public void EveryPathSplitsIntoItsNames()
        {
            var random = new Random(5);
            const string letters = "ab/\\[1]";
            for (int round = 0; round < 5000; round++)
            {
                var names = new string[random.Next(1, 4)];
                for (int i = 0; i < names.Length; i++)
                {
                    var name = new StringBuilder();
                    for (int n = random.Next(0, 5); n > 0; n--)
                        name.Append(letters[random.Next(letters.Length)]);
                    names[i] = name.ToString();
                }
                string path = Path(names);
                var back = new List<string>();
                int at = 1;
                bool more = true;
                while (more)
                {
                    string name;
                    more = PathText.Cut(path, ref at, out name);
                    back.Add(name);
                }
                Assert.AreEqual(names, back.ToArray(), path);
            }
        }

        static string Meant(string wanted, params string[] names)
        {
            var near = new Nearest(wanted);
            foreach (string name in names)
                near.Offer(name);
            return near.Best;
        }

        [Test]
        public void TheMostSimilarNameIsSuggested()
        {
            Assert.AreEqual("Player", Meant("Plyaer", "Enemy", "Player", "Layer"));
            Assert.AreEqual("max_depth", Meant("MAX-DEPTH", "max_width", "max_depth"));
            Assert.AreEqual(null, Meant("Cat", "Dog", "Zebra", ""));
            Assert.AreEqual(null, Meant("", "A"));
            Assert.AreEqual("ab1", Meant("ab", "ab1", "ab2"));
            Assert.AreEqual(null, Meant(new string('x', 65), new string('x', 65)));
            Assert.AreEqual(new string('x', 64), Meant(new string('x', 63), new string('x', 64)));
            Assert.AreEqual("äö", Meant("ää", "äö"), "one of four bytes");
        }

        enum Plain { A, B = 5, C = 5, D = -1 }
        [Flags] enum Sides : uint { None = 0, Left = 1, Right = 2, Both = 3, Top = 0x80000000 }

        [Test]
        public void AnEnumValueHasItsFirstName()
        {
            EnumNames e = EnumNames.Of(typeof(Plain));
            Assert.AreEqual(new[] { "A", "B", "C", "D" }, e.Names);
            Assert.AreEqual("B", e.NameOf(5));
            Assert.AreEqual("D", e.NameOf(-1));
            Assert.AreEqual(null, e.NameOf(6));
            long value;
            Assert.IsTrue(e.TryValue("C", out value) && value == 5);
            Assert.IsFalse(e.TryValue("c", out value));
        }

        [Test]
        public void FlagsAreNamedTogether()
        {
            EnumNames e = EnumNames.Of(typeof(Sides));
            Assert.AreEqual("None", e.NameOf(0));
            Assert.AreEqual("Both", e.NameOf(3));
            Assert.AreEqual("Left, Top", e.NameOf(0x80000001));
            Assert.AreEqual("Both, Top", e.NameOf(0x80000003));
            Assert.AreEqual(null, e.NameOf(4));
        }

        sealed class Pair<TA, TB>
        {
            public sealed class Inner { }
        }

        [Test]
        public void TypesHaveTheirFullName()
        {
            const string here = "Multiverse.Editor.Tests.ReadPartsTests+";
            Assert.AreEqual("System.Int32[]", FieldTypes.NameOf(typeof(int[])));
            Assert.AreEqual("System.Collections.Generic.List<System.String>", FieldTypes.NameOf(typeof(List<string>)));
            Assert.AreEqual(here + "Plain", FieldTypes.NameOf(typeof(Plain)));
            Assert.AreEqual(here + "Pair<System.Int32,System.Single[]>", FieldTypes.NameOf(typeof(Pair<int, float[]>)));
            Assert.AreEqual(here + "Pair+Inner<System.Int32,System.Byte>",
                            FieldTypes.NameOf(typeof(Pair<int, byte>.Inner)));
        }

        [Test]
        public void ASimpleNameIsTheLastPart()
        {
            Assert.AreEqual("Transform", FieldTypes.SimpleName("UnityEngine.Transform"));
            Assert.AreEqual("B", FieldTypes.SimpleName("N.A+B"));
            Assert.AreEqual("Pair", FieldTypes.SimpleName("N.Pair<System.Int32,N.X>"));
            Assert.AreEqual("Plain", FieldTypes.SimpleName("Plain"));
        }

        [Test]
        public void NativeFieldsHaveTheirMeaning()
        {
            Assert.AreEqual("eUnityEngine.RigidbodyConstraints",
                            NativeFields.MeaningOf("UnityEngine.Rigidbody", "m_Constraints"));
            Assert.AreEqual("c", NativeFields.MeaningOf("UnityEngine.TextMesh", "m_Color"));
            Assert.AreEqual("?", NativeFields.MeaningOf("UnityEngine.Tilemaps.Tilemap", "m_Tiles"));
            Assert.AreEqual(null, NativeFields.MeaningOf("UnityEngine.Rigidbody", "m_Mass"));
            Assert.AreEqual(null, NativeFields.MeaningOf("No.Such", "m_Mass"));
            Assert.AreEqual("UnityEngine.Audio.AudioMixerGroup", NativeFields.ClassName("AudioMixerGroup"));
            Assert.AreEqual(null, NativeFields.ClassName("Material"));
        }

        [Test]
        public void NamesOfTheEngineAreShownAsInScripts()
        {
            Assert.AreEqual("mass", FieldSet.ShownName("m_Mass"));
            Assert.AreEqual("maxDistance", FieldSet.ShownName("MaxDistance"));
            Assert.AreEqual("m_Enabled", FieldSet.ShownName("m_Enabled"));
            Assert.AreEqual("near clip plane", FieldSet.ShownName("near clip plane"));
            Assert.AreEqual("m_", FieldSet.ShownName("m_"));
        }
    }
}
