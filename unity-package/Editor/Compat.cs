using System;

namespace Multiverse.Editor
{
    /// <summary>
    /// What differs between the versions of Unity, and the only file with #if for them. Each member is
    /// one question with the same answer everywhere; sorted by name.
    /// </summary>
    public static class Compat
    {
    }
}
