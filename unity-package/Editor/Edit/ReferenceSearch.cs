using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Multiverse.Editor
{
    /// <summary>
    /// Finds and clears the references to a component in its scene, including the scene's lighting.
    /// Otherwise they would show "Missing" until the scene is saved and reopened. Values that an
    /// instance inherits from its prefab are not part of the scene and stay. Each class without a
    /// property that could hold such a reference is checked only once.
    /// <code>
    ///     var search = new ReferenceSearch(component);
    ///     foreach (Pause pause in search.Run())
    ///         yield return pause;
    ///     int cleared = search.Clear();       // inside of an undo group
    /// </code>
    /// </summary>
    public sealed class ReferenceSearch
    {
        const int PerStep = 64; /* components between two pauses */
        const int MaxManagedDepth = 16;

        readonly Component target;
        readonly HashSet<long> seen = new HashSet<long>(); /* visited managed references of one component */
        readonly HashSet<string> names = new HashSet<string>(StringComparer.Ordinal);
        readonly Dictionary<Type, bool> canRefer = new Dictionary<Type, bool>();
        readonly List<KeyValuePair<Object, string>> found = new List<KeyValuePair<Object, string>>();

        public ReferenceSearch(Component target)
        {
            this.target = target;
            for (Type t = target.GetType(); t != null && t != typeof(object); t = t.BaseType)
                names.Add(t.Name);
        }

        public IEnumerable<Pause> Run()
        {
            var components = new List<Component>();
            foreach (GameObject root in target.gameObject.scene.GetRootGameObjects())
                components.AddRange(root.GetComponentsInChildren<Component>(true));
            for (int i = 0; i < components.Count; i++)
            {
                if (i % PerStep == PerStep - 1)
                    yield return Pause.Step;
                Component c = components[i];
                if (c != null && target != null && c != target && CanRefer(c))
                    FindIn(c);
            }
            /* The sun of a scene's lighting is a Light. */
            if (target is Light)
                foreach (RenderSettings settings in Resources.FindObjectsOfTypeAll<RenderSettings>())
                    FindIn(settings);
        }

        /* Transforms refer only to Transforms and GameObjects. */
        bool CanRefer(Component c)
        {
            bool can;
            Type type = c.GetType();
            if (c is Transform)
                return false;
            if (canRefer.TryGetValue(type, out can))
                return can;
            can = c is MonoBehaviour || HasPlace(c);
            canRefer.Add(type, can);
            return can;
        }

        /* All objects of an engine class have the same properties. The element type of an empty
           array is visible only if it is a reference. */
        bool HasPlace(Component c)
        {
            using (var serialized = new SerializedObject(c))
            {
                SerializedProperty p = serialized.GetIterator();
                for (bool more = p.Next(true); more; more = p.Next(p.propertyType == SerializedPropertyType.Generic))
                    if (IsOwn(p) && (IsPlace(p.propertyType, p.type) || IsOpen(p)))
                        return true;
                return false;
            }
        }

        static bool IsOwn(SerializedProperty p) { return p.depth > 0 || p.name != "m_GameObject"; }

        /* "PPtr<Rigidbody>"; in scripts "PPtr<$Rigidbody>". */
        bool IsPlace(SerializedPropertyType kind, string type)
        {
            if (kind != SerializedPropertyType.ObjectReference)
                return false;
            if (!type.StartsWith("PPtr<", StringComparison.Ordinal))
                return true;
            return names.Contains(type.Substring(5, type.Length - 6).TrimStart('$'));
        }

        bool IsOpen(SerializedProperty p)
        {
            if (!p.isArray || p.propertyType == SerializedPropertyType.String || p.arraySize > 0)
                return false;
            string element = p.arrayElementType;
            return element.StartsWith("PPtr<", StringComparison.Ordinal)
                ? names.Contains(element.Substring(5, element.Length - 6).TrimStart('$'))
                : !IsNumber(element);
        }

        static bool IsNumber(string type)
        {
            switch (type)
            {
                case "int": case "unsigned int": case "float": case "double": case "bool": case "UInt8": case "SInt8":
                case "UInt16": case "SInt16": case "UInt64": case "SInt64": case "string": case "char": return true;
                default: return false;
            }
        }

        void FindIn(Object holder)
        {
            bool isInstance = PrefabUtility.IsPartOfPrefabInstance(holder);
            seen.Clear();
            using (var serialized = new SerializedObject(holder))
            {
                SerializedProperty p = serialized.GetIterator();
                for (bool more = p.Next(true); more; more = p.Next(HasInside(p)))
                    if (p.propertyType == SerializedPropertyType.ObjectReference && p.objectReferenceValue == target &&
                        (!isInstance || p.prefabOverride))
                        found.Add(new KeyValuePair<Object, string>(holder, p.propertyPath));
            }
        }

        /* Skip strings, which Unity treats as arrays, and curves, which hold no references.
           [SerializeReference] objects may form a cycle, which Unity would follow forever. */
        bool HasInside(SerializedProperty p)
        {
            if (p.propertyType != SerializedPropertyType.ManagedReference)
                return p.propertyType == SerializedPropertyType.Generic &&
                       (p.depth > 0 || p.type != "ManagedReferencesRegistry"); /* repeats the same values */
            long id;
            return p.depth < MaxManagedDepth && (!Compat.TryManagedId(p, out id) || seen.Add(id));
        }

        /// <summary>Clear the references that still exist and return their number.</summary>
        public int Clear()
        {
            int count = 0;
            for (int i = 0; i < found.Count; )
            {
                Object holder = found[i].Key;
                if (holder == null)
                {
                    i++;
                    continue;
                }
                using (var serialized = new SerializedObject(holder))
                {
                    for (; i < found.Count && found[i].Key == holder; i++)
                        count += ClearOne(serialized.FindProperty(found[i].Value)) ? 1 : 0;
                    serialized.ApplyModifiedProperties();
                }
                PrefabUtility.RecordPrefabInstancePropertyModifications(holder);
            }
            return count;
        }

        bool ClearOne(SerializedProperty p)
        {
            if (p == null || p.propertyType != SerializedPropertyType.ObjectReference ||
                p.objectReferenceValue != target)
                return false;
            p.objectReferenceValue = null;
            return true;
        }
    }
}
