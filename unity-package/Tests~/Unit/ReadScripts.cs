using System;
using System.Collections.Generic;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    [Serializable]
    public class ReadBox<T>
    {
        public T held;
        public T[] more;
    }

    [Serializable]
    public class ReadIntBox : ReadBox<int> { }

    public interface IReadShape { }
    [Serializable]
    public class ReadCircle : IReadShape
    {
        public float radius = 2;
    }
    [Serializable]
    public class ReadFrame : IReadShape
    {
        [SerializeReference] public IReadShape inner;
    }

    public class ReadBase<T> : MonoBehaviour
    {
        [SerializeField] T inherited = default(T);
        public T Inherited { get { return inherited; } }
    }

    /// <summary>Field kinds that <see cref="EditZoo"/> lacks.</summary>
    public class ReadZoo : ReadBase<float>
    {
        public ReadIntBox box = new ReadIntBox();
        [SerializeReference] public IReadShape shape;
        [SerializeReference] public List<IReadShape> shapes = new List<IReadShape>();
        public List<Component> references = new List<Component>();
        public UnityEngine.Events.UnityEvent done = new UnityEngine.Events.UnityEvent();
        public Matrix4x4 matrix = Matrix4x4.identity;
        public EditSides[] corners = new EditSides[0];
        public Hash128 hash;
        public Material paint;
    }

    /// <summary>More fields than an answer may contain.</summary>
    public class ReadWide : MonoBehaviour
    {
        [Serializable]
        public struct Eight { public int a, b, c, d, e, f, g, h; }
        [Serializable]
        public struct Many { public Eight a, b, c, d, e, f, g, h; }
        public Many a, b, c, d, e, f, g, h;
        public int last;
    }
}
