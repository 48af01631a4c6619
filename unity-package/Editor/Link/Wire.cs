using System;
using System.IO;
using System.Net.WebSockets;
using System.Threading;

namespace Multiverse.Editor
{
    /// <summary>
    /// The connection to the server, on its own thread: connects, sends the hello, reads, writes,
    /// repeats the editor's status, and reconnects. Without a server it makes one attempt per
    /// back-off delay. The main thread takes events from the inbox and sends messages. A message
    /// belongs to one connection, named by its epoch. If that connection has ended, the message is
    /// dropped: answers are stored elsewhere and requested again after the next hello.
    /// <code>
    ///     var wire = new Wire(options);
    ///     wire.Start();
    ///     while (wire.TryTake(out wireEvent)) ...                    // in each editor update
    ///     wire.Send(epoch, WireMessages.Result(...));           // of the connection it belongs to
    ///     wire.SendStatus(epoch, snapshot);
    ///     wire.Stop("domain reload", 250, 50);                  // the thread has ended after this
    /// </code>
    /// </summary>
    public sealed class Wire
    {
        const int connectTimeoutMs = 3000;
        const int helloTimeoutMs = 5000;
        const int closeTimeoutMs = 1000;
        const int nudgeMs = 10;
        const int mostInboxCount = 256;
        const int mostInboxWeight = 8 << 20;
        const int mostOutboxWeight = 128 << 20;

        static int lastEpoch;
        static long lastAttempt;

        readonly WireOptions options;
        readonly AutoResetEvent signal = new AutoResetEvent(false);
        readonly Mailbox<WireEvent> inbox = new Mailbox<WireEvent>();
        readonly Mailbox<Outgoing> outbox = new Mailbox<Outgoing>();
        readonly Backoff backoff;
        readonly Thread thread;
        volatile WireSocket socket;
        volatile HttpProbe probe;
        volatile Snapshot status;
        volatile WireView view;
        volatile bool stopping, isUp, isNudged;
        volatile string closeReason = "";

        /* Used on the wire's thread only. */
        int epoch;
        long statusSeq, statusDueMs, helloDueMs, closeDueMs, nudgeDueMs;
        ServerHello server;
        string failure;
        Refusal refusal, reportedRefusal;
        bool closeIsSent;

        struct Outgoing
        {
            public int Epoch;
            public WireText Text; /* null: send the status */
            public Snapshot Status;
        }

        public Wire(WireOptions options, Snapshot status)
        {
            this.options = options;
            this.status = status;
            view = new WireView(WireState.Connecting, options.Port, "", 0);
            backoff = new Backoff(options.Seed);
            thread = new Thread(Run) { IsBackground = true, Name = "Multiverse" };
        }

        public int Port { get { return options.Port; } }
        public WireView View { get { return view; } }
        /// <summary>The status that the heartbeat repeats.</summary>
        public Snapshot Status { get { return status; } set { status = value; } }

        public void Start() { thread.Start(); }

        /// <summary>Whether TryTake has an event; takes no lock.</summary>
        public bool HasEvents { get { return !inbox.IsEmpty; } }

        public bool TryTake(out WireEvent wireEvent)
        {
            bool wasFull = IsInboxFull;
            bool any = inbox.TryTake(out wireEvent);
            if (wasFull)
                signal.Set(); /* the thread may read again */
            return any;
        }

        public void Send(int toEpoch, string text) { Send(toEpoch, new WireText(text)); }

        public void Send(int toEpoch, WireText text)
        {
            QueueOutgoing(new Outgoing { Epoch = toEpoch, Text = text }, text.Length);
        }

        public void SendStatus(int toEpoch, Snapshot now)
        {
            status = now;
            QueueOutgoing(new Outgoing { Epoch = toEpoch, Status = now }, 256);
        }

        /// <summary>Wake the editor again soon: there is more work than fitted into one
        /// update.</summary>
        public void Nudge()
        {
            isNudged = true;
            signal.Set();
        }

        /// <summary>
        /// Send what is queued, close, and wait until the server has closed too, so that everything
        /// it sent is in the inbox. After patienceMs the connection is aborted and the thread has
        /// forceMs to end.
        /// </summary>
        public bool Stop(string reason, int patienceMs, int forceMs)
        {
            RequestStop(reason);
            if (!thread.IsAlive || (isUp && thread.Join(patienceMs)))
                return true;
            AbortConnection();
            return thread.Join(forceMs);
        }

