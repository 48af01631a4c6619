using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>An asset with its loaded objects.</summary>
    internal sealed class LoadedAsset
    {
        public string Path = "";
        public string Guid = "";
        public Object Main;
        /// <summary>By local file id.</summary>
        public readonly Dictionary<long, Object> Objects = new Dictionary<long, Object>();
        /// <summary>In display order.</summary>
        public readonly List<Object> All = new List<Object>();
        /// <summary>Unknown ids may exist nevertheless.</summary>
        public bool IsPartlyKnown;
        /// <summary>Time and size of the file and its .meta when it was read.</summary>
        public string Stamp = "";
        /// <summary>The objects before a reload by id; one of the same class is reused.</summary>
        public Dictionary<long, Object> Before = new Dictionary<long, Object>();

        /// <summary>Return the earlier object of that class, or a new one.</summary>
        public Object Make(long id, System.Type type)
        {
            Object old;
            if (!Before.TryGetValue(id, out old) || old.GetType() != type || old.isDestroyed)
                return ObjectLoader.New(type);
            Before.Remove(id);
            return old;
        }

        public void Add(long id, Object created)
        {
            created.isPersistent = true;
            created.assetPath = Path;
            created.localFileId = id;
            AssetIds.Assign(Guid, id, created);
            if (!Objects.ContainsKey(id))
                Objects.Add(id, created);
            All.Add(created);
            if ((object)Main == null)
                Main = created;
        }
    }
}
