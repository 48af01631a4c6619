using System;
using Standin;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    /// <summary>
    /// Reads and writes values. Using the wrong kind returns a default and logs an error.
    /// </summary>
    public partial class SerializedProperty
    {
        public int intValue
        {
            get { return unchecked((int)GetInteger()); }
            set { SetInteger(value); }
        }

        public long longValue
        {
            get { return GetInteger(); }
            set { SetInteger(value); }
        }

#if UNITY_2022_1_OR_NEWER
        public uint uintValue
        {
            get { return unchecked((uint)GetInteger()); }
            set { SetInteger(value); }
        }

        public ulong ulongValue
        {
            get { return unchecked((ulong)GetInteger()); }
            set
            {
                bool isUlong = Verified().Type.Type == typeof(ulong);
                SetInteger(value > long.MaxValue && !isUlong ? long.MaxValue : unchecked((long)value));
            }
        }

        public SerializedPropertyNumericType numericType
        {
            get
            {
                PropertyPlace at = Verified();
                if (at.Kind == PlaceKind.Size || at.Kind == PlaceKind.FileId)
                    return SerializedPropertyNumericType.Int32;
                if (at.Kind == PlaceKind.PathId)
                    return SerializedPropertyNumericType.Int64;
                if (!at.IsOwn)
                    return SerializedPropertyNumericType.Unknown;
                Type number = at.Type.Kind == FieldKind.LayerMask ? typeof(int) : at.Type.Type;
                return NumericTypes.Of(number.IsEnum ? Enum.GetUnderlyingType(number) : number);
            }
        }
#endif

        public float floatValue
        {
            get { return (float)GetFloat(); }
            set { SetFloat(value); }
        }

        public double doubleValue
        {
            get { return GetFloat(); }
            set { SetFloat(value); }
        }

        public bool boolValue
        {
            get { return Is(FieldKind.Boolean, "bool") && Scalars.ToBool(DataOf(0).Text); }
            set
            {
                if (Is(FieldKind.Boolean, "bool"))
                    SetText(Scalars.From(value));
            }
        }

        public string stringValue
        {
            get { return Is(FieldKind.String, "string") ? DataOf(0).Text : ""; }
            set
            {
                if (Is(FieldKind.String, "string"))
                    SetText(value ?? "");
            }
        }

        public Color colorValue
        {
            get
            {
                object value = GetBoxed(FieldKind.Color, "color");
                return value is Color32 ? (Color)(Color32)value : value == null ? new Color() : (Color)value;
            }
            set
            {
                if (Is(FieldKind.Color, "color"))
                    SetBoxed(place.Type.Type == typeof(Color32) ? (object)(Color32)value : value);
            }
        }

        public AnimationCurve animationCurveValue
        {
            get { return (AnimationCurve)GetBoxed(FieldKind.Curve, "animation curve") ?? new AnimationCurve(); }
            set { SetBoxed(FieldKind.Curve, "animation curve", value ?? new AnimationCurve()); }
        }

#if UNITY_2022_1_OR_NEWER
        public
#else
        internal
#endif
        Gradient gradientValue
        {
            get { return (Gradient)GetBoxed(FieldKind.Gradient, "gradient"); }
            set { SetBoxed(FieldKind.Gradient, "gradient", value ?? new Gradient()); }
        }

        public Vector2 vector2Value
        {
            get { return Get<Vector2>(FieldKind.Vector2); }
            set { SetBoxed(FieldKind.Vector2, "Vector2", value); }
        }

        public Vector3 vector3Value
        {
            get { return Get<Vector3>(FieldKind.Vector3); }
            set { SetBoxed(FieldKind.Vector3, "Vector3", value); }
        }

        public Vector4 vector4Value
        {
            get { return Get<Vector4>(FieldKind.Vector4); }
            set { SetBoxed(FieldKind.Vector4, "Vector4", value); }
        }

        public Vector2Int vector2IntValue
        {
            get { return Get<Vector2Int>(FieldKind.Vector2Int); }
            set { SetBoxed(FieldKind.Vector2Int, "Vector2Int", value); }
        }

        public Vector3Int vector3IntValue
        {
            get { return Get<Vector3Int>(FieldKind.Vector3Int); }
            set { SetBoxed(FieldKind.Vector3Int, "Vector3Int", value); }
        }

        public Quaternion quaternionValue
        {
            get { return Get<Quaternion>(FieldKind.Quaternion); }
            set { SetBoxed(FieldKind.Quaternion, "Quaternion", value); }
        }

        public Rect rectValue
        {
            get { return Get<Rect>(FieldKind.Rect); }
            set { SetBoxed(FieldKind.Rect, "Rect", value); }
        }

        public RectInt rectIntValue
        {
            get { return Get<RectInt>(FieldKind.RectInt); }
            set { SetBoxed(FieldKind.RectInt, "RectInt", value); }
        }

        public Bounds boundsValue
        {
            get { return Get<Bounds>(FieldKind.Bounds); }
            set { SetBoxed(FieldKind.Bounds, "Bounds", value); }
        }

        public BoundsInt boundsIntValue
        {
            get { return Get<BoundsInt>(FieldKind.BoundsInt); }
            set { SetBoxed(FieldKind.BoundsInt, "BoundsInt", value); }
        }

#if UNITY_2021_1_OR_NEWER
        public Hash128 hash128Value
        {
            get { return Get<Hash128>(FieldKind.Hash128); }
            set { SetBoxed(FieldKind.Hash128, "Hash128", value); }
        }
#endif

#if UNITY_2022_1_OR_NEWER
        /// <summary>The value as an object of the field's type; arrays have none.</summary>
        public object boxedValue
        {
            get
            {
                PropertyPlace at = Verified();
                if (at.Kind == PlaceKind.Size || at.Kind == PlaceKind.FileId)
                    return intValue;
                if (!at.IsOwn || at.Type.Kind == FieldKind.Array)
                    throw NoBox();
                return at.Type.Kind == FieldKind.Reference ? objectReferenceValue : GetBoxed();
            }
            set
            {
                PropertyPlace at = Verified();
                if (at.Kind == PlaceKind.Size)
                    intValue = (int)value;
                else if (!at.IsOwn || at.Type.Kind == FieldKind.Array)
                    throw NoBox();
                else if (at.Type.Kind == FieldKind.Reference)
                    objectReferenceValue = (Object)value;
                else
                    SetBoxed(at.Type.Type.IsEnum && value != null ? Enum.ToObject(at.Type.Type, value) : value);
            }
        }

        Exception NoBox()
        {
            return new NotSupportedException("The boxedValue property is not supported on \"" + propertyPath + "\".");
        }
#endif

        /// <summary>Also null for a missing object. Setting an object that does not fit sets
        /// null.</summary>
        public Object objectReferenceValue
        {
            get
            {
                if (!Is(FieldKind.Reference, "pptr"))
                    return null;
                Object target = DataOf(0).Target;
                return target == null || target is MissingScript ? null : target;
            }
            set
            {
                if (!Is(FieldKind.Reference, "pptr"))
                    return;
                Object fits = value != null && place.Type.Type.IsInstanceOfType(value) ? value : null;
                SetData(() => DataNode.Reference(fits));
            }
        }

        /// <summary>Not 0 if the referenced object is missing.</summary>
#if UNITY_6000_5_OR_NEWER
        [Obsolete("objectReferenceInstanceIDValue is obsolete. Use objectReferenceEntityIdValue instead", true)]
#elif UNITY_6000_4_OR_NEWER
        [Obsolete("objectReferenceInstanceIDValue is obsolete. Use objectReferenceEntityIdValue instead")]
#endif
        public int objectReferenceInstanceIDValue
        {
            get { return ReferenceId; }
            set { ReferenceId = value; }
        }

#if UNITY_6000_3_OR_NEWER
        public EntityId objectReferenceEntityIdValue
        {
            get { return EntityId.Of(ReferenceId); }
            set { ReferenceId = value.InstanceId; }
        }
#endif

        int ReferenceId
        {
            get { return Is(FieldKind.Reference, "pptr") ? PropertyPlace.ReferenceId(DataOf(0)) : 0; }
            set { objectReferenceValue = ObjectTable.Find(value); }
        }

        public Object exposedReferenceValue { get { return null; } set { } }

        /// <summary>"Assembly Namespace.Class/Nested" of a managed reference's value; empty if
        /// null.</summary>
        public string managedReferenceFullTypename
        {
            get
            {
                RequireManaged("get the managed reference full typename on");
                return DataOf(0).TypeName;
            }
        }

        /// <summary>The same for the field's type.</summary>
        public string managedReferenceFieldTypename
        {
            get
            {
                RequireManaged("get the managed reference full typename on");
                return DataWriter.TypeNameOf(place.Type.Type);
            }
        }

        public object managedReferenceValue
        {
#if UNITY_2021_2_OR_NEWER
            get
            {
                RequireManaged("get the managed reference value on");
                return GetBoxed();
            }
#endif
            set
            {
                RequireManaged("set the managed reference value on");
                if (value is Object)
                    throw new InvalidOperationException("Cannot assign an object deriving from UnityEngine.Object to a "
                        + "managed reference. This is not supported.");
                if (value != null && !place.Type.Type.IsInstanceOfType(value))
                    throw new InvalidOperationException("Cannot assign an object of type '" + value.GetType().Name
                        + "' to a managed reference with a base type of '" + place.Type.Type.Name
                        + "': types are not compatible");
                SetBoxed(value);
            }
        }

#if UNITY_2021_2_OR_NEWER
        public long managedReferenceId
        {
            get
            {
                RequireManaged("get the managed reference id on");
                return DataOf(0).Rid;
            }
        }
#endif

        void RequireManaged(string what)
        {
            if (!Verified().IsManaged)
                throw new InvalidOperationException(
                    "Attempting to " + what + " a SerializedProperty that is set to a '" + type + "'");
        }

        bool Is(FieldKind kind, string name)
        {
            PropertyPlace at = Verified();
            if (at.IsOwn && at.Type.Kind == kind && at.Data(RootData) != null)
                return true;
            Debug.LogError("type is not a supported " + name + " value");
            return false;
        }

        T Get<T>(FieldKind kind)
        {
            object value = GetBoxed(kind, typeof(T).Name);
            return value == null ? default(T) : (T)value;
        }

        object GetBoxed(FieldKind kind, string name) { return Is(kind, name) ? GetBoxed() : null; }

        object GetBoxed()
        {
            TypeNode at = Verified().Type;
            object old = at.Type.IsValueType ? Activator.CreateInstance(at.Type) : null;
            return new DataReader(owner.targetObject).Value(DataOf(0), at, old);
        }

        void SetBoxed(FieldKind kind, string name, object value)
        {
            if (Is(kind, name))
                SetBoxed(value);
        }

        void SetBoxed(object value)
        {
            TypeNode at = Verified().Type;
            SetData(() => new DataWriter(owner.targetObject).Value(value, at));
        }

        void SetData(Func<DataNode> make)
        {
            foreach (DataNode root in owner.Current)
                place.SetData(root, make());
        }

        void SetText(string text)
        {
            foreach (DataNode root in owner.Current)
                place.Data(root).Text = text;
        }
    }
}
