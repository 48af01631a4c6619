using System;

namespace Multiverse.Editor
{
    /// <summary>
    /// The editor's side of the protocol, on the main thread: takes what the <see cref="Wire"/> brings,
    /// has calls run one after the other, and answers. Every call is executed at most once, and what
    /// was begun is answered, over this connection or a later one:
    /// <list type="bullet">
    /// <item>An answer is in <see cref="Answers"/> before it is sent; if the connection ends first, the
    /// server's resume brings it out again.</item>
    /// <item>A call that was received and has not begun is in the <see cref="CallQueue"/>.</item>
    /// <item>Both are saved before a domain reload (<see cref="Save"/>), after the wire has ended: until
    /// the server's own goodbye everything it sent comes in.</item>
    /// </list>
    /// </summary>
    public sealed class Session
    {
        const int closeMs = 300; /* at most, for everything that a domain reload waits for */
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
        Snapshot said;
        bool isBegun, isClosing;
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
        /// <summary>What the server said last that this editor did wrong, or why the connection ended.</summary>
        public string LastError { get; private set; }

        /// <summary>The wire to use from now on; what comes next is of its connections.</summary>
        public void Use(Wire next)
        {
            wire = next;
            epoch = 0;
            said = null;
        }

        /// <summary>In each editor update.</summary>
        public void Update()
        {
            if (!isBegun)
                Begin();
            if (wire == null)
                return;
            long end = Clock.NowMs + Pump.SliceMs;
            WireEvent news;
            while (wire.HasNews && Clock.NowMs < end && wire.TryTake(out news))
                Take(news);
            TellStatus(watch.Look());
            JobStore.Update();
            if (HasWork)
                Work(end);
            if (HasWork || wire.HasNews || JobStore.HasWork || (watch.HasNews && epoch != 0))
                wire.Nudge();
        }

        /// <summary>Takes an event that was taken from the wire already.</summary>
        public void Take(WireEvent news)
        {
            switch (news.Kind)
            {
                case WireEventKind.Opened:
                    epoch = news.Epoch;
                    maxMessageBytes = news.Server.MaxMessageBytes;
                    said = null;
                    onOpened(news.Server);
                    break;
                case WireEventKind.Closed:
                    epoch = 0;
                    LastError = news.Words;
                    break;
                case WireEventKind.Refused:
                    onRefused(news.Refusal);
                    break;
                default:
                    Receive(news);
                    break;
            }
        }

        /* ---- the end of a domain */

        /// <summary>Before a domain reload: tells the server, has the call at work end, and closes the
        /// connection; all of it within <see cref="closeMs"/>.</summary>
        public void CloseForReload()
        {
            long end = Clock.NowMs + closeMs;
            isClosing = true; /* no other status after this one */
            if (epoch != 0)
                wire.SendStatus(epoch, watch.Look().With(EditorState.Reloading));
            if (pump.Call != null && !pump.OutlivesReload)
            {
                pump.RunToEnd(closeMs / 2);
                Finish(pump.Call, pump.TakeAnswer());
            }
            Disconnect("domain reload", (int)Math.Max(closeMs / 3, end - Clock.NowMs));
        }

        /// <summary>Closes the connection and takes everything that the server had sent until then.</summary>
        public void Disconnect(string words) { Disconnect(words, closeMs); }

        void Disconnect(string words, int ms)
        {
            if (wire == null)
                return;
            string lastError = LastError;
            wire.Stop(words, ms - forceMs, forceMs);
            WireEvent news;
            while (wire.TryTake(out news))
                Take(news);
            LastError = lastError; /* this end is none */
            epoch = 0;
            wire = null;
        }

        /// <summary>What the next domain must know, as JSON.</summary>
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

        /* In the first update of a domain all tools are there. */
        void Begin()
        {
            isBegun = true;
            JobStore.ContinueAll();
            if (continued != null)
                pump.Continue(continued, continuedMemo);
            continued = null;
        }

        void Work(long end)
        {
            do
            {
                if (pump.Call == null)
                    BeginNext();
                if (pump.Call == null)
                    continue;
                if (!pump.Run((int)Math.Max(0, end - Clock.NowMs)))
                    return;
                Finish(pump.Call, pump.TakeAnswer());
            } while (HasWork && Clock.NowMs < end);
        }

        void BeginNext()
        {
            Call call = queue.Next(epoch);
            if (call == null)
                return;
            if (Clock.NowMs >= call.DeadlineMs)
                answers.Put(call.RequestId, new WireText(TooLate(call)), epoch); /* the server waits no longer */
            else if (call.JobId != null)
                Submit(call);
            else
                pump.Begin(call);
        }

