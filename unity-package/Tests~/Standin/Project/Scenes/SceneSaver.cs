using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Writes a scene's file: a document for every stored object and every prefab instance, and a
    /// stand-in for every instance object that a document refers to; sorted by id. Objects without
    /// an id get one and keep it.
    /// </summary>
    internal sealed class SceneSaver
    {
        readonly SceneData scene;
        readonly List<YamlDocument> documents = new List<YamlDocument>();
        readonly List<Object> stored = new List<Object>();
        readonly List<PrefabInstance> instances = new List<PrefabInstance>();
        readonly HashSet<long> taken = new HashSet<long>();
        readonly Dictionary<long, Object> standIns = new Dictionary<long, Object>();

        SceneSaver(SceneData scene) { this.scene = scene; }

        public static string Text(SceneData scene) { return new SceneSaver(scene).Make(); }

        string Make()
        {
            var file = (scene.Document as SceneFile) ?? (SceneFile)SceneFile.New().Document;
            scene.Document = file;
            foreach (YamlDocument document in file.Settings.Documents)
                taken.Add(document.FileId);
            foreach (Transform root in scene.Roots)
                SceneTree.Visit(root, Collect);
            GiveIds();
            foreach (YamlDocument document in file.Settings.Documents)
                AddSettings(document, file.Settings.BodyOf(document));
            foreach (Object created in stored)
                Store(created);
            foreach (PrefabInstance instance in instances)
                Add(ClassTable.PrefabInstance, instance.localFileId, new InstanceSaver(instance).Body());
            if (file.HasRoots)
                AddRoots(file);
            foreach (Object created in standIns.Values)
                AddStandIn(created);
            documents.Sort((a, b) => a.FileId.CompareTo(b.FileId));
            return YamlWriter.Write(documents);
        }

        /* ---- collecting */

        bool Collect(Transform transform)
        {
            GameObject go = transform.m_GameObject;
            if ((go.m_ObjectHideFlags & HideFlags.DontSaveInEditor) != 0)
                return false;
            Collect(go);
            foreach (ComponentPair pair in go.m_Component)
                if ((object)pair.component != null && (pair.component.m_ObjectHideFlags & HideFlags.DontSaveInEditor) == 0)
                    Collect(pair.component);
            return true;
        }

        void Collect(Object created)
        {
            var instance = created.m_PrefabInstance as PrefabInstance;
            if ((object)instance == null)
                stored.Add(created);
            else if (!instances.Contains(instance))
                instances.Add(instance);
            if (created.localFileId != 0)
                taken.Add(created.localFileId);
        }

        void GiveIds()
        {
            foreach (PrefabInstance instance in instances)
                GiveId(instance, instance.localFileId);
            var seen = new HashSet<long>();
            foreach (Object created in stored)
                if (created.localFileId == 0 || !seen.Add(created.localFileId))
                {
                    var component = created as Component;
                    GiveId(created, (object)component == null ? 0 : component.m_GameObject.localFileId);
                    seen.Add(created.localFileId);
                }
        }

        void GiveId(Object created, long beside)
        {
            if (created is PrefabInstance && created.localFileId != 0)
                return;
            long id = beside > 0 ? beside + 1 : System.Math.Abs((long)created.instanceId) * 1000 + 1000;
            while (!taken.Add(id))
                id++;
            created.localFileId = id;
        }

        /* ---- documents */

        void Store(Object created)
        {
            DataNode body = Serializer.Write(created);
            var read = created.document as FlatObject;
            bool isSame = read != null && read.Instance == null && read.Body != null;
            var transform = created as Transform;
            if ((object)transform != null && body.Get("m_RootOrder") != null)
                body.Set("m_RootOrder", DataNode.Scalar(Scalars.From((long)transform.GetSiblingIndex())));
            int classId = created is MissingScript && read != null ? read.ClassId : ClassTable.IdOf(created.GetType());
            if (classId == 0)
                return; /* an empty entry */
            DropUnsaved(created as GameObject, body);
            Add(classId, created.localFileId, body, isSame && read.ClassId == classId ? read : null);
        }

        /* Components that are not saved are not listed. */
        static void DropUnsaved(GameObject go, DataNode body)
        {
            DataNode list = (object)go == null ? null : body.Get("m_Component");
            for (int i = list == null ? -1 : list.Count - 1; i >= 0; i--)
            {
                Object target = list[i].Get("component").Target;
                if ((object)target != null && (target.m_ObjectHideFlags & HideFlags.DontSaveInEditor) != 0)
                    list.Items.RemoveAt(i);
            }
        }

        void Add(int classId, long id, DataNode body) { Add(classId, id, body, null); }

        void Add(int classId, long id, DataNode body, FlatObject read)
        {
            NeedStandIns(body, new HashSet<DataNode>());
            AssetAddress.Put(body, "");
            if (read != null)
                body = DataMerge.Merge(read.Body, body);
            documents.Add(new YamlDocument
            {
                ClassId = classId, FileId = id, Body = ManagedData.Unlink(body, ProjectFolder.Version < 202102),
                ClassName = read != null && read.ClassName.Length > 0 ? read.ClassName : ClassTable.NameOf(classId)
            });
        }

        void AddSettings(YamlDocument read, DataNode now)
        {
            if (now == null)
            {
                documents.Add(read);
                return;
            }
            NeedStandIns(now, new HashSet<DataNode>());
            AssetAddress.Put(now, "");
            documents.Add(new YamlDocument
            {
                ClassId = read.ClassId, FileId = read.FileId, ClassName = read.ClassName,
                Body = DataMerge.Merge(read.Body, now)
            });
        }

        void AddRoots(SceneFile file)
        {
            DataNode list = DataNode.List();
            foreach (Transform root in scene.Roots)
            {
                if ((root.m_GameObject.m_ObjectHideFlags & HideFlags.DontSaveInEditor) != 0)
                    continue;
                Object named = (object)root.m_PrefabInstance != null ? root.m_PrefabInstance : root;
                list.Add(DataNode.Reference(named.localFileId, "", 0));
            }
            DataNode body = DataNode.Map();
            body.Add("m_ObjectHideFlags", DataNode.Scalar("0"));
            body.Add("m_Roots", list);
            Add(ClassTable.SceneRoots, file.RootsId, body);
        }

        /* ---- stand-ins */

        void NeedStandIns(DataNode node, HashSet<DataNode> seen)
        {
            Object target = node.Kind == DataKind.Reference ? node.Target : null;
            if ((object)target != null && !target.isPersistent && !target.isDestroyed && target.localFileId != 0
                && !(target is PrefabInstance) && (object)target.m_PrefabInstance != null)
                standIns[target.localFileId] = target;
            if (node.Items == null || (node.Kind == DataKind.Managed && !seen.Add(node)))
                return;
            foreach (DataNode item in node.Items)
                NeedStandIns(item, seen);
        }

        void AddStandIn(Object created)
        {
            var read = created.document as FlatObject;
            DataNode body = DataNode.Map();
            body.Add("m_CorrespondingSourceObject", SourceOf(created, read));
            body.Add("m_PrefabInstance", DataNode.Reference(created.m_PrefabInstance.localFileId, "", 0));
            body.Add("m_PrefabAsset", DataNode.Reference(0, "", 0));
            int classId = read != null ? read.ClassId : ClassTable.IdOf(created.GetType());
            if (classId == ClassTable.MonoBehaviour)
                AddScript(created, body);
            documents.Add(new YamlDocument
            {
                ClassId = classId, FileId = created.localFileId, IsStripped = true, Body = body,
                ClassName = ClassTable.NameOf(classId)
            });
        }

        static DataNode SourceOf(Object created, FlatObject read)
        {
            var instance = (PrefabInstance)created.m_PrefabInstance;
            Object source = created.m_CorrespondingSourceObject;
            long id = (object)source != null ? source.localFileId : read != null && read.Source != null ? read.Source.Id : 0;
            return DataNode.Reference(id, instance.sourceGuid, 3);
        }

        static void AddScript(Object created, DataNode body)
        {
            DataNode all = Serializer.Write(created);
            AssetAddress.Put(all, "");
            body.Add("m_GameObject", DataNode.Reference(0, "", 0));
            foreach (string key in new[] { "m_Enabled", "m_EditorHideFlags", "m_Script", "m_Name", "m_EditorClassIdentifier" })
                if (all.Get(key) != null)
                    body.Add(key, all.Get(key));
        }
    }
}
