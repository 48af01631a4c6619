using System.IO;
using System.Text.RegularExpressions;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;
using UnityEngine.TestTools;
using Object = UnityEngine.Object;

namespace Standin.Tests
{
    /// <summary>AssetDatabase with the files of a project.</summary>
    public class AssetTests : ProjectFixture
    {
        const string Material = Head + "--- !u!21 &2100000\nMaterial:\n  serializedVersion: 8\n  m_ObjectHideFlags: 0\n"
            + "  m_Name: Other\n  m_Shader: {fileID: 46, guid: 0000000000000000f000000000000000, type: 0}\n";

        [Test]
        public void PathsAndGuids()
        {
            string guid = Write("Assets/Mats/Red.mat", Material);
            Assert.AreEqual(guid, AssetDatabase.AssetPathToGUID("Assets/Mats/Red.mat"));
            Assert.AreEqual("Assets/Mats/Red.mat", AssetDatabase.GUIDToAssetPath(guid.ToUpperInvariant()));
            Assert.AreEqual("", AssetDatabase.AssetPathToGUID("Assets/None.mat"));
            Assert.AreEqual("", AssetDatabase.GUIDToAssetPath("nonsense"));
            Assert.AreEqual(new[] { guid }, AssetDatabase.FindAssets("t:Material red"));
            Assert.IsEmpty(AssetDatabase.FindAssets("t:Scene"));
            Assert.IsEmpty(AssetDatabase.FindAssets("t:Material", new[] { "Assets/Elsewhere" }));
        }

        [Test]
        public void AMaterialHasTheNameOfItsFile()
        {
            string guid = Write("Assets/Red.mat", Material);
            var red = AssetDatabase.LoadAssetAtPath<Material>("Assets/Red.mat");
            Assert.AreEqual("Red", red.name);
            Assert.AreSame(red, AssetDatabase.LoadMainAssetAtPath("Assets/Red.mat"));
            Assert.AreEqual("Assets/Red.mat", AssetDatabase.GetAssetPath(red));
            Assert.IsTrue(EditorUtility.IsPersistent(red));
            string found;
            long id;
            Assert.IsTrue(AssetDatabase.TryGetGUIDAndLocalFileIdentifier(red, out found, out id));
            Assert.AreEqual(guid, found);
            Assert.AreEqual(2100000L, id);
            Assert.IsNull(AssetDatabase.LoadAssetAtPath<Texture2D>("Assets/Red.mat"));
            Assert.AreEqual(typeof(Material), AssetDatabase.GetMainAssetTypeAtPath("Assets/Red.mat"));
        }

        [Test]
        public void SpritesOfASheet()
        {
            Write("Assets/Sheet.png", "not read", "TextureImporter:\n  spriteMode: 2\n  internalIDToNameTable:\n"
                + "  - first:\n      213: 1001\n    second: Walk\n  - first:\n      213: -5\n    second: Run\n");
            Write("Assets/One.png", "not read", "TextureImporter:\n  spriteMode: 1\n");
            Assert.AreEqual("Walk", AssetDatabase.LoadAssetAtPath<Sprite>("Assets/Sheet.png").name);
            Assert.AreEqual(2, AssetDatabase.LoadAllAssetRepresentationsAtPath("Assets/Sheet.png").Length);
            Assert.AreEqual("Sheet", AssetDatabase.LoadAssetAtPath<Texture2D>("Assets/Sheet.png").name);
            Assert.AreEqual("One", AssetDatabase.LoadAssetAtPath<Sprite>("Assets/One.png").name);
            Assert.IsTrue(AssetImporter.GetAtPath("Assets/One.png") is TextureImporter);
        }

        [Test]
        public void BuiltinResources()
        {
            Object[] all = AssetDatabase.LoadAllAssetsAtPath("Library/unity default resources");
            Object cube = System.Array.Find(all, o => o.name == "Cube");
            Assert.IsTrue(cube is Mesh);
            Assert.AreEqual("Library/unity default resources", AssetDatabase.GetAssetPath(cube));
            string guid;
            long id;
            AssetDatabase.TryGetGUIDAndLocalFileIdentifier(cube, out guid, out id);
            Assert.AreEqual("0000000000000000e000000000000000", guid);
            Assert.AreEqual(10202L, id);
        }

        [Test]
        public void AReloadedAssetKeepsItsObject()
        {
            Write("Assets/Note.asset", ScriptOf("7"));
            Object before = AssetDatabase.LoadMainAssetAtPath("Assets/Note.asset");
            Write("Assets/Note.asset", ScriptOf("7") + "  more: 1\n");
            AssetDatabase.Refresh();
            Assert.AreSame(before, AssetDatabase.LoadMainAssetAtPath("Assets/Note.asset"));
            File.Delete(Root + "/Assets/Note.asset");
            File.Delete(Root + "/Assets/Note.asset.meta");
            AssetDatabase.Refresh();
            Assert.IsTrue(before == null);
            Assert.IsNull(AssetDatabase.LoadMainAssetAtPath("Assets/Note.asset"));
        }

