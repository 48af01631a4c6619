using System.IO;
using NUnit.Framework;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;
using Object = UnityEngine.Object;

namespace Standin.Tests
{
    /// <summary>Prefab instances: how they are shown and written.</summary>
    public class PrefabTests : ProjectFixture
    {
        const string Light = "--- !u!108 &120\nLight:\n  m_ObjectHideFlags: 0\n  m_GameObject: {fileID: 110}\n  m_Enabled: 1\n"
            + "  m_Intensity: 2\n  m_Range: 10\n";

        /* A prefab: Lamp (100) with Bulb (110), which has a Light (120). */
        string Lamp()
        {
            return Write("Assets/Lamp.prefab", Head + GameObject(100, "Lamp", 0, "111")
                + GameObject(110, "Bulb", 101, "", "  - component: {fileID: 120}\n") + Light);
        }

        static string Change(long target, string guid, string path, string value)
        {
            return "    - target: {fileID: " + target + ", guid: " + guid + ", type: 3}\n      propertyPath: " + path
                + "\n      value: " + value + "\n      objectReference: {fileID: 0}\n";
        }

        static string Instance(long id, string guid, string changes = "", string rest = "", long parent = 0,
            string removed = " []\n")
        {
            return "--- !u!1001 &" + id + "\nPrefabInstance:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n"
                + "  m_Modification:\n    serializedVersion: 3\n    m_TransformParent: {fileID: " + parent + "}\n"
                + "    m_Modifications:"
                + (changes.Length == 0 ? " []\n" : "\n" + changes) + "    m_RemovedComponents:" + removed + rest
                + "  m_SourcePrefab: {fileID: 100100000, guid: " + guid + ", type: 3}\n";
        }

        static string StandIn(long id, int classId, string name, long source, string guid, long instance)
        {
            return "--- !u!" + classId + " &" + id + " stripped\n" + name + ":\n  m_CorrespondingSourceObject: {fileID: "
                + source + ", guid: " + guid + ", type: 3}\n  m_PrefabInstance: {fileID: " + instance
                + "}\n  m_PrefabAsset: {fileID: 0}\n";
        }

        static Light LightOf(Scene scene, string path) { return Find(scene, path).GetComponent<Light>(); }

        [Test]
        public void OverridesAreApplied()
        {
            string guid = Lamp();
            Write("Assets/A.unity", Head + Instance(500, guid, Change(100, guid, "m_Name", "My lamp")
                + Change(110, guid, "m_IsActive", "0") + Change(120, guid, "m_Intensity", "5")
                + Change(101, guid, "m_LocalPosition.y", "7") + Change(120, guid, "m_NoSuch.Array.data[3]", "1")
                + Change(999, guid, "m_Name", "stale")));
            Scene scene = Open("Assets/A.unity");
            Assert.AreEqual("My lamp(-Bulb)", Tree(scene));
            Assert.AreEqual(5f, LightOf(scene, "My lamp/Bulb").intensity);
            Assert.AreEqual(10f, LightOf(scene, "My lamp/Bulb").range);
            Assert.AreEqual(new Vector3(1, 7, 3), scene.GetRootGameObjects()[0].transform.localPosition);
        }

        [Test]
        public void LinksToThePrefab()
        {
            string guid = Lamp();
            Write("Assets/A.unity", Head + Instance(500, guid));
            Scene scene = Open("Assets/A.unity");
            GameObject lamp = Find(scene, "Lamp");
            GameObject bulb = Find(scene, "Lamp/Bulb");
            var asset = AssetDatabase.LoadAssetAtPath<GameObject>("Assets/Lamp.prefab");
            Assert.AreSame(asset, PrefabUtility.GetCorrespondingObjectFromSource(lamp));
            Assert.AreSame(asset.GetComponentInChildren<Light>(true), PrefabUtility.GetCorrespondingObjectFromSource(
                bulb.GetComponent<Light>()));
            Assert.IsTrue(PrefabUtility.IsAnyPrefabInstanceRoot(lamp));
            Assert.IsFalse(PrefabUtility.IsAnyPrefabInstanceRoot(bulb));
            Assert.AreSame(lamp, PrefabUtility.GetNearestPrefabInstanceRoot(bulb));
            Assert.AreEqual("Assets/Lamp.prefab", PrefabUtility.GetPrefabAssetPathOfNearestInstanceRoot(bulb));
            Assert.AreEqual(PrefabInstanceStatus.Connected, PrefabUtility.GetPrefabInstanceStatus(lamp));
            Assert.AreEqual(PrefabAssetType.Regular, PrefabUtility.GetPrefabAssetType(lamp));
            Assert.IsTrue(PrefabUtility.IsPartOfPrefabAsset(asset));
            Assert.IsFalse(PrefabUtility.IsPartOfPrefabInstance(asset));
        }

