using System;
using System.Diagnostics;
using System.Threading;
using UnityEditor;
using Debug = UnityEngine.Debug;

namespace Standin
{
    /// <summary>
    /// One turn of the editor: what other threads posted, events, delayCall, update, in this order.
    /// Then, outside of what is measured, what was asked for: play mode, compiling, a reload.
    /// <code>
    ///     EditorLoop.Start(0);
    ///     while (EditorLoop.ExitCode == null)
    ///         EditorLoop.Turn();
    /// </code>
    /// Nothing in here allocates while nothing happens: what <see cref="UpdateLog"/> counts is the
    /// cost of who listens.
    /// </summary>
    internal static class EditorLoop
    {
        static readonly Stopwatch clock = new Stopwatch();
        static double origin;

        /* What the editor does between two updates; what one throws does not stop the others. */
        static readonly Action[] steps =
        {
            Undo.FlushUndoRecordObjects, Compilation.Advance, PlayModeSwitch.Advance, SettingsPages.Advance
        };

        /// <summary>Set: the editor ends after this turn, with this code.</summary>
        public static int? ExitCode;
        public static int ReloadLocks;
        public static bool StepAsked;
        /// <summary>CPU time of the calling thread in nanoseconds. Set by the host.</summary>
        public static Func<long> CpuClock = () => 0;
        public static readonly MainThreadContext Context = new MainThreadContext();
        /// <summary>More work after each update: the test runner, the host.</summary>
        public static Action AfterUpdate = () => { };

        public static double SecondsSinceStartup { get { return origin + clock.Elapsed.TotalSeconds; } }

        /// <summary>earlier: seconds that passed in the domains before this one.</summary>
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

        /// <summary>Runs what scripts gave us; what they throw goes to the console.</summary>
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

        /// <summary>The next update comes at once, focus or not. From any thread.</summary>
        public static void Wake() { EditorEvents.QueueUpdate(); }

        /// <summary>As the user closes the window: who listens to wantsToQuit may say no.</summary>
        public static bool Quit()
        {
            if (!EditorApplication.CallWantsToQuit())
                return false;
            Exit(0);
            return true;
        }

        /// <summary>Nobody is asked.</summary>
        public static void Exit(int code)
        {
            if (ExitCode != null)
                return;
            ExitCode = code;
            EditorApplication.CallQuitting();
        }
    }
}
