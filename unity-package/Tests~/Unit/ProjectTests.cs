using System.Collections.Generic;
using System.IO;
using System.Text.RegularExpressions;
using NUnit.Framework;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;
using UnityEngine.TestTools;
using Object = UnityEngine.Object;

namespace Standin.Tests
{
    /// <summary>Scenes and assets of a project on disk.</summary>
    public class ProjectTests : ProjectFixture
    {
        static string Rigidbody(long id, long owner, string mass)
        {
            return "--- !u!54 &" + id + "\nRigidbody:\n  m_ObjectHideFlags: 0\n  m_GameObject: {fileID: " + owner + "}\n"
                + "  serializedVersion: 4\n  m_Mass: " + mass + "\n  m_SomethingNewer: 7\n  m_UseGravity: 0\n";
        }

        /* ---- built-in classes */

        [Test]
        public void BuiltinClassesAreThoseOfTheTables()
        {
            Assert.AreEqual(typeof(Rigidbody), ClassTable.TypeOf(54));
            Assert.AreEqual(54, ClassTable.IdOf(typeof(Rigidbody)));
            Assert.IsNull(ClassTable.TypeOf(25), "Renderer is none that could be made");
            TypeNode camera = TypeTree.Of(typeof(Camera));
            Assert.IsNotNull(camera.Child("near clip plane"));
            Assert.AreEqual(FieldKind.Boolean, TypeTree.Of(typeof(Rigidbody)).Child("m_UseGravity").Kind);
            Assert.AreEqual("PPtr<Material>", TypeTree.Of(typeof(MeshRenderer)).Child("m_Materials").Element.TypeName);
            Assert.AreEqual(2, (int)RigidbodyInterpolation.Extrapolate);
            TypeNode paths = TypeTree.Of(typeof(PolygonCollider2D)).Child("m_Points").Child("m_Paths");
            Assert.AreEqual(FieldKind.Array, paths.Element.Kind);
        }

        [Test]
        public void NewComponentsStartAsInUnity()
        {
            SceneData.ActiveOrNew();
            var go = new GameObject("A", typeof(Rigidbody), typeof(Light), typeof(AudioSource), typeof(MeshRenderer),
                typeof(SpriteRenderer));
            Assert.AreEqual(1f, go.GetComponent<Rigidbody>().mass);
            Assert.AreEqual(Color.white, go.GetComponent<Light>().color);
            DataNode audio = Serializer.Write(go.GetComponent<AudioSource>());
            Assert.AreEqual("128", audio.Get("Priority").Text);
            Assert.AreEqual(2, audio.Get("rolloffCustomCurve").Get("m_Curve").Count);
            Assert.AreEqual("1", Serializer.Write(go.GetComponent<MeshRenderer>()).Get("m_CastShadows").Text);
            Assert.AreEqual("0", Serializer.Write(go.GetComponent<SpriteRenderer>()).Get("m_CastShadows").Text);
        }

        [Test]
        public void RequirementsComeFromTheTables()
        {
            SceneData.ActiveOrNew();
            var go = new GameObject("A", typeof(UnityEngine.UI.Image));
            Assert.AreEqual("RectTransform CanvasRenderer Image", Parts(go));
            LogAssert.Expect(LogType.Error, new Regex("already added"));
            Assert.IsNull(go.AddComponent<CanvasRenderer>());
        }

        /* ---- scenes */

        [Test]
        public void AllSampleScenesRoundTrip()
        {
            TakeSample();
            string[] scenes = AssetDatabase.FindAssets("t:Scene");
            Assert.AreEqual(5, scenes.Length);
            foreach (string guid in scenes)
            {
                Scene scene = Open(AssetDatabase.GUIDToAssetPath(guid));
                string tree = Tree(scene);
                string text = SceneSaver.Text(scene.Data);
                SceneData again = SceneFile.Read(scene.path, guid, text, null);
                SceneData.All.Add(again);
                Assert.AreEqual(tree, Tree(again.Scene));
                Assert.AreEqual(text, SceneSaver.Text(again));
                SceneFile.Close(again);
            }
        }

