using UnityEngine;

namespace UnityEditor
{
    /// <summary>A property's value: an override of a prefab, or one side of a change.</summary>
    public sealed class PropertyModification
    {
        public Object target;
        public string propertyPath;
        public string value;
        public Object objectReference;
    }
}
