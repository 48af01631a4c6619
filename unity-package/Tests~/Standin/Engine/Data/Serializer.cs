using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// Objects to data and back, field by field as <see cref="TypeTree"/> says.
    /// </summary>
    internal static class Serializer
    {
        /// <summary>
        /// All of an object: a map in the order of the file. References have their Target, or the address
        /// that was not found. A script that is missing gives the data it was read with.
        /// </summary>
        public static DataNode Write(Object target) { return new DataWriter(target).Root(); }

        /// <summary>
        /// Takes over what data has; a field whose key is absent stays as it is, keys that the class does
        /// not have are passed over. References must have their Target by now.
        /// </summary>
        public static void Read(Object target, DataNode data) { new DataReader(target).Root(data); }
    }
}
