using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using System.Threading.Tasks;
using NUnit.Framework;

namespace Standin.Testing
{
    /// <summary>
    /// Runs one test in steps: <see cref="Step"/> is called once per update until it returns the
    /// outcome. A plain test needs one step; one that yields or waits for a Task needs several.
    /// </summary>
    sealed class TestExecution
    {
        /// <summary>Extensions of a test framework based on this one; set once.</summary>
        public static Action<TestNode> Before = test => { };
        /// <summary>Return another problem of a completed test (unexpected log messages), or
        /// null.</summary>
        public static Func<TestNode, string> After = test => null;
        /// <summary>Whether a value that a test yielded this many seconds ago still blocks
        /// it.</summary>
        public static Func<object, double, bool> IsWaiting = (yielded, seconds) => false;
        /// <summary>The attributes of setups and teardowns that yield: [UnitySetUp],
        /// [UnityTearDown].</summary>
        public static Type YieldingSetUp { get; set; }
        public static Type YieldingTearDown { get; set; }

        readonly TestNode test;
        readonly Fixture fixture;
        readonly TestOutcome outcome = new TestOutcome();
        readonly Stack<IEnumerator> stack = new Stack<IEnumerator>();
        object waitingFor;
        DateTime waitingSince;
        int runsLeft = 1, triesLeft = 1;
        bool tornDown;

        public TestExecution(TestNode test, Fixture fixture)
        {
            this.test = test;
            this.fixture = fixture;
            var repeat = (RepeatAttribute)Attribute.GetCustomAttribute(test.Method, typeof(RepeatAttribute));
            var retry = (RetryAttribute)Attribute.GetCustomAttribute(test.Method, typeof(RetryAttribute));
            runsLeft = repeat == null ? 1 : Math.Max(1, repeat.Count);
            triesLeft = retry == null ? 1 : Math.Max(1, retry.Count);
        }

        /// <summary>Return the outcome, or null to be called again in the next update.</summary>
        public TestOutcome Step()
        {
            if (outcome.Start == default(DateTime))
                Begin();
            if (waitingFor != null && IsWaiting(waitingFor, (DateTime.UtcNow - waitingSince).TotalSeconds))
                return null;
            waitingFor = null;
            if (Advance())
                return null;
            return Finish();
        }

        /// <summary>End the running test because the run was cancelled.</summary>
        public TestOutcome Cancel()
        {
            outcome.Status = "Failed";
            outcome.Label = "Cancelled";
            outcome.End = DateTime.UtcNow;
            return outcome;
        }

        void Begin()
        {
            outcome.Start = DateTime.UtcNow;
            Assert.Count = 0;
            TestContext.Begin(new TestContext.TestAdapter
            {
                Name = test.Name, FullName = test.FullName, MethodName = test.Method.Name, ClassName = test.Type.FullName
            });
            Attempt();
        }

        void Attempt()
        {
            outcome.Status = "Passed";
            outcome.Label = outcome.Message = outcome.StackTrace = "";
            tornDown = false;
            stack.Clear();
            Before(test);
            stack.Push(Body());
        }

        IEnumerator Body()
        {
            fixture.SetUpOnce();
            foreach (MethodInfo method in fixture.Methods(typeof(SetUpAttribute), true))
                yield return Call(method, null);
            foreach (MethodInfo method in fixture.Methods(YieldingSetUp, true))
                yield return Call(method, null);
            yield return Call(test.Method, test.Arguments);
        }

        IEnumerator TearDown()
        {
            foreach (MethodInfo method in fixture.Methods(YieldingTearDown, false))
                yield return Call(method, null);
            foreach (MethodInfo method in fixture.Methods(typeof(TearDownAttribute), false))
                yield return Call(method, null);
        }

        object Call(MethodInfo method, object[] arguments)
        {
            object result = fixture.Invoke(method, arguments);
            if (method == test.Method && test.HasExpectedResult)
                Assert.That(result, Is.EqualTo(test.ExpectedResult));
            return result is IEnumerator || result is Task ? result : Done;
        }

        /* Nothing to wait for: continue in the same update. */
        static readonly object Done = new object();

        /* Return true to continue in the next update. */
        bool Advance()
        {
            while (true)
            {
                try
                {
                    if (Move())
                        return true;
                }
                catch (Exception e)
                {
                    Failed(e is TargetInvocationException ? e.InnerException : e);
                    stack.Clear();
                }
                if (stack.Count > 0)
                    continue;
                if (tornDown)
                    return false;
                tornDown = true;
                stack.Push(TearDown());
            }
        }

        /* Advance the innermost enumerator; return true to wait for an update. */
        bool Move()
        {
            IEnumerator top = stack.Peek();
            if (!top.MoveNext())
            {
                stack.Pop();
                return false;
            }
            object yielded = top.Current;
            if (yielded == Done)
                return false;
            var inner = yielded as IEnumerator;
            if (inner != null)
                stack.Push(inner);
            else if (yielded is Task)
                stack.Push(Await((Task)yielded));
            else
            {
                waitingFor = yielded;
                waitingSince = DateTime.UtcNow;
                return true;
            }
            return false;
        }

        static IEnumerator Await(Task task)
        {
            while (!task.IsCompleted)
                yield return null;
            task.GetAwaiter().GetResult();
        }

        void Failed(Exception e)
        {
            if (outcome.Status == "Failed")
            {
                outcome.Message += "\nTearDown : " + e.GetType().Name + " : " + e.Message;
                return;
            }
            outcome.Label = "";
            outcome.Message = e.Message;
            outcome.StackTrace = StackOf(e);
            if (e is SuccessException)
                outcome.Status = "Passed";
            else if (e is InconclusiveException)
                outcome.Status = "Inconclusive";
            else if (e is IgnoreException)
            {
                outcome.Status = "Skipped";
                outcome.Label = "Ignored";
            }
            else
            {
                outcome.Status = "Failed";
                if (!(e is AssertionException))
                {
                    outcome.Label = "Error";
                    outcome.Message = e.GetType().FullName + " : " + e.Message;
                }
            }
        }

        /* Omit the frames of the assertions. */
        static string StackOf(Exception e)
        {
            var lines = new List<string>();
            foreach (string line in (e.StackTrace ?? "").Split('\n'))
                if (!line.Contains("at NUnit.Framework.") && !line.Contains("at Standin.Testing.") &&
                    !line.Contains("System.Reflection.") && line.Trim().Length > 0)
                    lines.Add(line.TrimEnd());
            return string.Join("\n", lines.ToArray());
        }

        TestOutcome Finish()
        {
            string problem = After(test);
            if (problem != null && outcome.Status == "Passed")
            {
                outcome.Status = "Failed";
                outcome.Message = problem;
            }
            bool failed = outcome.Status == "Failed";
            if (failed ? --triesLeft > 0 : --runsLeft > 0)
            {
                Attempt();
                return null;
            }
            outcome.Asserts = Assert.Count;
            outcome.Output = TestContext.Output;
            outcome.End = DateTime.UtcNow;
            return outcome;
        }
    }
}
