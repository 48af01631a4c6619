using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>A change of the order of a GameObject's components.</summary>
    internal sealed class OrderStep : UndoStep
    {
        public const string Name = "order";

        readonly GameObject target;
        readonly List<Component> before;
        readonly List<Component> after;

        public OrderStep(GameObject target, List<Component> before, List<Component> after)
        {
            this.target = target;
            this.before = before;
            this.after = after;
        }

        public override Object Target { get { return target; } }
        public override void Undo() { Put(before); }
        public override void Redo() { Put(after); }

        /* Components added since then stay at the end. */
        void Put(List<Component> order)
        {
            if (target.isDestroyed)
                return;
            var now = new List<ComponentPair>(target.m_Component);
            target.m_Component.Clear();
            foreach (Component component in order)
            {
                int at = now.FindIndex(pair => ReferenceEquals(pair.component, component));
                if (at < 0)
                    continue;
                target.m_Component.Add(now[at]);
                now.RemoveAt(at);
            }
            target.m_Component.AddRange(now);
            Dirtiness.Mark(target);
        }

        public override List<object> Export(UndoCodec codec)
        {
            return new List<object>
            {
                Name, codec.Key(target), before.ConvertAll(c => codec.Key(c)), after.ConvertAll(c => codec.Key(c))
            };
        }

        public static OrderStep Import(UndoCodec codec, List<object> from)
        {
            var target = codec.Object(from[1]) as GameObject;
            return (object)target == null ? null : new OrderStep(
                target, ((List<object>)from[2]).ConvertAll(key => codec.Object(key) as Component),
                ((List<object>)from[3]).ConvertAll(key => codec.Object(key) as Component));
        }
    }
}
