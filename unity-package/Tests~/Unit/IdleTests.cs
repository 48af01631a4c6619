using System;
using NUnit.Framework;

namespace Multiverse.Editor.Tests
{
    /// <summary>The cost of the package while there is no request.</summary>
    public class IdleTests
    {
        const int updates = 1000;

        static long Bytes(Session session)
        {
            for (int i = 0; i < 10; i++)
                session.Update(); /* compiles the code and sends what changed */
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < updates; i++)
                session.Update();
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }

        [Test]
        public void TheCounterCounts()
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            GC.KeepAlive(new byte[1000]);
            Assert.GreaterOrEqual(GC.GetAllocatedBytesForCurrentThread() - before, 1000);
        }

        [Test]
        public void WithoutAServer()
        {
            using (var harness = new SessionHarness())
            {
                harness.Server.Dispose();
                harness.Start();
                Assert.AreEqual(0, Bytes(harness.Session));
            }
        }

        [Test]
        public void WithAServer()
        {
            using (var harness = new SessionHarness())
            {
                harness.Start();
                harness.Play(c =>
                {
                    c.Welcome();
                    c.Read("editor_status");
                    c.Sync();
                    harness.OnMain(() => Assert.AreEqual(0, Bytes(harness.Session)));
                });
            }
        }
    }
}
