using System;
using System.Collections.Generic;
using System.Diagnostics;

namespace Multiverse.Editor
{
    /// <summary>
    /// Runs one tool call at a time, in slices, so that an editor update spends at most <see
    /// cref="SliceMs"/> (or one step of the tool) on it. Exceptions become error answers. Main
    /// thread only.
    /// <code>
    ///     pump.Begin(call);
    ///     while (!pump.Run(Pump.SliceMs)) ...        // in each editor update
    ///     WireText answer = pump.TakeAnswer();       // a whole message
    /// </code>
    /// </summary>
    public sealed class Pump
    {
        /// <summary>The time per editor update for all work of this package.</summary>
        public const int SliceMs = 8;

        static readonly double ticksPerMs = Stopwatch.Frequency / 1000.0;

        ToolCall toolCall;
        IEnumerator<Pause> work;
        WireText answer;
        bool isInside;

        /// <summary>The running call, or null.</summary>
        public Call Call { get; private set; }

        /// <summary>The call waits for the next editor update.</summary>
        public bool IsPausing { get; private set; }

        /// <summary>The call can be continued after a domain reload.</summary>
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
            PrepareCall(call, "");
            OpenTool(tool => tool.Run(toolCall));
        }

        /// <summary>Continue a call that was running before a domain reload.</summary>
        public void Continue(Call call, string memo)
        {
            PrepareCall(call, memo);
            OpenTool(tool => tool.Continue(toolCall));
        }

        /// <summary>Run for at most ms. Return true if the call has ended.</summary>
        public bool Run(int ms)
        {
            return RunUntil(Stopwatch.GetTimestamp() + (long)(ms * ticksPerMs), false);
        }

        /// <summary>Run without pauses for at most ms; an unfinished call gets an error answer.
        /// Always returns true.</summary>
        public bool RunToEnd(int ms)
        {
            if (!RunUntil(Stopwatch.GetTimestamp() + (long)(ms * ticksPerMs), true))
                FailCall(new ToolError("ERR_INTERRUPTED", "a domain reload came before " + Call.Tool +
                                   " had ended: look at what it has done and call it again")
                                   { WasExecuted = true });
            return true;
        }

        /// <summary>Return the message for the server after the call has ended, and clear the
        /// call.</summary>
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

        void PrepareCall(Call call, string memo)
        {
            Call = call;
            IsPausing = false;
            answer = null;
            toolCall = new ToolCall(call.RequestId, call.Arguments) { Memo = memo };
        }

        void OpenTool(Func<Tool, IEnumerator<Pause>> open)
        {
            Tool tool = Toolbox.Find(Call.Tool);
            if (tool == null)
            {
                FailCall(new ToolError("ERR_UNKNOWN_COMMAND", "this editor has no tool " + Call.Tool));
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
                FailCall(e as ToolError ?? Internal(e));
            }
        }

        bool RunUntil(long endTicks, bool ignoresPauses)
        {
            IsPausing = false;
            while (work != null && !isInside)
            {
                if (!RunStep())
                    return answer != null;
                IsPausing = work.Current == Pause.NextUpdate;
                if ((IsPausing && !ignoresPauses) || Stopwatch.GetTimestamp() >= endTicks)
                    return false;
            }
            return answer != null;
        }

        /* Run one step. Return false after the last one. */
        bool RunStep()
        {
            isInside = true;
            try
            {
                if (work.MoveNext())
                    return work != null;
                if (Call == null)
                    return false; /* the tool's own step interrupted the call */
                if (toolCall.Out.Length == 0)
                    throw new InvalidOperationException(Call.Tool + " wrote no answer");
                EndCall(WireMessages.Result(Call, toolCall.Out));
            }
            catch (Exception e)
            {
                FailCall(e as ToolError ?? Internal(e));
            }
            finally
            {
                isInside = false;
            }
            return false;
        }

        void FailCall(ToolError error)
        {
            if (Call != null)
                EndCall(new WireText(WireMessages.CallError(Call, error)));
        }

        void EndCall(WireText message)
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
