using System;
using System.Collections.Generic;
using Standin;

namespace UnityEngine
{
    /// <summary>
    /// What Unity knows by an id. A destroyed one equals null. Whether it is an asset (persistent), the
    /// scene or file it belongs to and its id in that file are kept here for who loads and saves.
    /// </summary>
    [NativeClass(0, "Object", Abstract = true)]
    public partial class Object
    {
        [NativeHidden, NativeType("unsigned int")] internal HideFlags m_ObjectHideFlags;
        [NativeHidden(Link = true), NativeType("PPtr<EditorExtension>")] internal Object m_CorrespondingSourceObject;
        [NativeHidden(Link = true), NativeType("PPtr<PrefabInstance>")] internal Object m_PrefabInstance;
        [NativeHidden(Link = true), NativeType("PPtr<Prefab>")] internal Object m_PrefabAsset;

        /// <summary>Not 0; the same in the next domain if SetInstanceId is called there.</summary>
        [NonSerialized] internal int instanceId;
        [NonSerialized] internal bool isDestroyed;
        /// <summary>An asset, or part of one.</summary>
        [NonSerialized] internal bool isPersistent;
        /// <summary>Of an asset's object: its file below the project.</summary>
        [NonSerialized] internal string assetPath = "";
        /// <summary>Its id in its file; 0: it has none yet.</summary>
        [NonSerialized] internal long localFileId;
        /// <summary>Changes of an asset that are not saved: counts up, 0 after saving.</summary>
        [NonSerialized] internal int dirtyCount;
        /// <summary>Of a placeholder for what was not found: the address that was asked for.</summary>
        [NonSerialized] internal DataNode missingAddress;
        /// <summary>What who loaded it wants to keep with it.</summary>
        [NonSerialized] internal object document;

        public Object() { ObjectTable.Add(this); }
    }
}
