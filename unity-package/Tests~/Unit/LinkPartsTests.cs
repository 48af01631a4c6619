using System.Text;
using NUnit.Framework;

namespace Multiverse.Editor.Tests
{
    /// <summary>The small parts of the connection.</summary>
    public class LinkPartsTests
    {
        [Test]
        public void DelaysGrowToTheirLimitWithinTheJitter()
        {
            var backoff = new Backoff(1);
            double expected = 200;
            for (int i = 0; i < 20; i++)
            {
                int wait = backoff.Next();
                Assert.GreaterOrEqual(wait, (int)(expected * 0.8) - 1);
                Assert.LessOrEqual(wait, (int)(expected * 1.2) + 1);
                expected = System.Math.Min(expected * 1.8, 5000);
            }
            backoff.Reset();
            Assert.LessOrEqual(backoff.Next(), 240);
            Assert.GreaterOrEqual(backoff.Longest(), 4000);
            Assert.GreaterOrEqual(backoff.Next(), 4000, "after a refusal it stays long");
        }

        [Test]
        public void AServerMaySetOtherDelays()
        {
            var backoff = new Backoff(1);
            backoff.Set(10, 2, 30, 0);
            Assert.AreEqual("10 20 30 30", backoff.Next() + " " + backoff.Next() + " " + backoff.Next() + " " +
                                           backoff.Next());
            backoff.Set(1000, 2, 30, 0);
            Assert.AreEqual(30, backoff.Next());
        }

        [Test]
        public void NumbersOfTheServerAreLimited()
        {
            var hello = new ServerHello(JsonReader.Read(
                "{\"editor_status_interval_ms\":-5,\"max_message_bytes\":1e300,\"reconnect_multiplier\":0," +
                "\"reconnect_jitter\":\"x\"}"));
            Assert.AreEqual(10, hello.StatusIntervalMs);
            Assert.AreEqual(64 << 20, hello.MaxMessageBytes);
            Assert.AreEqual(1.0, hello.ReconnectMultiplier);
            Assert.AreEqual(0.2, hello.ReconnectJitter);
            Assert.AreEqual(5000.0, hello.ReconnectMaxMs);
        }

        [Test]
        public void AnAnswerIsSentOncePerConnection()
        {
            var answers = new Answers();
            answers.Put("r1", new WireText("one"), 4);
            Assert.IsNull(answers.TakeForResend("r1", 4), "it went over this connection");
            Assert.AreEqual("one", answers.TakeForResend("r1", 5).ToText(int.MaxValue));
            Assert.IsNull(answers.TakeForResend("r1", 5));
            Assert.IsNull(answers.TakeForResend("r2", 5));
            Assert.IsTrue(answers.Has("r1"));
            Assert.IsFalse(answers.Has("r2"));
        }

        [Test]
        public void TheLastAnswersAreKept()
        {
            var answers = new Answers();
            for (int i = 1; i <= Answers.Most + 1; i++)
                answers.Put("r" + i, new WireText("text"), 1);
            Assert.IsFalse(answers.Has("r1"));
            Assert.IsTrue(answers.Has("r2"));
        }

        static Answers Reloaded(Answers answers)
        {
            var w = new JsonWriter();
            answers.Write(w, 64 << 20);
            var loaded = new Answers();
            loaded.Read(JsonReader.Read(w.ToString()));
            return loaded;
        }

        [Test]
        public void AnswersOutliveAReload()
        {
            var answers = new Answers();
            answers.Put("r1", new WireText("{\"a\":\"\u00fc\\n\"}"), 1);
            answers.Put("r2", new WireText("two"), 1);
            answers = Reloaded(answers);
            /* over the first connection, because epochs start again */
            Assert.AreEqual("{\"a\":\"\u00fc\\n\"}", answers.TakeForResend("r1", 1).ToText(int.MaxValue));
            Assert.AreEqual("two", answers.TakeForResend("r2", 1).ToText(int.MaxValue));
        }

        [Test]
        public void TheLastLargeAnswerSurvivesAReload()
        {
            var answers = new Answers();
            string large = new string('x', 3 << 20), larger = new string('y', 5 << 20);
            answers.Put("r1", new WireText(large), 1);
            answers.Put("r2", new WireText(large), 1);
            Answers loaded = Reloaded(answers);
            Assert.IsFalse(loaded.Has("r1"));
            Assert.IsTrue(loaded.Has("r2"));
            answers.Put("r3", new WireText(larger), 1);
            loaded = Reloaded(answers);
            Assert.IsFalse(loaded.Has("r2"));
            Assert.AreEqual(larger, loaded.TakeForResend("r3", 1).ToText(int.MaxValue));
        }

        [Test]
        public void ATooLargeAnswerIsSavedAsItsError()
        {
            var call = new Call("r1", null, "t", JsonValue.None, 0, 0);
            var body = new JsonWriter();
            body.Value(new string('\u20ac', 1000));
            var answers = new Answers();
            answers.Put("r1", WireMessages.Result(call, body), 1);
            var w = new JsonWriter();
            answers.Write(w, 3000);
            StringAssert.Contains("ERR_RESPONSE_TOO_LARGE", w.ToString());
            w.Clear();
            answers.Write(w, 4000);
            StringAssert.DoesNotContain("ERR_RESPONSE_TOO_LARGE", w.ToString());
        }

