using System.Collections.Generic;

namespace Multiverse.Editor
{
    /// <summary>
    /// Builds the messages that this editor sends (docs/spec/10-bridge.md, section 3). Pure;
    /// callable on any thread.
    /// </summary>
    public static class WireMessages
    {
        public const int ProtocolVersion = 1;
        const int mostMessageBytes = 1023; /* of an error message */

        public static string Hello(EditorIdentity editor, Snapshot now, long attempt)
        {
            JsonWriter w = BeginMessage("hello");
            w.Member("plugin_version", EditorIdentity.PackageVersion);
            w.Member("editor_instance_id", editor.InstanceId);
            w.Member("plugin_session_id", editor.SessionId);
            w.Member("connect_attempt_seq", attempt);
            w.Member("project_path", editor.ProjectPath);
            w.Member("state", Name(now.State));
            w.Member("editor", "unity");
            w.Member("unity_version", editor.UnityVersion);
            PutScene(w, now);
            return EndMessage(w);
        }

        public static string Capability(List<string> tools)
        {
            JsonWriter w = BeginMessage("capability");
            w.Key("tools");
            w.BeginArray();
            foreach (string tool in tools)
            {
                w.BeginObject();
                w.Member("name", tool);
                w.EndObject();
            }
            w.EndArray();
            return EndMessage(w);
        }

        public static string Status(Snapshot now, long seq)
        {
            JsonWriter w = BeginMessage("editor_status");
            w.Member("state", Name(now.State));
            w.Member("seq", seq);
            PutScene(w, now);
            return EndMessage(w);
        }

        /// <summary>result is a complete object; it is not copied.</summary>
        public static WireText Result(Call call, JsonWriter result)
        {
            JsonWriter w = BeginMessage("result");
            w.Member("request_id", call.RequestId);
            w.Member("status", "ok");
            w.Key("result");
            return new WireText(w.ToString(), result, "}",
                                (bytes, most) => CallError(call, TooLarge(call.Tool, bytes, most)));
        }

        static ToolError TooLarge(string tool, int bytes, int most)
        {
            return new ToolError("ERR_RESPONSE_TOO_LARGE", "the answer of " + tool + " is too large: " + bytes +
                                 " bytes, and the server takes " + most + " at once (max_message_bytes): ask for " +
                                 "less, with a root_path, a smaller max_depth or max_entries, fields, a filter, or " +
                                 "page by page")
            {
                WasExecuted = true
            };
        }

        static string ResultError(string requestId, ToolError error)
        {
            JsonWriter w = BeginMessage("result");
            w.Member("request_id", requestId);
            w.Member("status", "error");
            w.Key("error");
            PutError(w, error);
            return EndMessage(w);
        }

        /// <summary>The error answer to a call, job or not.</summary>
        public static string CallError(Call call, ToolError error)
        {
            return call.JobId == null ? ResultError(call.RequestId, error)
                                      : SubmitResult(call.RequestId, call.JobId, error);
        }

        /// <summary>error null: the job was accepted.</summary>
        public static string SubmitResult(string requestId, string jobId, ToolError error)
        {
            JsonWriter w = BeginMessage("submit_job_result");
            w.Member("request_id", requestId);
            w.Member("status", error == null ? "accepted" : "rejected");
            w.Member("job_id", jobId);
            if (error != null)
            {
                w.Key("error");
                PutError(w, error);
            }
            return EndMessage(w);
        }

        public static WireText JobStatus(Job job)
        {
            JsonWriter w = BeginJob(job.Id, Name(job.State));
            if (job.HasProgress)
            {
                w.Key("progress");
                w.BeginObject();
                w.Member("done", job.Done);
                w.Member("total", job.Total);
                w.Member("current", job.Current ?? "");
                w.EndObject();
            }
            if (job.State == JobState.Succeeded)
            {
                w.Key("result");
                w.Raw(job.ResultJson);
            }
            else if (job.ErrorCode != null)
            {
                w.Key("error");
                PutError(w, new ToolError(job.ErrorCode, job.ErrorMessage) { WasExecuted = true });
            }
            string id = job.Id, tool = job.Tool;
            return new WireText(EndMessage(w), null, "", (bytes, most) => JobTooLarge(id, TooLarge(tool, bytes, most)));
        }

