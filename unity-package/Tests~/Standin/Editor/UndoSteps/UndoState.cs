using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Standin
{
    /// <summary>
    /// The state of this assembly that survives a domain reload: the undo history, and live
    /// ScriptableObjects that are no assets, with their instance ids and fields.
    /// <code>
    ///     string text = UndoState.Export();        // in the old domain
    ///     UndoState.Import(text);                  // in the new one, when scenes and assets are there
    /// </code>
    /// </summary>
    internal static class UndoState
    {
        public static string Export()
        {
            UndoHistory.Flush();
            var codec = new UndoCodec();
            var done = UndoHistory.Done.ConvertAll(group => Export(codec, group));
            var undone = UndoHistory.Undone.ConvertAll(group => Export(codec, group));
            var dead = new List<object>();
            /* The list may grow, because destroyed objects refer to others. */
            for (int i = 0; i < codec.Dead.Count; i++)
                dead.Add(codec.Whole(codec.Dead[i]));
            /* objects that are referenced only by living objects are not restored by any step */
            codec.IsComplete = true;
            var alive = new List<object>();
            foreach (Object target in ObjectTable.All)
                if (target is ScriptableObject && !target.isPersistent && !target.isDestroyed)
                    alive.Add(codec.Whole(target));
            return Json.Write(new Dictionary<string, object>
            {
                { "alive", alive }, { "dead", dead }, { "done", done }, { "undone", undone },
                { "group", (long)UndoHistory.CurrentGroup }
            });
        }

        static List<object> Export(UndoCodec codec, UndoGroup group)
        {
            return new List<object>
            {
                (long)group.Id, group.Name, group.IsNamed, group.Steps.ConvertAll(step => (object)step.Export(codec))
            };
        }

        /* A managed node is written where it is first referenced, so everything must be read in
           writing order. */
        public static void Import(string text)
        {
            Dictionary<string, object> from = Json.ReadObject(text);
            var codec = new UndoCodec();
            List<object> alive = ((List<object>)from["alive"]).FindAll(IsToBeMade).FindAll(HasClass);
            List<object> dead = ((List<object>)from["dead"]).FindAll(IsToBeMade);
            List<Object> living = alive.ConvertAll(one => UndoCodec.Make((List<object>)one));
            List<Object> buried = dead.ConvertAll(one => UndoCodec.Make((List<object>)one));
            UndoHistory.ClearAll();
            codec.Dead.AddRange(buried);
            Import(codec, (List<object>)from["done"], UndoHistory.Done);
            Import(codec, (List<object>)from["undone"], UndoHistory.Undone);
            for (int i = 0; i < buried.Count; i++)
                codec.Fill(buried[i], (List<object>)dead[i]);
            for (int i = 0; i < living.Count; i++)
                codec.Fill(living[i], (List<object>)alive[i]);
            foreach (Object one in buried)
            {
                one.isDestroyed = true;
                ObjectTable.Remove(one);
            }
            Graves.LowerAll();
            UndoHistory.CurrentGroup = System.Math.Max(UndoHistory.CurrentGroup, codec.Number(from["group"]));
            foreach (Object one in living)
                Messages.Send(one, "OnEnable");
        }

        /* Skip an object that the scene loader has already created. */
        static bool IsToBeMade(object whole)
        {
            var parts = (List<object>)whole;
            int id = System.Convert.ToInt32(parts[0], System.Globalization.CultureInfo.InvariantCulture);
            return (object)ObjectTable.Find(id) == null;
        }

        static bool HasClass(object whole) { return ManagedTypes.Find((string)((List<object>)whole)[1]) != null; }

        static void Import(UndoCodec codec, List<object> from, List<UndoGroup> to)
        {
            foreach (List<object> parts in from)
            {
                var group = new UndoGroup(codec.Number(parts[0]));
                group.Rename((string)parts[1]);
                group.IsNamed = (bool)parts[2];
                foreach (List<object> step in (List<object>)parts[3])
                {
                    UndoStep created = Import(codec, step);
                    if (created != null)
                        group.Steps.Add(created);
                }
                to.Add(group);
            }
        }

        static UndoStep Import(UndoCodec codec, List<object> from)
        {
            switch ((string)from[0])
            {
                case ChangeStep.Name: return ChangeStep.Import(codec, from);
                case LifeStep.Name: return LifeStep.Import(codec, from);
                case ParentStep.Name: return ParentStep.Import(codec, from);
                case OrderStep.Name: return OrderStep.Import(codec, from);
                default: return ReplaceStep.Import(codec, from);
            }
        }
    }
}
