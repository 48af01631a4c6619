using System;
using System.Collections.Generic;

namespace Standin
{
    /// <summary>An assembly of the project's scripts: Assembly-CSharp and its kin, or that of a .asmdef.</summary>
    internal sealed class ScriptAssembly
    {
        public string Name;
        /// <summary>Of a .asmdef: its path and GUID; empty for Unity's own four.</summary>
        public string Path = "";
        public string Guid = "";
        public string RootNamespace = "";
        /// <summary>Below which its scripts are; empty for Unity's own.</summary>
        public string Folder = "";
        public readonly List<AssetEntry> Sources = new List<AssetEntry>();
        /// <summary>Names, or "GUID:..." of other .asmdef files.</summary>
        public readonly List<string> References = new List<string>();
        public readonly List<string> IncludePlatforms = new List<string>();
        public readonly List<string> ExcludePlatforms = new List<string>();
        public readonly List<string> DefineConstraints = new List<string>();
        public readonly List<string> OptionalReferences = new List<string>();
        public readonly List<string> PrecompiledReferences = new List<string>();
        /// <summary>Unity's own four refer to all that want it, and come last.</summary>
        public bool IsPredefined;
        /// <summary>Of the package that is under test: build.sh has made it.</summary>
        public bool IsPrebuilt;
        public bool IsAutoReferenced = true;
        public bool AllowsUnsafe;
        public bool NoEngineReferences;

        /// <summary>Its classes are no components: it is for the editor alone.</summary>
        public bool IsEditorOnly
        {
            get
            {
                if (IsPredefined)
                    return Name.StartsWith("Assembly-CSharp-Editor", StringComparison.Ordinal);
                return IncludePlatforms.Count == 1 && IncludePlatforms[0] == "Editor";
            }
        }

        public bool IsForTests
        {
            get
            {
                return OptionalReferences.Contains("TestAssemblies") || DefineConstraints.Contains("UNITY_INCLUDE_TESTS")
                    || PrecompiledReferences.Contains("nunit.framework.dll");
            }
        }

        /// <summary>Whether it is compiled for the editor at all.</summary>
        public bool IsForEditor
        {
            get
            {
                if (IncludePlatforms.Count > 0)
                    return IncludePlatforms.Contains("Editor");
                return !ExcludePlatforms.Contains("Editor");
            }
        }
    }
}
