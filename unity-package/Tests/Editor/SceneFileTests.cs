using NUnit.Framework;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor.Tests
{
    public class SceneFileTests : ToolTest
    {
        [Test]
        public void ScenesAreListedByPath()
        {
            string last = "";
            foreach (JsonValue scene in Call("list_scenes", "{'max_results':1000}").Get("scenes").Items)
            {
                string path = scene.GetString("path", "");
                Assert.IsTrue(string.CompareOrdinal(last, path) < 0);
                Assert.IsTrue(AssetDatabase.GetMainAssetTypeAtPath(path) == typeof(SceneAsset));
                last = path;
            }
        }

        [Test]
        public void ASceneThatIsNotThereIsNotOpened()
        {
            Scene before = SceneManager.GetActiveScene();
            ToolError e = Fault("open_scene", "{'path':'Assets/multiverse/no such.unity','discard_changes':true}");
            Assert.AreEqual("ERR_SCENE_NOT_FOUND", e.Code);
            Assert.IsTrue(before == SceneManager.GetActiveScene());
        }

        [Test]
        public void UnsavedChangesAreNamedAndNotLost()
        {
            GameObject o = Make("Multiverse Test Change");
            EditorSceneManager.MarkSceneDirty(o.scene);
            ToolError e = Fault("open_scene", "{'path':'Assets/multiverse/any.unity'}");
            Assert.AreEqual("ERR_UNSAVED_CHANGES", e.Code);
            StringAssert.Contains("discard_changes", e.Message);
            Assert.IsTrue(o != null);
        }

        /* The test runner's scene has no file. */
        [Test]
        public void ASceneWithoutAFileIsNotSaved()
        {
            GameObject o = Make("Multiverse Test Change");
            Assume.That(o.scene.path, Is.EqualTo(""));
            EditorSceneManager.MarkSceneDirty(o.scene);
            Assert.AreEqual("ERR_SCENE_UNTITLED", Fault("save_scene", "{}").Code);
        }
    }
}
