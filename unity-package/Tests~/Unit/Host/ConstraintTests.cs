using System;
using System.Collections.Generic;
using NUnit.Framework;

namespace Standin.Unit
{
    /// <summary>Assertions pass and fail where they should, with NUnit's messages.</summary>
    public class ConstraintTests
    {
        static string Fails(TestDelegate assertion)
        {
            return Assert.Throws<AssertionException>(assertion).Message;
        }

        [Test]
        public void EqualityOfNumbersTextsAndCollections()
        {
            Assert.AreEqual(1, 1L);
            Assert.AreEqual(0.5f, 0.5);
            Assert.AreEqual("  Expected: 20.0f\n  But was:  0.25d\n", Fails(() => Assert.AreEqual(20f, 0.25)));
            Assert.AreEqual(new[] { 1, 2 }, new List<long> { 1, 2 });
            Assert.AreEqual("  Expected: 3\n  But was:  4\n", Fails(() => Assert.AreEqual(3, 4)));
            Assert.AreEqual("  why\n  Expected: \"a\"\n  But was:  null\n", Fails(() => Assert.AreEqual("a", null, "why")));
            Fails(() => Assert.AreEqual(new[] { 1, 2 }, new[] { 1 }));
            Fails(() => Assert.AreEqual("a", "A"));
            Assert.That("A", Is.EqualTo("a").IgnoreCase);
            Assert.That(1.04, Is.EqualTo(1).Within(0.05));
            Fails(() => Assert.That(1.06, Is.EqualTo(1).Within(0.05)));
            Assert.That(101, Is.EqualTo(100).Within(1).Percent);
        }

        [Test]
        public void ChainsBindAsInNUnit()
        {
            Assert.That(5, Is.Not.Null.And.GreaterThan(4));
            Assert.That(5, Is.EqualTo(1).Or.EqualTo(5));
            Fails(() => Assert.That(5, Is.EqualTo(5).And.Not.EqualTo(5)));
            Assert.That(5, Is.EqualTo(1).And.EqualTo(2).Or.EqualTo(5));
            Assert.That(new[] { 2, 3 }, Is.All.GreaterThan(1).And.LessThan(4));
            Fails(() => Assert.That(new[] { 2, 5 }, Is.All.GreaterThan(1).And.LessThan(4)));
            Assert.That(new List<int> { 1, 2 }, Has.Count.EqualTo(2).And.Member(1));
            Assert.That("abc", Has.Length.EqualTo(3).And.Contains("b"));
            Assert.That(new[] { 1, 2, 2 }, Has.Exactly(2).EqualTo(2));
            Assert.That(new[] { 1, 2 }, Has.None.EqualTo(3).And.Some.EqualTo(1));
        }

        [Test]
        public void Exceptions()
        {
            TestDelegate bad = () => { throw new InvalidOperationException("broken"); };
            Assert.That(bad, Throws.InvalidOperationException);
            Assert.That(bad, Throws.TypeOf<InvalidOperationException>().With.Message.EqualTo("broken"));
            Assert.That(bad, Throws.Exception.With.Message.Contains("rok"));
            Fails(() => Assert.That(bad, Throws.ArgumentException));
            Fails(() => Assert.That(bad, Throws.TypeOf<InvalidOperationException>().With.Message.EqualTo("other")));
            Fails(() => Assert.DoesNotThrow(bad));
            Fails(() => Assert.Throws<Exception>(() => { }));
            Assert.Catch<Exception>(bad);
            Assert.That(() => 3, Is.EqualTo(3));
        }

        [Test]
        public void TextsTypesAndSets()
        {
            Assert.That("player", Does.StartWith("pl").And.EndWith("er").And.Match("l.y"));
            Assert.That("player", Does.Not.Contain("x"));
            Assert.That(new[] { 3, 1 }, Is.EquivalentTo(new[] { 1, 3 }));
            Fails(() => Assert.That(new[] { 3, 1, 1 }, Is.EquivalentTo(new[] { 1, 3 })));
            Assert.That(new[] { 1 }, Is.SubsetOf(new[] { 1, 2 }));
            Assert.That(new int[0], Is.Empty);
            Fails(() => Assert.That(new int[1], Is.Empty));
            Fails(() => Assert.That(new[] { 1, 1 }, Is.Unique));
            Assert.That(new[] { 1, 2 }, Is.Ordered);
            Assert.That("", Is.InstanceOf<object>().And.Not.TypeOf<object>());
            Assert.That(3, Is.InRange(1, 3));
        }

        [TestCase(1, 2, ExpectedResult = 3)]
        [TestCase(0, 0, ExpectedResult = 0)]
        public int CasesHaveResults(int a, int b) { return a + b; }

        [Test]
        public void ValuesAreCombined([Values(1, 2)] int a, [Values] bool b)
        {
            Assert.That(a, Is.InRange(1, 2));
            Assert.That(b, Is.True.Or.False);
        }
    }
}