        static string ScriptOf(string value)
        {
            return Head + "--- !u!114 &11400000\nMonoBehaviour:\n  m_ObjectHideFlags: 0\n  m_Script: {fileID: 11500000, "
                + "guid: 00000000000000000000000000000abc, type: 3}\n  m_Name: Note\n  value: " + value + "\n";
        }

        [Test]
        public void AChangedPrefabUpdatesItsInstances()
        {
            string guid = Write("Assets/P.prefab", Head + GameObject(100, "P", 0));
            Write("Assets/A.unity", Head + "--- !u!1001 &500\nPrefabInstance:\n  m_Modification:\n"
                + "    m_TransformParent: {fileID: 0}\n    m_Modifications:\n"
                + "    - target: {fileID: 101, guid: " + guid + ", type: 3}\n"
                + "      propertyPath: m_LocalPosition.x\n      value: 9\n      objectReference: {fileID: 0}\n"
                + "    m_RemovedComponents: []\n  m_SourcePrefab: {fileID: 100100000, guid: " + guid + ", type: 3}\n");
            var scene = Open("Assets/A.unity");
            GameObject root = scene.GetRootGameObjects()[0];
            Write("Assets/P.prefab", Head + GameObject(100, "P", 0, "201").Replace("y: 2, z: 3", "y: 5, z: 6")
                + GameObject(200, "More", 101));
            AssetDatabase.Refresh();
            Assert.AreEqual("P(More)", Tree(scene));
            Assert.AreSame(root, scene.GetRootGameObjects()[0]);
            Assert.AreEqual(new Vector3(9, 5, 6), root.transform.localPosition);
        }

        [Test]
        public void AssetsAreCreatedAndSaved()
        {
            var created = ScriptableObject.CreateInstance<ProjectTests.KeptObject>();
            AssetDatabase.CreateAsset(created, "Assets/New/Kept.asset");
            Assert.IsTrue(AssetDatabase.Contains(created));
            Assert.AreEqual("Kept", created.name);
            created.number = 8;
            EditorUtility.SetDirty(created);
            AssetDatabase.SaveAssets();
            StringAssert.Contains("  number: 8\n", File.ReadAllText(Root + "/Assets/New/Kept.asset"));
            Assert.IsFalse(EditorUtility.IsDirty(created));
        }

        [Test]
        public void PackagesAreBelowPackages()
        {
            Directory.CreateDirectory(Root + "/Packages");
            File.WriteAllText(Root + "/Packages/manifest.json", "{\"dependencies\": {\"com.my.local\": \"file:../Local\"}}");
            File.WriteAllText(Root + "/Packages/packages-lock.json",
                "{\"dependencies\": {\"com.my.cached\": {\"version\": \"1.0.0\"}}}");
            Package("Packages/com.my.embedded", "com.my.embedded", "1.0.0");
            Package("Local", "com.my.local", "1.0.0");
            Package("Library/PackageCache/com.my.cached@1.0.0", "com.my.cached", "1.0.0");
            Package("Library/PackageCache/com.my.cached@2.0.0", "com.my.cached", "2.0.0");
            ProjectFolder.Refresh();
            foreach (string name in new[] { "embedded", "local", "cached" })
                Assert.AreNotEqual("", AssetDatabase.AssetPathToGUID("Packages/com.my." + name + "/Red.mat"), name);
            StringAssert.Contains("@1.0.0", ProjectFolder.Assets.DiskPath("Packages/com.my.cached/Red.mat"));
            Assert.IsTrue(AssetDatabase.IsOpenForEdit("Packages/com.my.embedded/Red.mat"));
            Assert.IsFalse(AssetDatabase.IsOpenForEdit("Packages/com.my.cached/Red.mat"));
        }

        void Package(string folder, string name, string version)
        {
            Write(folder + "/Red.mat", Material);
            File.WriteAllText(Root + "/" + folder + "/package.json",
                "{\"name\": \"" + name + "\", \"version\": \"" + version + "\"}");
        }

        [Test]
        public void ADuplicateGuidIsReported()
        {
            string guid = Write("Assets/A.mat", Material);
            File.WriteAllText(Root + "/Assets/B.mat", Material);
            File.WriteAllText(Root + "/Assets/B.mat.meta", "fileFormatVersion: 2\nguid: " + guid + "\n");
            ProjectFolder.Refresh();
            LogAssert.Expect(LogType.Warning, new Regex("conflicts with"));
            Assert.AreEqual("Assets/A.mat", AssetDatabase.GUIDToAssetPath(guid));
        }
    }
}
