using System.Collections.Generic;
using NUnit.Framework;
using UnityEngine;

namespace Multiverse.Editor.Tests
{
    /// <summary>
    /// A test that calls tools as the server does, without the server. What it makes in the scene is
    /// gone afterwards.
    /// </summary>
    public abstract class ToolTest
    {
        readonly List<GameObject> made = new List<GameObject>();

        [TearDown]
        public void DestroyWhatWasMade()
        {
            foreach (GameObject o in made)
                if (o != null)
                    Object.DestroyImmediate(o);
            made.Clear();
        }

        /// <summary>A root of the active scene; its name is one that no scene has.</summary>
        protected GameObject Make(string name)
        {
            var o = new GameObject(name);
            made.Add(o);
            return o;
        }

        /// <summary>The answer, or a ToolError. Quotes may be written as '.</summary>
        protected static JsonValue Call(string tool, string arguments)
        {
            var call = new ToolCall("req-test", JsonReader.Read(arguments.Replace('\'', '"')));
            IEnumerator<Pause> steps = Toolbox.Find(tool).Run(call);
            while (steps.MoveNext())
            {
            }
            return JsonReader.Read(call.Out.ToString());
        }

        protected static ToolError Fault(string tool, string arguments)
        {
            return Assert.Throws<ToolError>(() => Call(tool, arguments));
        }
    }
}
