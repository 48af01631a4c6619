using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    /// <summary>undo and redo in a history that tools share with the user.</summary>
    public class EditHistoryTests : EditFixture
    {
        EditZoo zoo;

        [SetUp]
        public void FillScene()
        {
            zoo = new GameObject("Zoo").AddComponent<EditZoo>();
            Undo.ClearAll();
        }

        void Tool(int whole) { Update("/Zoo", 1, "{'whole':" + whole + "}"); }

        /* isOver: a click follows, with which Unity begins a new group. */
        void User(string text, bool isOver = true, string name = "Typing")
        {
            Undo.IncrementCurrentGroup();
            Undo.RecordObject(zoo, name);
            zoo.text = text;
            Undo.FlushUndoRecordObjects();
            if (isOver)
                Undo.IncrementCurrentGroup();
        }

        static void Counts(int undo, int redo)
        {
            Assert.AreEqual(undo, EditHistory.UndoCount, "undo");
            Assert.AreEqual(redo, EditHistory.RedoCount, "redo");
        }

        [Test]
        public void StepsAreUndoneAndRedone()
        {
            for (int i = 1; i <= 3; i++)
                Tool(100 + i);
            JsonValue answer = UndoSteps(2);
            Assert.AreEqual(101, zoo.whole);
            Assert.AreEqual(2, answer.Get("undone").Count);
            Assert.AreEqual("manage_component: update", answer.Get("undone").Items[0].GetString("name", ""));
            Assert.AreEqual("manage_component", answer.Get("undone").Items[0].GetString("tool", ""));
            Assert.AreEqual(1, answer.GetLong("remaining_undo", -1));
            Assert.AreEqual(2, answer.GetLong("remaining_redo", -1));
            Assert.AreEqual(1, UndoSteps(9).Get("undone").Count);
            Assert.AreEqual(7, zoo.whole);
            Assert.AreEqual(0, UndoSteps().Get("undone").Count);
            Assert.AreEqual(3, RedoSteps(9).Get("undone").Count);
            Assert.AreEqual(103, zoo.whole);
            Assert.AreEqual(0, RedoSteps().Get("undone").Count);
            Counts(3, 0);
        }

        [TestCase(false)]
        [TestCase(true)]
        public void AStepOfTheUserIsNotUndone(bool isOver)
        {
            Tool(1);
            User("mine", isOver);
            ToolError error = Refused("ERR_UNDO_BLOCKED", () => UndoSteps());
            if (!isOver || ReportsUndoName)
                StringAssert.Contains("Typing", error.Message);
            Assert.IsFalse(error.WasExecuted);
            Assert.AreEqual("mine", zoo.text);
            Assert.AreEqual(1, zoo.whole);
            Counts(1, 0);
            Undo.PerformUndo();
            Assert.AreEqual("plain", zoo.text);
            UndoSteps();
            Assert.AreEqual(7, zoo.whole);
        }

        [Test]
        public void AStepOfTheUserThatOnlyUnityKnowsIsNotUndone()
        {
            Tool(1);
            User("mine");
            Undo.PerformUndo();
            Undo.PerformRedo(); /* from here on the current group is unknown */
            ToolError error = Refused("ERR_UNDO_BLOCKED", () => UndoSteps());
            Assert.AreEqual("mine", zoo.text);
            Assert.AreEqual(1, zoo.whole);
            Assert.IsFalse(error.WasExecuted);
            Undo.PerformUndo();
            Assert.AreEqual("plain", zoo.text);
            UndoSteps();
            Assert.AreEqual(7, zoo.whole);
        }

        [Test]
        public void SelectionsAreSkipped()
        {
            if (!ReportsUndoName)
                return; /* the stand-in does not know its name */
            Tool(1);
            User("a click", true, "Selection Change");
            Tool(2);
            User("another", true, "Select Zoo (GameObject)");
            User("a last", false, "Clear Selection");
            Assert.AreEqual(2, UndoSteps(5).Get("undone").Count);
            Assert.AreEqual(7, zoo.whole);
            Assert.AreEqual(2, RedoSteps(5).Get("undone").Count);
            Assert.AreEqual(2, zoo.whole);
            Counts(2, 0);
        }

        [Test]
        public void SelectionsBeforeAStepOfTheUserAreRestored()
        {
            if (!ReportsUndoName)
                return;
            Tool(1);
            User("mine");
            User("a click", true, "Selection Change");
            Refused("ERR_UNDO_BLOCKED", () => UndoSteps());
            Assert.AreEqual("a click", zoo.text);
            Assert.AreEqual(1, zoo.whole);
            Counts(1, 0);
            for (int i = 0; i < 60; i++)
                User("click " + i, true, "Selection Change");
            Refused("ERR_UNDO_BLOCKED", () => UndoSteps());
            Assert.AreEqual("click 59", zoo.text);
        }

        [Test]
        public void StepsBeforeABlockedOneAreUndone()
        {
            Tool(1);
            User("mine");
            Tool(2);
            ToolError error = Refused("ERR_UNDO_BLOCKED", () => UndoSteps(5));
            Assert.IsTrue(error.WasExecuted);
            Assert.AreEqual(1, zoo.whole);
            Assert.AreEqual("mine", zoo.text);
            Counts(1, 1);
            RedoSteps();
            Assert.AreEqual(2, zoo.whole);
        }

        [Test]
        public void TheUserCanUndoAStepOfATool()
        {
            Tool(1);
            Tool(2);
            Undo.PerformUndo();
            Counts(1, 1);
            Assert.AreEqual(1, UndoSteps(5).Get("undone").Count);
            Assert.AreEqual(7, zoo.whole);
            Undo.PerformRedo();
            Counts(1, 1);
            RedoSteps();
            Assert.AreEqual(2, zoo.whole);
        }

        [Test]
        public void AStepUndoneByTheUserIsNotRedone()
        {
            Tool(1);
            UndoSteps();
            User("mine"); /* Unity drops the redo steps */
            Assert.AreEqual(0, RedoSteps().Get("undone").Count);
            Counts(0, 0);
            Assert.AreEqual("mine", zoo.text);
            Tool(2);
            Tool(3);
            User("more");
            Undo.PerformUndo();
            Assert.AreEqual("mine", zoo.text);
            Counts(2, 0);
            Assert.AreEqual(0, RedoSteps().Get("undone").Count);
            Assert.AreEqual("mine", zoo.text);
        }

        [Test]
        public void RedoStopsAtAStepOfTheUser()
        {
            Tool(1);
            User("mine");
            Tool(2);
            Undo.PerformUndo();
            Undo.PerformUndo();
            Undo.PerformUndo();
            Counts(0, 2);
            ToolError error = Refused("ERR_UNDO_BLOCKED", () => RedoSteps(2));
            Assert.IsTrue(error.WasExecuted);
            Assert.AreEqual("plain", zoo.text);
            Assert.AreEqual(1, zoo.whole);
            Undo.PerformRedo();
            Assert.AreEqual("mine", zoo.text);
            if (!ReportsUndoName)
            {
                Refused("ERR_UNDO_BLOCKED", () => RedoSteps()); /* it may have been an undo */
                Undo.PerformRedo();
            }
            else
                RedoSteps();
            Assert.AreEqual(2, zoo.whole);
            Counts(2, 0);
        }

        /* Undo.undoRedoEvent reports name and direction. */
#if UNITY_2022_2_OR_NEWER
        static readonly bool ReportsUndoName = true;
#else
        static readonly bool ReportsUndoName = false;
#endif

        /// <summary>A step that the user undid earlier is redone after the tools' steps.</summary>
        [Test]
        public void StepsAfterAStepOfTheUserAreRedone()
        {
            Tool(1);
            Tool(2);
            User("mine");
            Undo.PerformUndo();
            UndoSteps(2);
            Counts(0, 2);
            RedoSteps(5);
            Counts(2, 0);
            Assert.AreEqual(2, zoo.whole);
            Assert.AreEqual("plain", zoo.text);
            Undo.PerformRedo();
            Assert.AreEqual("mine", zoo.text);
        }

        [Test]
        public void AClearedHistoryHasNoSteps()
        {
            Tool(1);
            Undo.ClearAll();
            Assert.AreEqual(0, UndoSteps().Get("undone").Count);
            Counts(0, 0);
            Assert.AreEqual(1, zoo.whole);
            Tool(2);
            OpenScene();
            Counts(0, 0);
            Assert.AreEqual(0, UndoSteps().Get("undone").Count);
        }

        [Test]
        public void AThousandStepsAreKept()
        {
            for (int i = 0; i < 1005; i++)
                Tool(i % 2 == 0 ? 1 : 2);
            Counts(1000, 0);
            JsonValue answer = UndoSteps(1000);
            Assert.AreEqual(1000, answer.Get("undone").Count);
            Assert.AreEqual(0, answer.GetLong("remaining_undo", -1));
            Assert.AreEqual("manage_component", answer.Get("undone").Items[999].GetString("tool", ""));
            Assert.AreEqual(0, UndoSteps().Get("undone").Count);
        }

        [Test]
        public void AFailedChangeIsReverted()
        {
            Assert.Throws<System.InvalidOperationException>(() => EditHistory.Do("try", "test", Scene, () =>
            {
                Undo.RecordObject(zoo, "try");
                zoo.whole = 55;
                Undo.FlushUndoRecordObjects();
                throw new System.InvalidOperationException("no");
            }));
            Assert.AreEqual(7, zoo.whole);
            Counts(0, 0);
        }
    }
}
