using Standin;

namespace UnityEngine
{
    [NativeClass(8, "Behaviour", Abstract = true)]
    public class Behaviour : Component
    {
        [NativeHidden, NativeType("UInt8")] internal bool m_Enabled = true;

        public bool enabled { get { return m_Enabled; } set { m_Enabled = value; } }
        public bool isActiveAndEnabled { get { return !isDestroyed && enabled && gameObject.activeInHierarchy; } }
    }
}
