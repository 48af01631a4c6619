using NUnit.Framework;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    public class ConsoleToolTests : ToolTest
    {
        [Test]
        public void LoggedMessagesAreReturned()
        {
            if (Application.isBatchMode)
                Assert.Ignore("the package does nothing in batch mode");
            string cursor = Call("read_console", "{'max_entries':0}").GetString("cursor", null);
            for (int i = 0; i < 3; i++)
                Debug.LogWarning("multiverse test warning");
            Debug.Log("multiverse test log");
            JsonValue answer = Call("read_console", "{'since':'" + cursor + "','message_pattern':'^MULTIVERSE test'}");
            Assert.AreEqual(2, answer.GetLong("count", 0));
            JsonValue log = answer.Get("entries").Items[0], warning = answer.Get("entries").Items[1];
            Assert.AreEqual("multiverse test log", log.GetString("message", null));
            Assert.AreEqual("warning", warning.GetString("type", null));
            Assert.AreEqual(3, warning.GetLong("count", 0));
            Assert.AreEqual(3, answer.Get("type_summary").GetLong("warning", 0));
        }

        [Test]
        public void AnInvalidPatternIsAnError()
        {
            Assert.AreEqual("ERR_INVALID_PARAMS", ExpectError("read_console", "{'message_pattern':'('}").Code);
        }
    }
}
