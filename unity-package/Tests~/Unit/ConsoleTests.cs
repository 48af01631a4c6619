using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using NUnit.Framework;

namespace Multiverse.Editor.Tests
{
    /// <summary>The console of read_console, without an editor.</summary>
    public class ConsoleTests
    {
        const string Id = "5fd3a1b2";

        static ConsoleBuffer Filled(params string[] messages)
        {
            var console = new ConsoleBuffer(Id, 0);
            foreach (string message in messages)
                console.Add(new ConsoleEntry(ConsoleType.Log, message, ""));
            return console;
        }

        static JsonValue Read(ConsoleBuffer console, string arguments)
        {
            var call = new ToolCall("req-1", JsonReader.Read(arguments));
            IEnumerator<Pause> steps = new ReadConsole(console).Run(call);
            while (steps.MoveNext())
            {
            }
            return JsonReader.Read(call.Out.ToString());
        }

        static string Messages(JsonValue answer)
        {
            var messages = new List<string>();
            foreach (JsonValue e in answer.Get("entries").Items)
                messages.Add(e.GetString("message", null) + (e.Has("count") ? "*" + e.GetLong("count", 0) : ""));
            return string.Join(" ", messages.ToArray());
        }

        [Test]
        public void AFullBufferDropsTheOldestEntry()
        {
            var console = new ConsoleBuffer(Id, 0);
            for (int i = 1; i <= ConsoleBuffer.Capacity + 7; i++)
                console.Add(new ConsoleEntry(ConsoleType.Log, "m" + i, ""));
            ConsoleEntry[] all = console.Snapshot();
            Assert.AreEqual(ConsoleBuffer.Capacity, all.Length);
            Assert.AreEqual("m8", all[0].Message);
            Assert.AreEqual(8, all[0].Serial);
            Assert.AreEqual(ConsoleBuffer.Capacity + 7, console.Serial);
        }

        [Test]
        public void ManyThreadsLoseNothing()
        {
            var console = new ConsoleBuffer(Id, 0);
            var threads = new Thread[4];
            for (int t = 0; t < threads.Length; t++)
            {
                threads[t] = new Thread(() =>
                {
                    for (int i = 0; i < 1000; i++)
                        console.Add(new ConsoleEntry(ConsoleType.Log, "x", ""));
                });
                threads[t].Start();
            }
            foreach (Thread thread in threads)
                thread.Join();
            ConsoleEntry[] all = console.Snapshot();
            Assert.AreEqual(4000, all.Length);
            for (int i = 0; i < all.Length; i++)
                Assert.AreEqual(i + 1, all[i].Serial);
        }

        [Test]
        public void DroppingKeepsOrderAndSerials()
        {
            ConsoleBuffer console = Filled("a", "b");
            console.Add(new ConsoleEntry(ConsoleType.Error, "c", "", "Assets/A.cs", 3, "Game.dll"));
            console.Add(new ConsoleEntry(ConsoleType.Log, "d", ""));
            console.Drop(e => e.Assembly == "Game.dll");
            console.Add(new ConsoleEntry(ConsoleType.Log, "e", ""));
            ConsoleEntry[] all = console.Snapshot();
            Assert.AreEqual(4, all.Length);
            Assert.AreEqual("d", all[2].Message);
            Assert.AreEqual(4, all[2].Serial);
            Assert.AreEqual(5, all[3].Serial);
        }

        [Test]
        public void TextsAreCutBetweenCharacters()
        {
            string face = char.ConvertFromUtf32(0x1f600);
            var e = new ConsoleEntry(ConsoleType.Log, new string('a', 4094) + face, new string('\u00e4', 3000));
            Assert.AreEqual(4094, e.Message.Length);
            Assert.AreEqual(2048, e.StackTrace.Length);
            e = new ConsoleEntry(ConsoleType.Log, new string('a', 4092) + face, "");
            Assert.AreEqual(4096, Utf8.Count(e.Message));
        }

        [Test]
        public void AFileRestoresTheConsole()
        {
            ConsoleBuffer console = Filled("a", "b\u00e4\n\0");
            console.Add(new ConsoleEntry(ConsoleType.Error, "c", "at x", "Assets/A.cs", 3, "Game.dll"));
            var file = new MemoryStream();
            console.Handover(all => ConsoleFile.Write(file, Id, all), e => ConsoleFile.Append(file, e));
            console.Add(new ConsoleEntry(ConsoleType.Exception, "late", ""));
            file.Position = 0;
            var next = new ConsoleBuffer(Id, 3);
            Assert.IsTrue(ConsoleFile.Read(file, next));
            ConsoleEntry[] before = console.Snapshot(), after = next.Snapshot();
            Assert.AreEqual(4, after.Length);
            for (int i = 0; i < after.Length; i++)
            {
                Assert.AreEqual(before[i].Message, after[i].Message);
                Assert.AreEqual(before[i].StackTrace, after[i].StackTrace);
                Assert.AreEqual(before[i].File, after[i].File);
                Assert.AreEqual(before[i].Assembly, after[i].Assembly);
                Assert.AreEqual(before[i].Line, after[i].Line);
                Assert.AreEqual(before[i].Type, after[i].Type);
                Assert.AreEqual(before[i].Time, after[i].Time);
                Assert.AreEqual(before[i].Serial, after[i].Serial);
            }
            Assert.AreEqual(4, next.Serial);
        }

