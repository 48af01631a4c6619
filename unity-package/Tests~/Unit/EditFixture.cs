using System.Collections.Generic;
using NUnit.Framework;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor.Tests
{
    /// <summary>Provides an empty scene for each test and calls tools in it. JSON is written with
    /// '.</summary>
    public abstract class EditFixture
    {
        protected Scene Scene;

        [SetUp]
        public void OpenScene()
        {
            EditHistory.Subscribe();
            Undo.ClearAll();
            Scene = EditorSceneManager.NewScene(NewSceneSetup.EmptyScene, NewSceneMode.Single);
            EditNoisy.Received.Clear();
        }

        protected static JsonValue Call(Tool tool, string arguments)
        {
            var call = new ToolCall("1", JsonReader.Read(arguments.Replace('\'', '"')));
            IEnumerator<Pause> run = tool.Run(call);
            while (run.MoveNext())
                continue;
            return JsonReader.Read(call.Out.ToString());
        }

        protected static JsonValue Manage(string arguments) { return Call(new ManageComponent(), arguments); }
        protected static JsonValue UndoSteps(int steps = 1) { return Call(new UndoTool(), "{'steps':" + steps + "}"); }
        protected static JsonValue RedoSteps(int steps = 1) { return Call(new RedoTool(), "{'steps':" + steps + "}"); }

        protected static JsonValue Update(string path, int index, string fields)
        {
            return Manage("{'action':'update','game_object_path':'" + path + "','index':" + index + ",'fields':" +
                          fields + "}");
        }

        protected static JsonValue Add(string path, string type, string more = "")
        {
            return Manage("{'action':'add','game_object_path':'" + path + "','component_type':'" + type + "'" + more +
                          "}");
        }

        protected static JsonValue Remove(string path, int index, string more = "")
        {
            return Manage("{'action':'remove','game_object_path':'" + path + "','index':" + index + more + "}");
        }

        /// <summary>Check that the call fails with this code and return the error.</summary>
        protected static ToolError Refused(string code, TestDelegate call)
        {
            var error = Assert.Throws<ToolError>(call);
            Assert.AreEqual(code, error.Code, error.Message);
            return error;
        }

        protected static string[] Texts(JsonValue array)
        {
            var texts = new string[array.Count];
            for (int i = 0; i < texts.Length; i++)
                texts[i] = array.Items[i].AsString;
            return texts;
        }

        protected static string[] Names(GameObject of)
        {
            var names = new List<string>();
            foreach (Component c in of.GetComponents<Component>())
                names.Add(c == null ? "missing" : c.GetType().Name);
            return names.ToArray();
        }
    }
}
