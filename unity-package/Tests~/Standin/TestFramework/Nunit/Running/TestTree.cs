using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using NUnit.Framework;

namespace Standin.Testing
{
    /// <summary>
    /// Finds the tests of assemblies.
    /// <code>
    ///     TestNode root = new TestTree("MyProject").Add(assembly, false).Root;
    ///     foreach (TestNode test in root.Leaves()) ...
    /// </code>
    /// </summary>
    sealed class TestTree
    {
        const BindingFlags anyMethod = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance |
                                       BindingFlags.Static;

        public readonly TestNode Root;

        public TestTree(string name) { Root = new TestNode { Name = name, FullName = name, IsSuite = true }; }

        public TestTree Add(Assembly assembly, bool isPlayMode)
        {
            string name = assembly.GetName().Name;
            var suite = new TestNode
            {
                Name = name + ".dll", FullName = assembly.Location, IsSuite = true, IsAssembly = true,
                AssemblyName = name, IsPlayMode = isPlayMode
            };
            Describe(suite, assembly.GetCustomAttributes(true));
            var types = new List<Type>(assembly.GetTypes());
            types.Sort((a, b) => string.CompareOrdinal(a.FullName, b.FullName));
            foreach (Type type in types)
                if (IsFixture(type))
                    AddFixtures(suite, type);
            if (suite.Children.Count > 0)
                Root.Add(suite);
            return this;
        }

        static bool IsFixture(Type type)
        {
            if (type.IsAbstract && !type.IsSealed || type.IsGenericTypeDefinition)
                return false;
            if (type.IsDefined(typeof(TestFixtureAttribute), true))
                return true;
            foreach (MethodInfo method in type.GetMethods(anyMethod))
                if (IsTest(method))
                    return true;
            return false;
        }

        static bool IsTest(MethodInfo method)
        {
            return method.IsDefined(typeof(TestAttribute), true) || method.IsDefined(typeof(TestCaseAttribute), false) ||
                   method.IsDefined(typeof(TestCaseSourceAttribute), false);
        }

        void AddFixtures(TestNode assembly, Type type)
        {
            TestNode parent = Namespace(assembly, type.Namespace);
            var attributes = (TestFixtureAttribute[])type.GetCustomAttributes(typeof(TestFixtureAttribute), true);
            if (attributes.Length == 0)
                attributes = new[] { new TestFixtureAttribute() };
            foreach (TestFixtureAttribute attribute in attributes)
                AddFixture(parent, type, attribute);
        }

        static TestNode Namespace(TestNode assembly, string name)
        {
            TestNode at = assembly;
            string full = "";
            foreach (string part in (name ?? "").Split(new[] { '.' }, StringSplitOptions.RemoveEmptyEntries))
            {
                full = full.Length == 0 ? part : full + "." + part;
                TestNode next = at.Children.Find(c => c.Type == null && c.Name == part);
                if (next == null)
                {
                    next = Suite(assembly, part, full);
                    at.Add(next);
                }
                at = next;
            }
            return at;
        }

        static TestNode Suite(TestNode origin, string name, string fullName)
        {
            return new TestNode
            {
                Name = name, FullName = fullName, IsSuite = true, AssemblyName = origin.AssemblyName,
                IsPlayMode = origin.IsPlayMode
            };
        }

        void AddFixture(TestNode parent, Type type, TestFixtureAttribute attribute)
        {
            string name = type.Name;
            for (Type outer = type.DeclaringType; outer != null; outer = outer.DeclaringType)
                name = outer.Name + "+" + name;
            string arguments = attribute.Arguments.Length == 0 ? "" : TestNames.Arguments(attribute.Arguments);
            string full = (string.IsNullOrEmpty(type.Namespace) ? "" : type.Namespace + ".") + name + arguments;
            TestNode fixture = Suite(parent, name + arguments, full);
            fixture.Type = type;
            fixture.FixtureArguments = attribute.Arguments;
            Describe(fixture, type.GetCustomAttributes(true));
            if (attribute.Category != null)
                fixture.Categories.AddRange(attribute.Category.Split(','));
            if (attribute.Ignore != null)
                Ignore(fixture, attribute.Ignore);
            foreach (MethodInfo method in Methods(type))
                AddMethod(fixture, method);
            if (fixture.Children.Count > 0)
                parent.Add(fixture);
        }

        /* Sorted by [Order], then by name, because reflection has no reliable order. */
        static List<MethodInfo> Methods(Type type)
        {
            var methods = new List<MethodInfo>();
            foreach (MethodInfo method in type.GetMethods(anyMethod))
                if (IsTest(method))
                    methods.Add(method);
            methods.Sort((a, b) =>
            {
                int order = OrderOf(a).CompareTo(OrderOf(b));
                return order != 0 ? order : string.CompareOrdinal(a.Name, b.Name);
            });
            return methods;
        }

        static int OrderOf(MethodInfo method)
        {
            var order = (OrderAttribute)Attribute.GetCustomAttribute(method, typeof(OrderAttribute));
            return order == null ? int.MaxValue : order.Order;
        }

        static void AddMethod(TestNode fixture, MethodInfo method)
        {
            List<TestNode> cases = TestCases.Of(fixture, method);
            TestNode parent = fixture;
            if (method.GetParameters().Length > 0)
            {
                parent = Suite(fixture, method.Name, fixture.FullName + "." + method.Name);
                parent.Type = fixture.Type;
                parent.Method = method;
                parent.FixtureArguments = fixture.FixtureArguments;
                fixture.Add(parent);
            }
            foreach (TestNode test in cases)
            {
                Describe(test, method.GetCustomAttributes(true));
                parent.Add(test);
            }
        }

        static void Describe(TestNode node, IEnumerable attributes)
        {
            foreach (object attribute in attributes)
            {
                if (attribute is CategoryAttribute)
                    node.Categories.Add(((CategoryAttribute)attribute).Name);
                else if (attribute is IgnoreAttribute)
                    Ignore(node, ((IgnoreAttribute)attribute).Reason);
                else if (attribute is ExplicitAttribute && node.State == TestRunState.Runnable)
                    SetState(node, TestRunState.Explicit, ((ExplicitAttribute)attribute).Reason);
                else if (attribute is DescriptionAttribute)
                    node.Description = ((DescriptionAttribute)attribute).Text;
                else if (attribute is TestAttribute)
                    node.Description = ((TestAttribute)attribute).Description ?? node.Description;
            }
        }

        static void Ignore(TestNode node, string reason) { SetState(node, TestRunState.Ignored, reason); }

        static void SetState(TestNode node, TestRunState state, string reason)
        {
            if (node.State == TestRunState.NotRunnable)
                return;
            node.State = state;
            node.SkipReason = reason ?? "";
        }
    }
}
