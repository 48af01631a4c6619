using System.Collections.Generic;

namespace Standin
{
    /// <summary>
    /// All destroyed objects that undo or redo can restore. While scenes are saved for the next
    /// domain they are put back, with their ids, prefab links and references; after the history was
    /// restored there, they are removed again.
    /// <code>
    ///     List&lt;Grave&gt; lifted = Graves.LiftAll();
    ///     ...                                         // save the scenes
    ///     Graves.Lower(lifted);
    /// </code>
    /// </summary>
    internal static class Graves
    {
        /// <summary>In order of their creation.</summary>
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

        /// <summary>Lift all, the last one first. Return the lifted ones in the order for
        /// Lower.</summary>
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

        /// <summary>In the next domain: lower all, because they were saved lifted.</summary>
        public static void LowerAll() { Lower(All()); }
    }
}
