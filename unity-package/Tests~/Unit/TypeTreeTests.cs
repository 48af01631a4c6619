using System.Collections.Generic;
using System.Globalization;
using NUnit.Framework;
using UnityEngine;

namespace Standin.Tests
{
    /// <summary>Which fields are serialized, in which form, and that data round-trips.</summary>
    public class TypeTreeTests : EngineFixture
    {
        static List<string> Names(System.Type type)
        {
            return new List<TypeNode>(TypeTree.Of(type).Children).ConvertAll(field => field.Name);
        }

        [Test]
        public void FieldsFollowUnitysRulesBaseFirst()
        {
            Assert.AreEqual(new[]
            {
                "m_ObjectHideFlags", "m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset", "m_GameObject",
                "m_Enabled", "m_EditorHideFlags", "m_Script", "m_Name", "m_EditorClassIdentifier", "age", "held",
                "flag", "small", "wide", "huge", "precise", "letter", "text", "mood", "tint", "mask", "area", "extent",
                "curve", "ramp", "bag", "corners", "numbers", "target", "targets", "shape", "shapes", "onHit",
                "<Lives>k__BackingField", "hidden", "newName", "tree", "wheel"
            }, Names(typeof(Everything)));
        }

        [Test]
        public void NativeClassesHaveAllTheirFields()
        {
            Assert.AreEqual("m_LocalRotation", Names(typeof(Transform))[5]);
            Assert.AreEqual("m_Pivot", Names(typeof(RectTransform))[Names(typeof(RectTransform)).Count - 1]);
            TypeNode layer = TypeTree.Of(typeof(GameObject)).Child("m_Layer");
            Assert.AreEqual("unsigned int", layer.TypeName);
            Assert.AreEqual(FieldKind.Integer, layer.Kind);
            Assert.AreEqual(FieldKind.Integer, TypeTree.Of(typeof(GameObject)).Child("m_ObjectHideFlags").Kind);
        }

        [Test]
        public void AClassInItselfEndsAtTheDepthLimit()
        {
            TypeNode tree = TypeTree.Of(typeof(Everything)).Child("tree");
            int depth = 0;
            for (; tree != null; tree = tree.Child("inner"))
                depth++;
            Assert.AreEqual(10, depth);
            var everything = new GameObject("A").AddComponent<Everything>();
            Assert.IsNotNull(Serializer.Write(everything).Get("tree").Get("inner").Get("inner"));
        }

        [Test]
        public void ABaseClassThatIsNotSerializableGivesNothing()
        {
            Assert.AreEqual(1, TypeTree.Of(typeof(Everything)).Child("wheel").Children.Length);
        }

        [TestCase(0f, "0")]
        [TestCase(-0f, "-0")]
        [TestCase(1f, "1")]
        [TestCase(0.1f, "0.1")]
        [TestCase(-2.5f, "-2.5")]
        [TestCase(0.70710677f, "0.70710677")]
        [TestCase(16777216f, "16777216")]
        [TestCase(1234567.9f, "1234567.9")]
        [TestCase(1e-9f, "0.000000001")]
        [TestCase(1e-10f, "1e-10")]
        [TestCase(3.4028235e38f, "3.4028235e+38")]
        [TestCase(1.4e-45f, "1e-45")]
        [TestCase(1e20f, "100000000000000000000")]
        [TestCase(float.NaN, "NaN")]
        [TestCase(float.NegativeInfinity, "-Infinity")]
        public void FloatsAsUnityWritesThem(float value, string text)
        {
            Assert.AreEqual(text, Scalars.From(value));
            Assert.AreEqual(value, Scalars.ToFloat(text));
        }

        [Test]
        public void RandomFloatsAreReadAsTheyWereWritten()
        {
            var random = new System.Random(5);
            var bytes = new byte[8];
            for (int i = 0; i < 20000; i++)
            {
                random.NextBytes(bytes);
                float f = System.BitConverter.ToSingle(bytes, 0);
                double d = System.BitConverter.ToDouble(bytes, 0);
                Assert.AreEqual(f, Scalars.ToFloat(Scalars.From(f)), f.ToString("R", CultureInfo.InvariantCulture));
                Assert.AreEqual(d, Scalars.ToDouble(Scalars.From(d)), d.ToString("R", CultureInfo.InvariantCulture));
            }
        }

