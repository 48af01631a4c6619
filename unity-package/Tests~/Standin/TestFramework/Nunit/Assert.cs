using System;
using System.Collections;
using NUnit.Framework.Constraints;

namespace NUnit.Framework
{
    /// <summary>NUnit's assertions. Each form is a constraint passed to <see cref="That(object,
    /// IResolveConstraint)"/>.</summary>
    public partial class Assert
    {
        protected Assert() { }

        /// <summary>The number of assertions in the running test.</summary>
        internal static int Count;

        public static void That(bool condition) { That(condition, Is.True, null); }
        public static void That(bool condition, string message, params object[] args)
        {
            That(condition, Is.True, message, args);
        }
        public static void That(object actual, IResolveConstraint expression) { That(actual, expression, null); }
        public static void That(object actual, IResolveConstraint expression, string message, params object[] args)
        {
            Count++;
            Constraint constraint = expression.Resolve();
            if (!constraint.Matches(actual))
                Report(Failure.Text(constraint, actual, message, args));
        }
        public static void That(TestDelegate code, IResolveConstraint constraint) { That(code, constraint, null); }
        public static void That(TestDelegate code, IResolveConstraint constraint, string message, params object[] args)
        {
            That((object)code, constraint, message, args);
        }
        public static void That<T>(Func<T> actual, IResolveConstraint expression)
        {
            That((object)(TestDelegate)(() => actual()), actual, expression);
        }

        /* Constraints on the call itself receive the call, others its value. */
        static void That<T>(object call, Func<T> actual, IResolveConstraint expression)
        {
            That(expression.Resolve() is ThrowsConstraint ? call : actual(), expression, null);
        }

        internal static void Report(string message) { throw new AssertionException(message); }

        public static void Pass() { Pass(""); }
        public static void Pass(string message, params object[] args)
        {
            throw new SuccessException(Failure.Format(message, args));
        }
        public static void Fail() { Fail(""); }
        public static void Fail(string message, params object[] args)
        {
            Count++;
            throw new AssertionException(Failure.Format(message, args));
        }
        public static void Ignore() { Ignore(""); }
        public static void Ignore(string message, params object[] args)
        {
            throw new IgnoreException(Failure.Format(message, args));
        }
        public static void Inconclusive() { Inconclusive(""); }
        public static void Inconclusive(string message, params object[] args)
        {
            throw new InconclusiveException(Failure.Format(message, args));
        }

        public static void True(bool condition) { That(condition, Is.True, null); }
        public static void True(bool condition, string message, params object[] args)
        {
            That(condition, Is.True, message, args);
        }
        public static void IsTrue(bool condition) { That(condition, Is.True, null); }
        public static void IsTrue(bool condition, string message, params object[] args)
        {
            That(condition, Is.True, message, args);
        }
        public static void False(bool condition) { That(condition, Is.False, null); }
        public static void False(bool condition, string message, params object[] args)
        {
            That(condition, Is.False, message, args);
        }
        public static void IsFalse(bool condition) { That(condition, Is.False, null); }
        public static void IsFalse(bool condition, string message, params object[] args)
        {
            That(condition, Is.False, message, args);
        }

        public static void Null(object value) { That(value, Is.Null, null); }
        public static void IsNull(object value) { That(value, Is.Null, null); }
        public static void IsNull(object value, string message, params object[] args)
        {
            That(value, Is.Null, message, args);
        }
        public static void NotNull(object value) { That(value, Is.Not.Null, null); }
        public static void NotNull(object value, string message, params object[] args)
        {
            That(value, Is.Not.Null, message, args);
        }
        public static void IsNotNull(object value) { That(value, Is.Not.Null, null); }
        public static void IsNotNull(object value, string message, params object[] args)
        {
            That(value, Is.Not.Null, message, args);
        }

        public static void AreEqual(object expected, object actual) { That(actual, Is.EqualTo(expected), null); }
        public static void AreEqual(object expected, object actual, string message, params object[] args)
        {
            That(actual, Is.EqualTo(expected), message, args);
        }
        public static void AreEqual(double expected, double actual, double delta)
        {
            That(actual, Is.EqualTo(expected).Within(delta), null);
        }
        public static void AreEqual(double expected, double actual, double delta, string message, params object[] args)
        {
            That(actual, Is.EqualTo(expected).Within(delta), message, args);
        }
        public static void AreNotEqual(object expected, object actual) { That(actual, Is.Not.EqualTo(expected), null); }
        public static void AreNotEqual(object expected, object actual, string message, params object[] args)
        {
            That(actual, Is.Not.EqualTo(expected), message, args);
        }
        public static void AreSame(object expected, object actual) { That(actual, Is.SameAs(expected), null); }
        public static void AreSame(object expected, object actual, string message, params object[] args)
        {
            That(actual, Is.SameAs(expected), message, args);
        }
        public static void AreNotSame(object expected, object actual) { That(actual, Is.Not.SameAs(expected), null); }
        public static void AreNotSame(object expected, object actual, string message, params object[] args)
        {
            That(actual, Is.Not.SameAs(expected), message, args);
        }

