using System;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>What UnityEngine.dll asks of the project's side: see <see cref="Hooks"/>.</summary>
    internal static class ProjectHooks
    {
        /// <summary>Once, when the project's assemblies are loaded.</summary>
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

        /// <summary>A component on an object of an instance that the prefab does not have.</summary>
        public static bool IsAdded(Object target)
        {
            var component = target as Component;
            return (object)component != null && (object)component.m_PrefabInstance == null
                && (object)component.m_GameObject != null && (object)component.m_GameObject.m_PrefabInstance != null;
        }
    }
}
