using NUnit.Framework;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    public class HierarchyTests : ToolTest
    {
        [Test]
        public void ATreeHasPathsAndComponents()
        {
            GameObject root = Make("Multiverse Test Root");
            new GameObject("Child").transform.SetParent(root.transform);
            new GameObject("Child").transform.SetParent(root.transform);
            root.AddComponent<BoxCollider>();
            JsonValue answer = Call("get_scene_hierarchy", "{'root_path':'/Multiverse Test Root'}");
            JsonValue node = answer.Get("root_game_objects").Items[0];
            Assert.AreEqual(3, answer.GetLong("total_game_objects", 0));
            Assert.AreEqual("/Multiverse Test Root", node.GetString("path", null));
            Assert.AreEqual("UnityEngine.Transform", node.Get("components").Items[0].AsString);
            Assert.AreEqual("UnityEngine.BoxCollider", node.Get("components").Items[1].AsString);
            Assert.AreEqual("/Multiverse Test Root/Child", node.Get("children").Items[0].GetString("path", null));
            Assert.AreEqual("/Multiverse Test Root/Child[1]", node.Get("children").Items[1].GetString("path", null));
        }

        [Test]
        public void EveryPathFindsItsObject()
        {
            GameObject root = Make("Multiverse/Test\\");
            var names = new[] { "A", "A", "A[1]", "", "B/C", "A" };
            foreach (string name in names)
                new GameObject(name).transform.SetParent(root.transform);
            ScenePaths paths = ScenePaths.OfActiveScene();
            foreach (Transform child in root.transform)
                Assert.AreSame(child.gameObject, paths.Find(paths.PathOf(child.gameObject)));
        }

        [Test]
        public void AnUnknownPathIsAnErrorWithASuggestion()
        {
            Make("Multiverse Test Root");
            ToolError e = ExpectError("get_scene_hierarchy", "{'root_path':'/Multiverse Test Rot'}");
            Assert.AreEqual("ERR_OBJECT_NOT_FOUND", e.Code);
            StringAssert.Contains("/Multiverse Test Root", e.Message);
        }
    }
}
