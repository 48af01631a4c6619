using System;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// A scene's documents without a GameObject: RenderSettings and LightmapSettings, which are
    /// objects, and documents of unknown classes, which are written as read.
    /// </summary>
    internal sealed class SceneSettings
    {
        static readonly string[] links = { "m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset" };

        readonly List<YamlDocument> documents = new List<YamlDocument>();
        readonly Dictionary<long, Object> objects = new Dictionary<long, Object>();

        public IEnumerable<Object> Objects { get { return objects.Values; } }
        public IEnumerable<YamlDocument> Documents { get { return documents; } }

        /// <summary>
        /// The objects exist immediately and are read after all others of the scene. local:
        /// receives them too; before: earlier settings, whose objects are reused.
        /// </summary>
        public void Add(YamlDocument document, Dictionary<long, Object> local, SceneSettings before)
        {
            documents.Add(document);
            Type type = ClassTable.TypeOf(document.ClassId);
            if (type == null || typeof(Component).IsAssignableFrom(type) || objects.ContainsKey(document.FileId))
                return;
            Object created = null;
            bool isKept = before != null && before.objects.TryGetValue(document.FileId, out created)
                && created.GetType() == type;
            if (!isKept)
                created = ObjectLoader.New(type);
            created.localFileId = document.FileId;
            objects.Add(document.FileId, created);
            if (!local.ContainsKey(document.FileId))
                local.Add(document.FileId, created);
            ObjectLoader.Later(() => Read(document, created, local));
        }

        static void Read(YamlDocument document, Object created, Dictionary<long, Object> local)
        {
            TypeNode type = TypeTree.Of(created.GetType());
            DataNode body = document.Body.Clone();
            DataShaper.Shape(body, type);
            new ObjectLinker(local).Link(body, type);
            Serializer.Read(created, body);
        }

        /// <summary>The current content of a document; references have their Targets. null: as
        /// read.</summary>
        public DataNode BodyOf(YamlDocument document)
        {
            Object created;
            if (!objects.TryGetValue(document.FileId, out created) || created.isDestroyed)
                return null;
            DataNode body = Serializer.Write(created);
            foreach (string link in links)
            {
                int at = document.Body.IndexOf(link) < 0 ? body.IndexOf(link) : -1;
                if (at < 0)
                    continue;
                body.Keys.RemoveAt(at);
                body.Items.RemoveAt(at);
            }
            return body;
        }

        /// <summary>Destroy the settings when the scene is closed.</summary>
        public void End()
        {
            foreach (Object created in objects.Values)
            {
                created.isDestroyed = true;
                ObjectTable.Remove(created);
            }
        }

        /// <summary>The scene of a settings object, or null.</summary>
        public static SceneData SceneOf(Object target)
        {
            foreach (SceneData scene in SceneData.All)
            {
                var file = scene.Document as SceneFile;
                Object found;
                if (file != null && file.Settings.objects.TryGetValue(target.localFileId, out found)
                    && ReferenceEquals(found, target))
                    return scene;
            }
            return null;
        }
    }
}
