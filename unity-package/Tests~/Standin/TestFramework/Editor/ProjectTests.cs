using System.IO;
using System.Reflection;
using UnityEditor.TestTools.TestRunner.Api;

namespace Standin.Testing
{
    /// <summary>
    /// The tests of the loaded assemblies. An editor-only assembly has EditMode tests, any other
    /// PlayMode tests.
    /// </summary>
    static class ProjectTests
    {
        public static TestNode Tree(TestMode mode)
        {
            var tree = new TestTree(Path.GetFileName(HostState.ProjectPath));
            foreach (Assembly assembly in Startup.Assemblies)
                if (HasTests(assembly))
                    Add(tree, assembly, mode);
            return tree.Root;
        }

        static void Add(TestTree tree, Assembly assembly, TestMode mode)
        {
            ScriptAssembly script = ScriptAssemblies.Find(assembly.GetName().Name);
            bool isPlayMode = script != null && !script.IsEditorOnly;
            if ((mode & (isPlayMode ? TestMode.PlayMode : TestMode.EditMode)) != 0)
                tree.Add(assembly, isPlayMode);
        }

        static bool HasTests(Assembly assembly)
        {
            foreach (AssemblyName reference in assembly.GetReferencedAssemblies())
                if (reference.Name == "nunit.framework")
                    return true;
            return false;
        }
    }
}
