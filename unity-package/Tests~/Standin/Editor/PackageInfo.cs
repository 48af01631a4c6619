using System.Collections.Generic;
using System.IO;
using System.Reflection;
using Standin;

namespace UnityEditor.PackageManager
{
    public enum PackageSource
    {
        Unknown = 0, Registry = 1, BuiltIn = 2, Embedded = 3, Local = 4, Git = 5, LocalTarball = 6
    }

    /// <summary>The package that this stand-in tests; of others it knows nothing.</summary>
    public sealed partial class PackageInfo
    {
        PackageInfo() { }

        public string name { get; private set; }
        public string version { get; private set; }
        public string displayName { get; private set; }
        public string assetPath { get { return "Packages/" + name; } }
        public string resolvedPath { get; private set; }
        public PackageSource source { get { return PackageSource.Local; } }

        /// <summary>null: the assembly is of no package.</summary>
        public static PackageInfo FindForAssembly(Assembly assembly)
        {
            string assemblyName = assembly.GetName().Name;
            return assemblyName.StartsWith("Multiverse.", System.StringComparison.Ordinal) ? Own() : null;
        }

        public static PackageInfo FindForAssetPath(string assetPath)
        {
            PackageInfo own = Own();
            return (assetPath + "/").StartsWith(own.assetPath + "/", System.StringComparison.Ordinal) ? own : null;
        }

        static PackageInfo Own()
        {
            string text = File.ReadAllText(HostState.PackagePath + "/package.json");
            Dictionary<string, object> manifest = Json.ReadObject(text);
            return new PackageInfo
            {
                name = (string)manifest["name"], version = (string)manifest["version"],
                displayName = (string)manifest["displayName"], resolvedPath = HostState.PackagePath
            };
        }
    }
}
