using System;
using System.Collections.Generic;
using System.Text.RegularExpressions;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;
using UnityEngine.TestTools;

namespace Standin.Tests
{
    /// <summary>SerializedObject and SerializedProperty.</summary>
    public class SerializedTests : EngineFixture
    {
        Everything script;
        SerializedObject so;

        [SetUp]
        public void MakeScript()
        {
            script = new GameObject("A").AddComponent<Everything>();
            Undo.ClearAll();
            Scene.IsDirty = false;
            so = new SerializedObject(script);
        }

        SerializedProperty Find(string path)
        {
            SerializedProperty found = so.FindProperty(path);
            Assert.IsNotNull(found, path);
            return found;
        }

        static List<string> Paths(SerializedProperty p, bool visible, Func<SerializedProperty, bool> enter)
        {
            var paths = new List<string>();
            bool first = true;
            while (visible ? p.NextVisible(first || enter(p)) : p.Next(first || enter(p)))
            {
                paths.Add(p.propertyPath);
                first = false;
            }
            return paths;
        }

        [Test]
        public void TheFirstVisiblePropertyIsTheScript()
        {
            SerializedProperty p = so.GetIterator();
            Assert.IsTrue(p.NextVisible(true));
            Assert.AreEqual("m_Script", p.propertyPath);
            Assert.AreEqual("PPtr<MonoScript>", p.type);
            Assert.IsTrue(p.NextVisible(false));
            Assert.AreEqual("age", p.propertyPath);
            Assert.AreEqual(0, p.depth);
        }

        [Test]
        public void NextReturnsHiddenPropertiesAndNextVisibleDoesNot()
        {
            List<string> all = Paths(so.GetIterator(), false, p => false);
            List<string> seen = Paths(so.GetIterator(), true, p => false);
            Assert.AreEqual("m_ObjectHideFlags", all[0]);
            Assert.IsTrue(all.Contains("hidden") && !seen.Contains("hidden"));
            Assert.IsTrue(all.Contains("m_GameObject") && !seen.Contains("m_GameObject"));
            Assert.IsTrue(seen.Contains("<Lives>k__BackingField"));
        }

        [Test]
        public void ArraysStringsAndReferencesHaveChildrenAsInUnity()
        {
            script.text = "ab";
            so.Update();
            SerializedProperty p = Find("numbers");
            Assert.AreEqual("vector", p.type);
            Assert.AreEqual("int", p.arrayElementType);
            p.Next(true);
            Assert.AreEqual("numbers.Array", p.propertyPath);
            p.Next(true);
            Assert.AreEqual("numbers.Array.size", p.propertyPath);
            Assert.AreEqual(SerializedPropertyType.ArraySize, p.propertyType);
            Assert.AreEqual(2, p.intValue);
            p.Next(true);
            Assert.AreEqual("numbers.Array.data[0]", p.propertyPath);
            Assert.AreEqual(1, p.depth);
            Assert.AreEqual("Element 0", p.displayName);
            p = Find("numbers");
            p.NextVisible(true);
            Assert.AreEqual("numbers.Array.size", p.propertyPath);
            p = Find("text");
            Assert.IsTrue(p.isArray);
            Assert.AreEqual(2, p.arraySize);
            p.Next(true);
            Assert.AreEqual("text.Array", p.propertyPath);
            p = Find("text");
            p.NextVisible(true);
            Assert.AreEqual("mood", p.propertyPath);
            p = Find("target");
            Assert.AreEqual("PPtr<$Transform>", p.type);
            p.Next(true);
            Assert.AreEqual("target.m_FileID", p.propertyPath);
        }

        [Test]
        public void AccessPastTheEndIsAnError()
        {
            SerializedProperty p = so.GetIterator();
            while (p.NextVisible(true))
                continue;
            Assert.Throws<InvalidOperationException>(() => p.Next(true));
            Assert.Throws<InvalidOperationException>(() => p.type.ToString());
            so.Dispose();
            Assert.Throws<NullReferenceException>(() => p.NextVisible(true));
        }

        [Test]
        public void GetEndPropertyEndsAWalk()
        {
            SerializedProperty p = Find("bag"), end = p.GetEndProperty();
            var names = new List<string>();
            while (p.NextVisible(true) && !SerializedProperty.EqualContents(p, end))
                names.Add(p.name);
            Assert.AreEqual(new[] { "label", "count" }, names);
            Assert.AreEqual(3, Find("bag").CountInProperty());
        }

