using System;
using System.Collections.Generic;
using System.IO;
using UnityEditor;

namespace Standin.Host
{
    /// <summary>
    /// One domain: loads assemblies, restores the state of the last domain, runs
    /// [InitializeOnLoad], then updates at the configured rate until the editor quits or the domain
    /// is reloaded.
    /// </summary>
    sealed class Session
    {
        /* Unity's approximate update interval without focus. */
        const int unfocusedMilliseconds = 100;

        readonly Options options;
        readonly TextWriter answers;
        readonly Input input = new Input();
        readonly Control control;
        readonly BatchRun batch;
        readonly int updateMilliseconds;
        bool reloads;

        public Session(Options options, TextWriter answers)
        {
            this.options = options;
            this.answers = answers;
            updateMilliseconds = UpdateMilliseconds();
            control = new Control(answers);
            batch = new BatchRun(options, answers);
        }

        static int UpdateMilliseconds()
        {
            int value;
            string text = Environment.GetEnvironmentVariable("STANDIN_UPDATE_MS");
            return int.TryParse(text, out value) && value > 0 ? value : 10;
        }

        bool IsReloaded { get { return options.Has("-standinReloaded"); } }
        static string StateFolder { get { return HostState.ProjectPath + "/Temp/Standin"; } }
        static string StatePath { get { return StateFolder + "/state.json"; } }

        public int Run()
        {
            Prepare();
            ProjectSide.Load(IsReloaded);
            Register();
            if (IsReloaded)
                BringBack();
            else
                ProjectSide.OpenFirstScene(options.Get("-openScene"));
            Startup.Run();
            if (IsReloaded)
                AssemblyReloadEvents.CallAfter();
            if (PlayModeSwitch.IsEntering)
                PlayModeSwitch.FinishEntering();
            else if (HostState.IsPlaying)
                PlayerLoop.Resume();
            batch.Begin(IsReloaded);
            if (!HostState.IsBatchMode)
                AnnounceReady();
            Loop();
            return reloads ? Program.ReloadCode : EditorLoop.ExitCode ?? 0;
        }

        void Prepare()
        {
            HostState.ProjectPath = Path.GetFullPath(options.Get("-projectPath")).TrimEnd('/');
            HostState.BuildPath = AppDomain.CurrentDomain.BaseDirectory.TrimEnd('/');
            HostState.IsBatchMode = options.Has("-batchmode");
            Directory.SetCurrentDirectory(HostState.ProjectPath);
            if (!IsReloaded && Directory.Exists(StateFolder))
                Directory.Delete(StateFolder, true);
            Directory.CreateDirectory(StateFolder);
            HostLog.Open(options.Get("-logFile"), answers);
            EditorLoop.CpuClock = Native.ThreadCpuNanoseconds;
            EditorLoop.Start(0);
            EditorEvents.Waker = input.Wake;
            if (HostState.IsBatchMode)
                input.Ignore();
        }

        void Register()
        {
            Survivors.Add("input", () => input.Partial, value => input.Partial = (string)value);
            Survivors.Add("seconds", () => EditorLoop.SecondsSinceStartup,
                          value => EditorLoop.Start(Convert.ToDouble(value)));
            Survivors.Add("host", HostStateFile.Export, HostStateFile.Import);
            Survivors.Add("console", ConsoleFile.Export, ConsoleFile.Import);
            Survivors.Add("session", () => SessionState.Export(),
                          value => SessionState.Import((Dictionary<string, object>)value));
            Survivors.Add("control", control.Export, control.Import);
            Survivors.Add("batch", batch.Export, batch.Import);
            ProjectSide.Register(StateFolder);
            DomainReload.Perform = Reload;
        }

        void BringBack()
        {
            string text = StateFile.Read(StatePath);
            if (text == null)
                throw new InvalidOperationException("the state of the last domain is missing: " + StatePath);
            File.Delete(StatePath);
            Survivors.Import(text);
            System.Threading.Thread.Sleep(control.ReloadPause);
            control.ReloadPause = 0;
        }

        void Reload()
        {
            DomainReload.Count++;
            StateFile.Write(StatePath, Survivors.Export());
            reloads = true;
        }

        void AnnounceReady()
        {
            control.Send(new Dictionary<string, object> { { "event", "ready" }, { "domain", DomainReload.Count + 1 } });
        }

        void Loop()
        {
            double next = Now;
            while (!reloads && EditorLoop.ExitCode == null)
            {
                WaitUntil(next);
                next = Math.Max(next + Period / 1000.0, Now);
                EditorEvents.UpdateIsAsked = false;
                EditorLoop.Turn();
                if (!reloads && EditorLoop.ExitCode == null)
                    control.AfterUpdate();
            }
        }

        static double Now { get { return EditorLoop.SecondsSinceStartup; } }

        int Period
        {
            get
            {
                return HostState.IsFocused || HostState.IsBatchMode ? updateMilliseconds
                    : Math.Max(updateMilliseconds, unfocusedMilliseconds);
            }
        }

        /* Commands are executed as they arrive; a requested update begins at once. */
        void WaitUntil(double due)
        {
            while (EditorLoop.ExitCode == null)
            {
                TakeCommands();
                int left = EditorEvents.UpdateIsAsked ? 0 : (int)Math.Ceiling((due - Now) * 1000);
                /* also with no time left, because it clears the wake-up signal */
                input.Wait(left, control.IsFree);
                if (left <= 0)
                    return;
            }
        }

        void TakeCommands()
        {
            while (control.IsFree)
            {
                string line = input.TryLine();
                if (line == null)
                    break;
                control.ReadCommand(line);
            }
            if (input.IsOver)
                EditorLoop.Exit(0);
        }
    }
}
