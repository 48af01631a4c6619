using System;
using System.Collections.Generic;
using System.IO;

namespace Multiverse.Api
{
    /// <summary>A row of the table: | `member` | since | used | note |</summary>
    sealed class ApiRow
    {
        public string Name;
        /// <summary>The oldest release that has it.</summary>
        public Release Since;
        /// <summary>The first and the last release with which the package uses it; null: no bound.</summary>
        public Release From, Until;

        public bool IsUsedIn(Release version)
        {
            return (From == null || version.CompareTo(From) >= 0) && (Until == null || version.CompareTo(Until) <= 0);
        }
    }

    /// <summary>
    /// Reads the rows of a Markdown file that begin with "| `". since: "2018.3"; used: "all",
    /// "2022.2+", "to 2022.1" or "2020.1 to 2022.1".
    /// </summary>
    static class ApiTable
    {
        public static List<ApiRow> Read(string path)
        {
            var rows = new List<ApiRow>();
            int number = 0;
            foreach (string line in File.ReadAllLines(path))
            {
                number++;
                if (!line.StartsWith("| `", StringComparison.Ordinal))
                    continue;
                try
                {
                    rows.Add(Row(line.Split('|')));
                }
                catch (FormatException e)
                {
                    throw new FormatException(path + ":" + number + ": " + e.Message);
                }
            }
            return rows;
        }

        static ApiRow Row(string[] cells)
        {
            if (cells.Length < 5)
                throw new FormatException("a row is | `member` | since | used | note |");
            var row = new ApiRow { Name = cells[1].Trim().Trim('`'), Since = new Release(cells[2].Trim()) };
            string used = cells[3].Trim();
            int to = used.IndexOf("to ", StringComparison.Ordinal);
            if (to >= 0)
            {
                row.Until = new Release(used.Substring(to + 3));
                if (to > 0)
                    row.From = new Release(used.Substring(0, to).Trim());
            }
            else if (used.EndsWith("+", StringComparison.Ordinal))
                row.From = new Release(used.TrimEnd('+'));
            else if (used != "all")
                throw new FormatException("used is all, X+, to X or X to Y: " + used);
            return row;
        }
    }
}
