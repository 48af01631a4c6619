using System;

namespace Multiverse.Editor
{
    /// <summary>
    /// The editor's side of the protocol, on the main thread: handles the events of the <see
    /// cref="Wire"/>, runs calls one after the other, and answers them. Every call is executed at
    /// most once, and every started call is answered, over this connection or a later one:
    /// - An answer is stored in <see cref="Answers"/> before it is sent; if the connection ends
    /// first, the server's resume requests it.
    /// - A received call that has not begun is in the <see cref="CallQueue"/>.
    /// - Both are saved before a domain reload (<see cref="Save"/>), after the wire has stopped, so
    /// that everything the server sent before its close is included.
    /// </summary>
    public sealed class Session
    {
        const int closeMs = 300; /* the most that a domain reload waits for the close */
        const int forceMs = 50;

        readonly EditorWatch watch;
        readonly Answers answers = new Answers();
        readonly CallQueue queue = new CallQueue();
        readonly Pump pump = new Pump();
        readonly Action<Refusal> onRefused;
        readonly Action<ServerHello> onOpened;
        Wire wire;
        int epoch; /* 0: not connected */
        int maxMessageBytes = ServerHello.DefaultMaxMessage;
        Snapshot sentStatus;
        bool isStarted, isClosing;
        Call continued;
        string continuedMemo;

        public Session(EditorWatch watch, Action<ServerHello> onOpened, Action<Refusal> onRefused)
        {
            this.watch = watch;
            this.onOpened = onOpened;
            this.onRefused = onRefused;
            JobStore.Push = PushJob;
        }

        public bool IsConnected { get { return epoch != 0; } }
        /// <summary>The server's last error message, or why the connection ended.</summary>
        public string LastError { get; private set; }

        /// <summary>Use this wire from now on; the next events come from its connections.</summary>
        public void Use(Wire next)
        {
            wire = next;
            epoch = 0;
            sentStatus = null;
        }

        /// <summary>Called in each editor update.</summary>
        public void Update()
        {
            if (!isStarted)
                ContinueWork();
            if (wire == null)
                return;
            long end = Clock.NowMs + Pump.SliceMs;
            WireEvent wireEvent;
            while (wire.HasEvents && Clock.NowMs < end && wire.TryTake(out wireEvent))
                HandleEvent(wireEvent);
            SendStatus(watch.TakeSnapshot());
            JobStore.Update();
            if (HasWork)
                RunCalls(end);
            if (HasWork || wire.HasEvents || JobStore.HasWork || (watch.HasPendingChanges && epoch != 0))
                wire.Nudge();
        }

        /// <summary>Handle an event that was already taken from the wire.</summary>
        public void HandleEvent(WireEvent wireEvent)
        {
            switch (wireEvent.Kind)
            {
                case WireEventKind.Opened:
                    epoch = wireEvent.Epoch;
                    maxMessageBytes = wireEvent.Server.MaxMessageBytes;
                    sentStatus = null;
                    onOpened(wireEvent.Server);
                    break;
                case WireEventKind.Closed:
                    epoch = 0;
                    LastError = wireEvent.Reason;
                    break;
                case WireEventKind.Refused:
                    onRefused(wireEvent.Refusal);
                    break;
                default:
                    ReceiveMessage(wireEvent);
                    break;
            }
        }

        /* ---- the end of a domain */

        /// <summary>Before a domain reload: send the status, finish the running call, and close the
        /// connection, all within <see cref="closeMs"/>.</summary>
        public void CloseForReload()
        {
            long end = Clock.NowMs + closeMs;
            isClosing = true; /* no later status may follow this one */
            if (epoch != 0)
                wire.SendStatus(epoch, watch.TakeSnapshot().With(EditorState.Reloading));
            if (pump.Call != null && !pump.OutlivesReload)
            {
                pump.RunToEnd(closeMs / 2);
                FinishCall(pump.Call, pump.TakeAnswer());
            }
            Disconnect("domain reload", (int)Math.Max(closeMs / 3, end - Clock.NowMs));
        }

        /// <summary>Close the connection and handle everything that the server sent before its
        /// close.</summary>
        public void Disconnect(string reason) { Disconnect(reason, closeMs); }

        void Disconnect(string reason, int ms)
        {
            if (wire == null)
                return;
            string lastError = LastError;
            wire.Stop(reason, ms - forceMs, forceMs);
            WireEvent wireEvent;
            while (wire.TryTake(out wireEvent))
                HandleEvent(wireEvent);
            LastError = lastError; /* closing on purpose is no error */
            epoch = 0;
            wire = null;
        }

