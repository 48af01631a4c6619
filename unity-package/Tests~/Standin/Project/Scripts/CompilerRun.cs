using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Text;
using System.Text.RegularExpressions;

namespace Standin
{
    /// <summary>A compiler error.</summary>
    internal struct CompilerError
    {
        /// <summary>Empty without a file.</summary>
        public string File;
        public int Line;
        public int Column;
        /// <summary>"CS0246: The type ..."</summary>
        public string Text;
    }

    /// <summary>One run of mcs.</summary>
    internal static class CompilerRun
    {
        const int MaxMilliseconds = 300000;

        static readonly Regex errorForm = new Regex(
            @"^(?:(?<file>.+?)\((?<line>\d+)(?:,(?<column>\d+))?[^)]*\): )?(?:fatal )?error (?<text>CS\d+: .*)$");

        /// <summary>arguments: the lines of a response file.</summary>
        public static List<CompilerError> Run(string folder, IEnumerable<string> arguments)
        {
            string response = folder + "/arguments.rsp";
            File.WriteAllLines(response, arguments);
            var start = new ProcessStartInfo("mcs", "-noconfig @\"" + response + "\"")
            {
                UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true,
                StandardOutputEncoding = Encoding.UTF8, StandardErrorEncoding = Encoding.UTF8, CreateNoWindow = true
            };
            var lines = new List<string>();
            using (var process = new Process { StartInfo = start })
            {
                process.OutputDataReceived += (sender, e) => AddLine(lines, e.Data);
                process.ErrorDataReceived += (sender, e) => AddLine(lines, e.Data);
                process.Start();
                process.BeginOutputReadLine();
                process.BeginErrorReadLine();
                if (!process.WaitForExit(MaxMilliseconds))
                {
                    process.Kill();
                    return new List<CompilerError> { new CompilerError { File = "", Text = "CS0000: the compiler hangs" } };
                }
                process.WaitForExit();
                return Read(lines, process.ExitCode);
            }
        }

        static void AddLine(List<string> lines, string line)
        {
            if (line == null)
                return;
            lock (lines)
                lines.Add(line);
        }

        static List<CompilerError> Read(List<string> lines, int exitCode)
        {
            var faults = new List<CompilerError>();
            foreach (string line in lines)
            {
                Match match = errorForm.Match(line);
                if (match.Success)
                    faults.Add(new CompilerError
                    {
                        File = match.Groups["file"].Value, Line = Number(match.Groups["line"].Value),
                        Column = Number(match.Groups["column"].Value), Text = match.Groups["text"].Value
                    });
            }
            if (exitCode != 0 && faults.Count == 0)
                faults.Add(new CompilerError { File = "", Text = "CS0000: " + string.Join(" ", lines.ToArray()) });
            return faults;
        }

        static int Number(string text)
        {
            int value;
            return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) ? value : 0;
        }
    }
}
