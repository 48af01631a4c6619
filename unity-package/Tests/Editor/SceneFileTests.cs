using System;
using System.IO;
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
        public void AMissingSceneIsNotOpened()
        {
            Scene before = SceneManager.GetActiveScene();
            ToolError e = ExpectError("open_scene", "{'path':'Assets/multiverse/no such.unity','discard_changes':true}");
            Assert.AreEqual("ERR_SCENE_NOT_FOUND", e.Code);
            Assert.IsTrue(before == SceneManager.GetActiveScene());
        }

        [Test]
        public void UnsavedChangesAreNamedAndNotLost()
        {
            GameObject o = Make("Multiverse Test Change");
            EditorSceneManager.MarkSceneDirty(o.scene);
            ToolError e = ExpectError("open_scene", "{'path':'Assets/multiverse/any.unity'}");
            Assert.AreEqual("ERR_UNSAVED_CHANGES", e.Code);
            StringAssert.Contains("discard_changes", e.Message);
            Assert.IsTrue(o != null);
        }

        /* Uses its own folder and deletes it. */
        [Test]
        public void ScenesSideBySideAreSavedAndReplaced()
        {
            string name = "Multiverse Test " + Guid.NewGuid().ToString("N");
            string a = "Assets/" + name + "/A.unity", b = "Assets/" + name + "/B.unity";
            Directory.CreateDirectory(Path.Combine(Application.dataPath, name));
            AssetDatabase.Refresh();
            try
            {
                Scene first = EditorSceneManager.NewScene(NewSceneSetup.EmptyScene, NewSceneMode.Single);
                EditorSceneManager.SaveScene(first, a);
                Scene second = EditorSceneManager.NewScene(NewSceneSetup.EmptyScene, NewSceneMode.Additive);
                EditorSceneManager.SaveScene(second, b);
                CheckSideBySide(first, a, second, b);
            }
            finally
            {
                EditorSceneManager.NewScene(NewSceneSetup.EmptyScene, NewSceneMode.Single);
                AssetDatabase.DeleteAsset("Assets/" + name);
            }
        }

        static void CheckSideBySide(Scene first, string a, Scene second, string b)
        {
            SceneManager.SetActiveScene(first);
            EditorSceneManager.MarkSceneDirty(first);
            EditorSceneManager.MarkSceneDirty(second);
            ToolError e = ExpectError("open_scene", "{'path':'" + b + "'}");
            Assert.AreEqual(a + " and " + b + " have unsaved changes: save in Unity first, or open_scene with " +
                            "discard_changes", e.Message);

            JsonValue saved = Call("save_scene", "{}");
            Assert.IsTrue(saved.GetBool("saved", false));
            Assert.IsTrue(saved.GetLong("bytes", 0) > 0);
            Assert.AreEqual(a, saved.GetString("scene_path", null));
            Assert.IsFalse(Call("save_scene", "{}").GetBool("saved", true));
            e = ExpectError("open_scene", "{'path':'" + b + "'}");
            StringAssert.StartsWith(b + " has unsaved changes: save in Unity first", e.Message);

            JsonValue opened = Call("open_scene", "{'path':'" + b + "','discard_changes':true}");
            Assert.AreEqual(a, opened.GetString("previous_scene_path", null));
            Assert.AreEqual("B", opened.GetString("scene_name", null));
            Assert.AreEqual(1, SceneManager.sceneCount);
            Assert.IsFalse(SceneManager.GetActiveScene().isDirty);
        }

        /* The test runner's scene has no file. */
        [Test]
        public void ASceneWithoutAFileIsNotSaved()
        {
            GameObject o = Make("Multiverse Test Change");
            Assume.That(o.scene.path, Is.EqualTo(""));
            EditorSceneManager.MarkSceneDirty(o.scene);
            Assert.AreEqual("ERR_SCENE_UNTITLED", ExpectError("save_scene", "{}").Code);
        }
    }
}
