namespace UnityEngine
{
    public static class Random
    {
        static System.Random source = new System.Random();

        public static float value { get { return (float)source.NextDouble(); } }
        public static Vector3 insideUnitSphere
        {
            get
            {
                Vector3 point;
                do
                    point = new Vector3(Range(-1f, 1f), Range(-1f, 1f), Range(-1f, 1f));
                while (point.sqrMagnitude > 1);
                return point;
            }
        }
        public static Vector2 insideUnitCircle
        {
            get
            {
                Vector2 point;
                do
                    point = new Vector2(Range(-1f, 1f), Range(-1f, 1f));
                while (point.sqrMagnitude > 1);
                return point;
            }
        }
        public static Vector3 onUnitSphere { get { return insideUnitSphere.normalized; } }
        public static Quaternion rotation { get { return Quaternion.Euler(value * 360, value * 360, value * 360); } }

        public static void InitState(int seed) { source = new System.Random(seed); }
        /// <summary>max is inclusive.</summary>
        public static float Range(float minInclusive, float maxInclusive)
        {
            return minInclusive + (maxInclusive - minInclusive) * value;
        }
        public static int Range(int minInclusive, int maxExclusive)
        {
            if (minInclusive == maxExclusive)
                return minInclusive;
            return minInclusive < maxExclusive
                ? source.Next(minInclusive, maxExclusive) : source.Next(maxExclusive + 1, minInclusive + 1);
        }
    }
}
