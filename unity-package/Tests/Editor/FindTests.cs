using NUnit.Framework;
using UnityEditor;

namespace Multiverse.Editor.Tests
{
    public class FindTests : ToolTest
    {
        [Test]
        public void ClassesAreSortedAndDeriveFromTheirBase()
        {
            string last = "", all = " ";
            JsonValue found = Call("find_component_types", "{'base':'Collider','max_results':1000}");
            foreach (JsonValue type in found.Get("types").Items)
            {
                string name = type.GetString("name", "");
                Assert.IsTrue(string.CompareOrdinal(last, name) <= 0);
                all += type.GetString("type", "") + " ";
                last = name;
            }
            StringAssert.Contains(" UnityEngine.BoxCollider ", all);
            Assert.IsFalse(all.Contains(" UnityEngine.Collider "));
            Assert.AreEqual("ERR_TYPE_NOT_FOUND", ExpectError("find_component_types", "{'base':'Multiverse.Nothing'}").Code);
        }

        [Test]
        public void AFoundClassCanBeAdded()
        {
            Make("Multiverse Test Find");
            string type = Call("find_component_types", "{'query':'UnityEngine.SphereCollider'}").Get("types").Items[0]
                .GetString("type", "");
            JsonValue answer = Call("manage_component", "{'action':'add','game_object_path':'/Multiverse Test Find'," +
                                    "'component_type':'" + type + "'}");
            Assert.AreEqual("UnityEngine.SphereCollider", answer.GetString("component_type", ""));
        }

        [Test]
        public void ScenesAreAssets()
        {
            string last = "";
            foreach (JsonValue scene in Call("find_assets", "{'type':'SceneAsset','max_results':1000}").Get("assets").Items)
            {
                string path = scene.GetString("path", "");
                Assert.IsTrue(string.CompareOrdinal(last, path) < 0);
                Assert.IsTrue(AssetDatabase.GetMainAssetTypeAtPath(path) == typeof(SceneAsset));
                Assert.AreEqual(AssetDatabase.AssetPathToGUID(path), scene.GetString("guid", ""));
                Assert.AreEqual(path, scene.Get("set").GetString("$asset", ""));
                last = path;
            }
            Assert.AreEqual("ERR_INVALID_PARAMS", ExpectError("find_assets", "{'folder':'Assets/multiverse none'}").Code);
        }
    }
}
