using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>A move of a Transform to another parent, scene or sibling index.</summary>
    internal sealed class ParentStep : UndoStep
    {
        public const string Name = "parent";

        struct Place
        {
            public Transform Father;
            public SceneData Scene;
            public int Index;
            public Vector3 Position;
            public Quaternion Rotation;
            public Vector3 Scale;
        }

        readonly Transform target;
        Place before;
        Place after;

        ParentStep(Transform target) { this.target = target; }

        /// <summary>Create it before the move; call Moved afterwards.</summary>
        public static ParentStep Of(Transform target) { return new ParentStep(target) { before = Now(target) }; }

        public ParentStep Moved()
        {
            after = Now(target);
            return this;
        }

        static Place Now(Transform t)
        {
            return new Place
            {
                Father = t.m_Father, Scene = t.m_GameObject.sceneData, Index = t.GetSiblingIndex(),
                Position = t.m_LocalPosition, Rotation = t.m_LocalRotation, Scale = t.m_LocalScale
            };
        }

        public override Object Target { get { return target; } }
        public override void Undo() { Put(before); }
        public override void Redo() { Put(after); }

        void Put(Place place)
        {
            if (target.isDestroyed)
                return;
            SceneTree.Attach(target, place.Father, place.Index, place.Scene);
            target.m_LocalPosition = place.Position;
            target.m_LocalRotation = place.Rotation;
            target.m_LocalScale = place.Scale;
            Dirtiness.Mark(target);
        }

        public override List<object> Export(UndoCodec codec)
        {
            return new List<object> { Name, codec.Key(target), Export(codec, before), Export(codec, after) };
        }

        static List<object> Export(UndoCodec codec, Place place)
        {
            var numbers = new List<object>();
            foreach (float f in new[]
            {
                place.Position.x, place.Position.y, place.Position.z, place.Rotation.x, place.Rotation.y,
                place.Rotation.z, place.Rotation.w, place.Scale.x, place.Scale.y, place.Scale.z
            })
                numbers.Add(Scalars.From(f));
            return new List<object>
            {
                codec.Key(place.Father), codec.SceneKey(place.Scene), (long)place.Index, numbers
            };
        }

        public static ParentStep Import(UndoCodec codec, List<object> from)
        {
            var target = codec.Object(from[1]) as Transform;
            if ((object)target == null)
                return null;
            return new ParentStep(target)
            {
                before = ReadPlace(codec, (List<object>)from[2]), after = ReadPlace(codec, (List<object>)from[3])
            };
        }

        static Place ReadPlace(UndoCodec codec, List<object> from)
        {
            var numbers = ((List<object>)from[3]).ConvertAll(text => Scalars.ToFloat((string)text));
            return new Place
            {
                Father = (Transform)codec.Object(from[0]), Scene = codec.Scene(from[1]), Index = codec.Number(from[2]),
                Position = new Vector3(numbers[0], numbers[1], numbers[2]),
                Rotation = new Quaternion(numbers[3], numbers[4], numbers[5], numbers[6]),
                Scale = new Vector3(numbers[7], numbers[8], numbers[9])
            };
        }
    }
}
