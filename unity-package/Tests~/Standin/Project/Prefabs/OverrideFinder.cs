using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>One difference between an object of an instance and the corresponding object of its
    /// prefab.</summary>
    internal struct OverrideEntry
    {
        public string Path;
        public string Value;
        /// <summary>null: the value is text.</summary>
        public DataNode Reference;
    }

    /// <summary>
    /// The fields in which an instance's object differs from its prefab, one entry per leaf as in
    /// m_Modifications. Links (children, components) are not compared.
    /// </summary>
    internal static class OverrideFinder
    {
        /// <summary>instance: its objects by those of the prefab, so that references inside it count
        /// as equal.</summary>
        public static List<OverrideEntry> Find(Object target, IDictionary<Object, Object> instance)
        {
            var found = new List<OverrideEntry>();
            Object source = target.m_CorrespondingSourceObject;
            if (source == null || source.GetType() != target.GetType())
                return found;
            DataNode before = Serializer.Write(source);
            Copying.Redirect(before, instance);
            DataNode now = Serializer.Write(target);
            foreach (TypeNode field in TypeTree.Of(target.GetType()).Children)
                if (!field.IsLink && field.Name != "m_Script")
                    Compare(before.Get(field.Name), now.Get(field.Name), field.Name, found);
            return found;
        }

        static void Compare(DataNode before, DataNode now, string path, List<OverrideEntry> found)
        {
            if (now == null || DataNode.Equal(before, now))
                return;
            switch (now.Kind)
            {
                case DataKind.Map:
                    for (int i = 0; i < now.Count; i++)
                        if (now.Keys[i] != "serializedVersion")
                            Compare(before == null ? null : before.Get(now.Keys[i]), now[i], path + "." + now.Keys[i], found);
                    return;
                case DataKind.List:
                    CompareList(before, now, path, found);
                    return;
                case DataKind.Managed:
                    AddManaged(now, path, found, new HashSet<long>());
                    return;
                case DataKind.Reference:
                    found.Add(new OverrideEntry { Path = path, Value = "", Reference = now });
                    return;
                default:
                    found.Add(new OverrideEntry { Path = path, Value = now.Text });
                    return;
            }
        }

        static void CompareList(DataNode before, DataNode now, string path, List<OverrideEntry> found)
        {
            int count = before == null ? 0 : before.Count;
            if (count != now.Count)
                found.Add(new OverrideEntry { Path = path + ".Array.size", Value = Scalars.From((long)now.Count) });
            for (int i = 0; i < now.Count; i++)
                Compare(i < count ? before[i] : null, now[i], path + ".Array.data[" + i + "]", found);
        }

        static void AddManaged(DataNode now, string path, List<OverrideEntry> found, HashSet<long> done)
        {
            found.Add(new OverrideEntry { Path = path, Value = Scalars.From(now.Rid) });
            if (now.TypeName.Length == 0 || !done.Add(now.Rid))
                return;
            string root = "managedReferences[" + Scalars.From(now.Rid) + "]";
            found.Add(new OverrideEntry { Path = root, Value = now.TypeName });
            for (int i = 0; i < now.Count; i++)
                if (now[i].Kind == DataKind.Managed)
                    AddManaged(now[i], root + "." + now.Keys[i], found, done);
                else
                    Compare(null, now[i], root + "." + now.Keys[i], found);
        }

        /// <summary>Whether a field, or a part of it, differs.</summary>
        public static bool IsOverridden(Object target, string path)
        {
            var handle = target.m_PrefabInstance as PrefabInstance;
            if ((object)handle == null || target.m_CorrespondingSourceObject == null)
                return false;
            foreach (OverrideEntry entry in Find(target, InstanceObjects.BySource(handle)))
                if (entry.Path == path || entry.Path.StartsWith(path + ".", System.StringComparison.Ordinal))
                    return true;
            return false;
        }
    }
}