        [Test]
        public void TreeAndFields()
        {
            Write("Assets/A.unity", Head + GameObject(10, "First", 0, "21")
                + GameObject(20, "Child", 11, "", "  - component: {fileID: 22}\n  - component: {fileID: 99}\n"
                + "  - component: {fileID: 23}\n") + Rigidbody(22, 20, "2.5")
                + "--- !u!108 &23\nLight:\n  m_GameObject: {fileID: 20}\n  m_Enabled: 0\n  m_Intensity: 3\n  m_CullingMask:\n"
                + "    serializedVersion: 2\n    m_Bits: 4294967294\n" + GameObject(30, "Last", 0));
            Scene scene = Open("Assets/A.unity");
            Assert.AreEqual("First(Child) Last", Tree(scene));
            Assert.AreEqual("Transform Rigidbody null Light", Parts(Find(scene, "First/Child")));
            var body = Find(scene, "First/Child").GetComponent<Rigidbody>();
            Assert.AreEqual(2.5f, body.mass);
            Assert.IsFalse(body.useGravity);
            var light = body.GetComponent<Light>();
            Assert.AreEqual(-2, light.m_CullingMask.value);
            Assert.IsFalse(light.enabled);
            Assert.AreEqual(10f, light.range, 1e-6, "a key that is not there is as new");
            Assert.AreEqual(new Vector3(2, 4, 6), body.transform.position);
            Assert.IsFalse(scene.isDirty);
            Assert.AreEqual("A", scene.name);
        }

        [Test]
        public void SavingKeepsIdsOrderAndUnknownData()
        {
            Write("Assets/A.unity", Head + GameObject(30, "Last", 0) + GameObject(10, "First", 0, "",
                "  - component: {fileID: 12}\n") + Rigidbody(12, 10, "1"));
            Scene scene = Open("Assets/A.unity");
            Find(scene, "First").GetComponent<Rigidbody>().mass = 9;
            GameObject created = new GameObject("New");
            created.AddComponent<BoxCollider>();
            created.transform.SetParent(Find(scene, "Last").transform, false);
            Assert.IsTrue(EditorSceneManager.SaveScene(scene));
            string text = File.ReadAllText(Root + "/Assets/A.unity");
            StringAssert.Contains("  m_Mass: 9\n  m_SomethingNewer: 7\n", text);
            Assert.Less(text.IndexOf("&10\n"), text.IndexOf("&12\n"));
            Assert.Less(text.IndexOf("&12\n"), text.IndexOf("&30\n"));
            Scene again = Open("Assets/A.unity");
            Assert.AreEqual("Last(New) First", Tree(again));
            Assert.AreEqual("Transform BoxCollider", Parts(Find(again, "Last/New")));
            Assert.AreEqual(9f, Find(again, "First").GetComponent<Rigidbody>().mass);
        }

        [Test]
        public void AMissingScriptKeepsItsData()
        {
            const string data = "  m_Script: {fileID: 11500000, guid: 00000000000000000000000000000abc, type: 3}\n  m_Name: \n"
                + "  hp: 5\n  names:\n  - a\n  - b\n  target: {fileID: 11}\n";
            Write("Assets/A.unity", Head + GameObject(10, "A", 0, "", "  - component: {fileID: 12}\n")
                + "--- !u!114 &12\nMonoBehaviour:\n  m_ObjectHideFlags: 0\n  m_GameObject: {fileID: 10}\n"
                + "  m_Enabled: 1\n" + data);
            Scene scene = Open("Assets/A.unity");
            Assert.AreEqual("Transform null", Parts(Find(scene, "A")));
            Assert.AreEqual(1, GameObjectUtility.GetMonoBehavioursWithMissingScriptCount(Find(scene, "A")));
            EditorSceneManager.SaveScene(scene);
            StringAssert.Contains("  hp: 5\n  names:\n  - a\n  - b\n  target: {fileID: 11}\n",
                File.ReadAllText(Root + "/Assets/A.unity"));
        }

        [Test]
        public void RootsInTheOrderOfTheFile()
        {
            string old = Head + GameObject(10, "A", 0).Replace("m_Father", "m_RootOrder: 2\n  m_Father")
                + GameObject(20, "B", 0).Replace("m_Father", "m_RootOrder: 0\n  m_Father")
                + GameObject(30, "C", 0).Replace("m_Father", "m_RootOrder: 1\n  m_Father");
            Write("Assets/Old.unity", old);
            Assert.AreEqual("B C A", Tree(Open("Assets/Old.unity")));
            Write("Assets/New.unity", old + "--- !u!1660057539 &9223372036854775807\nSceneRoots:\n  m_ObjectHideFlags: 0\n"
                + "  m_Roots:\n  - {fileID: 31}\n  - {fileID: 11}\n  - {fileID: 21}\n");
            Assert.AreEqual("C A B", Tree(Open("Assets/New.unity")));
        }

        [Test]
        public void BrokenScenesAreErrors()
        {
            Write("Assets/Bad.unity", Head + "--- !u!1 &1\nGameObject:\n  m_Name: 'x\n");
            LogAssert.Expect(LogType.Error, new Regex("Bad.unity.*quote is not closed"));
            Assert.IsFalse(Open("Assets/Bad.unity").IsValid());
            Assert.Throws<System.ArgumentException>(() => Open("Assets/None.unity"));
            Assert.Throws<System.ArgumentException>(() => Open("Assets/../../etc/passwd"));
        }

