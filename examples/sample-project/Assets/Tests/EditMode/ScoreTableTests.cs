using NUnit.Framework;

namespace MyGame.Tests
{
    public class ScoreTableTests
    {
        [Test]
        public void TheBestScoreIsTheHighest()
        {
            var table = new ScoreTable();
            table.Add(3);
            table.Add(8);
            table.Add(5);
            Assert.AreEqual(8, table.Best);
        }
    }
}
