using System;
using System.Collections.Generic;
using System.Reflection;

namespace Standin.Testing
{
    enum TestRunState { Runnable, Ignored, Explicit, NotRunnable }

    /// <summary>
    /// A test or a suite: project, assembly, namespace, fixture, cases of a method, test. Created
    /// by <see cref="TestTree"/>. The Id is valid in every domain while the tests do not change.
    /// </summary>
    sealed class TestNode
    {
        public string Name;
        public string FullName;
        public bool IsSuite;
        public bool IsAssembly;
        public bool IsPlayMode;
        public string AssemblyName;
        public Type Type;
        public MethodInfo Method;
        public object[] Arguments;
        public object[] FixtureArguments;
        public bool HasExpectedResult;
        public object ExpectedResult;
        public TestRunState State;
        public string SkipReason = "";
        public string Description = "";
        public int Order = int.MaxValue;
        public readonly List<string> Categories = new List<string>();
        public readonly List<TestNode> Children = new List<TestNode>();
        public TestNode Parent { get; private set; }

        public string Id
        {
            get
            {
                return (AssemblyName ?? "") + (IsPlayMode ? "|play|" : "|edit|") + FullName +
                       (IsSuite ? "|suite" : "");
            }
        }

        public void Add(TestNode child)
        {
            child.Parent = this;
            Children.Add(child);
        }

        /// <summary>The tests in execution order.</summary>
        public IEnumerable<TestNode> Leaves()
        {
            if (!IsSuite)
                yield return this;
            foreach (TestNode child in Children)
                foreach (TestNode leaf in child.Leaves())
                    yield return leaf;
        }

        public int CountLeaves()
        {
            int count = IsSuite ? 0 : 1;
            foreach (TestNode child in Children)
                count += child.CountLeaves();
            return count;
        }

        /// <summary>The state that decides whether it runs, its own or the nearest above, with the
        /// reason.</summary>
        public TestRunState EffectiveState(out string reason)
        {
            for (TestNode node = this; node != null; node = node.Parent)
            {
                reason = node.SkipReason;
                if (node.State != TestRunState.Runnable)
                    return node.State;
            }
            reason = "";
            return TestRunState.Runnable;
        }

        /// <summary>Whether it, or a suite above it, runs only on request.</summary>
        public bool IsExplicit
        {
            get { return State == TestRunState.Explicit || Parent != null && Parent.IsExplicit; }
        }

        /// <summary>Its own categories and those of the suites above.</summary>
        public List<string> AllCategories()
        {
            var all = new List<string>();
            for (TestNode node = this; node != null; node = node.Parent)
                foreach (string category in node.Categories)
                    if (!all.Contains(category))
                        all.Add(category);
            return all;
        }
    }
}