        [Test]
        public void ADamagedFileIsReadUpToTheDamage()
        {
            ConsoleBuffer console = Filled("first", "second", "third");
            var file = new MemoryStream();
            ConsoleFile.Write(file, Id, console.Snapshot());
            byte[] bytes = file.ToArray();
            for (int n = 0; n <= bytes.Length; n++) /* truncated anywhere */
            {
                var next = new ConsoleBuffer(Id, 0);
                ConsoleFile.Read(new MemoryStream(bytes, 0, n), next);
                ConsoleEntry[] all = next.Snapshot();
                for (int i = 0; i < all.Length; i++)
                    Assert.AreEqual(console.Snapshot()[i].Message, all[i].Message);
                Assert.IsTrue(n < bytes.Length ? all.Length < 3 : all.Length == 3, "cut at " + n);
            }
            /* one damaged byte: no exception, and no additional entries */
            for (int n = 0; n < bytes.Length; n++)
            {
                byte[] damaged = (byte[])bytes.Clone();
                damaged[n] ^= 0xff;
                var next = new ConsoleBuffer(Id, 0);
                ConsoleFile.Read(new MemoryStream(damaged), next);
                Assert.IsTrue(next.Snapshot().Length <= 3);
            }
        }

        [Test]
        public void AFileOfAnotherConsoleIsIgnored()
        {
            var file = new MemoryStream();
            ConsoleFile.Write(file, "00000000", Filled("a").Snapshot());
            file.Position = 0;
            var next = new ConsoleBuffer(Id, 0);
            Assert.IsFalse(ConsoleFile.Read(file, next));
            Assert.AreEqual(0, next.Snapshot().Length);
        }

        [Test]
        public void AFileHasAMaximumSize()
        {
            var console = new ConsoleBuffer(Id, 0);
            string text = new string('x', 4000);
            for (int i = 0; i < ConsoleBuffer.Capacity; i++)
                console.Add(new ConsoleEntry(ConsoleType.Log, text, text));
            var file = new MemoryStream();
            ConsoleFile.Write(file, Id, console.Snapshot());
            Assert.IsTrue(file.Length <= ConsoleFile.MaxBytes + 64);
            file.Position = 0;
            var next = new ConsoleBuffer(Id, 0);
            Assert.IsTrue(ConsoleFile.Read(file, next));
            Assert.AreEqual(ConsoleBuffer.Capacity, next.Serial); /* the newest entries are kept */
        }

        [Test]
        public void EntriesAreNewestFirstAndDeduplicated()
        {
            ConsoleBuffer console = Filled("a", "b", "b", "b", "a");
            JsonValue answer = Read(console, "{}");
            Assert.AreEqual("a b*3 a", Messages(answer));
            Assert.AreEqual(3, answer.GetLong("total_count", 0));
            Assert.AreEqual(5, answer.Get("type_summary").GetLong("log", 0));
            Assert.AreEqual(Id + "-5", answer.GetString("cursor", null));
            Assert.AreEqual("a b b b a", Messages(Read(console, "{\"deduplicate\":false}")));
        }

        [Test]
        public void DifferentTypesAreNotMerged()
        {
            ConsoleBuffer console = Filled("a");
            console.Add(new ConsoleEntry(ConsoleType.Warning, "a", ""));
            JsonValue answer = Read(console, "{\"log_type\":[\"warning\",\"error\"]}");
            Assert.AreEqual("a", Messages(answer));
            Assert.AreEqual(1, answer.Get("type_summary").GetLong("log", 0)); /* independent of log_type */
            Assert.AreEqual("", Messages(Read(console, "{\"log_type\":[]}")));
            Assert.AreEqual("a a", Messages(Read(console, "{}")));
        }

        [Test]
        public void PagesContinue()
        {
            ConsoleBuffer console = Filled("a", "b", "c", "d", "e");
            JsonValue first = Read(console, "{\"max_entries\":2}");
            Assert.AreEqual("e d", Messages(first));
            Assert.IsTrue(first.GetBool("truncated", false));
            Assert.AreEqual(2, first.GetLong("next_offset", 0));
            JsonValue last = Read(console, "{\"max_entries\":2,\"offset\":4}");
            Assert.AreEqual("a", Messages(last));
            Assert.IsFalse(last.Has("next_offset"));
            JsonValue counts = Read(console, "{\"max_entries\":0}");
            Assert.AreEqual(0, counts.GetLong("count", 1));
            Assert.AreEqual(5, counts.GetLong("total_count", 0));
            Assert.AreEqual("", Messages(Read(console, "{\"offset\":99999999999}")));
        }

