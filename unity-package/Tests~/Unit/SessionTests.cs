using System;
using System.Collections.Generic;
using System.Threading;
using NUnit.Framework;

namespace Multiverse.Editor.Tests
{
    /// <summary>The protocol, and that every call is executed once, whatever happens to the
    /// connection.</summary>
    public class SessionTests
    {
        SessionHarness harness;
        FakeTool quick, endless, surviving;
        FakeJobTool jobs;
        bool isReleased;

        [SetUp]
        public void SetUp()
        {
            harness = new SessionHarness();
            isReleased = false;
            Toolbox.Add(quick = new FakeTool("t_quick", Quick));
            Toolbox.Add(endless = new FakeTool("t_endless", Endless));
            Toolbox.Add(new FakeTool("t_broken", Broken));
            Toolbox.Add(new FakeTool("t_failing", Failing));
            Toolbox.Add(surviving = new FakeTool("t_surviving", Forever, Survive));
            Toolbox.Add(jobs = new FakeJobTool("t_job"));
        }

        [TearDown]
        public void TearDown() { harness.Dispose(); }

        static IEnumerator<Pause> Quick(ToolCall call)
        {
            yield return Pause.Step;
            FakeTool.Answer(call, call.Arguments.GetString("say", "done"));
        }

        IEnumerator<Pause> Endless(ToolCall call)
        {
            while (!isReleased)
                yield return Pause.NextUpdate;
            FakeTool.Answer(call, "released");
        }

        static IEnumerator<Pause> Broken(ToolCall call)
        {
            yield return Pause.Step;
            throw new InvalidOperationException("a fault");
        }

        static IEnumerator<Pause> Failing(ToolCall call)
        {
            yield return Pause.Step;
            throw new ToolError("ERR_NOT_SO", "words", "{\"more\":1}");
        }

        static IEnumerator<Pause> Forever(ToolCall call)
        {
            call.Memo = "begun";
            while (true)
                yield return Pause.NextUpdate;
        }

        static IEnumerator<Pause> Survive(ToolCall call)
        {
            yield return Pause.NextUpdate;
            FakeTool.Answer(call, call.Memo + " and " + call.Arguments.GetString("say", ""));
        }

        static string AnswerOf(JsonValue result)
        {
            Assert.AreEqual("ok", result.GetString("status", ""), result.Get("error").GetString("message", ""));
            return result.Get("result").GetString("answer", "");
        }

