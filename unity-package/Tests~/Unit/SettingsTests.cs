using System;
using System.IO;
using NUnit.Framework;

namespace Multiverse.Editor.Tests
{
    /// <summary>The settings' limits and the texts of their page.</summary>
    public class SettingsTests
    {
        string before;

        [SetUp]
        public void SetUp() { before = Environment.GetEnvironmentVariable(LinkSettings.PortVariable); }

        [TearDown]
        public void TearDown() { Environment.SetEnvironmentVariable(LinkSettings.PortVariable, before); }

        [TestCase(1023, false)]
        [TestCase(1024, true)]
        [TestCase(65535, true)]
        [TestCase(65536, false)]
        [TestCase(-1, false)]
        public void Ports(int port, bool isPort) { Assert.AreEqual(isPort, LinkSettings.IsPort(port)); }

        [TestCase(null, false)]
        [TestCase("", false)]
        [TestCase("x", false)]
        [TestCase("0", false)]
        [TestCase("-5", false)]
        [TestCase("65536", false)]
        [TestCase("99999999999", false)]
        [TestCase("50123", true)]
        public void ThePortOfTheEnvironment(string text, bool counts)
        {
            Environment.SetEnvironmentVariable(LinkSettings.PortVariable, text);
            int port;
            Assert.AreEqual(counts, LinkSettings.TryPortFromEnvironment(out port));
            if (counts)
                Assert.AreEqual(50123, port);
            if (counts || string.IsNullOrEmpty(text))
                Assert.IsNull(LinkSettings.DescribeEnvironmentProblem());
            else
                StringAssert.Contains("MULTIVERSE_PORT is not a port (\"" + text + "\")",
                                      LinkSettings.DescribeEnvironmentProblem());
        }

        [TestCase("secret-1\n", "secret-1", null)]
        [TestCase("  secret-1\r\nmore", "secret-1", null)]
        [TestCase("", null, "is no token")]
        [TestCase("two words", null, "is no token")]
        [TestCase("\u0000\u0001", null, "is no token")]
        [TestCase("h\u00e4", null, "is no token")]
        [TestCase(null, null, "cannot be read")]
        public void TheTokenIsInTheFirstLine(string content, string token, string problem)
        {
            string folder = Path.GetTempPath(), name = "multiverse-token-" + Guid.NewGuid().ToString("N");
            string file = Path.Combine(folder, name);
            if (content != null)
                File.WriteAllText(file, content);
            var editor = new EditorIdentity("i", "s", folder, "2022.3.1f1");
            try
            {
                foreach (string path in new[] { file, name, "\"" + file + "\"" })
                {
                    string why;
                    Assert.AreEqual(token, new WireOptions { TokenFile = path, Editor = editor }.ReadToken(out why));
                    if (problem == null)
                        Assert.IsNull(why);
                    else
                        StringAssert.Contains(problem, why);
                }
            }
            finally
            {
                File.Delete(file);
            }
        }

        [TestCase("a\0b")]
        [TestCase("/")]
        public void AnInvalidTokenPathIsAnError(string path)
        {
            string why;
            var editor = new EditorIdentity("i", "s", "/", "2022.3.1f1");
            Assert.IsNull(new WireOptions { TokenFile = path, Editor = editor }.ReadToken(out why));
            StringAssert.Contains("cannot be read", why);
        }

        [Test]
        public void ATokenFileIsOptional()
        {
            string why;
            Assert.IsNull(new WireOptions { TokenFile = " " }.ReadToken(out why));
            Assert.IsNull(why);
        }

        [Test]
        public void TheStatusLine()
        {
            long now = Clock.NowMs;
            var connected = new WireView(WireState.Connected, 5000, "1.2", now);
            StringAssert.StartsWith("connected to server 1.2 on port 5000 since ",
                                    SettingsPage.StatusWords(connected, true));
            StringAssert.StartsWith("no server on port 5000, next try at ",
                                    SettingsPage.StatusWords(new WireView(WireState.Waiting, 5000, "x", now), true));
            StringAssert.StartsWith("refused on port 5000",
                                    SettingsPage.StatusWords(new WireView(WireState.Refused, 5000, "x", now), true));
            Assert.AreEqual("disabled",
                            SettingsPage.StatusWords(new WireView(WireState.Stopped, 5000, "", 0), false));
        }
    }
}