        [Test]
        public void Types()
        {
            Assert.AreEqual(SerializedPropertyType.Enum, Find("mood").propertyType);
            Assert.AreEqual("Enum", Find("mood").type);
            Assert.AreEqual(SerializedPropertyType.Color, Find("tint").propertyType);
            Assert.AreEqual(SerializedPropertyType.LayerMask, Find("mask").propertyType);
            Assert.AreEqual(SerializedPropertyType.Generic, Find("bag").propertyType);
            Assert.AreEqual("Bag", Find("bag").type);
            Assert.AreEqual(SerializedPropertyType.Character, Find("letter").propertyType);
            Assert.AreEqual(SerializedPropertyType.ManagedReference, Find("shape").propertyType);
            Assert.AreEqual(SerializedPropertyType.Boolean, Find("m_Enabled").propertyType);
            Assert.AreEqual("ulong", Find("huge").type);
            Assert.IsNull(so.FindProperty("forgotten"));
            Assert.IsNull(so.FindProperty("numbers.Array.data[2]"));
        }

        [Test]
        public void ValuesAreReadAndWritten()
        {
            Find("age").intValue = 5;
            Find("small").intValue = 300;
            Find("wide").longValue = long.MinValue;
            Find("precise").doubleValue = 1e300;
            Find("text").stringValue = null;
            Find("tint").colorValue = Color.red;
            Find("mask").intValue = -2;
            Find("extent").boundsValue = new Bounds(Vector3.zero, Vector3.one);
            Find("held").vector3Value = new Vector3(1, 2, 3);
            Find("held.y").floatValue = 9;
            Find("curve").animationCurveValue = new AnimationCurve(new Keyframe(2, 3));
            Find("corners").GetArrayElementAtIndex(1).FindPropertyRelative("at").vector2Value = Vector2.one;
            Assert.AreEqual(4, script.GetType().BaseType.BaseType.GetField("age",
                System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic).GetValue(script));
            Assert.IsTrue(so.hasModifiedProperties);
            Assert.IsTrue(so.ApplyModifiedProperties());
            Assert.IsFalse(so.ApplyModifiedProperties());
            Assert.AreEqual(255, script.small);
            Assert.AreEqual(long.MinValue, script.wide);
            Assert.AreEqual(1e300, script.precise);
            Assert.AreEqual("", script.text);
            Assert.AreEqual(255, script.tint.r);
            Assert.AreEqual(-2, script.mask.value);
            Assert.AreEqual(new Vector3(1, 9, 3), script.held);
            Assert.AreEqual(3, script.curve[0].value);
            Assert.AreEqual(Vector2.one, script.corners[1].at);
            Assert.IsTrue(Scene.IsDirty);
        }

        [Test]
        public void TheWrongKindOfValueIsAnErrorInTheConsole()
        {
            LogAssert.Expect(LogType.Error, "type is not a supported int value");
            Assert.AreEqual(0, Find("precise").intValue);
            LogAssert.Expect(LogType.Error, "type is not a supported float value");
            Find("age").floatValue = 2;
            Assert.AreEqual(4, Find("age").intValue);
        }

        [Test]
        public void EnumsCountByTheirOrderOfValues()
        {
            SerializedProperty mood = Find("mood");
            Assert.AreEqual(new[] { "Calm", "Bored", "Angry" }, mood.enumNames);
            Assert.AreEqual(2, mood.enumValueIndex);
            Assert.AreEqual(5, mood.intValue);
            mood.enumValueIndex = 1;
            Assert.AreEqual(3, mood.intValue);
            mood.intValue = 77;
            Assert.AreEqual(-1, mood.enumValueIndex);
        }

        [Test]
        public void Arrays()
        {
            SerializedProperty numbers = Find("numbers");
            numbers.InsertArrayElementAtIndex(1);
            Assert.AreEqual(1, numbers.GetArrayElementAtIndex(1).intValue);
            numbers.InsertArrayElementAtIndex(0);
            numbers.GetArrayElementAtIndex(0).intValue = 8;
            numbers.MoveArrayElement(0, 3);
            numbers.DeleteArrayElementAtIndex(0);
            so.ApplyModifiedProperties();
            Assert.AreEqual(new[] { 1, -2, 8 }, script.numbers);
            numbers.arraySize = 5;
            Assert.AreEqual(8, numbers.GetArrayElementAtIndex(4).intValue);
            numbers.ClearArray();
            so.ApplyModifiedProperties();
            Assert.AreEqual(0, script.numbers.Count);
            LogAssert.Expect(LogType.Error, new Regex("out of bounds"));
            Assert.IsNull(numbers.GetArrayElementAtIndex(0));
        }

