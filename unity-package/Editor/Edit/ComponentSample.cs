using System;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Multiverse.Editor
{
    /// <summary>
    /// A hidden component of a class, to check values before anything is changed. It is needed
    /// because the fields of engine classes exist only on an object, and Unity decides the fields
    /// of scripts. It is in no scene, is never saved, has no undo, and is inactive, so that Awake
    /// and OnEnable do not run, not even with [ExecuteAlways]. Unity calls the script's Reset and
    /// OnValidate, and again for the real component. Required components are added to the hidden
    /// object too. Create it only if there are fields to check.
    /// <code>
    ///     using (var sample = new ComponentSample(type))
    ///         new FieldAssigner(sample.Serialized, paths).Read(fields);
    /// </code>
    /// </summary>
    public sealed class ComponentSample : IDisposable
    {
        readonly GameObject owner;

        public SerializedObject Serialized { get; private set; }

        public ComponentSample(Type type)
        {
            owner = EditorUtility.CreateGameObjectWithHideFlags("Multiverse", HideFlags.HideAndDontSave);
            try
            {
                owner.SetActive(false);
                Component created = owner.AddComponent(type);
                if (created == null)
                    throw new ToolError("ERR_INVALID_COMPONENT_TYPE",
                        FieldTypes.NameOf(type) + " is a class that Unity refuses to add: look at read_console");
                Serialized = new SerializedObject(created);
            }
            catch (Exception)
            {
                Dispose();
                throw;
            }
        }

        public void Dispose()
        {
            if (Serialized != null)
                Serialized.Dispose();
            if (owner != null)
                Object.DestroyImmediate(owner);
        }
    }
}
