using System;
using System.Threading;
using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// The connection of this editor as a whole: the session, the wire it uses, the settings it comes
    /// from, and a change of the port, which counts only once the new connection stands. There is one,
    /// made by <see cref="Startup"/>. Main thread only.
    /// </summary>
    public sealed class Link
    {
        const string sessionKey = "Multiverse.Session";
        const string sceneKey = "Multiverse.Scene";
        const string instanceKey = "Multiverse.Instance";
        const int tryMs = 4000;
        const int unloadMs = 100;

        /// <summary>null: this process has none (batch mode, a helper of Unity).</summary>
        public static Link Current { get; private set; }

        readonly EditorIdentity identity;
        readonly EditorWatch watch = new EditorWatch();
        readonly Session session;
        Wire wire, candidate;
        long candidateDueMs;
        bool isInside, isDone, ranInWake;

        /// <summary>How the last change of the port went, in words, or "".</summary>
        public string PortChange { get; private set; }

        Link()
        {
            PortChange = "";
            identity = new EditorIdentity(InstanceId(), Guid.NewGuid().ToString("N"),
                                          ProjectPath(), Application.unityVersion);
            session = new Session(watch, OnOpened, OnRefused);
        }

        /// <summary>In each domain, as early as can be. After a reload the connection comes back at
        /// once; at the start of the editor it waits for the first update, when the project is there.</summary>
        public static void Open()
        {
            Compat.PrepareWake();
            Current = new Link();
            Startup.Guard(Current.Load); /* what cannot be read is lost, and the rest goes on */
            Notices.Outside(LinkSettings.ProblemFromOutside());
        }

        /* As Unity writes it, with "/" everywhere. */
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

        /// <summary>Closes the connection, if there is one, and connects with the settings as they are.</summary>
        public void Reconnect()
        {
            DropCandidate();
            session.Disconnect("connecting again");
            wire = null;
            if (LinkSettings.Current.IsEnabled)
                Connect(NewWire(Port, watch.Look()));
        }

        /// <summary>
        /// Connects to another port. Where a connection stands it goes on until the new one has been
        /// answered by its server; if that does not happen, everything is as it was. PortChange tells.
        /// </summary>
        public void TryPort(int port)
        {
            DropCandidate();
            if (!session.IsConnected)
            {
                PortChange = Keep(port) ?? "Port " + port + " is set.";
                Reconnect();
                return;
            }
            PortChange = "Trying port " + port + "...";
            candidate = NewWire(port, watch.Look());
            candidateDueMs = Clock.NowMs + tryMs;
            candidate.Start();
        }

        /* ---- the life of a domain */

        /// <summary>EditorApplication.update.</summary>
        public void OnUpdate()
        {
            bool skip = ranInWake; /* one slice for each turn of the editor */
            ranInWake = false;
            Interlocked.Exchange(ref wakes, 0);
            if (!skip)
                Turn();
        }

        /// <summary>Woken up by the wire's thread, with or without an update of the editor.</summary>
        public void OnWake()
        {
            Interlocked.Exchange(ref wakes, 0); /* before it looks: what comes from here on wakes it again */
            ranInWake = true;
            Turn();
        }

        /// <summary>Before a domain reload.</summary>
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

        /// <summary>The domain ends and nobody said so before: from any thread, and without Unity. What the
        /// next domain should know is lost.</summary>
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

        /// <summary>The editor quits.</summary>
        public void OnQuit()
        {
            if (isDone)
                return;
            isDone = true;
            DropCandidate();
            session.Disconnect("the editor quits");
        }

        void Turn()
        {
            if (isInside || isDone)
                return;
            isInside = true;
            try
            {
                if (wire == null && LinkSettings.Current.IsEnabled)
                    Connect(NewWire(Port, watch.Look()));
                session.Update();
                if (candidate != null)
                    Follow();
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
                Connect(NewWire(Port, LoadScene()));
        }

        static string InstanceId()
        {
            string id = SessionState.GetString(instanceKey, "");
            if (id.Length == 32) /* as it was made here */
                return id;
            id = Guid.NewGuid().ToString("N");
            SessionState.SetString(instanceKey, id);
            return id;
        }

        /* What the first hello after the reload says, before scenes can be asked. */
        void SaveScene()
        {
            Snapshot now = watch.Look();
            var w = new JsonWriter();
            w.BeginObject();
            w.Member("scene", now.ActiveScene);
            w.Member("dirty", now.SceneDirty);
            w.Member("playing", now.IsPlaying);
            w.Member("paused", now.IsPaused);
            w.EndObject();
            SessionState.SetString(sceneKey, w.ToString());
        }

        /* Whatever a new domain shows is worth a look. */
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

        /* On the wire's thread. However often it is called, the editor is woken once. */
        static void Wake()
        {
            if (Interlocked.Exchange(ref wakes, 1) == 0)
                Compat.Wake(onWake);
        }
        static int wakes;
        static readonly Action onWake = () => Startup.Guard(Current.OnWake);

        void Connect(Wire next)
        {
            wire = next;
            session.Use(next);
            next.Start();
        }

        void OnOpened(ServerHello server) { Notices.Connected(server.Version, wire.Port); }

        void OnRefused(Refusal refusal) { Notices.Refused(refusal, wire.Port); }

        void DropCandidate()
        {
            if (candidate != null)
                candidate.Stop("another port", 0, 50);
            candidate = null;
        }

        void Follow()
        {
            WireEvent news;
            while (candidate != null && candidate.TryTake(out news))
            {
                if (news.Kind == WireEventKind.Opened)
                    TakeOver(news);
                else if (news.Kind == WireEventKind.Refused)
                    RollBack(Notices.Words(news.Refusal, candidate.Port));
            }
            if (candidate != null && Clock.NowMs >= candidateDueMs)
                RollBack("no server answers there (" + candidate.View.Words + ").");
        }

        void TakeOver(WireEvent opened)
        {
            Wire next = candidate;
            candidate = null;
            string problem = Keep(next.Port);
            PortChange = problem ?? "Connected on port " + next.Port + ".";
            session.Disconnect("another port was set");
            wire = next;
            session.Use(next);
            session.Take(opened);
        }

        void RollBack(string why)
        {
            PortChange = "Port " + candidate.Port + " was not taken: " + why + " Port " + wire.Port + " stays.";
            DropCandidate();
        }

        /* null: it is saved. */
        static string Keep(int port)
        {
            try
            {
                LinkSettings.Current.Port = port;
                LinkSettings.Current.Save();
                return null;
            }
            catch (Exception e)
            {
                return "Port " + port + " counts until Unity is closed; it could not be saved: " + e.Message;
            }
        }
    }
}
