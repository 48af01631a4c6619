using System;
using System.Globalization;

namespace UnityEngine
{
    /// <summary>Filters by type and forwards to its handler, like Debug.unityLogger.</summary>
    public class Logger : ILogger
    {
        public Logger(ILogHandler logHandler)
        {
            this.logHandler = logHandler;
            logEnabled = true;
            filterLogType = LogType.Log;
        }

        public ILogHandler logHandler { get; set; }
        public bool logEnabled { get; set; }
        public LogType filterLogType { get; set; }

        public bool IsLogTypeAllowed(LogType logType)
        {
            if (!logEnabled)
                return false;
            if (logType == LogType.Exception)
                return true;
            return filterLogType != LogType.Exception && logType <= filterLogType;
        }

        static string Text(object message)
        {
            if (message == null)
                return "Null";
            var formattable = message as IFormattable;
            return formattable != null ? formattable.ToString(null, CultureInfo.InvariantCulture) : message.ToString();
        }

        void Plain(LogType logType, Object context, string text)
        {
            if (IsLogTypeAllowed(logType))
                logHandler.LogFormat(logType, context, "{0}", text);
        }

        void Tagged(LogType logType, Object context, string tag, object message)
        {
            if (IsLogTypeAllowed(logType))
                logHandler.LogFormat(logType, context, "{0}: {1}", tag, Text(message));
        }

        public void Log(LogType logType, object message) { Plain(logType, null, Text(message)); }
        public void Log(LogType logType, object message, Object context) { Plain(logType, context, Text(message)); }
        public void Log(LogType logType, string tag, object message) { Tagged(logType, null, tag, message); }
        public void Log(LogType logType, string tag, object message, Object context)
        {
            Tagged(logType, context, tag, message);
        }
        public void Log(object message) { Plain(LogType.Log, null, Text(message)); }
        public void Log(string tag, object message) { Tagged(LogType.Log, null, tag, message); }
        public void Log(string tag, object message, Object context) { Tagged(LogType.Log, context, tag, message); }
        public void LogWarning(string tag, object message) { Tagged(LogType.Warning, null, tag, message); }
        public void LogWarning(string tag, object message, Object context)
        {
            Tagged(LogType.Warning, context, tag, message);
        }
        public void LogError(string tag, object message) { Tagged(LogType.Error, null, tag, message); }
        public void LogError(string tag, object message, Object context)
        {
            Tagged(LogType.Error, context, tag, message);
        }

        public void LogFormat(LogType logType, string format, params object[] args)
        {
            if (IsLogTypeAllowed(logType))
                logHandler.LogFormat(logType, null, format, args);
        }

        public void LogFormat(LogType logType, Object context, string format, params object[] args)
        {
            if (IsLogTypeAllowed(logType))
                logHandler.LogFormat(logType, context, format, args);
        }

        public void LogException(Exception exception)
        {
            if (logEnabled)
                logHandler.LogException(exception, null);
        }

        public void LogException(Exception exception, Object context)
        {
            if (logEnabled)
                logHandler.LogException(exception, context);
        }
    }
}
