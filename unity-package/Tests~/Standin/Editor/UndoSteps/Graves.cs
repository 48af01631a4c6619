using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// All that is destroyed and that undo or redo can bring back. While the scenes are saved for the next
    /// domain it is put back in them, with its ids, prefab links and all that refers to it; there, once the
    /// history is back, it is taken out again.
    /// <code>
    ///     List&lt;Grave&gt; lifted = Graves.LiftAll();
    ///     ...                                         // save the scenes
    ///     Graves.Lower(lifted);
    /// </code>
    /// </summary>
    internal static class Graves
    {
        /// <summary>In the order in which they were dug.</summary>
        static List<Grave> All()
        {
            var graves = new List<Grave>();
            foreach (List<UndoGroup> side in new[] { UndoHistory.Done, UndoHistory.Undone })
                foreach (UndoGroup group in side)
                    foreach (UndoStep step in group.Steps)
                    {
                        var life = step as LifeStep;
                        if (life != null && life.Grave != null)
                            graves.Add(life.Grave);
                    }
            graves.Sort((a, b) => a.Number.CompareTo(b.Number));
            return graves;
        }

        /// <summary>The last one first. Those that were lifted, in the order in which they are lowered.</summary>
        public static List<Grave> LiftAll()
        {
            bool isNew = EditorEvents.HierarchyIsNew;
            List<Grave> all = All(), lifted = new List<Grave>();
            for (int i = all.Count - 1; i >= 0; i--)
                if (all[i].Lift())
                    lifted.Insert(0, all[i]);
            EditorEvents.HierarchyIsNew = isNew;
            return lifted;
        }

        public static void Lower(List<Grave> lifted)
        {
            bool isNew = EditorEvents.HierarchyIsNew;
            foreach (Grave grave in lifted)
                grave.Lower();
            EditorEvents.HierarchyIsNew = isNew;
        }

        /// <summary>In the next domain: all of them are lifted, as they were saved.</summary>
        public static void LowerAll() { Lower(All()); }
    }
}
