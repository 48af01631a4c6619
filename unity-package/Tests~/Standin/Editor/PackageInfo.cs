using System;
using System.Collections.Generic;
using System.Reflection;
using Standin;

namespace UnityEditor.PackageManager
{
    public enum PackageSource
    {
        Unknown = 0, Registry = 1, BuiltIn = 2, Embedded = 3, Local = 4, Git = 5, LocalTarball = 6
    }

    /// <summary>A package: the one under test, which every project here has, or one of the
    /// project.</summary>
    public sealed partial class PackageInfo
    {
        PackageInfo() { }

        public string name { get; private set; }
        public string version { get; private set; }
        public string displayName { get; private set; }
        public string assetPath { get { return "Packages/" + name; } }
        public string resolvedPath { get; private set; }
        public PackageSource source { get; private set; }

        /// <summary>Return null if the assembly belongs to no package.</summary>
        public static PackageInfo FindForAssembly(Assembly assembly)
        {
            string assemblyName = assembly.GetName().Name;
            if (assemblyName.StartsWith("Multiverse.", StringComparison.Ordinal))
                return Read(HostState.PackagePath, PackageSource.Local);
            ScriptAssembly script = ScriptAssemblies.Find(assemblyName);
            return script == null || script.Path.Length == 0 ? null : FindForAssetPath(script.Path);
        }

        /// <summary>Return null if the path is in no package.</summary>
        public static PackageInfo FindForAssetPath(string assetPath)
        {
            PackageInfo own = Read(HostState.PackagePath, PackageSource.Local);
            if (IsIn(assetPath, own.name))
                return own;
            foreach (PackageFolder package in ProjectFolder.Assets.Packages)
                if (IsIn(assetPath, package.Name))
                    return Read(package.Folder, package.Rank == 0 ? PackageSource.Embedded
                        : package.Rank == 1 ? PackageSource.Local : PackageSource.Registry);
            return null;
        }

        static bool IsIn(string assetPath, string package)
        {
            return (assetPath + "/").StartsWith("Packages/" + package + "/", StringComparison.Ordinal);
        }

        static PackageInfo Read(string folder, PackageSource source)
        {
            Dictionary<string, object> manifest = PackageTable.ReadJson(folder + "/package.json");
            return new PackageInfo
            {
                name = Text(manifest, "name"), version = Text(manifest, "version"),
                displayName = Text(manifest, "displayName"), resolvedPath = folder, source = source
            };
        }

        static string Text(Dictionary<string, object> manifest, string key)
        {
            object value;
            return manifest.TryGetValue(key, out value) ? value as string ?? "" : "";
        }
    }
}
