using System;
using Standin;

namespace UnityEngine
{
    /// <summary>An asset of a script's class; serialized as a MonoBehaviour without a
    /// GameObject.</summary>
    [NativeClass(114, "MonoBehaviour", Abstract = true)]
    public class ScriptableObject : Object
    {
        [NativeHidden(Link = true)] internal GameObject m_GameObject;
        [NativeHidden, NativeType("UInt8")] internal bool m_Enabled = true;
        [NativeHidden] internal uint m_EditorHideFlags;
        [NativeType("PPtr<MonoScript>")] internal Object m_Script;
        [NativeHidden] internal string m_Name = "";
        [NativeHidden] internal string m_EditorClassIdentifier = "";

        internal override string StoredName { get { return m_Name; } set { m_Name = value; } }

        public static ScriptableObject CreateInstance(Type type)
        {
            if (type == null || !typeof(ScriptableObject).IsAssignableFrom(type) || type.IsAbstract)
                throw new ArgumentException("Type must inherit from ScriptableObject.", "type");
            var created = (ScriptableObject)Instances.New(type);
            created.m_Script = Hooks.ScriptOf(type);
            Messages.Send(created, "Awake");
            Messages.Send(created, "OnEnable");
            return created;
        }

        public static T CreateInstance<T>() where T : ScriptableObject { return (T)CreateInstance(typeof(T)); }
    }
}
