namespace Standin
{
    /// <summary>An asset's object whose class is not in the tables.</summary>
    internal sealed class UnknownAsset : UnityEngine.Object
    {
    }
}
