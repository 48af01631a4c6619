namespace Multiverse.Editor
{
    /// <summary>The jobs of this editor. Main thread only.</summary>
    public static class JobStore
    {
        /// <summary>A job has news; called by the job itself.</summary>
        internal static void Changed(Job job)
        {
        }
    }
}
