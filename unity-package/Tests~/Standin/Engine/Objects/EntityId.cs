#if UNITY_6000_3_OR_NEWER
using System;
using System.Globalization;

namespace UnityEngine
{
    /// <summary>Identifies an object while the editor runs; the successor of the instance id.</summary>
    [Serializable]
    public struct EntityId : IEquatable<EntityId>, IComparable<EntityId>
    {
        ulong value;

        public static EntityId None { get { return new EntityId(); } }

        internal static EntityId Of(int instanceId) { return new EntityId { value = unchecked((uint)instanceId) }; }
        internal int InstanceId { get { return unchecked((int)(uint)value); } }

        public bool IsValid() { return value != 0; }
        public static ulong ToULong(EntityId entityId) { return entityId.value; }
        public static EntityId FromULong(ulong value) { return new EntityId { value = value }; }

#if !UNITY_6000_5_OR_NEWER
        public static implicit operator int(EntityId entityId) { return entityId.InstanceId; }
        public static implicit operator EntityId(int instanceId) { return Of(instanceId); }
#endif
        public static bool operator ==(EntityId a, EntityId b) { return a.value == b.value; }
        public static bool operator !=(EntityId a, EntityId b) { return a.value != b.value; }

        public int CompareTo(EntityId other) { return value.CompareTo(other.value); }
        public bool Equals(EntityId other) { return value == other.value; }
        public override bool Equals(object other) { return other is EntityId && Equals((EntityId)other); }
        public override int GetHashCode() { return value.GetHashCode(); }
        public override string ToString() { return value.ToString(CultureInfo.InvariantCulture); }
    }
}
#endif
