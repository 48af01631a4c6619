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

        /* isOver: a click since then, with which Unity begins a new group. */
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
        public void StepsAreWalkedInBothDirections()
        {
            for (int i = 1; i <= 3; i++)
                Tool(100 + i);
            JsonValue answer = TakeBack(2);
            Assert.AreEqual(101, zoo.whole);
            Assert.AreEqual(2, answer.Get("undone").Count);
            Assert.AreEqual("manage_component: update", answer.Get("undone").Items[0].GetString("name", ""));
            Assert.AreEqual("manage_component", answer.Get("undone").Items[0].GetString("tool", ""));
            Assert.AreEqual(1, answer.GetLong("remaining_undo", -1));
            Assert.AreEqual(2, answer.GetLong("remaining_redo", -1));
            Assert.AreEqual(1, TakeBack(9).Get("undone").Count);
            Assert.AreEqual(7, zoo.whole);
            Assert.AreEqual(0, TakeBack().Get("undone").Count);
            Assert.AreEqual(3, DoAgain(9).Get("undone").Count);
            Assert.AreEqual(103, zoo.whole);
            Assert.AreEqual(0, DoAgain().Get("undone").Count);
            Counts(3, 0);
        }

        [TestCase(false)]
        [TestCase(true)]
        public void AStepOfTheUserStays(bool isOver)
        {
            Tool(1);
            User("mine", isOver);
            ToolError error = Refused("ERR_UNDO_BLOCKED", () => TakeBack());
            if (!isOver || SaysWhatWasUndone)
                StringAssert.Contains("Typing", error.Message);
            Assert.IsFalse(error.WasExecuted);
            Assert.AreEqual("mine", zoo.text);
            Assert.AreEqual(1, zoo.whole);
            Counts(1, 0);
            Undo.PerformUndo();
            Assert.AreEqual("plain", zoo.text);
            TakeBack();
            Assert.AreEqual(7, zoo.whole);
        }

        [Test]
        public void AStepOfTheUserThatOnlyUnityKnowsStays()
        {
            Tool(1);
            User("mine");
            Undo.PerformUndo();
            Undo.PerformRedo(); /* since then nothing is known of the current group */
            ToolError error = Refused("ERR_UNDO_BLOCKED", () => TakeBack());
            Assert.AreEqual("mine", zoo.text);
            Assert.AreEqual(1, zoo.whole);
            Assert.IsFalse(error.WasExecuted);
            Undo.PerformUndo();
            Assert.AreEqual("plain", zoo.text);
            TakeBack();
            Assert.AreEqual(7, zoo.whole);
        }

        [Test]
        public void SelectionsAreWalkedOver()
        {
            if (!SaysWhatWasUndone)
                return; /* the stand-in has no name for it */
            Tool(1);
            User("a click", true, "Selection Change");
            Tool(2);
            User("another", true, "Select Zoo (GameObject)");
            User("a last", false, "Clear Selection");
            Assert.AreEqual(2, TakeBack(5).Get("undone").Count);
            Assert.AreEqual(7, zoo.whole);
            Assert.AreEqual(2, DoAgain(5).Get("undone").Count);
            Assert.AreEqual(2, zoo.whole);
            Counts(2, 0);
        }

        [Test]
        public void SelectionsBeforeAStepOfTheUserStayToo()
        {
            if (!SaysWhatWasUndone)
                return;
            Tool(1);
            User("mine");
            User("a click", true, "Selection Change");
            Refused("ERR_UNDO_BLOCKED", () => TakeBack());
            Assert.AreEqual("a click", zoo.text);
            Assert.AreEqual(1, zoo.whole);
            Counts(1, 0);
            for (int i = 0; i < 60; i++)
                User("click " + i, true, "Selection Change");
            Refused("ERR_UNDO_BLOCKED", () => TakeBack());
            Assert.AreEqual("click 59", zoo.text);
        }

        [Test]
        public void SomeStepsAreDoneBeforeOneIsBlocked()
        {
            Tool(1);
            User("mine");
            Tool(2);
            ToolError error = Refused("ERR_UNDO_BLOCKED", () => TakeBack(5));
            Assert.IsTrue(error.WasExecuted);
            Assert.AreEqual(1, zoo.whole);
            Assert.AreEqual("mine", zoo.text);
            Counts(1, 1);
            DoAgain();
            Assert.AreEqual(2, zoo.whole);
        }

        [Test]
        public void TheUserUndoesAStepOfATool()
        {
            Tool(1);
            Tool(2);
            Undo.PerformUndo();
            Counts(1, 1);
            Assert.AreEqual(1, TakeBack(5).Get("undone").Count);
            Assert.AreEqual(7, zoo.whole);
            Undo.PerformRedo();
            Counts(1, 1);
            DoAgain();
            Assert.AreEqual(2, zoo.whole);
        }

        [Test]
        public void WhatTheUserUndidIsNotRedone()
        {
            Tool(1);
            TakeBack();
            User("mine"); /* Unity drops what could be redone */
            Assert.AreEqual(0, DoAgain().Get("undone").Count);
            Counts(0, 0);
            Assert.AreEqual("mine", zoo.text);
            Tool(2);
            Tool(3);
            User("more");
            Undo.PerformUndo();
            Assert.AreEqual("mine", zoo.text);
            Counts(2, 0);
            Assert.AreEqual(0, DoAgain().Get("undone").Count);
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
            ToolError error = Refused("ERR_UNDO_BLOCKED", () => DoAgain(2));
            Assert.IsTrue(error.WasExecuted);
            Assert.AreEqual("plain", zoo.text);
            Assert.AreEqual(1, zoo.whole);
            Undo.PerformRedo();
            Assert.AreEqual("mine", zoo.text);
            if (!SaysWhatWasUndone)
            {
                Refused("ERR_UNDO_BLOCKED", () => DoAgain()); /* it may have been an undo */
                Undo.PerformRedo();
            }
            else
                DoAgain();
            Assert.AreEqual(2, zoo.whole);
            Counts(2, 0);
        }

        /* Name and direction, in Undo.undoRedoEvent. */
