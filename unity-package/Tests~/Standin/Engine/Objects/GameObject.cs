using System;
using System.Collections.Generic;
using Standin;
using UnityEngine.SceneManagement;

namespace UnityEngine
{
    /// <summary>
    /// A GameObject. Its components are in m_Component, Transform first; the public methods return
    /// null for a missing script.
    /// </summary>
    [NativeClass(1, "GameObject"), SerializedVersion(6, "m_Component")]
    public sealed class GameObject : Object
    {
        [NativeHidden(Link = true)] internal List<ComponentPair> m_Component = new List<ComponentPair>();
        [NativeType("unsigned int")] internal int m_Layer;
        internal string m_Name = "";
        internal string m_TagString = "Untagged";
        [NativeType("PPtr<Texture2D>")] internal Object m_Icon;
        [NativeHidden] internal uint m_NavMeshLayer;
        internal uint m_StaticEditorFlags;
        internal bool m_IsActive = true;
        /// <summary>null: part of an asset, or of no scene.</summary>
        [NonSerialized] internal SceneData sceneData;

        public GameObject() : this("New Game Object") { }

        public GameObject(string name)
        {
            m_Name = name ?? "";
            ComponentAdding.Attach(this, new Transform());
            SceneTree.AddRoot(SceneData.ActiveOrNew(), transform);
        }

        public GameObject(string name, params Type[] components) : this(name)
        {
            foreach (Type type in components)
                AddComponent(type);
        }

        GameObject(Bare bare) { }

        sealed class Bare { }

        /// <summary>Create one without a Transform and scene, for file readers.</summary>
        internal static GameObject Empty() { return new GameObject((Bare)null); }

        internal override string StoredName { get { return m_Name; } set { m_Name = value; } }

        internal override void AfterRead() { Destruction.DropUnlisted(this); }

        public Transform transform
        {
            get
            {
                Check();
                return m_Component.Count == 0 ? null : m_Component[0].component as Transform;
            }
        }

        public GameObject gameObject { get { return this; } }
        public int layer
        {
            get { return m_Layer; }
            set
            {
                if (value < 0 || value > 31)
                    Debug.LogError(
                        "A game object can only be in one layer. The layer needs to be in the range [0...31]");
                else
                    m_Layer = value;
            }
        }
        public string tag { get { return m_TagString; } set { m_TagString = value; } }
        public bool isStatic
        {
            get { return m_StaticEditorFlags != 0; }
            set { m_StaticEditorFlags = value ? 0x7fffffffu : 0; }
        }
        public bool activeSelf
        {
            get
            {
                Check();
                return m_IsActive;
            }
        }
        public bool activeInHierarchy
        {
            get
            {
                for (Transform t = transform; (object)t != null; t = t.m_Father)
                    if (!t.m_GameObject.m_IsActive)
                        return false;
                return sceneData != null;
            }
        }
        public Scene scene { get { return sceneData == null ? new Scene() : sceneData.Scene; } }

        public void SetActive(bool value)
        {
            Check();
            m_IsActive = value;
            EditorEvents.HierarchyChanged();
        }

        public bool CompareTag(string tag) { return m_TagString == tag; }

        /// <summary>
        /// Add a component after the components it requires. Return null if Unity refuses; the
        /// console has the reason.
        /// </summary>
        public Component AddComponent(Type componentType)
        {
            Check();
            return ComponentAdding.Add(this, componentType);
        }

        public T AddComponent<T>() where T : Component { return (T)AddComponent(typeof(T)); }

        public Component GetComponent(Type type)
        {
            Check();
            foreach (ComponentPair pair in m_Component)
                if (IsA(pair.component, type))
                    return pair.component;
            return null;
        }

        public Component GetComponent(string type)
        {
            Check();
            foreach (ComponentPair pair in m_Component)
                if (IsA(pair.component, typeof(Component))
                    && (pair.component.GetType().Name == type || pair.component.GetType().FullName == type))
                    return pair.component;
            return null;
        }

        /* A missing script or an empty entry matches no type. */
        internal static bool IsA(Component component, Type type)
        {
            return (object)component != null && !component.isDestroyed && !(component is MissingScript)
                && type.IsInstanceOfType(component);
        }

        public T GetComponent<T>() { return (T)(object)GetComponent(typeof(T)); }

        public bool TryGetComponent<T>(out T component)
        {
            Component found = GetComponent(typeof(T));
            component = (T)(object)found;
            return (object)found != null;
        }