        [TestCase(0)]
        [TestCase(1)]
        [TestCase(8191)]
        [TestCase(8192)]
        [TestCase(100000)]
        public void AMessageIsEncodedInPieces(int length)
        {
            foreach (string unit in new[] { "x", "\u00fc", "\u20ac", "a\ud83d\ude00" })
            {
                var content = new StringBuilder();
                while (content.Length < length)
                    content.Append(unit);
                var body = new JsonWriter();
                body.Value(content.ToString());
                var text = new WireText("{\"head\":", body, "}", (bytes, most) => bytes + " of " + most);
                string whole = "{\"head\":\"" + content + "\"}";
                byte[] expected = Encoding.UTF8.GetBytes(whole);
                Assert.AreEqual(whole.Length, text.Length);
                var buffer = new byte[10];
                int count = text.Encode(ref buffer, expected.Length);
                Assert.AreEqual(whole, Encoding.UTF8.GetString(buffer, 0, count));
                Assert.AreEqual(whole, text.ToText(expected.Length));
                string instead = expected.Length + " of " + (expected.Length - 1);
                count = text.Encode(ref buffer, expected.Length - 1);
                Assert.AreEqual(instead, Encoding.UTF8.GetString(buffer, 0, count));
                Assert.AreEqual(instead, text.ToText(expected.Length - 1));
            }
        }

        static Call NewCall(string id, string jobId, int epoch)
        {
            return new Call(id, jobId, "t", JsonReader.Read("{\"a\":[1,\"b\"]}"), 100, 200) { Epoch = epoch };
        }

        [Test]
        public void CallsBeginInOrderAndOnlyForTheServerThatWaits()
        {
            var queue = new CallQueue();
            queue.Add(NewCall("r1", null, 1));
            queue.Add(NewCall("r2", "j2", 1));
            Assert.IsNull(queue.Next(0), "not connected");
            Assert.IsNull(queue.Next(2), "another connection");
            queue.Find("r2").Epoch = 2;
            queue.DropOthers(2);
            Assert.IsNull(queue.Find("r1"));
            Assert.AreEqual("r2", queue.FindJob("j2").RequestId);
            Assert.AreEqual("r2", queue.Next(2).RequestId);
            Assert.AreEqual(0, queue.Count);
        }

        [Test]
        public void CallsSurviveAReloadAndWaitForTheResume()
        {
            var queue = new CallQueue();
            queue.Add(NewCall("r1", null, 1));
            queue.Add(NewCall("r2", "j2", 1));
            var w = new JsonWriter();
            queue.Write(w);
            var loaded = new CallQueue();
            loaded.Read(JsonReader.Read(w.ToString()));
            Assert.AreEqual(2, loaded.Count);
            Assert.IsNull(loaded.Next(1));
            Call call = loaded.Find("r2");
            Assert.AreEqual("j2", call.JobId);
            Assert.AreEqual(200, call.DeadlineMs);
            Assert.AreEqual("b", call.Arguments.Get("a").Items[1].AsString);
            Assert.IsNull(loaded.Find("r1").JobId);
        }

        [Test]
        public void AnErrorIsMarkedNotExecutedUnlessWorkWasDone()
        {
            var call = new Call("r", null, "t", JsonValue.None, 0, 0);
            var withDetails = new ToolError("E", "m", "{\"a\":{\"b\":1}}");
            JsonValue error = JsonReader.Read(WireMessages.CallError(call, withDetails)).Get("error");
            Assert.AreEqual("not_executed", error.Get("details").GetString("execution_guarantee", ""));
            Assert.AreEqual(1, error.Get("details").Get("a").GetLong("b", 0));
            error = JsonReader.Read(WireMessages.CallError(call, new ToolError("E", "m") { WasExecuted = true }))
                              .Get("error");
            Assert.AreEqual(0, error.Get("details").Count);
            error = JsonReader.Read(WireMessages.CallError(call, new ToolError("E", "m", "no JSON"))).Get("error");
            Assert.AreEqual(1, error.Get("details").Count);
        }

        [Test]
        public void LongMessagesAreCutAtACharacter()
        {
            var call = new Call("r", "j", "t", JsonValue.None, 0, 0);
            foreach (string unit in new[] { "x", "\u00fc", "\u20ac", "\ud83d\ude00" })
            {
                string text = unit;
                while (text.Length < 4000)
                    text += text;
                string sent = JsonReader.Read(WireMessages.CallError(call, new ToolError("E", text))).Get("error")
                                        .GetString("message", "");
                int size = Encoding.UTF8.GetByteCount(unit);
                Assert.AreEqual(1023 / size * size, Encoding.UTF8.GetByteCount(sent));
                StringAssert.StartsWith(sent, text);
            }
        }

        [Test]
        public void EachRefusalExplainsWhatToDo()
        {
            foreach (RefusalCause cause in System.Enum.GetValues(typeof(RefusalCause)))
                StringAssert.Contains("48091", Notices.DescribeRefusal(new Refusal(cause, "words"), 48091));
            StringAssert.Contains("multiverse serve --port 48092",
                                  Notices.DescribeRefusal(new Refusal(RefusalCause.AnotherEditor, ""), 48091));
            StringAssert.Contains("--token-file", Notices.DescribeRefusal(new Refusal(RefusalCause.Token, ""), 48091));
        }

        [Test]
        public void TheLinesForClientsHaveThePort()
        {
            foreach (ClientLines.Line line in ClientLines.For(50123))
                StringAssert.Contains("http://127.0.0.1:50123/mcp", line.Text);
            Assert.AreEqual("multiverse serve", ClientLines.Serve(48091));
            Assert.AreEqual("multiverse serve --port 50123", ClientLines.Serve(50123));
        }
    }
}
