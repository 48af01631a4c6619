using System;
using System.Collections;
using System.Collections.Generic;

namespace NUnit.Framework.Constraints
{
    /// <summary>
    /// A chain like Is.Not.Null.And.EqualTo(3): constraints, prefixes (Not, All, Count and others)
    /// and operators in written order. And binds tighter than Or. A prefix applies to the next
    /// constraint; prefixes for items and exceptions apply to everything that follows.
    /// </summary>
    public class ConstraintExpression : IResolveConstraint
    {
        readonly List<object> parts = new List<object>();
        int at;

        internal ConstraintExpression Start(Constraint first)
        {
            parts.Add(first);
            first.Chain = this;
            return this;
        }

        internal ConstraintExpression Join(Operator op)
        {
            parts.Add(op);
            return this;
        }

        internal T Append<T>(T constraint) where T : Constraint
        {
            parts.Add(constraint);
            constraint.Chain = this;
            return constraint;
        }

        internal ConstraintExpression Before(Func<Constraint, Constraint> wrap, bool takesAll = false,
                                             Constraint alone = null)
        {
            parts.Add(new Prefix { Wrap = wrap, TakesAll = takesAll, Alone = alone });
            return this;
        }

        public Constraint Resolve()
        {
            at = 0;
            Constraint whole = Alternatives();
            if (at < parts.Count)
                throw new InvalidOperationException("a constraint stands where And or Or is expected");
            return whole;
        }

        bool TryTake(Operator op)
        {
            if (at >= parts.Count || !Equals(parts[at], op))
                return false;
            at++;
            return true;
        }

        Constraint Alternatives()
        {
            Constraint left = Conjunction();
            while (TryTake(Operator.Or))
                left = new EitherConstraint(left, Conjunction());
            return left;
        }

        Constraint Conjunction()
        {
            Constraint left = Single();
            while (TryTake(Operator.And))
                left = new BothConstraint(left, Single());
            return left;
        }

        Constraint Single()
        {
            if (at >= parts.Count)
                throw new InvalidOperationException("the constraint is not complete");
            object part = parts[at++];
            var prefix = part as Prefix;
            if (prefix == null)
                return (Constraint)part;
            if (prefix.Alone != null && at >= parts.Count)
                return prefix.Alone;
            return prefix.Wrap(prefix.TakesAll ? Alternatives() : Single());
        }

        public ConstraintExpression Not { get { return Before(c => new NotConstraint(c)); } }
        public ConstraintExpression No { get { return Before(c => new NotConstraint(c)); } }
        public ConstraintExpression With { get { return this; } }
        public ConstraintExpression All
        {
            get { return Before(c => new ItemsConstraint("all items", int.MaxValue, 0, c), true); }
        }
        public ConstraintExpression Some
        {
            get { return Before(c => new ItemsConstraint("some item", 1, int.MaxValue, c), true); }
        }
        public ConstraintExpression None
        {
            get { return Before(c => new ItemsConstraint("no item", 0, 0, c), true); }
        }
        public ConstraintExpression Exactly(int count)
        {
            return Before(c => new ItemsConstraint("exactly " + count + " items", count, count, c), true);
        }
        public ConstraintExpression Items { get { return this; } }
        public ConstraintExpression Property(string name)
        {
            return Before(c => new PropertyConstraint(name, c), false, new PropertyConstraint(name, null));
        }
        public ConstraintExpression Count { get { return Property("Count"); } }
        public ConstraintExpression Length { get { return Property("Length"); } }
        public ConstraintExpression Message { get { return Property("Message"); } }
        public ConstraintExpression InnerException { get { return Property("InnerException"); } }

        public EqualConstraint EqualTo(object expected) { return Append(new EqualConstraint(expected)); }
        public Constraint SameAs(object expected) { return Append(new SameConstraint(expected)); }
        public Constraint Null { get { return Append(new SimpleConstraint("null", IsNull)); } }
        public Constraint True { get { return Append(new SimpleConstraint("True", a => Equals(a, true))); } }
        public Constraint False { get { return Append(new SimpleConstraint("False", a => Equals(a, false))); } }
        public Constraint NaN { get { return Append(new SimpleConstraint("NaN", IsNaN)); } }
        public Constraint Empty { get { return Append(new SimpleConstraint("<empty>", IsEmpty)); } }
        public Constraint Unique { get { return Append(new SimpleConstraint("all items unique", IsUnique)); } }
        public Constraint Ordered { get { return Append(new SimpleConstraint("collection ordered", IsOrdered)); } }
        public ComparisonConstraint Zero { get { return Compared("0", 0, c => c == 0); } }
        public ComparisonConstraint Positive { get { return Compared("greater than 0", 0, c => c > 0); } }
        public ComparisonConstraint Negative { get { return Compared("less than 0", 0, c => c < 0); } }