        [Test]
        public void ACallIsAnswered()
        {
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome();
                c.Send("{\"type\":\"capability\",\"protocol_version\":1,\"tools\":[]}");
                var names = new List<string>();
                foreach (JsonValue tool in c.Read("capability").Get("tools").Items)
                    names.Add(tool.GetString("name", ""));
                CollectionAssert.Contains(names, "t_quick");
                CollectionAssert.Contains(names, "t_job");
                c.Send(SessionHarness.Execute("r1", "t_quick", "{\"say\":\"hi\"}"));
                JsonValue result = c.Read("result");
                Assert.AreEqual("r1", result.GetString("request_id", ""));
                Assert.AreEqual("hi", AnswerOf(result));
            });
        }

        [Test]
        public void ErrorsAreAnswered()
        {
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome();
                c.Send(SessionHarness.Execute("r1", "t_failing"));
                JsonValue error = c.Read("result").Get("error");
                Assert.AreEqual("ERR_NOT_SO", error.GetString("code", ""));
                Assert.AreEqual("words", error.GetString("message", ""));
                Assert.AreEqual("not_executed", error.Get("details").GetString("execution_guarantee", ""));
                Assert.AreEqual(1, error.Get("details").GetLong("more", 0));
                c.Send(SessionHarness.Execute("r2", "t_broken"));
                error = c.Read("result").Get("error");
                Assert.AreEqual("ERR_INTERNAL", error.GetString("code", ""));
                Assert.AreEqual("System.InvalidOperationException: a fault", error.GetString("message", ""));
                Assert.IsFalse(error.Get("details").Has("execution_guarantee"));
                c.Send(SessionHarness.Execute("r3", "t_nothing"));
                error = c.Read("result").Get("error");
                Assert.AreEqual("ERR_UNKNOWN_COMMAND", error.GetString("code", ""));
                Assert.AreEqual("this editor has no tool t_nothing", error.GetString("message", ""));
                c.Send("{\"type\":\"execute\",\"request_id\":\"r4\"}");
                Assert.AreEqual("r4", c.Read("error").GetString("request_id", ""));
                c.Send("{\"type\":\"dance\"}");
                Assert.AreEqual("ERR_UNKNOWN_COMMAND", c.Read("error").Get("error").GetString("code", ""));
                c.Send("[]");
                Assert.AreEqual("ERR_UNKNOWN_COMMAND", c.Read("error").Get("error").GetString("code", ""));
            });
        }

        [Test]
        public void ATooLargeAnswerBecomesAnError()
        {
            Toolbox.Add(new FakeTool("t_large", call => Large(call)));
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome(",\"max_message_bytes\":5000");
                c.Send(SessionHarness.Execute("r1", "t_large"));
                JsonValue error = c.Read("result").Get("error");
                Assert.AreEqual("ERR_RESPONSE_TOO_LARGE", error.GetString("code", ""));
                StringAssert.Contains("5000", error.GetString("message", ""));
                StringAssert.Contains("t_large", error.GetString("message", ""));
            });
        }

        static IEnumerator<Pause> Large(ToolCall call)
        {
            yield return Pause.Step;
            FakeTool.Answer(call, new string('\u20ac', 2000));
        }

        [Test]
        public void CallsRunOneAfterTheOther()
        {
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome();
                c.Send(SessionHarness.Execute("r1", "t_endless"));
                c.Send(SessionHarness.Execute("r2", "t_quick"));
                c.Sync(); /* both have arrived */
                harness.OnMain(() => Assert.AreEqual(0, quick.Runs));
                harness.OnMain(() => isReleased = true);
                Assert.AreEqual("r1", c.Read("result").GetString("request_id", ""));
                Assert.AreEqual("r2", c.Read("result").GetString("request_id", ""));
            });
        }

        [Test]
        public void AQueuedCallCanBeCancelled()
        {
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome();
                c.Send(SessionHarness.Execute("r1", "t_endless"));
                c.Send(SessionHarness.Execute("r2", "t_quick"));
                c.Send("{\"type\":\"cancel\",\"target_request_id\":\"r2\"}");
                JsonValue result = c.Read("cancel_result");
                Assert.AreEqual("r2", result.GetString("target_request_id", ""));
                Assert.AreEqual("cancelled", result.GetString("status", ""));
                c.Send("{\"type\":\"cancel\",\"target_request_id\":\"r1\"}");
                Assert.AreEqual("rejected", c.Read("cancel_result").GetString("status", ""));
                c.Send("{\"type\":\"cancel\",\"target_request_id\":\"nobody\"}");
                Assert.AreEqual("rejected", c.Read("cancel_result").GetString("status", ""));
                harness.OnMain(() => isReleased = true);
                Assert.AreEqual("r1", c.Read("result").GetString("request_id", ""));
                c.Send(SessionHarness.Execute("r3", "t_quick"));
                Assert.AreEqual("r3", c.Read("result").GetString("request_id", ""));
                Assert.AreEqual(1, quick.Runs);
            });
        }

        [Test]
        public void AnExpiredCallIsNotBegun()
        {
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome();
                c.Send(SessionHarness.Execute("r1", "t_endless"));
                c.Send(SessionHarness.Execute("r2", "t_quick", "{}", 1));
                c.Sync();
                long end = Clock.NowMs + 2;
                harness.OnMain(() => { while (Clock.NowMs < end) Thread.Yield(); isReleased = true; });
                c.Send(SessionHarness.Execute("r3", "t_quick"));
                Assert.AreEqual("r1", c.Read("result").GetString("request_id", ""));
                Assert.AreEqual("r3", c.Read("result").GetString("request_id", ""));
                Assert.AreEqual(1, quick.Runs);
            });
        }

        [Test]
        public void TheSameRequestIsNotExecutedTwice()
        {
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome();
                c.Send(SessionHarness.Execute("r1", "t_quick"));
                c.Read("result");
                c.Send(SessionHarness.Execute("r1", "t_quick"));
                c.Send(SessionHarness.Execute("r2", "t_quick"));
                Assert.AreEqual("r2", c.Read("result").GetString("request_id", ""));
                Assert.AreEqual(2, quick.Runs);
            });
        }

        [Test]
        public void ALostAnswerIsResent()
        {
            harness.Start();
            harness.Play(
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Execute("r1", "t_quick"));
                    c.Read("result"); /* the test reads it as if the server had not */
                },
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Resume("\"r1\",\"r9\"", ""));
                    Assert.AreEqual("done", AnswerOf(c.Read("result")));
                    JsonValue error = c.Read("error");
                    Assert.AreEqual("r9", error.GetString("request_id", ""));
                    Assert.AreEqual("ERR_UNKNOWN_REQUEST", error.Get("error").GetString("code", ""));
                    Assert.AreEqual(1, quick.Runs);
                });
        }

        [Test]
        public void ACallThatEndsWhileDisconnectedIsAnsweredLater()
        {
            harness.Start();
            harness.Play(
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Execute("r1", "t_endless"));
                    c.Sync();
                },
                c =>
                {
                    c.Welcome();
                    harness.OnMain(() => isReleased = true);
                    harness.OnMain(harness.Turn);
                    c.Send(SessionHarness.Resume("\"r1\"", ""));
                    Assert.AreEqual("released", AnswerOf(c.Read("result")));
                    StringAssert.DoesNotContain("result", c.Sync());
                    Assert.AreEqual(1, endless.Runs);
                });
        }

        [Test]
        public void ARunningCallIsAnsweredOnce()
        {
            harness.Start();
            harness.Play(
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Execute("r1", "t_endless"));
                    c.Sync();
                },
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Resume("\"r1\"", ""));
                    StringAssert.DoesNotContain("result", c.Sync());
                    harness.OnMain(() => isReleased = true);
                    Assert.AreEqual("released", AnswerOf(c.Read("result")));
                });
        }

        [Test]
        public void ACallOfADisconnectedServerIsNotBegun()
        {
            harness.Start();
            harness.Play(
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Execute("r1", "t_endless"));
                    c.Send(SessionHarness.Execute("r2", "t_quick"));
                    c.Sync();
                },
                c =>
                {
                    c.Welcome();
                    harness.OnMain(() => isReleased = true);
                    c.Send(SessionHarness.Execute("r3", "t_quick", "{\"say\":\"new\"}"));
                    JsonValue result = c.Read("result");
                    Assert.AreEqual("r3", result.GetString("request_id", ""), "nobody here asked for the others");
                    Assert.AreEqual(1, quick.Runs);
                });
        }

        [Test]
        public void TheStatusPrecedesTheAnswerThatChangedIt()
        {
            Toolbox.Add(new FakeTool("t_dirty", Dirty));
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome();
                c.Read("editor_status");
                c.Send(SessionHarness.Execute("r1", "t_dirty"));
                JsonValue first = c.ReadMessage();
                Assert.AreEqual("editor_status", first.GetString("type", ""));
                Assert.IsTrue(first.GetBool("is_paused", false));
                Assert.AreEqual("result", c.ReadMessage().GetString("type", ""));
                harness.OnMain(() => UnityEditor.EditorApplication.isPaused = false);
                Assert.IsFalse(c.Read("editor_status").GetBool("is_paused", true));
            });
        }

        static IEnumerator<Pause> Dirty(ToolCall call)
        {
            UnityEditor.EditorApplication.isPaused = true;
            FakeTool.Answer(call, "dirty");
            yield break;
        }

        /* ---- domain reloads */

        [Test]
        public void ARunningCallIsFinishedBeforeAReload()
        {
            int steps = 0;
            Toolbox.Add(new FakeTool("t_steps", call => Steps(call, () => steps++)));
            harness.Start();
            harness.Play(
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Execute("r1", "t_steps"));
                    c.Sync();
                    var server = new Thread(() => { c.ReadToEnd(); c.SendClose(1000, ""); c.Dispose(); });
                    server.Start();
                    harness.OnMain(harness.Reload);
                    server.Join();
                    Assert.AreEqual(100, steps);
                },
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Resume("\"r1\"", ""));
                    Assert.AreEqual("stepped", AnswerOf(c.Read("result")));
                    Assert.AreEqual(100, steps);
                });
        }

        static IEnumerator<Pause> Steps(ToolCall call, Action step)
        {
            for (int i = 0; i < 100; i++)
            {
                step();
                yield return Pause.NextUpdate;
            }
            FakeTool.Answer(call, "stepped");
        }

        [Test]
        public void AnUnfinishedCallIsAnErrorBeforeAReload()
        {
            harness.Start();
            harness.Play(
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Execute("r1", "t_endless"));
                    c.Sync();
                    harness.OnMain(() =>
                    {
                        long start = Clock.NowMs;
                        harness.Reload();
                        Assert.Less(Clock.NowMs - start, 600, "a reload waits for nobody");
                    });
                    JsonValue status = c.Read("editor_status");
                    while (status.GetString("state", "") != "reloading")
                        status = c.Read("editor_status");
                },
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Resume("\"r1\"", ""));
                    JsonValue error = c.Read("result").Get("error");
                    Assert.AreEqual("ERR_INTERRUPTED", error.GetString("code", ""));
                    Assert.IsFalse(error.Get("details").Has("execution_guarantee"));
                    Assert.AreEqual(1, endless.Runs);
                });
        }

        [Test]
        public void ASurvivingCallIsContinuedAfterAReload()
        {
            harness.Start();
            harness.Play(
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Execute("r1", "t_surviving", "{\"say\":\"ended\"}"));
                    c.Sync();
                    harness.OnMain(harness.Reload);
                },
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Resume("\"r1\"", ""));
                    Assert.AreEqual("begun and ended", AnswerOf(c.Read("result")));
                    Assert.AreEqual(1, surviving.Runs);
                });
        }

        [Test]
        public void ASurvivingCallSurvivesTwoReloads()
        {
            harness.Start();
            harness.Play(
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Execute("r1", "t_surviving", "{\"say\":\"ended\"}"));
                    c.Sync();
                    harness.OnMain(() => { harness.Reload(); harness.Reload(); });
                },
                c =>
                {
                    try { c.Welcome(); } /* the connection of the first reload, if there was one */
                    catch (System.IO.IOException) { }
                },
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Resume("\"r1\"", ""));
                    Assert.AreEqual("begun and ended", AnswerOf(c.Read("result")));
                });
        }

        [Test]
        public void AQueuedCallBeginsAfterAReload()
        {
            harness.Start();
            harness.Play(
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Execute("r1", "t_endless"));
                    c.Send(SessionHarness.Execute("r2", "t_quick", "{\"say\":\"kept\"}"));
                    c.Send(SessionHarness.Submit("r3", "j3", "t_job"));
                    c.Send(SessionHarness.Execute("r4", "t_quick"));
                    c.Sync();
                    harness.OnMain(harness.Reload);
                },
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Resume("\"r2\",\"r3\"", "\"j3\""));
                    JsonValue queued = c.Read("job_status");
                    Assert.AreEqual("queued", queued.GetString("state", ""));
                    Assert.AreEqual("kept", AnswerOf(c.Read("result")));
                    Assert.AreEqual("accepted", c.Read("submit_job_result").GetString("status", ""));
                    Assert.AreEqual("running", c.Read("job_status").GetString("state", ""));
                    Assert.AreEqual(1, quick.Runs, "r4 is not wanted any more");
                    Assert.AreEqual(1, jobs.Begun.Count);
                });
        }

        /* A message that the server sent while the editor was closing. */
        [Test]
        public void MessagesReceivedWhileClosingAreKept()
        {
            harness.Start();
            harness.Play(
                c =>
                {
                    c.Welcome();
                    c.Sync();
                    var server = new Thread(() =>
                    {
                        c.ReadToEnd();
                        c.Send(SessionHarness.Execute("r1", "t_quick", "{\"say\":\"in time\"}"));
                        c.SendClose(1000, "");
                        c.Dispose();
                    });
                    server.Start();
                    harness.OnMain(harness.Reload);
                    server.Join();
                },
                c =>
                {
                    c.Welcome();
                    Assert.AreEqual(0, quick.Runs);
                    c.Send(SessionHarness.Resume("\"r1\"", ""));
                    Assert.AreEqual("in time", AnswerOf(c.Read("result")));
                });
        }

        /* ---- jobs */

        [Test]
        public void AJobIsAcceptedBeforeItsProgressIsSent()
        {
            jobs.OnBegin = job => { job.Start(); job.Progress(1, 2, "A"); job.Succeed("{\"n\":1}"); };
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome();
                c.Read("editor_status");
                c.Send(SessionHarness.Submit("r1", "j1", "t_job"));
                JsonValue accepted = c.ReadMessage();
                Assert.AreEqual("submit_job_result", accepted.GetString("type", ""));
                Assert.AreEqual("accepted", accepted.GetString("status", ""));
                Assert.AreEqual("j1", accepted.GetString("job_id", ""));
                JsonValue status = c.ReadMessage();
                Assert.AreEqual("job_status", status.GetString("type", ""));
                Assert.AreEqual("succeeded", status.GetString("state", ""));
                Assert.AreEqual(1, status.Get("result").GetLong("n", 0));
                Assert.AreEqual("A", status.Get("progress").GetString("current", ""));
            });
        }

        [Test]
        public void AJobThatCannotBeginIsRejected()
        {
            jobs.OnBegin = job => { job.Start(); throw new ToolError("ERR_NO_TESTS", "none"); };
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome();
                c.Send(SessionHarness.Submit("r1", "j1", "t_job"));
                JsonValue rejected = c.Read("submit_job_result");
                Assert.AreEqual("rejected", rejected.GetString("status", ""));
                Assert.AreEqual("ERR_NO_TESTS", rejected.Get("error").GetString("code", ""));
                c.Send("{\"type\":\"get_job_status\",\"job_id\":\"j1\"}");
                JsonValue error = c.Read("error");
                Assert.AreEqual("ERR_JOB_NOT_FOUND", error.Get("error").GetString("code", ""));
                Assert.AreEqual("j1", error.GetString("job_id", ""));
                c.Send(SessionHarness.Submit("r2", "j2", "t_nothing"));
                Assert.AreEqual("ERR_UNKNOWN_COMMAND", c.Read("submit_job_result").Get("error").GetString("code", ""));
            });
        }

        [Test]
        public void AJobSurvivesAReload()
        {
            harness.Start();
            harness.Play(
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Submit("r1", "j1", "t_job"));
                    c.Read("submit_job_result");
                    harness.OnMain(() => { jobs.Begun[0].Memo = "memo"; jobs.Begun[0].Progress(3, 9, "C"); });
                    harness.OnMain(harness.Reload);
                },
                c =>
                {
                    c.Welcome();
                    c.Send(SessionHarness.Resume("", "\"j1\",\"j9\""));
                    JsonValue status = c.Read("job_status");
                    Assert.AreEqual("running", status.GetString("state", ""));
                    Assert.AreEqual(3, status.Get("progress").GetLong("done", 0));
                    Assert.AreEqual("ERR_JOB_NOT_FOUND", c.Read("error").Get("error").GetString("code", ""));
                    harness.OnMain(() =>
                    {
                        Assert.AreEqual(1, jobs.Continued.Count);
                        Assert.AreEqual("memo", jobs.Continued[0].Memo);
                        jobs.Continued[0].Fail("ERR_X", "it broke");
                    });
                    status = c.Read("job_status");
                    Assert.AreEqual("failed", status.GetString("state", ""));
                    Assert.AreEqual("ERR_X", status.Get("error").GetString("code", ""));
                    Assert.IsFalse(status.Get("error").Get("details").Has("execution_guarantee"));
                });
        }

        [Test]
        public void AJobCanBeCancelled()
        {
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome();
                c.Send(SessionHarness.Submit("r1", "j1", "t_job"));
                c.Read("submit_job_result");
                c.Send("{\"type\":\"cancel\",\"target_job_id\":\"j1\"}");
                Assert.AreEqual("cancel_requested", c.Read("cancel_result").GetString("status", ""));
                harness.OnMain(() => jobs.Stopped[0].Cancelled());
                Assert.AreEqual("cancelled", c.Read("job_status").GetString("state", ""));
                foreach (string id in new[] { "j1", "j9" })
                {
                    c.Send("{\"type\":\"cancel\",\"target_job_id\":\"" + id + "\"}");
                    Assert.AreEqual("rejected", c.Read("cancel_result").GetString("status", ""));
                }
            });
        }

        [Test]
        public void AQueuedJobIsCancelledAtOnce()
        {
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome();
                c.Send(SessionHarness.Execute("r1", "t_endless"));
                c.Send(SessionHarness.Submit("r2", "j2", "t_job"));
                c.Send("{\"type\":\"cancel\",\"target_job_id\":\"j2\"}");
                Assert.AreEqual("cancelled", c.Read("cancel_result").GetString("status", ""));
                harness.OnMain(() => isReleased = true);
                c.Read("result");
                c.Send(SessionHarness.Execute("r3", "t_quick"));
                c.Read("result");
                Assert.AreEqual(0, jobs.Begun.Count);
            });
        }

        [Test]
        public void ATooLargeJobResultIsAnError()
        {
            jobs.OnBegin = job => job.Succeed("{\"t\":\"" + new string('x', 6000) + "\"}");
            harness.Start();
            harness.Play(c =>
            {
                c.Welcome(",\"max_message_bytes\":5000");
                c.Send(SessionHarness.Submit("r1", "j1", "t_job"));
                JsonValue status = c.Read("job_status");
                Assert.AreEqual("failed", status.GetString("state", ""));
                Assert.AreEqual("ERR_RESPONSE_TOO_LARGE", status.Get("error").GetString("code", ""));
            });
        }
    }
}
