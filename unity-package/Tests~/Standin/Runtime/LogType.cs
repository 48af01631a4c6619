namespace UnityEngine
{
    public enum LogType { Error, Assert, Warning, Log, Exception }

    public enum LogOption { None, NoStacktrace }

    public enum StackTraceLogType { None, ScriptOnly, Full }
}
