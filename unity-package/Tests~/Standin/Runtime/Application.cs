using System;
using System.IO;
using Standin;

namespace UnityEngine
{
    public enum RuntimePlatform
    {
        OSXEditor = 0, OSXPlayer = 1, WindowsPlayer = 2, WindowsEditor = 7, IPhonePlayer = 8, Android = 11,
        LinuxPlayer = 13, LinuxEditor = 16, WebGLPlayer = 17
    }

    public enum SystemLanguage { English = 10, Unknown = 42 }

    /// <summary>Application of the running editor.</summary>
    public partial class Application
    {
        public delegate void LogCallback(string condition, string stackTrace, LogType type);

        public static event LogCallback logMessageReceived;
        public static event LogCallback logMessageReceivedThreaded;
        public static event Func<bool> wantsToQuit { add { } remove { } }
        public static event Action quitting;
        public static event Action<bool> focusChanged;

        static readonly StackTraceLogType[] traces =
        {
            StackTraceLogType.ScriptOnly, StackTraceLogType.ScriptOnly, StackTraceLogType.ScriptOnly,
            StackTraceLogType.ScriptOnly, StackTraceLogType.ScriptOnly
        };

        public static string unityVersion { get { return HostState.UnityVersion; } }
        public static string dataPath { get { return HostState.ProjectPath + "/Assets"; } }
        public static string streamingAssetsPath { get { return dataPath + "/StreamingAssets"; } }
        public static string temporaryCachePath { get { return HostState.ProjectPath + "/Temp"; } }
        public static string persistentDataPath { get { return HostState.ProjectPath + "/Library/PersistentData"; } }
        public static string consoleLogPath { get { return HostState.ProjectPath + "/Temp/Editor.log"; } }
        public static string productName { get { return Path.GetFileName(HostState.ProjectPath); } }
        public static string companyName { get { return "DefaultCompany"; } }
        public static string version { get { return "0.1"; } }
        public static string identifier { get { return ""; } }
        public static bool isPlaying { get { return HostState.IsPlaying; } }
        public static bool isEditor { get { return true; } }
        public static bool isBatchMode { get { return HostState.IsBatchMode; } }
        public static bool isFocused { get { return HostState.IsFocused; } }
        public static bool isMobilePlatform { get { return false; } }
        public static bool isConsolePlatform { get { return false; } }
        public static bool runInBackground { get; set; }
        public static int targetFrameRate { get; set; }
        public static SystemLanguage systemLanguage { get { return SystemLanguage.English; } }

        public static RuntimePlatform platform
        {
            get
            {
                switch (Environment.OSVersion.Platform)
                {
                    case PlatformID.Win32NT: return RuntimePlatform.WindowsEditor;
                    case PlatformID.MacOSX: return RuntimePlatform.OSXEditor;
                    default: return RuntimePlatform.LinuxEditor;
                }
            }
        }

        public static bool IsPlaying(Object obj) { return obj != null && HostState.IsPlaying; }

        /// <summary>Ignored in the editor, as in Unity.</summary>
        public static void Quit() { }
        public static void Quit(int exitCode) { }
        public static void OpenURL(string url) { }

        public static StackTraceLogType GetStackTraceLogType(LogType logType) { return traces[(int)logType]; }
        public static void SetStackTraceLogType(LogType logType, StackTraceLogType stackTraceType)
        {
            traces[(int)logType] = stackTraceType;
        }

        internal static void CallLogCallback(string condition, string stackTrace, LogType type, bool onMainThread)
        {
            if (onMainThread && logMessageReceived != null)
                logMessageReceived(condition, stackTrace, type);
            if (logMessageReceivedThreaded != null)
                logMessageReceivedThreaded(condition, stackTrace, type);
        }

        internal static void CallFocusChanged(bool focused)
        {
            if (focusChanged != null)
                focusChanged(focused);
        }

        internal static void CallQuitting()
        {
            if (quitting != null)
                quitting();
        }
    }
}
