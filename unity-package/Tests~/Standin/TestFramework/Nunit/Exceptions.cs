using System;

namespace NUnit.Framework
{
    /// <summary>Ends a test as failed, passed, ignored or inconclusive.</summary>
    public abstract class ResultStateException : Exception
    {
        protected ResultStateException(string message) : base(message) { }
    }

    public class AssertionException : ResultStateException
    {
        public AssertionException(string message) : base(message) { }
    }

    public class SuccessException : ResultStateException
    {
        public SuccessException(string message) : base(message) { }
    }

    public class IgnoreException : ResultStateException
    {
        public IgnoreException(string message) : base(message) { }
    }

    public class InconclusiveException : ResultStateException
    {
        public InconclusiveException(string message) : base(message) { }
    }

    public delegate void TestDelegate();
    public delegate object ActualValueDelegate();
}