        static string JobTooLarge(string jobId, ToolError error)
        {
            JsonWriter w = BeginJob(jobId, Name(JobState.Failed));
            w.Key("error");
            PutError(w, error);
            return EndMessage(w);
        }

        /// <summary>The status of a job that was received and has not begun.</summary>
        public static string JobQueued(string jobId) { return EndMessage(BeginJob(jobId, Name(JobState.Queued))); }

        /// <summary>targetKey: target_request_id or target_job_id.</summary>
        public static string CancelResult(string targetKey, string id, string status)
        {
            JsonWriter w = BeginMessage("cancel_result");
            w.Member(targetKey, id);
            w.Member("status", status);
            return EndMessage(w);
        }

        /// <summary>idKey: request_id or job_id, or null for neither.</summary>
        public static string Error(string code, string message, string idKey, string id)
        {
            JsonWriter w = BeginMessage("error");
            if (idKey != null)
                w.Member(idKey, id);
            w.Key("error");
            w.BeginObject();
            w.Member("code", code);
            w.Member("message", message);
            w.Member("retryable", false);
            w.EndObject();
            return EndMessage(w);
        }

        public static string Name(EditorState state)
        {
            switch (state)
            {
                case EditorState.Compiling: return "compiling";
                case EditorState.Reloading: return "reloading";
                default: return "ready";
            }
        }

        public static string Name(JobState state)
        {
            switch (state)
            {
                case JobState.Queued: return "queued";
                case JobState.Running: return "running";
                case JobState.Succeeded: return "succeeded";
                case JobState.Timeout: return "timeout";
                case JobState.Cancelled: return "cancelled";
                default: return "failed";
            }
        }

        static JsonWriter BeginMessage(string type)
        {
            var w = new JsonWriter();
            w.BeginObject();
            w.Member("type", type);
            w.Member("protocol_version", ProtocolVersion);
            return w;
        }

        static JsonWriter BeginJob(string jobId, string state)
        {
            JsonWriter w = BeginMessage("job_status");
            w.Member("job_id", jobId);
            w.Member("state", state);
            return w;
        }

        static string EndMessage(JsonWriter w)
        {
            w.EndObject();
            return w.ToString();
        }

        static void PutScene(JsonWriter w, Snapshot now)
        {
            w.Member("active_scene", now.ActiveScene);
            w.Member("scene_dirty", now.SceneDirty);
            w.Member("is_playing", now.IsPlaying);
            w.Member("is_paused", now.IsPaused);
            w.Member("scene_seq", now.SceneSeq);
            w.Member("console_seq", now.ConsoleSeq);
        }

        static void PutError(JsonWriter w, ToolError error)
        {
            w.BeginObject();
            w.Member("code", error.Code);
            w.Member("message", TakeHead(error.Message, mostMessageBytes));
            w.Key("details");
            w.BeginObject();
            if (!error.WasExecuted)
                w.Member("execution_guarantee", "not_executed");
            PutMembers(w, error.DetailsJson);
            w.EndObject();
            w.EndObject();
        }

        static void PutMembers(JsonWriter w, string objectJson)
        {
            JsonValue members = JsonValue.None;
            try
            {
                if (objectJson != null)
                    members = JsonReader.Read(objectJson);
            }
            catch (JsonException)
            {
                return; /* send the error without its details */
            }
            for (int i = 0; i < members.Keys.Length; i++)
            {
                w.Key(members.Keys[i]);
                w.Value(members.Items[i]);
            }
        }

        /* The longest beginning of a text with at most mostBytes in UTF-8 that does not split a
           character. */
        static string TakeHead(string text, int mostBytes)
        {
            int bytes = 0;
            for (int i = 0; i < text.Length; i++)
            {
                bool isPair = char.IsHighSurrogate(text[i]) && i + 1 < text.Length;
                bytes += isPair ? 4 : text[i] < 0x80 ? 1 : text[i] < 0x800 ? 2 : 3;
                if (bytes > mostBytes)
                    return text.Substring(0, i);
                if (isPair)
                    i++;
            }
            return text;
        }
    }
}
