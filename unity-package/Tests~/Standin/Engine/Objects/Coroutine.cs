using System.Collections;
using System.Collections.Generic;
using Standin;

namespace UnityEngine
{
    public class YieldInstruction { }

    public sealed class WaitForEndOfFrame : YieldInstruction { }

    public sealed class WaitForFixedUpdate : YieldInstruction { }

    public sealed class WaitForSeconds : YieldInstruction
    {
        internal readonly float seconds;

        public WaitForSeconds(float seconds) { this.seconds = seconds; }
    }

    public abstract class CustomYieldInstruction : IEnumerator
    {
        public abstract bool keepWaiting { get; }
        public object Current { get { return null; } }
        public bool MoveNext() { return keepWaiting; }
        public virtual void Reset() { }
    }

    public class WaitForSecondsRealtime : CustomYieldInstruction
    {
        readonly float until;

        public WaitForSecondsRealtime(float time) { until = Time.realtimeSinceStartup + time; }
        public override bool keepWaiting { get { return Time.realtimeSinceStartup < until; } }
    }

    public sealed class WaitUntil : CustomYieldInstruction
    {
        readonly System.Func<bool> predicate;

        public WaitUntil(System.Func<bool> predicate) { this.predicate = predicate; }
        public override bool keepWaiting { get { return !predicate(); } }
    }

    public sealed class WaitWhile : CustomYieldInstruction
    {
        readonly System.Func<bool> predicate;

        public WaitWhile(System.Func<bool> predicate) { this.predicate = predicate; }
        public override bool keepWaiting { get { return predicate(); } }
    }

    /// <summary>A coroutine of a MonoBehaviour, advanced once per frame in play mode.</summary>
    public sealed class Coroutine : YieldInstruction
    {
        static readonly List<Coroutine> running = new List<Coroutine>();

        readonly MonoBehaviour owner;
        readonly IEnumerator routine;
        readonly Stack<IEnumerator> inner = new Stack<IEnumerator>();
        float waitSeconds;
        bool isOver;
        internal bool IsOver { get { return isOver; } }
        Coroutine waitFor;

        Coroutine(MonoBehaviour owner, IEnumerator routine)
        {
            this.owner = owner;
            this.routine = routine;
            inner.Push(routine);
        }

        internal static Coroutine Start(MonoBehaviour owner, IEnumerator routine)
        {
            var created = new Coroutine(owner, routine);
            created.Advance(0);
            if (!created.isOver)
                running.Add(created);
            return created;
        }

        internal static void Stop(MonoBehaviour owner, Coroutine routine) { running.Remove(routine); }
        internal static void Stop(MonoBehaviour owner, IEnumerator routine)
        {
            running.RemoveAll(r => ReferenceEquals(r.owner, owner) && r.routine == routine);
        }
        internal static void StopAll(MonoBehaviour owner) { running.RemoveAll(r => ReferenceEquals(r.owner, owner)); }
        internal static void Clear() { running.Clear(); }

        /// <summary>Advance all coroutines by one frame.</summary>
        internal static void AdvanceAll(float seconds)
        {
            foreach (Coroutine routine in running.ToArray())
            {
                if (routine.owner == null || !running.Contains(routine))
                    running.Remove(routine);
                else
                    routine.Advance(seconds);
                if (routine.isOver)
                    running.Remove(routine);
            }
        }

        void Advance(float seconds)
        {
            waitSeconds -= seconds;
            if (waitSeconds > 0 || (waitFor != null && !waitFor.isOver))
                return;
            waitFor = null;
            try
            {
                Step();
            }
            catch (System.Exception e)
            {
                isOver = true;
                Debug.LogException(e, owner);
            }
        }

        void Step()
        {
            while (inner.Count > 0)
            {
                if (!inner.Peek().MoveNext())
                {
                    inner.Pop();
                    continue;
                }
                object given = inner.Peek().Current;
                var nested = given as IEnumerator;
                if (nested != null)
                {
                    inner.Push(nested);
                    continue;
                }
                var wait = given as WaitForSeconds;
                waitSeconds = wait == null ? 0 : wait.seconds;
                waitFor = given as Coroutine;
                return;
            }
            isOver = true;
        }
    }
}

namespace Standin
{
    internal static class Delayed
    {
        public static IEnumerator Call(UnityEngine.MonoBehaviour target, string method, float seconds)
        {
            yield return new UnityEngine.WaitForSeconds(seconds);
            Messages.Send(target, method);
        }
    }
}
