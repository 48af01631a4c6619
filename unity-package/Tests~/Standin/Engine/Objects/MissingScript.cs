using UnityEngine;

namespace Standin
{
    /// <summary>
    /// A component whose script is not there. It keeps the data it was read with, in its place among the
    /// components; who asks for the components gets null for it.
    /// </summary>
    [NativeClass(114, "MonoBehaviour", Abstract = true)]
    internal sealed class MissingScript : MonoBehaviour
    {
        [System.NonSerialized] DataNode data;

        /// <summary>All that was read, the fields of the script included; null: nothing was.</summary>
        public DataNode Data { get { return data; } }

        internal void KeepData(DataNode read) { data = read.Clone(); }

        /// <summary>Adds the fields of the script to what every MonoBehaviour has.</summary>
        internal void AddData(DataNode to)
        {
            for (int i = 0; data != null && i < data.Count; i++)
                if (to.IndexOf(data.Keys[i]) < 0)
                    to.Add(data.Keys[i], data.Items[i].Clone());
        }
    }
}
