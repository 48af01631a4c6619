using System.Collections.Generic;

namespace MyGame
{
    /// <summary>A plain class: neither a component nor an asset.</summary>
    public class ScoreTable
    {
        private readonly List<int> scores = new List<int>();

        public int Best { get; private set; }

        public void Add(int score)
        {
            scores.Add(score);
            if (score > Best)
                Best = score;
        }
    }
}
