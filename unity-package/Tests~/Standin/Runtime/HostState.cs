using System.IO;
using System.Threading;

namespace Standin
{
    /// <summary>
    /// What the process that plays the editor knows of itself and what UnityEngine.Application and
    /// UnityEditor.EditorApplication tell of it. Written by the host on the main thread only.
    /// </summary>
    public static class HostState
    {
        /// <summary>Folder of the project, absolute, without a slash at its end.</summary>
        public static string ProjectPath = "";
        /// <summary>Folder of the assemblies that build.sh made.</summary>
        public static string BuildPath = "";
        /// <summary>Sources of the package: Packages/com.multiverse.editor of every project here.</summary>
        public static readonly string PackagePath = ReadPackagePath();
        public static string UnityVersion = BuildVersion.Text;
        public static bool IsBatchMode;
        public static bool IsPlaying;
        public static bool IsPaused;
        /// <summary>Play mode was asked for or is about to be left.</summary>
        public static bool WillChangePlayMode;
        public static bool IsFocused = true;
        public static bool IsCompiling;
        public static bool IsUpdating;
        public static Thread MainThread = Thread.CurrentThread;

        /* build.sh has written it beside this assembly, which is the same for every clone. */
        static string ReadPackagePath()
        {
            string note = Path.Combine(Path.GetDirectoryName(typeof(HostState).Assembly.Location), ".package");
            return File.Exists(note) ? File.ReadAllText(note).TrimEnd('\n') : "";
        }

        /// <summary>True on the thread of the update loop.</summary>
        public static bool OnMainThread { get { return Thread.CurrentThread == MainThread; } }

        /// <summary>What Unity says where its API is used from another thread.</summary>
        public static void RequireMainThread(string member)
        {
            if (!OnMainThread)
                throw new UnityEngine.UnityException(member + " can only be called from the main thread.");
        }
    }
}
