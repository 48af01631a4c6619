using System;

namespace UnityEngine.Events
{
    public delegate void UnityAction();
    public delegate void UnityAction<T0>(T0 arg0);
    public delegate void UnityAction<T0, T1>(T0 arg0, T1 arg1);
    public delegate void UnityAction<T0, T1, T2>(T0 arg0, T1 arg1, T2 arg2);
    public delegate void UnityAction<T0, T1, T2, T3>(T0 arg0, T1 arg1, T2 arg2, T3 arg3);

    [Serializable]
    public class UnityEvent : UnityEventBase
    {
        public void AddListener(UnityAction call) { Add(call); }
        public void RemoveListener(UnityAction call) { Remove(call); }
        public void Invoke() { InvokeAll(new object[0]); }
    }

    [Serializable]
    public class UnityEvent<T0> : UnityEventBase
    {
        public void AddListener(UnityAction<T0> call) { Add(call); }
        public void RemoveListener(UnityAction<T0> call) { Remove(call); }
        public void Invoke(T0 arg0) { InvokeAll(new object[] { arg0 }); }
    }

    [Serializable]
    public class UnityEvent<T0, T1> : UnityEventBase
    {
        public void AddListener(UnityAction<T0, T1> call) { Add(call); }
        public void RemoveListener(UnityAction<T0, T1> call) { Remove(call); }
        public void Invoke(T0 arg0, T1 arg1) { InvokeAll(new object[] { arg0, arg1 }); }
    }

    [Serializable]
    public class UnityEvent<T0, T1, T2> : UnityEventBase
    {
        public void AddListener(UnityAction<T0, T1, T2> call) { Add(call); }
        public void RemoveListener(UnityAction<T0, T1, T2> call) { Remove(call); }
        public void Invoke(T0 arg0, T1 arg1, T2 arg2) { InvokeAll(new object[] { arg0, arg1, arg2 }); }
    }

    [Serializable]
    public class UnityEvent<T0, T1, T2, T3> : UnityEventBase
    {
        public void AddListener(UnityAction<T0, T1, T2, T3> call) { Add(call); }
        public void RemoveListener(UnityAction<T0, T1, T2, T3> call) { Remove(call); }
        public void Invoke(T0 arg0, T1 arg1, T2 arg2, T3 arg3) { InvokeAll(new object[] { arg0, arg1, arg2, arg3 }); }
    }
}
