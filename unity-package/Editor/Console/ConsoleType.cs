namespace Multiverse.Editor
{
    /// <summary>What an entry of the console is; in the order of read_console's type_summary.</summary>
    public enum ConsoleType { Log, Warning, Error, Assert, Exception }
}