        [Test]
        public void NestedPrefabsAndVariants()
        {
            string lamp = Lamp();
            string room = Write("Assets/Room.prefab", Head + GameObject(200, "Room", 0, "290")
                + Instance(250, lamp, Change(120, lamp, "m_Intensity", "3"), "", 201)
                + StandIn(290, 4, "Transform", 101, lamp, 250));
            string variant = Write("Assets/Blue.prefab", Head + Instance(300, lamp, Change(100, lamp, "m_Name", "Blue")));
            long inRoom = (250L ^ 120L) & long.MaxValue;
            Write("Assets/A.unity", Head + Instance(500, room, Change(inRoom, room, "m_Range", "99")) + Instance(600, variant));
            Scene scene = Open("Assets/A.unity");
            Assert.AreEqual("Room(Lamp(Bulb)) Blue(Bulb)", Tree(scene));
            Assert.AreEqual(3f, LightOf(scene, "Room/Lamp/Bulb").intensity);
            Assert.AreEqual(99f, LightOf(scene, "Room/Lamp/Bulb").range);
            GameObject nested = Find(scene, "Room/Lamp");
            Assert.IsTrue(PrefabUtility.IsAnyPrefabInstanceRoot(nested));
            Assert.IsFalse(PrefabUtility.IsOutermostPrefabInstanceRoot(nested));
            Assert.AreEqual("Assets/Lamp.prefab", PrefabUtility.GetPrefabAssetPathOfNearestInstanceRoot(nested));
            Assert.AreEqual("Room", PrefabUtility.GetOutermostPrefabInstanceRoot(nested).name);
            Assert.AreEqual("Assets/Blue.prefab",
                PrefabUtility.GetPrefabAssetPathOfNearestInstanceRoot(Find(scene, "Blue")));
            Assert.AreEqual(PrefabAssetType.Variant, PrefabUtility.GetPrefabAssetType(Find(scene, "Blue")));
        }

        [Test]
        public void AddedAndRemoved()
        {
            string guid = Lamp();
            string rest = "    m_RemovedGameObjects: []\n    m_AddedGameObjects:\n"
                + "    - targetCorrespondingSourceObject: {fileID: 101, guid: " + guid + ", type: 3}\n"
                + "      insertIndex: 0\n      addedObject: {fileID: 701}\n    m_AddedComponents:\n"
                + "    - targetCorrespondingSourceObject: {fileID: 100, guid: " + guid + ", type: 3}\n"
                + "      insertIndex: -1\n      addedObject: {fileID: 801}\n";
            string removed = "\n    - {fileID: 120, guid: " + guid + ", type: 3}\n";
            Write("Assets/A.unity", Head + Instance(500, guid, "", rest, 0, removed)
                + StandIn(510, 4, "Transform", 101, guid, 500) + StandIn(520, 1, "GameObject", 100, guid, 500)
                + GameObject(700, "Cable", 510) + "--- !u!65 &801\nBoxCollider:\n  m_GameObject: {fileID: 520}\n"
                + "  m_IsTrigger: 1\n");
            Scene scene = Open("Assets/A.unity");
            Assert.AreEqual("Lamp(Cable Bulb)", Tree(scene));
            Assert.AreEqual("Transform BoxCollider", Parts(Find(scene, "Lamp")));
            Assert.AreEqual("Transform", Parts(Find(scene, "Lamp/Bulb")));
            var collider = Find(scene, "Lamp").GetComponent<BoxCollider>();
            Assert.IsTrue(PrefabUtility.IsAddedComponentOverride(collider));
            Assert.IsFalse(PrefabUtility.IsPartOfPrefabInstance(collider));
            Assert.IsTrue(PrefabUtility.IsAddedGameObjectOverride(Find(scene, "Lamp/Cable")));
            string text = SceneSaver.Text(scene.Data);
            SceneData again = SceneFile.Read("Assets/A.unity", "", text, null);
            SceneData.All.Add(again);
            Assert.AreEqual("Lamp(Cable Bulb)", Tree(again.Scene));
            Assert.AreEqual(text, SceneSaver.Text(again));
        }

