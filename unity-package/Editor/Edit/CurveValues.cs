using System;
using System.Collections.Generic;
using System.Globalization;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// Curves and gradients, which are replaced as a whole. Keys are sorted by time; keys with the
    /// same time keep their order.
    /// </summary>
    public static class CurveValues
    {
        static readonly string[] wrapNames = { "Default", "Once", "Clamp", "Loop", "PingPong", "ClampForever" };
        static readonly int[] wraps = { 0, 1, 1, 2, 4, 8 };
        static readonly string[] weightNames = { "None", "In", "Out", "Both" };
        static readonly string[] gradientNames = { "Blend", "Fixed", "PerceptualBlend" };
        static readonly int[] counting = { 0, 1, 2, 3 };

        const int MaxGradientKeys = 8;

        /* A number or one of the names; the default if the member is absent. */
        static long ReadChoice(AssignContext context, JsonValue of, string member, string[] names, int[] numbers,
                           long absent)
        {
            long n;
            if (!of.Has(member))
                return absent;
            JsonValue value = of.Get(member);
            if (value.TryLong(out n))
                return n;
            for (int i = 0; i < names.Length; i++)
                if (value.IsString && value.AsString == names[i])
                    return numbers[i];
            throw context.Invalid("expected one of " + string.Join(", ", names));
        }

        static WrapMode ReadWrapMode(AssignContext context, JsonValue of, string member)
        {
            long mode = ReadChoice(context, of, member, wrapNames, wraps, (long)WrapMode.ClampForever);
            foreach (int known in wraps)
                if (known == mode)
                    return (WrapMode)known;
            throw context.Invalid("there is no wrap mode " + mode.ToString(CultureInfo.InvariantCulture));
        }

        /* A required member. */
        static float ReadRequired(AssignContext context, JsonValue of, string member)
        {
            if (!of.Has(member))
                throw context.Invalid("expected a number, got missing");
            return PlainValues.Float(context, of.Get(member));
        }

        static float ReadOptional(AssignContext context, JsonValue of, string member)
        {
            return of.Has(member) ? PlainValues.Float(context, of.Get(member)) : 0;
        }

        /* List.Sort is not stable. */
        static T[] Sorted<T>(List<T> keys, List<float> times)
        {
            var order = new int[keys.Count];
            for (int i = 0; i < order.Length; i++)
                order[i] = i;
            Array.Sort(order, (x, y) => times[x] == times[y] ? x.CompareTo(y) : times[x].CompareTo(times[y]));
            var sorted = new T[order.Length];
            for (int i = 0; i < order.Length; i++)
                sorted[i] = keys[order[i]];
            return sorted;
        }

        // ---- curves

        public static Setter Curve(AssignContext context, JsonValue value)
        {
            JsonValue given = value.Get("keys");
            if (!value.IsObject || !given.IsArray)
                throw context.Invalid("expected {\"keys\": [{\"time\", \"value\", \"inTangent\", \"outTangent\"}], " +
                                      "\"preWrapMode\", \"postWrapMode\"}");
            WrapMode pre = ReadWrapMode(context, value, "preWrapMode"), post = ReadWrapMode(context, value, "postWrapMode");
            var keys = new List<Keyframe>();
            var times = new List<float>();
            foreach (JsonValue item in given.Items)
            {
                if (AssignContext.IsElement(item))
                    throw context.Misplaced();
                if (!item.IsObject)
                    throw context.Invalid("expected a key: an object");
                keys.Add(ReadKey(context, item));
                times.Add(keys[keys.Count - 1].time);
            }
            Keyframe[] sorted = Sorted(keys, times);
            return p => p.animationCurveValue = new AnimationCurve(sorted) { preWrapMode = pre, postWrapMode = post };
        }

        static Keyframe ReadKey(AssignContext context, JsonValue item)
        {
            var key = new Keyframe
            {
                time = ReadOptional(context, item, "time"),
                value = ReadOptional(context, item, "value"),
                inTangent = ReadOptional(context, item, "inTangent"),
                outTangent = ReadOptional(context, item, "outTangent")
            };
            long tangents = ReadChoice(context, item, "tangentMode", weightNames, counting, 0);
            key.weightedMode = (WeightedMode)ReadChoice(context, item, "weightedMode", weightNames, counting, 0);
            key.inWeight = ReadOptional(context, item, "inWeight");
            key.outWeight = ReadOptional(context, item, "outWeight");
            if (tangents != 0)
                Compat.SetTangentMode(ref key, (int)tangents);
            return key;
        }

        // ---- gradients

        public static Setter Gradient(AssignContext context, JsonValue value)
        {
            if (!value.IsObject)
                throw context.Invalid("expected {\"colorKeys\": [...], \"alphaKeys\": [...], \"mode\"}");
            var mode = (GradientMode)ReadChoice(context, value, "mode", gradientNames, counting, 0);
            CheckKeys(context, value, "colorKeys");
            CheckKeys(context, value, "alphaKeys");
            GradientColorKey[] colors = ColorKeys(context, value.Get("colorKeys"));
            GradientAlphaKey[] alphas = AlphaKeys(context, value.Get("alphaKeys"));
            return p =>
            {
                var gradient = new Gradient { mode = mode };
                gradient.SetKeys(colors, alphas);
                Compat.SetGradient(p, gradient);
            };
        }

        static void CheckKeys(AssignContext context, JsonValue of, string member)
        {
            JsonValue keys = of.Get(member);
            if (!keys.IsArray || keys.Count < 1 || keys.Count > MaxGradientKeys)
                throw context.Invalid(member + " is an array of 1 to 8 keys");
        }

        static GradientColorKey[] ColorKeys(AssignContext context, JsonValue given)
        {
            var keys = new List<GradientColorKey>();
            var times = new List<float>();
            foreach (JsonValue item in given.Items)
            {
                Color color = PartValues.ColorOf(context, item.Get("color"));
                float time = ReadRequired(context, item, "time");
                keys.Add(new GradientColorKey(color, Mathf.Clamp01(time)));
                times.Add(time);
            }
            return Sorted(keys, times);
        }

        static GradientAlphaKey[] AlphaKeys(AssignContext context, JsonValue given)
        {
            var keys = new List<GradientAlphaKey>();
            var times = new List<float>();
            foreach (JsonValue item in given.Items)
            {
                float alpha = ReadRequired(context, item, "alpha");
                float time = ReadRequired(context, item, "time");
                keys.Add(new GradientAlphaKey(alpha, Mathf.Clamp01(time)));
                times.Add(time);
            }
            return Sorted(keys, times);
        }
    }
}
