using UnityEngine;

namespace Standin
{
    /// <summary>
    /// A component whose script is missing. It keeps its data and its place among the components;
    /// queries return null for it.
    /// </summary>
    [NativeClass(114, "MonoBehaviour", Abstract = true)]
    internal sealed class MissingScript : MonoBehaviour
    {
        [System.NonSerialized] DataNode data;

        /// <summary>All data from the file, including the script's fields; null: none.</summary>
        public DataNode Data { get { return data; } }

        internal void KeepData(DataNode read) { data = read.Clone(); }

        /// <summary>Add the script's fields to those of every MonoBehaviour.</summary>
        internal void AddData(DataNode to)
        {
            for (int i = 0; data != null && i < data.Count; i++)
                if (to.IndexOf(data.Keys[i]) < 0)
                    to.Add(data.Keys[i], data.Items[i].Clone());
        }
    }
}
