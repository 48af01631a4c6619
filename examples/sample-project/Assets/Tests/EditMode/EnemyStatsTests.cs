using NUnit.Framework;

namespace MyGame.Tests
{
    public class EnemyStatsTests
    {
        private static EnemyStats Stats(ElementType element, float power) =>
            new EnemyStats { hp = 100, attackPower = power, element = element };

        [Test]
        public void FireHurtsIceTwice()
        {
            Assert.AreEqual(30f, Stats(ElementType.Fire, 15f).Against(ElementType.Ice));
        }

        [Test]
        public void FireHurtsFireOnce()
        {
            Assert.AreEqual(15f, Stats(ElementType.Fire, 15f).Against(ElementType.Fire));
        }

        [TestCase(ElementType.None)]
        [TestCase(ElementType.Storm)]
        public void WhatHasNoOppositeHurtsOnce(ElementType element)
        {
            Assert.AreEqual(10f, Stats(element, 10f).Against(ElementType.Ice));
        }

        [Test, Category("Known")]
        public void StormHurtsFireTwice()
        {
            Assert.AreEqual(20f, Stats(ElementType.Storm, 10f).Against(ElementType.Fire), "storm puts fire out");
        }

        [Test, Ignore("no damage below zero yet")]
        public void HealingIsNoAttack()
        {
            Assert.AreEqual(0f, Stats(ElementType.None, -5f).Against(ElementType.Ice));
        }
    }
}
