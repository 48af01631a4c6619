#if UNITY_2020_1_OR_NEWER
using System;
using System.IO;
using UnityEditorInternal;
using UnityEngine;

namespace UnityEditor
{
    [AttributeUsage(AttributeTargets.Class)]
    public class FilePathAttribute : Attribute
    {
        public enum Location { PreferencesFolder, ProjectFolder }

        internal readonly string Path;

        public FilePathAttribute(string relativePath, Location location)
        {
            if (string.IsNullOrEmpty(relativePath))
                throw new ArgumentException("Invalid relative path (it is empty)");
            Path = location == Location.ProjectFolder ? relativePath : "Library/Preferences/" + relativePath;
        }
    }

    /// <summary>A single object of its class, loaded from its [FilePath] on first use.</summary>
    public class ScriptableSingleton<T> : ScriptableObject where T : ScriptableObject
    {
        static T single;

        public static T instance
        {
            get
            {
                if (single == null)
                    Load();
                return single;
            }
        }

        protected ScriptableSingleton()
        {
            if (single != null)
                Debug.LogError("ScriptableSingleton already exists. Did you query the singleton in a constructor?");
            else
                single = (object)this as T;
        }

        static void Load()
        {
            string path = GetFilePath();
            if (!string.IsNullOrEmpty(path))
                InternalEditorUtility.LoadSerializedFileAndForget(path);
            if (single != null)
                return;
            T created = CreateInstance<T>();
            created.hideFlags = HideFlags.HideAndDontSave;
        }

        protected virtual void Save(bool saveAsText)
        {
            string path = GetFilePath();
            if (string.IsNullOrEmpty(path))
            {
                Debug.LogWarning("Saving has no effect. Your class '" + GetType() + "' is missing the FilePathAttribute.");
                return;
            }
            string folder = Path.GetDirectoryName(path);
            if (!string.IsNullOrEmpty(folder))
                Directory.CreateDirectory(folder);
            InternalEditorUtility.SaveToSerializedFileAndForget(new UnityEngine.Object[] { single }, path, saveAsText);
        }

        protected static string GetFilePath()
        {
            foreach (object attribute in typeof(T).GetCustomAttributes(typeof(FilePathAttribute), true))
                return ((FilePathAttribute)attribute).Path;
            return "";
        }
    }
}
#endif
