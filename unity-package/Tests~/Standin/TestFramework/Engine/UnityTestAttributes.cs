using System;
using NUnit.Framework;

namespace UnityEngine.TestTools
{
    /// <summary>A test that returns an IEnumerator: each "yield return null" waits for an
    /// update.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    public class UnityTestAttribute : TestAttribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public class UnitySetUpAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public class UnityTearDownAttribute : Attribute { }

    [Flags]
    public enum TestPlatform : byte { All = 0xFF, EditMode = 1 << 1, PlayMode = 1 << 2 }
}
