using System;
using System.Collections.Generic;
using System.Threading;
using UnityEditor;
using UnityEditor.Compilation;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Standin.Host
{
    using Answer = Dictionary<string, object>;

    /// <summary>Commands for the editor's loop: reload, compile, play mode, focus, console,
    /// measurements.</summary>
    static class LoopCommands
    {
        static Control control;

        public static void Add(Dictionary<string, Command> commands, Control owner)
        {
            control = owner;
            commands["state"] = new Command { Begin = a => State() };
            commands["reload"] = new Command { Begin = Reload };
            commands["compile"] = new Command { Begin = Compile };
            commands["play"] = new Command { Begin = Play, Poll = Played };
            commands["pause"] = new Command { Begin = Pause };
            commands["step"] = new Command { Begin = a => Do(EditorApplication.Step) };
            commands["focus"] = new Command { Begin = a => Do(() => EditorLoop.SetFocus(a.Flag("focused", true))) };
            commands["log"] = new Command { Begin = Log };
            commands["console"] = new Command { Begin = a => new Answer { { "entries", ConsoleFile.Export() } } };
            commands["clear"] = new Command { Begin = a => Do(Console.Clear) };
            commands["measure"] = new Command { Begin = Measure, Poll = Measured };
            commands["slices"] = new Command { Begin = Slices };
            commands["busy"] = new Command { Begin = a => Do(() => Thread.Sleep(a.Whole("ms", 100))) };
            commands["menu"] = new Command { Begin = Menu };
            commands["trace"] = new Command { Begin = a => Trace.Answer() };
            commands["quit"] = new Command { Begin = Quit };
        }

        static Answer Do(Action action)
        {
            action();
            return new Answer();
        }

        static Answer State()
        {
            return new Answer
            {
                { "domain", DomainReload.Count + 1 }, { "updates", UpdateLog.Count },
                { "focused", HostState.IsFocused }, { "playing", HostState.IsPlaying },
                { "paused", HostState.IsPaused }, { "compiling", HostState.IsCompiling },
                { "compile_errors", Compilation.HasErrors }, { "version", HostState.UnityVersion },
                { "scene", SceneManager.GetActiveScene().path }, { "scene_dirty", SceneManager.GetActiveScene().isDirty },
                { "dialogs", Dialogs.Count }
            };
        }

        static Answer Reload(Arguments arguments)
        {
            control.ReloadPause = arguments.Whole("ms", 0);
            DomainReload.Request();
            return new Answer();
        }

        static Answer Compile(Arguments arguments)
        {
            if (arguments.Has("reload_ms"))
                control.ReloadPause = arguments.Whole("reload_ms", 0);
            Compilation.Request(ReadMessages(arguments), arguments.Whole("updates", 3), arguments.Whole("ms", 0));
            return new Answer();
        }

        /* null: use the compiler's own messages. */
        static List<CompiledAssembly> ReadMessages(Arguments arguments)
        {
            if (!arguments.Has("errors") && !arguments.Has("warnings"))
                return arguments.Flag("scripts", false) ? null : new List<CompiledAssembly>();
            var assembly = new CompiledAssembly { Path = "Library/ScriptAssemblies/Assembly-CSharp.dll" };
            foreach (object error in arguments.Items("errors"))
                assembly.Messages.Add(Message(CompilerMessageType.Error, error));
            foreach (object warning in arguments.Items("warnings"))
                assembly.Messages.Add(Message(CompilerMessageType.Warning, warning));
            return new List<CompiledAssembly> { assembly };
        }

        static CompilerMessage Message(CompilerMessageType type, object value)
        {
            var members = value as Dictionary<string, object>;
            if (members == null)
                throw new ArgumentException("a message is {file, line, column, message}");
            var message = new Arguments(members);
            return Compilation.Message(type, message.Text("file", "Assets/Broken.cs"), message.Whole("line", 1),
                                       message.Whole("column", 1), message.Text("message"));
        }

        static Answer Play(Arguments arguments)
        {
            bool on = arguments.Flag("on", true);
            if (on && Compilation.HasErrors)
            {
                EditorApplication.isPlaying = true;
                return null;
            }
            EditorApplication.isPlaying = on;
            return HostState.IsPlaying == on ? Played(arguments) : null;
        }

        static Answer Played(Arguments arguments)
        {
            if (HostState.WillChangePlayMode || PlayModeSwitch.IsAsked)
                return null;
            if (HostState.IsPlaying != arguments.Flag("on", true))
                throw new ArgumentException("play mode was refused");
            return new Answer { { "playing", HostState.IsPlaying } };
        }

        static Answer Pause(Arguments arguments)
        {
            EditorApplication.isPaused = arguments.Flag("on", true);
            return new Answer { { "paused", HostState.IsPaused } };
        }

        static Answer Log(Arguments arguments)
        {
            var type = (LogType)Enum.Parse(typeof(LogType), arguments.Text("type", "Log"), true);
            string message = arguments.Text("message");
            string stack = arguments.Text("stack", "");
            int count = arguments.Whole("count", 1);
            Action write = () =>
            {
                for (int i = 0; i < count; i++)
                    Console.Write(type, message.Replace("{n}", i.ToString()), stack);
            };
            if (arguments.Flag("thread", false))
            {
                var thread = new Thread(() => write());
                thread.Start();
                thread.Join();
            }
            else
                write();
            return new Answer();
        }

        static Answer Measure(Arguments arguments)
        {
            if (arguments.Whole("updates", 1000) <= 0)
                throw new ArgumentException("updates is above 0");
            UpdateLog.Clear();
            return null;
        }

        static Answer Measured(Arguments arguments)
        {
            if (UpdateLog.SummedUpdates < arguments.Whole("updates", 1000))
                return null;
            return new Answer
            {
                { "updates", UpdateLog.SummedUpdates }, { "bytes_total", UpdateLog.SummedBytes },
                { "bytes_max", UpdateLog.MostBytes }, { "allocating_updates", UpdateLog.Allocating },
                { "wall_ms_max", UpdateLog.LongestMilliseconds }, { "cpu_ms_max", UpdateLog.LongestCpuMilliseconds }
            };
        }

        static Answer Slices(Arguments arguments)
        {
            var slices = new List<object>();
            int count = Math.Min(arguments.Whole("count", 100), UpdateLog.Kept);
            for (int back = 0; back < count; back++)
                slices.Add(new Answer { { "ms", UpdateLog.Milliseconds(back) }, { "bytes", UpdateLog.Bytes(back) } });
            return new Answer { { "slices", slices } };
        }

        static Answer Menu(Arguments arguments)
        {
            if (!EditorApplication.ExecuteMenuItem(arguments.Text("path")))
                throw new ArgumentException("no menu item " + arguments.Text("path") + " that can be used");
            return new Answer();
        }

        static Answer Quit(Arguments arguments)
        {
            if (arguments.Flag("force", false))
                EditorLoop.Exit(0);
            else if (!EditorLoop.Quit())
                throw new ArgumentException("somebody does not want to quit");
            return new Answer();
        }
    }
}
