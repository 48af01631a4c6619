using System;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>A prefab instance of a scene or prefab; PrefabUtility.GetPrefabInstanceHandle gives it.</summary>
    [NativeClass(1001, "PrefabInstance")]
    internal sealed class PrefabInstance : Object
    {
        /// <summary>The GUID of the asset.</summary>
        [NonSerialized] internal string sourceGuid = "";
        /// <summary>null: it has no content, or the root was destroyed.</summary>
        [NonSerialized] internal GameObject root;
        /// <summary>What the file said when it was read: overrides that stay, whatever they say.</summary>
        [NonSerialized] internal FlatInstance read;
        /// <summary>The asset is not there or can be no prefab.</summary>
        [NonSerialized] internal bool isBroken;
        [NonSerialized] internal bool isModel;
    }
}