        /// <summary>The state for the next domain, as JSON.</summary>
        public string Save()
        {
            var w = new JsonWriter();
            w.BeginObject();
            w.Key("answers");
            answers.Write(w, maxMessageBytes);
            w.Key("calls");
            queue.Write(w);
            Call begun = pump.Call ?? continued;
            if (begun != null)
            {
                w.Key("begun");
                begun.Write(w, pump.Call != null ? pump.Memo : continuedMemo);
            }
            w.EndObject();
            return w.ToString();
        }

        public void Load(string text)
        {
            JsonValue saved = JsonReader.Read(text);
            answers.Read(saved.Get("answers"));
            queue.Read(saved.Get("calls"));
            if (!saved.Has("begun"))
                return;
            continued = Call.Read(saved.Get("begun"));
            continuedMemo = saved.Get("begun").GetString("memo", "");
        }

        /* ---- work */

        bool HasWork { get { return pump.Call != null || queue.HasNext(epoch); } }

        /* Called in the first update of a domain, when all tools are registered. */
        void ContinueWork()
        {
            isStarted = true;
            JobStore.ContinueAll();
            if (continued != null)
                pump.Continue(continued, continuedMemo);
            continued = null;
        }

        void RunCalls(long end)
        {
            do
            {
                if (pump.Call == null)
                    BeginNext();
                if (pump.Call == null)
                    continue;
                if (!pump.Run((int)Math.Max(0, end - Clock.NowMs)))
                    return;
                FinishCall(pump.Call, pump.TakeAnswer());
            } while (HasWork && Clock.NowMs < end);
        }

        void BeginNext()
        {
            Call call = queue.Next(epoch);
            if (call == null)
                return;
            if (Clock.NowMs >= call.DeadlineMs)
                /* the server no longer waits */
                answers.Put(call.RequestId, new WireText(BuildTimeoutError(call)), epoch);
            else if (call.JobId != null)
                SubmitJob(call);
            else
                pump.Begin(call);
        }

        static string BuildTimeoutError(Call call)
        {
            return WireMessages.CallError(call, new ToolError("ERR_REQUEST_TIMEOUT", call.Tool +
                                          " was not begun within " + call.TimeoutMs + " ms: the editor was busy"));
        }

        void SubmitJob(Call call)
        {
            JobTool tool = Toolbox.FindJob(call.Tool);
            Job job = null;
            ToolError error = null;
            try
            {
                if (tool == null)
                    throw new ToolError("ERR_UNKNOWN_COMMAND", "this editor has no job " + call.Tool);
                job = JobStore.Add(call.JobId, call.Tool, call.TimeoutMs);
                tool.Begin(job, call.Arguments);
            }
            catch (Exception e)
            {
                error = e as ToolError ?? Pump.Internal(e);
                if (job != null)
                    JobStore.Remove(job);
            }
            FinishCall(call, new WireText(WireMessages.SubmitResult(call.RequestId, call.JobId, error)));
            if (error != null)
                return;
            job.Epoch = call.Epoch; /* progress may follow the acceptance, never precede it */
            if (job.State != JobState.Queued || job.HasProgress)
                PushJob(job);
        }

        /* Store the answer before sending it. Send it only to the server that waits for it;
           otherwise its resume requests it. */
        void FinishCall(Call call, WireText text)
        {
            bool isWanted = epoch != 0 && call.Epoch == epoch;
            answers.Put(call.RequestId, text, isWanted ? epoch : 0);
            if (!isWanted)
                return;
            /* send the status first: a client that has the answer must see the new state */
            SendStatus(watch.TakeFreshSnapshot());
            wire.Send(epoch, text);
        }

        /* ---- messages of the server */

        void ReceiveMessage(WireEvent wireEvent)
        {
            JsonValue message = wireEvent.Message;
            string type = message.GetString("type", "");
            switch (type)
            {
                case "execute": OnCall(wireEvent, false); break;
                case "submit_job": OnCall(wireEvent, true); break;
                case "cancel": OnCancel(message); break;
                case "get_job_status": SendJobStatus(message.GetString("job_id", "")); break;
                case "resume": OnResume(message); break;
                case "capability": SendText(WireMessages.Capability(Toolbox.Names())); break;
                case "error": LastError = message.Get("error").GetString("message", ""); break;
                case "hello": break;
                default:
                    SendText(WireMessages.Error("ERR_UNKNOWN_COMMAND", "there is no message of type \"" +
                                            (type.Length > 80 ? type.Substring(0, 80) : type) + "\"", null, null));
                    break;
            }
        }

