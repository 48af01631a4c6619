using System.Collections.Generic;
using NUnit.Framework;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    /// <summary>
    /// Base of tests that call tools as the server does, without a server. Created objects are
    /// destroyed afterwards.
    /// </summary>
    public abstract class ToolTest
    {
        readonly List<GameObject> created = new List<GameObject>();

        [TearDown]
        public void DestroyCreatedObjects()
        {
            foreach (GameObject o in created)
                if (o != null)
                    Object.DestroyImmediate(o);
            created.Clear();
        }

        /// <summary>Create a root of the active scene; the name must be unique.</summary>
        protected GameObject Make(string name)
        {
            var o = new GameObject(name);
            created.Add(o);
            return o;
        }

        /// <summary>Return the answer or throw ToolError. Quotes may be written as '.</summary>
        protected static JsonValue Call(string tool, string arguments)
        {
            var call = new ToolCall("req-test", JsonReader.Read(arguments.Replace('\'', '"')));
            IEnumerator<Pause> steps = Toolbox.Find(tool).Run(call);
            while (steps.MoveNext())
            {
            }
            return JsonReader.Read(call.Out.ToString());
        }

        protected static ToolError ExpectError(string tool, string arguments)
        {
            return Assert.Throws<ToolError>(() => Call(tool, arguments));
        }
    }
}
