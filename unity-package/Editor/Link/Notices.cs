using System;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// All messages that this package writes to Unity's console; docs/unity.md explains each. Each
    /// is logged once per editor session. Main thread only.
    /// </summary>
    public static class Notices
    {
        const string key = "Multiverse.Said.";
        const string page = "Project Settings > Multiverse";

        public static void LogConnected(string serverVersion, int port)
        {
            if (IsFirst("Connected"))
                Debug.Log("Multiverse: connected to server " + serverVersion + " on port " + port + ".");
        }

        public static void LogRefused(Refusal refusal, int port)
        {
            if (IsFirst(refusal.Cause + "." + port))
                Debug.LogWarning("Multiverse: " + DescribeRefusal(refusal, port));
        }

        /// <summary>Log a problem with an environment variable; null: there is none.</summary>
        public static void LogEnvironmentProblem(string problem)
        {
            if (problem != null && IsFirst("Outside"))
                Debug.LogWarning("Multiverse: " + problem);
        }

        /// <summary>Log an exception inside the package that belongs to no tool call.</summary>
        public static void LogException(Exception e)
        {
            if (IsFirst("Fault." + e.GetType().FullName))
                Debug.LogWarning("Multiverse: an error inside the package; please report it. " + e);
        }

        /// <summary>Describe why a port refused the connection; the settings page shows the same
        /// text.</summary>
        public static string DescribeRefusal(Refusal refusal, int port)
        {
            string own = "start one for this project with \"multiverse serve --port " + OtherPort(port) +
                         "\" in its folder and set the same port in " + page;
            switch (refusal.Cause)
            {
                case RefusalCause.AnotherEditor:
                    return "the server on port " + port + " is connected to another Unity Editor, and a server " +
                           "serves one. Close that one, or " + own + ". This editor keeps trying.";
                case RefusalCause.AnotherProject:
                    return "the server on port " + port + " is for another project: " + own + ".";
                case RefusalCause.Protocol:
                    return "the server on port " + port + " and this package (" + EditorIdentity.PackageVersion +
                           ") use different protocols: update the older one. (" + refusal.Reason + ")";
                case RefusalCause.Token:
                    return "the server on port " + port + " requires a token: set the file that it was started " +
                           "with (--token-file) in " + page + ". (" + refusal.Reason + ")";
                case RefusalCause.NotMultiverse:
                    return "the program on port " + port + " is not a Multiverse server (" + refusal.Reason + "): " +
                           own + ".";
                default:
                    return "the server on port " + port + " refuses this editor: " + refusal.Reason;
            }
        }

        static int OtherPort(int port) { return port < 65535 ? port + 1 : port - 1; }

        static bool IsFirst(string what)
        {
            if (SessionState.GetBool(key + what, false))
                return false;
            SessionState.SetBool(key + what, true);
            return true;
        }
    }
}