        [Test]
        public void MismatchedReferencesBecomeNull()
        {
            SerializedProperty target = Find("target");
            target.objectReferenceValue = script.transform;
            Assert.AreSame(script.transform, target.objectReferenceValue);
            target.objectReferenceValue = script.gameObject;
            Assert.IsNull(target.objectReferenceValue);
            Assert.AreEqual(0, Find("target.m_FileID").intValue);
        }

        [Test]
        public void AMissingReferenceHasAnId()
        {
            DataNode data = DataNode.Map();
            data.Add("target", DataNode.Reference(77, "", 0));
            Serializer.Read(script, data);
            so.Update();
            Assert.IsNull(Find("target").objectReferenceValue);
            Assert.AreNotEqual(0, Find("target.m_FileID").intValue);
            var other = new GameObject("B");
            script.target = other.transform;
            UnityEngine.Object.DestroyImmediate(other);
            so.Update();
            Assert.IsNull(Find("target").objectReferenceValue);
            Assert.AreNotEqual(0, Find("target.m_FileID").intValue);
        }

        [Test]
        public void ManagedReferences()
        {
            SerializedProperty shape = Find("shape");
            Assert.AreEqual("", shape.managedReferenceFullTypename);
            shape.managedReferenceValue = new Circle { radius = 4 };
            StringAssert.EndsWith(" Standin.Tests.Circle", shape.managedReferenceFullTypename);
            Assert.AreEqual("managedReference<Circle>", shape.type);
            Find("shape.radius").floatValue = 6;
            so.ApplyModifiedProperties();
            Assert.AreEqual(6, ((Circle)script.shape).radius);
            Assert.Throws<InvalidOperationException>(() => shape.managedReferenceValue = "text");
            StringAssert.EndsWith(" Standin.Tests.IShape", shape.managedReferenceFieldTypename);
        }

        [Test]
        public void OnlyChangesAreApplied()
        {
            Find("age").intValue = 5;
            script.small = 9;
            script.corners[0].mood = Mood.Bored;
            Find("corners.Array.data[0].at.x").floatValue = 3;
            so.ApplyModifiedProperties();
            Assert.AreEqual(9, script.small);
            Assert.AreEqual(Mood.Bored, script.corners[0].mood);
            Assert.AreEqual(3, script.corners[0].at.x);
        }

        [Test]
        public void OnValidateMayChangeIt()
        {
            var clamped = script.gameObject.AddComponent<Clamped>();
            var other = new SerializedObject(clamped);
            other.FindProperty("value").intValue = 100;
            other.ApplyModifiedProperties();
            Assert.AreEqual(10, clamped.value);
            Assert.AreEqual(10, other.FindProperty("value").intValue);
        }

        [Test]
        public void SeveralObjectsAtOnce()
        {
            var second = new GameObject("B").AddComponent<Everything>();
            second.small = 8;
            var both = new SerializedObject(new UnityEngine.Object[] { script, second });
            Assert.IsTrue(both.FindProperty("small").hasMultipleDifferentValues);
            both.FindProperty("small").intValue = 3;
            both.ApplyModifiedProperties();
            Assert.AreEqual(3, script.small + second.small - 3);
        }

        [Test]
        public void ASerializedObjectNeedsAnObject()
        {
            Assert.Throws<ArgumentException>(() => new SerializedObject((UnityEngine.Object)null));
        }

#if UNITY_2022_1_OR_NEWER
        [Test]
        public void BoxedValues()
        {
            Assert.AreEqual(5, (int)(Mood)Find("mood").boxedValue);
            Assert.AreEqual(3, ((Bag)Find("bag").boxedValue).Count);
            Find("bag").boxedValue = new Bag { label = "new" };
            Assert.AreEqual("new", Find("bag.label").stringValue);
            Assert.AreEqual(ulong.MaxValue, Find("huge").ulongValue);
            Assert.AreEqual(SerializedPropertyNumericType.UInt8, Find("small").numericType);
        }
#endif
    }
}
