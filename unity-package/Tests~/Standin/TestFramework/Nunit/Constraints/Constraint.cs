using System.Collections.Generic;

namespace NUnit.Framework.Constraints
{
    public interface IResolveConstraint
    {
        Constraint Resolve();
    }

    /// <summary>
    /// A condition on a value, with its description. What follows it in a chain (And, Or) belongs
    /// to the same <see cref="ConstraintExpression"/>.
    /// </summary>
    public abstract class Constraint : IResolveConstraint
    {
        internal ConstraintExpression Chain;

        public abstract string Description { get; }
        internal abstract bool Matches(object actual);
        /// <summary>Describe the actual value.</summary>
        internal virtual string Found(object actual) { return Failure.Show(actual); }

        public Constraint Resolve() { return Chain == null ? this : Chain.Resolve(); }

        ConstraintExpression Chained { get { return Chain ?? new ConstraintExpression().Start(this); } }

        public ConstraintExpression And { get { return Chained.Join(Operator.And); } }
        public ConstraintExpression With { get { return Chained.Join(Operator.And); } }
        public ConstraintExpression Or { get { return Chained.Join(Operator.Or); } }

        public static Constraint operator &(Constraint left, Constraint right)
        {
            return new BothConstraint(left.Resolve(), right.Resolve());
        }
        public static Constraint operator |(Constraint left, Constraint right)
        {
            return new EitherConstraint(left.Resolve(), right.Resolve());
        }
        public static Constraint operator !(Constraint constraint) { return new NotConstraint(constraint.Resolve()); }
    }

    enum Operator { And, Or }

    sealed class NotConstraint : Constraint
    {
        readonly Constraint inner;
        public NotConstraint(Constraint inner) { this.inner = inner; }
        public override string Description { get { return "not " + inner.Description; } }
        internal override bool Matches(object actual) { return !inner.Matches(actual); }
        internal override string Found(object actual) { return inner.Found(actual); }
    }

    sealed class BothConstraint : Constraint
    {
        readonly Constraint left, right;
        public BothConstraint(Constraint left, Constraint right)
        {
            this.left = left;
            this.right = right;
        }
        public override string Description { get { return left.Description + " and " + right.Description; } }
        internal override bool Matches(object actual) { return left.Matches(actual) && right.Matches(actual); }
        internal override string Found(object actual)
        {
            return left.Matches(actual) ? right.Found(actual) : left.Found(actual);
        }
    }

    sealed class EitherConstraint : Constraint
    {
        readonly Constraint left, right;
        public EitherConstraint(Constraint left, Constraint right)
        {
            this.left = left;
            this.right = right;
        }
        public override string Description { get { return left.Description + " or " + right.Description; } }
        internal override bool Matches(object actual) { return left.Matches(actual) || right.Matches(actual); }
    }

    /// <summary>The number of a collection's items that must match: all, some, none or an exact
    /// count.</summary>
    sealed class ItemsConstraint : Constraint
    {
        readonly Constraint inner;
        readonly string description;
        readonly int least, most;

        public ItemsConstraint(string description, int least, int most, Constraint inner)
        {
            this.description = description;
            this.least = least;
            this.most = most;
            this.inner = inner;
        }

        public override string Description { get { return description + " " + inner.Description; } }

        internal override bool Matches(object actual)
        {
            int fitting = 0, all = 0;
            foreach (object item in Items.Of(actual))
            {
                all++;
                if (inner.Matches(item))
                    fitting++;
            }
            return least == int.MaxValue ? fitting == all : fitting >= least && fitting <= most;
        }
    }

    /// <summary>A prefix of a constraint: a negation, a property, items of a collection.</summary>
    sealed class Prefix
    {
        public System.Func<Constraint, Constraint> Wrap;
        /// <summary>The meaning if nothing follows; null: an error.</summary>
        public Constraint Alone;
        /// <summary>Whether it applies to everything that follows, not only the next
        /// constraint.</summary>
        public bool TakesAll;
    }

    static class Items
    {
        public static IEnumerable<object> Of(object actual)
        {
            var items = actual as System.Collections.IEnumerable;
            if (items == null)
                throw new System.ArgumentException("The actual value must be an IEnumerable");
            foreach (object item in items)
                yield return item;
        }
    }
}
