using System;
using System.Diagnostics;
using System.Reflection;
using System.Text;

namespace Standin
{
    /// <summary>
    /// Stack traces as Unity's console shows them:
    /// <code>
    ///     UnityEngine.Debug:Log (object)
    ///     Player:Start () (at Assets/Player.cs:12)
    /// </code>
    /// Those of exceptions have a dot before the method. Paths inside the project are relative to it.
    /// </summary>
    public static class StackText
    {
        const string inPackages = "./Packages/com.multiverse.editor/";
        /* The package as build.sh names it in what it compiles. */
        const string sources = "./unity-package";

        /// <summary>Of the caller of Debug.Log, with it at the top.</summary>
        public static string Here()
        {
            var trace = new StackTrace(true);
            var text = new StringBuilder();
            int first = FirstPublic(trace);
            for (int i = first; i < trace.FrameCount; i++)
                Frame(text, trace.GetFrame(i), ":");
            return text.ToString();
        }

        /// <summary>Type and message of the exception, the one inside first as Unity does.</summary>
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

        /* The last frame of UnityEngine.Debug is the one the user called. */
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

        /* Ours, and what calls a script's message: Unity does that outside of C#. */
        static bool IsHidden(string space)
        {
            return space.StartsWith("Standin", StringComparison.Ordinal) || space == "System.Reflection";
        }

        /* Nobody has the sources of Unity itself. */
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

        /* null: it is not below the folder. */
        static string Below(string file, string folder, string shown)
        {
            return folder.Length > 0 && file.StartsWith(folder + "/", StringComparison.Ordinal)
                ? shown + file.Substring(folder.Length + 1) : null;
        }
    }
}
