using System;

namespace Standin
{
    /// <summary>A syntax error in Unity's YAML; Line and Column count from 1.</summary>
    internal sealed class YamlError : Exception
    {
        public readonly int Line;
        public readonly int Column;

        public YamlError(int line, int column, string message) : base(line + ":" + column + ": " + message)
        {
            Line = line;
            Column = column;
        }
    }
}
