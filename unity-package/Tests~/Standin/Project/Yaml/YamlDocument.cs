using System.Collections.Generic;

namespace Standin
{
    /// <summary>One object of a file: <c>--- !u!54 &amp;1392866527 stripped</c>, its class and its
    /// fields.</summary>
    internal sealed class YamlDocument
    {
        public int ClassId;
        public long FileId;
        public bool IsStripped;
        public string ClassName = "";
        public DataNode Body;
    }

    /// <summary>
    /// A file of documents: a scene, prefab, material and others.
    /// <code>
    ///     YamlFile file = YamlFile.Parse(File.ReadAllText(path));
    ///     DataNode name = file.Find(1392866527).Body.Get("m_Name");
    /// </code>
    /// </summary>
    internal sealed class YamlFile
    {
        public readonly List<YamlDocument> Documents = new List<YamlDocument>();
        Dictionary<long, YamlDocument> byId;

        /// <summary>Throws <see cref="YamlError"/>.</summary>
        public static YamlFile Parse(string text) { return new YamlReader(text).ReadFile(); }

        /// <summary>Parse a text with a single map (.meta, ProjectVersion.txt). Throws <see
        /// cref="YamlError"/>.</summary>
        public static DataNode ParsePlain(string text) { return new YamlReader(text).ReadPlain(); }

        /// <summary>Return the first document with this id, or null.</summary>
        public YamlDocument Find(long id)
        {
            if (byId == null)
            {
                byId = new Dictionary<long, YamlDocument>();
                foreach (YamlDocument document in Documents)
                    if (!byId.ContainsKey(document.FileId))
                        byId.Add(document.FileId, document);
            }
            YamlDocument found;
            return byId.TryGetValue(id, out found) ? found : null;
        }
    }
}
