using System.Globalization;
using System.IO;
using System.Text;
using System.Xml;
using UnityEditor.TestTools.TestRunner.Api;

namespace Standin.Testing
{
    /// <summary>Results in NUnit's XML, version 3, as Unity writes them.</summary>
    static class TestResultFile
    {
        public static void Write(ITestResultAdaptor result, string path)
        {
            string folder = Path.GetDirectoryName(Path.GetFullPath(path));
            Directory.CreateDirectory(folder);
            var settings = new XmlWriterSettings { Indent = true, Encoding = new UTF8Encoding(false) };
            using (XmlWriter xml = XmlWriter.Create(path, settings))
                Run(xml, result);
        }

        static void Run(XmlWriter xml, ITestResultAdaptor result)
        {
            xml.WriteStartDocument();
            xml.WriteStartElement("test-run");
            xml.WriteAttributeString("id", "2");
            xml.WriteAttributeString("testcasecount", Total(result));
            xml.WriteAttributeString("result", result.ResultState);
            Counts(xml, result);
            xml.WriteAttributeString("engine-version", "3.5.0.0");
            xml.WriteAttributeString("clr-version", System.Environment.Version.ToString());
            Times(xml, result);
            Node(xml, result);
            xml.WriteEndElement();
            xml.WriteEndDocument();
        }

        static string Total(ITestResultAdaptor result)
        {
            return Number(result.PassCount + result.FailCount + result.SkipCount + result.InconclusiveCount);
        }

        static string Number(int value) { return value.ToString(CultureInfo.InvariantCulture); }

        static void Counts(XmlWriter xml, ITestResultAdaptor result)
        {
            xml.WriteAttributeString("total", Total(result));
            xml.WriteAttributeString("passed", Number(result.PassCount));
            xml.WriteAttributeString("failed", Number(result.FailCount));
            xml.WriteAttributeString("inconclusive", Number(result.InconclusiveCount));
            xml.WriteAttributeString("skipped", Number(result.SkipCount));
            xml.WriteAttributeString("asserts", Number(result.AssertCount));
        }

        static void Times(XmlWriter xml, ITestResultAdaptor result)
        {
            xml.WriteAttributeString("start-time", result.StartTime.ToString("u", CultureInfo.InvariantCulture));
            xml.WriteAttributeString("end-time", result.EndTime.ToString("u", CultureInfo.InvariantCulture));
            xml.WriteAttributeString("duration", result.Duration.ToString("0.######", CultureInfo.InvariantCulture));
        }

        static void Node(XmlWriter xml, ITestResultAdaptor result)
        {
            ITestAdaptor test = result.Test;
            xml.WriteStartElement(test.IsSuite ? "test-suite" : "test-case");
            if (test.IsSuite)
                xml.WriteAttributeString("type", TypeOf(test));
            xml.WriteAttributeString("id", test.Id);
            xml.WriteAttributeString("name", test.Name);
            xml.WriteAttributeString("fullname", test.FullName);
            xml.WriteAttributeString("runstate", test.RunState.ToString());
            if (test.IsSuite)
                xml.WriteAttributeString("testcasecount", Total(result));
            xml.WriteAttributeString("result", result.TestStatus.ToString());
            string label = ((TestResultAdaptor)result).Label;
            if (label.Length > 0)
                xml.WriteAttributeString(test.IsSuite ? "site" : "label", label);
            Times(xml, result);
            if (test.IsSuite)
                Counts(xml, result);
            else
                xml.WriteAttributeString("asserts", Number(result.AssertCount));
            Properties(xml, test);
            Texts(xml, result);
            foreach (ITestResultAdaptor child in result.Children)
                Node(xml, child);
            xml.WriteEndElement();
        }

        static string TypeOf(ITestAdaptor test)
        {
            if (test.IsTestAssembly)
                return "Assembly";
            foreach (ITestAdaptor child in test.Children)
                if (!child.IsSuite)
                    return child.Name.StartsWith(test.Name + "(", System.StringComparison.Ordinal)
                        ? "ParameterizedMethod" : "TestFixture";
            return "TestSuite";
        }

        static void Properties(XmlWriter xml, ITestAdaptor test)
        {
            xml.WriteStartElement("properties");
            var categories = test.IsSuite ? new string[0] : test.Categories;
            foreach (string category in categories)
                if (category != "Uncategorized")
                    Property(xml, "Category", category);
            if (test.IsTestAssembly)
                Property(xml, "platform", test.TestMode.ToString());
            if (!string.IsNullOrEmpty(test.SkipReason))
                Property(xml, "_SKIPREASON", test.SkipReason);
            xml.WriteEndElement();
        }

        static void Property(XmlWriter xml, string name, string value)
        {
            xml.WriteStartElement("property");
            xml.WriteAttributeString("name", name);
            xml.WriteAttributeString("value", Clean(value));
            xml.WriteEndElement();
        }

        static void Texts(XmlWriter xml, ITestResultAdaptor result)
        {
            bool failed = result.TestStatus == TestStatus.Failed;
            if (result.Message != null || failed)
            {
                xml.WriteStartElement(failed ? "failure" : "reason");
                Text(xml, "message", result.Message ?? "");
                if (failed && result.StackTrace != null)
                    Text(xml, "stack-trace", result.StackTrace);
                xml.WriteEndElement();
            }
            if (!string.IsNullOrEmpty(result.Output))
                Text(xml, "output", result.Output);
        }

        static void Text(XmlWriter xml, string name, string text)
        {
            xml.WriteStartElement(name);
            string clean = Clean(text);
            int from = 0;
            /* A CDATA section cannot contain "]]>". */
            for (int at = clean.IndexOf("]]>"); at >= 0; at = clean.IndexOf("]]>", at + 2))
            {
                xml.WriteCData(clean.Substring(from, at + 2 - from));
                from = at + 2;
            }
            xml.WriteCData(clean.Substring(from));
            xml.WriteEndElement();
        }

        /* XML does not allow most control characters. */
        static string Clean(string text)
        {
            var clean = new StringBuilder(text.Length);
            for (int i = 0; i < text.Length; i++)
            {
                if (XmlConvert.IsXmlChar(text[i]))
                    clean.Append(text[i]);
                else if (i + 1 < text.Length && XmlConvert.IsXmlSurrogatePair(text[i + 1], text[i]))
                    clean.Append(text[i]).Append(text[++i]);
                else
                    clean.Append('\ufffd');
            }
            return clean.ToString();
        }
    }
}