        [Test]
        public void ChangesAreWrittenAsOverrides()
        {
            string guid = Lamp();
            Write("Assets/A.unity", Head + Instance(500, guid, Change(100, guid, "m_Name", "Lamp")
                + Change(101, guid, "m_LocalPosition.x", "1")));
            Scene scene = Open("Assets/A.unity");
            LightOf(scene, "Lamp/Bulb").intensity = 8;
            Find(scene, "Lamp").transform.localPosition = new Vector3(4, 2, 3);
            Find(scene, "Lamp").AddComponent<BoxCollider>();
            Object.DestroyImmediate(Find(scene, "Lamp/Bulb").GetComponent<Light>());
            Find(scene, "Lamp/Bulb").name = "Dark bulb";
            EditorSceneManager.SaveScene(scene);
            string text = File.ReadAllText(Root + "/Assets/A.unity");
            StringAssert.Contains(Change(101, guid, "m_LocalPosition.x", "4"), text);
            StringAssert.Contains(Change(110, guid, "m_Name", "Dark bulb"), text);
            StringAssert.Contains("    m_RemovedComponents:\n    - {fileID: 120, guid: " + guid + ", type: 3}\n", text);
            Scene again = Open("Assets/A.unity");
            Assert.AreEqual("Lamp(Dark bulb)", Tree(again));
            Assert.AreEqual("Transform BoxCollider", Parts(Find(again, "Lamp")));
            Assert.AreEqual("Transform", Parts(Find(again, "Lamp/Dark bulb")));
            Assert.AreEqual(4f, Find(again, "Lamp").transform.localPosition.x);
        }

        [Test]
        public void AReferenceIntoAnInstanceNeedsAStandIn()
        {
            string guid = Lamp();
            Write("Assets/A.unity", Head + Instance(500, guid) + GameObject(10, "Other", 0));
            Scene scene = Open("Assets/A.unity");
            var joint = Find(scene, "Other").AddComponent<SpringJoint>();
            joint.m_ConnectedBody = Find(scene, "Lamp/Bulb").AddComponent<Rigidbody>();
            Find(scene, "Other").transform.SetParent(Find(scene, "Lamp/Bulb").transform, false);
            EditorSceneManager.SaveScene(scene);
            StringAssert.Contains(" stripped\nTransform:\n  m_CorrespondingSourceObject: {fileID: 111, guid: " + guid,
                File.ReadAllText(Root + "/Assets/A.unity"));
            Scene again = Open("Assets/A.unity");
            Assert.AreEqual("Lamp(Bulb(Other))", Tree(again));
            Assert.AreSame(Find(again, "Lamp/Bulb").GetComponent<Rigidbody>(),
                Find(again, "Lamp/Bulb/Other").GetComponent<SpringJoint>().m_ConnectedBody);
        }

        [Test]
        public void AMissingPrefabIsOneObjectAndKeepsItsOverrides()
        {
            const string gone = "0123456789abcdef0123456789abcdef";
            Write("Assets/A.unity", Head + Instance(500, gone, Change(100, gone, "m_Name", "Was here")
                + Change(77, gone, "m_Mass", "3")));
            Scene scene = Open("Assets/A.unity");
            Assert.AreEqual("Was here", Tree(scene));
            GameObject root = scene.GetRootGameObjects()[0];
            Assert.IsTrue(PrefabUtility.IsPrefabAssetMissing(root));
            Assert.AreEqual(PrefabInstanceStatus.MissingAsset, PrefabUtility.GetPrefabInstanceStatus(root));
            Assert.AreEqual("", PrefabUtility.GetPrefabAssetPathOfNearestInstanceRoot(root));
            EditorSceneManager.SaveScene(scene);
            StringAssert.Contains(Change(77, gone, "m_Mass", "3"), File.ReadAllText(Root + "/Assets/A.unity"));
        }

