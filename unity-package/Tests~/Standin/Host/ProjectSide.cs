using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using UnityEditor.SceneManagement;

namespace Standin.Host
{
    /// <summary>
    /// The project's part of a session: compiles and loads its scripts, opens its scenes, keeps
    /// them across a domain reload and restores them after play mode.
    /// </summary>
    static class ProjectSide
    {
        /* The package under test, as if it were installed; assemblies that were not built are
           skipped. */
        static readonly string[] packageAssemblies = { "Multiverse.Editor", "Multiverse.Editor.TestRunner" };
        const string packageTests = "Multiverse.Editor.Tests";
        const string observer = "Multiverse.Editor.Trace";

        /// <summary>The project's version, if this editor has the same release.</summary>
        static string VersionOfProject()
        {
            string text = StateFile.Read(HostState.ProjectPath + "/ProjectSettings/ProjectVersion.txt") ?? "";
            foreach (string line in text.Split('\n'))
                if (line.StartsWith("m_EditorVersion:", StringComparison.Ordinal))
                {
                    string version = line.Substring("m_EditorVersion:".Length).Trim();
                    if ((version + ".").StartsWith(BuildVersion.Text + ".", StringComparison.Ordinal))
                        return version;
                }
            return BuildVersion.Text.Split('.').Length > 2 ? BuildVersion.Text : BuildVersion.Text + ".0f1";
        }

        public static void Load(bool isReloaded)
        {
            HostState.UnityVersion = VersionOfProject();
            Hooks.IsPlaying = () => HostState.IsPlaying;
            Compilation.Compiler = ScriptCompiler.Compile;
            /* Assemblies compiled before a reload still exist. */
            if (!isReloaded)
                CompileFirst();
            foreach (string name in packageAssemblies)
                Add(name);
            if (IsTestable)
                Add(packageTests);
            Add(observer);
            Startup.Assemblies.AddRange(ScriptCompiler.Load());
            ProjectHooks.Install();
        }

        static void CompileFirst()
        {
            UnityEditor.AssetDatabase.Refresh();
            foreach (CompiledAssembly assembly in ScriptCompiler.Compile())
            {
                Compilation.HasErrors |= assembly.HasErrors;
                Compilation.Report(assembly.Messages);
            }
        }

        /* A package's own tests are loaded if the manifest lists it in testables. */
        static bool IsTestable
        {
            get
            {
                object names;
                PackageTable.ReadJson(HostState.ProjectPath + "/Packages/manifest.json")
                    .TryGetValue("testables", out names);
                return names is List<object> && ((List<object>)names).Contains("com.multiverse.editor");
            }
        }

        static void Add(string name)
        {
            string path = HostState.BuildPath + "/" + name + ".dll";
            if (File.Exists(path) && !Startup.Assemblies.Exists(a => a.GetName().Name == name))
                Startup.Assemblies.Add(Assembly.LoadFrom(path));
        }

        public static void OpenFirstScene(string wanted)
        {
            if (wanted != null)
                EditorSceneManager.OpenScene(wanted);
            else
                SceneBackup.OpenFirst();
        }

        public static void Register(string stateFolder)
        {
            string open = stateFolder + "/scenes", beforePlay = stateFolder + "/before-play";
            Survivors.Add("scenes", () => SaveScenes(open), value => SceneBackup.Load(open));
            Survivors.Add("undo", () => UndoState.Export(), value => UndoState.Import((string)value));
            PlayModeSwitch.KeepScenes = () => SaveScenes(beforePlay);
            PlayModeSwitch.RestoreScenes = () => SceneBackup.Load(beforePlay);
            Testing.TestRuns.Install();
        }

        static object SaveScenes(string folder)
        {
            Directory.CreateDirectory(folder);
            SceneBackup.Save(folder);
            return true;
        }
    }
}
