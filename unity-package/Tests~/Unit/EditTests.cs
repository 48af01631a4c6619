using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    /// <summary>add, update, remove and move.</summary>
    public class EditTests : EditFixture
    {
        GameObject player, enemy;

        [SetUp]
        public void FillScene()
        {
            player = new GameObject("Player", typeof(Rigidbody), typeof(CapsuleCollider));
            enemy = new GameObject("Enemy", typeof(Rigidbody));
            Undo.ClearAll();
        }

        [Test]
        public void AnAnswerHasTheMembersOfTheHeadlessEditor()
        {
            JsonValue answer = Add("/Player", "EditZoo", ",'fields':{'whole':5,'nothing':1,'link':{'$ref':'/Enemy'}}");
            Assert.AreEqual("add", answer.GetString("action", ""));
            Assert.AreEqual("/Player", answer.GetString("game_object_path", ""));
            Assert.AreEqual("Player", answer.GetString("game_object_name", ""));
            Assert.AreEqual("Multiverse.Editor.Tests.EditZoo", answer.GetString("component_type", ""));
            Assert.AreEqual(3, answer.GetLong("index", -1));
            Assert.AreEqual(new[] { "whole", "link" }, Texts(answer.Get("fields_set")));
            Assert.AreEqual(new[] { "nothing" }, Texts(answer.Get("fields_skipped")));
            Assert.AreEqual("not_found", answer.Get("skipped_reasons").GetString("nothing", ""));
            Assert.IsFalse(answer.Has("also_added"));
            var zoo = player.GetComponent<EditZoo>();
            Assert.AreEqual(5, zoo.whole);
            Assert.AreSame(enemy.transform, zoo.link);
        }

        [Test]
        public void FieldErrorsAreFoundBeforeTheComponentIsAdded()
        {
            Refused("ERR_INVALID_PARAMS", () => Add("/Player", "EditNoisy", ",'fields':{'number':'many'}"));
            Assert.AreEqual(new[] { "Transform", "Rigidbody", "CapsuleCollider" }, Names(player));
            Assert.AreEqual(0, EditHistory.UndoCount);
            Assert.IsEmpty(EditNoisy.Received);
            Assert.AreEqual(2, Scene.rootCount);
            Add("/Player", "EditNoisy", ",'fields':{'number':4}");
            Assert.AreEqual(4, player.GetComponent<EditNoisy>().number);
            Assert.AreEqual(new[] { "Awake", "OnEnable" }, EditNoisy.Received.ToArray());
        }

        [Test]
        public void ANewComponentIsInsertedAtItsIndex()
        {
            Assert.AreEqual(1, Add("/Player", "AudioSource", ",'index':1").GetLong("index", -1));
            Assert.AreEqual(new[] { "Transform", "AudioSource", "Rigidbody", "CapsuleCollider" }, Names(player));
            UndoSteps();
            Assert.AreEqual(new[] { "Transform", "Rigidbody", "CapsuleCollider" }, Names(player));
            RedoSteps();
            Assert.AreEqual(new[] { "Transform", "AudioSource", "Rigidbody", "CapsuleCollider" }, Names(player));
            Refused("ERR_INVALID_PARAMS", () => Add("/Player", "AudioSource", ",'index':0"));
            Refused("ERR_COMPONENT_INDEX_OUT_OF_RANGE", () => Add("/Player", "AudioSource", ",'index':5"));
        }

        [Test]
        public void RequiredComponentsAreAddedFirstAndUndoneTogether()
        {
            var box = new GameObject("Box");
            JsonValue answer = Add("/Box", "EditCannon", ",'fields':{'rounds':9}");
            Assert.AreEqual(new[] { "Transform", "AudioSource", "SphereCollider", "Rigidbody", "EditCannon" },
                            Sorted(box));
            Assert.AreEqual(4, answer.GetLong("index", -1));
            Assert.AreEqual(3, answer.Get("also_added").Count);
            Assert.AreEqual(1, UndoSteps().Get("undone").Count);
            Assert.AreEqual(new[] { "Transform" }, Names(box));
            answer = Add("/Box", "EditCannon", ",'index':1");
            Assert.AreEqual("EditCannon", Names(box)[1]);
            Assert.AreEqual(1, answer.GetLong("index", -1));
        }

        /* The order of several attributes on one class is undefined. */
        static string[] Sorted(GameObject of)
        {
            string[] names = Names(of);
            if (names.Length > 3)
                System.Array.Sort(names, 1, 2);
            return names;
        }

        [Test]
        public void ARectTransformReplacesTheTransform()
        {
            JsonValue answer = Add("/Enemy", "Canvas");
            Assert.AreEqual(new[] { "UnityEngine.RectTransform" }, Texts(answer.Get("also_added")));
            Assert.AreEqual("/Enemy", answer.GetString("game_object_path", ""));
            Assert.AreEqual(new[] { "RectTransform", "Rigidbody", "Canvas" }, Names(enemy));
            UndoSteps();
            Assert.AreEqual(new[] { "Transform", "Rigidbody" }, Names(enemy));
        }

        [TestCase("EditAbstract", "is abstract")]
        [TestCase("MonoBehaviour", "is abstract")]
        [TestCase("Collider", "is abstract")]
        [TestCase("EditPlain", "is not a Component")]
        [TestCase("EditSize", "is not a Component")]
        [TestCase("Vector3", "is not a Component")]
        [TestCase("Material", "is not a Component")]
        [TestCase("Transform", "exactly one")]
        [TestCase("RectTransform", "exactly one")]
        [TestCase("Rigidbody", "only one of it")]
        [TestCase("UnityEngine.Rigidbody", "only one of it")]
        [TestCase("BoxCollider2D", "other dimension")]
        [TestCase("Rigidbody2D", "other dimension")]
        public void AClassThatUnityRefusesIsAnError(string type, string reason)
        {
            ToolError error = Refused("ERR_INVALID_COMPONENT_TYPE", () => Add("/Player", type));
            StringAssert.Contains(reason, error.Message);
            Assert.AreEqual(3, player.GetComponents<Component>().Length);
        }

        [Test]
        public void AnAbstractRequirementMustExistAlready()
        {
            var box = new GameObject("Box");
            ToolError error = Refused("ERR_INVALID_COMPONENT_TYPE", () => Add("/Box", "EditNeedsAny"));
            StringAssert.Contains("requires a UnityEngine.Collider", error.Message);
            Add("/Player", "EditNeedsAny");
            Assert.AreEqual(new[] { "Transform" }, Names(box));
        }

        [Test]
        public void DuplicatesAreDisallowedByBaseClassToo()
        {
            Add("/Player", "EditOnlyOneToo");
            Refused("ERR_INVALID_COMPONENT_TYPE", () => Add("/Player", "EditOnlyOne"));
            Refused("ERR_INVALID_COMPONENT_TYPE", () => Add("/Player", "EditOnlyOneToo"));
            Add("/Player", "BoxCollider");
            Add("/Player", "BoxCollider");
            Add("/Player", "AudioSource");
            Add("/Player", "AudioSource");
        }

        [Test]
        public void ClassesAreFoundByName()
        {
            ToolError error = Refused("ERR_COMPONENT_TYPE_AMBIGUOUS", () => Add("/Player", "EditTwin"));
            Assert.AreEqual(new[] { "Multiverse.Editor.Tests.One.EditTwin", "Multiverse.Editor.Tests.Two.EditTwin" },
                            Texts(JsonReader.Read(error.DetailsJson).Get("candidates")));
            Refused("ERR_COMPONENT_TYPE_NOT_FOUND", () => Add("/Player", "NoSuchClass"));
            Refused("ERR_COMPONENT_TYPE_NOT_FOUND", () => Add("/Player", ""));
            Refused("ERR_COMPONENT_TYPE_NOT_FOUND", () => Add("/Player", "EditGeneric"));
            Refused("ERR_COMPONENT_TYPE_NOT_FOUND", () => Add("/Player", "Multiverse.Editor.Tests.EditGeneric"));
            Refused("ERR_COMPONENT_TYPE_NOT_FOUND", () => Add("/Player", "audiosource"));
            Add("/Player", "Multiverse.Editor.Tests.Two.EditTwin");
            Add("/Player", "AudioSource");
        }

        [Test]
        public void RemovingAComponentClearsReferencesToIt()
        {
            var zoo = enemy.AddComponent<EditZoo>();
            zoo.body = player.GetComponent<Rigidbody>();
            zoo.part = player.GetComponent<Rigidbody>();
            zoo.other = player;
            var joint = enemy.AddComponent<FixedJoint>();
            using (var serialized = new SerializedObject(joint))
            {
                serialized.FindProperty("m_ConnectedBody").objectReferenceValue = player.GetComponent<Rigidbody>();
                serialized.ApplyModifiedPropertiesWithoutUndo();
            }
            JsonValue answer = Remove("/Player", 1);
            Assert.AreEqual("UnityEngine.Rigidbody", answer.GetString("component_type", ""));
            Assert.AreEqual(3, answer.GetLong("references_cleared", 0));
            Assert.IsTrue(ReferenceEquals(zoo.body, null) || zoo.body == null);
            Assert.AreSame(player, zoo.other);
            UndoSteps();
            Assert.AreEqual(new[] { "Transform", "Rigidbody", "CapsuleCollider" }, Names(player));
            Assert.AreEqual(player.GetComponent<Rigidbody>(), zoo.body);
            Assert.AreEqual(player.GetComponent<Rigidbody>(), zoo.part);
            Assert.IsFalse(Remove("/Player", 2).Has("references_cleared"));
        }

        [Test]
        public void ALargeSceneIsSearchedInSteps()
        {
            for (int i = 0; i < 500; i++)
                new GameObject("Other", typeof(BoxCollider)).AddComponent<EditTurret>();
            var zoo = new GameObject("Zoo").AddComponent<EditZoo>();
            zoo.body = player.GetComponent<Rigidbody>();
            var call = new ToolCall("1", JsonReader.Read("{\"action\":\"remove\",\"game_object_path\":\"/Player\"," +
                                                         "\"index\":1}"));
            System.Collections.Generic.IEnumerator<Pause> run = new ManageComponent().Run(call);
            int pauses = 0;
            for (; run.MoveNext(); pauses++)
                Assert.AreEqual(3, player.GetComponents<Component>().Length, "changed before a pause");
            Assert.Greater(pauses, 10);
            Assert.AreEqual(2, player.GetComponents<Component>().Length);
            Assert.IsTrue(zoo.body == null);
        }

        [Test]
        public void RemovalDuringTheSearchIsAnError()
        {
            for (int i = 0; i < 100; i++)
                new GameObject("Other", typeof(BoxCollider));
            var call = new ToolCall("1", JsonReader.Read("{\"action\":\"remove\",\"game_object_path\":\"/Player\"," +
                                                         "\"index\":2}"));
            System.Collections.Generic.IEnumerator<Pause> run = new ManageComponent().Run(call);
            Assert.IsTrue(run.MoveNext());
            Object.DestroyImmediate(player);
            ToolError error = Refused("ERR_EDIT_FAILED", () =>
            {
                while (run.MoveNext())
                    continue;
            });
            Assert.IsFalse(error.WasExecuted);
        }

        [Test]
        public void ReferencesInACycleAreFound()
        {
            var ring = enemy.AddComponent<EditRing>();
            ring.first.next = new EditLink { body = player.GetComponent<Rigidbody>(), next = ring.first };
            Assert.AreEqual(1, Remove("/Player", 1).GetLong("references_cleared", 0));
            Assert.IsTrue(ring.first.next.body == null);
        }

        [Test]
        public void SomeComponentsCannotBeRemoved()
        {
            player.AddComponent<EditTurret>();
            ToolError error = Refused("ERR_COMPONENT_DEPENDENCY", () => Remove("/Player", 1));
            Assert.AreEqual("Multiverse.Editor.Tests.EditTurret (component 3) requires UnityEngine.Rigidbody; " +
                            "remove it first", error.Message);
            Assert.AreEqual(new[] { "Multiverse.Editor.Tests.EditTurret" },
                            Texts(JsonReader.Read(error.DetailsJson).Get("required_by")));
            Refused("ERR_INVALID_PARAMS", () => Remove("/Player", 0));
            Refused("ERR_INVALID_PARAMS", () => Remove("/Player", 1, ",'component_type':'Missing Script'"));
            Refused("ERR_COMPONENT_INDEX_OUT_OF_RANGE", () => Remove("/Player", 4));
            Refused("ERR_OBJECT_NOT_FOUND", () => Remove("/Nobody", 1));
            Remove("/Player", 3);
            Remove("/Player", 1);
        }

        [Test]
        public void AComponentIsMoved()
        {
            JsonValue answer = Move(2, 1);
            Assert.AreEqual(1, answer.GetLong("index", -1));
            Assert.AreEqual(2, answer.GetLong("previous_index", -1));
            Assert.AreEqual(new[] { "Transform", "CapsuleCollider", "Rigidbody" }, Names(player));
            UndoSteps();
            Assert.AreEqual(new[] { "Transform", "Rigidbody", "CapsuleCollider" }, Names(player));
            RedoSteps();
            Assert.AreEqual(new[] { "Transform", "CapsuleCollider", "Rigidbody" }, Names(player));
            Move(1, 1);
            Assert.AreEqual(1, EditHistory.UndoCount);
            Refused("ERR_INVALID_PARAMS", () => Move(1, 0));
            Refused("ERR_INVALID_PARAMS", () => Move(0, 1));
            Refused("ERR_COMPONENT_INDEX_OUT_OF_RANGE", () => Move(1, 3));
        }

        static JsonValue Move(int from, int to)
        {
            return Manage("{'action':'move','game_object_path':'/Player','index':" + from + ",'new_index':" + to + "}");
        }

        [Test]
        public void MissingArgumentsOfAnActionAreErrors()
        {
            string[] calls =
            {
                "'action':'add'", "'action':'update','index':1", "'action':'update','fields':{}", "'action':'remove'",
                "'action':'move','index':1", "'action':'x'"
            };
            foreach (string call in calls)
                Refused("ERR_INVALID_PARAMS", () => Manage("{" + call + ",'game_object_path':'/Player'}"));
        }
    }
}
