using System;
using Standin;
using UnityEngine;

namespace UnityEditor
{
    /// <summary>Numbers, and enums with their names.</summary>
    public partial class SerializedProperty
    {
        bool IsInteger
        {
            get
            {
                PropertyPlace at = Verified();
                if (at.Kind == PlaceKind.Size || at.Kind == PlaceKind.Letter || at.Kind == PlaceKind.FileId
                    || at.Kind == PlaceKind.PathId)
                    return true;
                FieldKind kind = at.Type.Kind;
                return at.IsOwn && (kind == FieldKind.Integer || kind == FieldKind.Enum || kind == FieldKind.Character
                    || kind == FieldKind.Boolean || kind == FieldKind.LayerMask);
            }
        }

        long GetInteger()
        {
            if (!IsInteger)
            {
                Debug.LogError("type is not a supported int value");
                return 0;
            }
            DataNode data = DataOf(0);
            switch (place.Kind)
            {
                case PlaceKind.Size: return data.Kind == DataKind.Scalar ? data.Text.Length : data.Count;
                case PlaceKind.Letter: return place.Index < data.Text.Length ? data.Text[place.Index] : 0;
                case PlaceKind.FileId: return PropertyPlace.ReferenceId(data);
                case PlaceKind.PathId: return 0;
            }
            if (place.Type.Kind == FieldKind.LayerMask)
                return unchecked((int)Scalars.ToLong(data.Get("m_Bits").Text));
            return Scalars.ToLong(data.Text);
        }

        /* Clamp the value to the range. */
        void SetInteger(long value)
        {
            if (!IsInteger)
            {
                Debug.LogError("type is not a supported int value");
                return;
            }
            if (place.Kind == PlaceKind.Size)
                Resize((int)Math.Max(0, Math.Min(value, int.MaxValue)));
            if (!place.IsOwn)
                return;
            if (place.Type.Kind == FieldKind.LayerMask)
            {
                foreach (DataNode root in owner.Current)
                    place.Data(root).Get("m_Bits").Text = Scalars.From((long)unchecked((uint)value));
                return;
            }
            Type type = place.Type.Type.IsEnum ? Enum.GetUnderlyingType(place.Type.Type) : place.Type.Type;
            /* longValue holds the 64 bits of a ulong too: before 2022.1 nothing else can set
               one. */
            SetText(type == typeof(ulong)
                ? Scalars.From(unchecked((ulong)value)) : Scalars.From(NumericTypes.Clamp(value, type)));
        }

        double GetFloat()
        {
            if (!Is(FieldKind.Float, "float"))
                return 0;
            string text = DataOf(0).Text;
            return place.Type.Type == typeof(float) ? Scalars.ToFloat(text) : Scalars.ToDouble(text);
        }

        void SetFloat(double value)
        {
            if (Is(FieldKind.Float, "float"))
                SetText(place.Type.Type == typeof(float) ? Scalars.From((float)value) : Scalars.From(value));
        }

        /// <summary>Sorted by value, in the order of enumValueIndex.</summary>
        public string[] enumNames
        {
            get { return Is(FieldKind.Enum, "enum") ? Enum.GetNames(place.Type.Type) : new string[0]; }
        }

        public string[] enumDisplayNames
        {
            get
            {
                return Array.ConvertAll(enumNames, name =>
                {
                    var field = place.Type.Type.GetField(name);
                    var title = (InspectorNameAttribute)Attribute.GetCustomAttribute(
                        field, typeof(InspectorNameAttribute));
                    return title == null ? ObjectNames.NicifyVariableName(name) : title.displayName;
                });
            }
        }

        /// <summary>The index of the value in enumNames; -1: it has no name.</summary>
        public int enumValueIndex
        {
            get
            {
                if (!Is(FieldKind.Enum, "enum"))
                    return 0;
                Array values = Enum.GetValues(place.Type.Type);
                long value = GetInteger();
                for (int i = 0; i < values.Length; i++)
                    if (NumericTypes.ToLong(values.GetValue(i)) == value)
                        return i;
                return -1;
            }
            set
            {
                if (!Is(FieldKind.Enum, "enum"))
                    return;
                Array values = Enum.GetValues(place.Type.Type);
                if (value >= 0 && value < values.Length)
                    SetInteger(NumericTypes.ToLong(values.GetValue(value)));
            }
        }

#if UNITY_2021_1_OR_NEWER
        public int enumValueFlag
        {
            get { return Is(FieldKind.Enum, "enum") ? unchecked((int)GetInteger()) : 0; }
            set
            {
                if (Is(FieldKind.Enum, "enum"))
                    SetInteger(value);
            }
        }
#endif
    }
}