        /// <summary>Like Stop, without waiting.</summary>
        public void RequestStop(string reason)
        {
            closeReason = reason;
            stopping = true;
            signal.Set();
        }

        bool IsInboxFull { get { return inbox.Count >= mostInboxCount || inbox.Weight >= mostInboxWeight; } }

        void QueueOutgoing(Outgoing item, int weight)
        {
            outbox.Put(item, weight);
            if (outbox.Weight > mostOutboxWeight)
                AbortConnection(); /* the server does not read */
            signal.Set();
        }

        void AbortConnection()
        {
            WireSocket current = socket;
            if (current != null)
                current.Abort();
            HttpProbe asking = probe;
            if (asking != null)
                asking.Abort();
            signal.Set();
        }

        void PostEvent(WireEvent wireEvent, int weight)
        {
            inbox.Put(wireEvent, weight);
            Wake();
        }

        void Wake()
        {
            try { options.Wake(); }
            catch (Exception e) { failure = e.Message; /* then the next update finds it */ }
        }

        /* ---- the thread */

        void Run()
        {
            try
            {
                while (!stopping)
                {
                    ConnectOnce();
                    if (!stopping)
                        WaitForRetry(refusal != null ? backoff.Longest() : backoff.Next());
                }
            }
            catch (ThreadAbortException)
            {
                /* the domain unloads */
            }
            view = new WireView(WireState.Stopped, options.Port, failure ?? "", Clock.NowMs);
        }

        void ConnectOnce()
        {
            failure = null;
            refusal = null;
            try
            {
                using (var current = new WireSocket(signal))
                {
                    socket = current;
                    string problem, token = options.ReadToken(out problem);
                    if (Connect(current, token) && !stopping)
                        ServeConnection(current);
                    if (problem != null && refusal != null && refusal.Cause == RefusalCause.Token)
                        refusal = new Refusal(RefusalCause.Token, problem);
                    if (!current.HasEnded && failure == null)
                        failure = "the connection was cut";
                    else if (failure == null)
                        failure = current.EndReason;
                }
            }
            catch (Exception e)
            {
                if (e is ThreadAbortException)
                    throw;
                failure = e.Message;
            }
            isUp = false;
            socket = null;
            EndConnection();
        }

        bool Connect(WireSocket current, string token)
        {
            try
            {
                current.Connect(options.Port, token, connectTimeoutMs);
            }
            catch (IOException e)
            {
                failure = e.Message;
                if (e.InnerException is WebSocketException && e.InnerException.InnerException == null)
                    FindRefusal(token);
                return false;
            }
            isUp = true;
            closeIsSent = false;
            server = null;
            helloDueMs = Clock.NowMs + helloTimeoutMs;
            current.Send(WireMessages.Hello(options.Editor, status, Interlocked.Increment(ref lastAttempt)));
            return true;
        }

        /* The port has a listener that does not accept the WebSocket: find out why. */
        void FindRefusal(string token)
        {
            using (var asking = new HttpProbe())
            {
                probe = asking;
                if (!stopping)
                    refusal = asking.Ask(options.Port, token);
                probe = null;
            }
        }

        void ServeConnection(WireSocket current)
        {
            string text;
            while (true)
            {
                while (!IsInboxFull && refusal == null && current.TryReceive(out text))
                    OnText(current, text);
                if (current.HasEnded || refusal != null)
                    break;
                if (server != null)
                    SendPending(current);
                if (stopping && !closeIsSent)
                    SendClose(current);
                if (Clock.NowMs >= DueMs && (closeIsSent || server == null))
                    throw new IOException(closeIsSent ? "the server did not say goodbye"
                                                      : "the server did not say hello");
                WaitForSignal(DueMs);
            }
            if (refusal == null && server == null && !stopping)
                refusal = Refusal.FromServer(current.EndReason);
            current.CloseOutput(WebSocketCloseStatus.NormalClosure, "");
        }

        long DueMs { get { return closeIsSent ? closeDueMs : server == null ? helloDueMs : statusDueMs; } }

