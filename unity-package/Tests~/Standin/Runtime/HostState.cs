using System.IO;
using System.Threading;

namespace Standin
{
    /// <summary>
    /// The state of the editor process, as UnityEngine.Application and
    /// UnityEditor.EditorApplication report it. The host writes it, on the main thread only.
    /// </summary>
    public static class HostState
    {
        /// <summary>The project's folder, absolute, without a trailing slash.</summary>
        public static string ProjectPath = "";
        /// <summary>The folder of the assemblies that build.sh created.</summary>
        public static string BuildPath = "";
        /// <summary>The package's sources: Packages/com.multiverse.editor of every project
        /// here.</summary>
        public static readonly string PackagePath = ReadPackagePath();
        public static string UnityVersion = BuildVersion.Text;
        public static bool IsBatchMode;
        public static bool IsPlaying;
        public static bool IsPaused;
        /// <summary>Play mode was requested or is about to end.</summary>
        public static bool WillChangePlayMode;
        public static bool IsFocused = true;
        public static bool IsCompiling;
        public static bool IsUpdating;
        public static Thread MainThread = Thread.CurrentThread;

        /* Written by build.sh beside this assembly, because the assembly is the same for every
           clone. */
        static string ReadPackagePath()
        {
            string note = Path.Combine(Path.GetDirectoryName(typeof(HostState).Assembly.Location), ".package");
            return File.Exists(note) ? File.ReadAllText(note).TrimEnd('\n') : "";
        }

        /// <summary>Whether this is the thread of the update loop.</summary>
        public static bool OnMainThread { get { return Thread.CurrentThread == MainThread; } }

        /// <summary>Throw Unity's exception for API use on another thread.</summary>
        public static void RequireMainThread(string member)
        {
            if (!OnMainThread)
                throw new UnityEngine.UnityException(member + " can only be called from the main thread.");
        }
    }
}
