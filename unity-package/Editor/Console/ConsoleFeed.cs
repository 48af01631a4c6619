using System;
using System.Globalization;
using System.IO;
using UnityEditor;
using UnityEditor.Compilation;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// Fills the console of read_console with Unity's log, from any thread, and with compiler
    /// messages. It survives domain reloads in a file in the project's Temp; the id and the serial
    /// are in SessionState, so that cursors stay valid until Unity is closed. "Clear" in the
    /// Console window does not clear it.
    /// </summary>
    [InitializeOnLoad]
    public static class ConsoleFeed
    {
        const string IdKey = "Multiverse.Console.Id";
        const string SerialKey = "Multiverse.Console.Serial";
        /* The limit for entries that are logged after the file was written and before the domain
           ends. */
        const int MaxLateBytes = 1 << 20;

        static readonly string path;
        static FileStream file;

        public static readonly ConsoleBuffer Buffer;

        static ConsoleFeed()
        {
            /* Unity's helper processes have the project open too, but receive no calls. */
            if (Application.isBatchMode || Compat.IsHelperProcess())
            {
                Buffer = new ConsoleBuffer("00000000", 0);
                return;
            }
            path = Path.Combine(Path.GetDirectoryName(Application.dataPath), "Temp", "Multiverse", "console");
            Buffer = CreateBuffer();
            Application.logMessageReceivedThreaded += OnLog;
            CompilationPipeline.assemblyCompilationFinished += OnCompiled;
            AssemblyReloadEvents.beforeAssemblyReload += SaveEntries;
        }

        /// <summary>Return ": Assets/A.cs(3,5): error CS0246: ... (and 2 more)", or "" without
        /// compiler errors.</summary>
        public static string CompilerErrors()
        {
            string first = null;
            int count = 0;
            foreach (ConsoleEntry e in Buffer.Snapshot())
                if (e.Assembly.Length > 0 && e.Type == ConsoleType.Error && count++ == 0)
                    first = e.Message;
            return first == null ? "" : ": " + first + (count > 1 ? " (and " + (count - 1) + " more)" : "");
        }

        static ConsoleBuffer CreateBuffer()
        {
            string id = SessionState.GetString(IdKey, "");
            if (id.Length == 0)
            {
                id = Guid.NewGuid().ToString("N").Substring(0, 8);
                SessionState.SetString(IdKey, id);
                return new ConsoleBuffer(id, 0);
            }
            long serial;
            long.TryParse(SessionState.GetString(SerialKey, "0"), NumberStyles.None, CultureInfo.InvariantCulture,
                          out serial);
            var buffer = new ConsoleBuffer(id, serial);
            LoadEntries(buffer);
            /* New assemblies were loaded, so there are no compiler errors left. */
            if (!EditorUtility.scriptCompilationFailed)
                buffer.Drop(e => e.Assembly.Length > 0 && e.Type == ConsoleType.Error);
            return buffer;
        }

        static void LoadEntries(ConsoleBuffer buffer)
        {
            try
            {
                if (!File.Exists(path))
                    return;
                using (var from = new FileStream(path, FileMode.Open, FileAccess.Read,
                                                 FileShare.ReadWrite | FileShare.Delete, 65536))
                    ConsoleFile.Read(from, buffer);
            }
            catch (IOException)
            {
            }
            catch (UnauthorizedAccessException)
            {
            }
        }

        static void OnLog(string message, string stackTrace, LogType type)
        {
            /* Compiler messages arrive through OnCompiled, with their assembly. */
            if (string.IsNullOrEmpty(stackTrace) && message != null && ConsoleText.IsCompilerMessage(message))
                return;
            Buffer.Add(new ConsoleEntry(TypeOf(type), message, stackTrace));
        }

        static ConsoleType TypeOf(LogType type)
        {
            switch (type)
            {
                case LogType.Error: return ConsoleType.Error;
                case LogType.Assert: return ConsoleType.Assert;
                case LogType.Warning: return ConsoleType.Warning;
                case LogType.Exception: return ConsoleType.Exception;
                default: return ConsoleType.Log;
            }
        }

        static void OnCompiled(string assembly, CompilerMessage[] messages)
        {
            Buffer.Drop(e => e.Assembly == assembly);
            foreach (CompilerMessage m in messages)
                Buffer.Add(new ConsoleEntry(TypeOf(m.type), m.message, "", SlashesOf(m.file), Math.Max(m.line, 0),
                                            assembly));
        }

        static ConsoleType TypeOf(CompilerMessageType type)
        {
            return type == CompilerMessageType.Error ? ConsoleType.Error
                : type == CompilerMessageType.Warning ? ConsoleType.Warning : ConsoleType.Log;
        }

        static string SlashesOf(string file) { return file == null ? "" : file.Replace('\\', '/'); }

        /* The domain ends soon. Other handlers may still log; append their entries to the file
           at once. */
        static void SaveEntries()
        {
            try
            {
                if (file != null)
                    file.Dispose();
                Directory.CreateDirectory(Path.GetDirectoryName(path));
                file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete,
                                      65536);
                Buffer.Handover(all => ConsoleFile.Write(file, Buffer.Id, all), SaveLateEntry);
            }
            catch (IOException)
            {
            }
            catch (UnauthorizedAccessException)
            {
            }
            SessionState.SetString(SerialKey, Buffer.Serial.ToString(CultureInfo.InvariantCulture));
        }

        static void SaveLateEntry(ConsoleEntry entry)
        {
            try
            {
                if (file.Length < ConsoleFile.MaxBytes + MaxLateBytes)
                    ConsoleFile.Append(file, entry);
            }
            catch (IOException)
            {
            }
            catch (ObjectDisposedException)
            {
            }
        }
    }
}