        [Test]
        public void DataOfAScript()
        {
            DataNode data = Serializer.Write(new GameObject("A").AddComponent<Everything>());
            Assert.AreEqual("", data.Get("text").Text);
            Assert.AreEqual("5", data.Get("mood").Text);
            Assert.AreEqual("18446744073709551615", data.Get("huge").Text);
            Assert.AreEqual("97", data.Get("letter").Text);
            Assert.AreEqual("{serializedVersion: 2, rgba: 67305985}", data.Get("tint").ToString());
            Assert.AreEqual("{serializedVersion: 2, m_Bits: 4294967295}", data.Get("mask").ToString());
            Assert.AreEqual("{serializedVersion: 2, x: 1, y: 2, width: 3, height: 4}", data.Get("area").ToString());
            Assert.AreEqual("{m_Center: {x: 1, y: 1, z: 1}, m_Extent: {x: 2, y: 2, z: 2}}",
                            data.Get("extent").ToString());
            Assert.AreEqual("{label: \"bag\", count: 3}", data.Get("bag").ToString());
            Assert.AreEqual(4, data.Get("numbers").PackedBytes);
            Assert.AreEqual("01000000feffffff", Packed.Join(data.Get("numbers")));
            Assert.AreEqual(DataNode.NullRid, data.Get("shape").Rid);
            Assert.AreEqual("[]", data.Get("onHit").Get("m_PersistentCalls").Get("m_Calls").ToString());
            Assert.AreEqual(2, data.Get("curve").Get("m_Curve").Count);
            Assert.AreEqual("2", data.Get("curve").Get("m_Curve")[0].Get("outSlope").Text);
            Assert.IsTrue(data.Get("held").IsFlow);
        }

        [Test]
        public void DataRoundTripsToTheSameValues()
        {
            var one = new GameObject("A").AddComponent<Everything>();
            var two = new GameObject("B").AddComponent<Everything>();
            one.text = "changed";
            one.mood = Mood.Bored;
            one.shape = new Circle { radius = 5 };
            one.Shapes.Add(one.shape);
            Transform target = two.transform;
            one.target = target;
            one.targets = new List<Transform> { null, one.transform };
            one.corners[1].mood = Mood.Calm;
            one.ramp = new Gradient();
            one.ramp.SetKeys(new[] { new GradientColorKey(Color.red, 0.5f) }, new[] { new GradientAlphaKey(0.25f, 1) });
            Serializer.Read(two, Serializer.Write(one));
            Assert.AreEqual("changed", two.text);
            Assert.AreEqual(5, ((Circle)two.shape).radius);
            Assert.AreSame(two.shape, two.Shapes[0]);
            Assert.AreSame(target, two.target);
            Assert.AreSame(one.transform, two.targets[1]);
            Assert.AreEqual(Mood.Calm, two.corners[1].mood);
            Assert.AreEqual(Color.red, two.ramp.colorKeys[0].color);
            Assert.AreEqual(0.25f, two.ramp.alphaKeys[0].alpha);
            Assert.AreEqual(ulong.MaxValue, two.huge);
        }

        [Test]
        public void AbsentFieldsStayAndFormerNamesAreRead()
        {
            var one = new GameObject("A").AddComponent<Everything>();
            DataNode data = DataNode.Map();
            data.Add("oldName", DataNode.Scalar("12"));
            data.Add("numbers", DataNode.Scalar("0500000006000000"));
            data.Add("unknown", DataNode.Scalar("1"));
            data.Add("flag", DataNode.Scalar("0"));
            Serializer.Read(one, data);
            Assert.AreEqual(12, one.newName);
            Assert.AreEqual(new[] { 5, 6 }, one.numbers);
            Assert.IsFalse(one.flag);
            Assert.AreEqual(Mood.Angry, one.mood);
        }

        [Test]
        public void AMissingReferenceIsNullAndWrittenAsItWas()
        {
            var one = new GameObject("A").AddComponent<Everything>();
            DataNode data = DataNode.Map();
            data.Add("target", DataNode.Reference(77, "0123456789abcdef0123456789abcdef", 3));
            Serializer.Read(one, data);
            Assert.IsTrue(one.target == null);
            DataNode again = Serializer.Write(one).Get("target");
            Assert.AreEqual(77, again.FileId);
            Assert.AreEqual("0123456789abcdef0123456789abcdef", again.Guid);
        }

        [Test]
        public void AManagedReferenceOfAnUnknownClassIsKept()
        {
            var one = new GameObject("A").AddComponent<Everything>();
            DataNode lost = DataNode.Managed(5, "Gone Some.Where/Inner");
            lost.Add("x", DataNode.Scalar("1"));
            DataNode data = DataNode.Map();
            data.Add("shape", lost);
            Serializer.Read(one, data);
            Assert.IsNull(one.shape);
            Assert.IsTrue(DataNode.Equal(lost, Serializer.Write(one).Get("shape")));
        }

        [Test]
        public void ManagedIdsStay()
        {
            var one = new GameObject("A").AddComponent<Everything>();
            one.shape = new Circle();
            long id = Serializer.Write(one).Get("shape").Rid;
            Assert.AreEqual(id, Serializer.Write(one).Get("shape").Rid);
            DataNode data = Serializer.Write(one);
            object before = one.shape;
            Serializer.Read(one, data);
            Assert.AreSame(before, one.shape);
        }
    }
}
