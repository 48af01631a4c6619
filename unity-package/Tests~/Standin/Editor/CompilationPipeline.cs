using System;
using Standin;

namespace UnityEditor.Compilation
{
    public enum CompilerMessageType { Error = 0, Warning = 1, Info = 2 }

    public struct CompilerMessage
    {
        public string message;
        public string file;
        public int line;
        public int column;
        public CompilerMessageType type;
    }

    public enum CodeOptimization { None = 0, Debug = 1, Release = 2 }

#if UNITY_2021_1_OR_NEWER
    [Flags]
    public enum RequestScriptCompilationOptions { None = 0, CleanBuildCache = 1 }
#endif

    /// <summary>Compilation as scripts see it; implemented by <see
    /// cref="Standin.Compilation"/>.</summary>
    public static partial class CompilationPipeline
    {
        public static event Action<object> compilationStarted;
        public static event Action<object> compilationFinished;
#if UNITY_2021_1_OR_NEWER
        [Obsolete("CompilationPipeline.assemblyCompilationStarted has been deprecated. Use " +
                  "CompilationPipeline.compilationStarted instead")]
#endif
        public static event Action<string> assemblyCompilationStarted;
        public static event Action<string, CompilerMessage[]> assemblyCompilationFinished;

        public static CodeOptimization codeOptimization { get { return CodeOptimization.Debug; } }

        public static void RequestScriptCompilation() { Standin.Compilation.Request(null); }
#if UNITY_2021_1_OR_NEWER
        public static void RequestScriptCompilation(RequestScriptCompilationOptions options)
        {
            Standin.Compilation.Request(null);
        }
#endif

        internal static void CallStarted(object context)
        {
            if (compilationStarted != null)
                EditorLoop.Guarded(() => compilationStarted(context));
        }

        internal static void CallFinished(object context)
        {
            if (compilationFinished != null)
                EditorLoop.Guarded(() => compilationFinished(context));
        }

        internal static void CallAssemblyStarted(string path)
        {
#pragma warning disable 618
            if (assemblyCompilationStarted != null)
                EditorLoop.Guarded(() => assemblyCompilationStarted(path));
#pragma warning restore 618
        }

        internal static void CallAssemblyFinished(string path, CompilerMessage[] messages)
        {
            if (assemblyCompilationFinished != null)
                EditorLoop.Guarded(() => assemblyCompilationFinished(path, messages));
        }
    }
}
