using System;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Keeps ScriptableObjects that are no assets, and changed assets, across a domain reload.
    /// References to scene objects and to each other are instance ids, marked by a GUID that no
    /// asset has.
    /// </summary>
    internal static class LooseObjects
    {
        const string ByInstance = "ffffffffffffffffffffffffffffffff";

        /* ---- ScriptableObjects */

        public static List<object> Export()
        {
            var found = new List<object>();
            foreach (Object created in ObjectTable.All)
            {
                if (!(created is ScriptableObject) || created.isPersistent || created.isDestroyed)
                    continue;
                found.Add(new Dictionary<string, object>
                {
                    { "type", created.GetType().AssemblyQualifiedName }, { "id", (long)created.instanceId },
                    { "name", created.name }, { "data", TextOf(created) }
                });
            }
            return found;
        }

        public static void Reserve(List<object> all)
        {
            foreach (object one in all)
                ObjectTable.Reserve((int)(long)((Dictionary<string, object>)one)["id"]);
        }

        public static void Import(List<object> all)
        {
            var created = new List<KeyValuePair<Object, string>>();
            foreach (object one in all)
            {
                var about = (Dictionary<string, object>)one;
                Type type = Type.GetType((string)about["type"], false) ?? Find((string)about["type"]);
                if (type == null || type.IsAbstract)
                    continue;
                Object back = ObjectLoader.New(type);
                ObjectTable.SetId(back, (int)(long)about["id"]);
                back.name = (string)about["name"];
                created.Add(new KeyValuePair<Object, string>(back, (string)about["data"]));
            }
            foreach (KeyValuePair<Object, string> pair in created)
                Read(pair.Key, pair.Value);
            foreach (KeyValuePair<Object, string> pair in created)
                Messages.Send(pair.Key, "OnEnable");
        }

        /* Assemblies loaded from a path are not found by name. */
        static Type Find(string qualified)
        {
            string[] parts = qualified.Split(new[] { ", " }, StringSplitOptions.None);
            foreach (var assembly in AppDomain.CurrentDomain.GetAssemblies())
                if (parts.Length > 1 && assembly.GetName().Name == parts[1])
                    return assembly.GetType(parts[0]);
            return null;
        }

        /* ---- changed assets */

        public static List<object> ExportAssets()
        {
            var found = new List<object>();
            foreach (LoadedAsset asset in AssetLoader.Loaded)
                foreach (Object created in asset.All)
                    if (created.dirtyCount > 0 && !created.isDestroyed)
                        found.Add(new Dictionary<string, object>
                        {
                            { "guid", asset.Guid }, { "id", created.localFileId }, { "count", (long)created.dirtyCount },
                            { "data", TextOf(created) }
                        });
            return found;
        }

        public static void ImportAssets(List<object> all)
        {
            foreach (object one in all)
            {
                var about = (Dictionary<string, object>)one;
                Object created = AssetLoader.Find((string)about["guid"], (long)about["id"], null);
                if ((object)created == null)
                    continue;
                Read(created, (string)about["data"]);
                created.dirtyCount = (int)(long)about["count"];
            }
        }

        /* ---- one object */

        static string TextOf(Object created)
        {
            DataNode body = Serializer.Write(created);
            Mark(body, new HashSet<DataNode>());
            AssetAddress.Put(body, "");
            return YamlWriter.Write(new[]
            {
                new YamlDocument { ClassName = "Object", Body = ManagedData.Unlink(body, false) }
            });
        }

        static void Mark(DataNode node, HashSet<DataNode> seen)
        {
            Object target = node.Kind == DataKind.Reference ? node.Target : null;
            if ((object)target != null && !target.isPersistent)
            {
                node.Target = null;
                node.FileId = target.instanceId;
                node.Guid = ByInstance;
            }
            if (node.Items == null || (node.Kind == DataKind.Managed && !seen.Add(node)))
                return;
            foreach (DataNode item in node.Items)
                Mark(item, seen);
        }

        static void Read(Object created, string text)
        {
            DataNode body = YamlFile.Parse(text).Documents[0].Body;
            TypeNode type = TypeTree.Of(created.GetType());
            DataShaper.Shape(body, type);
            Find(body, new HashSet<DataNode>());
            new ObjectLinker(null).Link(body, type);
            Serializer.Read(created, body);
        }

        static void Find(DataNode node, HashSet<DataNode> seen)
        {
            if (node.Kind == DataKind.Reference && node.Guid == ByInstance)
            {
                node.Target = ObjectTable.Find((int)node.FileId);
                node.FileId = 0;
                node.Guid = "";
            }
            if (node.Items == null || (node.Kind == DataKind.Managed && !seen.Add(node)))
                return;
            foreach (DataNode item in node.Items)
                Find(item, seen);
        }
    }
}
