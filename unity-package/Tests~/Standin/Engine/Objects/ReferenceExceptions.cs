using System;

namespace UnityEngine
{
    [Serializable]
    public class MissingReferenceException : SystemException
    {
        public MissingReferenceException() : base("A Unity Runtime error occurred!") { }
        public MissingReferenceException(string message) : base(message) { }
    }

    [Serializable]
    public class UnassignedReferenceException : SystemException
    {
        public UnassignedReferenceException() : base("A Unity Runtime error occurred!") { }
        public UnassignedReferenceException(string message) : base(message) { }
    }

    [Serializable]
    public class MissingComponentException : SystemException
    {
        public MissingComponentException() : base("A Unity Runtime error occurred!") { }
        public MissingComponentException(string message) : base(message) { }
    }
}
