using System;
using System.Collections.Generic;
using System.IO;
using UnityEditor.SceneManagement;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// The scenes and objects that survive a domain reload, which is a new process here: open
    /// scenes with unsaved changes, instance ids, changed assets, and ScriptableObjects that are no
    /// assets. Sources of prefab instances are read again.
    /// <code>
    ///     SceneBackup.Save("Temp/Standin/scenes");     // and in the next process
    ///     SceneBackup.Load("Temp/Standin/scenes");
    /// </code>
    /// </summary>
    internal static class SceneBackup
    {
        const string Index = "/index.json";
        const string History = "/undo.json";

        /// <summary>Open the initial scene of a project: the first scene of the build, or else the
        /// first one.</summary>
        public static void OpenFirst()
        {
            foreach (UnityEditor.EditorBuildSettingsScene scene in UnityEditor.EditorBuildSettings.scenes)
                if (scene.enabled && IsScene(scene.path))
                {
                    EditorSceneManager.OpenScene(scene.path);
                    return;
                }
            foreach (AssetEntry entry in ProjectFolder.Assets.All)
                if (entry.Path.StartsWith("Assets/", StringComparison.Ordinal) && IsScene(entry.Path))
                {
                    EditorSceneManager.OpenScene(entry.Path);
                    return;
                }
            EditorSceneManager.NewScene(NewSceneSetup.DefaultGameObjects);
        }

        static bool IsScene(string path)
        {
            AssetEntry entry = ProjectFolder.Assets.ByPath(path);
            return entry != null && !entry.IsFolder && ProjectFolder.Extension(path) == ".unity";
        }

        /* ---- saving */

        public static void Save(string folder)
        {
            Directory.CreateDirectory(folder);
            var scenes = new List<object>();
            List<Grave> lifted = Graves.LiftAll();
            foreach (SceneData scene in SceneData.All)
                if (!scene.IsPreview)
                    scenes.Add(SaveScene(scene, folder + "/" + scenes.Count + ".scene"));
            Graves.Lower(lifted);
            File.WriteAllText(folder + History, UndoState.Export());
            var all = new Dictionary<string, object>
            {
                { "scenes", scenes }, { "active", (long)SceneData.All.IndexOf(SceneData.Active) },
                { "assets", AssetIds.Export() }, { "changed", LooseObjects.ExportAssets() },
                { "objects", LooseObjects.Export() }
            };
            File.WriteAllText(folder + Index, Json.Write(all));
        }

        static Dictionary<string, object> SaveScene(SceneData scene, string path)
        {
            File.WriteAllText(path, scene.IsLoaded ? SceneSaver.Text(scene) : "");
            var ids = new Dictionary<string, object>();
            var kept = new Dictionary<string, object>();
            foreach (Transform root in scene.Roots)
                SceneTree.Visit(root, t =>
                {
                    AddId(ids, kept, t.m_GameObject);
                    foreach (ComponentPair pair in t.m_GameObject.m_Component)
                        AddId(ids, kept, pair.component);
                    return true;
                });
            var file = scene.Document as SceneFile;
            if (file != null)
                foreach (Object settings in file.Settings.Objects)
                    AddId(ids, kept, settings);
            return new Dictionary<string, object>
            {
                { "path", scene.Path }, { "guid", scene.Guid }, { "name", scene.Name }, { "dirty", scene.IsDirty },
                { "loaded", scene.IsLoaded }, { "ids", ids }, { "kept", kept }
            };
        }

        static void AddId(Dictionary<string, object> ids, Dictionary<string, object> kept, Object created)
        {
            if ((object)created == null || created.localFileId == 0)
                return;
            ids[Scalars.From(created.localFileId)] = (long)created.instanceId;
            var instance = created.m_PrefabInstance as PrefabInstance;
            if ((object)instance == null || ids.ContainsKey(Scalars.From(instance.localFileId)))
                return;
            ids[Scalars.From(instance.localFileId)] = (long)instance.instanceId;
            if (instance.read == null)
                return;
            var keys = new List<object>();
            foreach (DataNode entry in instance.read.List("m_Modifications"))
                keys.Add(InstanceSaver.KeyOf(entry));
            kept[Scalars.From(instance.localFileId)] = keys;
        }

        /* ---- loading */

        public static void Load(string folder)
        {
            Dictionary<string, object> all = Json.ReadObject(File.ReadAllText(folder + Index));
            bool isSameDomain = SceneData.All.Count > 0;
            foreach (SceneData scene in SceneData.All.ToArray())
                if (!scene.IsPreview)
                    SceneFile.Close(scene);
            if (!isSameDomain)
            {
                AssetIds.Import((Dictionary<string, object>)all["assets"]);
                LooseObjects.Reserve((List<object>)all["objects"]);
            }
            var scenes = (List<object>)all["scenes"];
            foreach (object scene in scenes)
                foreach (object id in ((Dictionary<string, object>)((Dictionary<string, object>)scene)["ids"]).Values)
                    ObjectTable.Reserve((int)(long)id);
            for (int i = 0; i < scenes.Count; i++)
                LoadScene((Dictionary<string, object>)scenes[i], folder + "/" + i + ".scene");
            int active = (int)(long)all["active"];
            SceneData.Active = active >= 0 && active < SceneData.All.Count ? SceneData.All[active] : null;
            if (isSameDomain)
            {
                /* After play mode only the scenes and their undo history are restored. */
                UndoState.Import(File.ReadAllText(folder + History));
                return;
            }
            LooseObjects.ImportAssets((List<object>)all["changed"]);
            LooseObjects.Import((List<object>)all["objects"]);
        }

        static void LoadScene(Dictionary<string, object> about, string path)
        {
            var ids = (Dictionary<string, object>)about["ids"];
            string text = File.ReadAllText(path);
            SceneData scene = text.Length == 0 ? SceneFile.New()
                : SceneFile.Read((string)about["path"], (string)about["guid"], text, loader => GiveIds(loader, ids));
            scene.Path = (string)about["path"];
            scene.Guid = (string)about["guid"];
            scene.Name = (string)about["name"];
            scene.IsDirty = (bool)about["dirty"];
            scene.IsLoaded = (bool)about["loaded"];
            SceneData.All.Add(scene);
            foreach (KeyValuePair<string, object> pair in (Dictionary<string, object>)about["kept"])
                KeepOnly(ids, pair.Key, (List<object>)pair.Value);
        }

        static void GiveIds(ObjectLoader loader, Dictionary<string, object> ids)
        {
            foreach (KeyValuePair<long, Object> pair in loader.Objects)
            {
                object id;
                if (ids.TryGetValue(Scalars.From(pair.Key), out id))
                    ObjectTable.SetId(pair.Value, (int)(long)id);
            }
        }

        /* Overrides that are not in the scene's own file are found by comparison when it is
           saved. */
        static void KeepOnly(Dictionary<string, object> ids, string fileId, List<object> keys)
        {
            var instance = ObjectTable.Find((int)(long)ids[fileId]) as PrefabInstance;
            if ((object)instance == null || instance.read == null || instance.read.Changes == null)
                return;
            var known = new HashSet<object>(keys);
            DataNode list = DataNode.List();
            foreach (DataNode entry in instance.read.List("m_Modifications"))
                if (known.Contains(InstanceSaver.KeyOf(entry)))
                    list.Add(entry);
            instance.read.Changes.Set("m_Modifications", list);
        }
    }
}
