using System;
using System.Collections.Generic;

namespace Standin
{
    /// <summary>An assembly of the project's scripts: one of Unity's predefined ones (Assembly-CSharp
    /// and others), or of a .asmdef.</summary>
    internal sealed class ScriptAssembly
    {
        public string Name;
        /// <summary>The path and GUID of the .asmdef; empty for predefined assemblies.</summary>
        public string Path = "";
        public string Guid = "";
        public string RootNamespace = "";
        /// <summary>The folder with its scripts; empty for predefined assemblies.</summary>
        public string Folder = "";
        public readonly List<AssetEntry> Sources = new List<AssetEntry>();
        /// <summary>Names, or "GUID:..." of other .asmdef files.</summary>
        public readonly List<string> References = new List<string>();
        public readonly List<string> IncludePlatforms = new List<string>();
        public readonly List<string> ExcludePlatforms = new List<string>();
        public readonly List<string> DefineConstraints = new List<string>();
        public readonly List<string> OptionalReferences = new List<string>();
        public readonly List<string> PrecompiledReferences = new List<string>();
        /// <summary>The four predefined assemblies refer to all auto-referenced ones and are compiled
        /// last.</summary>
        public bool IsPredefined;
        /// <summary>Belongs to the package under test; compiled by build.sh.</summary>
        public bool IsPrebuilt;
        public bool IsAutoReferenced = true;
        public bool AllowsUnsafe;
        public bool NoEngineReferences;

        /// <summary>Whether it is for the editor only, so its classes cannot be components.</summary>
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

        /// <summary>Whether it is compiled for the editor.</summary>
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
