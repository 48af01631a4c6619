using System;

namespace UnityEngine
{
    [Flags]
    public enum HideFlags
    {
        None = 0,
        HideInHierarchy = 1,
        HideInInspector = 2,
        DontSaveInEditor = 4,
        NotEditable = 8,
        DontSaveInBuild = 16,
        DontUnloadUnusedAsset = 32,
        DontSave = 52,
        HideAndDontSave = 61
    }

    public enum Space { World = 0, Self = 1 }

    public enum SendMessageOptions { RequireReceiver = 0, DontRequireReceiver = 1 }

    public enum PrimitiveType { Sphere = 0, Capsule = 1, Cylinder = 2, Cube = 3, Plane = 4, Quad = 5 }

    public enum ColorSpace { Uninitialized = -1, Gamma = 0, Linear = 1 }

#if UNITY_2021_3_OR_NEWER
    public enum FindObjectsInactive { Exclude = 0, Include = 1 }

    public enum FindObjectsSortMode { None = 0, InstanceID = 1 }
#endif
}
