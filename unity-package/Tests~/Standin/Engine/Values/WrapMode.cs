namespace UnityEngine
{
    public enum WrapMode
    {
        Default = 0,
        Once = 1,
        Clamp = 1,
        Loop = 2,
        PingPong = 4,
        ClampForever = 8
    }
}
