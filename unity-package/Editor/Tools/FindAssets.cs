using System;
using System.Collections.Generic;
using UnityEditor;
using Object = UnityEngine.Object;

namespace Multiverse.Editor
{
    /// <summary>find_assets: the assets that a field of a class accepts, sorted by path.</summary>
    public sealed class FindAssets : Tool
    {
        const int AssetsPerStep = 50;
        const string Advice =
            "get_component_info shows the type of a field, and without type all assets are searched";

        public override string Name { get { return "find_assets"; } }

        public override IEnumerator<Pause> Run(ToolCall call)
        {
            string query = call.Arguments.GetString("query", "");
            var lister = new AssetLister(TypeOf(call.Arguments.GetString("type", "")));
            var items = new List<AssetItem>();
            int seen = 0;
            foreach (string path in ListPaths(FolderOf(call.Arguments.GetString("folder", ""))))
            {
                int from = items.Count;
                bool wasLoaded = lister.ListObjects(path, items);
                for (int i = items.Count - 1; i >= from; i--)
                    if (!Matches(path, query) && !Matches(items[i].Name, query))
                        items.RemoveAt(i);
                if (wasLoaded || ++seen % AssetsPerStep == 0)
                    yield return Pause.Step;
            }
            WriteAnswer(call, items);
        }

        static bool Matches(string text, string query)
        {
            return text.IndexOf(query, StringComparison.OrdinalIgnoreCase) >= 0;
        }

        /* null: all. */
        static Type TypeOf(string written)
        {
            if (written.Trim().Length == 0)
                return null;
            Type type = TypeNames.Find(written, Advice);
            if (!typeof(Object).IsAssignableFrom(type))
                throw new ToolError("ERR_TYPE_NOT_FOUND", FieldTypes.NameOf(type) +
                    " is not a class of assets, GameObjects or components: " + Advice);
            return type;
        }

        /* The folder with a trailing slash, or "" for everywhere. */
        static string FolderOf(string written)
        {
            string folder = written.Length > 1 && written[written.Length - 1] == '/'
                ? written.Substring(0, written.Length - 1) : written;
            if (folder.Length == 0)
                return "";
            if (folder != "Packages" && !AssetDatabase.IsValidFolder(folder))
                throw new ToolError("ERR_INVALID_PARAMS", "there is no folder " + folder +
                    ": give a path like Assets/... or Packages/NAME/...");
            return folder + "/";
        }

        static List<string> ListPaths(string folder)
        {
            var paths = new List<string>();
            foreach (string path in AssetDatabase.GetAllAssetPaths())
                if ((path.StartsWith("Assets/", StringComparison.Ordinal) ||
                     path.StartsWith("Packages/", StringComparison.Ordinal)) &&
                    path.StartsWith(folder, StringComparison.Ordinal))
                    paths.Add(path);
            paths.Sort(StringComparer.Ordinal);
            return paths;
        }

        static void WriteAnswer(ToolCall call, List<AssetItem> items)
        {
            JsonWriter w = call.Out;
            var page = new ToolPage(call.Arguments, call.Arguments.GetLong("max_results", 100), items.Count);
            w.BeginObject();
            w.Key("assets");
            w.BeginArray();
            for (int i = page.From; i < page.To; i++)
            {
                AssetItem item = items[i];
                w.BeginObject();
                w.Member("path", item.Path);
                w.Member("name", item.Name);
                w.Member("type", FieldTypes.NameOf(item.Type));
                w.Member("guid", AssetDatabase.AssetPathToGUID(item.Path));
                w.Key("set");
                w.BeginObject();
                w.Member("$asset", item.Path);
                if (item.ByName)
                    w.Member("name", item.Name);
                w.EndObject();
                w.EndObject();
            }
            w.EndArray();
            page.Write(w);
            w.EndObject();
        }
    }
}
