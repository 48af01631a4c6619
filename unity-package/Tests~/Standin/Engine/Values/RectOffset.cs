using System;
using Standin;

namespace UnityEngine
{
    [Serializable, NativeStruct("RectOffset")]
    public class RectOffset
    {
        int m_Left;
        int m_Right;
        int m_Top;
        int m_Bottom;

        public RectOffset() { }

        public RectOffset(int left, int right, int top, int bottom)
        {
            m_Left = left;
            m_Right = right;
            m_Top = top;
            m_Bottom = bottom;
        }

        public int left { get { return m_Left; } set { m_Left = value; } }
        public int right { get { return m_Right; } set { m_Right = value; } }
        public int top { get { return m_Top; } set { m_Top = value; } }
        public int bottom { get { return m_Bottom; } set { m_Bottom = value; } }
        public int horizontal { get { return left + right; } }
        public int vertical { get { return top + bottom; } }
    }
}
