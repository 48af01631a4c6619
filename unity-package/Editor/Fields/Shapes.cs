using UnityEditor;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>Writes values of several numbers: vectors, colours, rectangles, curves.</summary>
    static class Shapes
    {
        public static void Write(JsonWriter w, SerializedProperty p, FieldType t)
        {
            switch (t.Kind)
            {
                case FieldKind.Vector2: WriteValue(w, p.vector2Value); break;
                case FieldKind.Vector3: WriteValue(w, p.vector3Value); break;
                case FieldKind.Vector4: WriteValue(w, p.vector4Value); break;
                case FieldKind.Quaternion: WriteValue(w, p.quaternionValue); break;
                case FieldKind.Vector2Int: WriteValue(w, p.vector2IntValue); break;
                case FieldKind.Vector3Int: WriteValue(w, p.vector3IntValue); break;
                case FieldKind.Color: WriteValue(w, p.colorValue); break;
                case FieldKind.Color32: WriteValue(w, p.colorValue); break;
                case FieldKind.Rect: WriteValue(w, p.rectValue); break;
                case FieldKind.RectInt: WriteValue(w, p.rectIntValue); break;
                case FieldKind.Bounds: WriteValue(w, p.boundsValue); break;
                case FieldKind.BoundsInt: WriteValue(w, p.boundsIntValue); break;
                case FieldKind.LayerMask: w.Value((long)(uint)p.intValue); break;
                case FieldKind.Curve: WriteValue(w, p.animationCurveValue); break;
                case FieldKind.Gradient: PutGradient(w, p); break;
                default: w.Null(); break;
            }
        }

        /// <summary>Write a property of unknown type that is no struct, array or reference.</summary>
        public static void WriteByForm(JsonWriter w, SerializedProperty p)
        {
            switch (p.propertyType)
            {
                case SerializedPropertyType.Integer: w.Value(p.longValue); break;
                case SerializedPropertyType.Boolean: w.Value(p.boolValue ? 1 : 0); break;
                case SerializedPropertyType.Float: PutFloat(w, p); break;
                case SerializedPropertyType.String: w.Value(p.stringValue); break;
                case SerializedPropertyType.Color: WriteValue(w, p.colorValue); break;
                case SerializedPropertyType.Vector2: WriteValue(w, p.vector2Value); break;
                case SerializedPropertyType.Vector3: WriteValue(w, p.vector3Value); break;
                case SerializedPropertyType.Vector4: WriteValue(w, p.vector4Value); break;
                case SerializedPropertyType.Quaternion: WriteValue(w, p.quaternionValue); break;
                case SerializedPropertyType.Vector2Int: WriteValue(w, p.vector2IntValue); break;
                case SerializedPropertyType.Vector3Int: WriteValue(w, p.vector3IntValue); break;
                case SerializedPropertyType.Rect: WriteValue(w, p.rectValue); break;
                case SerializedPropertyType.Bounds: WriteValue(w, p.boundsValue); break;
                case SerializedPropertyType.Enum:
                case SerializedPropertyType.LayerMask:
                case SerializedPropertyType.Character:
                    w.Value(p.intValue);
                    break;
                default: w.Value(Compat.HashText(p)); break;
            }
        }

        static void WriteValue(JsonWriter w, Vector2 v)
        {
            w.BeginObject();
            w.Member("x", v.x);
            w.Member("y", v.y);
            w.EndObject();
        }

        static void WriteValue(JsonWriter w, Vector3 v)
        {
            w.BeginObject();
            w.Member("x", v.x);
            w.Member("y", v.y);
            w.Member("z", v.z);
            w.EndObject();
        }

        static void WriteValue(JsonWriter w, Vector4 v)
        {
            w.BeginObject();
            w.Member("x", v.x);
            w.Member("y", v.y);
            w.Member("z", v.z);
            w.Member("w", v.w);
            w.EndObject();
        }

        static void WriteValue(JsonWriter w, Quaternion q) { WriteValue(w, new Vector4(q.x, q.y, q.z, q.w)); }

        static void WriteValue(JsonWriter w, Vector2Int v)
        {
            w.BeginObject();
            w.Member("x", v.x);
            w.Member("y", v.y);
            w.EndObject();
        }

        static void WriteValue(JsonWriter w, Vector3Int v)
        {
            w.BeginObject();
            w.Member("x", v.x);
            w.Member("y", v.y);
            w.Member("z", v.z);
            w.EndObject();
        }

        static void WriteValue(JsonWriter w, Color c)
        {
            w.BeginObject();
            w.Member("r", c.r);
            w.Member("g", c.g);
            w.Member("b", c.b);
            w.Member("a", c.a);
            w.EndObject();
        }

        static void WriteValue(JsonWriter w, Rect r)
        {
            w.BeginObject();
            w.Member("x", r.x);
            w.Member("y", r.y);
            w.Member("width", r.width);
            w.Member("height", r.height);
            w.EndObject();
        }

        static void WriteValue(JsonWriter w, RectInt r)
        {
            w.BeginObject();
            w.Member("x", r.x);
            w.Member("y", r.y);
            w.Member("width", r.width);
            w.Member("height", r.height);
            w.EndObject();
        }

        static void WriteValue(JsonWriter w, Bounds b)
        {
            w.BeginObject();
            w.Key("center");
            WriteValue(w, b.center);
            w.Key("size");
            WriteValue(w, b.size);
            w.EndObject();
        }

        static void WriteValue(JsonWriter w, BoundsInt b)
        {
            w.BeginObject();
            w.Key("position");
            WriteValue(w, b.position);
            w.Key("size");
            WriteValue(w, b.size);
            w.EndObject();
        }

        static void WriteValue(JsonWriter w, AnimationCurve curve)
        {
            int count = curve == null ? 0 : curve.length;
            w.BeginObject();
            w.Member("keyCount", count);
            w.Key("timeRange");
            w.BeginArray();
            if (count > 0)
            {
                w.Value(curve[0].time);
                w.Value(curve[count - 1].time);
            }
            w.EndArray();
            w.EndObject();
        }

        /* Read the parts of the property, because not every version can return a Gradient. */
        static void PutGradient(JsonWriter w, SerializedProperty p)
        {
            int mode = ReadPart(p, "m_Mode");
            string name = EnumNames.Of(typeof(GradientMode)).NameOf(mode);
            w.BeginObject();
            w.Member("colorKeyCount", ReadPart(p, "m_NumColorKeys"));
            w.Member("alphaKeyCount", ReadPart(p, "m_NumAlphaKeys"));
            w.Key("mode");
            if (name != null)
                w.Value(name);
            else
                w.Value(mode);
            w.EndObject();
        }

        static int ReadPart(SerializedProperty gradient, string key)
        {
            SerializedProperty part = gradient.FindPropertyRelative(key);
            return part == null ? 0 : part.intValue;
        }

        static void PutFloat(JsonWriter w, SerializedProperty p)
        {
            if (p.type == "double")
                w.Value(p.doubleValue);
            else
                w.Value(p.floatValue);
        }
    }
}
