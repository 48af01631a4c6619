using System.Collections.Generic;
using System.IO;
using System.Reflection;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Standin.Tests
{
    /// <summary>The project's scripts: their assemblies, and scripts with errors.</summary>
    public class ScriptTests : ProjectFixture
    {
        static readonly string asmdef = "{\"name\": \"My.Game\", \"references\": []}";

        [TestCase("Assets/A.cs", "Assembly-CSharp")]
        [TestCase("Assets/Ui/Editor/A.cs", "Assembly-CSharp-Editor")]
        [TestCase("Assets/Plugins/A.cs", "Assembly-CSharp-firstpass")]
        [TestCase("Assets/Plugins/Editor/A.cs", "Assembly-CSharp-Editor-firstpass")]
        [TestCase("Assets/Game/Deep/A.cs", "My.Game")]
        [TestCase("Assets/Linked/A.cs", "My.Game")]
        [TestCase("Packages/com.x/A.cs", "")]
        public void AssembliesOfScripts(string path, string expected)
        {
            Write("Assets/Game/My.asmdef", asmdef);
            Write("Assets/Linked/My.asmref", "{\"reference\": \"My.Game\"}");
            Assert.AreEqual(expected, ScriptAssemblies.NameFor(path));
        }

        [Test]
        public void OrderFollowsReferences()
        {
            Write("Assets/A/A.asmdef", "{\"name\": \"A\", \"references\": [\"GUID:" + GuidFor("Assets/B/B.asmdef") + "\"]}");
            Write("Assets/B/B.asmdef", "{\"name\": \"B\"}");
            Write("Assets/C/C.asmdef", "{\"name\": \"C\", \"includePlatforms\": [\"Android\"]}");
            foreach (string path in new[] { "Assets/A/A.cs", "Assets/B/B.cs", "Assets/C/C.cs", "Assets/D.cs" })
                Write(path, "class " + Path.GetFileNameWithoutExtension(path) + " {}");
            List<string> names = ScriptAssemblies.All().ConvertAll(assembly => assembly.Name);
            names.Remove("Multiverse.Editor");
            names.RemoveAll(name => name.StartsWith("Multiverse.", System.StringComparison.Ordinal));
            Assert.AreEqual(new[] { "B", "A", "Assembly-CSharp" }, names.ToArray());
        }

        [TestCase("class A {}", "A")]
        [TestCase("namespace N.M { public class A : B {} }", "N.M.A")]
        [TestCase("namespace N { namespace M { class X { class A {} } sealed partial class A {} } }", "N.M.A")]
        [TestCase("// class A {}\nnamespace N { /* class A */ class A { string s = \"class A {\"; } }", "N.A")]
        [TestCase("class B {}", "")]
        public void ClassesOfAFileAreFound(string source, string expected)
        {
            Assert.AreEqual(expected, string.Join(" ", new List<string>(SourceClasses.Named(source, "A")).ToArray()));
        }

        [Test]
        public void BodiesAreCutAndLinesKept()
        {
            const string source = "using X;\nclass A : B, IFoo<int>\n{\n    [Attr] public int hp = Foo(1);\n    int Twice()\n"
                + "    {\n        return hp * 2;\n    }\n    public int P { get { return Other.Thing(); } set; }\n"
                + "    int E => Bar.Baz();\n}\n";
            var outline = new SourceOutline(source);
            outline.CutBodies();
            Assert.AreEqual(source.Split('\n').Length, outline.Text.Split('\n').Length);
            StringAssert.DoesNotContain("hp * 2", outline.Text);
            StringAssert.DoesNotContain("Other", outline.Text);
            StringAssert.DoesNotContain("Bar", outline.Text);
            StringAssert.Contains("public int hp = Foo(1);", outline.Text);
            Assert.IsTrue(outline.CutAt(4, 27, "CS0103"));
            StringAssert.Contains("public int hp         ;", outline.Text);
            Assert.IsTrue(outline.CutAt(2, 14, "CS0246"));
            StringAssert.Contains("class A : B           \n", outline.Text);
            Assert.IsTrue(outline.CutAt(1, 7, "CS0246"));
            StringAssert.DoesNotContain("using", outline.Text);
        }

        [Test]
        public void ScriptsAreCompiledAndFoundByTheirFile()
        {
            string build = HostState.BuildPath;
            HostState.BuildPath = Path.GetDirectoryName(typeof(GameObject).Assembly.Location);
            try
            {
                Compile();
            }
            finally
            {
                HostState.BuildPath = build;
            }
        }

        void Compile()
        {
            string name = "Scripts" + Path.GetFileName(Root).Substring(8, 8);
            Write("Assets/" + name + ".asmdef", "{\"name\": \"" + name + "\"}");
            Write("Assets/One/Enemy.cs",
                "namespace One { public class Enemy : UnityEngine.MonoBehaviour { public int hp = 4; } }");
            string guid = Write("Assets/Two/Enemy.cs", "namespace Two { public class Enemy : UnityEngine.MonoBehaviour\n{\n"
                + "    public float speed = 2; public NoSuchType other; [UnityEngine.SerializeField] string label = \"x\";\n"
                + "    void Update() { NoSuchClass.Call(); } } }");
            List<CompiledAssembly> compiled = ScriptCompiler.Compile();
            CompiledAssembly own = compiled.Find(one => one.Path.EndsWith(name + ".dll", System.StringComparison.Ordinal));
            Assert.IsTrue(own.HasErrors);
            StringAssert.Contains("Assets/Two/Enemy.cs(3,36): error CS0246", own.Messages[0].message);
            Assert.IsTrue(ScriptCompiler.Load().Exists(one => one.GetName().Name == name));
            var script = AssetDatabase.LoadAssetAtPath<MonoScript>("Assets/Two/Enemy.cs");
            Assert.AreEqual("Two.Enemy", script.GetClass().FullName);
            Assert.AreSame(script, ScriptTable.ScriptOf(script.GetClass()));
            Assert.IsNull(script.GetClass().GetField("other"), "what does not compile is cut out");
            Write("Assets/A.unity", Head + GameObject(10, "A", 0, "", "  - component: {fileID: 12}\n")
                + "--- !u!114 &12\nMonoBehaviour:\n  m_GameObject: {fileID: 10}\n  m_Enabled: 1\n"
                + "  m_Script: {fileID: 11500000, guid: " + guid + ", type: 3}\n  speed: 9\n");
            Scene scene = Open("Assets/A.unity");
            Component enemy = Find(scene, "A").GetComponents<Component>()[1];
            Assert.AreEqual("Two.Enemy", enemy.GetType().FullName);
            Assert.AreEqual(9f, enemy.GetType().GetField("speed").GetValue(enemy));
            FieldInfo label = enemy.GetType().GetField("label", BindingFlags.Instance | BindingFlags.NonPublic);
            Assert.AreEqual("x", label.GetValue(enemy));
        }
    }
}
