using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>The creation or destruction of a component, a GameObject with its children, or
    /// another object.</summary>
    internal sealed class LifeStep : UndoStep
    {
        public const string Name = "life";

        readonly Object target;
        readonly bool isCreation;
        /* Its place while it is destroyed. */
        Grave grave;

        LifeStep(Object target, bool isCreation, Grave grave)
        {
            this.target = target;
            this.isCreation = isCreation;
            this.grave = grave;
        }

        /// <summary>Record an object that was already created.</summary>
        public static LifeStep Created(Object target) { return new LifeStep(target, true, null); }

        /// <summary>Destroy the object.</summary>
        public static LifeStep Destroy(Object target) { return new LifeStep(target, false, Grave.Bury(target)); }

        /// <summary>null while the object exists.</summary>
        public Grave Grave { get { return grave; } }

        public override Object Target { get { return target; } }

        public override void Undo()
        {
            if (isCreation)
                End();
            else
                Return();
        }

        public override void Redo()
        {
            if (isCreation)
                Return();
            else
                End();
        }

        void End()
        {
            if (!target.isDestroyed)
                grave = Grave.Bury(target);
        }

        void Return()
        {
            if (grave != null)
                grave.Open();
            grave = null;
        }

        public override List<object> Export(UndoCodec codec)
        {
            return new List<object>
            {
                Name, codec.Key(target), isCreation, grave == null ? null : grave.Export(codec)
            };
        }

        public static LifeStep Import(UndoCodec codec, List<object> from)
        {
            Object target = codec.Object(from[1]);
            return (object)target == null ? null : new LifeStep(
                target, (bool)from[2], from[3] == null ? null : Grave.Import(codec, (List<object>)from[3]));
        }
    }
}
