using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    /// <summary>{"$element": n}: arrays that reuse existing elements.</summary>
    public class EditElementTests : EditFixture
    {
        EditZoo zoo;

        [SetUp]
        public void FillScene()
        {
            zoo = new GameObject("Zoo").AddComponent<EditZoo>();
            zoo.numbers = new[] { 10, 11, 12, 13 };
            zoo.words = new List<string> { "a", "b", "c" };
            zoo.chests = new List<EditChest> { Chest("one", 1), Chest("two", 2), Chest("three", 3) };
            zoo.points = new[] { zoo.transform, null, zoo.transform };
            Undo.ClearAll();
        }

        static EditChest Chest(string label, int amount)
        {
            return new EditChest
            {
                label = label, amount = amount, weights = new float[] { amount, amount * 2, amount * 3 },
                bolt = new EditLock { code = amount, hint = label }
            };
        }

        static string E(int n) { return "{'$element':" + n + "}"; }
        static string List(params object[] items) { return "[" + string.Join(",", items) + "]"; }
        JsonValue Set(string fields) { return Update("/Zoo", 1, fields); }

        string Chests()
        {
            return string.Join(" ", zoo.chests.Select(c => c.label + c.amount + c.bolt.hint + c.weights.Length));
        }

        [Test]
        public void ElementsAreMovedRemovedAddedAndCopied()
        {
            Set("{'chests':" + List(E(2), E(0), E(1)) + "}");
            Assert.AreEqual("three3three3 one1one3 two2two3", Chests());
            UndoSteps();
            Set("{'chests':" + List(E(0), E(2)) + "}");
            Assert.AreEqual("one1one3 three3three3", Chests());
            UndoSteps();
            Set("{'chests':" + List(E(0), "{'label':'new'}", E(1), E(2)) + "}");
            Assert.AreEqual("one1one3 new3none2 two2two3 three3three3", Chests());
            UndoSteps();
            Set("{'chests':" + List(E(1), E(1), E(0), E(1)) + "}");
            Assert.AreEqual("two2two3 two2two3 one1one3 two2two3", Chests());
            UndoSteps();
            Assert.AreEqual("one1one3 two2two3 three3three3", Chests());
            Assert.AreEqual(0, EditHistory.UndoCount);
        }

        [Test]
        public void AnUnchangedArrayIsNoStep()
        {
            JsonValue answer = Set("{'chests':" + List(E(0), E(1), E(2)) + "}");
            CollectionAssert.AreEqual(new[] { "chests" }, Texts(answer.Get("fields_set")));
            Assert.AreEqual(0, EditHistory.UndoCount);
        }

        [Test]
        public void GivenMembersAreSetAndOthersStay()
        {
            Set("{'chests':" + List("{'$element':1,'amount':9,'bolt':{'code':5}}",
                                    "{'$element':0,'weights':" + List(E(2), 7, E(0)) + "}", E(1)) + "}");
            Assert.AreEqual("two9two3 one1one3 two2two3", Chests()); /* the copy has the old value */
            Assert.AreEqual(5, zoo.chests[0].bolt.code);
            CollectionAssert.AreEqual(new[] { 3f, 7f, 1f }, zoo.chests[1].weights);
            Assert.AreEqual(2, zoo.chests[2].bolt.code);
        }

        [Test]
        public void PlainValuesVectorsAndReferences()
        {
            Set("{'numbers':" + List(E(3), 5, E(0)) + ",'words':" + List("'x'", E(2)) + ",'points':" +
                List(E(1), E(0)) + ",'corners':" + List("{'$element':1,'y':4}", E(0)) + "}");
            CollectionAssert.AreEqual(new[] { 13, 5, 10 }, zoo.numbers);
            CollectionAssert.AreEqual(new[] { "x", "c" }, zoo.words);
            CollectionAssert.AreEqual(new[] { null, zoo.transform }, zoo.points);
            CollectionAssert.AreEqual(new[] { new Vector3(0, 4, 0), Vector3.one }, zoo.corners);
        }

        [Test]
        public void CopiesShareManagedReferences()
        {
            zoo.holders = new List<EditHolder>
            {
                new EditHolder { label = "a", held = new EditLock { code = 1 } },
                new EditHolder { label = "b", held = new EditLock { code = 2 } }
            };
            Set("{'holders':" + List(E(1), "{'$element':0,'locks':[{},{}]}", E(1), "{}") + "}");
            Assert.AreEqual(4, zoo.holders.Count);
            CollectionAssert.AreEqual(new[] { "b", "a", "b", "new" }, zoo.holders.Select(h => h.label).ToArray());
            Assert.AreEqual(2, zoo.holders[0].held.code);
            Assert.AreEqual(1, zoo.holders[1].held.code);
            Assert.AreSame(zoo.holders[0].held, zoo.holders[2].held);
            Assert.IsNull(zoo.holders[3].held);
            Assert.AreEqual(2, zoo.holders[1].locks.Count);
            Assert.AreEqual(0, zoo.holders[0].locks.Count);
        }

        [Test]
        public void TheLastOfTwoValuesForAnArrayWins()
        {
            Set("{'best.weights':" + List(E(1)) + ",'best':{'weights':" + List(E(0), E(1), E(0)) + "}}");
            CollectionAssert.AreEqual(new[] { 1f, 2f, 1f }, zoo.best.weights);
        }

        [Test]
        public void ANewComponentHasItsInitialValues()
        {
            Refused("ERR_INVALID_PARAMS", () => Add("/Zoo", typeof(EditZoo).FullName,
                                                    ",'fields':{'words':" + List(E(0)) + "}"));
            Add("/Zoo", typeof(EditZoo).FullName, ",'fields':{'numbers':" + List(E(2), E(0)) + "}");
            CollectionAssert.AreEqual(new[] { 3, 1 }, zoo.GetComponents<EditZoo>()[1].numbers);
        }

        [TestCase("{'chests':[{'$element':3}]}", "fields.chests[0]: there is no element 3 to keep: the array has 3")]
        [TestCase("{'chests':[{'$element':0},{'$element':-1}]}", "fields.chests[1]: $element is the index")]
        [TestCase("{'chests':[{'$element':'0'}]}", "$element is the index of an element")]
        [TestCase("{'chests':[{'$element':0.5}]}", "$element is the index of an element")]
        [TestCase("{'chests':[{'weights':[{'$element':0}]}]}", "fields.chests[0].weights[0]: there is no element 0")]
        [TestCase("{'chests':{'$element':0}}", "fields.chests: {\"$element\": n} keeps element n")]
        [TestCase("{'best':{'$element':0}}", "fields.best: {\"$element\": n} keeps element n")]
        [TestCase("{'best':{'bolt':{'$element':0}}}", "fields.best.bolt: {\"$element\": n} keeps")]
        [TestCase("{'chests':[{'$element':0,'bolt':{'$element':0}}]}", "fields.chests[0].bolt: {\"$element\": n}")]
        [TestCase("{'whole':{'$element':0}}", "fields.whole: {\"$element\": n} keeps")]
        [TestCase("{'numbers':[{'$element':0,'x':1}]}", "only members of a struct")]
        [TestCase("{'points':[{'$element':0,'$ref':'/Zoo'}]}", "only members of a struct")]
        [TestCase("{'fade':{'keys':[{'$element':0}]}}", "fields.fade: {\"$element\": n} keeps")]
        [TestCase("{'$element':0}", "fields: {\"$element\": n} keeps")]
        [TestCase("{'chests':[{'$element':0,'amount':'x'}]}", "fields.chests[0].amount: expected an integer")]
        public void InvalidElementsAreRejected(string fields, string message)
        {
            ToolError error = Refused("ERR_INVALID_PARAMS", () => Set(fields));
            StringAssert.StartsWith(message.StartsWith("fields") ? message : "fields", error.Message);
            StringAssert.Contains(message, error.Message);
            Assert.AreEqual(0, EditHistory.UndoCount);
            Assert.AreEqual("one1one3 two2two3 three3three3", Chests());
        }

        /* Compared with a list that is built from scratch. */
        [Test]
        public void RandomArrangementsAreCorrect()
        {
            var random = new System.Random(7);
            for (int round = 0; round < 300; round++)
            {
                int count = random.Next(1, 9);
                zoo.numbers = Enumerable.Range(100, count).ToArray();
                var wanted = new List<int>();
                var items = new List<object>();
                for (int i = random.Next(0, 10); i > 0; i--)
                {
                    int n = random.Next(0, count + 2);
                    wanted.Add(n < count ? 100 + n : i);
                    items.Add(n < count ? (object)E(n) : i);
                }
                Set("{'numbers':" + List(items.ToArray()) + "}");
                CollectionAssert.AreEqual(wanted, zoo.numbers, List(items.ToArray()));
            }
        }

        /* ---- component_type with index */

        [TestCase("UnityEngine.BoxCollider")]
        [TestCase("MonoBehaviour")]
        [TestCase("")]
        [TestCase("editzoo")]
        public void AComponentOfAnotherTypeIsNotChanged(string type)
        {
            zoo.gameObject.AddComponent<BoxCollider>();
            Undo.ClearAll();
            string check = ",'component_type':'" + type + "'";
            string message = "component 1 of Zoo is a " + typeof(EditZoo).FullName + ", not a " + type;
            foreach (string action in new[] { "'update','fields':{'whole':1}", "'remove'", "'move','new_index':2" })
            {
                ToolError error = Refused("ERR_INVALID_PARAMS", () => Manage(
                    "{'game_object_path':'/Zoo','index':1,'action':" + action + check + "}"));
                StringAssert.StartsWith(message, error.Message);
                Assert.IsFalse(error.WasExecuted);
            }
            Assert.AreEqual(0, EditHistory.UndoCount);
        }

        [TestCase("EditZoo")]
        [TestCase("Multiverse.Editor.Tests.EditZoo")]
        public void TheMatchingTypeIsAccepted(string type)
        {
            zoo.gameObject.AddComponent<BoxCollider>();
            string check = "'game_object_path':'/Zoo','component_type':'" + type + "'";
            Manage("{'action':'update','index':1,'fields':{'whole':1}," + check + "}");
            Manage("{'action':'move','index':1,'new_index':2," + check + "}");
            Manage("{'action':'remove','index':2," + check + "}");
            CollectionAssert.AreEqual(new[] { "Transform", "BoxCollider" }, Names(GameObject.Find("Zoo")));
            Refused("ERR_INVALID_PARAMS", () => Remove("/Zoo", 1, ",'component_type':'Missing Script'"));
        }
    }
}
