using System;
using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// What UnityEngine.dll asks of the editor's side; set once when the editor starts. What is not set
    /// answers as if there were no project: tests of the engine alone need none of it.
    /// </summary>
    internal static class Hooks
    {
        /// <summary>The MonoScript of a MonoBehaviour's or ScriptableObject's class, or null.</summary>
        public static Func<Type, Object> ScriptOf = type => null;
        /// <summary>A class of an editor assembly: it cannot be put on a GameObject.</summary>
        public static Func<Type, bool> IsEditorOnly = type => false;
        /// <summary>The object comes from a prefab: it, or what it was instantiated from.</summary>
        public static Func<Object, bool> IsPartOfPrefabInstance = target => false;
        /// <summary>It was added to an instance in the scene: the prefab does not have it.</summary>
        public static Func<Object, bool> IsAddedToPrefabInstance = target => false;
        /// <summary>A field of an instance differs from the prefab: by object and property path.</summary>
        public static Func<Object, string, bool> IsOverridden = (target, path) => false;
        /// <summary>Gives a field of an instance the prefab's value again.</summary>
        public static Action<Object, string> RevertOverride = (target, path) => { };
        /// <summary>
        /// Fields of an object were changed by the user: by SerializedObject, by an undo step that was
        /// recorded, by undo or redo. before is null where that is not known.
        /// </summary>
        public static Action<Object, DataNode, DataNode> Changed = (target, before, after) => { };
        /// <summary>An object was destroyed for good or for undo; it is still readable.</summary>
        public static Action<Object> Destroyed = target => { };
        /// <summary>An object that was destroyed is back, with the id it had.</summary>
        public static Action<Object> Revived = target => { };
        /// <summary>Scripts' messages (Awake, OnValidate, Reset ...) run as in play mode.</summary>
        public static Func<bool> IsPlaying = () => false;
        /// <summary>Every assembly whose classes can be components: engine, packages, project.</summary>
        public static Func<IEnumerable<System.Reflection.Assembly>> Assemblies =
            () => AppDomain.CurrentDomain.GetAssemblies();
    }
}
