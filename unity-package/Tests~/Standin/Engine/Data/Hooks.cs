using System;
using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// The functions of the editor's side that UnityEngine.dll calls; set once when the editor
    /// starts. The defaults behave as without a project, which suffices for tests of the engine
    /// alone.
    /// </summary>
    internal static class Hooks
    {
        /// <summary>Return the MonoScript of a class, or null.</summary>
        public static Func<Type, Object> ScriptOf = type => null;
        /// <summary>Whether the class is of an editor assembly, so it cannot be added to a
        /// GameObject.</summary>
        public static Func<Type, bool> IsEditorOnly = type => false;
        /// <summary>Whether the object, or what it was instantiated from, is part of a
        /// prefab.</summary>
        public static Func<Object, bool> IsPartOfPrefabInstance = target => false;
        /// <summary>Whether it was added to an instance in the scene and is not in the
        /// prefab.</summary>
        public static Func<Object, bool> IsAddedToPrefabInstance = target => false;
        /// <summary>Whether a field of an instance differs from the prefab.</summary>
        public static Func<Object, string, bool> IsOverridden = (target, path) => false;
        /// <summary>Reset a field of an instance to the prefab's value.</summary>
        public static Action<Object, string> RevertOverride = (target, path) => { };
        /// <summary>
        /// The user changed an object's fields: by SerializedObject, a recorded undo step, undo or
        /// redo. before is null if unknown.
        /// </summary>
        public static Action<Object, DataNode, DataNode> Changed = (target, before, after) => { };
        /// <summary>An object was destroyed, perhaps undoably; its fields are still readable.</summary>
        public static Action<Object> Destroyed = target => { };
        /// <summary>A destroyed object was restored, with its old id.</summary>
        public static Action<Object> Revived = target => { };
        /// <summary>Whether scripts' messages (Awake, OnValidate, Reset and others) run as in play
        /// mode.</summary>
        public static Func<bool> IsPlaying = () => false;
        /// <summary>All assemblies whose classes can be components: engine, packages,
        /// project.</summary>
        public static Func<IEnumerable<System.Reflection.Assembly>> Assemblies =
            () => AppDomain.CurrentDomain.GetAssemblies();
    }
}
