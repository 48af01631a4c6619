using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// Implements AssetDatabase.Refresh: detects files that changed on disk. Objects of a changed
    /// asset keep their identity and get the new fields; instances of a changed prefab in open
    /// scenes are updated, except for their overrides. Missing .meta files are created and changed
    /// scripts compiled. Open scenes are not reloaded.
    /// </summary>
    internal static class AssetRefresh
    {
        public static void Run()
        {
            var texts = new Dictionary<SceneData, string>();
            AssetImports.EnsureAll();
            ProjectFolder.Refresh();
            var changed = new List<LoadedAsset>();
            foreach (LoadedAsset asset in AssetLoader.Loaded)
                if (!BuiltinAssets.IsBuiltin(asset.Guid) && AssetLoader.HasChanged(asset))
                    changed.Add(asset);
            bool hasPrefabs = changed.Exists(asset => AssetKinds.IsPrefab(asset.Path) || AssetKinds.IsModel(asset.Path));
            foreach (SceneData scene in SceneData.All)
                if (hasPrefabs && scene.IsLoaded)
                    texts.Add(scene, SceneSaver.Text(scene));
            FlatFiles.Forget();
            ScriptTable.Forget();
            foreach (LoadedAsset asset in changed)
                AssetLoader.Reload(asset);
            if (hasPrefabs)
                ReloadPrefabs(changed);
            foreach (KeyValuePair<SceneData, string> pair in texts)
                SceneFile.ReadAgain(pair.Key, pair.Value);
            EditorEvents.ProjectChanged();
            if (ScriptCompiler.IsOutdated)
                Compilation.Request(null);
        }

        /* Rebuild prefabs that contain instances of changed prefabs. */
        static void ReloadPrefabs(List<LoadedAsset> changed)
        {
            foreach (LoadedAsset asset in new List<LoadedAsset>(AssetLoader.Loaded))
                if (AssetKinds.IsPrefab(asset.Path) && !changed.Exists(other => other.Guid == asset.Guid))
                    AssetLoader.Reload(asset);
        }
    }
}
