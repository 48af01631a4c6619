using System;
using System.Collections.Generic;
using System.Reflection;
using NUnit.Framework;

namespace Standin.Testing
{
    /// <summary>
    /// The object with the test methods, shared by consecutive tests of a fixture. One-time setups
    /// run before the first test, one-time teardowns after the last.
    /// </summary>
    sealed class Fixture
    {
        const BindingFlags anyMethod = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance |
                                       BindingFlags.Static | BindingFlags.DeclaredOnly;

        readonly TestNode node;
        object instance;
        bool isReady;
        Exception setUpFailed;

        /// <summary>node: a test of the fixture.</summary>
        public Fixture(TestNode node) { this.node = node; }

        /// <summary>Whether a test belongs to this fixture.</summary>
        public bool Holds(TestNode test)
        {
            return test.Type == node.Type && test.FixtureArguments == node.FixtureArguments;
        }

        public void SetUpOnce()
        {
            if (setUpFailed != null)
                throw new AssertionException("OneTimeSetUp: " + setUpFailed.GetType().Name + " : " + setUpFailed.Message);
            if (isReady)
                return;
            isReady = true;
            try
            {
                if (!(node.Type.IsAbstract && node.Type.IsSealed))
                    instance = Activator.CreateInstance(node.Type, anyInstance, null, node.FixtureArguments, null);
                foreach (MethodInfo method in Methods(typeof(OneTimeSetUpAttribute), true))
                    Invoke(method, null);
            }
            catch (Exception e)
            {
                setUpFailed = e is TargetInvocationException ? e.InnerException : e;
                throw setUpFailed;
            }
        }

        const BindingFlags anyInstance = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance |
                                         BindingFlags.CreateInstance;

        /// <summary>Return the exception, or null.</summary>
        public Exception TearDownOnce()
        {
            if (!isReady || setUpFailed != null)
                return null;
            isReady = false;
            try
            {
                foreach (MethodInfo method in Methods(typeof(OneTimeTearDownAttribute), false))
                    Invoke(method, null);
                var disposable = instance as IDisposable;
                if (disposable != null)
                    disposable.Dispose();
                return null;
            }
            catch (Exception e)
            {
                return e is TargetInvocationException ? e.InnerException : e;
            }
        }

        public object Invoke(MethodInfo method, object[] arguments)
        {
            return method.Invoke(method.IsStatic ? null : instance, arguments);
        }

        /// <summary>The methods with an attribute; base classes first, or last for teardowns.</summary>
        public List<MethodInfo> Methods(Type attribute, bool baseFirst)
        {
            var found = new List<MethodInfo>();
            for (Type type = node.Type; attribute != null && type != null; type = type.BaseType)
            {
                var own = new List<MethodInfo>();
                foreach (MethodInfo method in type.GetMethods(anyMethod))
                    if (method.IsDefined(attribute, true) && !IsOverridden(method, found))
                        own.Add(method);
                found.InsertRange(baseFirst ? 0 : found.Count, own);
            }
            return found;
        }

        static bool IsOverridden(MethodInfo method, List<MethodInfo> found)
        {
            return method.IsVirtual && found.Exists(m => m.GetBaseDefinition() == method.GetBaseDefinition());
        }
    }
}
