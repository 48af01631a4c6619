using System;
using System.IO;
using UnityEditor;
using UnityEditor.Compilation;
using UnityEngine;
using Assembly = UnityEditor.Compilation.Assembly;

namespace Multiverse.Editor
{
    /// <summary>
    /// Information about a class from the project's assemblies and script files.
    /// <code>
    ///     ScriptClasses.IsEditorOnly(type)     // in an Editor folder, or in an assembly for the editor
    ///     ScriptClasses.HasFile(type)          // false: Unity could not save a component of it
    /// </code>
    /// </summary>
    public static class ScriptClasses
    {
        public static bool IsEditorOnly(Type type)
        {
            Assembly assembly = IsOfEditor(type) ? null : AssemblyOf(type);
            return IsOfEditor(type) || (assembly != null && (assembly.flags & AssemblyFlags.EditorAssembly) != 0);
        }

        /// <summary>Whether it is, or derives from, one of the editor's classes.</summary>
        public static bool IsOfEditor(Type type)
        {
            for (; type != null; type = type.BaseType)
                if (type.Assembly.GetName().Name.StartsWith("UnityEditor", StringComparison.Ordinal))
                    return true;
            return false;
        }

        /// <summary>
        /// Whether a script file defines this class, usually one with the class's name. Otherwise
        /// its components would become missing scripts when the scene is reopened. True for classes
        /// that are not compiled from the project's scripts.
        /// </summary>
        public static bool HasFile(Type type)
        {
            Assembly assembly = AssemblyOf(type);
            if (assembly == null)
                return true;
            foreach (string path in assembly.sourceFiles)
                if (Path.GetFileNameWithoutExtension(path) == type.Name && IsFileOf(path, type))
                    return true;
            /* Newer editors also accept other file names; Unity decides. */
            foreach (string path in assembly.sourceFiles)
                if (IsFileOf(path, type))
                    return true;
            return false;
        }

        internal static bool IsFileOf(string path, Type type)
        {
            var script = AssetDatabase.LoadAssetAtPath<MonoScript>(path);
            return script != null && script.GetClass() == type;
        }

        /* null: not compiled from scripts. */
        static Assembly AssemblyOf(Type type)
        {
            if (!typeof(MonoBehaviour).IsAssignableFrom(type))
                return null;
            string name = type.Assembly.GetName().Name;
            foreach (Assembly assembly in CompilationPipeline.GetAssemblies(AssembliesType.Editor))
                if (assembly.name == name)
                    return assembly;
            return null;
        }
    }
}
