using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>The replacement of a Transform by a RectTransform.</summary>
    internal sealed class ReplaceStep : UndoStep
    {
        public const string Name = "replace";

        readonly Transform old;
        readonly Transform created;

        public ReplaceStep(Transform old, Transform created)
        {
            this.old = old;
            this.created = created;
        }

        public override Object Target { get { return created; } }
        public override void Undo() { Swap(created, old); }
        public override void Redo() { Swap(old, created); }

        static void Swap(Transform from, Transform to)
        {
            if (from.isDestroyed)
                return;
            SceneTree.Replace(from, to);
            Dirtiness.Mark(to);
        }

        public override List<object> Export(UndoCodec codec)
        {
            return new List<object> { Name, codec.Key(old), codec.Key(created) };
        }

        public static ReplaceStep Import(UndoCodec codec, List<object> from)
        {
            var old = codec.Object(from[1]) as Transform;
            var created = codec.Object(from[2]) as Transform;
            return (object)old == null || (object)created == null ? null : new ReplaceStep(old, created);
        }
    }
}
