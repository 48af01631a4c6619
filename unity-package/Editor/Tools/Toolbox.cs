using System;
using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>The registered tools of this editor. Main thread only.</summary>
    public static class Toolbox
    {
        static readonly Dictionary<string, Tool> tools = new Dictionary<string, Tool>(StringComparer.Ordinal);
        static readonly Dictionary<string, JobTool> jobs = new Dictionary<string, JobTool>(StringComparer.Ordinal);

        static Toolbox()
        {
            /* The tools of this assembly, sorted. */
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

        /// <summary>Also called from [InitializeOnLoad] of assemblies with more tools.</summary>
        public static void Add(Tool tool) { tools[tool.Name] = tool; }
        public static void Add(JobTool tool) { jobs[tool.Name] = tool; }

        /// <summary>Return the tool, or null.</summary>
        public static Tool Find(string name)
        {
            Tool tool;
            return tools.TryGetValue(name, out tool) ? tool : null;
        }

        /// <summary>Return the job tool, or null.</summary>
        public static JobTool FindJob(string name)
        {
            JobTool tool;
            return jobs.TryGetValue(name, out tool) ? tool : null;
        }

        /// <summary>The names of all tools, sorted, for the capability message.</summary>
        public static List<string> Names()
        {
            var names = new List<string>(tools.Keys);
            names.AddRange(jobs.Keys);
            names.Sort(StringComparer.Ordinal);
            return names;
        }
    }
}
