using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("UnityEngine.TestRunner")]
[assembly: InternalsVisibleTo("UnityEditor.TestRunner")]
[assembly: InternalsVisibleTo("editor")]
[assembly: InternalsVisibleTo("unit")]
