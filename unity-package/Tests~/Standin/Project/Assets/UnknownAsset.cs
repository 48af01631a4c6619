namespace Standin
{
    /// <summary>An object of an asset whose class the tables do not have.</summary>
    internal sealed class UnknownAsset : UnityEngine.Object
    {
    }
}
