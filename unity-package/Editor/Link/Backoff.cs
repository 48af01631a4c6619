using System;

namespace Multiverse.Editor
{
    /// <summary>
    /// The delay before the next attempt to connect: 200 ms, then 1.8 times the last delay, at most
    /// 5 s, with 20% jitter. The server's hello may set other numbers.
    /// <code>
    ///     wait(backoff.Next());       // 200, 360, 648, ... give or take a fifth
    ///     backoff.Reset();            // connected
    ///     wait(backoff.Longest());    // refused: no hurry
    /// </code>
    /// </summary>
    public sealed class Backoff
    {
        readonly Random chance;
        double initialMs = 200, multiplier = 1.8, maxMs = 5000, jitter = 0.2;
        double nextMs;

        public Backoff(int seed)
        {
            chance = new Random(seed);
            Reset();
        }

        public void Set(double newInitialMs, double newMultiplier, double newMaxMs, double newJitter)
        {
            maxMs = newMaxMs;
            initialMs = Math.Min(newInitialMs, newMaxMs);
            multiplier = newMultiplier;
            jitter = newJitter;
            Reset();
        }

        public void Reset() { nextMs = initialMs; }

        public int Next()
        {
            double wait = nextMs;
            nextMs = Math.Min(nextMs * multiplier, maxMs);
            return WithChance(wait);
        }

        public int Longest()
        {
            nextMs = maxMs;
            return WithChance(maxMs);
        }

        int WithChance(double ms)
        {
            return (int)Math.Max(1, ms * (1 + jitter * (2 * chance.NextDouble() - 1)));
        }
    }
}
