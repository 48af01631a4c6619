using System;
using System.Collections.Generic;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>
    /// The running jobs of this editor and the last finished ones. Each change of state is saved in
    /// Unity's SessionState, so that jobs survive a domain reload; then <see cref="ContinueAll"/>
    /// has the tools continue them. Main thread only.
    /// </summary>
    public static class JobStore
    {
        const int mostJobs = 64;
        const int mostKeptChars = 4 << 20; /* of results and memos, all jobs together */
        const int progressMs = 100;
        const int graceMs = 30000;
        const int watchMs = 1000;
        const string indexKey = "Multiverse.Jobs";
        const string jobKey = "Multiverse.Job.";

        static readonly List<Job> jobs = new List<Job>();
        static bool hasUnsentProgress, hasWork;
        static long progressDueMs, watchDueMs;

        /// <summary>Send a job's status to the server. Set by the session.</summary>
        internal static Action<Job> Push;

        /// <summary>A job is running: the editor must not sleep.</summary>
        internal static bool HasWork { get { return hasWork; } }

        internal static Job Add(string id, string tool, long timeoutMs)
        {
            var job = new Job(id, tool);
            if (timeoutMs > 0)
                job.DeadlineMs = Clock.NowMs + timeoutMs + graceMs;
            jobs.Add(job);
            hasWork = true;
            SaveJob(job);
            TrimJobs();
            SaveIndex();
            return job;
        }

        internal static void Remove(Job job)
        {
            if (!jobs.Remove(job))
                return;
            SessionState.EraseString(jobKey + job.Id);
            SaveIndex();
            hasWork = AnyWork();
        }

        /// <summary>Return the job, or null.</summary>
        internal static Job Find(string id)
        {
            for (int i = jobs.Count - 1; i >= 0; i--)
                if (string.Equals(jobs[i].Id, id, StringComparison.Ordinal))
                    return jobs[i];
            return null;
        }

        /// <summary>Save and send a job's new state; called by the job.</summary>
        internal static void OnStateChanged(Job job)
        {
            if (!jobs.Contains(job))
                return;
            SaveJob(job);
            hasWork = AnyWork();
            if (job.IsOver)
                TrimJobs();
            PushStatus(job);
        }

        /// <summary>Note a job's progress; called by the job, as often as it likes. The server gets
        /// at most one status per progressMs.</summary>
        internal static void OnProgress(Job job)
        {
            job.HasUnsentProgress = true;
            hasUnsentProgress = true;
            if (Clock.NowMs >= progressDueMs)
                PushProgress();
        }

        /// <summary>Called in each editor update; returns at once while there is no job.</summary>
        internal static void Update()
        {
            if (!hasWork)
                return;
            long now = Clock.NowMs;
            if (hasUnsentProgress && now >= progressDueMs)
                PushProgress();
            if (now < watchDueMs)
                return;
            watchDueMs = now + watchMs;
            for (int i = jobs.Count - 1; i >= 0; i--)
                if (!jobs[i].IsOver && !jobs[i].IsOverdue && now > jobs[i].DeadlineMs)
                    CancelOverdue(jobs[i]);
        }

        /// <summary>Ask the tool to stop the job. Return false if it cannot be stopped.</summary>
        internal static bool Cancel(Job job)
        {
            JobTool tool = job.IsOver ? null : Toolbox.FindJob(job.Tool);
            return tool != null && tool.Cancel(job);
        }

        /// <summary>Called before a domain reload: save memos and progress.</summary>
        internal static void SaveWork()
        {
            foreach (Job job in jobs)
                if (!job.IsOver)
                    SaveJob(job);
        }

        /// <summary>Called after a domain reload, before anything else.</summary>
        internal static void Load()
        {
            jobs.Clear();
            foreach (string id in SessionState.GetString(indexKey, "").Split('\n'))
            {
                string saved = id.Length > 0 ? SessionState.GetString(jobKey + id, "") : "";
                if (saved.Length > 0)
                    jobs.Add(Job.Read(JsonReader.Read(saved)));
            }
            hasWork = AnyWork();
        }

        /// <summary>Called after a domain reload, when all tools are registered.</summary>
        internal static void ContinueAll()
        {
            foreach (Job job in jobs.ToArray())
                if (!job.IsOver)
                    ContinueJob(job);
        }

        static void ContinueJob(Job job)
        {
            JobTool tool = Toolbox.FindJob(job.Tool);
            if (tool == null)
            {
                job.Fail("ERR_INTERNAL", "after a domain reload the editor has no tool " + job.Tool + " any more");
                return;
            }
            try
            {
                tool.Continue(job);
            }
            catch (Exception e)
            {
                job.Fail("ERR_INTERNAL", e.GetType().FullName + ": " + e.Message);
            }
        }

        static void CancelOverdue(Job job)
        {
            job.IsOverdue = true;
            try
            {
                Cancel(job);
            }
            catch (Exception e)
            {
                job.Fail("ERR_INTERNAL", e.GetType().FullName + ": " + e.Message);
            }
        }

        static void PushProgress()
        {
            hasUnsentProgress = false;
            progressDueMs = Clock.NowMs + progressMs;
            for (int i = 0; i < jobs.Count; i++)
                if (jobs[i].HasUnsentProgress && !jobs[i].IsOver)
                    PushStatus(jobs[i]);
        }

        static void PushStatus(Job job)
        {
            job.HasUnsentProgress = false;
            if (Push != null)
                Push(job);
        }

        static bool AnyWork()
        {
            for (int i = 0; i < jobs.Count; i++)
                if (!jobs[i].IsOver)
                    return true;
            return false;
        }

        static void SaveJob(Job job)
        {
            var w = new JsonWriter();
            job.Write(w);
            SessionState.SetString(jobKey + job.Id, w.ToString());
        }

        static void SaveIndex()
        {
            var ids = new string[jobs.Count];
            for (int i = 0; i < ids.Length; i++)
                ids[i] = jobs[i].Id;
            SessionState.SetString(indexKey, string.Join("\n", ids));
        }

        /* Remove the oldest finished jobs while there are too many or their results are too
           large. Keep the last job: a server that reconnects may ask for its result. */
        static void TrimJobs()
        {
            long chars = 0;
            foreach (Job job in jobs)
                chars += CountChars(job);
            bool removed = false;
            for (int i = 0; i < jobs.Count - 1 && (jobs.Count > mostJobs || chars > mostKeptChars); )
            {
                Job job = jobs[i];
                if (!job.IsOver)
                {
                    i++;
                    continue;
                }
                chars -= CountChars(job);
                jobs.RemoveAt(i);
                SessionState.EraseString(jobKey + job.Id);
                removed = true;
            }
            if (removed)
                SaveIndex();
        }

        static int CountChars(Job job)
        {
            return job.Memo.Length + (job.ResultJson == null ? 0 : job.ResultJson.Length);
        }
    }
}
