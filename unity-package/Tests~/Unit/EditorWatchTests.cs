using System;
using System.Threading;
using NUnit.Framework;
using Standin;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    /// <summary>scene_seq and console_seq: which changes count, and that several are reported
    /// together.</summary>
    public class EditorWatchTests : EditFixture
    {
        EditZoo zoo;

        [SetUp]
        public void FillScene()
        {
            zoo = new GameObject("Zoo").AddComponent<EditZoo>();
            Undo.ClearAll();
            EditorLoop.Start(0);
            EditorLoop.Turn();
        }

        static bool IsCounted(Action change, int turns = 0)
        {
            long before = SceneChanges.Count;
            change();
            for (int i = 0; i < turns; i++)
                EditorLoop.Turn();
            return SceneChanges.Count > before;
        }

        [Test]
        public void ChangesByToolsCountAtOnce()
        {
            Assert.IsTrue(IsCounted(() => Update("/Zoo", 1, "{'whole':3}")), "update");
            Assert.IsTrue(IsCounted(() => Add("/Zoo", "BoxCollider")), "add");
            Assert.IsTrue(IsCounted(() => UndoSteps()), "undo");
            Assert.IsTrue(IsCounted(() => RedoSteps()), "redo");
            Assert.IsTrue(IsCounted(() => Remove("/Zoo", 2)), "remove");
        }

        [Test]
        public void ChangesByTheUserCount()
        {
            Assert.IsTrue(IsCounted(Type, 1), "a field");
            Assert.IsTrue(IsCounted(Undo.PerformUndo, 1), "undo");
            Assert.IsTrue(IsCounted(Rename, 2), "a name");
            Assert.IsTrue(IsCounted(() => new GameObject("New"), 1), "an object");
            Assert.IsTrue(IsCounted(() => EditorSceneManager.NewScene(NewSceneSetup.EmptyScene, NewSceneMode.Single)),
                          "a scene");
            Assert.IsTrue(IsCounted(EditorEvents.ProjectChanged, 1), "an asset");
        }

        /* Change a value as the Inspector does. */
        void Type()
        {
            var data = new SerializedObject(zoo);
            data.FindProperty("whole").intValue = 77;
            data.ApplyModifiedProperties();
        }

        void Rename()
        {
            Undo.RecordObject(zoo.gameObject, "Rename");
            zoo.gameObject.name = "Another";
        }

        [Test]
        public void ReadingChangesNothing()
        {
            EditorLoop.Turn();
            Assert.IsFalse(IsCounted(() => Call(new GetComponentInfo(), "{'game_object_path':'/Zoo','index':1}"), 2));
            Assert.IsFalse(IsCounted(() => Call(new GetSceneHierarchy(), "{}"), 2));
        }

        /* ---- reporting */

        static Snapshot After(EditorWatch watch, int ms)
        {
            for (long end = Clock.NowMs + ms; Clock.NowMs < end; Thread.Sleep(1))
                watch.TakeSnapshot();
            return watch.TakeSnapshot();
        }

        [Test]
        public void ChangesAreCollected()
        {
            var watch = new EditorWatch();
            Snapshot first = watch.TakeSnapshot();
            Assert.AreSame(first, watch.TakeSnapshot());
            Assert.IsFalse(watch.HasPendingChanges);
            SceneChanges.Add();
            ConsoleFeed.Buffer.Add(new ConsoleEntry(ConsoleType.Log, "new", ""));
            Assert.AreSame(first, watch.TakeSnapshot());
            Assert.IsTrue(watch.HasPendingChanges);
            SceneChanges.Add();
            Snapshot next = After(watch, EditorWatch.GatherMs + 10);
            Assert.AreEqual(first.SceneSeq + 2, next.SceneSeq);
            Assert.AreEqual(first.ConsoleSeq + 1, next.ConsoleSeq);
            Assert.IsFalse(watch.HasPendingChanges);
            Assert.AreSame(next, After(watch, EditorWatch.GatherMs + 10));
        }

        [Test]
        public void AnyStatusIncludesCollectedChanges()
        {
            var watch = new EditorWatch();
            Snapshot first = watch.TakeSnapshot();
            Assert.IsFalse(first.SceneDirty);
            Update("/Zoo", 1, "{'whole':3}");
            Snapshot next = watch.TakeFreshSnapshot();
            Assert.IsTrue(next.SceneDirty);
            Assert.Greater(next.SceneSeq, first.SceneSeq);
            Assert.IsFalse(watch.HasPendingChanges);
        }

        [Test]
        public void AThousandEntriesAreFewReports()
        {
            using (var harness = new SessionHarness())
            {
                harness.Start();
                harness.Play(c =>
                {
                    c.Welcome();
                    long last = ConsoleFeed.Buffer.Serial + 1000, seen = 0, reports = 0;
                    c.Read("editor_status");
                    harness.OnMain(() =>
                    {
                        for (int i = 0; i < 1000; i++)
                            ConsoleFeed.Buffer.Add(new ConsoleEntry(ConsoleType.Log, "line " + i, ""));
                    });
                    for (; seen < last; reports++)
                        seen = c.Read("editor_status").GetLong("console_seq", -1);
                    Assert.AreEqual(last, seen);
                    Assert.LessOrEqual(reports, 3);
                });
            }
        }
    }
}
