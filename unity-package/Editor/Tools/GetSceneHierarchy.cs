using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>
    /// get_scene_hierarchy: the active scene as a tree. A large scene takes several editor updates;
    /// if it changes meanwhile, the work restarts, at most Attempts times. In a game that keeps
    /// creating objects, the last answer shows what existed while it was written.
    /// </summary>
    public sealed class GetSceneHierarchy : Tool
    {
        const int Attempts = 4;

        public override string Name { get { return "get_scene_hierarchy"; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            bool isDone = false;
            for (int attempt = 1; !isDone; attempt++)
            {
                int changes = HierarchyWatch.Changes;
                isDone = true;
                call.Out.Clear();
                for (IEnumerator<Pause> work = WriteScene(call); work.MoveNext();)
                {
                    yield return work.Current;
                    if (HierarchyWatch.Changes == changes || attempt == Attempts)
                        continue;
                    isDone = false;
                    break;
                }
            }
        }

        static IEnumerator<Pause> WriteScene(ToolCall call)
        {
            JsonValue arguments = call.Arguments;
            var view = new HierarchyView(ScenePaths.OfActiveScene(), (int)arguments.GetLong("max_depth", 10),
                                         (int)arguments.GetLong("max_game_objects", 1000),
                                         arguments.GetBool("include_prefabs", false));
            view.Begin(arguments.GetString("root_path", null));
            for (IEnumerator<Pause> work = view.Gather(); work.MoveNext();)
                yield return work.Current;
            for (IEnumerator<Pause> work = view.Write(call.Out); work.MoveNext();)
                yield return work.Current;
        }
    }
}
