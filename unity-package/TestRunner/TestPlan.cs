using System;
using System.Collections.Generic;
using System.Text.RegularExpressions;
using UnityEditor.TestTools.TestRunner.Api;

namespace Multiverse.Editor
{
    /// <summary>
    /// The tests to run: the arguments of run_tests.
    /// A filter works as on Unity's command line (-testFilter): a regular expression that matches a
    /// part of the full name, or several with ";" between them; "!" before one excludes its
    /// matches. In addition, a full name or its beginning is accepted literally: "A.B(1)".
    /// <code>
    ///     TestPlan plan = TestPlan.Of(arguments);            // throws ERR_INVALID_PARAMS
    ///     plan.FilterFor(TestMode.PlayMode)
    ///     plan.Count(testsToRun)                             // those it means, for the progress
    /// </code>
    /// </summary>
    internal sealed class TestPlan
    {
        public readonly bool Edit, Play;
        public readonly string Filter;
        public readonly string[] Assemblies, Categories;
        readonly string[] groups;

        TestPlan(string mode, string filter, string[] assemblies, string[] categories)
        {
            Edit = mode != "play";
            Play = mode == "play" || mode == "all";
            Filter = filter;
            Assemblies = assemblies;
            Categories = categories;
            groups = GroupsOf(filter);
        }

        public static TestPlan Of(JsonValue arguments)
        {
            string filter = arguments.GetString("filter", "");
            if (filter.IndexOf('\0') >= 0)
                throw new ToolError("ERR_INVALID_PARAMS", "filter must not contain a NUL character");
            return new TestPlan(arguments.GetString("mode", "edit"), filter, ReadNames(arguments, "assemblies"),
                                ReadNames(arguments, "categories"));
        }

        static string[] ReadNames(JsonValue arguments, string key)
        {
            var names = new List<string>();
            foreach (JsonValue name in arguments.Get(key).Items)
            {
                if (name.AsString.IndexOf(';') >= 0 || name.AsString.IndexOf('\0') >= 0)
                    throw new ToolError("ERR_INVALID_PARAMS", "a name in " + key + " must not contain \";\"");
                if (name.AsString.Length > 0)
                    names.Add(name.AsString);
            }
            return names.ToArray();
        }

        /// <summary>Write the arguments for Of in the next domain.</summary>
        public void Write(JsonWriter w)
        {
            w.BeginObject();
            w.Member("mode", !Edit ? "play" : Play ? "all" : "edit");
            w.Member("filter", Filter);
            Write(w, "assemblies", Assemblies);
            Write(w, "categories", Categories);
            w.EndObject();
        }

        static void Write(JsonWriter w, string key, string[] names)
        {
            w.Key(key);
            w.BeginArray();
            foreach (string name in names)
                w.Value(name);
            w.EndArray();
        }

        static string[] GroupsOf(string filter)
        {
            var groups = new List<string>();
            foreach (string part in filter.Split(';'))
                AddGroup(groups, part);
            if (groups.Count > 0 && filter.IndexOf(';') >= 0 && filter[0] != '!')
                groups.Add("^" + Regex.Escape(filter)); /* a test's argument may contain ";" */
            return groups.ToArray();
        }

        static void AddGroup(List<string> groups, string part)
        {
            string not = part.StartsWith("!", StringComparison.Ordinal) ? "!" : "";
            string text = part.Substring(not.Length), asName = Regex.Escape(text);
            if (text.Length == 0)
                return;
            bool isExpression = IsExpression(text);
            if (isExpression)
                groups.Add(part);
            /* A name whose only special character is "." is matched by its own expression. */
            if (!isExpression || asName != text.Replace(".", "\\."))
                groups.Add(not + "^" + asName);
        }

        /* Unity matches the expression against the names of all tests without a time limit, so
           reject one that takes too long on a repetition of its own characters. */
        static bool IsExpression(string text)
        {
            try
            {
                var trial = new Regex(text, RegexOptions.None, TimeSpan.FromMilliseconds(100));
                bool repeats = text.IndexOfAny(repetitions) >= 0;
                for (int i = -2; repeats && i < Math.Min(text.Length, 64); i++)
                    trial.IsMatch(new string(i < 0 ? "aA"[i + 2] : text[i], 40) + "\u0001");
                return true;
            }
            catch (ArgumentException)
            {
                return false;
            }
            catch (RegexMatchTimeoutException)
            {
                throw new ToolError("ERR_INVALID_PARAMS",
                                    "filter takes too long to match: simplify it (nested repetitions are the usual " +
                                    "cause)");
            }
        }
        static readonly char[] repetitions = { '*', '+', '{' };

        public Filter FilterFor(TestMode mode)
        {
            var filter = new Filter { testMode = mode };
            if (groups.Length > 0)
                filter.groupNames = groups;
            if (Assemblies.Length > 0)
                filter.assemblyNames = Assemblies;
            if (Categories.Length > 0)
                filter.categoryNames = Categories;
            return filter;
        }

        /// <summary>The number of selected tests in a tree; older runners report the whole
        /// tree.</summary>
        public int Count(ITestAdaptor tree) { return Count(tree, false, false, false, 0); }

        int Count(ITestAdaptor test, bool named, bool inAssembly, bool inCategory, int depth)
        {
            named |= groups.Length == 0 || !test.IsTestAssembly && depth > 0 && MatchesAny(groups, test.FullName);
            inAssembly |= Assemblies.Length == 0 || test.IsTestAssembly && MatchesAny(Assemblies, AssemblyName(test));
            inCategory |= Categories.Length == 0 || AnyFits(Categories, test.Categories);
            if (!test.HasChildren)
                return named && inAssembly && inCategory && !test.IsSuite ? 1 : 0;
            int count = 0;
            foreach (ITestAdaptor child in test.Children)
                count += Count(child, named, inAssembly, inCategory, depth + 1);
            return count;
        }

        static string AssemblyName(ITestAdaptor test)
        {
            string name = test.Name.Substring(test.Name.LastIndexOfAny(slashes) + 1);
            bool isFile = name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase);
            return isFile ? name.Substring(0, name.Length - 4) : name;
        }
        static readonly char[] slashes = { '/', '\\' };

        static bool AnyFits(string[] patterns, string[] texts)
        {
            foreach (string text in texts ?? new string[0])
                if (MatchesAny(patterns, text))
                    return true;
            return false;
        }

        /* Match at least one positive pattern, if any, and no negative one. */
        static bool MatchesAny(string[] patterns, string text)
        {
            bool may = false, anyMay = false;
            foreach (string pattern in patterns)
            {
                bool not = pattern.StartsWith("!", StringComparison.Ordinal);
                bool fits = IsMatch(text, not ? pattern.Substring(1) : pattern);
                if (not && fits)
                    return false;
                may |= !not && fits;
                anyMay |= !not;
            }
            return may || !anyMay;
        }

        static bool IsMatch(string text, string pattern)
        {
            try
            {
                return text == pattern ||
                       Regex.IsMatch(text, pattern, RegexOptions.None, TimeSpan.FromMilliseconds(100));
            }
            catch (ArgumentException)
            {
                return false;
            }
            catch (RegexMatchTimeoutException)
            {
                return false;
            }
        }
    }
}
