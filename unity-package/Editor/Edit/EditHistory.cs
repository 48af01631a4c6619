using System;
using System.Globalization;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor
{
    /// <summary>
    /// The tools' steps in Unity's undo history, which they share with the user. Steps are numbered
    /// from 1; <see cref="EditMarker"/> holds the newest one that is done; names and tools are in
    /// SessionState.
    /// Only steps of tools are undone. If the newest step in Unity's history is the user's, it
    /// stays and ERR_UNDO_BLOCKED names it. Selections, which are steps in Unity but change
    /// nothing, are skipped. Unity does not always report what the newest step is before it is
    /// undone. So it is undone, and if the marker did not move, it was the user's and is redone at
    /// once, before anything is drawn. (Usually it is known beforehand: the current group is newer
    /// and has a name.)
    /// Unity drops the redo steps when something new is done; opening a scene clears the history.
    /// Main thread only.
    /// <code>
    ///     EditHistory.Do("manage_component: add", "manage_component", scene, () => ...);   // one undo group
    ///     EditStep step = EditHistory.UndoStep();     // null: nothing to undo; throws ERR_UNDO_BLOCKED
    /// </code>
    /// </summary>
    public static class EditHistory
    {
        const int MaxSteps = 1000;
        const int MaxSelections = 50; /* selections skipped for one step */
        const string Prefix = "Multiverse.EditHistory.";

        static bool isFollowing;
        static EditMarker marker;
        static int lastSeen; /* the marker's number at the last check */
        static bool isWalking; /* our own undo or redo is running */
        static bool hasWalked; /* Unity undid or redid something since isWalking was set */
        static string walkedName; /* the name of that step, if Unity reported one */

        /// <summary>Subscribe to Unity's events, once per domain.</summary>
        [InitializeOnLoadMethod]
        internal static void Subscribe()
        {
            if (isFollowing)
                return;
            isFollowing = true;
            Compat.OnUndoRedo(OnUndoRedo);
            EditorSceneManager.sceneOpened += (scene, mode) => SceneChanged(mode == OpenSceneMode.Single);
            EditorSceneManager.newSceneCreated += (scene, setup, mode) => SceneChanged(mode == NewSceneMode.Single);
            marker = FindMarker();
            lastSeen = Done;
        }

        /* First and Last: the oldest and the newest known step. Foreign: the number of steps the
           user has undone while tool steps were done up to ForeignAt; they are redone before the
           next tool step. Group: Unity's undo group after the newest step. IsFresh: nothing was
           undone or redone since that step. */
        static int First
        {
            get { return SessionState.GetInt(Prefix + "First", 1); }
            set { SessionState.SetInt(Prefix + "First", value); }
        }
        static int Last
        {
            get { return SessionState.GetInt(Prefix + "Last", 0); }
            set { SessionState.SetInt(Prefix + "Last", value); }
        }
        static int Foreign
        {
            get { return SessionState.GetInt(Prefix + "Foreign", 0); }
            set { SessionState.SetInt(Prefix + "Foreign", value); }
        }
        static int ForeignAt
        {
            get { return SessionState.GetInt(Prefix + "ForeignAt", 0); }
            set { SessionState.SetInt(Prefix + "ForeignAt", value); }
        }
        static int Group
        {
            get { return SessionState.GetInt(Prefix + "Group", 0); }
            set { SessionState.SetInt(Prefix + "Group", value); }
        }
        static bool IsFresh
        {
            get { return SessionState.GetBool(Prefix + "IsFresh", false); }
            set { SessionState.SetBool(Prefix + "IsFresh", value); }
        }
        static int Done { get { return marker == null ? 0 : marker.Step; } }

        /// <summary>The number of steps that can be undone.</summary>
        public static int UndoCount { get { return Math.Max(0, Done - First + 1); } }
        /// <summary>The number of steps that can be redone.</summary>
        public static int RedoCount { get { return marker == null ? 0 : Math.Max(0, Last - Done); } }

        /// <summary>
        /// Make a change as one undo group and mark the scene dirty. If it throws, revert it.
        /// </summary>
        public static void Do(string name, string tool, Scene scene, Action change)
        {
            Undo.IncrementCurrentGroup();
            int group = Undo.GetCurrentGroup();
            Undo.SetCurrentGroupName(name);
            try
            {
                change();
            }
            catch (Exception)
            {
                Undo.RevertAllDownToGroup(group);
                Undo.IncrementCurrentGroup();
                throw;
            }
            RecordStep(name, tool);
            Undo.SetCurrentGroupName(name);
            Undo.CollapseUndoOperations(group);
            Undo.IncrementCurrentGroup();
            /* Anything that Undo records marks the scene dirty already. */
            if (!scene.isDirty)
                EditorSceneManager.MarkSceneDirty(scene);
            SceneChanges.Add();
            Group = Undo.GetCurrentGroup();
            IsFresh = true;
            Foreign = 0;
        }

        static void RecordStep(string name, string tool)
        {
            if (marker == null)
                marker = NewMarker();
            Undo.RegisterCompleteObjectUndo(marker, name);
            marker.Step++;
            Undo.FlushUndoRecordObjects();
            for (int gone = marker.Step + 1; gone <= Last; gone++)
                SessionState.EraseString(KeyOf(gone));
            Last = lastSeen = marker.Step;
            SessionState.SetString(KeyOf(Last), name + "\n" + tool);
            for (; Last - First >= MaxSteps; First++)
                SessionState.EraseString(KeyOf(First));
        }

        static string KeyOf(int step) { return Prefix + step.ToString(CultureInfo.InvariantCulture); }

        static EditStep StepAt(int number)
        {
            string[] lines = SessionState.GetString(KeyOf(number), "\n").Split('\n');
            return new EditStep(lines[0], lines[1]);
        }

        /// <summary>Undo the newest tool step and return it, or null if there is none.</summary>
        public static EditStep UndoStep()
        {
            if (UndoCount == 0)
                return null;
            EditStep newest = StepAt(Done);
            string newer = NewerGroup(newest.Name);
            if (newer != null && !IsSelection(newer))
                throw BlockedError(newer, "undo", "Undo");
            if (MoveToToolStep(Undo.PerformUndo, Undo.PerformRedo, "undo", "Undo"))
                return newest;
            ClearHistory(); /* the history was cleared */
            return null;
        }

        /// <summary>Redo the tool step that was undone last and return it, or null if there is
        /// none.</summary>
        public static EditStep RedoStep()
        {
            if (RedoCount == 0)
                return null;
            /* Before 2022.2, undo and redo of the user cannot be distinguished: rather refuse
               than redo the user's step. */
            if (Foreign > 0 && ForeignAt == Done)
                throw BlockedError("", "redo", "Redo");
            if (MoveToToolStep(Undo.PerformRedo, Undo.PerformUndo, "redo", "Redo"))
                return StepAt(Done);
            DropRedoSteps(); /* something new was done, so Unity dropped the redo steps too */
            return null;
        }

        /* Undo or redo up to the next tool step, skipping only selections; otherwise revert the
           skipped steps. Return false at the end of the history. */
        static bool MoveToToolStep(Action forward, Action back, string what, string menu)
        {
            int before = Done, passed = 0;
            string name;
            do
            {
                PerformStep(forward);
                if (Done != before)
                    return true;
                name = walkedName;
                passed += hasWalked ? 1 : 0;
            } while (hasWalked && IsSelection(name) && passed <= MaxSelections);
            bool isEnd = !hasWalked;
            for (; passed > 0; passed--)
                PerformStep(back);
            if (!isEnd)
                throw BlockedError(name, what, menu);
            return false;
        }

        /* The names of Unity's steps for clicking on an object, which change nothing. */
        static bool IsSelection(string name)
        {
            return name == "Selection Change" || name == "Clear Selection" ||
                   (name.StartsWith("Select ", StringComparison.Ordinal) &&
                    (name.EndsWith("(GameObject)", StringComparison.Ordinal) ||
                     name.EndsWith("(Game Object)", StringComparison.Ordinal)));
        }

        /* Return the name of the current group if it is newer than all tool steps and not empty;
           it is the user's. Only if nothing was undone or redone since, because the current group
           is not documented then. */
        static string NewerGroup(string ours)
        {
            string name = Undo.GetCurrentGroupName();
            bool isNewer = IsFresh && Undo.GetCurrentGroup() >= Group;
            return isNewer && !string.IsNullOrEmpty(name) && name != ours ? name : null;
        }

        static void PerformStep(Action perform)
        {
            hasWalked = false;
            walkedName = "";
            isWalking = true;
            try
            {
                perform();
            }
            finally
            {
                isWalking = false;
                lastSeen = Done;
            }
        }

        static ToolError BlockedError(string name, string what, string menu)
        {
            string step = string.IsNullOrEmpty(name) ? "a step of the user" : "\"" + name + "\"";
            return new ToolError("ERR_UNDO_BLOCKED",
                "the next step to " + what + " in Unity's history is " + step + ", which no tool made, so it stays: " +
                "ask the user to " + what + " it (Edit > " + menu + "), or set the values with manage_component");
        }

        /* Called after every undo and redo, also the user's; isRedo is unknown before 2022.2. */
        static void OnUndoRedo(string name, bool? isRedo)
        {
            hasWalked = true;
            walkedName = name = name ?? "";
            IsFresh = false;
            if (isWalking || marker == null || (Done == lastSeen && IsSelection(name)))
                return;
            if (Done != lastSeen || Done != ForeignAt)
                Foreign = 0;
            if (Done == lastSeen)
                Foreign = !isRedo.HasValue ? 1 : Math.Max(0, Foreign + (isRedo.Value ? -1 : 1));
            lastSeen = ForeignAt = Done;
        }

        static void SceneChanged(bool isSingle)
        {
            if (isSingle)
                ClearHistory();
        }

        static void ClearHistory()
        {
            for (int step = First; step <= Last; step++)
                SessionState.EraseString(KeyOf(step));
            First = 1;
            Last = Foreign = lastSeen = 0;
            if (marker != null)
                UnityEngine.Object.DestroyImmediate(marker); /* invalidates older undo records of it */
            marker = null;
        }

        static void DropRedoSteps()
        {
            for (int step = Done + 1; step <= Last; step++)
                SessionState.EraseString(KeyOf(step));
            Last = Done;
        }

        static EditMarker NewMarker()
        {
            var created = ScriptableObject.CreateInstance<EditMarker>();
            created.hideFlags = HideFlags.HideAndDontSave;
            First = 1;
            Last = 0;
            return created;
        }

        /* The marker survives a domain reload; a session without steps has none. */
        static EditMarker FindMarker()
        {
            EditMarker[] found = Resources.FindObjectsOfTypeAll<EditMarker>();
            return found.Length > 0 && Last > 0 ? found[0] : null;
        }
    }
}
