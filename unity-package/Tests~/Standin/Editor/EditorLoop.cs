using System;
using System.Diagnostics;
using System.Threading;
using UnityEditor;
using Debug = UnityEngine.Debug;

namespace Standin
{
    /// <summary>
    /// One iteration of the editor: posted work of other threads, events, delayCall, update, in
    /// this order. Then, outside the measurement, requested changes: play mode, compilation, a
    /// reload. It does not allocate while idle, so <see cref="UpdateLog"/> measures only the
    /// listeners.
    /// <code>
    ///     EditorLoop.Start(0);
    ///     while (EditorLoop.ExitCode == null)
    ///         EditorLoop.Turn();
    /// </code>
    /// </summary>
    internal static class EditorLoop
    {
        static readonly Stopwatch clock = new Stopwatch();
        static double origin;

        /* The work between two updates; an exception of one step does not stop the others. */
        static readonly Action[] steps =
        {
            Undo.FlushUndoRecordObjects, Compilation.Advance, PlayModeSwitch.Advance, SettingsPages.Advance
        };

        /// <summary>Set: the editor ends after this iteration with this code.</summary>
        public static int? ExitCode;
        public static int ReloadLocks;
        public static bool StepAsked;
        /// <summary>The calling thread's CPU time in nanoseconds. Set by the host.</summary>
        public static Func<long> CpuClock = () => 0;
        public static readonly MainThreadContext Context = new MainThreadContext();
        /// <summary>Additional work after each update: the test runner, the host.</summary>
        public static Action AfterUpdate = () => { };

        public static double SecondsSinceStartup { get { return origin + clock.Elapsed.TotalSeconds; } }

        /// <summary>earlier: the seconds that passed in earlier domains.</summary>
        public static void Start(double earlier)
        {
            origin = earlier;
            clock.Start();
            HostState.MainThread = Thread.CurrentThread;
            SynchronizationContext.SetSynchronizationContext(Context);
        }

        public static void Turn()
        {
            Measured();
            if (Console.BreakRequested)
            {
                Console.BreakRequested = false;
                PlayModeSwitch.Pause(true);
            }
            foreach (Action step in steps)
                Guarded(step);
            Guarded(AfterUpdate);
            DomainReload.Advance();
        }

        static void Measured()
        {
            long bytes = GC.GetAllocatedBytesForCurrentThread();
            long cpu = CpuClock();
            long start = Stopwatch.GetTimestamp();
            try
            {
                Context.Run();
                Events();
                EditorApplication.CallDelayed();
                EditorApplication.CallUpdate();
            }
            catch (Exception e)
            {
                Debug.LogException(e);
            }
            long ticks = Stopwatch.GetTimestamp() - start;
            UpdateLog.Add(ticks, CpuClock() - cpu, GC.GetAllocatedBytesForCurrentThread() - bytes);
        }

        static void Events()
        {
            if (EditorEvents.HierarchyIsNew)
            {
                EditorEvents.HierarchyIsNew = false;
                EditorApplication.CallHierarchyChanged();
            }
            if (EditorEvents.ProjectIsNew)
            {
                EditorEvents.ProjectIsNew = false;
                EditorApplication.CallProjectChanged();
            }
            if (EditorEvents.ObjectsAreNew)
            {
                EditorEvents.ObjectsAreNew = false;
#if UNITY_2020_2_OR_NEWER
                ObjectChangeEvents.Publish();
#endif
            }
        }

        /// <summary>Run a script's callback and log its exceptions.</summary>
        public static void Guarded(Action action)
        {
            try
            {
                action();
            }
            catch (Exception e)
            {
                Debug.LogException(e);
            }
        }

        public static void SetFocus(bool focused)
        {
            if (HostState.IsFocused == focused)
                return;
            HostState.IsFocused = focused;
            Guarded(() => UnityEngine.Application.CallFocusChanged(focused));
            EditorApplication.CallFocusChanged(focused);
        }

        /// <summary>Request the next update at once, with or without focus. Callable on any
        /// thread.</summary>
        public static void Wake() { EditorEvents.QueueUpdate(); }

        /// <summary>Quit like a user who closes the window; wantsToQuit may refuse.</summary>
        public static bool Quit()
        {
            if (!EditorApplication.CallWantsToQuit())
                return false;
            Exit(0);
            return true;
        }

        /// <summary>Quit without asking.</summary>
        public static void Exit(int code)
        {
            if (ExitCode != null)
                return;
            ExitCode = code;
            EditorApplication.CallQuitting();
        }
    }
}
