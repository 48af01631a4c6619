using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>A GameObject that get_scene_hierarchy shows.</summary>
    struct HierarchyNode
    {
        public Transform Transform;
        public string Name;
        public string Path;
        public int Depth;
        /// <summary>Its children that are shown: a run of the list.</summary>
        public int First, Count;
        public bool HasChildren;
    }
}
