using System;
using Standin;
using UnityEngine;

namespace UnityEditor
{
    /// <summary>A script file as an asset. A package script's class is known without its
    /// file.</summary>
    [NativeClass(115, "MonoScript")]
    public class MonoScript : TextAsset
    {
        [NonSerialized] internal Type scriptClass;

        public Type GetClass() { return scriptClass; }

        public static MonoScript FromMonoBehaviour(MonoBehaviour behaviour) { return Of(behaviour.GetType()); }

        public static MonoScript FromScriptableObject(ScriptableObject scriptableObject)
        {
            return Of(scriptableObject.GetType());
        }

        static MonoScript Of(Type type) { return ScriptTable.ScriptOf(type); }
    }
}
