using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// Modal dialogs that would block Unity until a user answers. Here they are counted and
    /// answered with "cancel" at once. The package must never open one.
    /// </summary>
    internal static class Dialogs
    {
        static readonly List<string> shown = new List<string>();

        public static int Count { get { return shown.Count; } }
        public static IEnumerable<string> Shown { get { return shown; } }

        public static void Show(string title, string message)
        {
            shown.Add(title + ": " + message);
            System.Console.Error.WriteLine("modal dialog: " + title + ": " + message);
        }
    }
}
