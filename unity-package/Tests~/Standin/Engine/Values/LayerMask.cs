using System;
using Standin;

namespace UnityEngine
{
    [Serializable, NativeStruct("LayerMask"), SerializedVersion(2)]
    public struct LayerMask
    {
        [SerializedName("m_Bits")] uint m_Mask;

        /// <summary>The layers' names, empty for unnamed ones; set by the reader of the
        /// settings.</summary>
        [NonSerialized] internal static string[] names =
        {
            "Default", "TransparentFX", "Ignore Raycast", "", "Water", "UI"
        };

        public int value
        {
            get { return unchecked((int)m_Mask); }
            set { m_Mask = unchecked((uint)value); }
        }

        public static implicit operator int(LayerMask mask) { return mask.value; }
        public static implicit operator LayerMask(int value) { return new LayerMask { value = value }; }

        public static string LayerToName(int layer) { return layer >= 0 && layer < names.Length ? names[layer] : ""; }

        public static int NameToLayer(string layerName)
        {
            return string.IsNullOrEmpty(layerName) ? -1 : Array.IndexOf(names, layerName);
        }

        public static int GetMask(params string[] layerNames)
        {
            if (layerNames == null)
                throw new ArgumentNullException("layerNames");
            int mask = 0;
            foreach (string name in layerNames)
            {
                int layer = NameToLayer(name);
                if (layer >= 0)
                    mask |= 1 << layer;
            }
            return mask;
        }
    }
}
