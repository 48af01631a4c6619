namespace Multiverse.Editor
{
    /// <summary>What the value of a field is made of: decides how it is shown and what sets it.</summary>
    public enum FieldKind
    {
        /// <summary>Shown by its form, not settable.</summary>
        Unknown,
        Bool,
        /// <summary>Bits and IsSigned say which; also char.</summary>
        Int,
        Float,
        Double,
        String,
        /// <summary>Bits, IsSigned, Values.</summary>
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
        /// <summary>A reference to a UnityEngine.Object: Clr says of which class.</summary>
        Object,
        /// <summary>T[] or List&lt;T&gt;: Element.</summary>
        Array,
        Struct,
        /// <summary>[SerializeReference].</summary>
        Managed
    }
}
