using System;
using Standin;

namespace UnityEngine
{
    public enum WeightedMode { None = 0, In = 1, Out = 2, Both = 3 }

    [Serializable, NativeStruct("Keyframe"), SerializedVersion(3)]
    public struct Keyframe
    {
        [SerializedName("time")] float m_Time;
        [SerializedName("value")] float m_Value;
        [SerializedName("inSlope")] float m_InTangent;
        [SerializedName("outSlope")] float m_OutTangent;
        [SerializedName("tangentMode")] internal int m_TangentMode;
        [SerializedName("weightedMode")] int m_WeightedMode;
        [SerializedName("inWeight")] float m_InWeight;
        [SerializedName("outWeight")] float m_OutWeight;

        public Keyframe(float time, float value) : this(time, value, 0, 0) { }

        public Keyframe(float time, float value, float inTangent, float outTangent)
        {
            m_Time = time;
            m_Value = value;
            m_InTangent = inTangent;
            m_OutTangent = outTangent;
            m_TangentMode = 0;
            m_WeightedMode = 0;
            m_InWeight = 0;
            m_OutWeight = 0;
        }

        public Keyframe(float time, float value, float inTangent, float outTangent, float inWeight, float outWeight)
            : this(time, value, inTangent, outTangent)
        {
            m_WeightedMode = (int)WeightedMode.Both;
            m_InWeight = inWeight;
            m_OutWeight = outWeight;
        }

        public float time { get { return m_Time; } set { m_Time = value; } }
        public float value { get { return m_Value; } set { m_Value = value; } }
        public float inTangent { get { return m_InTangent; } set { m_InTangent = value; } }
        public float outTangent { get { return m_OutTangent; } set { m_OutTangent = value; } }
        public float inWeight { get { return m_InWeight; } set { m_InWeight = value; } }
        public float outWeight { get { return m_OutWeight; } set { m_OutWeight = value; } }
        [Obsolete("Use AnimationUtility.SetKeyLeftTangentMode, AnimationUtility.SetKeyRightTangentMode instead.")]
        public int tangentMode { get { return m_TangentMode; } set { m_TangentMode = value; } }
        public WeightedMode weightedMode
        {
            get { return (WeightedMode)m_WeightedMode; }
            set { m_WeightedMode = (int)value; }
        }
    }
}
