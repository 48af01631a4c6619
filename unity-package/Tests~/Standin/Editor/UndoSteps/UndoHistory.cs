using System.Collections.Generic;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// The undo stack. Steps are added to the current group; a new step drops the redo steps.
    /// Recorded objects are compared when the records are flushed: at the end of an editor update
    /// and when a group begins or ends.
    /// </summary>
    internal static class UndoHistory
    {
        sealed class Record
        {
            public Object Target;
            public DataNode Before;
            public string Name;
        }

        public static readonly List<UndoGroup> Done = new List<UndoGroup>();
        public static readonly List<UndoGroup> Undone = new List<UndoGroup>();
        static readonly List<Record> records = new List<Record>();
        static string nextName;
        static bool isFlushing;

        public static int CurrentGroup = 1;
        /// <summary>Undo or redo is running; what scripts record meanwhile is ignored.</summary>
        public static bool IsProcessing { get; private set; }

        static UndoGroup Current
        {
            get
            {
                UndoGroup last = Done.Count == 0 ? null : Done[Done.Count - 1];
                return last != null && last.Id == CurrentGroup ? last : null;
            }
        }

        public static string CurrentName { get { return Current == null ? nextName ?? "" : Current.Name; } }

        public static void SetCurrentName(string name)
        {
            if (Current != null)
                Current.Rename(name);
            else
                nextName = name;
        }

        public static void Add(UndoStep step, string name)
        {
            if (IsProcessing)
                return;
            UndoGroup group = Current;
            if (group == null)
            {
                group = new UndoGroup(CurrentGroup);
                if (nextName != null)
                    group.Rename(nextName);
                nextName = null;
                Done.Add(group);
            }
            Undone.Clear();
            group.Add(step, name);
            EditorEvents.ObjectsChanged();
        }

        public static void NextGroup()
        {
            Flush();
            CurrentGroup++;
            nextName = null;
        }

        public static void RecordObject(Object target, string name)
        {
            if (target == null || IsProcessing || records.Exists(record => ReferenceEquals(record.Target, target)))
                return;
            records.Add(new Record { Target = target, Before = Serializer.Write(target), Name = name });
        }

        public static bool HasRecords { get { return records.Count > 0; } }

        public static void Flush()
        {
            if (isFlushing || records.Count == 0)
                return;
            isFlushing = true;
            try
            {
                if (UnityEditor.Undo.willFlushUndoRecord != null)
                    UnityEditor.Undo.willFlushUndoRecord();
                foreach (Record record in records.ToArray())
                    Flush(record);
            }
            finally
            {
                records.Clear();
                isFlushing = false;
            }
        }

        static void Flush(Record record)
        {
            if (record.Target == null)
                return;
            DataNode after = Serializer.Write(record.Target);
            TypeNode type = TypeTree.Of(record.Target.GetType());
            if (DataChange.Keys(record.Before, after, type, false).Count == 0)
                return;
            Modifications.Report(record.Target, record.Before, after);
            Add(new ChangeStep(record.Target, record.Before, after), record.Name);
            Dirtiness.Mark(record.Target);
            Hooks.Changed(record.Target, record.Before, after);
        }

        /// <summary>Turn an object's record into a step before another change of it.</summary>
        public static void Settle(Object target)
        {
            Record record = records.Find(r => ReferenceEquals(r.Target, target));
            if (record == null)
                return;
            records.Remove(record);
            Flush(record);
        }

        /// <summary>Called before and after a SerializedObject changes an object.</summary>
        public static void BeginDirect(Object target, DataNode before) { Settle(target); }

        public static void EndDirect(Object target, DataNode before, DataNode after, string name)
        {
            Modifications.Report(target, before, after);
            TypeNode type = TypeTree.Of(target.GetType());
            bool isLink = DataChange.Keys(before, after, type, true).Count
                > DataChange.Keys(before, after, type, false).Count;
            Add(isLink ? ChangeStep.Was(target, before) : new ChangeStep(target, before, after), name);
        }

        /// <summary>Return false if there is nothing to undo.</summary>
        public static bool PerformUndo()
        {
            Flush();
            return Move(Done, Undone, false);
        }

        public static bool PerformRedo()
        {
            Flush();
            return Move(Undone, Done, true);
        }

        static bool Move(List<UndoGroup> from, List<UndoGroup> to, bool isRedo)
        {
            if (from.Count == 0 || IsProcessing)
                return false;
            UndoGroup group = from[from.Count - 1];
            Process(group, isRedo);
            from.Remove(group);
            to.Add(group);
            CurrentGroup++;
            nextName = null;
            UnityEditor.Undo.Raise(group, isRedo);
            return true;
        }

        static void Process(UndoGroup group, bool isRedo)
        {
            IsProcessing = true;
            try
            {
                if (isRedo)
                    group.Redo();
                else
                    group.Undo();
            }
            finally
            {
                IsProcessing = false;
            }
        }

        /// <summary>Revert all groups from this one on, without redo.</summary>
        public static void RevertDownTo(int group)
        {
            Flush();
            while (Done.Count > 0 && Done[Done.Count - 1].Id >= group)
            {
                UndoGroup last = Done[Done.Count - 1];
                Process(last, false);
                Done.Remove(last);
            }
            nextName = null;
        }

        /// <summary>Merge all groups from this one on.</summary>
        public static void CollapseTo(int group)
        {
            Flush();
            int at = Done.FindIndex(g => g.Id >= group);
            if (at < 0 || at == Done.Count - 1)
                return;
            var all = new UndoGroup(group);
            UndoGroup named = Done.Find(g => g.Id >= group && g.IsNamed);
            foreach (UndoGroup one in Done.GetRange(at, Done.Count - at))
                foreach (UndoStep step in one.Steps)
                    all.Add(step, one.Name);
            if (named != null)
                all.Rename(named.Name);
            Done.RemoveRange(at, Done.Count - at);
            Done.Add(all);
        }

        public static void Clear(Object target)
        {
            records.RemoveAll(record => ReferenceEquals(record.Target, target));
            foreach (List<UndoGroup> side in new[] { Done, Undone })
            {
                foreach (UndoGroup group in side)
                    group.Steps.RemoveAll(step => ReferenceEquals(step.Target, target));
                side.RemoveAll(group => group.Steps.Count == 0);
            }
        }

        public static void ClearAll()
        {
            records.Clear();
            Done.Clear();
            Undone.Clear();
            nextName = null;
        }
    }
}
