using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;
using NUnit.Framework;

namespace Standin.Testing
{
    /// <summary>
    /// The tests of a method: one, or one for each [TestCase], each item of a [TestCaseSource],
    /// each combination of [Values].
    /// </summary>
    static class TestCases
    {
        const BindingFlags anyStatic = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic |
                                       BindingFlags.FlattenHierarchy;

        public static List<TestNode> Of(TestNode fixture, MethodInfo method)
        {
            var cases = new List<TestNode>();
            try
            {
                foreach (TestCaseAttribute data in method.GetCustomAttributes(typeof(TestCaseAttribute), false))
                    cases.Add(Case(fixture, method, data));
                foreach (TestCaseSourceAttribute source in
                         method.GetCustomAttributes(typeof(TestCaseSourceAttribute), false))
                    foreach (object item in Source(source.SourceType ?? method.DeclaringType, source.SourceName))
                        cases.Add(Case(fixture, method, item, source.Category));
                if (cases.Count == 0)
                    Plain(fixture, method, cases);
            }
            catch (Exception e)
            {
                cases.Add(NotRunnable(Make(fixture, method, null, null), Inner(e).Message));
            }
            return cases;
        }

        static Exception Inner(Exception e) { return e is TargetInvocationException ? e.InnerException : e; }

        static void Plain(TestNode fixture, MethodInfo method, List<TestNode> cases)
        {
            if (method.GetParameters().Length == 0)
            {
                cases.Add(Checked(Make(fixture, method, null, null)));
                return;
            }
            foreach (object[] arguments in Combinations(method))
                cases.Add(Checked(Make(fixture, method, arguments, null)));
            if (cases.Count == 0)
                cases.Add(NotRunnable(Make(fixture, method, null, null), "No arguments were provided"));
        }

        static TestNode Make(TestNode fixture, MethodInfo method, object[] arguments, string name)
        {
            string own = name ?? method.Name + (arguments == null ? "" : TestNames.Arguments(arguments));
            return new TestNode
            {
                Name = own, FullName = fixture.FullName + "." + own, Type = fixture.Type, Method = method,
                Arguments = arguments, FixtureArguments = fixture.FixtureArguments,
                AssemblyName = fixture.AssemblyName, IsPlayMode = fixture.IsPlayMode
            };
        }

        static TestNode NotRunnable(TestNode test, string reason)
        {
            test.State = TestRunState.NotRunnable;
            test.SkipReason = reason;
            return test;
        }

        static TestNode Checked(TestNode test)
        {
            int wanted = test.Method.GetParameters().Length;
            int given = test.Arguments == null ? 0 : test.Arguments.Length;
            if (wanted != given)
                return NotRunnable(test, "Wrong number of arguments specified.");
            bool returns = test.Method.ReturnType != typeof(void) &&
                           !typeof(IEnumerator).IsAssignableFrom(test.Method.ReturnType) &&
                           !typeof(System.Threading.Tasks.Task).IsAssignableFrom(test.Method.ReturnType);
            if (returns && !test.HasExpectedResult)
                return NotRunnable(test, "Method has non-void return value, but no result is expected");
            return test;
        }

        static TestNode Case(TestNode fixture, MethodInfo method, TestCaseAttribute data)
        {
            TestNode test = Make(fixture, method, Fitted(method, data.Arguments), data.TestName);
            if (data.TestName == null)
                test.Name = method.Name + TestNames.Arguments(data.Arguments);
            test.FullName = fixture.FullName + "." + test.Name;
            test.HasExpectedResult = data.HasExpectedResult;
            test.ExpectedResult = data.ExpectedResult;
            test.Description = data.Description ?? "";
            if (data.Category != null)
                test.Categories.AddRange(data.Category.Split(','));
            if (data.Ignore != null)
                Skip(test, TestRunState.Ignored, data.Ignore);
            else if (data.Explicit)
                Skip(test, TestRunState.Explicit, data.Reason ?? "");
            return Checked(test);
        }

