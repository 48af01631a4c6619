using System;
using System.Diagnostics;
using System.Reflection;
using System.Text;

namespace Standin
{
    /// <summary>
    /// Stack traces in the format of Unity's console. Exceptions have a dot before the method.
    /// Paths inside the project are relative to it.
    /// <code>
    ///     UnityEngine.Debug:Log (object)
    ///     Player:Start () (at Assets/Player.cs:12)
    /// </code>
    /// </summary>
    public static class StackText
    {
        const string inPackages = "./Packages/com.multiverse.editor/";
        /* The package's path in build.sh's compiler arguments. */
        const string sources = "./unity-package";

        /// <summary>The stack of Debug.Log's caller, with Debug.Log on top.</summary>
        public static string Here()
        {
            var trace = new StackTrace(true);
            var text = new StringBuilder();
            int first = FirstPublic(trace);
            for (int i = first; i < trace.FrameCount; i++)
                Frame(text, trace.GetFrame(i), ":");
            return text.ToString();
        }

        /// <summary>The exception's type and message, the inner one first, as in Unity.</summary>
        public static string Headline(Exception exception)
        {
            return exception.GetType().Name + ": " + exception.Message;
        }

        public static string Of(Exception exception)
        {
            var text = new StringBuilder();
            if (exception.InnerException != null)
            {
                text.Append(Of(exception.InnerException));
                text.Append("Rethrow as ").Append(Headline(exception)).Append('\n');
            }
            var trace = new StackTrace(exception, true);
            for (int i = 0; i < trace.FrameCount; i++)
                Frame(text, trace.GetFrame(i), ".");
            return text.ToString();
        }

        /* The last frame of UnityEngine.Debug is the method the user called. */
        static int FirstPublic(StackTrace trace)
        {
            int first = 0;
            for (int i = 0; i < trace.FrameCount; i++)
            {
                MethodBase method = trace.GetFrame(i).GetMethod();
                Type type = method == null ? null : method.DeclaringType;
                if (type == typeof(UnityEngine.Debug))
                    first = i;
                else if (first > 0)
                    break;
            }
            return first;
        }

        static void Frame(StringBuilder text, StackFrame frame, string separator)
        {
            MethodBase method = frame.GetMethod();
            Type type = method == null ? null : method.DeclaringType;
            if (method == null || type != null && IsHidden(type.Namespace ?? ""))
                return;
            if (type != null)
                text.Append(type.FullName).Append(separator);
            text.Append(method.Name).Append(" (");
            ParameterInfo[] parameters = method.GetParameters();
            for (int i = 0; i < parameters.Length; i++)
                text.Append(i > 0 ? "," : "").Append(Short(parameters[i].ParameterType));
            text.Append(')');
            string file = frame.GetFileName();
            if (!string.IsNullOrEmpty(file) && frame.GetFileLineNumber() > 0 && !IsOfUnity(type))
                text.Append(" (at ").Append(Relative(file)).Append(':').Append(frame.GetFileLineNumber()).Append(')');
            text.Append('\n');
        }

        static string Short(Type type)
        {
            if (type == typeof(object)) return "object";
            if (type == typeof(string)) return "string";
            if (type == typeof(int)) return "int";
            if (type == typeof(bool)) return "bool";
            if (type == typeof(float)) return "single";
            return type.FullName ?? type.Name;
        }

        /* Skip our own frames and the calls of scripts' messages, which Unity makes outside C#.
           */
        static bool IsHidden(string space)
        {
            return space.StartsWith("Standin", StringComparison.Ordinal) || space == "System.Reflection";
        }

        /* Unity's own sources are not available. */
        static bool IsOfUnity(Type type)
        {
            return type != null && type.Assembly.GetName().Name.StartsWith("Unity", StringComparison.Ordinal);
        }

        static string Relative(string file)
        {
            file = file.Replace('\\', '/');
            return Below(file, HostState.ProjectPath, "") ??
                   Below(file, HostState.PackagePath, inPackages) ?? Below(file, sources, inPackages) ?? file;
        }

        /* Return null if the file is not below the folder. */
        static string Below(string file, string folder, string shown)
        {
            return folder.Length > 0 && file.StartsWith(folder + "/", StringComparison.Ordinal)
                ? shown + file.Substring(folder.Length + 1) : null;
        }
    }
}
