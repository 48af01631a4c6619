using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEditor.Compilation;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The script files of many classes; the assemblies are queried once. The counterpart for one
    /// class is <see cref="ScriptClasses"/>.
    /// <code>
    ///     var files = new ScriptFiles();
    ///     files.IsEditorOnly(type), files.PathOf(type)
    /// </code>
    /// </summary>
    public sealed class ScriptFiles
    {
        sealed class Scripts
        {
            public bool IsEditor;
            public string[] Files;
            public Dictionary<string, List<string>> ByStem;
            public Dictionary<Type, string> ByClass; /* null: not read yet */
        }

        readonly Dictionary<string, Scripts> assemblies = new Dictionary<string, Scripts>(StringComparer.Ordinal);

        public ScriptFiles()
        {
            foreach (Assembly assembly in CompilationPipeline.GetAssemblies(AssembliesType.Editor))
                assemblies[assembly.name] = new Scripts
                {
                    IsEditor = (assembly.flags & AssemblyFlags.EditorAssembly) != 0, Files = assembly.sourceFiles
                };
        }

        /* null: not compiled from scripts. */
        Scripts FindScripts(Type type)
        {
            Scripts scripts;
            return typeof(MonoBehaviour).IsAssignableFrom(type) &&
                   assemblies.TryGetValue(type.Assembly.GetName().Name, out scripts) ? scripts : null;
        }

        public bool IsEditorOnly(Type type)
        {
            Scripts scripts = FindScripts(type);
            return ScriptClasses.IsOfEditor(type) || (scripts != null && scripts.IsEditor);
        }

        public bool IsScript(Type type) { return FindScripts(type) != null; }

        /// <summary>Return the script file of a class, or null if there is none or it is not compiled
        /// from scripts.</summary>
        public string PathOf(Type type)
        {
            Scripts scripts = FindScripts(type);
            if (scripts == null)
                return null;
            List<string> named;
            string path;
            if (Stems(scripts).TryGetValue(type.Name, out named))
                foreach (string file in named)
                    if (ScriptClasses.IsFileOf(file, type))
                        return file;
            /* Newer editors also accept other file names; Unity decides. */
            return Classes(scripts).TryGetValue(type, out path) ? path : null;
        }

        static Dictionary<string, List<string>> Stems(Scripts scripts)
        {
            if (scripts.ByStem != null)
                return scripts.ByStem;
            scripts.ByStem = new Dictionary<string, List<string>>(StringComparer.Ordinal);
            foreach (string file in scripts.Files)
            {
                string stem = System.IO.Path.GetFileNameWithoutExtension(file);
                List<string> named;
                if (!scripts.ByStem.TryGetValue(stem, out named))
                    scripts.ByStem.Add(stem, named = new List<string>());
                named.Add(file);
            }
            return scripts.ByStem;
        }

        static Dictionary<Type, string> Classes(Scripts scripts)
        {
            if (scripts.ByClass != null)
                return scripts.ByClass;
            scripts.ByClass = new Dictionary<Type, string>();
            foreach (string file in scripts.Files)
            {
                var script = AssetDatabase.LoadAssetAtPath<MonoScript>(file);
                Type type = script == null ? null : script.GetClass();
                if (type != null && !scripts.ByClass.ContainsKey(type))
                    scripts.ByClass.Add(type, file);
            }
            return scripts.ByClass;
        }
    }
}
