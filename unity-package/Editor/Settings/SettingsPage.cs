using System;
using System.Collections.Generic;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// Project Settings > Multiverse: the port, the state of the connection, and the setup line for
    /// each MCP client. An open page is repainted only after a change.
    /// </summary>
    public static class SettingsPage
    {
        const int buttonWidth = 90;

        static int port, portOfFile;
        static string problem = "";

        /* The values that decide which controls exist, as of the last Layout event. The events
           after it must draw the same controls, although the wire's thread or a button may have
           changed the state since. */
        static WireView drawn;
        static string drawnChange = "", drawnProblem = "", drawnError = "";
        static bool drawnIsPort;

        [SettingsProvider]
        public static SettingsProvider Create()
        {
            var provider = new SettingsProvider("Project/Multiverse", SettingsScope.Project)
            {
                label = "Multiverse",
                keywords = new HashSet<string> { "Multiverse", "MCP", "AI", "agent", "port", "Claude", "Codex",
                                                 "Gemini", "Cursor" },
                guiHandler = text => Startup.Guard(Draw),
            };
            provider.inspectorUpdateHandler = () =>
            {
                if (HasChanges())
                    provider.Repaint();
            };
            return provider;
        }

        /* Called about ten times a second while the page is open. */
        static bool HasChanges()
        {
            Link link = Link.Current;
            return link != null && (link.View != drawn || link.PortChange != drawnChange);
        }

        static void Draw()
        {
            Link link = Link.Current;
            if (link == null)
            {
                EditorGUILayout.HelpBox("Multiverse does not run in this process of Unity.", MessageType.Info);
                return;
            }
            LinkSettings settings = LinkSettings.Current;
            if (drawn == null || Event.current.type == EventType.Layout)
                CaptureState(link, settings);
            DrawEnabled(link, settings);
            DrawPort(link, settings);
            DrawTokenFile(link, settings);
            if (drawnProblem.Length > 0)
                EditorGUILayout.HelpBox(drawnProblem, MessageType.Error);
            EditorGUILayout.Space();
            DrawStatus(link, settings);
            EditorGUILayout.Space();
            DrawClients(settings.EffectivePort);
        }

        static void CaptureState(Link link, LinkSettings settings)
        {
            if (portOfFile != settings.Port)
                port = portOfFile = settings.Port;
            drawn = link.View;
            drawnChange = link.PortChange;
            drawnProblem = problem;
            drawnError = (drawn.State == WireState.Refused ? drawn.Text : link.LastError) ?? "";
            drawnIsPort = LinkSettings.IsPort(port);
        }

        static void DrawEnabled(Link link, LinkSettings settings)
        {
            bool isEnabled = EditorGUILayout.Toggle("Enabled", settings.IsEnabled);
            if (isEnabled == settings.IsEnabled)
                return;
            settings.IsEnabled = isEnabled;
            SaveSettings(settings);
            link.Reconnect();
        }

        static void SaveSettings(LinkSettings settings)
        {
            try
            {
                settings.Save();
                problem = "";
            }
            catch (Exception e)
            {
                problem = "The settings could not be saved; they apply until Unity is closed: " + e.Message;
            }
        }

        static void DrawPort(Link link, LinkSettings settings)
        {
            int environmentPort;
            if (LinkSettings.TryPortFromEnvironment(out environmentPort))
            {
                EditorGUILayout.LabelField("Port", environmentPort + " (environment variable " +
                                           LinkSettings.PortVariable + ")");
                return;
            }
            EditorGUILayout.BeginHorizontal();
            port = EditorGUILayout.IntField("Port", port);
            EditorGUI.BeginDisabledGroup(!LinkSettings.IsPort(port) || port == settings.Port || link.IsTryingPort);
            if (GUILayout.Button("Apply", GUILayout.Width(buttonWidth)))
                link.TryPort(port);
            EditorGUI.EndDisabledGroup();
            EditorGUILayout.EndHorizontal();
            if (!drawnIsPort)
                EditorGUILayout.HelpBox("A port is a number from " + LinkSettings.LeastPort + " to " +
                                        LinkSettings.MostPort + ".", MessageType.Error);
            else if (drawnChange.Length > 0)
                EditorGUILayout.HelpBox(drawnChange, MessageType.Info);
            string environmentProblem = LinkSettings.DescribeEnvironmentProblem();
            if (environmentProblem != null)
                EditorGUILayout.HelpBox("Here, " + environmentProblem, MessageType.Warning);
        }

        static void DrawTokenFile(Link link, LinkSettings settings)
        {
            if (LinkSettings.TokenFileFromEnvironment != null)
            {
                EditorGUILayout.LabelField("Token file", LinkSettings.TokenFileFromEnvironment +
                                           " (environment variable " + LinkSettings.TokenFileVariable + ")");
                return;
            }
            string tokenFile = EditorGUILayout.DelayedTextField("Token file", settings.TokenFile);
            if (tokenFile == settings.TokenFile)
                return;
            settings.TokenFile = tokenFile;
            SaveSettings(settings);
            link.Reconnect();
        }

        static void DrawStatus(Link link, LinkSettings settings)
        {
            WireView view = drawn;
            EditorGUILayout.LabelField("Status", StatusWords(view, settings.IsEnabled));
            if (view.State == WireState.Waiting)
                DrawLine("Start it with", ClientLines.Serve(view.Port));
            EditorGUILayout.LabelField("Versions", "package " + EditorIdentity.PackageVersion + ", Unity " +
                                       Application.unityVersion +
                                       (view.State == WireState.Connected ? ", server " + view.Text : ""));
            if (drawnError.Length > 0)
                EditorGUILayout.LabelField("Last error", drawnError, EditorStyles.wordWrappedLabel);
            EditorGUI.BeginDisabledGroup(!settings.IsEnabled);
            if (GUILayout.Button("Reconnect", GUILayout.Width(buttonWidth)))
                link.Reconnect();
            EditorGUI.EndDisabledGroup();
        }

        /// <summary>Return the text of the status line.</summary>
        public static string StatusWords(WireView view, bool isEnabled)
        {
            switch (view.State)
            {
                case WireState.Connected:
                    return "connected to server " + view.Text + " on port " + view.Port + " since " +
                           At(view.AtMs).ToString("T");
                case WireState.Refused:
                    return "refused on port " + view.Port + ", next try at " + At(view.AtMs).ToString("T");
                case WireState.Waiting:
                    return "no server on port " + view.Port + ", next try at " + At(view.AtMs).ToString("T");
                case WireState.Connecting:
                    return "connecting to port " + view.Port;
                default:
                    return isEnabled ? "not started" : "disabled";
            }
        }

        static DateTime At(long clockMs) { return DateTime.Now.AddMilliseconds(clockMs - Clock.NowMs); }

        static void DrawClients(int effectivePort)
        {
            EditorGUILayout.LabelField("Connect an MCP client", EditorStyles.boldLabel);
            foreach (ClientLines.Line line in ClientLines.For(effectivePort))
                DrawLine(line.Client + " (" + line.Where + ")", line.Text);
        }

        static void DrawLine(string name, string text)
        {
            EditorGUILayout.LabelField(name);
            EditorGUILayout.BeginHorizontal();
            EditorGUILayout.SelectableLabel(text, EditorStyles.textField,
                                            GUILayout.Height(EditorGUIUtility.singleLineHeight));
            if (GUILayout.Button("Copy", GUILayout.Width(buttonWidth)))
                EditorGUIUtility.systemCopyBuffer = text;
            EditorGUILayout.EndHorizontal();
        }
    }
}
