using System;
using System.Collections.Generic;
using UnityEngine;

namespace Standin
{
    /// <summary>One drawn control.</summary>
    internal sealed class GuiControl
    {
        /// <summary>label, button, toggle, text, int, float, popup, foldout, help,
        /// selectable.</summary>
        public string Kind;
        public string Label;
        public object Value;
        public bool Enabled;
    }

    /// <summary>
    /// An immediate-mode GUI without a screen. All controls of UnityEngine.GUI, GUILayout and
    /// UnityEditor.EditorGUILayout are added here. A test draws a page and gets its controls, or
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
        static int laidOut; /* the number of controls in the last layout; later events may not have more */

        /// <summary>Draw like Unity, a layout and a repaint, and return the controls of the
        /// repaint.</summary>
        public static List<GuiControl> Draw(Action handler)
        {
            Pass(EventType.Layout, handler);
            return Pass(EventType.Repaint, handler);
        }

        /// <summary>Press a button. ArgumentException: it does not exist or is disabled.</summary>
        public static List<GuiControl> Press(Action handler, string label)
        {
            return Act(handler, new Deed { Label = label, IsPress = true });
        }

        /// <summary>Set a field. ArgumentException: it does not exist, is disabled, or does not
        /// accept the value.</summary>
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
                /* GUIUtility.ExitGUI skips the rest of this pass. */
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

        /// <summary>Set the label of the next field that has none.</summary>
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

        /// <summary>Return a field's current value, or the one being entered.</summary>
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
