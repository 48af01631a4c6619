using System;
using System.IO;

namespace NUnit.Framework
{
    /// <summary>The running test's context.</summary>
    public partial class TestContext
    {
        static readonly TestContext running = new TestContext();

        public class TestAdapter
        {
            public string Name { get; internal set; }
            public string FullName { get; internal set; }
            public string MethodName { get; internal set; }
            public string ClassName { get; internal set; }
        }

        TestContext() { Test = new TestAdapter(); }

        public static TestContext CurrentContext { get { return running; } }
        public static TextWriter Out { get { return output; } }
        static StringWriter output = new StringWriter();

        public TestAdapter Test { get; private set; }
        public string TestDirectory { get { return AppDomain.CurrentDomain.BaseDirectory; } }
        public string WorkDirectory { get { return Environment.CurrentDirectory; } }

        public static void WriteLine(string value) { output.WriteLine(value); }
        public static void WriteLine(string format, params object[] args) { output.WriteLine(format, args); }
        public static void Write(string value) { output.Write(value); }

        internal static void Begin(TestAdapter test)
        {
            running.Test = test;
            output = new StringWriter();
        }

        internal static string Output { get { return output.ToString(); } }
    }
}
