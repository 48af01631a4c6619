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

        public void Add(long id, Object made)
        {
            made.isPersistent = true;
            made.assetPath = Path;
            made.localFileId = id;
            AssetIds.Give(Guid, id, made);
            if (!Objects.ContainsKey(id))
                Objects.Add(id, made);
            All.Add(made);
            if ((object)Main == null)
                Main = made;
        }
    }
}
