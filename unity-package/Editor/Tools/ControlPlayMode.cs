using System;
using System.Collections.Generic;
using System.Globalization;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>
    /// control_play_mode: answers after the change has happened, across the domain reloads it
    /// causes. A state that is already reached is answered at once; resuming from pause is a start.
    /// <code>
    ///     asked --isPlaying--> there                       answered
    ///     asked --Unity has given it up--> refused         ERR_PLAY_MODE_REFUSED, with what it logged
    ///     asked --25 s--> still on its way                 ERR_PLAY_MODE_TIMEOUT
    /// </code>
    /// </summary>
    public sealed class ControlPlayMode : Tool
    {
        /* Less than the server's own limit (30 s), so that the answer has a better error than a
           timeout. */
        const double LimitSeconds = 25;
        const double LimitAfterReloadSeconds = 4;
        /* Unity applies a request at the end of an update. If it shows no sign of the change for
           so long, the request counts as refused. */
        const int QuietUpdates = 20;
        const double QuietSeconds = 1;

        public override string Name { get { return "control_play_mode"; } }
        public override bool OutlivesReload { get { return true; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            string action = call.Arguments.GetString("action", "");
            long serial = ConsoleFeed.Buffer.Serial;
            DateTime end = DateTime.UtcNow.AddSeconds(LimitSeconds);
            RequestChange(action);
            call.Memo = string.Format(CultureInfo.InvariantCulture, "{0} {1} {2}", action, serial, end.Ticks);
            return WaitForChange(call, action, serial, end);
        }

        public override IEnumerator<Pause> Continue(ToolCall call)
        {
            string[] memo = call.Memo.Split(' ');
            long serial = 0, end = 0;
            if (memo.Length != 3 ||
                !long.TryParse(memo[1], NumberStyles.None, CultureInfo.InvariantCulture, out serial) ||
                !long.TryParse(memo[2], NumberStyles.None, CultureInfo.InvariantCulture, out end))
                throw new ToolError("ERR_PLAY_MODE_TIMEOUT", "what was asked for is lost: get_editor_state shows " +
                                                             "whether Unity plays") { WasExecuted = true };
            /* A reload may have used up the time; allow a little more to see the result. */
            DateTime least = DateTime.UtcNow.AddSeconds(LimitAfterReloadSeconds);
            return WaitForChange(call, memo[0], serial, new DateTime(Math.Max(end, least.Ticks), DateTimeKind.Utc));
        }

        /* Check and request the change; Unity performs it later. */
        static void RequestChange(string action)
        {
            bool isPlaying = EditorApplication.isPlaying;
            if (action == "stop")
            {
                EditorApplication.isPlaying = false;
                return;
            }
            if (action == "pause")
            {
                if (!isPlaying)
                    throw Refused("there is nothing to pause: start play mode first");
                EditorApplication.isPaused = true;
                return;
            }
            if (!isPlaying)
                CheckStart();
            /* with the Pause button pressed, play mode would start paused */
            EditorApplication.isPaused = false;
            if (!isPlaying)
                EditorApplication.isPlaying = true;
        }

        static void CheckStart()
        {
            if (EditorUtility.scriptCompilationFailed)
                throw Refused("all compiler errors have to be fixed before Unity can enter play mode" +
                              ConsoleFeed.CompilerErrors());
            string prefab = Unsaved.Prefab();
            if (prefab != null)
                throw new ToolError("ERR_UNSAVED_CHANGES", prefab + " (open in Prefab Mode) has unsaved changes, and " +
                                                           "Unity might ask for them: save it in Unity first");
        }

        static IEnumerator<Pause> WaitForChange(ToolCall call, string action, long serial, DateTime end)
        {
            bool wasOnItsWay = false;
            int quiet = 0;
            DateTime quietSince = DateTime.UtcNow;
            do
            {
                yield return Pause.NextUpdate;
                bool isOnItsWay = EditorApplication.isPlayingOrWillChangePlaymode || EditorApplication.isCompiling ||
                                  EditorApplication.isUpdating;
                wasOnItsWay |= EditorApplication.isPlayingOrWillChangePlaymode;
                quiet = isOnItsWay ? 0 : quiet + 1;
                if (quiet == 1)
                    quietSince = DateTime.UtcNow;
                bool isQuiet = quiet > QuietUpdates && (DateTime.UtcNow - quietSince).TotalSeconds > QuietSeconds;
                if (action == "start" && !IsThere(action) && !isOnItsWay && (wasOnItsWay || isQuiet))
                    throw Refused(FindReason(serial));
                if (action == "pause" && !EditorApplication.isPlayingOrWillChangePlaymode)
                    throw Refused("play mode has ended meanwhile");
                if (DateTime.UtcNow > end && !IsThere(action))
                    throw TimedOut(action);
            } while (!IsThere(action));
            WriteAnswer(call.Out, action);
        }

        static bool IsThere(string action)
        {
            switch (action)
            {
                case "start": return EditorApplication.isPlaying;
                case "pause": return EditorApplication.isPlaying && EditorApplication.isPaused;
                default: return !EditorApplication.isPlaying && !EditorApplication.isPlayingOrWillChangePlaymode;
            }
        }

        static void WriteAnswer(JsonWriter w, string action)
        {
            w.BeginObject();
            w.Member("action", action);
            w.Member("is_playing", EditorApplication.isPlaying);
            w.Member("is_paused", EditorApplication.isPlaying && EditorApplication.isPaused);
            w.EndObject();
        }

        /* Return the first error that was logged since the request. */
        static string FindReason(long serial)
        {
            foreach (ConsoleEntry e in ConsoleFeed.Buffer.Snapshot())
                if (e.Serial > serial && e.Type >= ConsoleType.Error)
                    return "Unity did not enter play mode: " + e.Message;
            return "Unity did not enter play mode and logged no reason";
        }

        static ToolError Refused(string message) { return new ToolError("ERR_PLAY_MODE_REFUSED", message); }

        static ToolError TimedOut(string action)
        {
            string what = action == "start" ? "into play mode" : action == "stop" ? "out of play mode" : "to a pause";
            return new ToolError("ERR_PLAY_MODE_TIMEOUT", "Unity is still on its way " + what + " after " +
                                 LimitSeconds + " s: get_editor_state shows when it is there")
                { WasExecuted = true };
        }
    }
}