        public bool TryGetComponent(Type type, out Component component)
        {
            component = GetComponent(type);
            return (object)component != null;
        }

        public Component[] GetComponents(Type type)
        {
            var results = new List<Component>();
            GetComponents(type, results);
            return results.ToArray();
        }

        /// <summary>A missing script is included as null for Component, MonoBehaviour and similar
        /// types.</summary>
        public void GetComponents(Type type, List<Component> results)
        {
            Check();
            results.Clear();
            foreach (ComponentPair pair in m_Component)
            {
                if (IsA(pair.component, type))
                    results.Add(pair.component);
                else if (type.IsAssignableFrom(typeof(MonoBehaviour)) && IsMissing(pair.component))
                    results.Add(null);
            }
        }

        internal static bool IsMissing(Component component)
        {
            return (object)component == null || component.isDestroyed || component is MissingScript;
        }

        public T[] GetComponents<T>()
        {
            var results = new List<T>();
            GetComponents(results);
            return results.ToArray();
        }

        public void GetComponents<T>(List<T> results)
        {
            Check();
            results.Clear();
            bool withMissing = typeof(T).IsAssignableFrom(typeof(MonoBehaviour)) && typeof(T).IsClass;
            for (int i = 0; i < m_Component.Count; i++)
            {
                Component component = m_Component[i].component;
                if (IsA(component, typeof(T)))
                    results.Add((T)(object)component);
                else if (withMissing && IsMissing(component))
                    results.Add(default(T));
            }
        }

        public Component GetComponentInChildren(Type type) { return GetComponentInChildren(type, false); }
        public Component GetComponentInChildren(Type type, bool includeInactive)
        {
            Component[] found = GetComponentsInChildren(type, includeInactive);
            return found.Length > 0 ? found[0] : null;
        }
        public T GetComponentInChildren<T>() { return GetComponentInChildren<T>(false); }
        public T GetComponentInChildren<T>(bool includeInactive)
        {
            return (T)(object)GetComponentInChildren(typeof(T), includeInactive);
        }

        public Component[] GetComponentsInChildren(Type type) { return GetComponentsInChildren(type, false); }
        public Component[] GetComponentsInChildren(Type type, bool includeInactive)
        {
            var results = new List<Component>();
            SceneTree.Visit(transform, t =>
            {
                if (!includeInactive && !t.m_GameObject.activeInHierarchy)
                    return false;
                foreach (ComponentPair pair in t.m_GameObject.m_Component)
                    if (IsA(pair.component, type))
                        results.Add(pair.component);
                return true;
            });
            return results.ToArray();
        }
        public T[] GetComponentsInChildren<T>() { return GetComponentsInChildren<T>(false); }
        public T[] GetComponentsInChildren<T>(bool includeInactive)
        {
            return Array.ConvertAll(GetComponentsInChildren(typeof(T), includeInactive), c => (T)(object)c);
        }

        public Component GetComponentInParent(Type type)
        {
            for (Transform t = transform; (object)t != null; t = t.m_Father)
            {
                Component found = t.m_GameObject.GetComponent(type);
                if (found != null && t.m_GameObject.activeInHierarchy)
                    return found;
            }
            return null;
        }
        public T GetComponentInParent<T>() { return (T)(object)GetComponentInParent(typeof(T)); }

        public T[] GetComponentsInParent<T>()
        {
            var results = new List<T>();
            for (Transform t = transform; (object)t != null; t = t.m_Father)
                results.AddRange(t.m_GameObject.GetComponents<T>());
            return results.ToArray();
        }

        public void SendMessage(string methodName) { SendMessage(methodName, SendMessageOptions.RequireReceiver); }

        public void SendMessage(string methodName, SendMessageOptions options)
        {
            bool isTaken = false;
            foreach (MonoBehaviour script in GetComponents<MonoBehaviour>())
                isTaken |= script != null && Messages.Send(script, methodName);
            if (!isTaken && options == SendMessageOptions.RequireReceiver)
                Debug.LogError("SendMessage " + methodName + " has no receiver!", this);
        }

        /// <summary>Return the first active object with this name, or at a path; "/Root/Child" starts
        /// at the roots.</summary>
        public static GameObject Find(string name) { return SceneSearch.Find(name); }
        public static GameObject FindWithTag(string tag) { return SceneSearch.FindWithTag(tag); }
        public static GameObject FindGameObjectWithTag(string tag) { return FindWithTag(tag); }
        public static GameObject[] FindGameObjectsWithTag(string tag) { return SceneSearch.AllWithTag(tag); }
    }
}
