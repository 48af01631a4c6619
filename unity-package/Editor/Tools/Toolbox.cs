using System;
using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>The tools that this editor has. Main thread only.</summary>
    public static class Toolbox
    {
        static readonly Dictionary<string, Tool> tools = new Dictionary<string, Tool>(StringComparer.Ordinal);
        static readonly Dictionary<string, JobTool> jobs = new Dictionary<string, JobTool>(StringComparer.Ordinal);

        static Toolbox()
        {
            /* One line for each tool of this assembly, sorted. */
            Add(new ControlPlayMode());
            Add(new FindAssets());
            Add(new FindComponentTypes());
            Add(new GetComponentInfo());
            Add(new GetSceneHierarchy());
            Add(new ListScenes());
            Add(new ManageComponent());
            Add(new OpenScene());
            Add(new ReadConsole(ConsoleFeed.Buffer));
            Add(new RedoTool());
            Add(new SaveScene());
            Add(new UndoTool());
        }

        /// <summary>Called from [InitializeOnLoad] of an assembly with more tools, too.</summary>
        public static void Add(Tool tool) { tools[tool.Name] = tool; }
        public static void Add(JobTool tool) { jobs[tool.Name] = tool; }

        /// <summary>null: there is none.</summary>
        public static Tool Find(string name)
        {
            Tool tool;
            return tools.TryGetValue(name, out tool) ? tool : null;
        }

        /// <summary>null: there is none.</summary>
        public static JobTool FindJob(string name)
        {
            JobTool tool;
            return jobs.TryGetValue(name, out tool) ? tool : null;
        }

        /// <summary>Names of all tools, sorted: what the capability message says.</summary>
        public static List<string> Names()
        {
            var names = new List<string>(tools.Keys);
            names.AddRange(jobs.Keys);
            names.Sort(StringComparer.Ordinal);
            return names;
        }
    }
}
