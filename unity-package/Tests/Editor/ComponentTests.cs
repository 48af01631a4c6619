using NUnit.Framework;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    public class ComponentTests : ToolTest
    {
        const string Path = "'game_object_path':'/Multiverse Test Body'";

        Rigidbody Body()
        {
            return Make("Multiverse Test Body").AddComponent<Rigidbody>();
        }

        [Test]
        public void FieldsAreShownUnderTheirScriptingNames()
        {
            Rigidbody body = Body();
            body.mass = 2.5f;
            body.useGravity = false;
            JsonValue answer = Call("get_component_info", "{" + Path + ",'index':1}");
            Assert.AreEqual("UnityEngine.Rigidbody", answer.GetString("component_type", null));
            Assert.AreEqual(2.5, answer.Get("fields").Get("mass").AsDouble);
            Assert.IsFalse(answer.Get("fields").GetBool("useGravity", true));
            ToolError e = ExpectError("get_component_info", "{" + Path + ",'index':2}");
            Assert.AreEqual("ERR_COMPONENT_INDEX_OUT_OF_RANGE", e.Code);
        }

        [Test]
        public void AnUpdateIsOneStepOfUndo()
        {
            Rigidbody body = Body();
            body.mass = 1;
            Undo.IncrementCurrentGroup();
            Call("manage_component", "{'action':'update'," + Path +
                 ",'index':1,'fields':{'mass':3,'m_UseGravity':false}}");
            Assert.AreEqual(3f, body.mass);
            Assert.IsFalse(body.useGravity);
            Undo.PerformUndo();
            Assert.AreEqual(1f, body.mass);
            Assert.IsTrue(body.useGravity);
            Undo.PerformRedo();
            Assert.AreEqual(3f, body.mass);
            Undo.PerformUndo();
        }

        [Test]
        public void AComponentIsAddedMovedAndRemoved()
        {
            GameObject o = Body().gameObject;
            Undo.IncrementCurrentGroup();
            JsonValue added = Call("manage_component", "{'action':'add'," + Path +
                                   ",'component_type':'BoxCollider','fields':{'isTrigger':true}}");
            Assert.AreEqual(2, added.GetLong("index", -1));
            Assert.IsTrue(o.GetComponent<BoxCollider>().isTrigger);
            Call("manage_component", "{'action':'move'," + Path + ",'index':2,'new_index':1}");
            Assert.IsTrue(o.GetComponents<Component>()[1] is BoxCollider);
            Call("manage_component", "{'action':'remove'," + Path + ",'index':1}");
            Assert.IsTrue(o.GetComponent<BoxCollider>() == null);
            JsonValue undone = Call("undo", "{'steps':3}");
            Assert.AreEqual(3, undone.Get("undone").Count);
            Assert.AreEqual(2, o.GetComponents<Component>().Length);
        }

        [Test]
        public void AFailedUpdateChangesNothing()
        {
            Rigidbody body = Body();
            body.mass = 1;
            ToolError e = ExpectError("manage_component", "{'action':'update'," + Path +
                                ",'index':1,'fields':{'mass':3,'useGravity':'no'}}");
            Assert.AreEqual("ERR_INVALID_PARAMS", e.Code);
            Assert.AreEqual(1f, body.mass);
        }
    }
}
