using System;
using System.Collections.Generic;
using System.Threading;
using NUnit.Framework;
using Standin;
using UnityEditor;
using UnityEngine;
using UnityEngine.TestTools;

namespace Standin.Unit
{
    /// <summary>The update loop: order, threads, exceptions, measurements.</summary>
    public class LoopTests
    {
        [SetUp]
        public void SetUp()
        {
            EditorLoop.Start(0);
            EditorLoop.Turn();
        }

        [TearDown]
        public void TearDown()
        {
            EditorApplication.update = null;
            EditorApplication.delayCall = null;
        }

        [Test]
        public void PostedWorkComesBeforeDelayedAndUpdate()
        {
            var order = new List<string>();
            EditorApplication.update += () => order.Add("update");
            EditorApplication.delayCall += () => order.Add("delayed");
            var thread = new Thread(() => EditorLoop.Context.Post(s => order.Add("posted"), null));
            thread.Start();
            thread.Join();
            EditorLoop.Turn();
            EditorLoop.Turn();
            Assert.AreEqual(new[] { "posted", "delayed", "update", "update" }, order);
        }

        [Test]
        public void AnIdleUpdateAllocatesNothing()
        {
            int updates = 0;
            EditorApplication.update += () => updates++;
            EditorLoop.Turn();
            UpdateLog.Clear();
            for (int i = 0; i < 100; i++)
                EditorLoop.Turn();
            Assert.AreEqual(101, updates);
            Assert.AreEqual(100, UpdateLog.SummedUpdates);
            Assert.AreEqual(0, UpdateLog.SummedBytes);
        }

        [Test]
        public void AllocationsOfAnUpdateAreCounted()
        {
            object kept = null;
            EditorApplication.update += () => kept = new byte[1000];
            EditorLoop.Turn();
            UpdateLog.Clear();
            EditorLoop.Turn();
            Assert.That(UpdateLog.SummedBytes, Is.InRange(1000, 1100));
            Assert.AreEqual(1, UpdateLog.Allocating);
            Assert.IsNotNull(kept);
        }

        [Test]
        public void AnExceptionGoesToTheConsole()
        {
            LogAssert.Expect(LogType.Exception, "InvalidOperationException: in an update");
            EditorApplication.update += () => { throw new InvalidOperationException("in an update"); };
            EditorLoop.Turn();
        }

        [Test]
        public void EventsComeOncePerUpdate()
        {
            int changes = 0;
            Action count = () => changes++;
            EditorApplication.hierarchyChanged += count;
            EditorEvents.HierarchyChanged();
            EditorEvents.HierarchyChanged();
            EditorLoop.Turn();
            EditorLoop.Turn();
            EditorApplication.hierarchyChanged -= count;
            Assert.AreEqual(1, changes);
        }

        [Test]
        public void LogsOfOtherThreadsReachTheThreadedCallbackOnly()
        {
            var here = new List<string>();
            var anywhere = new List<string>();
            Application.LogCallback mine = (m, s, t) => here.Add(m);
            Application.LogCallback threaded = (m, s, t) => anywhere.Add(m);
            Application.logMessageReceived += mine;
            Application.logMessageReceivedThreaded += threaded;
            var thread = new Thread(() => Debug.Log("there"));
            thread.Start();
            thread.Join();
            Debug.Log("here");
            Application.logMessageReceived -= mine;
            Application.logMessageReceivedThreaded -= threaded;
            Assert.AreEqual(new[] { "here" }, here);
            Assert.AreEqual(new[] { "there", "here" }, anywhere);
        }

        [Test]
        public void CompileErrorsStopPlayMode()
        {
            var states = new List<PlayModeStateChange>();
            Action<PlayModeStateChange> note = states.Add;
            EditorApplication.playModeStateChanged += note;
            LogAssert.Expect(LogType.Error, "All compiler errors have to be fixed before you can enter playmode!");
            Compilation.HasErrors = true;
            EditorApplication.isPlaying = true;
            EditorLoop.Turn();
            Compilation.HasErrors = false;
            EditorApplication.playModeStateChanged -= note;
            Assert.IsFalse(EditorApplication.isPlayingOrWillChangePlaymode);
            Assert.AreEqual(0, states.Count);
        }

        [Test]
        public void SessionStateRequiresTheMainThread()
        {
            Exception thrown = null;
            var thread = new Thread(() => thrown = Assert.Catch<UnityException>(() => SessionState.GetInt("a", 0)));
            thread.Start();
            thread.Join();
            Assert.IsNotNull(thrown);
            SessionState.SetString("a", "text");
            SessionState.SetInt("a", 3);
            Assert.AreEqual("text", SessionState.GetString("a", ""));
            Assert.AreEqual(3, SessionState.GetInt("a", 0));
            SessionState.EraseInt("a");
            Assert.AreEqual(0, SessionState.GetInt("a", 0));
        }

        [Test]
        public void JsonOfTheStandIn()
        {
            string text = "{\"a\":[1,-2.5,true,null],\"b\":\"\\u0001\\\"\"}";
            Assert.AreEqual(text, Standin.Json.Write(Standin.Json.Read(text)));
            foreach (string invalid in new[] { "", "{", "[1,]", "{\"a\"}", "\"a", "nul", "1 2" })
                Assert.Throws<FormatException>(() => Standin.Json.Read(invalid), invalid);
        }
    }
}
