using System;
using System.Diagnostics;
using System.IO;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using NUnit.Framework;

namespace Multiverse.Editor.Tests
{
    /// <summary>The connection, against a socket with a fake server.</summary>
    public class WireTests
    {
        static readonly Snapshot ready = new Snapshot(EditorState.Ready, "Assets/A.unity", true, false, false, 7, 3);

        FakeServer server;
        Wire wire;
        AutoResetEvent woken;
        int wakes;

        [SetUp]
        public void SetUp()
        {
            server = new FakeServer();
            woken = new AutoResetEvent(false);
            wakes = 0;
            wire = New(server.Port, "");
        }

        [TearDown]
        public void TearDown()
        {
            Assert.IsTrue(wire.Stop("the test is over", 2000, 1000), "the thread has ended");
            server.Dispose();
        }

        Wire New(int port, string tokenFile)
        {
            return new Wire(new WireOptions
            {
                Port = port,
                TokenFile = tokenFile,
                Editor = new EditorIdentity("instance", "session", "/p/Game", "2022.3.1f1"),
                Wake = () => { Interlocked.Increment(ref wakes); woken.Set(); },
                Seed = 7,
            }, ready);
        }

        WireEvent Next()
        {
            WireEvent wireEvent;
            long end = Clock.NowMs + FakeConnection.TimeoutMs;
            while (!wire.TryTake(out wireEvent))
            {
                Assert.Less(Clock.NowMs, end, "nothing happened");
                woken.WaitOne(100);
            }
            return wireEvent;
        }

        WireEvent Next(WireEventKind kind)
        {
            WireEvent wireEvent = Next();
            Assert.AreEqual(kind, wireEvent.Kind, wireEvent.Reason);
            return wireEvent;
        }

