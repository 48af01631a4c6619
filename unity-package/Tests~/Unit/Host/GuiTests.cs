using System;
using System.Collections.Generic;
using NUnit.Framework;
using Standin;
using UnityEditor;
using UnityEngine;

namespace Standin.Unit
{
    /// <summary>The GUI without a screen: drawing, pressing and entering.</summary>
    public class GuiTests
    {
        int port = 1;
        int pressed;
        bool changed;
        bool isGrey;

        [SetUp]
        public void SetUp()
        {
            port = 1;
            pressed = 0;
            changed = isGrey = false;
        }

        void Page()
        {
            EditorGUILayout.LabelField("Status", "connected");
            EditorGUI.BeginChangeCheck();
            port = EditorGUILayout.DelayedIntField("Port", port);
            changed |= EditorGUI.EndChangeCheck();
            EditorGUILayout.PrefixLabel("Token");
            EditorGUILayout.TextField("abc");
            using (new EditorGUI.DisabledScope(isGrey))
            using (new GUILayout.HorizontalScope())
                if (GUILayout.Button("Reconnect"))
                    pressed++;
        }

        [Test]
        public void DrawsInOrder()
        {
            List<GuiControl> page = Gui.Draw(Page);
            Assert.AreEqual(new[] { "label", "int", "label", "text", "button" }, page.ConvertAll(c => c.Kind));
            Assert.AreEqual("connected", page[0].Value);
            Assert.AreEqual("Token", page[3].Label, "a field is named by the label before it");
            Assert.AreEqual(0, pressed);
            Assert.IsFalse(changed);
        }

        [Test]
        public void PressesOnce()
        {
            Gui.Press(Page, "Reconnect");
            Assert.AreEqual(1, pressed);
        }

        [Test]
        public void SetsAField()
        {
            Gui.Set(Page, "Port", 48092L);
            Assert.AreEqual(48092, port);
            Assert.IsTrue(changed);
        }

        [Test]
        public void DisabledButtonsCannotBePressed()
        {
            isGrey = true;
            Assert.Throws<ArgumentException>(() => Gui.Press(Page, "Reconnect"));
            Assert.AreEqual(0, pressed);
            Assert.IsFalse(Gui.Draw(Page)[4].Enabled);
        }

        [Test]
        public void WrongLabelsAndValuesAreRefused()
        {
            Assert.Throws<ArgumentException>(() => Gui.Press(Page, "Connect"));
            Assert.Throws<ArgumentException>(() => Gui.Set(Page, "Port", "no number"));
            Assert.AreEqual(1, port);
        }

        /* As in Unity, a control added after the layout is an error. */
        [Test]
        public void AControlAddedAfterTheLayoutIsRefused()
        {
            bool more = false;
            Action page = () =>
            {
                if (GUILayout.Button("More"))
                    more = true;
                if (more)
                    GUILayout.Label("there is more");
            };
            Assert.Throws<ArgumentException>(() => Gui.Press(page, "More"));
            Assert.AreEqual(2, Gui.Draw(page).Count);
        }

        [Test]
        public void ControlsOutsideOnGuiAreRefused()
        {
            Gui.Draw(Page);
            Assert.Throws<ArgumentException>(() => GUILayout.Button("Reconnect"));
        }
    }
}
