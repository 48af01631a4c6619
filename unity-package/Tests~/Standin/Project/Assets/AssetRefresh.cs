using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// What AssetDatabase.Refresh does: files that changed on disk are seen. Objects of a changed asset
    /// stay the same objects and get the new fields, and instances of a changed prefab in open scenes
    /// follow it; what was overridden there stays overridden. Files without a .meta get one, scripts that
    /// changed are compiled. A scene that is open is not read again.
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

        /* Prefabs that hold instances of changed ones are made of their sources anew. */
        static void ReloadPrefabs(List<LoadedAsset> changed)
        {
            foreach (LoadedAsset asset in new List<LoadedAsset>(AssetLoader.Loaded))
                if (AssetKinds.IsPrefab(asset.Path) && !changed.Exists(other => other.Guid == asset.Guid))
                    AssetLoader.Reload(asset);
        }
    }
}
