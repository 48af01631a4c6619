using System;
using System.Collections.Generic;
using System.Globalization;

namespace Standin.Testing
{
    /// <summary>The outcome of a test, in NUnit's terms.</summary>
    sealed class TestOutcome
    {
        /// <summary>Passed, Failed, Skipped or Inconclusive.</summary>
        public string Status = "Inconclusive";
        /// <summary>Error, Ignored, Explicit, Cancelled, Invalid, or empty.</summary>
        public string Label = "";
        public string Message = "";
        public string StackTrace = "";
        public string Output = "";
        public int Asserts;
        public DateTime Start;
        public DateTime End;

        public double Duration { get { return (End - Start).TotalSeconds; } }

        public static TestOutcome Of(string status, string label, string message)
        {
            DateTime now = DateTime.UtcNow;
            return new TestOutcome { Status = status, Label = label, Message = message ?? "", Start = now, End = now };
        }

        public Dictionary<string, object> Export()
        {
            return new Dictionary<string, object>
            {
                { "status", Status }, { "label", Label }, { "message", Message }, { "stack", StackTrace },
                { "output", Output }, { "asserts", Asserts }, { "start", Start.Ticks }, { "end", End.Ticks }
            };
        }

        public static TestOutcome Import(Dictionary<string, object> value)
        {
            return new TestOutcome
            {
                Status = (string)value["status"], Label = (string)value["label"], Message = (string)value["message"],
                StackTrace = (string)value["stack"], Output = (string)value["output"],
                Asserts = Convert.ToInt32(value["asserts"], CultureInfo.InvariantCulture),
                Start = new DateTime((long)value["start"], DateTimeKind.Utc),
                End = new DateTime((long)value["end"], DateTimeKind.Utc)
            };
        }
    }
}
