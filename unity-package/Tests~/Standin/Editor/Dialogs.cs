using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// Modal dialogs that Unity would have opened, stopping everything until a user answers. Here they
    /// are counted and answered with "cancel" at once; a package that never opens one leaves it at 0.
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