#if UNITY_2022_2_OR_NEWER
        static readonly bool SaysWhatWasUndone = true;
#else
        static readonly bool SaysWhatWasUndone = false;
#endif

        /// <summary>What the user took back before is behind the tools' steps, not before them.</summary>
        [Test]
        public void StepsBehindAStepOfTheUserAreRedone()
        {
            Tool(1);
            Tool(2);
            User("mine");
            Undo.PerformUndo();
            TakeBack(2);
            Counts(0, 2);
            DoAgain(5);
            Counts(2, 0);
            Assert.AreEqual(2, zoo.whole);
            Assert.AreEqual("plain", zoo.text);
            Undo.PerformRedo();
            Assert.AreEqual("mine", zoo.text);
        }

        [Test]
        public void AHistoryThatWasClearedIsGone()
        {
            Tool(1);
            Undo.ClearAll();
            Assert.AreEqual(0, TakeBack().Get("undone").Count);
            Counts(0, 0);
            Assert.AreEqual(1, zoo.whole);
            Tool(2);
            OpenScene();
            Counts(0, 0);
            Assert.AreEqual(0, TakeBack().Get("undone").Count);
        }

        [Test]
        public void AThousandStepsAreKept()
        {
            for (int i = 0; i < 1005; i++)
                Tool(i % 2 == 0 ? 1 : 2);
            Counts(1000, 0);
            JsonValue answer = TakeBack(1000);
            Assert.AreEqual(1000, answer.Get("undone").Count);
            Assert.AreEqual(0, answer.GetLong("remaining_undo", -1));
            Assert.AreEqual("manage_component", answer.Get("undone").Items[999].GetString("tool", ""));
            Assert.AreEqual(0, TakeBack().Get("undone").Count);
        }

        [Test]
        public void WhatFailsInTheMiddleIsTakenBack()
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
