using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// Creates the content of a prefab instance: the source's objects with their ids in this file,
    /// without removed ones, with overrides applied.
    /// </summary>
    internal sealed class InstanceCloner
    {
        readonly FlatBuilder builder;
        readonly FlatInstance instance;
        readonly Dictionary<FlatObject, FlatObject> clones = new Dictionary<FlatObject, FlatObject>();
        readonly Dictionary<FlatObject, Overrides> overrides = new Dictionary<FlatObject, Overrides>();

        InstanceCloner(FlatBuilder builder, FlatInstance instance)
        {
            this.builder = builder;
            this.instance = instance;
        }

        public static void Clone(FlatBuilder builder, FlatInstance instance)
        {
            FlatFile source = FlatFiles.Source(instance.Guid);
            if (source == null && instance.Guid == builder.File.Guid)
                return; /* a recursive prefab */
            instance.IsBroken = source == null || (source.File == null && !source.IsModel);
            if (source == null || source.File == null)
                source = ModelReader.Guess(source, instance);
            instance.Source = source;
            var cloner = new InstanceCloner(builder, instance);
            cloner.CloneNodes();
            cloner.MapBodies();
            cloner.ApplyOverrides();
            cloner.Remove();
        }

        /// <summary>The id in this file of an object in the source; 0: unknown there.</summary>
        static long IdOf(FlatInstance instance, long id)
        {
            YamlDocument standIn;
            if (instance.StandIns.TryGetValue(id, out standIn))
                return standIn.FileId;
            return id == 0 ? 0 : (instance.Id ^ id) & long.MaxValue;
        }

        void CloneNodes()
        {
            foreach (FlatObject from in instance.Source.GameObjects())
            {
                FlatObject node = CloneOne(from);
                node.IsInstanceRoot = from.Parent == null || from.IsInstanceRoot;
                if (from.Parent != null)
                    node.Parent = clones[from.Parent];
                else if (instance.Root == null)
                    instance.Root = node;
                foreach (FlatObject component in from.Components)
                {
                    FlatObject copy = CloneOne(component);
                    copy.Owner = node;
                    node.Components.Add(copy);
                }
                builder.AddNode(node);
                builder.AddComposed(node.Id, node);
                builder.AddComposed(Composed(from), node);
                if (from.Transform != null)
                    builder.AddComposed(Composed(from.Transform), node);
            }
        }

        long Composed(FlatObject from) { return from.Id == 0 ? 0 : (instance.Id ^ from.Id) & long.MaxValue; }

        FlatObject CloneOne(FlatObject from)
        {
            var created = new FlatObject
            {
                Id = IdOf(instance, from.Id), ClassId = from.ClassId, ClassName = from.ClassName,
                Body = from.Body == null ? null : from.Body.Clone(), Instance = instance, Source = from,
                IsPartial = from.IsPartial
            };
            clones.Add(from, created);
            if (from.Id != 0 && !instance.Objects.ContainsKey(from.Id))
                instance.Objects.Add(from.Id, created);
            return created;
        }

        /* ---- the source's references, with the ids of this file */

        void MapBodies()
        {
            var seen = new HashSet<DataNode>();
            foreach (FlatObject created in clones.Values)
                if (created.Body != null)
                    Map(created.Body, seen);
        }

        void Map(DataNode node, HashSet<DataNode> seen)
        {
            if (node.Kind == DataKind.Reference)
                MapReference(node);
            if (node.Items == null || (node.Kind == DataKind.Managed && !seen.Add(node)))
                return;
            foreach (DataNode item in node.Items)
                Map(item, seen);
        }

        /* The source's objects become objects of the instance; other content of its file (a
           mesh) stays in that file. */
        void MapReference(DataNode node)
        {
            if (node.FileId == 0 || node.Guid.Length > 0)
                return;
            YamlDocument document = instance.Source.File == null ? null : instance.Source.File.Find(node.FileId);
            if (document != null && !document.IsStripped && instance.Source.Find(node.FileId) == null)
            {
                node.Guid = instance.Guid;
                node.FileType = 3;
            }
            else
                node.FileId = IdOf(instance, node.FileId);
        }

        /* ---- changes */

        void ApplyOverrides()
        {
            bool hasPlace = false;
            foreach (DataNode entry in instance.List("m_Modifications"))
            {
                FlatObject target;
                if (!instance.Objects.TryGetValue(TargetOf(entry), out target) || target.Body == null)
                    continue;
                Overrides changes;
                if (!overrides.TryGetValue(target, out changes))
                    overrides.Add(target, changes = new Overrides(target.Body, target.IsPartial));
                changes.Apply(entry);
                DataNode path = entry.Get("propertyPath");
                hasPlace |= path != null && path.Text == "m_RootOrder";
            }
            foreach (FlatObject created in overrides.Keys)
                FlatBuilder.Shape(created);
            if (hasPlace && instance.Root != null && instance.Root.Transform != null)
                instance.Root.Place = (int)Scalars.ToLong(instance.Root.Transform.Body.Get("m_RootOrder").Text);
        }

        public static long TargetOf(DataNode entry)
        {
            DataNode target = entry.Kind == DataKind.Map ? entry.Get("target") : null;
            return target != null && target.Kind == DataKind.Reference ? target.FileId : 0;
        }

        void Remove()
        {
            foreach (DataNode removed in instance.List("m_RemovedComponents"))
            {
                FlatObject found;
                if (removed.Kind == DataKind.Reference && instance.Objects.TryGetValue(removed.FileId, out found)
                    && found.Owner != null && found != found.Owner.Transform)
                    found.Owner.Components.Remove(found);
            }
            foreach (DataNode removed in instance.List("m_RemovedGameObjects"))
            {
                FlatObject found;
                if (removed.Kind == DataKind.Reference && instance.Objects.TryGetValue(removed.FileId, out found))
                    (found.Owner ?? found).IsRemoved = true;
            }
            foreach (FlatObject from in instance.Source.GameObjects())
            {
                FlatObject node = clones[from];
                node.IsRemoved |= node.Parent != null && node.Parent.IsRemoved;
            }
        }
    }
}
