using System;
using System.IO;
using System.Text;
using NUnit.Framework;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Standin.Tests
{
    /// <summary>
    /// Provides a Unity project in a temporary folder for each test.
    /// <code>
    ///     Write("Assets/A.unity", Scene(...));      // with a .meta, whose GUID it answers
    ///     Open("Assets/A.unity");
    /// </code>
    /// </summary>
    public abstract class ProjectFixture
    {
        protected const string Head = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";
        string before;

        protected string Root { get; private set; }

        [SetUp]
        public void MakeProject()
        {
            before = HostState.ProjectPath;
            Root = Path.Combine(Path.GetTempPath(), "standin-" + Guid.NewGuid().ToString("N"));
            Directory.CreateDirectory(Root + "/Assets");
            SceneData.All.Clear();
            SceneData.Active = null;
            ProjectFolder.Open(Root);
            ProjectHooks.Install();
        }

        [TearDown]
        public void RemoveProject()
        {
            SceneData.All.Clear();
            SceneData.Active = null;
            ProjectFolder.Open(before);
            Directory.Delete(Root, true);
        }

        /// <summary>Write a file and its .meta; return its GUID, which is derived from the
        /// path.</summary>
        protected string Write(string path, string text, string importer = "DefaultImporter:\n  userData: \n")
        {
            string disk = Root + "/" + path;
            string guid = GuidFor(path);
            Directory.CreateDirectory(Path.GetDirectoryName(disk));
            File.WriteAllText(disk, text);
            File.WriteAllText(disk + ".meta", "fileFormatVersion: 2\nguid: " + guid + "\n" + importer);
            ProjectFolder.Refresh();
            return guid;
        }

        protected static string GuidFor(string path)
        {
            using (var hash = System.Security.Cryptography.MD5.Create())
                return BitConverter.ToString(hash.ComputeHash(Encoding.UTF8.GetBytes(path))).Replace("-", "")
                    .ToLowerInvariant();
        }

        protected static Scene Open(string path) { return EditorSceneManager.OpenScene(path); }

        /// <summary>Copy the repository's sample project into this one.</summary>
        protected void TakeSample()
        {
            string sample = Path.GetFullPath(HostState.PackagePath + "/../examples/sample-project");
            Assume.That(Directory.Exists(sample), "the sample project is not beside the package");
            foreach (string file in Directory.GetFiles(sample, "*", SearchOption.AllDirectories))
            {
                string to = Root + file.Substring(sample.Length);
                Directory.CreateDirectory(Path.GetDirectoryName(to));
                File.Copy(file, to);
            }
            ProjectFolder.Open(Root);
        }

        /// <summary>A GameObject with a Transform, with the ids id and id + 1; children are ids of
        /// Transforms.</summary>
        protected static string GameObject(long id, string name, long father, string children = "", string components = "")
        {
            var text = new StringBuilder();
            text.Append("--- !u!1 &").Append(id).Append("\nGameObject:\n  m_ObjectHideFlags: 0\n  serializedVersion: 6\n")
                .Append("  m_Component:\n  - component: {fileID: ").Append(id + 1).Append("}\n").Append(components)
                .Append("  m_Layer: 0\n  m_Name: ").Append(name).Append("\n  m_TagString: Untagged\n  m_IsActive: 1\n")
                .Append("--- !u!4 &").Append(id + 1).Append("\nTransform:\n  m_ObjectHideFlags: 0\n  m_GameObject: {fileID: ")
                .Append(id).Append("}\n  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}\n")
                .Append("  m_LocalPosition: {x: 1, y: 2, z: 3}\n  m_LocalScale: {x: 1, y: 1, z: 1}\n  m_Children:")
                .Append(children.Length == 0 ? " []\n" : "\n");
            foreach (string child in children.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries))
                text.Append("  - {fileID: ").Append(child).Append("}\n");
            return text.Append("  m_Father: {fileID: ").Append(father).Append("}\n").ToString();
        }

        /// <summary>The tree as names: "A(B C(D))", inactive objects with a minus.</summary>
        protected static string Tree(Scene scene)
        {
            var text = new StringBuilder();
            foreach (GameObject root in scene.GetRootGameObjects())
                AddTree(root, text);
            return text.ToString().Trim();
        }

        static void AddTree(GameObject go, StringBuilder text)
        {
            text.Append(go.activeSelf ? " " : " -").Append(go.name);
            if (go.transform.childCount == 0)
                return;
            text.Append('(');
            int start = text.Length;
            foreach (Transform child in go.transform)
                AddTree(child.gameObject, text);
            text.Remove(start, 1).Append(')');
        }

        /// <summary>The types of the components; null for a missing script.</summary>
        protected static string Parts(GameObject go)
        {
            return string.Join(" ", Array.ConvertAll(go.GetComponents<Component>(),
                c => c == null ? "null" : c.GetType().Name));
        }

        protected static GameObject Find(Scene scene, string path)
        {
            string[] names = path.Split('/');
            foreach (GameObject root in scene.GetRootGameObjects())
                if (root.name == names[0])
                {
                    Transform found = names.Length == 1 ? root.transform
                        : root.transform.Find(path.Substring(names[0].Length + 1));
                    if (found != null)
                        return found.gameObject;
                }
            return null;
        }
    }
}
