using System;
using System.Collections.Generic;
using UnityEngine;

namespace Standin
{
    /// <summary>One control as it was drawn.</summary>
    internal sealed class GuiControl
    {
        /// <summary>label, button, toggle, text, int, float, popup, foldout, help, selectable.</summary>
        public string Kind;
        public string Label;
        public object Value;
        public bool Enabled;
    }

    /// <summary>
    /// An immediate mode GUI without a screen: every control of UnityEngine.GUI, GUILayout and
    /// UnityEditor.EditorGUILayout comes here. Who drives it draws a page and sees what is on it, or
    /// presses a button or sets a field by its label, as a user does.
    /// <code>
    ///     List&lt;GuiControl&gt; page = Gui.Draw(() => provider.guiHandler(""));
    ///     Gui.Press(() => provider.guiHandler(""), "Reconnect");
    ///     Gui.Set(() => provider.guiHandler(""), "Port", 48092L);
    /// </code>
    /// </summary>
    internal static class Gui
    {
        sealed class Deed
        {
            public string Label;
            public bool IsPress;
            public object Value;
            public bool Done;
        }

        static List<GuiControl> page;
        static Deed deed;
        static string prefix;
        static int laidOut; /* controls of the last layout: later events have places for no more */

        /// <summary>Draws as Unity does, a layout and a repaint, and tells what the repaint drew.</summary>
        public static List<GuiControl> Draw(Action handler)
        {
            Pass(EventType.Layout, handler);
            return Pass(EventType.Repaint, handler);
        }

        /// <summary>ArgumentException: no such button, or it is greyed out.</summary>
        public static List<GuiControl> Press(Action handler, string label)
        {
            return Act(handler, new Deed { Label = label, IsPress = true });
        }

        /// <summary>ArgumentException: no such field, it is greyed out, or it takes no such value.</summary>
        public static List<GuiControl> Set(Action handler, string label, object value)
        {
            return Act(handler, new Deed { Label = label, Value = value });
        }

        static List<GuiControl> Act(Action handler, Deed wanted)
        {
            Pass(EventType.Layout, handler);
            deed = wanted;
            try
            {
                Pass(wanted.IsPress ? EventType.MouseUp : EventType.KeyDown, handler);
            }
            finally
            {
                deed = null;
            }
            if (!wanted.Done)
                throw new ArgumentException((wanted.IsPress ? "no button " : "no field ") + wanted.Label +
                                            " that can be used");
            return Draw(handler);
        }

        static List<GuiControl> Pass(EventType type, Action handler)
        {
            page = new List<GuiControl>();
            List<GuiControl> drawn;
            prefix = null;
            GUI.enabled = true;
            GUI.changed = false;
            Event.current = new Event { type = type };
            try
            {
                handler();
            }
            catch (ExitGUIException)
            {
                /* GUIUtility.ExitGUI: the rest of this pass is left out. */
            }
            finally
            {
                Event.current = null;
                if (type == EventType.Layout)
                    laidOut = page.Count;
                drawn = page;
                page = null;
            }
            return drawn;
        }

        static GuiControl Add(string kind, string label, object value)
        {
            if (page == null)
                throw new ArgumentException("You can only call GUI functions from inside OnGUI.");
            if (page.Count >= laidOut && Event.current.type != EventType.Layout)
                throw new ArgumentException("Getting control " + page.Count + "'s position in a group with only " +
                                            laidOut + " controls when doing " + Event.current.rawType + "\nAborting");
            var control = new GuiControl
            {
                Kind = kind, Label = label ?? "", Value = value, Enabled = GUI.enabled
            };
            page.Add(control);
            return control;
        }

        public static void Show(string kind, string text, object value = null) { Add(kind, text, value); }

        /// <summary>Names the field that comes next, where that has no label of its own.</summary>
        public static void Prefix(string label)
        {
            prefix = label;
            Add("label", label, null);
        }

        public static bool Button(string label)
        {
            Add("button", label, null);
            if (deed == null || !deed.IsPress || deed.Done || !GUI.enabled || deed.Label != label)
                return false;
            deed.Done = true;
            GUI.changed = true;
            Event.current.Use();
            return true;
        }

        /// <summary>A field: the value it has now, or the one that is being entered.</summary>
        public static T Field<T>(string kind, string label, T value)
        {
            if (string.IsNullOrEmpty(label) && prefix != null)
                label = prefix;
            prefix = null;
            Add(kind, label, value);
            if (deed == null || deed.IsPress || deed.Done || !GUI.enabled || deed.Label != label)
                return value;
            deed.Done = true;
            T entered = (T)Converted(deed.Value, typeof(T), label);
            if (!Equals(entered, value))
                GUI.changed = true;
            return entered;
        }

        static object Converted(object value, Type type, string label)
        {
            try
            {
                return Convert.ChangeType(value, type, System.Globalization.CultureInfo.InvariantCulture);
            }
            catch (Exception e)
            {
                if (e is FormatException || e is InvalidCastException || e is OverflowException)
                    throw new ArgumentException(label + " takes no " + value);
                throw;
            }
        }
    }
}
