using System;
using System.Collections;
using NUnit.Framework.Constraints;

namespace NUnit.Framework
{
    /// <summary>A precondition of a test; if it fails, the test is inconclusive.</summary>
    public static class Assume
    {
        public static void That(bool condition) { That(condition, Is.True, null); }
        public static void That(bool condition, string message, params object[] args)
        {
            That(condition, Is.True, message, args);
        }
        public static void That(object actual, IResolveConstraint expression) { That(actual, expression, null); }
        public static void That(object actual, IResolveConstraint expression, string message, params object[] args)
        {
            Constraint constraint = expression.Resolve();
            if (!constraint.Matches(actual))
                throw new InconclusiveException(Failure.Text(constraint, actual, message, args));
        }
    }

    public partial class StringAssert
    {
        public static void Contains(string expected, string actual) { Assert.That(actual, Does.Contain(expected)); }
        public static void Contains(string expected, string actual, string message, params object[] args)
        {
            Assert.That(actual, Does.Contain(expected), message, args);
        }
        public static void DoesNotContain(string expected, string actual)
        {
            Assert.That(actual, Does.Not.Contain(expected));
        }
        public static void StartsWith(string expected, string actual) { Assert.That(actual, Does.StartWith(expected)); }
        public static void EndsWith(string expected, string actual) { Assert.That(actual, Does.EndWith(expected)); }
        public static void IsMatch(string pattern, string actual) { Assert.That(actual, Does.Match(pattern)); }
        public static void AreEqualIgnoringCase(string expected, string actual)
        {
            Assert.That(actual, Is.EqualTo(expected).IgnoreCase);
        }
    }

    public partial class CollectionAssert
    {
        public static void AreEqual(IEnumerable expected, IEnumerable actual)
        {
            Assert.That(actual, Is.EqualTo(expected));
        }
        public static void AreEqual(IEnumerable expected, IEnumerable actual, string message, params object[] args)
        {
            Assert.That(actual, Is.EqualTo(expected), message, args);
        }
        public static void AreNotEqual(IEnumerable expected, IEnumerable actual)
        {
            Assert.That(actual, Is.Not.EqualTo(expected));
        }
        public static void AreEquivalent(IEnumerable expected, IEnumerable actual)
        {
            Assert.That(actual, Is.EquivalentTo(expected));
        }
        public static void Contains(IEnumerable collection, object actual)
        {
            Assert.That(collection, Has.Member(actual));
        }
        public static void DoesNotContain(IEnumerable collection, object actual)
        {
            Assert.That(collection, Has.No.Member(actual));
        }
        public static void IsEmpty(IEnumerable collection) { Assert.That(collection, Is.Empty); }
        public static void IsNotEmpty(IEnumerable collection) { Assert.That(collection, Is.Not.Empty); }
        public static void AllItemsAreUnique(IEnumerable collection) { Assert.That(collection, Is.Unique); }
        public static void AllItemsAreNotNull(IEnumerable collection) { Assert.That(collection, Is.All.Not.Null); }
        public static void AllItemsAreInstancesOfType(IEnumerable collection, Type expectedType)
        {
            Assert.That(collection, Is.All.InstanceOf(expectedType));
        }
        public static void IsSubsetOf(IEnumerable subset, IEnumerable superset)
        {
            Assert.That(subset, Is.SubsetOf(superset));
        }
    }
}
