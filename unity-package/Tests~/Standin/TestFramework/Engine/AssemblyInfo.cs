using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("UnityEditor.TestRunner")]
[assembly: InternalsVisibleTo("editor")]
[assembly: InternalsVisibleTo("unit")]
