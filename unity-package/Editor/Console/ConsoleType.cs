namespace Multiverse.Editor
{
    /// <summary>The type of a console entry, in the order of read_console's type_summary.</summary>
    public enum ConsoleType { Log, Warning, Error, Assert, Exception }
}