        static string TooLate(Call call)
        {
            return WireMessages.CallError(call, new ToolError("ERR_REQUEST_TIMEOUT", call.Tool +
                                          " was not begun within " + call.TimeoutMs + " ms: the editor was busy"));
        }

        void Submit(Call call)
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
            Finish(call, new WireText(WireMessages.SubmitResult(call.RequestId, call.JobId, error)));
            if (error != null)
                return;
            job.Epoch = call.Epoch; /* its news follows the acceptance, never comes before it */
            if (job.State != JobState.Queued || job.HasProgress)
                PushJob(job);
        }

        /* Kept before it is sent; sent only to the server that waits for it, else by its resume. */
        void Finish(Call call, WireText text)
        {
            bool isWanted = epoch != 0 && call.Epoch == epoch;
            answers.Put(call.RequestId, text, isWanted ? epoch : 0);
            if (!isWanted)
                return;
            TellStatus(watch.LookClosely()); /* before the answer: who has that one knows this, too */
            wire.Send(epoch, text);
        }

        /* ---- messages of the server */

        void Receive(WireEvent news)
        {
            JsonValue message = news.Message;
            string type = message.GetString("type", "");
            switch (type)
            {
                case "execute": OnCall(news, false); break;
                case "submit_job": OnCall(news, true); break;
                case "cancel": OnCancel(message); break;
                case "get_job_status": TellJob(message.GetString("job_id", "")); break;
                case "resume": OnResume(message); break;
                case "capability": Send(WireMessages.Capability(Toolbox.Names())); break;
                case "error": LastError = message.Get("error").GetString("message", ""); break;
                case "hello": break;
                default:
                    Send(WireMessages.Error("ERR_UNKNOWN_COMMAND", "there is no message of type \"" +
                                            (type.Length > 80 ? type.Substring(0, 80) : type) + "\"", null, null));
                    break;
            }
        }

        void OnCall(WireEvent news, bool isJob)
        {
            Call call = Call.FromMessage(news.Message, isJob, news.AtMs);
            if (call == null)
            {
                Send(WireMessages.Error("ERR_INVALID_REQUEST", isJob ? "request_id, job_id or tool_name is missing"
                                                                     : "request_id or tool_name is missing",
                                        "request_id", news.Message.GetString("request_id", "")));
                return;
            }
            queue.DropOthers(news.Epoch); /* had the server still wanted them, a resume would have come */
            call.Epoch = news.Epoch;
            if (answers.Has(call.RequestId))
                SendAgain(call.RequestId);
            else if (IsAtWork(call.RequestId))
                return;
            else if (queue.Count < CallQueue.Most)
                queue.Add(call);
            else
                Finish(call, new WireText(WireMessages.CallError(call, new ToolError("ERR_BUSY",
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
                answers.Put(waiting.RequestId, new WireText(text), epoch); /* it will never run: what a resume hears */
            }
            Send(text);
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
                return "rejected"; /* its tool could not */
            }
        }

        void OnResume(JsonValue message)
        {
            foreach (JsonValue id in message.Get("request_ids").Items)
                Resume(id.AsString);
            queue.DropOthers(epoch);
            foreach (JsonValue id in message.Get("job_ids").Items)
                TellJob(id.AsString);
        }

        void Resume(string requestId)
        {
            Call waiting = queue.Find(requestId);
            if (waiting != null)
                waiting.Epoch = epoch;
            else if (IsBegun(requestId))
                (pump.Call ?? continued).Epoch = epoch;
            else if (answers.Has(requestId))
                SendAgain(requestId);
            else
                Send(WireMessages.Error("ERR_UNKNOWN_REQUEST", "the editor does not know it", "request_id", requestId));
        }

        void SendAgain(string requestId)
        {
            WireText text = answers.TakeForResend(requestId, epoch);
            if (text != null && epoch != 0)
                wire.Send(epoch, text);
        }

        /* ---- telling */

        void Send(string text)
        {
            if (epoch != 0)
                wire.Send(epoch, text);
        }

        void TellStatus(Snapshot now)
        {
            if (ReferenceEquals(now, said) || isClosing)
                return;
            wire.Status = now;
            if (epoch == 0)
                return;
            said = now;
            wire.SendStatus(epoch, now);
        }

        void TellJob(string jobId)
        {
            Job job = JobStore.Find(jobId);
            if (job != null)
            {
                job.Epoch = epoch;
                PushJob(job);
            }
            else if (queue.FindJob(jobId) != null)
                Send(WireMessages.JobQueued(jobId));
            else
                Send(WireMessages.Error("ERR_JOB_NOT_FOUND", "the editor does not know it", "job_id", jobId));
        }

        void PushJob(Job job)
        {
            if (epoch != 0 && job.Epoch == epoch)
                wire.Send(epoch, WireMessages.JobStatus(job));
        }
    }
}