        [Test]
        public void TheHelloIsSentAndAnswered()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                StringAssert.StartsWith("GET /unity HTTP/1.1", c.Head[0]);
                Assert.IsFalse(c.Head.Exists(line => line.StartsWith("Origin:", StringComparison.OrdinalIgnoreCase)));
                JsonValue hello = c.Welcome(",\"max_message_bytes\":5000");
                Assert.AreEqual(1, hello.GetLong("protocol_version", 0));
                Assert.AreEqual("instance", hello.GetString("editor_instance_id", ""));
                Assert.AreEqual("session", hello.GetString("plugin_session_id", ""));
                Assert.AreEqual("/p/Game", hello.GetString("project_path", ""));
                Assert.AreEqual("ready", hello.GetString("state", ""));
                Assert.AreEqual("unity", hello.GetString("editor", ""));
                Assert.AreEqual("Assets/A.unity", hello.GetString("active_scene", ""));
                Assert.IsTrue(hello.GetBool("scene_dirty", false));
                WireEvent opened = Next(WireEventKind.Opened);
                Assert.AreEqual("9.9", opened.Server.Version);
                Assert.AreEqual(5000, opened.Server.MaxMessageBytes);
                Assert.AreEqual(WireState.Connected, wire.View.State);
            }
        }

        [Test]
        public void MessagesGoBothWaysInOrder()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                c.Welcome();
                int epoch = Next(WireEventKind.Opened).Epoch;
                for (int i = 0; i < 300; i++)
                    c.Send("{\"type\":\"x\",\"n\":" + i + ",\"t\":\"\u00fc\ud83d\ude00\"}");
                for (int i = 0; i < 300; i++)
                {
                    JsonValue message = Next(WireEventKind.Message).Message;
                    Assert.AreEqual(i, message.GetLong("n", -1));
                    Assert.AreEqual("\u00fc\ud83d\ude00", message.GetString("t", ""));
                    wire.Send(epoch, "{\"type\":\"y\",\"n\":" + i + "}");
                }
                for (int i = 0; i < 300; i++)
                    Assert.AreEqual(i, c.Read("y").GetLong("n", -1));
                string large = new string('x', 1 << 20);
                wire.Send(epoch, "{\"type\":\"y\",\"t\":\"" + large + "\"}");
                Assert.AreEqual(large, c.Read("y").GetString("t", ""));
            }
        }

        [Test]
        public void TheStatusIsRepeatedWithoutTheMainThread()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                c.Welcome(",\"editor_status_interval_ms\":30");
                Next(WireEventKind.Opened);
                for (int i = 1; i <= 3; i++)
                    Assert.AreEqual(i, c.Read("editor_status").GetLong("seq", 0));
                wire.Status = new Snapshot(EditorState.Compiling, null, false, true, true, 8, 4);
                JsonValue status = c.Read("editor_status");
                while (status.GetString("state", "") == "ready")
                    status = c.Read("editor_status");
                Assert.AreEqual("compiling", status.GetString("state", ""));
                Assert.IsTrue(status.Has("active_scene") && status.Get("active_scene").IsNull);
                Assert.IsTrue(status.GetBool("is_playing", false) && status.GetBool("is_paused", false));
                Assert.AreEqual(8, status.GetLong("scene_seq", -1));
                Assert.AreEqual(4, status.GetLong("console_seq", -1));
            }
        }

        [Test]
        public void MessagesForAnEndedConnectionAreDropped()
        {
            wire.Start();
            int first;
            using (FakeConnection c = server.Accept())
            {
                c.Welcome();
                first = Next(WireEventKind.Opened).Epoch;
            }
            Next(WireEventKind.Closed);
            wire.Send(first, "{\"type\":\"y\",\"n\":1}");
            using (FakeConnection c = server.Accept())
            {
                Assert.Greater(c.Welcome().GetLong("connect_attempt_seq", 0), 1);
                int second = Next(WireEventKind.Opened).Epoch;
                Assert.AreNotEqual(first, second);
                wire.Send(first, "{\"type\":\"y\",\"n\":2}");
                wire.Send(second, "{\"type\":\"y\",\"n\":3}");
                Assert.AreEqual(3, c.Read("y").GetLong("n", 0));
            }
        }

        /* Until the server has said goodbye, what it sent before is not lost. */
        [Test]
        public void StopReceivesMessagesSentBeforeTheClose()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                c.Welcome();
                int epoch = Next(WireEventKind.Opened).Epoch;
                wire.Send(epoch, "{\"type\":\"last\"}");
                bool ended = false;
                var stopper = new Thread(() => ended = wire.Stop("domain reload", 5000, 0));
                stopper.Start();
                c.Read("last");
                c.ReadToEnd();
                Assert.AreEqual(1000, c.CloseCode);
                Assert.AreEqual("domain reload", c.CloseReason);
                c.Send("{\"type\":\"late\"}");
                c.SendClose(1000, "");
                c.Dispose();
                stopper.Join();
                Assert.IsTrue(ended);
                Assert.AreEqual("late", Next(WireEventKind.Message).Message.GetString("type", ""));
                Next(WireEventKind.Closed);
            }
        }

        [Test]
        public void StopDoesNotWaitForASilentServer()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                c.Welcome();
                Next(WireEventKind.Opened);
                Stopwatch watch = Stopwatch.StartNew();
                Assert.IsTrue(wire.Stop("domain reload", 100, 2000));
                Assert.Less(watch.ElapsedMilliseconds, 1000);
            }
        }

        [Test]
        public void StopDoesNotWaitForAHandshakeThatNeverEnds()
        {
            wire.Start();
            using (server.AcceptTcp())
            {
                Stopwatch watch = Stopwatch.StartNew();
                Assert.IsTrue(wire.Stop("domain reload", 5000, 2000));
                Assert.Less(watch.ElapsedMilliseconds, 2000, "it is not connected: nothing to wait for");
            }
        }

        [Test]
        public void WithoutAServerNothingIsReported()
        {
            int port = server.Port;
            server.Dispose();
            wire.Start();
            long end = Clock.NowMs + FakeConnection.TimeoutMs;
            while (wire.View.State != WireState.Waiting)
            {
                Assert.Less(Clock.NowMs, end);
                Thread.Yield();
            }
            Assert.IsFalse(wire.HasEvents);
            Assert.AreEqual(0, wakes, "the main thread has no part in it");
            Assert.AreEqual(port, wire.View.Port);
        }

        const string otherEditor = "another editor is connected: close it";

        void Refuse()
        {
            using (FakeConnection c = server.Accept())
            {
                c.Read("hello");
                c.Send("{\"type\":\"error\",\"protocol_version\":1,\"error\":{\"code\":\"ERR_INVALID_REQUEST\"," +
                       "\"message\":\"" + otherEditor + "\"}}");
                c.SendClose(1008, otherEditor);
                c.ReadToEnd();
            }
        }

        [Test]
        public void ARefusedConnectionIsRetriedRarely()
        {
            wire.Start();
            Refuse();
            Refusal refusal = Next(WireEventKind.Refused).Refusal;
            Assert.AreEqual(RefusalCause.AnotherEditor, refusal.Cause);
            Assert.AreEqual(otherEditor, refusal.Reason);
            long end = Clock.NowMs + FakeConnection.TimeoutMs;
            while (wire.View.State != WireState.Refused && Clock.NowMs < end)
                Thread.Yield();
            Assert.Greater(wire.View.AtMs - Clock.NowMs, 3000, "the longest wait");
            Assert.AreEqual(Notices.DescribeRefusal(refusal, wire.Port), wire.View.Text,
                            "the page shows the message of the console");
        }

        [Test]
        public void TheSameRefusalIsReportedOnce()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
                c.Welcome(",\"reconnect_initial_ms\":1,\"reconnect_max_ms\":1");
            Next(WireEventKind.Opened);
            Next(WireEventKind.Closed);
            Refuse();
            Next(WireEventKind.Refused);
            Refuse();
            Refuse();
            using (FakeConnection c = server.Accept())
                c.Welcome();
            Next(WireEventKind.Opened);
        }

        [Test]
        public void AServerOfAnotherProtocolIsRefused()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                c.Read("hello");
                c.Send("{\"type\":\"hello\",\"protocol_version\":2}");
                Assert.AreEqual(RefusalCause.Protocol, Next(WireEventKind.Refused).Refusal.Cause);
            }
        }

        [TestCase("not JSON", RefusalCause.NotMultiverse)]
        [TestCase("{\"type\":\"error\",\"error\":{\"message\":\"this server is for another project: x\"}}",
                  RefusalCause.AnotherProject)]
        [TestCase("{\"type\":\"error\",\"error\":{\"message\":\"protocol_version must be 1\"}}", RefusalCause.Protocol)]
        [TestCase("{\"type\":\"error\",\"error\":{\"message\":\"I do not like you\"}}", RefusalCause.Other)]
        [TestCase("{\"type\":\"error\"}", RefusalCause.Other)]
        [TestCase("[1]", RefusalCause.Protocol)]
        public void TheFirstMessageIsClassified(string first, RefusalCause cause)
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                c.Read("hello");
                c.Send(first);
                Assert.AreEqual(cause, Next(WireEventKind.Refused).Refusal.Cause);
            }
        }

        [TestCase("401 Unauthorized", RefusalCause.Token)]
        [TestCase("404 Not Found", RefusalCause.NotMultiverse)]
        public void AnHttpResponseIsClassified(string status, RefusalCause cause)
        {
            wire.Start();
            for (int i = 0; i < 2; i++) /* the WebSocket, then the question why */
                using (var c = new FakeConnection(server.AcceptTcp()))
                {
                    c.ReadHead();
                    const string body = "{\"error\":{\"message\":\"the reason\"}}";
                    c.Answer("HTTP/1.1 " + status + "\r\nContent-Length: " + body.Length + "\r\n\r\n" + body);
                }
            Refusal refusal = Next(WireEventKind.Refused).Refusal;
            Assert.AreEqual(cause, refusal.Cause);
            Assert.AreEqual("the reason", refusal.Reason);
        }

        [Test]
        public void TheTokenIsTheFirstLineOfItsFile()
        {
            string file = Path.GetTempFileName();
            try
            {
                File.WriteAllText(file, "0123456789abcdef\nsecond line\n");
                Wire withToken = New(server.Port, file);
                withToken.Start();
                using (FakeConnection c = server.Accept())
                    Assert.IsTrue(c.Head.Contains("Authorization: Bearer 0123456789abcdef"),
                                  string.Join("\n", c.Head.ToArray()));
                Assert.IsTrue(withToken.Stop("", 1000, 1000));
            }
            finally
            {
                File.Delete(file);
            }
        }

        [Test]
        public void ATooLargeMessageClosesTheConnectionWithAReason()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                c.Welcome(",\"max_message_bytes\":4096");
                Next(WireEventKind.Opened);
                c.Send("{\"type\":\"" + new string('x', 5000) + "\"}");
                c.ReadToEnd();
                Assert.AreEqual(1009, c.CloseCode);
                StringAssert.Contains("max_message_bytes", c.CloseReason);
                StringAssert.Contains("max_message_bytes", Next(WireEventKind.Closed).Reason);
            }
        }

        [Test]
        public void InvalidUtf8ClosesTheConnection()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                c.Welcome();
                Next(WireEventKind.Opened);
                c.SendFrame(1, new byte[] { (byte)'"', 0xc3, 0x28, (byte)'"' });
                c.ReadToEnd();
                Assert.AreEqual(1007, c.CloseCode);
            }
        }

        [Test]
        public void ABinaryMessageClosesTheConnection()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                c.Welcome();
                Next(WireEventKind.Opened);
                c.SendFrame(2, Encoding.UTF8.GetBytes("{}"));
                c.ReadToEnd();
                Assert.AreEqual(1003, c.CloseCode);
            }
        }

        [Test]
        public void ANonJsonMessageIsAnsweredWithAnError()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                c.Welcome();
                Next(WireEventKind.Opened);
                c.Send("{\"type\":");
                Assert.AreEqual("ERR_INVALID_REQUEST", c.Read("error").Get("error").GetString("code", ""));
                c.Send("{\"type\":\"x\"}");
                Assert.AreEqual("x", Next(WireEventKind.Message).Message.GetString("type", ""));
            }
        }

        /* A server that sends without end is not read without end: TCP holds it back. */
        [Test]
        public void AFullInboxStopsReading()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                c.Welcome();
                Next(WireEventKind.Opened);
                string text = "{\"type\":\"x\",\"t\":\"" + new string('x', 500000) + "\"}";
                var sender = new Thread(() =>
                {
                    for (int i = 0; i < 60; i++)
                        c.Send(text);
                });
                sender.Start();
                int taken = 0;
                WireEvent wireEvent;
                while (taken < 60)
                {
                    wireEvent = Next(WireEventKind.Message);
                    Assert.AreEqual(500000, wireEvent.Message.GetString("t", "").Length);
                    taken++;
                }
                sender.Join();
            }
        }

        [Test]
        public void ANudgeWakesTheEditorAgain()
        {
            wire.Start();
            using (FakeConnection c = server.Accept())
            {
                c.Welcome();
                Next(WireEventKind.Opened);
                woken.WaitOne(0);
                int before = wakes;
                wire.Nudge();
                wire.Nudge();
                Assert.IsTrue(woken.WaitOne(FakeConnection.TimeoutMs));
                Assert.Greater(wakes, before);
            }
        }
    }
}
