using System.Collections.Generic;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>The instance ids of asset objects before a domain reload, assigned again on
    /// loading.</summary>
    internal static class AssetIds
    {
        static readonly Dictionary<string, int> known = new Dictionary<string, int>();

        static string Key(string guid, long fileId) { return guid + "/" + Scalars.From(fileId); }

        public static void Assign(string guid, long fileId, Object created)
        {
            int id;
            if (known.Count > 0 && known.TryGetValue(Key(guid, fileId), out id))
                ObjectTable.SetId(created, id);
        }

        /// <summary>Return all known ids: "guid/fileId" to instance id.</summary>
        public static Dictionary<string, object> Export()
        {
            var all = new Dictionary<string, object>();
            foreach (KeyValuePair<string, int> pair in known)
                all[pair.Key] = (long)pair.Value;
            foreach (LoadedAsset asset in AssetLoader.Loaded)
                foreach (Object created in asset.All)
                    if (created.localFileId != 0)
                        all[Key(asset.Guid, created.localFileId)] = (long)created.instanceId;
            return all;
        }

        public static void Import(Dictionary<string, object> all)
        {
            foreach (KeyValuePair<string, object> pair in all)
            {
                known[pair.Key] = (int)(long)pair.Value;
                ObjectTable.Reserve((int)(long)pair.Value);
            }
        }
    }
}
