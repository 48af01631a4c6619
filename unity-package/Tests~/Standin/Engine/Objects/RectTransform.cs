using System;
using Standin;

namespace UnityEngine
{
    [NativeClass(224, "RectTransform")]
    public sealed class RectTransform : Transform
    {
        internal Vector2 m_AnchorMin = new Vector2(0.5f, 0.5f);
        internal Vector2 m_AnchorMax = new Vector2(0.5f, 0.5f);
        internal Vector2 m_AnchoredPosition;
        internal Vector2 m_SizeDelta = new Vector2(100, 100);
        internal Vector2 m_Pivot = new Vector2(0.5f, 0.5f);

        public Vector2 anchorMin { get { return m_AnchorMin; } set { m_AnchorMin = value; } }
        public Vector2 anchorMax { get { return m_AnchorMax; } set { m_AnchorMax = value; } }
        public Vector2 anchoredPosition { get { return m_AnchoredPosition; } set { m_AnchoredPosition = value; } }
        public Vector2 sizeDelta { get { return m_SizeDelta; } set { m_SizeDelta = value; } }
        public Vector2 pivot { get { return m_Pivot; } set { m_Pivot = value; } }
        public Rect rect
        {
            get
            {
                var above = m_Father as RectTransform;
                Vector2 size = m_SizeDelta;
                if ((object)above != null)
                    size += Vector2.Scale(above.rect.size, m_AnchorMax - m_AnchorMin);
                return new Rect(-Vector2.Scale(size, m_Pivot), size);
            }
        }

        /// <summary>
        /// Create a replacement for a Transform with its values; x and y become the anchored
        /// position.
        /// </summary>
        internal static RectTransform InPlaceOf(Transform old)
        {
            var created = new RectTransform
            {
                m_ObjectHideFlags = old.m_ObjectHideFlags, m_LocalRotation = old.m_LocalRotation,
                m_LocalScale = old.m_LocalScale, m_LocalEulerAnglesHint = old.m_LocalEulerAnglesHint,
                m_LocalPosition = new Vector3(0, 0, old.m_LocalPosition.z),
                m_AnchoredPosition = new Vector2(old.m_LocalPosition.x, old.m_LocalPosition.y),
                localFileId = old.localFileId, document = old.document
            };
            created.Replace(old);
            return created;
        }

        /// <summary>Replace the other Transform in the tree; undo uses it in both directions.</summary>
        internal void Replace(Transform old) { SceneTree.Replace(old, this); }
    }
}