        void OnCall(WireEvent wireEvent, bool isJob)
        {
            Call call = Call.FromMessage(wireEvent.Message, isJob, wireEvent.AtMs);
            if (call == null)
            {
                SendText(WireMessages.Error("ERR_INVALID_REQUEST", isJob ? "request_id, job_id or tool_name is missing"
                                                                     : "request_id or tool_name is missing",
                                        "request_id", wireEvent.Message.GetString("request_id", "")));
                return;
            }
            /* a server that still wanted the older calls would have sent a resume */
            queue.DropOthers(wireEvent.Epoch);
            call.Epoch = wireEvent.Epoch;
            if (answers.Has(call.RequestId))
                ResendAnswer(call.RequestId);
            else if (IsAtWork(call.RequestId))
                return;
            else if (queue.Count < CallQueue.Most)
                queue.Add(call);
            else
                FinishCall(call, new WireText(WireMessages.CallError(call, new ToolError("ERR_BUSY",
                       "more than " + CallQueue.Most + " calls wait already"))));
        }

        bool IsAtWork(string requestId)
        {
            return queue.Find(requestId) != null || IsBegun(requestId);
        }

        bool IsBegun(string requestId)
        {
            Call call = pump.Call ?? continued;
            return call != null && string.Equals(call.RequestId, requestId, StringComparison.Ordinal);
        }

        void OnCancel(JsonValue message)
        {
            string jobId = message.GetString("target_job_id", ""), id = message.GetString("target_request_id", "");
            bool isJob = jobId.Length > 0;
            Call waiting = isJob ? queue.FindJob(jobId) : queue.Find(id);
            string status = waiting != null ? "cancelled" : isJob ? CancelJob(jobId) : "rejected";
            string text = isJob ? WireMessages.CancelResult("target_job_id", jobId, status)
                                : WireMessages.CancelResult("target_request_id", id, status);
            if (waiting != null)
            {
                queue.Remove(waiting);
                /* the call never runs, so this is the answer to a resume */
                answers.Put(waiting.RequestId, new WireText(text), epoch);
            }
            SendText(text);
        }

        static string CancelJob(string jobId)
        {
            Job job = JobStore.Find(jobId);
            try
            {
                return job != null && JobStore.Cancel(job) ? "cancel_requested" : "rejected";
            }
            catch (Exception)
            {
                return "rejected"; /* its tool threw an exception */
            }
        }

        void OnResume(JsonValue message)
        {
            foreach (JsonValue id in message.Get("request_ids").Items)
                ResumeCall(id.AsString);
            queue.DropOthers(epoch);
            foreach (JsonValue id in message.Get("job_ids").Items)
                SendJobStatus(id.AsString);
        }

        void ResumeCall(string requestId)
        {
            Call waiting = queue.Find(requestId);
            if (waiting != null)
                waiting.Epoch = epoch;
            else if (IsBegun(requestId))
                (pump.Call ?? continued).Epoch = epoch;
            else if (answers.Has(requestId))
                ResendAnswer(requestId);
            else
                SendText(WireMessages.Error("ERR_UNKNOWN_REQUEST", "the editor does not know this id", "request_id",
                                        requestId));
        }

        void ResendAnswer(string requestId)
        {
            WireText text = answers.TakeForResend(requestId, epoch);
            if (text != null && epoch != 0)
                wire.Send(epoch, text);
        }

        /* ---- sending */

        void SendText(string text)
        {
            if (epoch != 0)
                wire.Send(epoch, text);
        }

        void SendStatus(Snapshot now)
        {
            if (ReferenceEquals(now, sentStatus) || isClosing)
                return;
            wire.Status = now;
            if (epoch == 0)
                return;
            sentStatus = now;
            wire.SendStatus(epoch, now);
        }

        void SendJobStatus(string jobId)
        {
            Job job = JobStore.Find(jobId);
            if (job != null)
            {
                job.Epoch = epoch;
                PushJob(job);
            }
            else if (queue.FindJob(jobId) != null)
                SendText(WireMessages.JobQueued(jobId));
            else
                SendText(WireMessages.Error("ERR_JOB_NOT_FOUND", "the editor does not know this id", "job_id", jobId));
        }

        void PushJob(Job job)
        {
            if (epoch != 0 && job.Epoch == epoch)
                wire.Send(epoch, WireMessages.JobStatus(job));
        }
    }
}
