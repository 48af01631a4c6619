using System.Collections.Generic;
using NUnit.Framework;
using Standin.Tests;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Multiverse.Editor.Tests
{
    /// <summary>find_assets and its parts, with files of each test.</summary>
    public class FindTests : ProjectFixture
    {
        const string Controller = Head
            + "--- !u!91 &9100000\nAnimatorController:\n  m_ObjectHideFlags: 0\n  m_Name: Ani\n"
            + "--- !u!74 &8\nAnimationClip:\n  m_ObjectHideFlags: 1\n  m_Name: Hidden\n"
            + "--- !u!74 &6\nAnimationClip:\n  m_ObjectHideFlags: 0\n  m_Name: In\n"
            + "--- !u!74 &7\nAnimationClip:\n  m_ObjectHideFlags: 0\n  m_Name: In\n"
            + "--- !u!74 &9\nAnimationClip:\n  m_ObjectHideFlags: 0\n  m_Name: Do\n";

        static JsonValue Find(string arguments)
        {
            var call = new ToolCall("1", JsonReader.Read(arguments.Replace('\'', '"')));
            IEnumerator<Pause> run = new FindAssets().Run(call);
            while (run.MoveNext())
                continue;
            return JsonReader.Read(call.Out.ToString());
        }

        /* The names of the assets, with * if the reference needs the name. */
        static string Names(string arguments)
        {
            var names = new List<string>();
            foreach (JsonValue item in Find(arguments).Get("assets").Items)
                names.Add(item.GetString("name", "") + (item.Get("set").Has("name") ? "*" : ""));
            return string.Join(" ", names.ToArray());
        }

        [Test]
        public void AmbiguousAndHiddenObjectsAreNotListed()
        {
            Write("Assets/Ani.controller", Controller);
            Assert.AreEqual("Do* In*", Names("{'type':'AnimationClip'}"));
            foreach (JsonValue item in Find("{'type':'AnimationClip'}").Get("assets").Items)
            {
                string problem;
                var finder = new AssetFinder(item.Get("set").GetString("$asset", ""), item.Get("set").GetString("name", ""),
                                             FieldTypes.Of(typeof(AnimationClip)));
                Object found = finder.Find(out problem);
                Assert.IsTrue(found != null, problem);
                Assert.AreEqual(item.GetString("name", ""), found.name);
            }
        }

        [Test]
        public void ASheetHasItsSpritesAndASingleImageOne()
        {
            Write("Assets/One.png", "", "TextureImporter:\n  spriteMode: 1\n");
            Write("Assets/Plain.png", "", "TextureImporter:\n  spriteMode: 0\n");
            Write("Assets/Sheet.png", "", "TextureImporter:\n  spriteMode: 2\n  internalIDToNameTable:\n"
                + "  - first:\n      213: 5\n    second: b\n  - first:\n      213: 6\n    second: a\n");
            Assert.AreEqual("One a* b*", Names("{'type':'Sprite'}"));
            Assert.AreEqual("One Plain Sheet", Names("{'type':'Texture'}"));
            Assert.AreEqual("One Plain Sheet", Names("{'folder':'Assets'}"));
            Assert.AreEqual("a* b*", Names("{'type':'Sprite','query':'SHEET'}"));
            Assert.AreEqual("b*", Names("{'type':'Sprite','offset':2}"));
        }

        [Test]
        public void OnlyExistingFoldersAreAccepted()
        {
            Write("Assets/A/One.png", "", "TextureImporter:\n  spriteMode: 1\n");
            Write("Assets/AB/Two.png", "", "TextureImporter:\n  spriteMode: 1\n");
            Write("Assets/A.meta", "fileFormatVersion: 2\nguid: " + GuidFor("Assets/A") + "\n");
            Assert.AreEqual("One Two", Names("{'folder':'Assets'}"));
            Assert.AreEqual("", Names("{'folder':'Packages','type':'Texture'}"));
            ToolError e = Assert.Throws<ToolError>(() => Find("{'folder':'Assets/Nowhere'}"));
            Assert.AreEqual("ERR_INVALID_PARAMS", e.Code);
        }

        [Test]
        public void ATypeMustBeAnObjectClass()
        {
            Assert.AreEqual("ERR_TYPE_NOT_FOUND", Assert.Throws<ToolError>(() => Find("{'type':'Nothing'}")).Code);
            Assert.AreEqual("ERR_TYPE_NOT_FOUND",
                            Assert.Throws<ToolError>(() => Find("{'type':'UnityEngine.Vector3'}")).Code);
            Assert.AreEqual(typeof(SceneAsset), TypeNames.Find(" SceneAsset ", ""));
            Assert.AreEqual(typeof(Material), TypeNames.Find("UnityEngine.Material", ""));
        }
    }
}
