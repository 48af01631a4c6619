using System;
using System.Globalization;
using Standin;

namespace UnityEditor
{
    [Flags]
    public enum EnterPlayModeOptions
    {
        None = 0,
        DisableDomainReload = 1,
        DisableSceneReload = 2
    }

    public enum SerializationMode { Mixed = 0, ForceBinary = 1, ForceText = 2 }

    /// <summary>The used part of ProjectSettings/EditorSettings.asset, read each time.</summary>
    public sealed partial class EditorSettings
    {
        static bool? enabled;
        static EnterPlayModeOptions? options;

        public static SerializationMode serializationMode
        {
            get { return (SerializationMode)Read("m_SerializationMode", 2); }
        }

        public static bool enterPlayModeOptionsEnabled
        {
            get { return enabled ?? Read("m_EnterPlayModeOptionsEnabled", 0) != 0; }
            set { enabled = value; }
        }

        public static EnterPlayModeOptions enterPlayModeOptions
        {
            get { return options ?? (EnterPlayModeOptions)Read("m_EnterPlayModeOptions", 0); }
            set { options = value; }
        }

        static int Read(string key, int otherwise)
        {
            DataNode settings = ProjectFolder.Settings("EditorSettings");
            DataNode entry = settings == null ? null : settings.Get(key);
            int value;
            return entry != null && int.TryParse(entry.Text, NumberStyles.Integer, CultureInfo.InvariantCulture, out value)
                ? value : otherwise;
        }
    }
}
