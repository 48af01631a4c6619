using System;
using System.Collections.Generic;
using Standin;

namespace UnityEditor.Compilation
{
    [Flags]
    public enum AssemblyFlags { None = 0, EditorAssembly = 1 }

    public enum AssembliesType
    {
        Editor = 0, Player = 1,
        PlayerWithoutTestAssemblies = 2
    }

    /// <summary>A script assembly in CompilationPipeline's list.</summary>
    public class Assembly
    {
        public string name { get; internal set; }
        public string rootNamespace { get; internal set; }
        public string outputPath { get; internal set; }
        public string[] sourceFiles { get; internal set; }
        public string[] defines { get; internal set; }
        public AssemblyFlags flags { get; internal set; }
    }

    public static partial class CompilationPipeline
    {
        public static Assembly[] GetAssemblies() { return GetAssemblies(AssembliesType.Editor); }

        public static Assembly[] GetAssemblies(AssembliesType assembliesType)
        {
            var found = new List<Assembly>();
            string[] defines = ScriptSymbols.All().ToArray();
            foreach (ScriptAssembly assembly in ScriptAssemblies.All())
            {
                bool isLeftOut = assembly.IsEditorOnly
                    || (assembly.IsForTests && assembliesType == AssembliesType.PlayerWithoutTestAssemblies);
                if (assembliesType != AssembliesType.Editor && isLeftOut)
                    continue;
                found.Add(new Assembly
                {
                    name = assembly.Name, rootNamespace = assembly.RootNamespace, defines = defines,
                    outputPath = "Library/ScriptAssemblies/" + assembly.Name + ".dll",
                    sourceFiles = assembly.Sources.ConvertAll(source => source.Path).ToArray(),
                    flags = assembly.IsEditorOnly ? AssemblyFlags.EditorAssembly : AssemblyFlags.None
                });
            }
            return found.ToArray();
        }

        public static string GetAssemblyNameFromScriptPath(string sourceFilePath)
        {
            string name = ScriptAssemblies.NameFor(sourceFilePath);
            return name.Length == 0 ? null : name + ".dll";
        }
    }
}
