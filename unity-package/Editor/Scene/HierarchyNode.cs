using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>A GameObject in the answer of get_scene_hierarchy.</summary>
    struct HierarchyNode
    {
        public Transform Transform;
        public string Name;
        public string Path;
        public int Depth;
        /// <summary>Its listed children: a range of the list.</summary>
        public int First, Count;
        public bool HasChildren;
    }
}