        static TestNode Case(TestNode fixture, MethodInfo method, object item, string category)
        {
            var data = item as TestCaseData;
            object[] arguments = data != null ? data.Arguments : item as object[] ?? new[] { item };
            TestNode test = Make(fixture, method, Fitted(method, arguments), data == null ? null : data.TestName);
            if (category != null)
                test.Categories.AddRange(category.Split(','));
            if (data == null)
                return Checked(test);
            test.HasExpectedResult = data.HasExpectedResult;
            test.ExpectedResult = data.ExpectedResult;
            test.Categories.AddRange(data.Categories);
            if (data.IgnoreReason != null)
                Skip(test, TestRunState.Ignored, data.IgnoreReason);
            return Checked(test);
        }

        static void Skip(TestNode test, TestRunState state, string reason)
        {
            test.State = state;
            test.SkipReason = reason;
        }

        static IEnumerable Source(Type type, string name)
        {
            if (name == null)
                return (IEnumerable)Activator.CreateInstance(type);
            FieldInfo field = type.GetField(name, anyStatic);
            PropertyInfo property = type.GetProperty(name, anyStatic);
            MethodInfo method = type.GetMethod(name, anyStatic, null, Type.EmptyTypes, null);
            object found = field != null ? field.GetValue(null) : property != null ? property.GetValue(null, null)
                : method != null ? method.Invoke(null, null) : null;
            if (found == null)
                throw new InvalidOperationException("The source " + name + " could not be found: it must be static");
            return (IEnumerable)found;
        }

        static List<object[]> Combinations(MethodInfo method)
        {
            var columns = new List<List<object>>();
            foreach (ParameterInfo parameter in method.GetParameters())
                columns.Add(Column(method, parameter));
            return method.IsDefined(typeof(SequentialAttribute), true) ? InParallel(columns) : Product(columns);
        }

        static List<object> Column(MethodInfo method, ParameterInfo parameter)
        {
            var column = new List<object>();
            foreach (ValuesAttribute values in parameter.GetCustomAttributes(typeof(ValuesAttribute), false))
                foreach (object value in values.For(parameter.ParameterType))
                    column.Add(Fitted(value, parameter.ParameterType));
            foreach (ValueSourceAttribute source in parameter.GetCustomAttributes(typeof(ValueSourceAttribute), false))
                foreach (object value in Source(source.SourceType ?? method.DeclaringType, source.SourceName))
                    column.Add(Fitted(value, parameter.ParameterType));
            return column;
        }

        static List<object[]> Product(List<List<object>> columns)
        {
            var rows = new List<object[]> { new object[0] };
            foreach (List<object> column in columns)
            {
                var longer = new List<object[]>();
                foreach (object[] row in rows)
                    foreach (object value in column)
                    {
                        var next = new object[row.Length + 1];
                        row.CopyTo(next, 0);
                        next[row.Length] = value;
                        longer.Add(next);
                    }
                rows = longer;
            }
            return rows;
        }

        static List<object[]> InParallel(List<List<object>> columns)
        {
            int count = 0;
            foreach (List<object> column in columns)
                count = Math.Max(count, column.Count);
            var rows = new List<object[]>();
            for (int i = 0; i < count; i++)
                rows.Add(columns.ConvertAll(column => i < column.Count ? column[i] : null).ToArray());
            return rows;
        }

        /* [TestCase(1)] for a double: convert numbers as the compiler would. */
        static object[] Fitted(MethodInfo method, object[] arguments)
        {
            ParameterInfo[] parameters = method.GetParameters();
            var fitted = new object[arguments.Length];
            for (int i = 0; i < arguments.Length; i++)
                fitted[i] = i < parameters.Length ? Fitted(arguments[i], parameters[i].ParameterType) : arguments[i];
            return fitted;
        }

        static object Fitted(object value, Type type)
        {
            if (value == null || type.IsInstanceOfType(value) || !(value is IConvertible) || type.IsEnum)
                return value;
            if (type == typeof(decimal) || type.IsPrimitive && type != typeof(bool) && type != typeof(char))
                return Convert.ChangeType(value, type, CultureInfo.InvariantCulture);
            return value;
        }
    }
}
