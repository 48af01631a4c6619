namespace UnityEditor
{
    public enum PrefabAssetType { NotAPrefab = 0, Regular = 1, Model = 2, Variant = 3, MissingAsset = 4 }

    public enum PrefabInstanceStatus { NotAPrefab = 0, Connected = 1, Disconnected = 2, MissingAsset = 3 }

    public enum PrefabUnpackMode { OutermostRoot = 0, Completely = 1 }
}
