using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("editor")]
[assembly: InternalsVisibleTo("unit")]
