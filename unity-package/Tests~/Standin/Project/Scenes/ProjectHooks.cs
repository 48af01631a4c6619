using System;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>The project's side of <see cref="Hooks"/>.</summary>
    internal static class ProjectHooks
    {
        /// <summary>Called once, when the project's assemblies are loaded.</summary>
        public static void Install()
        {
            Hooks.ScriptOf = ScriptTable.ScriptOf;
            BuiltinReference.Find = AssetLoader.Find;
            Hooks.IsEditorOnly = IsEditorOnly;
            Hooks.IsPartOfPrefabInstance = target => (object)target.m_PrefabInstance != null;
            Hooks.IsAddedToPrefabInstance = IsAdded;
            Hooks.IsOverridden = OverrideFinder.IsOverridden;
        }

        static bool IsEditorOnly(Type type)
        {
            string name = type.Assembly.GetName().Name;
            if (name == "UnityEditor" || name == "Multiverse.Editor")
                return true;
            ScriptAssembly assembly = ScriptAssemblies.Find(name);
            return assembly != null && assembly.IsEditorOnly;
        }

        /// <summary>Whether an instance's component is not in the prefab.</summary>
        public static bool IsAdded(Object target)
        {
            var component = target as Component;
            return (object)component != null && (object)component.m_PrefabInstance == null
                && (object)component.m_GameObject != null && (object)component.m_GameObject.m_PrefabInstance != null;
        }
    }
}
