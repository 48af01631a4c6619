using System;
using System.Collections.Generic;
using System.Diagnostics;

namespace Multiverse.Editor
{
    /// <summary>
    /// Runs one call of a tool at a time, in slices, so that no editor update takes longer for it than
    /// <see cref="SliceMs"/> (or one step of the tool). No exception gets out: each is an answer.
    /// <code>
    ///     pump.Begin(call);
    ///     while (!pump.Run(Pump.SliceMs)) ...        // in each editor update
    ///     WireText answer = pump.TakeAnswer();       // a whole message
    /// </code>
    /// Main thread only.
    /// </summary>
    public sealed class Pump
    {
        /// <summary>Of one editor update, for everything that this package does in it.</summary>
        public const int SliceMs = 8;

        static readonly double ticksPerMs = Stopwatch.Frequency / 1000.0;

        ToolCall toolCall;
        IEnumerator<Pause> work;
        WireText answer;
        bool isInside;

        /// <summary>The call at work, or null.</summary>
        public Call Call { get; private set; }

        /// <summary>It is waiting for the next editor update.</summary>
        public bool IsPausing { get; private set; }

        /// <summary>It can be taken up after a domain reload.</summary>
        public bool OutlivesReload
        {
            get
            {
                Tool tool = Call == null || isInside || answer != null ? null : Toolbox.Find(Call.Tool);
                return tool != null && tool.OutlivesReload;
            }
        }

        public string Memo { get { return toolCall == null ? "" : toolCall.Memo; } }

        public void Begin(Call call)
        {
            Take(call, "");
            Open(tool => tool.Run(toolCall));
        }

        /// <summary>Takes up a call that was at work before a domain reload.</summary>
        public void Continue(Call call, string memo)
        {
            Take(call, memo);
            Open(tool => tool.Continue(toolCall));
        }

        /// <summary>Goes on for this time. True: it has ended.</summary>
        public bool Run(int ms)
        {
            return RunUntil(Stopwatch.GetTimestamp() + (long)(ms * ticksPerMs), false);
        }

        /// <summary>Goes on without regard to pauses, for at most this time; what is not done by then is
        /// answered with an error. True, always: it has ended.</summary>
        public bool RunToEnd(int ms)
        {
            if (!RunUntil(Stopwatch.GetTimestamp() + (long)(ms * ticksPerMs), true))
                Fail(new ToolError("ERR_INTERRUPTED", "a domain reload came before " + Call.Tool +
                                   " had ended: look at what it has done and call it again")
                                   { WasExecuted = true });
            return true;
        }

        /// <summary>The message for the server, once it has ended; there is no call after that.</summary>
        public WireText TakeAnswer()
        {
            WireText text = answer;
            Call = null;
            toolCall = null;
            answer = null;
            return text;
        }

        public static ToolError Internal(Exception e)
        {
            var details = new JsonWriter();
            details.BeginObject();
            details.Member("exception", e.GetType().FullName);
            details.Member("stack_trace", e.StackTrace ?? "");
            details.EndObject();
            return new ToolError("ERR_INTERNAL", e.GetType().FullName + ": " + e.Message, details.ToString())
            {
                WasExecuted = true
            };
        }

        void Take(Call call, string memo)
        {
            Call = call;
            IsPausing = false;
            answer = null;
            toolCall = new ToolCall(call.RequestId, call.Arguments) { Memo = memo };
        }

        void Open(Func<Tool, IEnumerator<Pause>> open)
        {
            Tool tool = Toolbox.Find(Call.Tool);
            if (tool == null)
            {
                Fail(new ToolError("ERR_UNKNOWN_COMMAND", "this editor has no tool " + Call.Tool));
                return;
            }
            try
            {
                work = open(tool);
                if (work == null)
                    throw new InvalidOperationException(Call.Tool + " began nothing");
            }
            catch (Exception e)
            {
                Fail(e as ToolError ?? Internal(e));
            }
        }

        bool RunUntil(long endTicks, bool ignoresPauses)
        {
            IsPausing = false;
            while (work != null && !isInside)
            {
                if (!Step())
                    return answer != null;
                IsPausing = work.Current == Pause.NextUpdate;
                if ((IsPausing && !ignoresPauses) || Stopwatch.GetTimestamp() >= endTicks)
                    return false;
            }
            return answer != null;
        }

        /* False: it has ended. */
        bool Step()
        {
            isInside = true;
            try
            {
                if (work.MoveNext())
                    return work != null;
                if (Call == null)
                    return false; /* it was interrupted, from inside itself */
                if (toolCall.Out.Length == 0)
                    throw new InvalidOperationException(Call.Tool + " wrote no answer");
                End(WireMessages.Result(Call, toolCall.Out));
            }
            catch (Exception e)
            {
                Fail(e as ToolError ?? Internal(e));
            }
            finally
            {
                isInside = false;
            }
            return false;
        }

        void Fail(ToolError error)
        {
            if (Call != null)
                End(new WireText(WireMessages.CallError(Call, error)));
        }

        void End(WireText message)
        {
            answer = message;
            IEnumerator<Pause> ended = work;
            work = null;
            try
            {
                if (ended != null)
                    ended.Dispose();
            }
            catch (Exception e)
            {
                answer = new WireText(WireMessages.CallError(Call, Internal(e)));
            }
        }
    }
}