        public ComparisonConstraint GreaterThan(object expected)
        {
            return Compared("greater than " + Failure.Show(expected), expected, c => c > 0);
        }
        public ComparisonConstraint GreaterThanOrEqualTo(object expected) { return AtLeast(expected); }
        public ComparisonConstraint AtLeast(object expected)
        {
            return Compared("greater than or equal to " + Failure.Show(expected), expected, c => c >= 0);
        }
        public ComparisonConstraint LessThan(object expected)
        {
            return Compared("less than " + Failure.Show(expected), expected, c => c < 0);
        }
        public ComparisonConstraint LessThanOrEqualTo(object expected) { return AtMost(expected); }
        public ComparisonConstraint AtMost(object expected)
        {
            return Compared("less than or equal to " + Failure.Show(expected), expected, c => c <= 0);
        }
        public Constraint InRange(IComparable from, IComparable to)
        {
            return Append(new SimpleConstraint("in range (" + from + "," + to + ")",
                a => Comparing.Order(a, from) >= 0 && Comparing.Order(a, to) <= 0));
        }

        ComparisonConstraint Compared(string description, object expected, Predicate<int> fits)
        {
            return Append(new ComparisonConstraint(description, expected, fits));
        }

        public Constraint TypeOf(Type type) { return Append(new TypeConstraint("", type, a => a == type)); }
        public Constraint TypeOf<T>() { return TypeOf(typeof(T)); }
        public Constraint InstanceOf(Type type)
        {
            return Append(new TypeConstraint("instance of ", type, type.IsAssignableFrom));
        }
        public Constraint InstanceOf<T>() { return InstanceOf(typeof(T)); }
        public Constraint AssignableFrom(Type type)
        {
            return Append(new TypeConstraint("assignable from ", type, a => a.IsAssignableFrom(type)));
        }
        public Constraint AssignableFrom<T>() { return AssignableFrom(typeof(T)); }
        public Constraint AssignableTo<T>()
        {
            return Append(new TypeConstraint("assignable to ", typeof(T), typeof(T).IsAssignableFrom));
        }

        public CollectionConstraint EquivalentTo(IEnumerable expected)
        {
            return Append(new CollectionConstraint("equivalent to ", expected, true, true));
        }
        public CollectionConstraint SubsetOf(IEnumerable expected)
        {
            return Append(new CollectionConstraint("subset of ", expected, true, false));
        }
        public CollectionConstraint SupersetOf(IEnumerable expected)
        {
            return Append(new CollectionConstraint("superset of ", expected, false, true));
        }
        public Constraint Member(object expected) { return Append(new ContainsConstraint(expected)); }
        public ContainsConstraint Contain(object expected) { return Append(new ContainsConstraint(expected)); }
        public ContainsConstraint Contains(object expected) { return Append(new ContainsConstraint(expected)); }
        public TextConstraint StartWith(string expected) { return Append(TextConstraint.Start(expected)); }
        public TextConstraint EndWith(string expected) { return Append(TextConstraint.End(expected)); }
        public TextConstraint StartsWith(string expected) { return Append(TextConstraint.Start(expected)); }
        public TextConstraint EndsWith(string expected) { return Append(TextConstraint.End(expected)); }
        public TextConstraint Match(string pattern) { return Append(TextConstraint.Pattern(pattern)); }
        public TextConstraint Matches(string pattern) { return Append(TextConstraint.Pattern(pattern)); }
        public Constraint Matches(Constraint constraint) { return Append(constraint); }
        public Constraint Exist
        {
            get
            {
                return Append(new SimpleConstraint("file or directory exists",
                    a => System.IO.File.Exists((string)a) || System.IO.Directory.Exists((string)a)));
            }
        }

        /* A destroyed UnityEngine.Object equals null. */
        static bool IsNull(object actual) { return actual == null || actual.Equals(null); }

        static bool IsNaN(object actual)
        {
            return actual is double && double.IsNaN((double)actual) || actual is float && float.IsNaN((float)actual);
        }

        static bool IsEmpty(object actual)
        {
            var text = actual as string;
            if (text != null)
                return text.Length == 0;
            return !Constraints.Items.Of(actual).GetEnumerator().MoveNext();
        }

        static bool IsUnique(object actual)
        {
            var seen = new List<object>();
            foreach (object item in Constraints.Items.Of(actual))
            {
                if (seen.Exists(other => Comparing.Same(other, item, null)))
                    return false;
                seen.Add(item);
            }
            return true;
        }

        static bool IsOrdered(object actual)
        {
            object last = null;
            bool first = true;
            foreach (object item in Constraints.Items.Of(actual))
            {
                if (!first && Comparing.Order(last, item) > 0)
                    return false;
                last = item;
                first = false;
            }
            return true;
        }
    }
}