        public static void Greater(IComparable arg1, IComparable arg2) { That(arg1, Is.GreaterThan(arg2), null); }
        public static void Greater(IComparable arg1, IComparable arg2, string message, params object[] args)
        {
            That(arg1, Is.GreaterThan(arg2), message, args);
        }
        public static void GreaterOrEqual(IComparable arg1, IComparable arg2) { That(arg1, Is.AtLeast(arg2), null); }
        public static void GreaterOrEqual(IComparable arg1, IComparable arg2, string message, params object[] args)
        {
            That(arg1, Is.AtLeast(arg2), message, args);
        }
        public static void Less(IComparable arg1, IComparable arg2) { That(arg1, Is.LessThan(arg2), null); }
        public static void Less(IComparable arg1, IComparable arg2, string message, params object[] args)
        {
            That(arg1, Is.LessThan(arg2), message, args);
        }
        public static void LessOrEqual(IComparable arg1, IComparable arg2) { That(arg1, Is.AtMost(arg2), null); }
        public static void LessOrEqual(IComparable arg1, IComparable arg2, string message, params object[] args)
        {
            That(arg1, Is.AtMost(arg2), message, args);
        }
        public static void IsNaN(double actual) { That(actual, Is.NaN, null); }
        public static void Zero(object actual) { That(actual, Is.Zero, null); }
        public static void NotZero(object actual) { That(actual, Is.Not.Zero, null); }
        public static void Positive(object actual) { That(actual, Is.Positive, null); }
        public static void Negative(object actual) { That(actual, Is.Negative, null); }

        public static void IsEmpty(string text) { That(text, Is.Empty, null); }
        public static void IsEmpty(IEnumerable collection) { That(collection, Is.Empty, null); }
        public static void IsEmpty(IEnumerable collection, string message, params object[] args)
        {
            That(collection, Is.Empty, message, args);
        }
        public static void IsNotEmpty(string text) { That(text, Is.Not.Empty, null); }
        public static void IsNotEmpty(IEnumerable collection) { That(collection, Is.Not.Empty, null); }
        public static void IsNotEmpty(IEnumerable collection, string message, params object[] args)
        {
            That(collection, Is.Not.Empty, message, args);
        }
        public static void Contains(object expected, ICollection actual) { That(actual, Has.Member(expected), null); }
        public static void Contains(object expected, ICollection actual, string message, params object[] args)
        {
            That(actual, Has.Member(expected), message, args);
        }

        public static void IsInstanceOf(Type expected, object actual) { That(actual, Is.InstanceOf(expected), null); }
        public static void IsInstanceOf<T>(object actual) { That(actual, Is.InstanceOf<T>(), null); }
        public static void IsInstanceOf<T>(object actual, string message, params object[] args)
        {
            That(actual, Is.InstanceOf<T>(), message, args);
        }
        public static void IsNotInstanceOf<T>(object actual) { That(actual, Is.Not.InstanceOf<T>(), null); }
        public static void IsAssignableFrom<T>(object actual) { That(actual, Is.AssignableFrom<T>(), null); }

        public static Exception Throws(Type expected, TestDelegate code) { return Throws(expected, code, null); }
        public static Exception Throws(Type expected, TestDelegate code, string message, params object[] args)
        {
            Exception thrown = Caught(code);
            That(thrown, Is.TypeOf(expected), message, args);
            return thrown;
        }
        public static Exception Throws(IResolveConstraint expression, TestDelegate code)
        {
            Exception thrown = Caught(code);
            That(thrown, expression, null);
            return thrown;
        }
        public static T Throws<T>(TestDelegate code) where T : Exception { return (T)Throws(typeof(T), code, null); }
        public static T Throws<T>(TestDelegate code, string message, params object[] args) where T : Exception
        {
            return (T)Throws(typeof(T), code, message, args);
        }
        public static T Catch<T>(TestDelegate code) where T : Exception
        {
            Exception thrown = Caught(code);
            That(thrown, Is.InstanceOf<T>(), null);
            return (T)thrown;
        }
        public static void DoesNotThrow(TestDelegate code) { That(code, new ThrowsNothingConstraint(), null); }
        public static void DoesNotThrow(TestDelegate code, string message, params object[] args)
        {
            That(code, new ThrowsNothingConstraint(), message, args);
        }

        internal static Exception Caught(TestDelegate code)
        {
            try
            {
                code();
                return null;
            }
            catch (Exception e)
            {
                return e;
            }
        }

        /// <summary>Stops at the first failure; NUnit continues and reports all.</summary>
        public static void Multiple(TestDelegate code) { code(); }
    }
}
