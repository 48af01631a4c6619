using System.Collections.Generic;
using UnityEngine;

namespace Standin
{
    /// <summary>The order of a scene's roots; stored in the scene's file since 2022.3.5.</summary>
    [NativeClass(1660057539, "SceneRoots")]
    internal sealed class SceneRoots : Object
    {
        [NativeHidden(Link = true)] internal List<Transform> m_Roots = new List<Transform>();
    }
}
