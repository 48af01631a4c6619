using System;
using System.Collections.Generic;
using System.Globalization;
using UnityEditor;
using UnityEngine;

namespace Standin.Host
{
    /// <summary>Sets a serialized property from JSON, like a user in the Inspector.</summary>
    static class FieldEntry
    {
        public static void Set(SerializedProperty property, object value)
        {
            switch (property.propertyType)
            {
                case SerializedPropertyType.Integer:
                case SerializedPropertyType.LayerMask:
                case SerializedPropertyType.Character:
                case SerializedPropertyType.ArraySize:
                    property.longValue = Convert.ToInt64(value, CultureInfo.InvariantCulture);
                    break;
                case SerializedPropertyType.Enum:
                    property.intValue = Convert.ToInt32(value, CultureInfo.InvariantCulture);
                    break;
                case SerializedPropertyType.Boolean:
                    property.boolValue = Convert.ToBoolean(value, CultureInfo.InvariantCulture);
                    break;
                case SerializedPropertyType.Float:
                    property.doubleValue = Convert.ToDouble(value, CultureInfo.InvariantCulture);
                    break;
                case SerializedPropertyType.String:
                    property.stringValue = Convert.ToString(value, CultureInfo.InvariantCulture);
                    break;
                case SerializedPropertyType.ObjectReference:
                    property.objectReferenceValue = value == null
                        ? null : AssetDatabase.LoadAssetAtPath<UnityEngine.Object>((string)value);
                    break;
                default:
                    SetParts(property, value as List<object>);
                    break;
            }
        }

        static void SetParts(SerializedProperty property, List<object> parts)
        {
            float[] v = parts == null ? new float[0]
                : parts.ConvertAll(p => Convert.ToSingle(p, CultureInfo.InvariantCulture)).ToArray();
            if (property.propertyType == SerializedPropertyType.Vector2 && v.Length == 2)
                property.vector2Value = new Vector2(v[0], v[1]);
            else if (property.propertyType == SerializedPropertyType.Vector3 && v.Length == 3)
                property.vector3Value = new Vector3(v[0], v[1], v[2]);
            else if (property.propertyType == SerializedPropertyType.Vector4 && v.Length == 4)
                property.vector4Value = new Vector4(v[0], v[1], v[2], v[3]);
            else if (property.propertyType == SerializedPropertyType.Quaternion && v.Length == 4)
                property.quaternionValue = new Quaternion(v[0], v[1], v[2], v[3]);
            else if (property.propertyType == SerializedPropertyType.Color && v.Length == 4)
                property.colorValue = new Color(v[0], v[1], v[2], v[3]);
            else
                throw new ArgumentException("no such value for a " + property.propertyType);
        }
    }
}
