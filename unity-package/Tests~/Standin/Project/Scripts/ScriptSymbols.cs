using System;
using System.Collections.Generic;

namespace Standin
{
    /// <summary>The symbols that Unity defines for scripts in the editor.</summary>
    internal static class ScriptSymbols
    {
        const string Releases = "5.3 5.4 5.5 5.6 2017.1 2017.2 2017.3 2017.4 2018.1 2018.2 2018.3 2018.4 2019.1 2019.2 2019.3 "
            + "2019.4 2020.1 2020.2 2020.3 2021.1 2021.2 2021.3 2022.1 2022.2 2022.3 2023.1 2023.2 2023.3 "
            + "6000.0 6000.1 6000.2 6000.3 6000.4 6000.5 6000.6 6000.7";

        public static List<string> All()
        {
            var symbols = new List<string>
            {
                "UNITY_EDITOR", "UNITY_EDITOR_64", "UNITY_EDITOR_LINUX", "UNITY_STANDALONE", "UNITY_STANDALONE_LINUX",
                "UNITY_INCLUDE_TESTS", "UNITY_ASSERTIONS", "ENABLE_MONO", "NET_4_6", "CSHARP_7_OR_LATER",
                "CSHARP_7_3_OR_NEWER"
            };
            string[] parts = HostState.UnityVersion.Split('.');
            string release = parts.Length > 1 ? parts[0] + "." + parts[1] : "";
            foreach (string one in Releases.Split(' '))
            {
                string name = "UNITY_" + one.Replace('.', '_');
                symbols.Add(name + "_OR_NEWER");
                if (one != release)
                    continue;
                symbols.Add(name);
                symbols.Add("UNITY_" + parts[0]);
                break;
            }
            AddOwn(symbols);
            return symbols;
        }

        /* Project Settings, Player: "Standalone: A;B", or "1: A;B" in old files. */
        static void AddOwn(List<string> symbols)
        {
            DataNode settings = ProjectFolder.Settings("ProjectSettings");
            DataNode own = settings == null ? null : settings.Get("scriptingDefineSymbols");
            DataNode list = own == null || own.Kind != DataKind.Map ? null : own.Get("Standalone") ?? own.Get("1");
            if (list == null || list.Kind != DataKind.Scalar)
                return;
            foreach (string symbol in list.Text.Split(new[] { ';', ',', ' ' }, StringSplitOptions.RemoveEmptyEntries))
                symbols.Add(symbol);
        }
    }
}
