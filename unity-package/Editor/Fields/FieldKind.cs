namespace Multiverse.Editor
{
    /// <summary>The kind of a field's value; decides how it is shown and set.</summary>
    public enum FieldKind
    {
        /// <summary>Shown by its property type, not settable.</summary>
        Unknown,
        Bool,
        /// <summary>With Bits and IsSigned; also char.</summary>
        Int,
        Float,
        Double,
        String,
        /// <summary>With Bits, IsSigned and Values.</summary>
        Enum,
        Vector2,
        Vector3,
        Vector4,
        Vector2Int,
        Vector3Int,
        Quaternion,
        Color,
        Color32,
        Rect,
        RectInt,
        Bounds,
        BoundsInt,
        LayerMask,
        Curve,
        Gradient,
        /// <summary>A reference to a UnityEngine.Object of the class Clr.</summary>
        Object,
        /// <summary>T[] or List&lt;T&gt;, with Element.</summary>
        Array,
        Struct,
        /// <summary>[SerializeReference].</summary>
        Managed
    }
}
