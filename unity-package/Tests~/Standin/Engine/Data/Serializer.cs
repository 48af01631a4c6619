using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Converts objects to data and back, following the fields of <see cref="TypeTree"/>.
    /// </summary>
    internal static class Serializer
    {
        /// <summary>
        /// Return an object's data, a map in file order. References have their Target, or the
        /// address that was not found. A missing script returns the data it was read with.
        /// </summary>
        public static DataNode Write(Object target) { return new DataWriter(target).Root(); }

        /// <summary>
        /// Set an object's fields from data. A field without a key stays unchanged; keys that the
        /// class does not have are ignored. References must have their Target.
        /// </summary>
        public static void Read(Object target, DataNode data) { new DataReader(target).Root(data); }
    }
}
