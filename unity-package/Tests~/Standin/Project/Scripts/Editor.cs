using System;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    /// <summary>Declares the editor class for an inspected type:
    /// [CustomEditor(typeof(Enemy))].</summary>
    [AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
    public class CustomEditor : Attribute
    {
        public CustomEditor(Type inspectedType) : this(inspectedType, false) { }

        public CustomEditor(Type inspectedType, bool editorForChildClasses)
        {
            if (inspectedType == null)
                Debug.LogError("Failed to load CustomEditor inspected type");
        }

        public bool isFallback { get; set; }
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CanEditMultipleObjects : Attribute
    {
    }

    /// <summary>
    /// The inspector of an object. The stand-in shows none, but projects derive classes from it
    /// that must compile.
    /// </summary>
    public class Editor : ScriptableObject
    {
        [NonSerialized] Object[] inspected = new Object[0];
        [NonSerialized] SerializedObject data;

        public Object target { get { return inspected.Length == 0 ? null : inspected[0]; } }
        public Object[] targets { get { return inspected; } }
        public SerializedObject serializedObject { get { return data ?? (data = new SerializedObject(inspected)); } }

        public static Editor CreateEditor(Object targetObject, Type editorType)
        {
            var created = (Editor)CreateInstance(editorType ?? typeof(Editor));
            created.inspected = new[] { targetObject };
            return created;
        }

        public virtual void OnInspectorGUI() { DrawDefaultInspector(); }
        public virtual bool RequiresConstantRepaint() { return false; }
        public bool DrawDefaultInspector() { return false; }
        public void Repaint() { }
    }

    /// <summary>Draws a field; projects derive classes from it.</summary>
    public abstract class PropertyDrawer
    {
        public PropertyAttribute attribute { get { return null; } }
        public System.Reflection.FieldInfo fieldInfo { get { return null; } }

        public virtual void OnGUI(Rect position, SerializedProperty property, GUIContent label) { }
        public virtual float GetPropertyHeight(SerializedProperty property, GUIContent label) { return 18; }
    }

    [AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
    public sealed class CustomPropertyDrawer : Attribute
    {
        public CustomPropertyDrawer(Type type) { }
        public CustomPropertyDrawer(Type type, bool useForChildren) { }
    }
}
