using System.IO;

namespace Standin
{
    /// <summary>
    /// The open Unity project: its assets and settings. All of the stand-in's access to project
    /// files goes through this class.
    /// <code>
    ///     HostState.ProjectPath = "/games/mine";
    ///     ProjectFolder.Open();
    ///     ProjectFolder.Assets.ByPath("Assets/Crate.prefab")
    /// </code>
    /// </summary>
    internal static class ProjectFolder
    {
        static readonly object gate = new object();
        static AssetTable assets;

        public static string Root { get { return HostState.ProjectPath; } }

        /// <summary>
        /// Read on first use, and again after <see cref="Refresh"/>. Also used on the compiler's
        /// thread.
        /// </summary>
        public static AssetTable Assets
        {
            get
            {
                lock (gate)
                    return assets ?? (assets = new AssetTable(Root));
            }
        }

        /// <summary>Open another project and forget the data of the last one.</summary>
        public static void Open(string root)
        {
            HostState.ProjectPath = root;
            Refresh();
            FlatFiles.Forget();
            AssetLoader.ForgetAll();
            ScriptTable.Forget();
        }

        public static void Refresh()
        {
            lock (gate)
                assets = null;
        }

        /// <summary>The editor version as one number: 2022.3 is 202203.</summary>
        public static int Version
        {
            get
            {
                string[] parts = HostState.UnityVersion.Split('.');
                int major;
                int minor = 0;
                if (!int.TryParse(parts[0], out major))
                    return 0;
                if (parts.Length > 1)
                    int.TryParse(parts[1], out minor);
                return major * 100 + minor;
            }
        }

        /// <summary>Return the document of a file in ProjectSettings, or null if it is missing or
        /// unreadable.</summary>
        public static DataNode Settings(string name)
        {
            string path = Root + "/ProjectSettings/" + name + ".asset";
            try
            {
                if (!File.Exists(path))
                    return null;
                YamlFile file = YamlFile.Parse(File.ReadAllText(path));
                return file.Documents.Count > 0 ? file.Documents[0].Body : null;
            }
            catch (YamlError e)
            {
                UnityEngine.Debug.LogWarning("ProjectSettings/" + name + ".asset:" + e.Message);
                return null;
            }
        }

        /// <summary>Write a file atomically: readers see the old or the new one.</summary>
        public static void WriteText(string path, string text)
        {
            string temporary = path + ".new~";
            File.WriteAllText(temporary, text);
            if (File.Exists(path))
                File.Replace(temporary, path, null);
            else
                File.Move(temporary, path);
        }

        /// <summary>"Crate" for "Assets/Prefabs/Crate.prefab".</summary>
        public static string Stem(string path)
        {
            string name = path.Substring(path.LastIndexOf('/') + 1);
            int dot = name.LastIndexOf('.');
            return dot > 0 ? name.Substring(0, dot) : name;
        }

        /// <summary>".prefab" in lower case; empty without an extension.</summary>
        public static string Extension(string path)
        {
            string name = path.Substring(path.LastIndexOf('/') + 1);
            int dot = name.LastIndexOf('.');
            return dot < 0 ? "" : name.Substring(dot).ToLowerInvariant();
        }
    }
}
