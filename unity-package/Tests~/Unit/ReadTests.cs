using System.Collections.Generic;
using NUnit.Framework;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    /// <summary>get_scene_hierarchy, get_component_info and their paths.</summary>
    public class ReadTests : EditFixture
    {
        static GameObject Make(string name, GameObject parent = null)
        {
            var created = new GameObject(name);
            if (parent != null)
                created.transform.SetParent(parent.transform);
            return created;
        }

        static JsonValue Hierarchy(string arguments = "{}") { return Call(new GetSceneHierarchy(), arguments); }

        static JsonValue Info(string path, int index, string more = "")
        {
            return Call(new GetComponentInfo(), "{'game_object_path':'" + path + "','index':" + index + more + "}");
        }

        static string Text(JsonValue value)
        {
            var w = new JsonWriter();
            w.Value(value);
            return w.ToString().Replace('"', '\'');
        }

        /* One field of the second component of /Zoo. */
        static string Field(string name, string more = "")
        {
            JsonValue fields = Info("/Zoo", 1, more).Get("fields");
            Assert.IsTrue(fields.Has(name), Text(fields));
            return Text(fields.Get(name));
        }

        // ---- paths

        static List<GameObject> Everything(ScenePaths paths)
        {
            var all = new List<GameObject>(paths.Scene.GetRootGameObjects());
            for (int i = 0; i < all.Count; i++)
                foreach (Transform child in all[i].transform)
                    all.Add(child.gameObject);
            return all;
        }

        [Test]
        public void EveryPathFindsItsObject()
        {
            string[] names = { "A", "A", "A[1]", "A[1]", "", "", "a/b", "a\\/b", "a\\", "\\", "[1]", "A[0]" };
            foreach (string name in names)
            {
                GameObject root = Make(name);
                root.SetActive(name.Length != 1);
                foreach (string below in names)
                    Make(below, root);
            }
            ScenePaths paths = ScenePaths.OfActiveScene();
            var seen = new HashSet<string>();
            List<GameObject> all = Everything(paths);
            Assert.AreEqual(names.Length * (names.Length + 1), all.Count);
            foreach (GameObject o in all)
            {
                string path = paths.PathOf(o);
                Assert.IsTrue(seen.Add(path), path);
                Assert.AreSame(o, paths.Find(path), path);
            }
        }

        [Test]
        public void OtherPathFormsAreAccepted()
        {
            GameObject canvas = Make("Canvas"), first = Make("Panel", canvas), second = Make("Panel", canvas);
            GameObject title = Make("Title", second);
            ScenePaths paths = ScenePaths.OfActiveScene();
            Assert.AreEqual("/Canvas/Panel[1]/Title", paths.PathOf(title));
            Assert.AreSame(canvas, paths.Find("/Canvas/"));
            Assert.AreSame(canvas, paths.Find("Canvas"));
            Assert.AreSame(first, paths.Find("/Canvas/Panel[0]"));
            Assert.AreSame(first, paths.Find("Panel"));
            Assert.AreSame(second, paths.Find("Panel[1]"));
            Assert.AreSame(title, paths.Find("Panel/Title"), "of the panels the one that has it");
            Assert.AreSame(title, paths.Find("Title"));
            Assert.IsNull(paths.Find("/Title"));
            Assert.IsNull(paths.Find("/Canvas/Panel//"));
            Assert.IsNull(paths.Find(""));
        }

        [Test]
        public void OnlyActiveObjectsAreFoundAnywhere()
        {
            GameObject root = Make("Root"), off = Make("Off", root), below = Make("Below", off);
            off.SetActive(false);
            ScenePaths paths = ScenePaths.OfActiveScene();
            Assert.IsNull(paths.Find("Below"));
            Assert.IsNull(paths.Find("Off"));
            Assert.AreSame(below, paths.Find("Root/Off/Below"));
            root.SetActive(false);
            Assert.AreSame(root, paths.Find("Root"), "a root is found, active or not");
        }

        [Test]
        public void AnErrorSuggestsAnExistingObject()
        {
            GameObject player = Make("Player");
            Make("Weapon", player);
            Make("Weapon", player);
            ScenePaths paths = ScenePaths.OfActiveScene();
            Assert.AreEqual("there is no GameObject at /Plyer in the scene, which was never saved; " +
                            "did you mean /Player?", paths.NotFound("/Plyer").Message);
            StringAssert.EndsWith("; did you mean /Player/Weapon?", paths.NotFound("/Player/Waepon").Message);
            StringAssert.EndsWith("; there is /Player with 2 children", paths.NotFound("/Player/Zebra/X").Message);
            Refused("ERR_OBJECT_NOT_FOUND", () => Info("/Zebra", 0));
            Refused("ERR_OBJECT_NOT_FOUND", () => Hierarchy("{'root_path':'/Zebra'}"));
        }

        [Test]
        public void AnObjectOfAnotherSceneHasNoPath()
        {
            Assert.IsNull(ScenePaths.OfActiveScene().PathOf(null));
        }

        // ---- the hierarchy

        [Test]
        public void TheHierarchyIsATree()
        {
            GameObject player = Make("Player"), model = Make("Model", player);
            player.AddComponent<Rigidbody>();
            model.SetActive(false);
            JsonValue answer = Hierarchy();
            Assert.AreEqual(
                "[{'name':'Player','path':'/Player','active':true," +
                "'components':['UnityEngine.Transform','UnityEngine.Rigidbody']," +
                "'children':[{'name':'Model','path':'/Player/Model','active':false," +
                "'components':['UnityEngine.Transform'],'children':[]}]}]", Text(answer.Get("root_game_objects")));
            Assert.AreEqual(2, answer.GetLong("total_game_objects", -1));
            Assert.AreEqual(2, answer.GetLong("returned_game_objects", -1));
            Assert.IsFalse(answer.GetBool("truncated", true));
        }

        /* The names in order of the answer; "..." for omitted children. */
        static string Shape(JsonValue nodes)
        {
            if (nodes.IsString)
                return nodes.AsString;
            var parts = new List<string>();
            foreach (JsonValue node in nodes.Items)
            {
                string below = Shape(node.Get("children"));
                parts.Add(node.GetString("name", "") + (below.Length > 0 ? "(" + below + ")" : ""));
            }
            return string.Join(" ", parts.ToArray());
        }

        [Test]
        public void TheCutIsBreadthFirst()
        {
            foreach (string name in new[] { "A", "B" })
            {
                GameObject root = Make(name);
                for (int i = 1; i < 4; i++)
                    Make(name + "x", Make(name + i, root));
            }
            JsonValue five = Hierarchy("{'max_game_objects':6}");
            Assert.AreEqual("A(A1(...) A2(...) A3(...)) B(B1(...))", Shape(five.Get("root_game_objects")));
            Assert.AreEqual(14, five.GetLong("total_game_objects", -1));
            Assert.AreEqual(6, five.GetLong("returned_game_objects", -1));
            Assert.IsTrue(five.GetBool("truncated", false));
            JsonValue one = Hierarchy("{'max_depth':0}");
            Assert.AreEqual("A(...) B(...)", Shape(one.Get("root_game_objects")));
            Assert.IsTrue(one.GetBool("truncated", false));
            JsonValue below = Hierarchy("{'root_path':'/A/A2'}");
            Assert.AreEqual("A2(Ax)", Shape(below.Get("root_game_objects")));
            Assert.AreEqual(2, below.GetLong("total_game_objects", -1));
            Assert.IsFalse(below.GetBool("truncated", true));
            Assert.AreEqual("A", Shape(Hierarchy("{'max_game_objects':1}").Get("root_game_objects")).Substring(0, 1));
        }

        [Test]
        public void HierarchyPathsEqualScenePaths()
        {
            foreach (string name in new[] { "A", "A", "A[1]", "a/b" })
                for (int i = 0; i < 2; i++)
                    Make("x", Make(name));
            ScenePaths paths = ScenePaths.OfActiveScene();
            JsonValue[] roots = Hierarchy().Get("root_game_objects").Items;
            GameObject[] objects = paths.Scene.GetRootGameObjects();
            for (int i = 0; i < roots.Length; i++)
                Assert.AreEqual(paths.PathOf(objects[i]), roots[i].GetString("path", ""));
            Assert.AreEqual("/A[1]/x", roots[4].Get("children").Items[0].GetString("path", ""));
        }

        [Test]
        public void ALargeHierarchyIsBuiltInSlices()
        {
            for (int i = 0; i < 100; i++)
            {
                GameObject root = Make("R");
                for (int k = 0; k < 9; k++)
                    Make("x", root);
            }
            var call = new ToolCall("1", JsonReader.Read("{}"));
            int pauses = 0;
            for (IEnumerator<Pause> run = new GetSceneHierarchy().Run(call); run.MoveNext(); pauses++)
                Assert.AreEqual(Pause.Step, run.Current);
            Assert.IsTrue(pauses >= 100, pauses + " pauses");
            Assert.AreEqual(1000, JsonReader.Read(call.Out.ToString()).GetLong("returned_game_objects", -1));
        }

        [Test]
        public void ObjectsDestroyedMeanwhileAreSkipped()
        {
            var roots = new List<GameObject>();
            for (int i = 0; i < 100; i++)
            {
                roots.Add(Make("R"));
                Make("x", roots[i]);
            }
            var call = new ToolCall("1", JsonReader.Read("{}"));
            int at = 0;
            for (IEnumerator<Pause> run = new GetSceneHierarchy().Run(call); run.MoveNext(); at++)
                if (at < roots.Count)
                    Object.DestroyImmediate(roots[at]);
            JsonValue answer = JsonReader.Read(call.Out.ToString());
            Assert.IsTrue(answer.GetLong("returned_game_objects", -1) < 200);
        }

        // ---- fields

        [Test]
        public void NumbersAndTextsArePlain()
        {
            EditZoo zoo = Make("Zoo").AddComponent<EditZoo>();
            zoo.unsignedWide = ulong.MaxValue;
            zoo.wide = long.MinValue;
            zoo.unsignedWhole = uint.MaxValue;
            zoo.signedSmall = -5;
            zoo.letter = 'ä';
            zoo.precise = 0.1;
            zoo.real = float.NaN;
            zoo.flag = true;
            Assert.AreEqual("18446744073709551615", Field("unsignedWide"));
            Assert.AreEqual("-9223372036854775808", Field("wide"));
            Assert.AreEqual("4294967295", Field("unsignedWhole"));
            Assert.AreEqual("-5", Field("signedSmall"));
            Assert.AreEqual("228", Field("letter"));
            Assert.AreEqual("0.1", Field("precise"));
            Assert.AreEqual("'NaN'", Field("real"));
            Assert.AreEqual("true", Field("flag"));
            Assert.AreEqual("'plain'", Field("text"));
            Assert.AreEqual("null", Field("other"));
            Assert.AreEqual("true", Field("m_Enabled"));
            Assert.AreEqual("5", Field("hidden"));
            Assert.AreEqual("0", Field("Lives"));
        }

        [Test]
        public void OtherValuesHaveTheirType()
        {
            EditZoo zoo = Make("Zoo").AddComponent<EditZoo>();
            const string space = "Multiverse.Editor.Tests.";
            zoo.sides = EditSides.Left | EditSides.Right;
            zoo.mask = -1;
            Assert.AreEqual("{'type':'" + space + "EditSize','value':'Small'}", Field("size"));
            Assert.AreEqual("{'type':'" + space + "EditSides','value':'Left, Right'}", Field("sides"));
            Assert.AreEqual("{'type':'UnityEngine.Vector3','value':{'x':1.0,'y':2.0,'z':3.0}}", Field("three"));
            Assert.AreEqual("{'type':'UnityEngine.Color','value':{'r':0.1,'g':0.2,'b':0.3,'a':0.4}}", Field("tint"));
            Assert.AreEqual("{'type':'UnityEngine.Color32','value':{'r':0.039215688,'g':0.078431375," +
                            "'b':0.11764706,'a':0.15686275}}", Field("tint32"));
            Assert.AreEqual("{'type':'UnityEngine.Rect','value':{'x':1.0,'y':2.0,'width':3.0,'height':4.0}}",
                            Field("area"));
            Assert.AreEqual("{'type':'UnityEngine.Bounds','value':{'center':{'x':1.0,'y':1.0,'z':1.0}," +
                            "'size':{'x':2.0,'y':4.0,'z':6.0}}}", Field("extent"));
            Assert.AreEqual("{'type':'UnityEngine.LayerMask','value':4294967295}", Field("mask"));
            Assert.AreEqual("{'type':'UnityEngine.AnimationCurve','value':{'keyCount':0,'timeRange':[]}}",
                            Field("fade"));
            Assert.AreEqual("{'type':'UnityEngine.Gradient','value':{'colorKeyCount':2,'alphaKeyCount':2," +
                            "'mode':'Blend'}}", Field("ramp"));
            Assert.AreEqual("{'type':'System.Int32[]','value':[1,2,3]}", Field("numbers"));
            Assert.AreEqual("{'type':'System.Collections.Generic.List<System.String>','value':[]}", Field("words"));
            Assert.AreEqual("{'type':'" + space + "EditChest','value':{'label':'chest','amount':3," +
                            "'bolt':{'type':'" + space + "EditLock','value':{'code':1234,'hint':'none'}}," +
                            "'tint':{'type':'UnityEngine.Color','value':{'r':1.0,'g':0.0,'b':0.0,'a':1.0}}," +
                            "'weights':{'type':'System.Single[]','value':[1.0,2.0]}}}", Field("best"));
        }

        [Test]
        public void ValuesBelowTheDepthLimitAreOmitted()
        {
            const string deep = "Multiverse.Editor.Tests.EditDeep";
            Make("Zoo").AddComponent<EditZoo>();
            Assert.AreEqual("{'type':'" + deep + "','value':{'two':{'type':'" + deep + "+Two','value':{'three':" +
                            "{'type':'" + deep + "+Two+Three','value':{'four':'...','number':0}}}}}}", Field("deep"));
        }

        [Test]
        public void LongArraysAreTruncated()
        {
            Make("Zoo").AddComponent<EditZoo>();
            Assert.AreEqual("{'type':'System.Int32[]','value':[1,2],'_truncated':true,'_total_count':3}",
                            Field("numbers", ",'max_array_elements':2"));
            Assert.AreEqual("{'type':'System.Int32[]','_total_count':3}",
                            Field("numbers", ",'max_array_elements':0"));
        }

        [Test]
        public void ReferencesHaveAPath()
        {
            EditZoo zoo = Make("Zoo").AddComponent<EditZoo>();
            GameObject hero = Make("Hero", Make("Group"));
            zoo.other = hero;
            zoo.link = hero.transform;
            zoo.part = hero.AddComponent<Rigidbody>();
            zoo.points = new[] { hero.transform, null };
            Assert.AreEqual("{'type':'UnityEngine.GameObject','value':'Hero','is_object_ref':true," +
                            "'ref_path':'/Group/Hero'}", Field("other"));
            Assert.AreEqual("{'type':'UnityEngine.Transform','value':'Hero (Transform)','is_object_ref':true," +
                            "'ref_path':'/Group/Hero'}", Field("link"));
            Assert.AreEqual("{'type':'UnityEngine.Component','value':'Hero (Rigidbody)','is_object_ref':true," +
                            "'ref_path':'/Group/Hero'}", Field("part"));
            Assert.AreEqual("{'type':'UnityEngine.Transform[]','value':[{'value':'Hero (Transform)'," +
                            "'is_object_ref':true,'ref_path':'/Group/Hero'},null]}", Field("points"));
            Object.DestroyImmediate(hero);
            Assert.AreEqual("{'type':'UnityEngine.Transform','value':'Missing (Transform)','is_object_ref':true}",
                            Field("link"));
        }

        [Test]
        public void GenericsManagedReferencesAndEventsAreShown()
        {
            ReadZoo zoo = Make("Zoo").AddComponent<ReadZoo>();
            const string space = "Multiverse.Editor.Tests.";
            zoo.shape = new ReadFrame { inner = new ReadCircle() };
            zoo.shapes.Add(new ReadCircle());
            zoo.shapes.Add(null);
            zoo.references.Add(zoo);
            Assert.AreEqual("0.0", Field("inherited"));
            Assert.AreEqual("{'type':'" + space + "ReadIntBox','value':{'held':0," +
                            "'more':{'type':'System.Int32[]','value':[]}}}", Field("box"));
            string circle = "{'type':'" + space + "ReadCircle','value':{'radius':2.0}}";
            Assert.AreEqual("{'type':'" + space + "ReadFrame','value':{'inner':" + circle + "}}", Field("shape"));
            Assert.AreEqual("{'type':'System.Collections.Generic.List<" + space + "IReadShape>','value':[" + circle +
                            ",null]}", Field("shapes"));
            Assert.AreEqual("{'type':'System.Collections.Generic.List<UnityEngine.Component>','value':" +
                            "[{'value':'Zoo (ReadZoo)','is_object_ref':true,'ref_path':'/Zoo'}]}", Field("references"));
            StringAssert.StartsWith("{'type':'UnityEngine.Events.UnityEvent','value':{'m_PersistentCalls':{'type':" +
                                    "'UnityEngine.Events.PersistentCallGroup','value':{'m_Calls':{'type':",
                                    Field("done"));
            Assert.AreEqual("{'type':'" + space + "EditSides[]','value':[]}", Field("corners"));
            StringAssert.StartsWith("{'type':'UnityEngine.Matrix4x4','value':{'e00':1.0,'e01':0.0", Field("matrix"));
#if UNITY_2021_1_OR_NEWER // before that the parts of a Hash128 are shown
            Assert.AreEqual("{'type':'UnityEngine.Hash128','value':'00000000000000000000000000000000'}",
                            Field("hash"));
#else
            StringAssert.StartsWith("{'type':'UnityEngine.Hash128','value':", Field("hash"));
#endif
        }

        [Test]
        public void TheFieldsOfTheEngineHaveTheirScriptingNames()
        {
            GameObject zoo = Make("Zoo");
            Rigidbody body = zoo.AddComponent<Rigidbody>();
            body.constraints = RigidbodyConstraints.FreezeRotation;
            Assert.AreEqual("1.0", Field("mass"));
            Assert.AreEqual("true", Field("useGravity"));
            Assert.AreEqual("{'type':'UnityEngine.RigidbodyConstraints','value':'FreezeRotation'}",
                            Field("constraints"));
            JsonValue fields = Info("/Zoo", 1).Get("fields");
            foreach (string hidden in new[] { "m_ObjectHideFlags", "objectHideFlags", "gameObject", "m_Mass" })
                Assert.IsFalse(fields.Has(hidden), hidden);
            JsonValue some = Info("/Zoo", 1, ",'fields':['m_Mass','useGravity','nothing']").Get("fields");
            Assert.AreEqual("{'mass':1.0,'useGravity':true}", Text(some));
            Assert.AreEqual(new[] { "localRotation", "localPosition", "localScale" },
                            Info("/Zoo", 0, ",'fields':['localRotation','localPosition','localScale','children']")
                                .Get("fields").Keys);
        }

        [Test]
        public void TheElementTypeOfAnEmptyNestedArrayIsKnown()
        {
            Make("Zoo").AddComponent<PolygonCollider2D>();
            JsonValue paths = Info("/Zoo", 1).Get("fields").Get("points").Get("value").Get("paths");
            Assert.AreEqual("UnityEngine.Vector2[][]", paths.GetString("type", ""));
        }

        [Test]
        public void AnAnswerHasALimitedNumberOfFields()
        {
            Make("Zoo").AddComponent<ReadWide>();
            JsonValue answer = Info("/Zoo", 1);
            Assert.IsTrue(answer.GetBool("_fields_truncated", false));
            Assert.IsFalse(answer.Get("fields").Has("last"));
            Assert.IsFalse(Info("/Zoo", 1, ",'fields':['last']").Has("_fields_truncated"));
        }

        [Test]
        public void AnAnswerNamesTheOwner()
        {
            Make("Zoo").AddComponent<EditNoisy>();
            Assert.AreEqual("{'game_object_path':'/Zoo','game_object_name':'Zoo','index':1,'component_type':" +
                            "'Multiverse.Editor.Tests.EditNoisy','fields':{'m_Enabled':true,'number':0}}",
                            Text(Info("Zoo", 1)));
            ToolError error = Refused("ERR_COMPONENT_INDEX_OUT_OF_RANGE", () => Info("/Zoo", 2));
            Assert.AreEqual("Zoo has 2 components, 0 to 1: there is no component 2", error.Message);
        }
    }
}
