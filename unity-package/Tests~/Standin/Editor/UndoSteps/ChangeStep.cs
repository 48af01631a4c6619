using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// A change of an object's fields. A recorded change reverts only what it changed; a complete
    /// one restores the whole object, including its component list.
    /// </summary>
    internal sealed class ChangeStep : UndoStep
    {
        public const string Name = "change";

        readonly Object target;
        readonly DataNode before;
        readonly bool isComplete;
        /* Of a complete change, known only after it was undone. */
        DataNode after;

        public ChangeStep(Object target, DataNode before, DataNode after)
        {
            this.target = target;
            this.before = before;
            this.after = after;
        }

        ChangeStep(Object target, DataNode before, DataNode after, bool isComplete) : this(target, before, after)
        {
            this.isComplete = isComplete;
        }

        public static ChangeStep Complete(Object target)
        {
            return new ChangeStep(target, Serializer.Write(target), null, true);
        }

        /// <summary>Create a step that restores the whole object from data.</summary>
        public static ChangeStep Was(Object target, DataNode before)
        {
            return new ChangeStep(target, before, null, true);
        }

        public override Object Target { get { return target; } }

        public override void Undo()
        {
            if (isComplete && !target.isDestroyed)
                after = Serializer.Write(target);
            Become(after, before);
        }

        public override void Redo() { Become(before, after); }

        void Become(DataNode from, DataNode to)
        {
            if (target.isDestroyed || from == null || to == null)
                return;
            DataNode now = Serializer.Write(target);
            DataNode wanted = isComplete ? to : DataChange.Onto(now, from, to);
            List<string> keys = DataChange.Keys(now, wanted, TypeTree.Of(target.GetType()), isComplete);
            keys.RemoveAll(IsTreeLink);
            if (keys.Count == 0)
                return;
            Serializer.Read(target, DataChange.Part(wanted, keys).Clone());
            var go = target as GameObject;
            if ((object)go != null && keys.Contains("m_Component"))
                ReviveListed(go);
            target.AfterRead();
            Validation.Send(target);
            Dirtiness.Mark(target);
            Hooks.Changed(target, now, Serializer.Write(target));
        }

        /* ParentStep and LifeStep handle the position in the tree. */
        static bool IsTreeLink(string key)
        {
            return key == "m_Children" || key == "m_Father" || key == "m_GameObject" || key == "m_RootOrder";
        }

        static void ReviveListed(GameObject go)
        {
            foreach (ComponentPair pair in go.m_Component)
                if ((object)pair.component != null && pair.component.isDestroyed
                    && pair.component.missingAddress == null)
                {
                    ObjectTable.Revive(pair.component);
                    Hooks.Revived(pair.component);
                }
        }

        public override List<object> Export(UndoCodec codec)
        {
            return new List<object>
            {
                Name, codec.Key(target), codec.Data(before), after == null ? null : codec.Data(after), isComplete
            };
        }

        public static ChangeStep Import(UndoCodec codec, List<object> from)
        {
            Object target = codec.Object(from[1]);
            return (object)target == null ? null : new ChangeStep(
                target, codec.Data(from[2]), from[3] == null ? null : codec.Data(from[3]), (bool)from[4]);
        }
    }
}
