using System;
using System.Collections.Generic;
using System.IO;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// The file of an open scene, in SceneData.Document. Keeps what the objects do not contain: the
    /// settings' documents, and the prefab instances as read.
    /// </summary>
    internal sealed class SceneFile
    {
        public readonly SceneSettings Settings = new SceneSettings();
        /// <summary>Whether SceneRoots has its own document.</summary>
        public bool HasRoots;
        public long RootsId = 9223372036854775807;

        /// <summary>Open a scene. Throws <see cref="YamlError"/> and IOException without changing
        /// anything.</summary>
        public static SceneData Load(string path)
        {
            AssetEntry entry = ProjectFolder.Assets.ByPath(path);
            string disk = ProjectFolder.Assets.DiskPath(path);
            if (disk == null)
                throw new FileNotFoundException("no such scene: " + path);
            return Read(path, entry == null ? "" : entry.Guid, File.ReadAllText(disk), null);
        }

        /// <summary>made is called with the objects by file id before they are read; may be
        /// null.</summary>
        public static SceneData Read(string path, string guid, string text, Action<ObjectLoader> created)
        {
            var scene = new SceneData { Path = path, Guid = guid, Name = ProjectFolder.Stem(path) };
            Fill(scene, FlatFiles.Load(path, guid, text), new List<Object>(), created);
            return scene;
        }

        /// <summary>Reload the scene from a similar text; its objects keep their identity.</summary>
        public static void ReadAgain(SceneData scene, string text)
        {
            FlatFile flat = FlatFiles.Load(scene.Path, scene.Guid, text);
            var objects = new List<Object>();
            foreach (Transform root in scene.Roots)
                SceneTree.Visit(root, t =>
                {
                    AddObjects(t.m_GameObject, objects);
                    return true;
                });
            scene.Roots.Clear();
            Fill(scene, flat, objects, null);
        }

        static void AddObjects(GameObject go, List<Object> objects)
        {
            objects.Add(go);
            objects.Add(go.m_PrefabInstance);
            foreach (ComponentPair pair in go.m_Component)
                objects.Add(pair.component);
        }

        static void Fill(SceneData scene, FlatFile flat, List<Object> objects, Action<ObjectLoader> created)
        {
            var before = scene.Document as SceneFile;
            var file = new SceneFile { HasRoots = ProjectFolder.Version >= 202203 };
            scene.Document = file;
            foreach (YamlDocument document in flat.File.Documents)
                if (document.ClassId == ClassTable.SceneRoots)
                {
                    file.HasRoots = true;
                    file.RootsId = document.FileId;
                }
            var loader = new ObjectLoader(flat, scene);
            loader.Reuse(objects);
            loader.Make();
            foreach (YamlDocument document in flat.Others)
                file.Settings.Add(document, loader.Objects, before == null ? null : before.Settings);
            if (created != null)
                created(loader);
            ObjectLoader.ReadPending();
            foreach (KeyValuePair<FlatObject, Object> pair in loader.Created)
            {
                var go = pair.Value as GameObject;
                if ((object)go != null)
                    go.sceneData = scene;
            }
            foreach (GameObject root in loader.Roots)
                if (root.transform != null)
                    scene.Roots.Add(root.transform);
            scene.BuildIndex = UnityEditor.EditorBuildSettings.IndexOf(scene.Path);
        }

        /// <summary>Create a scene that was never saved, with default settings.</summary>
        public static SceneData New()
        {
            var scene = new SceneData();
            var file = new SceneFile { HasRoots = ProjectFolder.Version >= 202203 };
            string[] names = { "OcclusionCullingSettings", "RenderSettings", "LightmapSettings", "NavMeshSettings" };
            int[] ids = { 29, 104, 157, 196 };
            var created = new Dictionary<long, Object>();
            for (int i = 0; i < ids.Length; i++)
                file.Settings.Add(new YamlDocument
                {
                    ClassId = ids[i], FileId = i + 1, ClassName = names[i], Body = SettingsBody(ids[i])
                }, created, null);
            ObjectLoader.ReadPending();
            scene.Document = file;
            return scene;
        }

        static DataNode SettingsBody(int classId)
        {
            DataNode body = Defaults.BodyOf(classId);
            foreach (string link in new[] { "m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset" })
            {
                int at = body.IndexOf(link);
                if (at < 0)
                    continue;
                body.Keys.RemoveAt(at);
                body.Items.RemoveAt(at);
            }
            body.Set("m_ObjectHideFlags", DataNode.Scalar("0"));
            return body;
        }

        /// <summary>Destroy all objects of a scene and remove it from SceneData.All.</summary>
        public static void Close(SceneData scene)
        {
            SceneData.All.Remove(scene);
            foreach (Transform root in scene.Roots.ToArray())
                Object.DestroyImmediate(root.m_GameObject);
            var file = scene.Document as SceneFile;
            if (file != null)
                file.Settings.End();
            if (ReferenceEquals(SceneData.Active, scene))
                SceneData.Active = null;
        }
    }
}
