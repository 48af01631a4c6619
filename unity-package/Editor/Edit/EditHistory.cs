using System;
using System.Globalization;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor
{
    /// <summary>
    /// The steps that tools made in Unity's undo history, which they share with the user.
    /// <code>
    ///     EditHistory.Do("manage_component: add", "manage_component", scene, () => ...);   // one undo group
    ///     EditStep step = EditHistory.TakeBack();     // null: nothing to undo; throws ERR_UNDO_BLOCKED
    /// </code>
    /// Steps have numbers from 1 on; <see cref="EditMarker"/> says up to which they are done, names and
    /// tools are in SessionState. Only steps of tools are taken back: if the newest step in Unity's
    /// history is the user's, it stays and ERR_UNDO_BLOCKED names it. But a selection, which is a step in
    /// Unity, too, and changes nothing, is walked over.
    /// What the newest step is Unity does not always tell before it is undone. So it is undone; if the
    /// marker has not moved it was the user's and is redone at once, before anything is drawn. (In the
    /// usual case it is known before: the current group is a later one and has a name.) Unity drops what
    /// could be redone when something new is done; opening a scene ends the history.
    /// Main thread only.
    /// </summary>
    public static class EditHistory
    {
        const int MaxSteps = 1000;
        const int MaxSelections = 50; /* that are walked over for one step */
        const string Prefix = "Multiverse.EditHistory.";

        static bool isFollowing;
        static EditMarker marker;
        static int lastSeen;        /* the marker's number when it was looked at last */
        static bool isWalking;      /* an undo or redo of ours is at work */
        static bool hasWalked;      /* Unity undid or redid something since isWalking was set */
        static string walkedName;   /* what it was, as far as Unity says */

        /// <summary>Once in a domain.</summary>
        [InitializeOnLoadMethod]
        internal static void Follow()
        {
            if (isFollowing)
                return;
            isFollowing = true;
            Compat.OnUndoRedo(Walked);
            EditorSceneManager.sceneOpened += (scene, mode) => SceneChanged(mode == OpenSceneMode.Single);
            EditorSceneManager.newSceneCreated += (scene, setup, mode) => SceneChanged(mode == NewSceneMode.Single);
            marker = FindMarker();
            lastSeen = Done;
        }

        /* First and Last: numbers of the oldest and the newest step that is known. Foreign: so many steps the
         * user has undone when tools' steps were done up to ForeignAt, so they come before the next one of
         * a tool; what is taken back afterwards comes before them. Group: Unity's number of the
         * group behind the newest step. IsFresh: nothing was undone or redone since that step. */
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

        /// <summary>Steps that can be undone.</summary>
        public static int UndoCount { get { return Math.Max(0, Done - First + 1); } }
        /// <summary>Steps that can be redone.</summary>
        public static int RedoCount { get { return marker == null ? 0 : Math.Max(0, Last - Done); } }

        /// <summary>
        /// Does it as one undo group, which makes the scene dirty. If it throws, what it has done is taken
        /// back.
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
            Remember(name, tool);
            Undo.SetCurrentGroupName(name);
            Undo.CollapseUndoOperations(group);
            Undo.IncrementCurrentGroup();
            /* What Undo records makes it dirty by itself. */
            if (!scene.isDirty)
                EditorSceneManager.MarkSceneDirty(scene);
            SceneChanges.Add();
            Group = Undo.GetCurrentGroup();
            IsFresh = true;
            Foreign = 0;
        }

        static void Remember(string name, string tool)
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

        /// <summary>Takes back the newest step of a tool. null: there is none.</summary>
        public static EditStep TakeBack()
        {
            if (UndoCount == 0)
                return null;
            EditStep newest = StepAt(Done);
            string newer = NewerGroup(newest.Name);
            if (newer != null && !IsSelection(newer))
                throw Blocked(newer, "undo", "Undo");
            if (Reach(Undo.PerformUndo, Undo.PerformRedo, "undo", "Undo"))
                return newest;
            Forget(); /* the history was cleared */
            return null;
        }

        /// <summary>Does the step again that was taken back last. null: there is none.</summary>
        public static EditStep DoAgain()
        {
            if (RedoCount == 0)
                return null;
            /* Before 2022.2 nobody knows whether it was an undo: better nothing than the user's step. */
            if (Foreign > 0 && ForeignAt == Done)
                throw Blocked("", "redo", "Redo");
            if (Reach(Undo.PerformRedo, Undo.PerformUndo, "redo", "Redo"))
                return StepAt(Done);
            DropRedo(); /* something new was done since: Unity has dropped it, too */
            return null;
        }

        /* Walks to the next step of a tool, over selections, and over nothing else: what was walked over is
         * walked back then. False: the history ends before. */
        static bool Reach(Action forward, Action back, string what, string menu)
        {
            int before = Done, passed = 0;
            string name;
            do
            {
                Walk(forward);
                if (Done != before)
                    return true;
                name = walkedName;
                passed += hasWalked ? 1 : 0;
            } while (hasWalked && IsSelection(name) && passed <= MaxSelections);
            bool isEnd = !hasWalked;
            for (; passed > 0; passed--)
                Walk(back);
            if (!isEnd)
                throw Blocked(name, what, menu);
            return false;
        }

        /* What Unity calls a click on an object, which is a step like others but changes nothing. */
        static bool IsSelection(string name)
        {
            return name == "Selection Change" || name == "Clear Selection" ||
                   (name.StartsWith("Select ", StringComparison.Ordinal) &&
                    (name.EndsWith("(GameObject)", StringComparison.Ordinal) ||
                     name.EndsWith("(Game Object)", StringComparison.Ordinal)));
        }

        /* The name of the current group if it is newer than all steps and not empty: the user's. Only where
         * nothing was undone or redone since: what Unity says of the current group then is not documented. */
        static string NewerGroup(string ours)
        {
            string name = Undo.GetCurrentGroupName();
            bool isNewer = IsFresh && Undo.GetCurrentGroup() >= Group;
            return isNewer && !string.IsNullOrEmpty(name) && name != ours ? name : null;
        }

        static void Walk(Action perform)
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

        static ToolError Blocked(string name, string what, string menu)
        {
            string step = string.IsNullOrEmpty(name) ? "a step of the user" : "\"" + name + "\"";
            return new ToolError("ERR_UNDO_BLOCKED",
                "the next step to " + what + " in Unity's history is " + step + ", which no tool made, so it stays: " +
                "ask the user to " + what + " it (Edit > " + menu + "), or set the values with manage_component");
        }

        /* After every undo and redo, also the user's: isRedo is not known before 2022.2. */
        static void Walked(string name, bool? isRedo)
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
                Forget();
        }

        static void Forget()
        {
            for (int step = First; step <= Last; step++)
                SessionState.EraseString(KeyOf(step));
            First = 1;
            Last = Foreign = lastSeen = 0;
            if (marker != null)
                UnityEngine.Object.DestroyImmediate(marker); /* so that older records of it lead nowhere */
            marker = null;
        }

        static void DropRedo()
        {
            for (int step = Done + 1; step <= Last; step++)
                SessionState.EraseString(KeyOf(step));
            Last = Done;
        }

        static EditMarker NewMarker()
        {
            var made = ScriptableObject.CreateInstance<EditMarker>();
            made.hideFlags = HideFlags.HideAndDontSave;
            First = 1;
            Last = 0;
            return made;
        }

        /* It survives a domain reload; of a session that has no steps there is none. */
        static EditMarker FindMarker()
        {
            EditMarker[] found = Resources.FindObjectsOfTypeAll<EditMarker>();
            return found.Length > 0 && Last > 0 ? found[0] : null;
        }
    }
}
