using System.IO;

namespace Standin
{
    /// <summary>
    /// The Unity project that is open: its assets and settings. Everything of the stand-in that reads or
    /// writes the project goes through here.
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
        /// Read when first asked for, and again after <see cref="Refresh"/>. The compiler asks from its own
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

        /// <summary>Another project: nothing that was read before is kept.</summary>
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

        /// <summary>The editor version: major and minor as one number, 2022.3 is 202203.</summary>
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

        /// <summary>The document of a file of ProjectSettings; null: it is not there or not readable.</summary>
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

        /// <summary>Writes a file as a whole: what reads it meanwhile sees the old one or the new one.</summary>
        public static void WriteText(string path, string text)
        {
            string temporary = path + ".new~";
            File.WriteAllText(temporary, text);
            if (File.Exists(path))
                File.Replace(temporary, path, null);
            else
                File.Move(temporary, path);
        }

        /// <summary>"Crate" of "Assets/Prefabs/Crate.prefab".</summary>
        public static string Stem(string path)
        {
            string name = path.Substring(path.LastIndexOf('/') + 1);
            int dot = name.LastIndexOf('.');
            return dot > 0 ? name.Substring(0, dot) : name;
        }

        /// <summary>".prefab", in lower case; empty where there is none.</summary>
        public static string Extension(string path)
        {
            string name = path.Substring(path.LastIndexOf('/') + 1);
            int dot = name.LastIndexOf('.');
            return dot < 0 ? "" : name.Substring(dot).ToLowerInvariant();
        }
    }
}
