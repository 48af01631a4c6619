using System.Collections.Generic;
using UnityEditor;
using UnityEngine.SceneManagement;

namespace Multiverse.Editor
{
    /// <summary>list_scenes: the scenes of the project and of its packages, sorted by path.</summary>
    public sealed class ListScenes : Tool
    {
        const int ScenesPerStep = 100;

        public override string Name { get { return "list_scenes"; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            Pattern pattern = Pattern.Of("name_pattern", call.Arguments.GetString("name_pattern", ""));
            List<string> all = SceneFiles.All();
            var wanted = new List<string>();
            for (int i = 0; i < all.Count; i++)
            {
                if (IsWanted(pattern, all[i]))
                    wanted.Add(all[i]);
                if (i % ScenesPerStep == ScenesPerStep - 1)
                    yield return Pause.Step;
            }
            WriteAnswer(call, wanted);
        }

        /* Match the name or the whole path, for "^Main$" and for "Levels/". */
        static bool IsWanted(Pattern pattern, string path)
        {
            return pattern == null || pattern.Matches(SceneFiles.NameOf(path)) || pattern.Matches(path);
        }

        static void WriteAnswer(ToolCall call, List<string> paths)
        {
            JsonWriter w = call.Out;
            var page = new ToolPage(call.Arguments, call.Arguments.GetLong("max_results", 100), paths.Count);
            string active = SceneManager.GetActiveScene().path;
            Dictionary<string, int> build = BuildIndexes();
            w.BeginObject();
            w.Key("scenes");
            w.BeginArray();
            for (int i = page.From; i < page.To; i++)
            {
                int index;
                bool inBuild = build.TryGetValue(paths[i], out index);
                w.BeginObject();
                w.Member("path", paths[i]);
                w.Member("active", paths[i] == active);
                w.Member("in_build", inBuild);
                if (inBuild)
                    w.Member("build_index", index);
                w.EndObject();
            }
            w.EndArray();
            page.Write(w);
            w.EndObject();
        }

        /* Disabled scenes have no index. */
        static Dictionary<string, int> BuildIndexes()
        {
            var indexes = new Dictionary<string, int>();
            int next = 0;
            foreach (EditorBuildSettingsScene scene in EditorBuildSettings.scenes)
            {
                if (!scene.enabled)
                    continue;
                if (!indexes.ContainsKey(scene.path))
                    indexes[scene.path] = next;
                next++;
            }
            return indexes;
        }
    }
}
