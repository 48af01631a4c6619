using System;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// Everything that this package ever writes to Unity's console; docs/unity.md explains each. Each
    /// is said once in a session of the editor, whatever happens afterwards. Main thread only.
    /// </summary>
    public static class Notices
    {
        const string key = "Multiverse.Said.";
        const string page = "Project Settings > Multiverse";

        public static void Connected(string serverVersion, int port)
        {
            if (IsFirst("Connected"))
                Debug.Log("Multiverse: connected to server " + serverVersion + " on port " + port + ".");
        }

        public static void Refused(Refusal refusal, int port)
        {
            if (IsFirst(refusal.Cause + "." + port))
                Debug.LogWarning("Multiverse: " + Words(refusal, port));
        }

        /// <summary>The environment says something that cannot count.</summary>
        public static void Outside(string problem)
        {
            if (problem != null && IsFirst("Outside"))
                Debug.LogWarning("Multiverse: " + problem);
        }

        /// <summary>Something in the package went wrong where no call was to answer for it.</summary>
        public static void Fault(Exception e)
        {
            if (IsFirst("Fault." + e.GetType().FullName))
                Debug.LogWarning("Multiverse: an error inside the package; please report it. " + e);
        }

        /// <summary>The settings page shows the same words.</summary>
        public static string Words(Refusal refusal, int port)
        {
            string own = "start one for this project with \"multiverse serve --port " + OtherPort(port) +
                         "\" in its folder and set the same port in " + page;
            switch (refusal.Cause)
            {
                case RefusalCause.AnotherEditor:
                    return "the server on port " + port + " works with another Unity Editor, and a server works " +
                           "with one. Close that one, or " + own + ". This editor tries again quietly.";
                case RefusalCause.AnotherProject:
                    return "the server on port " + port + " is for another project: " + own + ".";
                case RefusalCause.Protocol:
                    return "the server on port " + port + " and this package (" + EditorIdentity.PackageVersion +
                           ") do not understand each other: update the older one. (" + refusal.Words + ")";
                case RefusalCause.Token:
                    return "the server on port " + port + " asks for a token: set the file that it was started " +
                           "with (--token-file) in " + page + ". (" + refusal.Words + ")";
                case RefusalCause.NotMultiverse:
                    return "what listens on port " + port + " is no Multiverse server (" + refusal.Words + "): " +
                           own + ".";
                default:
                    return "the server on port " + port + " refuses this editor: " + refusal.Words;
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
