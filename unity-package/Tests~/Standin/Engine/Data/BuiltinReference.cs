using System;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// The engine's own resources, which some components refer to from the start (a SpriteRenderer its
    /// material). Set by the project's side; without it they start with none.
    /// </summary>
    internal static class BuiltinReference
    {
        /// <summary>By GUID, file id and the type of the field.</summary>
        public static Func<string, long, Type, Object> Find = (guid, fileId, type) => null;
    }
}
