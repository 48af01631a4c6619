using UnityEngine;

namespace UnityEditor
{
    /// <summary>A value of a property: an override of a prefab, or one side of a change.</summary>
    public sealed class PropertyModification
    {
        public Object target;
        public string propertyPath;
        public string value;
        public Object objectReference;
    }
}
