using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("UnityEditor.TestRunner")]
[assembly: InternalsVisibleTo("Multiverse.Editor.Trace")]
[assembly: InternalsVisibleTo("editor")]
[assembly: InternalsVisibleTo("unit")]
