using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;
using UnityEditor;
using UnityEditor.Compilation;
using UnityEngine;

namespace Standin
{
    /// <summary>A compiled assembly with the compiler's messages.</summary>
    internal sealed class CompiledAssembly
    {
        /// <summary>Relative to the project: "Library/ScriptAssemblies/Assembly-CSharp.dll".</summary>
        public string Path = "";
        public readonly List<CompilerMessage> Messages = new List<CompilerMessage>();

        public bool HasErrors { get { return Messages.Exists(m => m.type == CompilerMessageType.Error); } }
    }

    /// <summary>
    /// Compiles as the editor does: isCompiling is true for some updates, CompilationPipeline
    /// raises its events, errors and warnings are logged, and if there are no errors the domain is
    /// reloaded. The compiler runs on another thread.
    /// </summary>
    internal static class Compilation
    {
        static bool asked;
        static int minimumUpdates = 3;
        static int updates;
        static double minimumSeconds;
        static double started;
        static List<CompiledAssembly> pretended;
        static Task<List<CompiledAssembly>> work;
        static object context;

        /// <summary>The last compilation had errors, so play mode is refused.</summary>
        public static bool HasErrors;
        /// <summary>Compile what changed, on another thread. Set by the host.</summary>
        public static Func<List<CompiledAssembly>> Compiler = () => new List<CompiledAssembly>();
        public static bool IsAsked { get { return asked || work != null; } }

        /// <summary>assemblies: pretended results of the compiler; null: run the compiler.</summary>
        public static void Request(List<CompiledAssembly> assemblies, int overUpdates = 3, int milliseconds = 0)
        {
            asked = true;
            pretended = assemblies;
            minimumUpdates = overUpdates;
            minimumSeconds = milliseconds / 1000.0;
        }

        public static void Advance()
        {
            if (asked && work == null)
                Begin();
            else if (work != null && ++updates >= minimumUpdates && work.IsCompleted &&
                     EditorLoop.SecondsSinceStartup - started >= minimumSeconds)
                End();
        }

        static void Begin()
        {
            asked = false;
            updates = 0;
            started = EditorLoop.SecondsSinceStartup;
            List<CompiledAssembly> results = pretended;
            context = new object();
            HostState.IsCompiling = true;
            Console.ClearCompiler();
            CompilationPipeline.CallStarted(context);
            work = results == null ? Task.Run(Compiler) : Task.FromResult(results);
        }

        static void End()
        {
            List<CompiledAssembly> assemblies = Result();
            work = null;
            HasErrors = false;
            foreach (CompiledAssembly assembly in assemblies)
            {
                CompilationPipeline.CallAssemblyStarted(assembly.Path);
                HasErrors |= assembly.HasErrors;
                Report(assembly.Messages);
                CompilationPipeline.CallAssemblyFinished(assembly.Path, assembly.Messages.ToArray());
            }
            CompilationPipeline.CallFinished(context);
            if (HasErrors)
                HostState.IsCompiling = false;
            else
                DomainReload.Request();
        }

        static List<CompiledAssembly> Result()
        {
            if (!work.IsFaulted)
                return work.Result;
            Debug.LogException(work.Exception.InnerException);
            return new List<CompiledAssembly>();
        }

        /// <summary>Log the messages as Unity does, without stack traces.</summary>
        public static void Report(IEnumerable<CompilerMessage> messages)
        {
            foreach (CompilerMessage message in messages)
                if (message.type != CompilerMessageType.Info)
                    Console.Write(message.type == CompilerMessageType.Error ? LogType.Error : LogType.Warning,
                                  message.message, "", true);
        }

        /// <summary>Create a message in Unity's format.</summary>
        public static CompilerMessage Message(CompilerMessageType type, string file, int line, int column, string text)
        {
            string kind = type == CompilerMessageType.Error ? "error" : "warning";
            string where = string.Format(CultureInfo.InvariantCulture, "{0}({1},{2}): {3} ", file, line, column, kind);
            return new CompilerMessage
            {
                type = type, file = file, line = line, column = column, message = where + text
            };
        }
    }
}
