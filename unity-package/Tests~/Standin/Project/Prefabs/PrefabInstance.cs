using System;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>A prefab instance of a scene or prefab, returned by
    /// PrefabUtility.GetPrefabInstanceHandle.</summary>
    [NativeClass(1001, "PrefabInstance")]
    internal sealed class PrefabInstance : Object
    {
        /// <summary>The GUID of the asset.</summary>
        [NonSerialized] internal string sourceGuid = "";
        /// <summary>null: no content, or the root was destroyed.</summary>
        [NonSerialized] internal GameObject root;
        /// <summary>The instance as read from the file: existing overrides stay, whatever their
        /// values.</summary>
        [NonSerialized] internal FlatInstance read;
        /// <summary>The asset is missing or cannot be a prefab.</summary>
        [NonSerialized] internal bool isBroken;
        [NonSerialized] internal bool isModel;
    }
}
