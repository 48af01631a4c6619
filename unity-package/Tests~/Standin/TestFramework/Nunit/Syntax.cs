using System;
using System.Collections;
using NUnit.Framework.Constraints;

namespace NUnit.Framework
{
    /// <summary>The beginnings of a constraint; see <see cref="ConstraintExpression"/> for the
    /// rest.</summary>
    public class Is
    {
        protected Is() { }
        static ConstraintExpression Start { get { return new ConstraintExpression(); } }

        public static ConstraintExpression Not { get { return Start.Not; } }
        public static ConstraintExpression All { get { return Start.All; } }
        public static Constraint Null { get { return Start.Null; } }
        public static Constraint True { get { return Start.True; } }
        public static Constraint False { get { return Start.False; } }
        public static Constraint NaN { get { return Start.NaN; } }
        public static Constraint Empty { get { return Start.Empty; } }
        public static Constraint Unique { get { return Start.Unique; } }
        public static Constraint Ordered { get { return Start.Ordered; } }
        public static ComparisonConstraint Zero { get { return Start.Zero; } }
        public static ComparisonConstraint Positive { get { return Start.Positive; } }
        public static ComparisonConstraint Negative { get { return Start.Negative; } }
        public static EqualConstraint EqualTo(object expected) { return Start.EqualTo(expected); }
        public static Constraint SameAs(object expected) { return Start.SameAs(expected); }
        public static ComparisonConstraint GreaterThan(object expected) { return Start.GreaterThan(expected); }
        public static ComparisonConstraint GreaterThanOrEqualTo(object expected) { return Start.AtLeast(expected); }
        public static ComparisonConstraint AtLeast(object expected) { return Start.AtLeast(expected); }
        public static ComparisonConstraint LessThan(object expected) { return Start.LessThan(expected); }
        public static ComparisonConstraint LessThanOrEqualTo(object expected) { return Start.AtMost(expected); }
        public static ComparisonConstraint AtMost(object expected) { return Start.AtMost(expected); }
        public static Constraint InRange(IComparable from, IComparable to) { return Start.InRange(from, to); }
        public static Constraint TypeOf(Type type) { return Start.TypeOf(type); }
        public static Constraint TypeOf<T>() { return Start.TypeOf<T>(); }
        public static Constraint InstanceOf(Type type) { return Start.InstanceOf(type); }
        public static Constraint InstanceOf<T>() { return Start.InstanceOf<T>(); }
        public static Constraint AssignableFrom<T>() { return Start.AssignableFrom<T>(); }
        public static Constraint AssignableTo<T>() { return Start.AssignableTo<T>(); }
        public static CollectionConstraint EquivalentTo(IEnumerable expected) { return Start.EquivalentTo(expected); }
        public static CollectionConstraint SubsetOf(IEnumerable expected) { return Start.SubsetOf(expected); }
        public static CollectionConstraint SupersetOf(IEnumerable expected) { return Start.SupersetOf(expected); }
    }

    public class Has
    {
        static ConstraintExpression Start { get { return new ConstraintExpression(); } }

        public static ConstraintExpression No { get { return Start.No; } }
        public static ConstraintExpression All { get { return Start.All; } }
        public static ConstraintExpression Some { get { return Start.Some; } }
        public static ConstraintExpression None { get { return Start.None; } }
        public static ConstraintExpression Exactly(int count) { return Start.Exactly(count); }
        public static ConstraintExpression One { get { return Start.Exactly(1); } }
        public static ConstraintExpression Property(string name) { return Start.Property(name); }
        public static ConstraintExpression Count { get { return Start.Count; } }
        public static ConstraintExpression Length { get { return Start.Length; } }
        public static ConstraintExpression Message { get { return Start.Message; } }
        public static ConstraintExpression InnerException { get { return Start.InnerException; } }
        public static Constraint Member(object expected) { return Start.Member(expected); }
    }

    public static class Does
    {
        static ConstraintExpression Start { get { return new ConstraintExpression(); } }

        public static ConstraintExpression Not { get { return Start.Not; } }
        public static Constraint Exist { get { return Start.Exist; } }
        public static ContainsConstraint Contain(object expected) { return Start.Contain(expected); }
        public static TextConstraint StartWith(string expected) { return Start.StartWith(expected); }
        public static TextConstraint EndWith(string expected) { return Start.EndWith(expected); }
        public static TextConstraint Match(string pattern) { return Start.Match(pattern); }
    }

    public class Contains
    {
        public static Constraint Item(object expected) { return new ConstraintExpression().Member(expected); }
        public static ContainsConstraint Substring(string expected)
        {
            return new ConstraintExpression().Contain(expected);
        }
    }

    public class Throws
    {
        static ConstraintExpression Start
        {
            get
            {
                return new ConstraintExpression().Before(c => new ThrowsConstraint(c), true,
                                                         new ThrowsConstraint(null));
            }
        }

        public static ConstraintExpression Exception { get { return Start; } }
        public static ConstraintExpression InnerException { get { return Start.InnerException; } }
        public static Constraint ArgumentException { get { return Start.TypeOf<ArgumentException>(); } }
        public static Constraint ArgumentNullException { get { return Start.TypeOf<ArgumentNullException>(); } }
        public static Constraint InvalidOperationException { get { return Start.TypeOf<InvalidOperationException>(); } }
        public static Constraint Nothing { get { return new ThrowsNothingConstraint(); } }
        public static Constraint TypeOf(Type type) { return Start.TypeOf(type); }
        public static Constraint TypeOf<T>() { return Start.TypeOf<T>(); }
        public static Constraint InstanceOf(Type type) { return Start.InstanceOf(type); }
        public static Constraint InstanceOf<T>() { return Start.InstanceOf<T>(); }
    }
}
