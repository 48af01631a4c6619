using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Standin
{
    /// <summary>
    /// Writes documents in Unity's form: maps as lines, flow maps in braces, dashes at the indent
    /// of their key. References must have their address (FileId, Guid), not only a Target.
    /// <code>
    ///     File.WriteAllText(path, YamlWriter.Write(documents));
    /// </code>
    /// </summary>
    internal sealed class YamlWriter
    {
        readonly StringBuilder text = new StringBuilder();

        public static string Write(IEnumerable<YamlDocument> documents)
        {
            var writer = new YamlWriter();
            writer.text.Append("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n");
            foreach (YamlDocument document in documents)
                writer.Document(document);
            return writer.text.ToString();
        }

        void Document(YamlDocument document)
        {
            text.Append("--- !u!").Append(document.ClassId.ToString(CultureInfo.InvariantCulture)).Append(" &")
                .Append(document.FileId.ToString(CultureInfo.InvariantCulture))
                .Append(document.IsStripped ? " stripped\n" : "\n")
                .Append(document.ClassName).Append(":\n");
            Map(document.Body, 2);
        }

        void Map(DataNode map, int indent)
        {
            for (int i = 0; i < map.Count; i++)
            {
                text.Append(' ', indent).Append(YamlText.Encode(map.Keys[i])).Append(':');
                WriteValue(map[i], indent);
            }
        }

        /* Write the value after a key with this indent. */
        void WriteValue(DataNode value, int indent)
        {
            if (value.Kind == DataKind.Map && !value.IsFlow && value.Count > 0)
            {
                text.Append('\n');
                Map(value, indent + 2);
            }
            else if (value.Kind == DataKind.List && value.PackedBytes == 0 && value.Count > 0)
            {
                text.Append('\n');
                List(value, indent);
            }
            else
                text.Append(' ').Append(Inline(value)).Append('\n');
        }

        void List(DataNode list, int indent)
        {
            foreach (DataNode item in list.Items)
            {
                text.Append(' ', indent).Append("- ");
                WriteItem(item, indent + 2);
            }
        }

        /* Write the item after a dash; its first line has begun. */
        void WriteItem(DataNode item, int indent)
        {
            if (item.Kind == DataKind.Map && !item.IsFlow && item.Count > 0)
            {
                int start = text.Length;
                Map(item, indent);
                text.Remove(start, indent);
            }
            else if (item.Kind == DataKind.List && item.PackedBytes == 0 && item.Count > 0)
            {
                int start = text.Length;
                List(item, indent);
                text.Remove(start, indent);
            }
            else
                text.Append(Inline(item)).Append('\n');
        }

        static string Inline(DataNode value)
        {
            switch (value.Kind)
            {
                case DataKind.Scalar:
                    return YamlText.Encode(value.Text);
                case DataKind.Reference:
                    return ReferenceText(value);
                case DataKind.List:
                    return value.PackedBytes > 0 ? Hex(value)
                        : "[" + string.Join(", ", value.Items.ConvertAll(Inline).ToArray()) + "]";
                default:
                    var parts = new string[value.Count];
                    for (int i = 0; i < parts.Length; i++)
                        parts[i] = YamlText.Encode(value.Keys[i]) + ": " + FlowText(value[i]);
                    return "{" + string.Join(", ", parts) + "}";
            }
        }

        /* In braces, a comma or brace must be quoted too. */
        static string FlowText(DataNode value)
        {
            string inline = Inline(value);
            bool isPlain = value.Kind == DataKind.Scalar && inline == value.Text;
            return isPlain && inline.IndexOfAny(new[] { ',', '{', '}', '[', ']' }) >= 0
                ? "'" + inline.Replace("'", "''") + "'" : inline;
        }

        static string ReferenceText(DataNode value)
        {
            string id = value.FileId.ToString(CultureInfo.InvariantCulture);
            if (value.Guid.Length == 0)
                return "{fileID: " + id + "}";
            return "{fileID: " + id + ", guid: " + value.Guid + ", type: "
                + value.FileType.ToString(CultureInfo.InvariantCulture) + "}";
        }

        static string Hex(DataNode list)
        {
            var created = new StringBuilder(list.Count * list.PackedBytes * 2);
            foreach (DataNode item in list.Items)
            {
                long number = Scalars.ToLong(item.Text);
                for (int i = 0; i < list.PackedBytes; i++)
                    created.Append(((byte)(number >> (8 * i))).ToString("x2", CultureInfo.InvariantCulture));
            }
            return created.ToString();
        }
    }
}