        [Test]
        public void AMissingNestedPrefabIsItsOwnRoot()
        {
            const string gone = "0123456789abcdef0123456789abcdef";
            string room = Write("Assets/Room.prefab", Head + GameObject(200, "Room", 0, "290")
                + Instance(250, gone, Change(100, gone, "m_Name", "Was here"), "", 201)
                + StandIn(290, 4, "Transform", 101, gone, 250));
            Write("Assets/A.unity", Head + Instance(500, room));
            Scene scene = Open("Assets/A.unity");
            GameObject nested = Find(scene, "Room/Was here");
            Assert.IsTrue(PrefabUtility.IsAnyPrefabInstanceRoot(nested));
            Assert.IsFalse(PrefabUtility.IsOutermostPrefabInstanceRoot(nested));
            Assert.AreEqual("", PrefabUtility.GetPrefabAssetPathOfNearestInstanceRoot(nested));
            Assert.AreEqual("Assets/Room.prefab",
                PrefabUtility.GetPrefabAssetPathOfNearestInstanceRoot(Find(scene, "Room")));
        }

        [Test]
        public void ARecursivePrefabTerminates()
        {
            string guid = GuidFor("Assets/Loop.prefab");
            Write("Assets/Loop.prefab", Head + GameObject(100, "Loop", 0) + Instance(150, guid, "", "", 101));
            Write("Assets/A.unity", Head + Instance(500, guid));
            Assert.AreEqual("Loop", Tree(Open("Assets/A.unity")));
        }

        [Test]
        public void AModelIsReadFromItsMeta()
        {
            string guid = Write("Assets/Tree.fbx", "not read", "ModelImporter:\n  fileIDToRecycleName:\n"
                + "    100000: //RootNode\n    100002: Trunk\n    400000: //RootNode\n    400002: Trunk\n"
                + "    2300000: Trunk\n    3300000: Trunk\n"
                + "    4300000: TrunkMesh\n  animationType: 0\n");
            Write("Assets/A.unity", Head + Instance(500, guid, Change(100000, guid, "m_Name", "Oak")
                + Change(2300000, guid, "m_CastShadows", "2")));
            Scene scene = Open("Assets/A.unity");
            Assert.AreEqual("Oak(Trunk)", Tree(scene));
            Assert.AreEqual("Transform MeshFilter MeshRenderer", Parts(Find(scene, "Oak/Trunk")));
            DataNode renderer = Serializer.Write(Find(scene, "Oak/Trunk").GetComponent<MeshRenderer>());
            Assert.AreEqual("2", renderer.Get("m_CastShadows").Text);
            Assert.AreEqual(PrefabAssetType.Model, PrefabUtility.GetPrefabAssetType(Find(scene, "Oak")));
            Assert.AreEqual("TrunkMesh", AssetDatabase.LoadAssetAtPath<Mesh>("Assets/Tree.fbx").name);
        }

        [Test]
        public void NewInstances()
        {
            Lamp();
            Scene scene = EditorSceneManager.NewScene(NewSceneSetup.EmptyScene);
            var asset = AssetDatabase.LoadAssetAtPath<GameObject>("Assets/Lamp.prefab");
            var created = (GameObject)PrefabUtility.InstantiatePrefab(asset);
            Assert.AreEqual("Lamp(Bulb)", Tree(scene));
            Assert.AreSame(asset, PrefabUtility.GetCorrespondingObjectFromSource(created));
            EditorSceneManager.SaveScene(scene, "Assets/B.unity");
            Assert.AreEqual("Lamp(Bulb)", Tree(Open("Assets/B.unity")));
        }

        [Test]
        public void PropertyModifications()
        {
            string guid = Lamp();
            Write("Assets/A.unity", Head + Instance(500, guid));
            Scene scene = Open("Assets/A.unity");
            Assert.IsEmpty(PrefabUtility.GetPropertyModifications(Find(scene, "Lamp")));
            LightOf(scene, "Lamp/Bulb").range = 3;
            PropertyModification[] changes = PrefabUtility.GetPropertyModifications(Find(scene, "Lamp"));
            Assert.AreEqual(1, changes.Length);
            Assert.AreEqual("m_Range", changes[0].propertyPath);
            Assert.AreEqual("3", changes[0].value);
            Assert.IsTrue(changes[0].target is Light);
            Assert.IsTrue(OverrideFinder.IsOverridden(LightOf(scene, "Lamp/Bulb"), "m_Range"));
            Assert.IsFalse(OverrideFinder.IsOverridden(LightOf(scene, "Lamp/Bulb"), "m_Intensity"));
        }
    }
}
