using System;
using System.Collections.Generic;
using System.Diagnostics;
using NUnit.Framework;

namespace Multiverse.Editor.Tests
{
    /// <summary>Calls that run in slices.</summary>
    public class PumpTests
    {
        static Pump Begin(Func<ToolCall, IEnumerator<Pause>> run)
        {
            Toolbox.Add(new FakeTool("t_pump", run));
            var pump = new Pump();
            pump.Begin(new Call("r1", null, "t_pump", JsonValue.None, 0, long.MaxValue));
            return pump;
        }

        static string Text(Pump pump) { return pump.TakeAnswer().ToText(int.MaxValue); }

        static void Spin(double ms)
        {
            Stopwatch watch = Stopwatch.StartNew();
            while (watch.Elapsed.TotalMilliseconds < ms)
            {
            }
        }

        static IEnumerator<Pause> Long(ToolCall call)
        {
            for (int i = 0; i < 60; i++)
            {
                Spin(1);
                yield return Pause.Step;
            }
            FakeTool.Answer(call, "done");
        }

        [Test]
        public void ALongCallTakesSeveralUpdates()
        {
            Pump pump = Begin(Long);
            int slices = 1;
            while (!pump.Run(Pump.SliceMs))
                slices++;
            Assert.GreaterOrEqual(slices, 60 / (Pump.SliceMs + 1));
            StringAssert.Contains("done", Text(pump));
            Assert.IsNull(pump.Call);
        }

        [Test]
        public void AShortCallTakesOne()
        {
            Pump pump = Begin(call => Short(call, 1000));
            Assert.IsTrue(pump.Run(1000));
        }

        static IEnumerator<Pause> Short(ToolCall call, int steps)
        {
            for (int i = 0; i < steps; i++)
                yield return Pause.Step;
            FakeTool.Answer(call, "done");
        }

        static IEnumerator<Pause> Waits(ToolCall call)
        {
            yield return Pause.NextUpdate;
            yield return Pause.NextUpdate;
            FakeTool.Answer(call, "done");
        }

        [Test]
        public void AWaitEndsTheSlice()
        {
            Pump pump = Begin(Waits);
            Assert.IsFalse(pump.Run(1000));
            Assert.IsTrue(pump.IsPausing);
            Assert.IsFalse(pump.Run(1000));
            Assert.IsTrue(pump.Run(1000));
        }

        [Test]
        public void PausesAreIgnoredBeforeAReload()
        {
            Pump pump = Begin(Waits);
            pump.RunToEnd(1000);
            StringAssert.Contains("done", Text(pump));
        }

        static JsonValue Error(Pump pump)
        {
            Assert.IsTrue(pump.Run(1000));
            return JsonReader.Read(Text(pump)).Get("error");
        }

        static IEnumerator<Pause> WithCleanUp(ToolCall call, Action cleanUp)
        {
            try
            {
                yield return Pause.Step;
                throw new ToolError("ERR_X", "words");
            }
            finally
            {
                cleanUp();
            }
        }

        [Test]
        public void EveryExceptionBecomesAnAnswer()
        {
            Assert.AreEqual("ERR_INTERNAL", Error(Begin(call => { throw new DivideByZeroException(); }))
                                            .GetString("code", ""));
            Assert.AreEqual("ERR_X", Error(Begin(call => { throw new ToolError("ERR_X", ""); })).GetString("code", ""));
            Assert.AreEqual("ERR_INTERNAL", Error(Begin(call => null)).GetString("code", ""));
            Assert.AreEqual("ERR_INTERNAL", Error(Begin(call => Silent())).GetString("code", ""));
            bool cleaned = false;
            Assert.AreEqual("ERR_X", Error(Begin(call => WithCleanUp(call, () => cleaned = true)))
                                     .GetString("code", ""));
            Assert.IsTrue(cleaned);
            Assert.AreEqual("ERR_INTERNAL", Error(Begin(call => WithCleanUp(call, () => { throw new Exception("x"); })))
                                            .GetString("code", ""));
        }

        static IEnumerator<Pause> Silent() { yield break; }

        static IEnumerator<Pause> Reentrant(ToolCall call, Action inside)
        {
            yield return Pause.Step;
            inside();
            FakeTool.Answer(call, "late");
        }

        /* A domain reload that begins inside a tool: the call is answered, and its later steps
           are dropped. */
        [Test]
        public void AReloadInsideAToolIsAnswered()
        {
            Pump pump = null;
            string answer = null;
            pump = Begin(call => Reentrant(call, () =>
            {
                Assert.IsFalse(pump.OutlivesReload);
                pump.RunToEnd(10);
                answer = Text(pump);
            }));
            Assert.IsFalse(pump.Run(1000));
            StringAssert.Contains("ERR_INTERRUPTED", answer);
            Assert.IsNull(pump.Call);
        }
    }
}
