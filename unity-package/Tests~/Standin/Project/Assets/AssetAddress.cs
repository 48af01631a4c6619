using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>The address of an object in a file: {fileID: 2100000, guid: ..., type: 2}.</summary>
    internal static class AssetAddress
    {
        /// <summary>2: a file that Unity writes; 3: a prefab or an imported file; 0:
        /// built-in.</summary>
        public static int FileTypeOf(string path)
        {
            if (BuiltinAssets.GuidOf(path) != null)
                return 0;
            AssetKind kind = AssetKinds.Of(path);
            return kind == null ? 3 : kind.FileType;
        }

        /// <summary>
        /// Replace Targets in data by addresses, in place. from: the GUID of the written file,
        /// whose own objects are identified by id alone. A target without an id in any file becomes
        /// null.
        /// </summary>
        public static void Put(DataNode node, string from)
        {
            Put(node, from, new System.Collections.Generic.HashSet<DataNode>());
        }

        static void Put(DataNode node, string from, System.Collections.Generic.HashSet<DataNode> seen)
        {
            if (node.Kind == DataKind.Reference && (object)node.Target != null)
                PutOne(node, from);
            if (node.Items == null || (node.Kind == DataKind.Managed && !seen.Add(node)))
                return;
            foreach (DataNode item in node.Items)
                Put(item, from, seen);
        }

        static void PutOne(DataNode node, string from)
        {
            Object target = node.Target;
            node.Target = null;
            node.FileId = 0;
            node.Guid = "";
            node.FileType = 0;
            if (target.isDestroyed)
                return;
            node.FileId = target.localFileId;
            if (!target.isPersistent)
                return;
            string guid;
            long id;
            UnityEditor.AssetDatabase.TryGetGUIDAndLocalFileIdentifier(target, out guid, out id);
            if (guid == from && from.Length > 0)
                return;
            node.Guid = guid;
            node.FileType = guid.Length == 0 ? 0 : FileTypeOf(target.assetPath);
            if (target is UnityEditor.MonoScript)
                node.FileType = 3;
            if (guid.Length == 0)
                node.FileId = 0;
        }
    }
}
