using System;
using UnityEngine;

namespace Standin
{
    /// <summary>The handler of Debug.unityLogger: formats and writes to the console.</summary>
    public sealed class ConsoleLogHandler : ILogHandler
    {
        public void LogFormat(LogType logType, UnityEngine.Object context, string format, params object[] args)
        {
            LogFormat(logType, LogOption.None, context, format, args);
        }

        public void LogFormat(LogType logType, LogOption options, UnityEngine.Object context, string format,
                              params object[] args)
        {
            string text = args == null || args.Length == 0 ? format : string.Format(format, args);
            bool traced = options != LogOption.NoStacktrace &&
                          Application.GetStackTraceLogType(logType) != StackTraceLogType.None;
            Console.Write(logType, text, traced ? StackText.Here() : "");
        }

        public void LogException(Exception exception, UnityEngine.Object context)
        {
            if (exception == null)
                throw new ArgumentNullException("exception");
            Console.Write(LogType.Exception, StackText.Headline(exception), StackText.Of(exception));
        }
    }
}
