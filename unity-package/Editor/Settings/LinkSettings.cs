using System;
using System.Globalization;
using System.IO;
using UnityEditorInternal;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The project's settings, in ProjectSettings/MultiverseSettings.asset, a file that exists only
    /// after a change. The environment variables MULTIVERSE_PORT and MULTIVERSE_TOKEN_FILE override
    /// it, for several checkouts of one project on one machine. Main thread only.
    /// </summary>
    public sealed class LinkSettings
    {
        public const int DefaultPort = 48091;
        public const int LeastPort = 1024, MostPort = 65535;
        public const string PortVariable = "MULTIVERSE_PORT", TokenFileVariable = "MULTIVERSE_TOKEN_FILE";
        const string path = "ProjectSettings/MultiverseSettings.asset";

        static LinkSettings current;
        int port = DefaultPort;

        public static LinkSettings Current { get { return current ?? (current = LoadFile()); } }

        LinkSettings()
        {
            IsEnabled = true;
            TokenFile = "";
        }

        public bool IsEnabled { get; set; }

        /// <summary>The port in the file.</summary>
        public int Port { get { return IsPort(port) ? port : DefaultPort; } set { port = value; } }

        /// <summary>A file with the server's token in its first line (multiverse serve --token-file),
        /// absolute or relative to the project's folder; "": none. Not the token itself, because
        /// these settings are shared with the project.</summary>
        public string TokenFile { get; set; }

        /// <summary>The port in use: from the environment, otherwise from the file.</summary>
        public int EffectivePort
        {
            get
            {
                int fromOutside;
                return TryPortFromEnvironment(out fromOutside) ? fromOutside : Port;
            }
        }

        public string EffectiveTokenFile { get { return TokenFileFromEnvironment ?? TokenFile; } }

        /// <summary>null: not set.</summary>
        public static string TokenFileFromEnvironment
        {
            get
            {
                string fromOutside = Environment.GetEnvironmentVariable(TokenFileVariable);
                return string.IsNullOrEmpty(fromOutside) ? null : fromOutside;
            }
        }

        public static bool IsPort(int number) { return number >= LeastPort && number <= MostPort; }

        public static bool TryPortFromEnvironment(out int number)
        {
            return int.TryParse(Environment.GetEnvironmentVariable(PortVariable), NumberStyles.None,
                                CultureInfo.InvariantCulture, out number) && number > 0 && number <= MostPort;
        }

        /// <summary>Describe the environment variable's problem if its value is not a port; otherwise
        /// null.</summary>
        public static string DescribeEnvironmentProblem()
        {
            int number;
            string text = Environment.GetEnvironmentVariable(PortVariable);
            if (string.IsNullOrEmpty(text) || TryPortFromEnvironment(out number))
                return null;
            return "the environment variable " + PortVariable + " is not a port (" + Quote.Text(text, 40) +
                   "), so the port in the settings is used.";
        }

        /// <summary>Write the file; throws on failure.</summary>
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

        static LinkSettings LoadFile()
        {
            var settings = new LinkSettings();
            if (File.Exists(path))
                Startup.Guard(settings.Read); /* an unreadable file counts as missing */
            return settings;
        }

        void Read()
        {
            foreach (UnityEngine.Object item in InternalEditorUtility.LoadSerializedFileAndForget(path))
            {
                CopyFrom(item as MultiverseSettings);
                if (item != null)
                    UnityEngine.Object.DestroyImmediate(item);
            }
        }

        void CopyFrom(MultiverseSettings file)
        {
            if (file == null)
                return;
            port = file.port;
            IsEnabled = file.isEnabled;
            TokenFile = file.tokenFile ?? "";
        }
    }
}