        [Test]
        public void ACursorReturnsNewEntries()
        {
            ConsoleBuffer console = Filled("a", "b");
            string cursor = Read(console, "{}").GetString("cursor", null);
            Assert.AreEqual("", Messages(Read(console, "{\"since\":\"" + cursor + "\"}")));
            console.Add(new ConsoleEntry(ConsoleType.Log, "c", ""));
            Assert.AreEqual("c", Messages(Read(console, "{\"since\":\"" + cursor + "\"}")));
            /* of an earlier run */
            Assert.AreEqual("c b a", Messages(Read(console, "{\"since\":\"00000000-2\"}")));
            foreach (string bad in new[] { "", "7", "5fd3a1b2", "5fd3a1b2-", "5fd3a1b2-x", "5fd3a1b-2", "5fd3a1b2--1" })
                Assert.AreEqual("ERR_INVALID_PARAMS", Assert.Throws<ToolError>(
                    () => Read(console, "{\"since\":\"" + bad + "\"}")).Code, bad);
        }

        [Test]
        public void AnAnswerFitsAMessage()
        {
            var console = new ConsoleBuffer(Id, 0);
            for (int i = 0; i < 2000; i++)
                console.Add(new ConsoleEntry(ConsoleType.Log, i + new string('"', 4000), ""));
            JsonValue answer = Read(console, "{\"max_entries\":2000}");
            var w = new JsonWriter();
            w.Value(answer);
            Assert.IsTrue(Utf8.Count(w.ToString()) < 800 << 10);
            Assert.IsTrue(answer.GetBool("truncated", false));
            Assert.AreEqual(answer.GetLong("count", 0), answer.GetLong("next_offset", -1));
            Assert.AreEqual(2000, answer.GetLong("total_count", 0));
        }

        [Test]
        public void ATraceBeginsAtTheLoggingFrame()
        {
            const string trace = "UnityEngine.Debug:LogWarning (object)\n" +
                                 "Game.Enemy:Update () (at Assets/Enemy.cs:31)\n" +
                                 "Game.Loop:Tick () (at Assets/Loop.cs:7)\n";
            Assert.AreEqual("Game.Enemy:Update () (at Assets/Enemy.cs:31)", ConsoleText.FirstLines(trace, 1));
            Assert.AreEqual(2, ConsoleText.FirstLines(trace, 100).Split('\n').Length);
            const string only = "UnityEngine.Debug:Log (object)";
            Assert.AreEqual(only, ConsoleText.FirstLines(only + "\n", 1));
        }

        static string Place(string message, string trace)
        {
            string file;
            int line;
            return ConsoleText.Place(new ConsoleEntry(ConsoleType.Error, message, trace), out file, out line)
                ? file + "|" + line : null;
        }

        [Test]
        public void TheSourcePositionIsFoundInMessageAndTrace()
        {
            Assert.AreEqual("Assets/A.cs|12", Place("Assets/A.cs(12,5): error CS0103: x", ""));
            Assert.AreEqual("Assets/A (1)/B.cs|7", Place("Assets/A (1)/B.cs(7,1): warning CS0168: y", ""));
            Assert.AreEqual("Assets/A/B.cs|12", Place("Assets\\A\\B.cs(12,5): error CS0103: x", ""));
            Assert.AreEqual("Assets/A.unity|3", Place("Assets/A.unity:3:1: broken", ""));
            Assert.AreEqual("Packages/p/A.cs|2", Place("Packages/p/A.cs(2,1): error CS1: z", ""));
            Assert.AreEqual("Assets/B.cs|9", Place("boom", "X () (at Packages/p/A.cs:1)\nB.C () (at Assets/B.cs:9)\n"));
            Assert.AreEqual("Assets/B.cs|9", Place("boom", "  at B.C () [0x00001] in /games/P/Assets/B.cs:9 \n"));
            Assert.AreEqual(null, Place("Assets/A.png is large", "X:Y ()\n"));
            Assert.AreEqual(null, Place("Assets/ (", ""));
            Assert.AreEqual(null, Place("", ""));
        }

        [Test]
        public void CompilerMessagesAreRecognised()
        {
            Assert.IsTrue(ConsoleText.IsCompilerMessage("Assets/A.cs(12,5): error CS0103: The name 'x'"));
            Assert.IsTrue(ConsoleText.IsCompilerMessage("Packages/p/A.cs(1,1): warning CS0168: y"));
            Assert.IsTrue(ConsoleText.IsCompilerMessage("Assets\\Scripts\\A (1).cs(12,5): error CS0103: The name 'x'"));
            Assert.IsTrue(ConsoleText.IsCompilerMessage("Library/PackageCache/p@1.0.0/A.cs(1,1): warning CS0168: y"));
            Assert.IsTrue(ConsoleText.IsCompilerMessage("C:\\p\\A.cs(1,1): error CS0168: y"));
            Assert.IsFalse(ConsoleText.IsCompilerMessage("Assets/A.cs(12,5): somebody says so"));
            Assert.IsFalse(ConsoleText.IsCompilerMessage("f(x): error CS: no\nA.cs(1,1): error CS0168: y"));
            Assert.IsFalse(ConsoleText.IsCompilerMessage("error CS0103: The name 'x'"));
            Assert.IsFalse(ConsoleText.IsCompilerMessage(""));
        }
    }
}
