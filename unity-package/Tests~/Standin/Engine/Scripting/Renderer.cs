using System.Reflection;

namespace UnityEngine
{
    /// <summary>Members of Renderer that scripts use; gen_builtin.py generates its fields.</summary>
    public partial class Renderer
    {
        /* The class with the field depends on the version: VFXRenderer has no materials. */
        FieldInfo MaterialsField
        {
            get { return GetType().GetField("m_Materials", BindingFlags.Instance | BindingFlags.NonPublic); }
        }

        public Material[] sharedMaterials
        {
            get
            {
                var all = MaterialsField == null ? null : (Material[])MaterialsField.GetValue(this);
                return all == null ? new Material[0] : (Material[])all.Clone();
            }
            set
            {
                if (MaterialsField != null)
                    MaterialsField.SetValue(this, value == null ? new Material[0] : value.Clone());
            }
        }

        public Material sharedMaterial
        {
            get
            {
                Material[] all = sharedMaterials;
                return all.Length == 0 ? null : all[0];
            }
            set
            {
                Material[] all = sharedMaterials;
                if (all.Length == 0)
                    all = new Material[1];
                all[0] = value;
                sharedMaterials = all;
            }
        }
    }
}
