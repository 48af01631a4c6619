using System;
using System.Collections;
using System.Collections.Generic;

namespace NUnit.Framework
{
    [AttributeUsage(AttributeTargets.Method, Inherited = true)]
    public class TestAttribute : Attribute
    {
        public string Description { get; set; }
        public object ExpectedResult { get; set; }
    }

    [AttributeUsage(AttributeTargets.Class, AllowMultiple = true, Inherited = true)]
    public class TestFixtureAttribute : Attribute
    {
        public TestFixtureAttribute() : this(new object[0]) { }
        public TestFixtureAttribute(params object[] arguments) { Arguments = arguments ?? new object[] { null }; }
        public object[] Arguments { get; private set; }
        public string Category { get; set; }
        public string Description { get; set; }
        public string Ignore { get; set; }
        public string TestName { get; set; }
    }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true, Inherited = false)]
    public class TestCaseAttribute : Attribute
    {
        object expected;

        public TestCaseAttribute(params object[] arguments) { Arguments = arguments ?? new object[] { null }; }
        public TestCaseAttribute(object arg) { Arguments = new[] { arg }; }
        public TestCaseAttribute(object arg1, object arg2) { Arguments = new[] { arg1, arg2 }; }
        public TestCaseAttribute(object arg1, object arg2, object arg3) { Arguments = new[] { arg1, arg2, arg3 }; }
        public object[] Arguments { get; private set; }
        public object ExpectedResult
        {
            get { return expected; }
            set
            {
                expected = value;
                HasExpectedResult = true;
            }
        }
        public bool HasExpectedResult { get; private set; }
        public string TestName { get; set; }
        public string Description { get; set; }
        public string Category { get; set; }
        public string Ignore { get; set; }
        public string IgnoreReason { get { return Ignore; } set { Ignore = value; } }
        public bool Explicit { get; set; }
        public string Reason { get; set; }
    }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true, Inherited = false)]
    public class TestCaseSourceAttribute : Attribute
    {
        public TestCaseSourceAttribute(string sourceName) { SourceName = sourceName; }
        public TestCaseSourceAttribute(Type sourceType) { SourceType = sourceType; }
        public TestCaseSourceAttribute(Type sourceType, string sourceName)
        {
            SourceType = sourceType;
            SourceName = sourceName;
        }
        public string SourceName { get; private set; }
        public Type SourceType { get; private set; }
        public string Category { get; set; }
    }

    /// <summary>One case of a [TestCaseSource].</summary>
    public class TestCaseData
    {
        public TestCaseData(params object[] args)
        {
            Arguments = args ?? new object[] { null };
            Categories = new List<string>();
        }
        public object[] Arguments { get; private set; }
        public object ExpectedResult { get; set; }
        public bool HasExpectedResult { get; private set; }
        public string TestName { get; set; }
        internal List<string> Categories { get; private set; }
        internal string IgnoreReason { get; private set; }

        public TestCaseData Returns(object result)
        {
            ExpectedResult = result;
            HasExpectedResult = true;
            return this;
        }
        public TestCaseData SetName(string name)
        {
            TestName = name;
            return this;
        }
        public TestCaseData SetCategory(string category)
        {
            Categories.Add(category);
            return this;
        }
        public TestCaseData Ignore(string reason)
        {
            IgnoreReason = reason;
            return this;
        }
    }

    [AttributeUsage(AttributeTargets.Parameter)]
    public class ValuesAttribute : Attribute
    {
        public ValuesAttribute(params object[] args) { Data = args ?? new object[] { null }; }
        internal object[] Data { get; private set; }

        /* [Values] without arguments on a bool or an enum means all values. */
        internal IEnumerable For(Type type)
        {
            if (Data.Length > 0)
                return Data;
            if (type == typeof(bool))
                return new object[] { true, false };
            return type.IsEnum ? (IEnumerable)Enum.GetValues(type) : Data;
        }
    }

    [AttributeUsage(AttributeTargets.Parameter)]
    public class ValueSourceAttribute : Attribute
    {
        public ValueSourceAttribute(string sourceName) { SourceName = sourceName; }
        public ValueSourceAttribute(Type sourceType, string sourceName)
        {
            SourceType = sourceType;
            SourceName = sourceName;
        }
        public string SourceName { get; private set; }
        public Type SourceType { get; private set; }
    }

    [AttributeUsage(AttributeTargets.Parameter)]
    public class RangeAttribute : ValuesAttribute
    {
        public RangeAttribute(int from, int to) : this(from, to, from <= to ? 1 : -1) { }
        public RangeAttribute(int from, int to, int step) : base(Numbers(from, to, step)) { }

        static object[] Numbers(int from, int to, int step)
        {
            if (step == 0)
                throw new ArgumentException("the step of a range is not 0");
            var numbers = new List<object>();
            for (int i = from; step > 0 ? i <= to : i >= to; i += step)
                numbers.Add(i);
            return numbers.ToArray();
        }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class CombinatorialAttribute : Attribute { }
    [AttributeUsage(AttributeTargets.Method)]
    public class SequentialAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method, Inherited = true)]
    public class SetUpAttribute : Attribute { }
    [AttributeUsage(AttributeTargets.Method, Inherited = true)]
    public class TearDownAttribute : Attribute { }
    [AttributeUsage(AttributeTargets.Method, Inherited = true)]
    public class OneTimeSetUpAttribute : Attribute { }
    [AttributeUsage(AttributeTargets.Method, Inherited = true)]
    public class OneTimeTearDownAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method | AttributeTargets.Assembly, AllowMultiple = true,
                    Inherited = true)]
    public class CategoryAttribute : Attribute
    {
        protected CategoryAttribute() { Name = GetType().Name.Replace("Attribute", ""); }
        public CategoryAttribute(string name) { Name = name.Trim(); }
        public string Name { get; private set; }
    }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method | AttributeTargets.Assembly)]
    public class IgnoreAttribute : Attribute
    {
        public IgnoreAttribute(string reason) { Reason = reason; }
        public string Reason { get; private set; }
        public string Until { get; set; }
    }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method | AttributeTargets.Assembly)]
    public class ExplicitAttribute : Attribute
    {
        public ExplicitAttribute() : this("") { }
        public ExplicitAttribute(string reason) { Reason = reason; }
        public string Reason { get; private set; }
    }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method | AttributeTargets.Assembly)]
    public class DescriptionAttribute : Attribute
    {
        public DescriptionAttribute(string description) { Text = description; }
        internal string Text { get; private set; }
    }

    [AttributeUsage(AttributeTargets.Method | AttributeTargets.Class)]
    public class OrderAttribute : Attribute
    {
        public OrderAttribute(int order) { Order = order; }
        public int Order { get; private set; }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class RepeatAttribute : Attribute
    {
        public RepeatAttribute(int count) { Count = count; }
        internal int Count { get; private set; }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public class RetryAttribute : Attribute
    {
        public RetryAttribute(int tryCount) { Count = tryCount; }
        internal int Count { get; private set; }
    }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Method | AttributeTargets.Assembly)]
    public class TimeoutAttribute : Attribute
    {
        public TimeoutAttribute(int timeout) { Milliseconds = timeout; }
        internal int Milliseconds { get; private set; }
    }
}
