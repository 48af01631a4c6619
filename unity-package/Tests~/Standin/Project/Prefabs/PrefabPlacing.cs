using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>Adds a new instance of a prefab to a scene, in the same way as an instance from a
    /// file.</summary>
    internal static class PrefabPlacing
    {
        /// <summary>Return the instance's object that corresponds to the given one; null: not part of
        /// a prefab.</summary>
        public static Object Place(Object of, SceneData scene)
        {
            string guid = of == null ? "" : UnityEditor.AssetDatabase.AssetPathToGUID(of.assetPath);
            if (guid.Length == 0)
                return null;
            long id = FreeId();
            string text = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1001 &" + Scalars.From(id)
                + "\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {fileID: 0}\n    m_Modifications: []\n"
                + "    m_RemovedComponents: []\n  m_SourcePrefab: {fileID: 100100000, guid: " + guid + ", type: 3}\n";
            var loader = new ObjectLoader(FlatFiles.Load(scene.Path, scene.Guid, text), scene);
            loader.Make();
            ObjectLoader.ReadPending();
            Object found = null;
            foreach (Object created in loader.Created.Values)
                if (ReferenceEquals(created.m_CorrespondingSourceObject, of))
                    found = created;
            foreach (GameObject root in loader.Roots)
                SceneTree.AddRoot(scene, root.transform);
            return found;
        }

        static long FreeId()
        {
            long id = 1000000000;
            foreach (Object other in ObjectTable.All)
                if (!other.isPersistent && other.localFileId >= id && other.localFileId < int.MaxValue)
                    id = other.localFileId + 1;
            return id;
        }
    }
}
