using System;
using Standin;
using UnityEngine;

namespace UnityEditor
{
    public enum PlayModeStateChange { EnteredEditMode, ExitingEditMode, EnteredPlayMode, ExitingPlayMode }

    public enum PauseState { Paused, Unpaused }

    /// <summary>
    /// The editor's loop as scripts see it. Requests (play mode, another update, quitting) are
    /// stored in <see cref="EditorLoop"/> and performed after the update, as in Unity.
    /// </summary>
    public sealed partial class EditorApplication
    {
        public delegate void CallbackFunction();

        public static CallbackFunction update;
        public static CallbackFunction delayCall;
        public static CallbackFunction searchChanged;
        public static CallbackFunction modifierKeysChanged;

        public static event Func<bool> wantsToQuit;
        public static event Action quitting;
        public static event Action hierarchyChanged;
        public static event Action projectChanged;
        public static event Action<PauseState> pauseStateChanged;
        public static event Action<PlayModeStateChange> playModeStateChanged;
#if UNITY_2022_2_OR_NEWER
        public static event Action<bool> focusChanged;
        public static bool isFocused { get { return HostState.IsFocused; } }
#endif

        public static bool isPlaying
        {
            get { return HostState.IsPlaying; }
            set
            {
                HostState.RequireMainThread("set_isPlaying");
                PlayModeSwitch.Request(value);
            }
        }

        public static bool isPaused
        {
            get { return HostState.IsPaused; }
            set
            {
                HostState.RequireMainThread("set_isPaused");
                PlayModeSwitch.Pause(value);
            }
        }

        public static bool isPlayingOrWillChangePlaymode
        {
            get { return HostState.IsPlaying || HostState.WillChangePlayMode; }
        }

        public static bool isCompiling { get { return HostState.IsCompiling; } }
        public static bool isUpdating { get { return HostState.IsUpdating; } }
        public static bool isRemoteConnected { get { return false; } }
        public static bool isTemporaryProject { get { return false; } }
        public static double timeSinceStartup { get { return EditorLoop.SecondsSinceStartup; } }
        public static string applicationPath { get { return HostState.BuildPath + "/editor.exe"; } }
        public static string applicationContentsPath { get { return HostState.BuildPath; } }

        public static void EnterPlaymode() { isPlaying = true; }
        public static void ExitPlaymode() { isPlaying = false; }

        public static void Step()
        {
            PlayModeSwitch.Pause(true);
            EditorLoop.StepAsked = true;
        }

        public static void QueuePlayerLoopUpdate() { EditorEvents.QueueUpdate(); }
        public static void RepaintHierarchyWindow() { }
        public static void RepaintProjectWindow() { }
        public static void RepaintAnimationWindow() { }
        public static void DirtyHierarchyWindowSorting() { }
        public static void Beep() { }
        public static void Exit(int returnValue) { EditorLoop.Exit(returnValue); }

        /// <summary>Reloads wait until every lock is released.</summary>
        public static void LockReloadAssemblies() { EditorLoop.ReloadLocks++; }
        public static void UnlockReloadAssemblies()
        {
            EditorLoop.ReloadLocks = Math.Max(0, EditorLoop.ReloadLocks - 1);
        }

        public static bool ExecuteMenuItem(string menuItemPath) { return MenuItems.Execute(menuItemPath); }

        internal static void CallUpdate()
        {
            if (update != null)
                update();
        }

        internal static void CallDelayed()
        {
            CallbackFunction due = delayCall;
            delayCall = null;
            if (due != null)
                due();
        }

        internal static bool CallWantsToQuit()
        {
            if (wantsToQuit == null)
                return true;
            foreach (Func<bool> agrees in wantsToQuit.GetInvocationList())
                if (!agrees())
                    return false;
            return true;
        }

        internal static void CallQuitting() { Raise(quitting); }
        internal static void CallHierarchyChanged() { Raise(hierarchyChanged); }
        internal static void CallProjectChanged() { Raise(projectChanged); }

        internal static void CallPauseStateChanged(PauseState state)
        {
            if (pauseStateChanged != null)
                EditorLoop.Guarded(() => pauseStateChanged(state));
        }

        internal static void CallPlayModeStateChanged(PlayModeStateChange state)
        {
            if (playModeStateChanged != null)
                EditorLoop.Guarded(() => playModeStateChanged(state));
        }

        internal static void CallFocusChanged(bool focused)
        {
#if UNITY_2022_2_OR_NEWER
            if (focusChanged != null)
                EditorLoop.Guarded(() => focusChanged(focused));
#endif
        }

        static void Raise(Action happened)
        {
            if (happened != null)
                EditorLoop.Guarded(happened);
        }
    }
}
