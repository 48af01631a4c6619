using System;
using System.Collections.Generic;

namespace Standin.Host
{
    /// <summary>The editor's flags for a domain reload.</summary>
    static class HostStateFile
    {
        public static object Export()
        {
            return new Dictionary<string, object>
            {
                { "focused", HostState.IsFocused }, { "playing", HostState.IsPlaying },
                { "paused", HostState.IsPaused }, { "changing", HostState.WillChangePlayMode },
                { "entering", PlayModeSwitch.IsEntering }, { "errors", Compilation.HasErrors },
                { "reloads", DomainReload.Count }, { "copied", UnityEngine.GUIUtility.systemCopyBuffer }
            };
        }

        public static void Import(object value)
        {
            var state = (Dictionary<string, object>)value;
            HostState.IsFocused = (bool)state["focused"];
            HostState.IsPlaying = (bool)state["playing"];
            HostState.IsPaused = (bool)state["paused"];
            HostState.WillChangePlayMode = (bool)state["changing"];
            PlayModeSwitch.IsEntering = (bool)state["entering"];
            Compilation.HasErrors = (bool)state["errors"];
            DomainReload.Count = Convert.ToInt32(state["reloads"]);
            UnityEngine.GUIUtility.systemCopyBuffer = (string)state["copied"];
        }
    }
}
