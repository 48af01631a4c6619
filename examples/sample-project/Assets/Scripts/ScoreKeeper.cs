using UnityEngine;

namespace MyGame
{
    [DisallowMultipleComponent]
    public class ScoreKeeper : MonoBehaviour
    {
        [SerializeField] private int best;
        [SerializeField] private LootTable table;

        private readonly ScoreTable scores = new ScoreTable();

        public LootTable Table => table;

        public void Add(int score)
        {
            scores.Add(score);
            best = Mathf.Max(best, scores.Best);
        }
    }
}
