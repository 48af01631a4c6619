using System;
using System.Collections;
using System.Collections.Generic;
using System.Text.RegularExpressions;
using UnityEditor.TestTools.TestRunner.Api;

namespace Standin.Testing
{
    /// <summary>
    /// Whether a test matches a Filter, in each of its non-empty lists. Names are full names of the
    /// test or a suite above it; groups are regular expressions; "!" before a group or category
    /// excludes its matches.
    /// </summary>
    sealed class TestFilter
    {
        readonly Filter filter;
        readonly bool synchronous;
        readonly List<Regex> groups = new List<Regex>();
        readonly List<Regex> notGroups = new List<Regex>();

        public TestFilter(Filter filter, bool synchronous)
        {
            this.filter = filter;
            this.synchronous = synchronous;
            foreach (string group in filter.groupNames ?? new string[0])
            {
                bool isNot = group.StartsWith("!", StringComparison.Ordinal);
                (isNot ? notGroups : groups).Add(new Regex(isNot ? group.Substring(1) : group));
            }
        }

        public bool Means(TestNode test)
        {
            TestMode mode = test.IsPlayMode ? TestMode.PlayMode : TestMode.EditMode;
            bool isNamed = false;
            return (filter.testMode & mode) != 0 && !(synchronous && IsSlow(test)) && Named(test, ref isNamed) &&
                   Grouped(test, ref isNamed) && InAssembly(test) && InCategory(test);
        }

        /// <summary>Whether the test is selected by a name; then it runs even if it is
        /// [Explicit].</summary>
        public bool MeansByName(TestNode test)
        {
            bool isNamed = false;
            return Named(test, ref isNamed) && Grouped(test, ref isNamed) && isNamed;
        }

        static bool IsSlow(TestNode test)
        {
            return typeof(IEnumerator).IsAssignableFrom(test.Method.ReturnType);
        }

        bool Named(TestNode test, ref bool isNamed)
        {
            if (IsEmpty(filter.testNames))
                return true;
            for (TestNode node = test; node != null; node = node.Parent)
                if (Array.IndexOf(filter.testNames, node.FullName) >= 0)
                    return isNamed = true;
            return false;
        }

        bool Grouped(TestNode test, ref bool isNamed)
        {
            if (notGroups.Exists(r => r.IsMatch(test.FullName)))
                return false;
            if (groups.Count == 0)
                return true;
            bool fits = groups.Exists(r => r.IsMatch(test.FullName));
            isNamed |= fits;
            return fits;
        }

        bool InAssembly(TestNode test)
        {
            return IsEmpty(filter.assemblyNames) || Array.IndexOf(filter.assemblyNames, test.AssemblyName) >= 0;
        }

        bool InCategory(TestNode test)
        {
            if (IsEmpty(filter.categoryNames))
                return true;
            List<string> all = test.AllCategories();
            if (all.Count == 0)
                all.Add("Uncategorized");
            bool hasPositive = false, fits = false;
            foreach (string name in filter.categoryNames)
            {
                if (!name.StartsWith("!", StringComparison.Ordinal))
                {
                    hasPositive = true;
                    fits |= all.Contains(name);
                }
                else if (all.Contains(name.Substring(1)))
                    return false;
            }
            return fits || !hasPositive;
        }

        static bool IsEmpty(string[] list) { return list == null || list.Length == 0; }
    }
}
