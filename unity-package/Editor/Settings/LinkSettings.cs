using System;
using System.Globalization;
using System.IO;
using UnityEditorInternal;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The project's settings, from ProjectSettings/MultiverseSettings.asset: a file that exists only once
    /// something was changed. The environment variables MULTIVERSE_PORT and MULTIVERSE_TOKEN_FILE win
    /// over it, for several checkouts of one project on one machine. Main thread only.
    /// </summary>
    public sealed class LinkSettings
    {
        public const int DefaultPort = 48091;
        public const int LeastPort = 1024, MostPort = 65535;
        public const string PortVariable = "MULTIVERSE_PORT", TokenFileVariable = "MULTIVERSE_TOKEN_FILE";
        const string path = "ProjectSettings/MultiverseSettings.asset";

        static LinkSettings current;
        int port = DefaultPort;

        public static LinkSettings Current { get { return current ?? (current = Load()); } }

        LinkSettings()
        {
            IsEnabled = true;
            TokenFile = "";
        }

        public bool IsEnabled { get; set; }

        /// <summary>What the file says.</summary>
        public int Port { get { return IsPort(port) ? port : DefaultPort; } set { port = value; } }

        /// <summary>File with the server's token in its first line (multiverse serve --token-file), from
        /// the project's folder if it is no whole path; "" for none. Not the token itself, for these
        /// settings are shared with everybody who has the project.</summary>
        public string TokenFile { get; set; }

        /// <summary>What counts: the environment, else the file.</summary>
        public int EffectivePort
        {
            get
            {
                int fromOutside;
                return IsPortFromOutside(out fromOutside) ? fromOutside : Port;
            }
        }

        public string EffectiveTokenFile { get { return TokenFileFromOutside ?? TokenFile; } }

        /// <summary>null: there is none.</summary>
        public static string TokenFileFromOutside
        {
            get
            {
                string fromOutside = Environment.GetEnvironmentVariable(TokenFileVariable);
                return string.IsNullOrEmpty(fromOutside) ? null : fromOutside;
            }
        }

        public static bool IsPort(int number) { return number >= LeastPort && number <= MostPort; }

        public static bool IsPortFromOutside(out int number)
        {
            return int.TryParse(Environment.GetEnvironmentVariable(PortVariable), NumberStyles.None,
                                CultureInfo.InvariantCulture, out number) && number > 0 && number <= MostPort;
        }

        /// <summary>In words, if the environment says something that is no port; else null.</summary>
        public static string ProblemFromOutside()
        {
            int number;
            string text = Environment.GetEnvironmentVariable(PortVariable);
            if (string.IsNullOrEmpty(text) || IsPortFromOutside(out number))
                return null;
            return "the environment variable " + PortVariable + " is no port (" + Quote.Text(text, 40) +
                   "), so the port of the settings counts.";
        }

        /// <summary>Writes the file. Throws where it cannot.</summary>
        public void Save()
        {
            if (File.Exists(path) && (File.GetAttributes(path) & FileAttributes.ReadOnly) != 0)
                throw new UnauthorizedAccessException(path + " is read-only: check it out first");
            var file = ScriptableObject.CreateInstance<MultiverseSettings>();
            file.port = Port;
            file.isEnabled = IsEnabled;
            file.tokenFile = TokenFile;
            try
            {
                InternalEditorUtility.SaveToSerializedFileAndForget(new UnityEngine.Object[] { file }, path, true);
            }
            finally
            {
                UnityEngine.Object.DestroyImmediate(file);
            }
        }

        static LinkSettings Load()
        {
            var settings = new LinkSettings();
            if (File.Exists(path))
                Startup.Guard(settings.Read); /* what cannot be read is as if it were not there */
            return settings;
        }

        void Read()
        {
            foreach (UnityEngine.Object item in InternalEditorUtility.LoadSerializedFileAndForget(path))
            {
                Take(item as MultiverseSettings);
                if (item != null)
                    UnityEngine.Object.DestroyImmediate(item);
            }
        }

        void Take(MultiverseSettings file)
        {
            if (file == null)
                return;
            port = file.port;
            IsEnabled = file.isEnabled;
            TokenFile = file.tokenFile ?? "";
        }
    }
}
