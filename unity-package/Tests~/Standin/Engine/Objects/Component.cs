using System;
using System.Collections.Generic;
using Standin;

namespace UnityEngine
{
    [NativeClass(2, "Component", Abstract = true, Multiple = true)]
    public class Component : Object
    {
        [NativeHidden(Link = true)] internal GameObject m_GameObject;

        internal override string StoredName
        {
            get { return (object)m_GameObject == null ? "" : m_GameObject.m_Name; }
            set
            {
                if ((object)m_GameObject != null)
                    m_GameObject.m_Name = value;
            }
        }

        public GameObject gameObject
        {
            get
            {
                Check();
                return m_GameObject;
            }
        }

        public Transform transform { get { return gameObject.transform; } }
        public string tag { get { return gameObject.tag; } set { gameObject.tag = value; } }

        public bool CompareTag(string tag) { return gameObject.CompareTag(tag); }
        public Component GetComponent(Type type) { return gameObject.GetComponent(type); }
        public Component GetComponent(string type) { return gameObject.GetComponent(type); }
        public T GetComponent<T>() { return gameObject.GetComponent<T>(); }
        public bool TryGetComponent<T>(out T component) { return gameObject.TryGetComponent(out component); }
        public bool TryGetComponent(Type type, out Component component)
        {
            return gameObject.TryGetComponent(type, out component);
        }
        public Component[] GetComponents(Type type) { return gameObject.GetComponents(type); }
        public T[] GetComponents<T>() { return gameObject.GetComponents<T>(); }
        public void GetComponents(Type type, List<Component> results) { gameObject.GetComponents(type, results); }
        public void GetComponents<T>(List<T> results) { gameObject.GetComponents(results); }
        public T GetComponentInChildren<T>() { return gameObject.GetComponentInChildren<T>(); }
        public T GetComponentInChildren<T>(bool includeInactive)
        {
            return gameObject.GetComponentInChildren<T>(includeInactive);
        }
        public Component GetComponentInChildren(Type t) { return gameObject.GetComponentInChildren(t); }
        public T[] GetComponentsInChildren<T>() { return gameObject.GetComponentsInChildren<T>(); }
        public T[] GetComponentsInChildren<T>(bool includeInactive)
        {
            return gameObject.GetComponentsInChildren<T>(includeInactive);
        }
        public T GetComponentInParent<T>() { return gameObject.GetComponentInParent<T>(); }
        public Component GetComponentInParent(Type t) { return gameObject.GetComponentInParent(t); }
        public T[] GetComponentsInParent<T>() { return gameObject.GetComponentsInParent<T>(); }

        public void SendMessage(string methodName) { gameObject.SendMessage(methodName); }
        public void SendMessage(string methodName, SendMessageOptions options)
        {
            gameObject.SendMessage(methodName, options);
        }
    }
}
