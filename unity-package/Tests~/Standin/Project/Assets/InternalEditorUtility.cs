using System;
using System.Collections.Generic;
using System.IO;
using Standin;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditorInternal
{
    /// <summary>Objects in files that are no assets: settings in ProjectSettings or
    /// UserSettings.</summary>
    public sealed partial class InternalEditorUtility
    {
        /// <summary>Create new objects from a file; none if it is missing or unreadable.</summary>
        public static Object[] LoadSerializedFileAndForget(string path)
        {
            var created = new Dictionary<long, Object>();
            var bodies = new List<KeyValuePair<Object, DataNode>>();
            try
            {
                if (!File.Exists(path))
                    return new Object[0];
                foreach (YamlDocument document in YamlFile.Parse(File.ReadAllText(path)).Documents)
                {
                    Type type = TypeOf(document);
                    if (type == null)
                        continue;
                    Object one = ObjectLoader.New(type);
                    created[document.FileId] = one;
                    bodies.Add(new KeyValuePair<Object, DataNode>(one, document.Body));
                }
            }
            catch (YamlError e)
            {
                Debug.LogError(path + ":" + e.Message);
                return new Object[0];
            }
            foreach (KeyValuePair<Object, DataNode> pair in bodies)
            {
                TypeNode type = TypeTree.Of(pair.Key.GetType());
                DataShaper.Shape(pair.Value, type);
                new ObjectLinker(created).Link(pair.Value, type);
                Serializer.Read(pair.Key, pair.Value);
            }
            ObjectLoader.ReadPending();
            foreach (KeyValuePair<Object, DataNode> pair in bodies)
                Wake(pair.Key);
            return new List<Object>(created.Values).ToArray();
        }

        static void Wake(Object created)
        {
            if (!(created is ScriptableObject))
                return;
            Messages.Send(created, "Awake");
            Messages.Send(created, "OnEnable");
        }

        /* A class without a .meta is identified by m_EditorClassIdentifier:
           "Assembly:Namespace:Class". */
        static Type TypeOf(YamlDocument document)
        {
            if (document.ClassId != ClassTable.MonoBehaviour)
                return ClassTable.TypeOf(document.ClassId);
            return ScriptTable.TypeOf(document.Body.Get("m_Script"))
                ?? ScriptTable.Identified(document.Body.Get("m_EditorClassIdentifier"));
        }

        public static void SaveToSerializedFileAndForget(Object[] obj, string path, bool allowTextSerialization)
        {
            var documents = new List<YamlDocument>();
            foreach (Object one in obj)
                if (one != null)
                    documents.Add(DocumentOf(one, documents.Count + 1));
            ProjectFolder.WriteText(path, YamlWriter.Write(documents));
        }

        static YamlDocument DocumentOf(Object one, long id)
        {
            DataNode body = Serializer.Write(one);
            AssetAddress.Put(body, "");
            DataNode script = body.Get("m_Script");
            if (script != null && script.IsNullReference)
                body.Set("m_EditorClassIdentifier", DataNode.String(ScriptTable.IdentifierOf(one.GetType())));
            int classId = ClassTable.IdOf(one.GetType());
            return new YamlDocument
            {
                ClassId = classId, FileId = id, ClassName = ClassTable.NameOf(classId),
                Body = ManagedData.Unlink(body, ProjectFolder.Version < 202102)
            };
        }
    }
}
