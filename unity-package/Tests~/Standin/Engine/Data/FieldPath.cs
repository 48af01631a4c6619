using System.Collections.Generic;
using System.Text;

namespace Standin
{
    /// <summary>The position of a writer or reader: "moves[2].target". The text is built only on
    /// request.</summary>
    internal sealed class FieldPath
    {
        readonly List<string> names = new List<string>();
        readonly List<int> indices = new List<int>();

        public void Push(string name) { Push(name, -1); }
        public void Push(int index) { Push(null, index); }

        void Push(string name, int index)
        {
            names.Add(name);
            indices.Add(index);
        }

        public void Pop()
        {
            names.RemoveAt(names.Count - 1);
            indices.RemoveAt(indices.Count - 1);
        }

        public string Text
        {
            get
            {
                var text = new StringBuilder();
                for (int i = 0; i < names.Count; i++)
                {
                    if (names[i] == null)
                        text.Append('[').Append(indices[i]).Append(']');
                    else
                        text.Append(i > 0 ? "." : "").Append(names[i]);
                }
                return text.ToString();
            }
        }
    }
}
