using System;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Multiverse.Editor
{
    /// <summary>
    /// A component of a class that is not there yet, to check values against before anything is changed.
    /// <code>
    ///     using (var sample = new ComponentSample(type))
    ///         new FieldAssigner(sample.Serialized, paths).Read(fields);
    /// </code>
    /// The fields of the engine's classes can be seen on an object alone, and those of scripts are what
    /// Unity makes of them; so there is an object: hidden, in no scene, never saved, without undo, and
    /// not active, so that no Awake and no OnEnable runs, not even with [ExecuteAlways]. Unity calls the
    /// script's Reset and OnValidate, as it will once more for the real one. What the class requires is
    /// added to the hidden object and goes with it. It is made only if there are fields to check.
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
                Component made = owner.AddComponent(type);
                if (made == null)
                    throw new ToolError("ERR_INVALID_COMPONENT_TYPE",
                        FieldTypes.NameOf(type) + " is a class that Unity refuses to add: look at read_console");
                Serialized = new SerializedObject(made);
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
