using System;
using System.Collections.Generic;
using System.Reflection;
using UnityEngine.Serialization;

namespace UnityEngine.Events
{
    /// <summary>
    /// An event whose listeners are stored in the scene (m_PersistentCalls) or added by scripts.
    /// Persistent listeners run only in play mode, unless their state allows more.
    /// </summary>
    [Serializable]
    public abstract class UnityEventBase
    {
        [FormerlySerializedAs("m_PersistentListeners"), SerializeField]
        internal PersistentCallGroup m_PersistentCalls = new PersistentCallGroup();
        [NonSerialized] readonly List<Delegate> listeners = new List<Delegate>();

        public int GetPersistentEventCount() { return m_PersistentCalls.m_Calls.Count; }
        public Object GetPersistentTarget(int index) { return m_PersistentCalls.m_Calls[index].m_Target; }
        public string GetPersistentMethodName(int index) { return m_PersistentCalls.m_Calls[index].m_MethodName ?? ""; }

        public void SetPersistentListenerState(int index, UnityEventCallState state)
        {
            m_PersistentCalls.m_Calls[index].m_CallState = state;
        }

        public void RemoveAllListeners() { listeners.Clear(); }

        protected void Add(Delegate call) { listeners.Add(call); }
        protected void Remove(Delegate call) { listeners.Remove(call); }

        protected void InvokeAll(object[] arguments)
        {
            foreach (PersistentCall call in m_PersistentCalls.m_Calls.ToArray())
                if (call.m_CallState == UnityEventCallState.EditorAndRuntime
                    || (call.m_CallState == UnityEventCallState.RuntimeOnly && Standin.Hooks.IsPlaying()))
                    Invoke(call, arguments);
            foreach (Delegate listener in listeners.ToArray())
                listener.DynamicInvoke(arguments);
        }

        static void Invoke(PersistentCall call, object[] arguments)
        {
            if (call.m_Target == null || string.IsNullOrEmpty(call.m_MethodName))
                return;
            object[] given = ArgumentsOf(call, arguments);
            MethodInfo method = call.m_Target.GetType().GetMethod(
                call.m_MethodName, BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic, null,
                Array.ConvertAll(given, value => value == null ? typeof(Object) : value.GetType()), null);
            if (method != null)
                method.Invoke(call.m_Target, given);
        }

        static object[] ArgumentsOf(PersistentCall call, object[] arguments)
        {
            ArgumentCache cache = call.m_Arguments ?? new ArgumentCache();
            switch (call.m_Mode)
            {
                case PersistentListenerMode.Object: return new object[] { cache.m_ObjectArgument };
                case PersistentListenerMode.Int: return new object[] { cache.m_IntArgument };
                case PersistentListenerMode.Float: return new object[] { cache.m_FloatArgument };
                case PersistentListenerMode.String: return new object[] { cache.m_StringArgument };
                case PersistentListenerMode.Bool: return new object[] { cache.m_BoolArgument };
                case PersistentListenerMode.Void: return new object[0];
                default: return arguments;
            }
        }
    }
}
