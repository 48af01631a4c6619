using Standin;

namespace UnityEditor
{
    public static class AssemblyReloadEvents
    {
        public delegate void AssemblyReloadCallback();

        public static event AssemblyReloadCallback beforeAssemblyReload;
        public static event AssemblyReloadCallback afterAssemblyReload;

        internal static void CallBefore()
        {
            if (beforeAssemblyReload != null)
                EditorLoop.Guarded(() => beforeAssemblyReload());
        }

        internal static void CallAfter()
        {
            if (afterAssemblyReload != null)
                EditorLoop.Guarded(() => afterAssemblyReload());
        }
    }
}
