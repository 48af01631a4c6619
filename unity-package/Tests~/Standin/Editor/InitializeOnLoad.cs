using System;

namespace UnityEditor
{
    [AttributeUsage(AttributeTargets.Class)]
    public class InitializeOnLoadAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public class InitializeOnLoadMethodAttribute : Attribute { }

    [AttributeUsage(AttributeTargets.Method)]
    public class InitializeOnEnterPlayModeAttribute : Attribute { }
}

namespace UnityEditor.Callbacks
{
    public abstract class CallbackOrderAttribute : Attribute
    {
        protected int m_CallbackOrder;
        internal int Order { get { return m_CallbackOrder; } }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class DidReloadScripts : CallbackOrderAttribute
    {
        public DidReloadScripts() { m_CallbackOrder = 1; }
        public DidReloadScripts(int callbackOrder) { m_CallbackOrder = callbackOrder; }
    }
}
