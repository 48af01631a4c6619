using System;
using System.Collections;
using System.Collections.Generic;
using Standin;

namespace UnityEngine
{
#if UNITY_2022_3_OR_NEWER
    [NativeClass(4, "Transform"), SerializedVersion(2, "m_LocalRotation")]
#else
    [NativeClass(4, "Transform")]
#endif
    public class Transform : Component, IEnumerable
    {
        internal Quaternion m_LocalRotation = Quaternion.identity;
        internal Vector3 m_LocalPosition;
        internal Vector3 m_LocalScale = Vector3.one;
#if UNITY_2021_2_OR_NEWER
        [NativeHidden] internal bool m_ConstrainProportionsScale;
#endif
        [NativeHidden(Link = true)] internal List<Transform> m_Children = new List<Transform>();
        [NativeHidden(Link = true)] internal Transform m_Father;
#if !UNITY_2022_3_OR_NEWER
        /// <summary>Its index among the scene's roots or its siblings; updated when saving.</summary>
        [NativeHidden(Link = true)] internal int m_RootOrder;
#endif
        [NativeHidden] internal Vector3 m_LocalEulerAnglesHint;

        protected internal Transform() { }

        public Transform parent { get { return m_Father; } set { SetParent(value); } }
        public Transform root
        {
            get
            {
                Transform t = this;
                while ((object)t.m_Father != null)
                    t = t.m_Father;
                return t;
            }
        }
        public int childCount { get { return m_Children.Count; } }
        public int hierarchyCount
        {
            get
            {
                int count = 0;
                SceneTree.Visit(root, t => ++count > 0);
                return count;
            }
        }

        public Vector3 localPosition { get { return m_LocalPosition; } set { m_LocalPosition = value; } }
        public Quaternion localRotation { get { return m_LocalRotation; } set { m_LocalRotation = value; } }
        public Vector3 localScale { get { return m_LocalScale; } set { m_LocalScale = value; } }
        public Vector3 localEulerAngles
        {
            get { return m_LocalRotation.eulerAngles; }
            set { m_LocalRotation = Quaternion.Euler(value); }
        }
        public Vector3 position
        {
            get { return (object)m_Father == null ? m_LocalPosition : m_Father.TransformPoint(m_LocalPosition); }
            set { m_LocalPosition = (object)m_Father == null ? value : m_Father.InverseTransformPoint(value); }
        }
        public Quaternion rotation
        {
            get { return (object)m_Father == null ? m_LocalRotation : m_Father.rotation * m_LocalRotation; }
            set
            {
                m_LocalRotation = (object)m_Father == null ? value : Quaternion.Inverse(m_Father.rotation) * value;
            }
        }
        public Vector3 eulerAngles { get { return rotation.eulerAngles; } set { rotation = Quaternion.Euler(value); } }
        public Vector3 lossyScale
        {
            get { return (object)m_Father == null ? m_LocalScale : Vector3.Scale(m_Father.lossyScale, m_LocalScale); }
        }
        public Vector3 forward { get { return rotation * Vector3.forward; } }
        public Vector3 up { get { return rotation * Vector3.up; } }
        public Vector3 right { get { return rotation * Vector3.right; } }
        public Matrix4x4 localToWorldMatrix
        {
            get
            {
                Matrix4x4 own = Matrix4x4.TRS(m_LocalPosition, m_LocalRotation, m_LocalScale);
                return (object)m_Father == null ? own : m_Father.localToWorldMatrix * own;
            }
        }

        public Vector3 TransformPoint(Vector3 position) { return localToWorldMatrix.MultiplyPoint3x4(position); }
        public Vector3 TransformDirection(Vector3 direction) { return rotation * direction; }
        public Vector3 InverseTransformDirection(Vector3 direction) { return Quaternion.Inverse(rotation) * direction; }

        public Vector3 InverseTransformPoint(Vector3 position)
        {
            Vector3 p = (object)m_Father == null ? position : m_Father.InverseTransformPoint(position);
            p = Quaternion.Inverse(m_LocalRotation) * (p - m_LocalPosition);
            return new Vector3(Over(p.x, m_LocalScale.x), Over(p.y, m_LocalScale.y), Over(p.z, m_LocalScale.z));
        }

        static float Over(float a, float b) { return b == 0 ? 0 : a / b; }

        public void SetPositionAndRotation(Vector3 position, Quaternion rotation)
        {
            this.position = position;
            this.rotation = rotation;
        }

        public void Translate(Vector3 translation) { Translate(translation, Space.Self); }
        public void Translate(float x, float y, float z) { Translate(new Vector3(x, y, z)); }
        public void Translate(Vector3 translation, Space relativeTo)
        {
            position += relativeTo == Space.World ? translation : TransformDirection(translation);
        }
        public void Rotate(Vector3 eulers) { Rotate(eulers, Space.Self); }
        public void Rotate(float xAngle, float yAngle, float zAngle) { Rotate(new Vector3(xAngle, yAngle, zAngle)); }
        public void Rotate(Vector3 eulers, Space relativeTo)
        {
            Quaternion turn = Quaternion.Euler(eulers);
            if (relativeTo == Space.Self)
                localRotation = localRotation * turn;
            else
                rotation = turn * rotation;
        }
        public void LookAt(Transform target) { LookAt(target.position); }
        public void LookAt(Vector3 worldPosition) { rotation = Quaternion.LookRotation(worldPosition - position); }

        public void SetParent(Transform parent) { SetParent(parent, true); }

        public void SetParent(Transform parent, bool worldPositionStays)
        {
            Check();
            SceneTree.SetParent(this, parent, worldPositionStays);
        }

        public void DetachChildren()
        {
            foreach (Transform child in m_Children.ToArray())
                child.SetParent(null);
        }

        public Transform GetChild(int index)
        {
            if (index < 0 || index >= m_Children.Count)
                throw new UnityException("Transform child out of bounds");
            return m_Children[index];
        }

        public int GetSiblingIndex() { return SceneTree.SiblingsOf(this).IndexOf(this); }
        public void SetSiblingIndex(int index) { SceneTree.Move(this, index); }
        public void SetAsFirstSibling() { SetSiblingIndex(0); }
        public void SetAsLastSibling() { SetSiblingIndex(int.MaxValue); }

        public bool IsChildOf(Transform parent)
        {
            for (Transform t = this; (object)t != null; t = t.m_Father)
                if (ReferenceEquals(t, parent))
                    return true;
            return false;
        }

        /// <summary>Find a child by name, or a descendant by names with slashes; ".." is the
        /// parent.</summary>
        public Transform Find(string n)
        {
            if (n == null)
                throw new ArgumentNullException("n", "Name cannot be null");
            Transform at = this;
            foreach (string part in n.Split('/'))
            {
                if (part == "..")
                    at = at.m_Father;
                else
                    at = at.m_Children.Find(child => child.m_GameObject.m_Name == part);
                if ((object)at == null)
                    return null;
            }
            return at;
        }

        public IEnumerator GetEnumerator() { return m_Children.GetEnumerator(); }
    }
}
