using System;
using UnityEngine;

namespace Standin
{
    /// <summary>An entry of a GameObject's component list.</summary>
    [Serializable, NativeStruct("ComponentPair")]
    internal struct ComponentPair
    {
        internal Component component;

        public ComponentPair(Component component) { this.component = component; }
    }
}
