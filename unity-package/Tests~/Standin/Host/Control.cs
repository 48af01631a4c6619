using System;
using System.Collections.Generic;
using System.IO;

namespace Standin.Host
{
    using Answer = Dictionary<string, object>;

    /// <summary>
    /// Control lines: {"id":1,"cmd":"reload"} in, {"id":1,"ok":true} or
    /// {"id":1,"ok":false,"error":"..."} out. One at a time: while a command waits (play, measure),
    /// the next line stays in the pipe. A command that waits across a domain reload is answered by
    /// the next domain.
    /// </summary>
    sealed class Control
    {
        readonly TextWriter answers;
        readonly Dictionary<string, Command> commands = new Dictionary<string, Command>(StringComparer.Ordinal);
        Command waiting;
        Arguments waitingFor;

        /// <summary>Additional load time of the next domain.</summary>
        public int ReloadPause;

        public Control(TextWriter answers)
        {
            this.answers = answers;
            LoopCommands.Add(commands, this);
            SceneCommands.Add(commands);
            PageCommands.Add(commands);
        }

        /// <summary>Whether the next line may be read; lines after a reload are for the next
        /// domain.</summary>
        public bool IsFree { get { return waiting == null && !DomainReload.IsDue; } }

        public void ReadCommand(string line)
        {
            if (line.Trim().Length == 0)
                return;
            Arguments arguments;
            try
            {
                arguments = new Arguments(Json.ReadObject(line));
            }
            catch (FormatException e)
            {
                Refuse(null, e.Message);
                return;
            }
            Begin(arguments);
        }

        void Begin(Arguments arguments)
        {
            Command command;
            string name = arguments.Get("cmd") as string ?? arguments.Get("do") as string ?? "";
            if (!commands.TryGetValue(name, out command))
            {
                Refuse(arguments, "no command " + name);
                return;
            }
            waiting = command;
            waitingFor = arguments;
            Attempt(command.Begin);
        }

        /// <summary>Check whether the waiting command is finished.</summary>
        public void AfterUpdate()
        {
            if (waiting != null && waiting.Poll != null)
                Attempt(waiting.Poll);
        }

        /* A null result: not finished yet. */
        void Attempt(Func<Arguments, Answer> step)
        {
            Arguments arguments = waitingFor;
            try
            {
                Answer answer = step(arguments);
                if (answer == null)
                    return;
                waiting = null;
                answer["ok"] = true;
                Send(arguments, answer);
            }
            catch (Exception e)
            {
                waiting = null;
                Refuse(arguments, e is ArgumentException ? e.Message : e.ToString());
            }
        }

        void Refuse(Arguments arguments, string why)
        {
            Send(arguments, new Answer { { "ok", false }, { "error", why } });
        }

        void Send(Arguments arguments, Answer answer)
        {
            if (arguments != null && arguments.Has("id"))
                answer["id"] = arguments.Get("id");
            Send(answer);
        }

        public void Send(Answer answer)
        {
            lock (answers)
                answers.WriteLine(Json.Write(answer));
        }

        public object Export()
        {
            return new Answer
            {
                { "waiting", waiting == null ? null : waitingFor.Members }, { "pause", ReloadPause }
            };
        }

        public void Import(object value)
        {
            var state = (Answer)value;
            ReloadPause = Convert.ToInt32(state["pause"]);
            var members = state["waiting"] as Answer;
            if (members == null)
                return;
            waitingFor = new Arguments(members);
            waiting = commands[waitingFor.Get("cmd") as string ?? (string)waitingFor.Get("do")];
        }
    }

    /// <summary>Begin and Poll return the answer, or null: call Poll after the next update.</summary>
    sealed class Command
    {
        public Func<Arguments, Answer> Begin;
        public Func<Arguments, Answer> Poll;
    }
}
