using System;
using System.Collections.Generic;
using UnityEditor.TestTools.TestRunner.Api;
using UnityEngine;

namespace Standin.Testing
{
    /// <summary>The registered callbacks of test runs, highest priority first. Lost at each domain
    /// reload.</summary>
    static class TestCallbacks
    {
        struct Entry
        {
            public ICallbacks Callbacks;
            public int Priority;
        }

        static readonly List<Entry> entries = new List<Entry>();

        public static void Add(ICallbacks callbacks, int priority)
        {
            if (callbacks == null)
                throw new ArgumentNullException("testCallbacks");
            int at = entries.FindIndex(e => e.Priority < priority);
            entries.Insert(at < 0 ? entries.Count : at, new Entry { Callbacks = callbacks, Priority = priority });
        }

        public static void Remove(ICallbacks callbacks)
        {
            if (callbacks == null)
                throw new ArgumentNullException("testCallbacks");
            entries.RemoveAll(e => ReferenceEquals(e.Callbacks, callbacks));
        }

        public static void Call(Action<ICallbacks> action)
        {
            foreach (Entry entry in entries.ToArray())
            {
                try
                {
                    action(entry.Callbacks);
                }
                catch (Exception e)
                {
                    Debug.LogException(e);
                }
            }
        }

        public static void Error(string message)
        {
            Debug.LogError(message);
            Call(callbacks =>
            {
                var errors = callbacks as IErrorCallbacks;
                if (errors != null)
                    errors.OnError(message);
            });
        }
    }
}
