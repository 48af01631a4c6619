using System;
using System.Collections.Generic;
using UnityEngine.Serialization;

namespace UnityEngine.Events
{
    [Serializable]
    public enum PersistentListenerMode { EventDefined, Void, Object, Int, Float, String, Bool }

    public enum UnityEventCallState { Off = 0, EditorAndRuntime = 1, RuntimeOnly = 2 }

    [Serializable]
    internal sealed class ArgumentCache
    {
        [FormerlySerializedAs("objectArgument"), SerializeField] internal Object m_ObjectArgument;
        [FormerlySerializedAs("objectArgumentAssemblyTypeName"), SerializeField]
        internal string m_ObjectArgumentAssemblyTypeName;
        [FormerlySerializedAs("intArgument"), SerializeField] internal int m_IntArgument;
        [FormerlySerializedAs("floatArgument"), SerializeField] internal float m_FloatArgument;
        [FormerlySerializedAs("stringArgument"), SerializeField] internal string m_StringArgument;
        [SerializeField] internal bool m_BoolArgument;
    }

    [Serializable]
    internal sealed class PersistentCall
    {
        [FormerlySerializedAs("instance"), SerializeField] internal Object m_Target;
#if UNITY_2020_2_OR_NEWER
        [SerializeField] internal string m_TargetAssemblyTypeName;
#endif
        [FormerlySerializedAs("methodName"), SerializeField] internal string m_MethodName;
        [FormerlySerializedAs("mode"), SerializeField] internal PersistentListenerMode m_Mode;
        [FormerlySerializedAs("arguments"), SerializeField] internal ArgumentCache m_Arguments = new ArgumentCache();
        [FormerlySerializedAs("enabled"), FormerlySerializedAs("m_Enabled"), SerializeField]
        internal UnityEventCallState m_CallState = UnityEventCallState.RuntimeOnly;
    }

    [Serializable]
    internal sealed class PersistentCallGroup
    {
        [FormerlySerializedAs("m_Listeners"), SerializeField]
        internal List<PersistentCall> m_Calls = new List<PersistentCall>();
    }
}
