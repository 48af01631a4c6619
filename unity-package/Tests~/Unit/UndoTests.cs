using System.Collections.Generic;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace Standin.Tests
{
    /// <summary>Undo: groups, what is restored, and the history that survives a domain.</summary>
    public class UndoTests : EngineFixture
    {
        GameObject a;
        Everything script;
        int performed;

        [SetUp]
        public void MakeScript()
        {
            a = new GameObject("A");
            script = a.AddComponent<Everything>();
            Undo.ClearAll();
            Scene.IsDirty = false;
            performed = 0;
            Undo.undoRedoPerformed = () => performed++;
        }

        [TearDown]
        public void Forget() { Undo.undoRedoPerformed = null; }

        void Set(string path, int value)
        {
            var so = new SerializedObject(script);
            so.FindProperty(path).intValue = value;
            so.ApplyModifiedProperties();
        }

        [Test]
        public void GroupsAreUndoneOneByOne()
        {
            Set("small", 2);
            Set("small", 3);
            Undo.IncrementCurrentGroup();
            Set("small", 4);
            Undo.PerformUndo();
            Assert.AreEqual(3, script.small);
            Undo.PerformUndo();
            Assert.AreEqual(1, script.small);
            Undo.PerformUndo();
            Assert.AreEqual(2, performed);
            Undo.PerformRedo();
            Undo.PerformRedo();
            Assert.AreEqual(4, script.small);
            Assert.IsTrue(Scene.IsDirty);
        }

        [Test]
        public void AChangeDropsTheRedoSteps()
        {
            Set("small", 2);
            Undo.PerformUndo();
            Set("small", 7);
            Undo.PerformRedo();
            Assert.AreEqual(7, script.small);
            Assert.AreEqual(1, performed);
        }

        [Test]
        public void ARecordIsComparedWhenItIsFlushed()
        {
            Undo.RecordObject(script, "Change");
            script.small = 5;
            script.numbers.Add(3);
            Assert.AreEqual("", Undo.GetCurrentGroupName());
            Undo.FlushUndoRecordObjects();
            Assert.AreEqual("Change", Undo.GetCurrentGroupName());
            script.wide = 99;
            Undo.PerformUndo();
            Assert.AreEqual(1, script.small);
            Assert.AreEqual(2, script.numbers.Count);
            Assert.AreEqual(99, script.wide, "what was not recorded stays");
            Undo.RecordObject(script, "Nothing");
            Undo.IncrementCurrentGroup();
            Undo.PerformUndo();
            Assert.AreEqual(1, performed);
        }

        [Test]
        public void ARecordAndASerializedObjectOnOneField()
        {
            Undo.RecordObject(script, "Change");
            script.small = 2;
            Set("small", 3);
            Undo.PerformUndo();
            Assert.AreEqual(1, script.small);
            Undo.PerformRedo();
            Assert.AreEqual(3, script.small);
        }

        [Test]
        public void AddedComponentsAreUndoneAndRedone()
        {
            Undo.IncrementCurrentGroup();
            Component needier = Undo.AddComponent(a, typeof(Needier));
            Assert.AreEqual(4, a.GetComponents<Component>().Length);
            Undo.PerformUndo();
            Assert.IsTrue(needier == null);
            Assert.AreEqual(2, a.GetComponents<Component>().Length);
            Undo.PerformRedo();
            Assert.IsTrue(needier != null);
            Assert.AreSame(needier, a.GetComponent<Needier>());
            Assert.IsNotNull(a.GetComponent<Needy>());
        }

        [Test]
        public void UndoRestoresADestroyedComponentAtItsIndexWithItsValues()
        {
            a.AddComponent<Lonely>();
            script.small = 6;
            int id = script.instanceId;
            Undo.DestroyObjectImmediate(script);
            Assert.IsTrue(script == null);
            Undo.PerformUndo();
            Assert.IsTrue(script != null);
            Assert.AreSame(script, a.GetComponents<Component>()[1]);
            Assert.AreEqual(6, script.small);
            Assert.AreSame(script, ObjectTable.Find(id));
            Undo.PerformRedo();
            Assert.IsTrue(script == null);
        }

        [Test]
        public void UndoRestoresADestroyedTree()
        {
            var child = new GameObject("Child");
            child.transform.SetParent(a.transform);
            new GameObject("Later");
            script.target = child.transform;
            Undo.DestroyObjectImmediate(a);
            Assert.AreEqual(1, Scene.Roots.Count);
            Undo.PerformUndo();
            Assert.AreSame(a, Scene.Roots[0].gameObject);
            Assert.AreSame(child.transform, a.transform.GetChild(0));
            Assert.IsTrue(script.target == child.transform);
            Assert.IsTrue(child.activeInHierarchy);
        }

        [Test]
        public void UndoRemovesACreatedObject()
        {
            var created = new GameObject("Made");
            created.transform.SetParent(a.transform);
            Undo.RegisterCreatedObjectUndo(created, "Create");
            Undo.PerformUndo();
            Assert.AreEqual(0, a.transform.childCount);
            Undo.PerformRedo();
            Assert.AreSame(created.transform, a.transform.GetChild(0));
        }

        [Test]
        public void UndoRestoresTheParent()
        {
            var b = new GameObject("B");
            var c = new GameObject("C");
            Undo.SetTransformParent(b.transform, a.transform, "Parent");
            Assert.AreEqual(2, Scene.Roots.Count);
            Undo.PerformUndo();
            Assert.AreEqual(1, b.transform.GetSiblingIndex());
            Assert.AreSame(c.transform, Scene.Roots[2]);
            Undo.PerformRedo();
            Assert.AreSame(a.transform, b.transform.parent);
        }

        [Test]
        public void UndoRestoresTheReplacedTransform()
        {
            Transform plain = a.transform;
            Undo.AddComponent<Widget>(a);
            Assert.IsTrue(a.transform is RectTransform);
            Undo.PerformUndo();
            Assert.AreSame(plain, a.transform);
            Assert.IsTrue(plain != null);
            Undo.PerformRedo();
            Assert.IsTrue(a.transform is RectTransform && a.GetComponent<Widget>() != null);
        }

        [Test]
        public void ACompleteUndoRestoresMissingScripts()
        {
            ComponentAdding.Attach(a, new MissingScript());
            Undo.RegisterCompleteObjectUndo(a, "Remove");
            GameObjectUtility.RemoveMonoBehavioursWithMissingScript(a);
            Assert.AreEqual(2, a.GetComponents<Component>().Length);
            Undo.PerformUndo();
            Assert.AreEqual(1, GameObjectUtility.GetMonoBehavioursWithMissingScriptCount(a));
            Undo.PerformRedo();
            Assert.AreEqual(2, a.GetComponents<Component>().Length);
        }

        [Test]
        public void GroupsCollapseAndHaveNames()
        {
            Undo.IncrementCurrentGroup();
            int group = Undo.GetCurrentGroup();
            Undo.SetCurrentGroupName("All of it");
            Set("small", 2);
            Undo.IncrementCurrentGroup();
            Set("small", 3);
            Undo.CollapseUndoOperations(group);
            Undo.IncrementCurrentGroup();
            Assert.AreEqual("", Undo.GetCurrentGroupName());
#if UNITY_2022_2_OR_NEWER
            Undo.undoRedoEvent += OnUndoRedo;
            Undo.PerformUndo();
            Undo.undoRedoEvent -= OnUndoRedo;
            Assert.AreEqual("All of it False", lastEvent);
#else
            Undo.PerformUndo();
#endif
            Assert.AreEqual(1, script.small);
        }

#if UNITY_2022_2_OR_NEWER
        string lastEvent;

        void OnUndoRedo(in UndoRedoInfo info) { lastEvent = info.undoName + " " + info.isRedo; }
#endif

        [Test]
        public void RevertUndoesEverything()
        {
            Set("small", 2);
            Undo.IncrementCurrentGroup();
            int group = Undo.GetCurrentGroup();
            Set("small", 3);
            Undo.AddComponent<Lonely>(a);
            Undo.RevertAllDownToGroup(group);
            Assert.AreEqual(2, script.small);
            Assert.IsNull(a.GetComponent<Lonely>());
            Undo.PerformRedo();
            Assert.AreEqual(2, script.small);
            Undo.PerformUndo();
            Assert.AreEqual(1, script.small);
        }

        [Test]
        public void ModificationsAreReported()
        {
            var changes = new List<string>();
            Undo.postprocessModifications = modifications =>
            {
                foreach (UndoPropertyModification m in modifications)
                    changes.Add(m.currentValue.propertyPath + "=" + m.currentValue.value);
                return modifications;
            };
            Undo.RecordObject(script, "x");
            script.held = new Vector3(0, 4, 0);
            script.numbers[1] = 6;
            Undo.FlushUndoRecordObjects();
            Undo.postprocessModifications = null;
            Assert.AreEqual(new[] { "held.y=4", "numbers.Array.data[1]=6" }, changes);
        }

        [Test]
        public void TheHistorySurvivesADomain()
        {
            var note = ScriptableObject.CreateInstance<Note>();
            note.hideFlags = HideFlags.HideAndDontSave;
            int noteId = note.instanceId;
            Undo.RegisterCompleteObjectUndo(note, "Step");
            note.text = "one";
            script.shape = new Circle { radius = 3 };
            Set("small", 2);
            Undo.IncrementCurrentGroup();
            var lonely = Undo.AddComponent<Lonely>(a);
            lonely.name = "A";
            Undo.IncrementCurrentGroup();
            Undo.DestroyObjectImmediate(lonely);
            Undo.IncrementCurrentGroup();
            Set("small", 8);
            Undo.PerformUndo();
            int lonelyId = lonely.instanceId;
            string text = UndoState.Export();
            ObjectTable.Remove(note);
            Undo.ClearAll();

            UndoState.Import(text);
            var back = (Note)ObjectTable.Find(noteId);
            Assert.AreNotSame(note, back);
            Assert.AreEqual("one", back.text);
            Assert.AreEqual(1, back.enabled);
            Assert.AreEqual(HideFlags.HideAndDontSave, back.hideFlags);
            Undo.PerformRedo();
            Assert.AreEqual(8, script.small);
            Undo.PerformUndo();
            Undo.PerformUndo();
            Assert.AreEqual(lonelyId, a.GetComponent<Lonely>().instanceId);
            Undo.PerformUndo();
            Assert.IsNull(a.GetComponent<Lonely>());
            Undo.PerformUndo();
            Assert.AreEqual("", back.text);
            Assert.AreEqual(1, script.small);
            Assert.AreEqual(3, ((Circle)script.shape).radius);
        }
    }
}
