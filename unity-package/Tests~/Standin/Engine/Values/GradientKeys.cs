namespace UnityEngine
{
    public enum GradientMode
    {
        Blend = 0,
        Fixed = 1,
#if UNITY_2022_2_OR_NEWER
        PerceptualBlend = 2
#endif
    }

    public struct GradientColorKey
    {
        public Color color;
        public float time;

        public GradientColorKey(Color col, float time)
        {
            color = col;
            this.time = time;
        }
    }

    public struct GradientAlphaKey
    {
        public float alpha;
        public float time;

        public GradientAlphaKey(float alpha, float time)
        {
            this.alpha = alpha;
            this.time = time;
        }
    }
}
