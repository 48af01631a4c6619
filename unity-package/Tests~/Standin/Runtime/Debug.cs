using System;
using System.Diagnostics;
using Standin;

namespace UnityEngine
{
    /// <summary>Debug.Log and similar methods; all write to <see cref="Standin.Console"/>.</summary>
    public partial class Debug
    {
        static readonly ILogger logger = new Logger(new ConsoleLogHandler());

        public static ILogger unityLogger { get { return logger; } }
        public static bool isDebugBuild { get { return true; } }
        public static bool developerConsoleVisible { get; set; }

        public static void Break()
        {
            if (HostState.IsPlaying)
                Standin.Console.BreakRequested = true;
        }

        public static void ClearDeveloperConsole() { }

        public static void Log(object message) { logger.Log(LogType.Log, message); }
        public static void Log(object message, Object context) { logger.Log(LogType.Log, message, context); }
        public static void LogFormat(string format, params object[] args)
        {
            logger.LogFormat(LogType.Log, format, args);
        }
        public static void LogFormat(Object context, string format, params object[] args)
        {
            logger.LogFormat(LogType.Log, context, format, args);
        }
        public static void LogFormat(LogType logType, LogOption logOptions, Object context, string format,
                                     params object[] args)
        {
            var own = logger.logHandler as ConsoleLogHandler;
            if (own == null)
                logger.LogFormat(logType, context, format, args);
            else if (logger.IsLogTypeAllowed(logType))
                own.LogFormat(logType, logOptions, context, format, args);
        }

        public static void LogWarning(object message) { logger.Log(LogType.Warning, message); }
        public static void LogWarning(object message, Object context)
        {
            logger.Log(LogType.Warning, message, context);
        }
        public static void LogWarningFormat(string format, params object[] args)
        {
            logger.LogFormat(LogType.Warning, format, args);
        }
        public static void LogWarningFormat(Object context, string format, params object[] args)
        {
            logger.LogFormat(LogType.Warning, context, format, args);
        }

        public static void LogError(object message) { logger.Log(LogType.Error, message); }
        public static void LogError(object message, Object context) { logger.Log(LogType.Error, message, context); }
        public static void LogErrorFormat(string format, params object[] args)
        {
            logger.LogFormat(LogType.Error, format, args);
        }
        public static void LogErrorFormat(Object context, string format, params object[] args)
        {
            logger.LogFormat(LogType.Error, context, format, args);
        }

        public static void LogException(Exception exception) { logger.LogException(exception, null); }
        public static void LogException(Exception exception, Object context)
        {
            logger.LogException(exception, context);
        }

        [Conditional("UNITY_ASSERTIONS")]
        public static void LogAssertion(object message) { logger.Log(LogType.Assert, message); }
        [Conditional("UNITY_ASSERTIONS")]
        public static void LogAssertion(object message, Object context)
        {
            logger.Log(LogType.Assert, message, context);
        }
        [Conditional("UNITY_ASSERTIONS")]
        public static void LogAssertionFormat(string format, params object[] args)
        {
            logger.LogFormat(LogType.Assert, format, args);
        }
        [Conditional("UNITY_ASSERTIONS")]
        public static void LogAssertionFormat(Object context, string format, params object[] args)
        {
            logger.LogFormat(LogType.Assert, context, format, args);
        }

        [Conditional("UNITY_ASSERTIONS")]
        public static void Assert(bool condition) { Check(condition, "Assertion failed", null); }
        [Conditional("UNITY_ASSERTIONS")]
        public static void Assert(bool condition, Object context) { Check(condition, "Assertion failed", context); }
        [Conditional("UNITY_ASSERTIONS")]
        public static void Assert(bool condition, object message) { Check(condition, message, null); }
        [Conditional("UNITY_ASSERTIONS")]
        public static void Assert(bool condition, string message) { Check(condition, message, null); }
        [Conditional("UNITY_ASSERTIONS")]
        public static void Assert(bool condition, object message, Object context)
        {
            Check(condition, message, context);
        }
        [Conditional("UNITY_ASSERTIONS")]
        public static void Assert(bool condition, string message, Object context)
        {
            Check(condition, message, context);
        }
        [Conditional("UNITY_ASSERTIONS")]
        public static void AssertFormat(bool condition, string format, params object[] args)
        {
            if (!condition)
                logger.LogFormat(LogType.Assert, format, args);
        }

        static void Check(bool condition, object message, Object context)
        {
            if (!condition)
                logger.Log(LogType.Assert, message, context);
        }

        /* Nothing is drawn. */
        public static void DrawLine(Vector3 start, Vector3 end) { }
        public static void DrawLine(Vector3 start, Vector3 end, Color color) { }
        public static void DrawLine(Vector3 start, Vector3 end, Color color, float duration) { }
        public static void DrawLine(Vector3 start, Vector3 end, Color color, float duration, bool depthTest) { }
        public static void DrawRay(Vector3 start, Vector3 dir) { }
        public static void DrawRay(Vector3 start, Vector3 dir, Color color) { }
        public static void DrawRay(Vector3 start, Vector3 dir, Color color, float duration) { }
        public static void DrawRay(Vector3 start, Vector3 dir, Color color, float duration, bool depthTest) { }
    }
}
