using System;
using UnityEditor;
using UnityEngine;

namespace Standin
{
    /// <summary>
    /// Enters and leaves play mode as Unity does. There is no reload if Project Settings > Editor
    /// disables it. Refused with Unity's message if there are compiler errors; waits during a
    /// compilation.
    /// <code>
    ///     isPlaying = true -> after the update: ExitingEditMode -> scenes are kept -> domain reload
    ///                      -> scripts start -> EnteredPlayMode
    ///     isPlaying = false -> after the update: ExitingPlayMode -> scenes are put back -> EnteredEditMode
    /// </code>
    /// </summary>
    internal static class PlayModeSwitch
    {
        const string compileErrors = "All compiler errors have to be fixed before you can enter playmode!";

        static bool asked;
        static bool wanted;

        /// <summary>A change was requested and has not begun.</summary>
        public static bool IsAsked { get { return asked; } }
        /// <summary>The domain was reloaded while entering play mode.</summary>
        public static bool IsEntering;
        /// <summary>Save and restore the open scenes; set by the host.</summary>
        public static Action KeepScenes = () => { };
        public static Action RestoreScenes = () => { };

        public static void Request(bool play)
        {
            asked = play != HostState.IsPlaying;
            wanted = play;
            if (!asked)
                HostState.WillChangePlayMode = false;
        }

        public static void Pause(bool pause)
        {
            if (HostState.IsPaused == pause)
                return;
            HostState.IsPaused = pause;
            EditorApplication.CallPauseStateChanged(pause ? PauseState.Paused : PauseState.Unpaused);
        }

        public static void Advance()
        {
            if (asked && !(wanted && HostState.IsCompiling))
            {
                asked = false;
                if (wanted)
                    BeginEntering();
                else
                    Leave();
            }
            PlayerLoop.Advance();
        }

        static void BeginEntering()
        {
            if (Compilation.HasErrors)
            {
                Console.Write(LogType.Error, compileErrors, "");
                return;
            }
            HostState.WillChangePlayMode = true;
            EditorApplication.CallPlayModeStateChanged(PlayModeStateChange.ExitingEditMode);
            /* A listener may have cancelled the request. */
            if (!HostState.WillChangePlayMode)
                return;
            asked = false;
            KeepScenes();
            if (!ReloadsDomain)
            {
                FinishEntering();
                return;
            }
            IsEntering = true;
            DomainReload.Request();
        }

        /// <summary>Called after the reload, or at once without one.</summary>
        public static void FinishEntering()
        {
            IsEntering = false;
            Startup.Call<InitializeOnEnterPlayModeAttribute>();
            HostState.IsPlaying = true;
            HostState.WillChangePlayMode = false;
            PlayerLoop.Begin();
            EditorApplication.CallPlayModeStateChanged(PlayModeStateChange.EnteredPlayMode);
        }

        static void Leave()
        {
            HostState.WillChangePlayMode = true;
            EditorApplication.CallPlayModeStateChanged(PlayModeStateChange.ExitingPlayMode);
            PlayerLoop.End();
            RestoreScenes();
            HostState.IsPlaying = false;
            HostState.WillChangePlayMode = false;
            Pause(false);
            EditorApplication.CallPlayModeStateChanged(PlayModeStateChange.EnteredEditMode);
        }

        static bool ReloadsDomain
        {
            get
            {
                return !EditorSettings.enterPlayModeOptionsEnabled ||
                       (EditorSettings.enterPlayModeOptions & EnterPlayModeOptions.DisableDomainReload) == 0;
            }
        }
    }
}
