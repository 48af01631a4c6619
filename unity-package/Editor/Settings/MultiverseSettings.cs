using System;
using System.Globalization;
using System.IO;
using UnityEditorInternal;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The project's settings, in ProjectSettings/MultiverseSettings.asset: a file that exists only once
    /// something was changed. The environment variables MULTIVERSE_PORT and MULTIVERSE_TOKEN_FILE win
    /// over it, for several checkouts of one project on one machine. Main thread only.
    /// </summary>
    public sealed class MultiverseSettings : ScriptableObject
    {
        public const int DefaultPort = 48091;
        public const int LeastPort = 1024, MostPort = 65535;
        public const string PortVariable = "MULTIVERSE_PORT", TokenFileVariable = "MULTIVERSE_TOKEN_FILE";
        const string path = "ProjectSettings/MultiverseSettings.asset";

        [SerializeField] int port = DefaultPort;
        [SerializeField] bool isEnabled = true;
        [SerializeField] string tokenFile = "";

        static MultiverseSettings instance;

        public static MultiverseSettings Instance
        {
            get
            {
                if (instance == null)
                    instance = Load();
                return instance;
            }
        }

        public bool IsEnabled { get { return isEnabled; } set { isEnabled = value; } }

        /// <summary>What the file says.</summary>
        public int Port { get { return IsPort(port) ? port : DefaultPort; } set { port = value; } }

        /// <summary>File with the server's token in its first line (multiverse serve --token-file), from
        /// the project's folder if it is no whole path; "" for none. Not the token itself, for this
        /// is shared with everybody who has the project.</summary>
        public string TokenFile { get { return tokenFile ?? ""; } set { tokenFile = value; } }

        /// <summary>What counts: the environment, else the file.</summary>
        public int EffectivePort
        {
            get
            {
                int fromOutside;
                return IsPortFromOutside(out fromOutside) ? fromOutside : Port;
            }
        }

        public string EffectiveTokenFile
        {
            get
            {
                string fromOutside = Environment.GetEnvironmentVariable(TokenFileVariable);
                return string.IsNullOrEmpty(fromOutside) ? TokenFile : fromOutside;
            }
        }

        public static bool IsPort(int number) { return number >= LeastPort && number <= MostPort; }

        public static bool IsPortFromOutside(out int number)
        {
            return int.TryParse(Environment.GetEnvironmentVariable(PortVariable), NumberStyles.None,
                                CultureInfo.InvariantCulture, out number) && number > 0 && number <= MostPort;
        }

        /// <summary>Writes the file. Throws IOException or UnauthorizedAccessException where it cannot.</summary>
        public void Save()
        {
            if (File.Exists(path) && (File.GetAttributes(path) & FileAttributes.ReadOnly) != 0)
                throw new UnauthorizedAccessException(path + " is read-only: check it out first");
            InternalEditorUtility.SaveToSerializedFileAndForget(new UnityEngine.Object[] { this }, path, true);
        }

        static MultiverseSettings Load()
        {
            MultiverseSettings loaded = null;
            if (File.Exists(path))
                foreach (UnityEngine.Object item in InternalEditorUtility.LoadSerializedFileAndForget(path))
                    loaded = loaded ?? item as MultiverseSettings;
            if (loaded == null)
                loaded = CreateInstance<MultiverseSettings>();
            loaded.hideFlags = HideFlags.HideAndDontSave;
            return loaded;
        }
    }
}
