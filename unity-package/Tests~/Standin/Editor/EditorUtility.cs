using Standin;

namespace UnityEditor
{
    /// <summary>The members of EditorUtility about the editor itself; those about objects and assets
    /// are in other files.</summary>
    public partial class EditorUtility
    {
        public static bool scriptCompilationFailed { get { return Standin.Compilation.HasErrors; } }

        public static bool DisplayDialog(string title, string message, string ok) { return Ask(title, message); }
        public static bool DisplayDialog(string title, string message, string ok, string cancel)
        {
            return Ask(title, message);
        }
        public static int DisplayDialogComplex(string title, string message, string ok, string cancel, string alt)
        {
            Ask(title, message);
            return 1;
        }
        public static void DisplayProgressBar(string title, string info, float progress) { }
        public static bool DisplayCancelableProgressBar(string title, string info, float progress) { return false; }
        public static void ClearProgressBar() { }
        public static void RequestScriptReload() { DomainReload.Request(); }

        static bool Ask(string title, string message)
        {
            Dialogs.Show(title, message);
            return false;
        }
    }
}
