namespace UnityEngine
{
    /// <summary>Told before its fields are written and after they were read.</summary>
    public interface ISerializationCallbackReceiver
    {
        void OnBeforeSerialize();
        void OnAfterDeserialize();
    }
}
