using System;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// The engine's own resources to which some components refer initially (a SpriteRenderer to its
    /// material). Set by the project's side; without it, these references are null.
    /// </summary>
    internal static class BuiltinReference
    {
        /// <summary>Find a resource by GUID, file id and field type.</summary>
        public static Func<string, long, Type, Object> Find = (guid, fileId, type) => null;
    }
}