        [Test]
        public void CirclesAndLostParentsAreCut()
        {
            Write("Assets/A.unity", Head + GameObject(10, "A", 21, "21") + GameObject(20, "B", 11, "11")
                + GameObject(30, "C", 999));
            Assert.AreEqual("A(B) C", Tree(Open("Assets/A.unity")));
        }

        [Test]
        public void SceneEventsAreRaised()
        {
            Write("Assets/A.unity", Head + GameObject(10, "A", 0));
            var events = new List<string>();
            EditorSceneManager.SceneOpenedCallback opened = (scene, mode) => events.Add("opened " + scene.path);
            EditorSceneManager.SceneSavedCallback saved = scene => events.Add("saved " + scene.path);
            EditorSceneManager.SceneDirtiedCallback dirtied = scene => events.Add("dirtied " + scene.path);
            EditorSceneManager.sceneOpened += opened;
            EditorSceneManager.sceneSaved += saved;
            EditorSceneManager.sceneDirtied += dirtied;
            Scene open = Open("Assets/A.unity");
            EditorSceneManager.MarkSceneDirty(open);
            EditorSceneManager.MarkSceneDirty(open);
            Assert.IsTrue(open.isDirty);
            EditorSceneManager.SaveScene(open);
            EditorSceneManager.sceneOpened -= opened;
            EditorSceneManager.sceneSaved -= saved;
            EditorSceneManager.sceneDirtied -= dirtied;
            Assert.AreEqual("opened Assets/A.unity, dirtied Assets/A.unity, saved Assets/A.unity",
                string.Join(", ", events.ToArray()));
            Assert.IsFalse(open.isDirty);
        }

        [Test]
        public void ANewSceneIsSavedWithItsSettings()
        {
            Scene scene = EditorSceneManager.NewScene(NewSceneSetup.DefaultGameObjects);
            Assert.AreEqual("Main Camera Directional Light", Tree(scene));
            Assert.IsFalse(EditorSceneManager.SaveScene(scene), "it has no path yet");
            Assert.IsTrue(EditorSceneManager.SaveScene(scene, "Assets/New.unity"));
            StringAssert.Contains("RenderSettings:", File.ReadAllText(Root + "/Assets/New.unity"));
            Assert.AreEqual(AssetDatabase.AssetPathToGUID("Assets/New.unity"), scene.Data.Guid);
            Assert.AreEqual("Main Camera Directional Light", Tree(Open("Assets/New.unity")));
        }

        /* ---- domain reload */

        [Test]
        public void UnsavedChangesSurviveAReload()
        {
            TakeSample();
            Scene scene = Open("Assets/Scenes/ArenaScene.unity");
            GameObject lid = Find(scene, "Props/Golden crate/Lid");
            int id = lid.instanceId;
            Object material = lid.GetComponent<MeshRenderer>().sharedMaterial;
            int materialId = material.instanceId;
            lid.name = "Lid of gold";
            lid.AddComponent<Rigidbody>().mass = 3;
            EditorSceneManager.MarkSceneDirty(scene);
            string before = Tree(scene);
            SceneBackup.Save(Root + "/Temp/scenes");
            SceneFile.Close(scene.Data);
            AssetLoader.ForgetAll();
            SceneBackup.Load(Root + "/Temp/scenes");
            Scene again = SceneManager.GetActiveScene();
            Assert.AreEqual(before, Tree(again));
            Assert.IsTrue(again.isDirty);
            Assert.AreEqual("Assets/Scenes/ArenaScene.unity", again.path);
            var back = (GameObject)ObjectTable.Find(id);
            Assert.AreEqual("Lid of gold", back.name);
            Assert.AreEqual(3f, back.GetComponent<Rigidbody>().mass);
            Assert.AreEqual(materialId, back.GetComponent<MeshRenderer>().sharedMaterial.instanceId);
            Assert.AreNotSame(lid, back);
        }

        [Test]
        public void ObjectsWithoutAFileSurviveAReload()
        {
            var kept = ScriptableObject.CreateInstance<KeptObject>();
            kept.hideFlags = HideFlags.HideAndDontSave;
            kept.number = 5;
            Scene scene = EditorSceneManager.NewScene(NewSceneSetup.DefaultGameObjects);
            kept.target = scene.GetRootGameObjects()[0];
            int id = kept.instanceId;
            SceneBackup.Save(Root + "/Temp/scenes");
            SceneFile.Close(scene.Data);
            Object.DestroyImmediate(kept);
            SceneBackup.Load(Root + "/Temp/scenes");
            var back = (KeptObject)ObjectTable.Find(id);
            Assert.AreEqual(5, back.number);
            Assert.AreEqual("Main Camera", back.target.name);
            Assert.AreEqual(HideFlags.HideAndDontSave, back.hideFlags);
        }

        public sealed class KeptObject : ScriptableObject
        {
            public int number;
            public GameObject target;
        }
    }
}
