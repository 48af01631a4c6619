using System;
using System.Collections.Generic;
using UnityEditor.TestTools.TestRunner.Api;

namespace Standin.Testing
{
    /// <summary>A test or suite as passed to callbacks.</summary>
    sealed class TestAdaptor : ITestAdaptor
    {
        readonly TestNode node;
        readonly Predicate<TestNode> wanted;

        TestAdaptor(TestNode node, Predicate<TestNode> wanted)
        {
            this.node = node;
            this.wanted = wanted;
        }

        /// <summary>wanted: only these tests are in the tree; null: all.</summary>
        public static TestAdaptor Of(TestNode node, Predicate<TestNode> wanted)
        {
            return node == null ? null : new TestAdaptor(node, wanted);
        }

        public string Id { get { return node.Id; } }
        public string Name { get { return node.Name; } }
        public string FullName { get { return node.FullName; } }
        public bool IsSuite { get { return node.IsSuite; } }
        public bool IsTestAssembly { get { return node.IsAssembly; } }
        public string Description { get { return node.Description; } }
        public string SkipReason { get { return node.SkipReason; } }
        public int TestCaseTimeout { get { return 180000; } }
        public string[] Categories
        {
            get
            {
                List<string> all = node.AllCategories();
                return all.Count == 0 && !node.IsSuite ? new[] { "Uncategorized" } : all.ToArray();
            }
        }
        public TestMode TestMode
        {
            get
            {
                if (node.Parent == null)
                    return TestMode.EditMode | TestMode.PlayMode;
                return node.IsPlayMode ? TestMode.PlayMode : TestMode.EditMode;
            }
        }
        public RunState RunState
        {
            get
            {
                switch (node.State)
                {
                    case TestRunState.Ignored: return RunState.Ignored;
                    case TestRunState.Explicit: return RunState.Explicit;
                    case TestRunState.NotRunnable: return RunState.NotRunnable;
                    default: return RunState.Runnable;
                }
            }
        }

        public ITestAdaptor Parent { get { return Of(node.Parent, wanted); } }
        public string ParentId { get { return node.Parent == null ? "" : node.Parent.Id; } }
        public string ParentFullName { get { return node.Parent == null ? "" : node.Parent.FullName; } }
        public string ParentUniqueName { get { return node.Parent == null ? "" : Unique(node.Parent); } }
        public string UniqueName { get { return Unique(node); } }
        public int ChildIndex { get { return node.Parent == null ? -1 : node.Parent.Children.IndexOf(node); } }
        public bool HasChildren { get { return node.Children.Count > 0; } }

        public IEnumerable<ITestAdaptor> Children
        {
            get
            {
                foreach (TestNode child in node.Children)
                    if (CountOf(child) > 0)
                        yield return Of(child, wanted);
            }
        }

        public int TestCaseCount { get { return CountOf(node); } }

        int CountOf(TestNode of)
        {
            int count = 0;
            foreach (TestNode leaf in of.Leaves())
                if (wanted == null || wanted(leaf))
                    count++;
            return count;
        }

        static string Unique(TestNode node)
        {
            return "[" + node.AssemblyName + "][" + node.FullName + "]" + (node.IsSuite ? "[suite]" : "");
        }
    }
}
