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
        readonly Transform made;

        public ReplaceStep(Transform old, Transform made)
        {
            this.old = old;
            this.made = made;
        }

        public override Object Target { get { return made; } }
        public override void Undo() { Swap(made, old); }
        public override void Redo() { Swap(old, made); }

        static void Swap(Transform from, Transform to)
        {
            if (from.isDestroyed)
                return;
            SceneTree.Replace(from, to);
            Dirtiness.Mark(to);
        }

        public override List<object> Export(UndoCodec codec)
        {
            return new List<object> { Name, codec.Key(old), codec.Key(made) };
        }

        public static ReplaceStep Import(UndoCodec codec, List<object> from)
        {
            var old = codec.Object(from[1]) as Transform;
            var made = codec.Object(from[2]) as Transform;
            return (object)old == null || (object)made == null ? null : new ReplaceStep(old, made);
        }
    }
}
