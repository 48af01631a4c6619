using System;
using System.Collections.Generic;
using UnityEditor;

namespace Standin.Host
{
    using Answer = Dictionary<string, object>;

    /// <summary>Project Settings: draws a page, presses its buttons and sets its fields by
    /// label.</summary>
    static class PageCommands
    {
        public static void Add(Dictionary<string, Command> commands)
        {
            commands["settings"] = new Command { Begin = Settings };
            commands["clipboard"] = new Command
            {
                Begin = a => new Answer { { "text", EditorGUIUtility.systemCopyBuffer } }
            };
        }

        static Answer Settings(Arguments arguments)
        {
            if (arguments.Flag("close", false))
            {
                SettingsPages.Close();
                return new Answer();
            }
            SettingsPages.Open(arguments.Text("page", null));
            SettingsProvider page = SettingsPages.Current;
            if (page == null)
                throw new ArgumentException("no such settings page");
            return new Answer { { "page", page.settingsPath }, { "controls", Controls(page, arguments) } };
        }

        static List<object> Controls(SettingsProvider page, Arguments arguments)
        {
            Action draw = () => page.OnGUI("");
            List<GuiControl> drawn;
            if (arguments.Has("press"))
                drawn = Gui.Press(draw, arguments.Text("press"));
            else if (arguments.Has("set"))
                drawn = Gui.Set(draw, arguments.Text("set"), arguments.Get("value"));
            else
                drawn = Gui.Draw(draw);
            return drawn.ConvertAll(c => (object)new Answer
            {
                { "kind", c.Kind }, { "label", c.Label }, { "value", c.Value }, { "enabled", c.Enabled }
            });
        }
    }
}
