using System;
using System.Collections;
using System.IO;
using NUnit.Framework;
using UnityEngine.TestTools;

namespace MyGame.Tests.Reloads
{
    /// <summary>Tests that record each of their runs in the file MULTIVERSE_TRACE.</summary>
    public class ReloadTests
    {
        static void Note(string what)
        {
            string path = Environment.GetEnvironmentVariable("MULTIVERSE_TRACE");
            string name = TestContext.CurrentContext.Test.FullName;
            if (!string.IsNullOrEmpty(path))
                File.AppendAllText(path, "{\"what\":\"" + what + "\",\"test\":\"" + name + "\"}\n");
        }

        static IEnumerator Wait(int updates)
        {
            Note("test begins");
            for (int update = 0; update < updates; update++)
                yield return null;
            Note("test");
        }

        [TestCase(1)]
        [TestCase(2)]
        [TestCase(3)]
        [TestCase(4)]
        [TestCase(5)]
        [TestCase(6)]
        public void Quick(int number)
        {
            Note("test");
            Assert.AreNotEqual(0, number);
        }

        [Test]
        public void Wrong()
        {
            Note("test");
            Assert.AreEqual(1, 2, "this one fails, always");
        }

        [UnityTest]
        public IEnumerator SlowA() { return Wait(10); }

        [UnityTest]
        public IEnumerator SlowB() { return Wait(30); }

        [UnityTest]
        public IEnumerator SlowC() { return Wait(60); }
    }
}
