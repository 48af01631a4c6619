using System;
using System.Collections.Generic;
using Standin;

namespace UnityEngine
{
    /// <summary>
    /// A curve through keys that are sorted by time. The file has other numbers for the wrap modes:
    /// 0 ping-pong, 1 loop, 2 clamp.
    /// </summary>
    [Serializable, NativeStruct("AnimationCurve"), SerializedVersion(2)]
    public class AnimationCurve
    {
        List<Keyframe> m_Curve = new List<Keyframe>();
        int m_PreInfinity = 2;
        int m_PostInfinity = 2;
        internal int m_RotationOrder = 4;

        public AnimationCurve() { }
        public AnimationCurve(params Keyframe[] keys) { this.keys = keys; }

        public static AnimationCurve Constant(float timeStart, float timeEnd, float value)
        {
            return Linear(timeStart, value, timeEnd, value);
        }

        public static AnimationCurve Linear(float timeStart, float valueStart, float timeEnd, float valueEnd)
        {
            if (timeStart == timeEnd)
                return new AnimationCurve(new Keyframe(timeStart, valueStart));
            float slope = (valueEnd - valueStart) / (timeEnd - timeStart);
            return new AnimationCurve(new Keyframe(timeStart, valueStart, 0, slope),
                                      new Keyframe(timeEnd, valueEnd, slope, 0));
        }

        public static AnimationCurve EaseInOut(float timeStart, float valueStart, float timeEnd, float valueEnd)
        {
            if (timeStart == timeEnd)
                return new AnimationCurve(new Keyframe(timeStart, valueStart));
            return new AnimationCurve(new Keyframe(timeStart, valueStart), new Keyframe(timeEnd, valueEnd));
        }

        public int length { get { return m_Curve.Count; } }
        public Keyframe this[int index] { get { return m_Curve[index]; } }

        public Keyframe[] keys
        {
            get { return m_Curve.ToArray(); }
            set
            {
                var sorted = new List<Keyframe>();
                foreach (Keyframe key in value ?? new Keyframe[0])
                    sorted.Insert(BehindAll(sorted, key.time), key);
                m_Curve = sorted;
            }
        }

        static int BehindAll(List<Keyframe> keys, float time)
        {
            int at = keys.Count;
            while (at > 0 && keys[at - 1].time > time)
                at--;
            return at;
        }

        public WrapMode preWrapMode
        {
            get { return FromFile(m_PreInfinity); }
            set { m_PreInfinity = ToFile(value); }
        }

        public WrapMode postWrapMode
        {
            get { return FromFile(m_PostInfinity); }
            set { m_PostInfinity = ToFile(value); }
        }

        static WrapMode FromFile(int mode)
        {
            return mode == 0 ? WrapMode.PingPong : mode == 1 ? WrapMode.Loop : WrapMode.ClampForever;
        }

        static int ToFile(WrapMode mode)
        {
            return mode == WrapMode.PingPong ? 0 : mode == WrapMode.Loop ? 1 : 2;
        }

        public int AddKey(float time, float value) { return AddKey(new Keyframe(time, value)); }

        /// <summary>Return the key's index, or -1 if there is a key at this time.</summary>
        public int AddKey(Keyframe key)
        {
            int at = 0;
            while (at < m_Curve.Count && m_Curve[at].time < key.time)
                at++;
            if (at < m_Curve.Count && m_Curve[at].time == key.time)
                return -1;
            m_Curve.Insert(at, key);
            return at;
        }

        public void RemoveKey(int index) { m_Curve.RemoveAt(index); }

        public int MoveKey(int index, Keyframe key)
        {
            m_Curve.RemoveAt(index);
            return AddKey(key);
        }

        public float Evaluate(float time)
        {
            if (length == 0)
                return 0;
            if (time <= m_Curve[0].time)
                return m_Curve[0].value;
            int right = m_Curve.FindIndex(key => key.time >= time);
            if (right < 0)
                return m_Curve[length - 1].value;
            Keyframe a = m_Curve[right - 1], b = m_Curve[right];
            float width = b.time - a.time, t = (time - a.time) / width, t2 = t * t, t3 = t2 * t;
            return (2 * t3 - 3 * t2 + 1) * a.value + (t3 - 2 * t2 + t) * width * a.outTangent
                + (3 * t2 - 2 * t3) * b.value + (t3 - t2) * width * b.inTangent;
        }
    }
}