        void SendClose(WireSocket current)
        {
            closeIsSent = true;
            closeDueMs = Clock.NowMs + closeTimeoutMs;
            current.CloseOutput(WebSocketCloseStatus.NormalClosure, closeReason);
        }

        void SendPending(WireSocket current)
        {
            Outgoing item;
            while (!closeIsSent && outbox.TryTake(out item))
            {
                if (item.Epoch != epoch)
                    continue;
                if (item.Text == null)
                    SendStatusNow(current, item.Status);
                else
                    current.Send(item.Text);
            }
            if (!closeIsSent && Clock.NowMs >= statusDueMs)
                SendStatusNow(current, status);
        }

        void SendStatusNow(WireSocket current, Snapshot now)
        {
            current.Send(WireMessages.Status(now, ++statusSeq));
            statusDueMs = Clock.NowMs + server.StatusIntervalMs;
        }

        void OnText(WireSocket current, string text)
        {
            JsonValue message;
            try
            {
                message = JsonReader.Read(text);
            }
            catch (JsonException e)
            {
                if (server == null)
                    refusal = new Refusal(RefusalCause.NotMultiverse, "what it says is not JSON");
                else
                    current.Send(WireMessages.Error("ERR_INVALID_REQUEST", "the message is not JSON: " + e.Message,
                                                    null, null));
                return;
            }
            if (server == null)
                ReadHello(current, message);
            else
                PostEvent(new WireEvent(WireEventKind.Message, epoch) { Message = message }, text.Length + 64);
        }

        void ReadHello(WireSocket current, JsonValue message)
        {
            string type = message.GetString("type", "");
            if (type == "error")
            {
                refusal = Refusal.FromServer(message.Get("error").GetString("message", "no reason given"));
                return;
            }
            if (type != "hello" || message.GetLong("protocol_version", 0) != WireMessages.ProtocolVersion)
            {
                refusal = new Refusal(RefusalCause.Protocol, "the server speaks another protocol: \"" + type +
                                      "\", protocol_version " + message.GetLong("protocol_version", 0));
                return;
            }
            server = new ServerHello(message);
            current.MaxMessageBytes = server.MaxMessageBytes;
            backoff.Set(server.ReconnectInitialMs, server.ReconnectMultiplier, server.ReconnectMaxMs,
                        server.ReconnectJitter);
            reportedRefusal = null;
            statusSeq = 0;
            statusDueMs = Clock.NowMs + server.StatusIntervalMs;
            epoch = Interlocked.Increment(ref lastEpoch);
            view = new WireView(WireState.Connected, options.Port, server.Version, Clock.NowMs);
            PostEvent(new WireEvent(WireEventKind.Opened, epoch) { Server = server }, 64);
        }

        void EndConnection()
        {
            if (server != null)
                PostEvent(new WireEvent(WireEventKind.Closed, epoch) { Reason = failure ?? "" }, 64);
            server = null;
            epoch = 0;
            bool isNew = refusal != null && (reportedRefusal == null || reportedRefusal.Cause != refusal.Cause);
            if (!isNew)
                return;
            reportedRefusal = refusal;
            PostEvent(new WireEvent(WireEventKind.Refused, 0) { Refusal = refusal }, 64);
        }

        void WaitForRetry(int ms)
        {
            long until = Clock.NowMs + ms;
            view = refusal != null
                ? new WireView(WireState.Refused, options.Port, Notices.DescribeRefusal(refusal, options.Port), until)
                : new WireView(WireState.Waiting, options.Port, failure ?? "", until);
            while (!stopping && Clock.NowMs < until)
                WaitForSignal(until);
        }

        /* Wait for a signal or the due time; meanwhile wake the editor if Nudge was called. */
        void WaitForSignal(long dueMs)
        {
            if (isNudged && nudgeDueMs == 0)
                nudgeDueMs = Clock.NowMs + nudgeMs;
            isNudged = false;
            if (nudgeDueMs != 0)
                dueMs = Math.Min(dueMs, nudgeDueMs);
            signal.WaitOne((int)Math.Max(0, Math.Min(int.MaxValue, dueMs - Clock.NowMs)));
            if (nudgeDueMs == 0 || Clock.NowMs < nudgeDueMs)
                return;
            nudgeDueMs = 0;
            Wake();
        }
    }
}
