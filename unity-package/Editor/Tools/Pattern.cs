using System;
using System.Diagnostics;
using System.Text.RegularExpressions;

namespace Multiverse.Editor
{
    /// <summary>
    /// A regular expression from a caller: case-insensitive, limited in length and time. An invalid
    /// or too slow pattern is ERR_INVALID_PARAMS. One match may take MatchMs, all matches of a
    /// pattern together BudgetMs. .NET's syntax differs from the PCRE2 of the headless editor: see
    /// docs/tools.md.
    /// <code>
    ///     Pattern p = Pattern.Of("message_pattern", text);     // null: there is none, all match
    ///     if (p == null || p.Matches(message)) ...
    /// </code>
    /// </summary>
    public sealed class Pattern
    {
        public const int MaxBytes = 1024;
        public const int BudgetMs = 500;
        const int MatchMs = 100;
        const RegexOptions Options = RegexOptions.IgnoreCase | RegexOptions.CultureInvariant;

        /* .NET reads a POSIX class as a set of its letters and silently gives wrong matches. */
        static readonly Regex posixClass = new Regex(@"\[:\^?[a-z]+:\]", RegexOptions.CultureInvariant);

        readonly string argument;
        readonly Regex regex;
        readonly Stopwatch spent = new Stopwatch();

        Pattern(string argument, Regex regex)
        {
            this.argument = argument;
            this.regex = regex;
        }

        public static Pattern Of(string argument, string text)
        {
            if (text.Length == 0)
                return null;
            int bytes = Utf8.Count(text);
            if (bytes > MaxBytes)
                throw Wrong(argument + " may have at most " + MaxBytes + " bytes, and has " + bytes);
            Match posix = posixClass.Match(text);
            if (posix.Success)
                throw SyntaxError(argument, text, posix.Index, "POSIX classes are not known here, use \\p{L} and the like");
            try
            {
                return new Pattern(argument, CompileRegex(text));
            }
            catch (ArgumentException e)
            {
                throw SyntaxError(argument, text, FindErrorPosition(text), ExtractReason(e.Message, text));
            }
        }

        public bool Matches(string text)
        {
            spent.Start();
            try
            {
                bool found = regex.IsMatch(text);
                if (spent.ElapsedMilliseconds > BudgetMs)
                    throw TooSlow();
                return found;
            }
            catch (RegexMatchTimeoutException)
            {
                throw TooSlow();
            }
            finally
            {
                spent.Stop();
            }
        }

        static Regex CompileRegex(string text)
        {
            return new Regex(text, Options, TimeSpan.FromMilliseconds(MatchMs));
        }

        /* .NET does not report the position: it is the end of the longest valid prefix. */
        static int FindErrorPosition(string text)
        {
            for (int n = text.Length - 1; n > 0; n--)
            {
                try
                {
                    CompileRegex(text.Substring(0, n));
                    return n;
                }
                catch (ArgumentException)
                {
                }
            }
            return 0;
        }

        /* Example: parsing "a(" - Not enough )'s. */
        static string ExtractReason(string message, string text)
        {
            int at = message.IndexOf(text, StringComparison.Ordinal);
            string reason = at < 0 ? message : message.Substring(at + text.Length);
            int line = reason.IndexOf('\n');
            return (line < 0 ? reason : reason.Substring(0, line)).TrimStart('"', '\'', ' ', '-').TrimEnd(' ', '.');
        }

        static ToolError SyntaxError(string argument, string text, int at, string reason)
        {
            return Wrong(argument + " is not a valid regular expression: at byte " +
                         (Utf8.Count(text.Substring(0, at)) + 1) + ": " + reason);
        }

        ToolError TooSlow()
        {
            return Wrong(argument + " takes too long to match: simplify it (nested repetitions are the usual cause)");
        }

        static ToolError Wrong(string message) { return new ToolError("ERR_INVALID_PARAMS", message); }
    }
}
