using System;
using System.Threading;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The editor's connection: the session, its wire, the settings, and a change of the port,
    /// which takes effect only after the new connection is open. There is one, created by <see
    /// cref="Startup"/>. Main thread only.
    /// </summary>
    public sealed class Link
    {
        const string sessionKey = "Multiverse.Session";
        const string sceneKey = "Multiverse.Scene";
        const string instanceKey = "Multiverse.Instance";
        const int tryMs = 4000;
        const int unloadMs = 100;

        /// <summary>null in a process that does not connect (batch mode, Unity's helper
        /// processes).</summary>
        public static Link Current { get; private set; }

        readonly EditorIdentity identity;
        readonly EditorWatch watch = new EditorWatch();
        readonly Session session;
        Wire wire, candidate;
        long candidateDueMs;
        bool isInside, isDone, ranInWake;

        /// <summary>The result of the last change of the port as a sentence, or "".</summary>
        public string PortChange { get; private set; }

        Link()
        {
            PortChange = "";
            identity = new EditorIdentity(InstanceId(), Guid.NewGuid().ToString("N"),
                                          ProjectPath(), Application.unityVersion);
            session = new Session(watch, OnOpened, OnRefused);
        }

        /// <summary>Called as early as possible in each domain. After a reload, connect at once; at
        /// the start of the editor, wait for the first update, when the project is loaded.</summary>
        public static void Open()
        {
            Compat.PrepareWake();
            Current = new Link();
            Startup.Guard(Current.Load); /* state that cannot be read is lost; everything else continues */
            Notices.LogEnvironmentProblem(LinkSettings.DescribeEnvironmentProblem());
        }

        /* Unity's spelling, with "/" on every platform. */
        static string ProjectPath()
        {
            string assets = Application.dataPath;
            return assets.Substring(0, assets.LastIndexOf('/'));
        }

        /* ---- for the settings page */

        public bool IsConnected { get { return session.IsConnected; } }
        public string LastError { get { return session.LastError; } }
        public bool IsTryingPort { get { return candidate != null; } }

        public WireView View
        {
            get { return wire != null ? wire.View : new WireView(WireState.Stopped, Port, "", 0); }
        }

        static int Port { get { return LinkSettings.Current.EffectivePort; } }

        /// <summary>Close the connection, if any, and connect with the current settings.</summary>
        public void Reconnect()
        {
            DropCandidate();
            session.Disconnect("connecting again");
            wire = null;
            if (LinkSettings.Current.IsEnabled)
                ConnectWire(NewWire(Port, watch.TakeSnapshot()));
        }

        /// <summary>
        /// Try another port. An open connection stays until the new one is open; if that fails,
        /// nothing changes. PortChange has the result.
        /// </summary>
        public void TryPort(int port)
        {
            DropCandidate();
            if (!session.IsConnected)
            {
                PortChange = SavePort(port) ?? "Port " + port + " is set.";
                Reconnect();
                return;
            }
            PortChange = "Trying port " + port + "...";
            candidate = NewWire(port, watch.TakeSnapshot());
            candidateDueMs = Clock.NowMs + tryMs;
            candidate.Start();
        }

        /* ---- lifetime of a domain */

        /// <summary>Handle EditorApplication.update.</summary>
        public void OnUpdate()
        {
            bool skip = ranInWake; /* at most one slice per editor update */
            ranInWake = false;
            Interlocked.Exchange(ref wakes, 0);
            if (!skip)
                UpdateOnce();
        }

        /// <summary>Called through the wire's wake-up, with or without an editor update.</summary>
        public void OnWake()
        {
            /* reset first: an event that comes from here on must wake the editor again */
            Interlocked.Exchange(ref wakes, 0);
            ranInWake = true;
            UpdateOnce();
        }

        /// <summary>Called before a domain reload.</summary>
        public void OnReload()
        {
            if (isDone)
                return;
            isDone = true;
            DropCandidate();
            try
            {
                session.CloseForReload();
            }
            finally
            {
                JobStore.SaveWork();
                SessionState.SetString(sessionKey, session.Save());
                SaveScene();
            }
        }

        /// <summary>The domain unloads without an earlier event. May run on any thread, so no Unity
        /// API; state for the next domain is lost.</summary>
        public void OnUnload()
        {
            if (isDone)
                return;
            isDone = true;
            try
            {
                foreach (Wire each in new[] { candidate, wire })
                    if (each != null)
                        each.Stop("domain reload", unloadMs, unloadMs);
            }
            catch (Exception)
            {
                /* the runtime ends the thread */
            }
        }

        /// <summary>Called when the editor quits.</summary>
        public void OnQuit()
        {
            if (isDone)
                return;
            isDone = true;
            DropCandidate();
            session.Disconnect("the editor quits");
        }

        void UpdateOnce()
        {
            if (isInside || isDone)
                return;
            isInside = true;
            try
            {
                if (wire == null && LinkSettings.Current.IsEnabled)
                    ConnectWire(NewWire(Port, watch.TakeSnapshot()));
                session.Update();
                if (candidate != null)
                    FollowCandidate();
            }
            finally
            {
                isInside = false;
            }
        }

        void Load()
        {
            JobStore.Load();
            string saved = SessionState.GetString(sessionKey, "");
            SessionState.EraseString(sessionKey);
            if (saved.Length == 0)
                return;
            session.Load(saved);
            if (LinkSettings.Current.IsEnabled)
                ConnectWire(NewWire(Port, LoadScene()));
        }

        static string InstanceId()
        {
            string id = SessionState.GetString(instanceKey, "");
            if (id.Length == 32) /* otherwise it was not written by this method */
                return id;
            id = Guid.NewGuid().ToString("N");
            SessionState.SetString(instanceKey, id);
            return id;
        }

        /* Save what the first hello after the reload reports, because scenes cannot be queried
           that early. */
        void SaveScene()
        {
            Snapshot now = watch.TakeSnapshot();
            var w = new JsonWriter();
            w.BeginObject();
            w.Member("scene", now.ActiveScene);
            w.Member("dirty", now.SceneDirty);
            w.Member("playing", now.IsPlaying);
            w.Member("paused", now.IsPaused);
            w.EndObject();
            SessionState.SetString(sceneKey, w.ToString());
        }

        /* Restore the state for the first hello of a new domain; the new counters make the
           server refresh. */
        static Snapshot LoadScene()
        {
            JsonValue saved = JsonReader.Read(SessionState.GetString(sceneKey, "{}"));
            return new Snapshot(EditorState.Reloading, saved.GetString("scene", null), saved.GetBool("dirty", false),
                                saved.GetBool("playing", false), saved.GetBool("paused", false),
                                SceneChanges.Count, ConsoleFeed.Buffer.Serial);
        }

        /* ---- wires */

        Wire NewWire(int port, Snapshot now)
        {
            return new Wire(new WireOptions { Port = port, TokenFile = LinkSettings.Current.EffectiveTokenFile,
                                              Editor = identity, Wake = Wake,
                                              Seed = Guid.NewGuid().GetHashCode() }, now);
        }

        /* Called on the wire's thread. Several calls before the editor reacts wake it once. */
        static void Wake()
        {
            if (Interlocked.Exchange(ref wakes, 1) == 0)
                Compat.Wake(onWake);
        }
        static int wakes;
        static readonly Action onWake = () => Startup.Guard(Current.OnWake);

        void ConnectWire(Wire next)
        {
            wire = next;
            session.Use(next);
            next.Start();
        }

        void OnOpened(ServerHello server) { Notices.LogConnected(server.Version, wire.Port); }

        void OnRefused(Refusal refusal) { Notices.LogRefused(refusal, wire.Port); }

        void DropCandidate()
        {
            if (candidate != null)
                candidate.Stop("another port", 0, 50);
            candidate = null;
        }

        void FollowCandidate()
        {
            WireEvent wireEvent;
            while (candidate != null && candidate.TryTake(out wireEvent))
            {
                if (wireEvent.Kind == WireEventKind.Opened)
                    UseCandidate(wireEvent);
                else if (wireEvent.Kind == WireEventKind.Refused)
                    RejectCandidate(Notices.DescribeRefusal(wireEvent.Refusal, candidate.Port));
            }
            if (candidate != null && Clock.NowMs >= candidateDueMs)
                RejectCandidate("no server answers on it (" + candidate.View.Text + ").");
        }

        void UseCandidate(WireEvent opened)
        {
            Wire next = candidate;
            candidate = null;
            string problem = SavePort(next.Port);
            PortChange = problem ?? "Connected on port " + next.Port + ".";
            session.Disconnect("another port was set");
            wire = next;
            session.Use(next);
            session.HandleEvent(opened);
        }

        void RejectCandidate(string reason)
        {
            PortChange = "Port " + candidate.Port + " was not set: " + reason + " Port " + wire.Port + " stays.";
            DropCandidate();
        }

        /* Save the port. Return an error message, or null. */
        static string SavePort(int port)
        {
            try
            {
                LinkSettings.Current.Port = port;
                LinkSettings.Current.Save();
                return null;
            }
            catch (Exception e)
            {
                return "Port " + port + " is set until Unity is closed; it could not be saved: " + e.Message;
            }
        }
    }
}
