namespace UnityEngine
{
    /// <summary>Called before an object's fields are written and after they were read.</summary>
    public interface ISerializationCallbackReceiver
    {
        void OnBeforeSerialize();
        void OnAfterDeserialize();
    }
}
