using System;
using System.Collections.Generic;
using UnityEditor;

namespace Multiverse.Editor
{
    /// <summary>
    /// The jobs of this editor: those at work and the last ones that ended. Each is kept in Unity's
    /// SessionState whenever its state changes, so that it outlives a domain reload; then
    /// <see cref="ContinueAll"/> has the tools take theirs up again. Main thread only.
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
        static bool hasNews, hasWork;
        static long newsDueMs, watchDueMs;

        /// <summary>Tells the server how a job stands. Set by the session.</summary>
        internal static Action<Job> Push;

        /// <summary>A job is at work: the editor should not sleep.</summary>
        internal static bool HasWork { get { return hasWork; } }

        internal static Job Add(string id, string tool, long timeoutMs)
        {
            var job = new Job(id, tool);
            if (timeoutMs > 0)
                job.DeadlineMs = Clock.NowMs + timeoutMs + graceMs;
            jobs.Add(job);
            hasWork = true;
            Save(job);
            Trim();
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

        /// <summary>null: it is not known.</summary>
        internal static Job Find(string id)
        {
            for (int i = jobs.Count - 1; i >= 0; i--)
                if (string.Equals(jobs[i].Id, id, StringComparison.Ordinal))
                    return jobs[i];
            return null;
        }

        /// <summary>A job has another state; called by the job itself.</summary>
        internal static void Changed(Job job)
        {
            if (!jobs.Contains(job))
                return;
            Save(job);
            hasWork = AnyWork();
            if (job.IsOver)
                Trim();
            Tell(job);
        }

        /// <summary>A job has got on; called by the job itself, as often as it likes.</summary>
        internal static void Progressed(Job job)
        {
            job.HasNews = true;
            hasNews = true;
            if (Clock.NowMs >= newsDueMs)
                TellNews();
        }

        /// <summary>In each editor update; free of cost while there is no job.</summary>
        internal static void Update()
        {
            if (!hasWork)
                return;
            long now = Clock.NowMs;
            if (hasNews && now >= newsDueMs)
                TellNews();
            if (now < watchDueMs)
                return;
            watchDueMs = now + watchMs;
            for (int i = jobs.Count - 1; i >= 0; i--)
                if (!jobs[i].IsOver && !jobs[i].IsOverdue && now > jobs[i].DeadlineMs)
                    GiveUp(jobs[i]);
        }

        /// <summary>Asks the tool to stop the work. False: it cannot be stopped.</summary>
        internal static bool Cancel(Job job)
        {
            JobTool tool = job.IsOver ? null : Toolbox.FindJob(job.Tool);
            return tool != null && tool.Cancel(job);
        }

        /// <summary>Before a domain reload: what the jobs have remembered and told since.</summary>
        internal static void SaveWork()
        {
            foreach (Job job in jobs)
                if (!job.IsOver)
                    Save(job);
        }

        /// <summary>After a domain reload, before anything else.</summary>
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

        /// <summary>After a domain reload, when all tools are there.</summary>
        internal static void ContinueAll()
        {
            foreach (Job job in jobs.ToArray())
                if (!job.IsOver)
                    Continue(job);
        }

        static void Continue(Job job)
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

        static void GiveUp(Job job)
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

        static void TellNews()
        {
            hasNews = false;
            newsDueMs = Clock.NowMs + progressMs;
            for (int i = 0; i < jobs.Count; i++)
                if (jobs[i].HasNews && !jobs[i].IsOver)
                    Tell(jobs[i]);
        }

        static void Tell(Job job)
        {
            job.HasNews = false;
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

        static void Save(Job job)
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

        /* The oldest that have ended go when there are too many, or too much of them. The last one
         * stays: its end may be what a server that comes back asks for. */
        static void Trim()
        {
            long chars = 0;
            foreach (Job job in jobs)
                chars += Weight(job);
            bool removed = false;
            for (int i = 0; i < jobs.Count - 1 && (jobs.Count > mostJobs || chars > mostKeptChars); )
            {
                Job job = jobs[i];
                if (!job.IsOver)
                {
                    i++;
                    continue;
                }
                chars -= Weight(job);
                jobs.RemoveAt(i);
                SessionState.EraseString(jobKey + job.Id);
                removed = true;
            }
            if (removed)
                SaveIndex();
        }

        static int Weight(Job job)
        {
            return job.Memo.Length + (job.ResultJson == null ? 0 : job.ResultJson.Length);
        }
    }
}
