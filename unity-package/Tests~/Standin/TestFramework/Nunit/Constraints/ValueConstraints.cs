using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using System.Text.RegularExpressions;

namespace NUnit.Framework.Constraints
{
    sealed class SimpleConstraint : Constraint
    {
        readonly string description;
        readonly Predicate<object> fits;
        public SimpleConstraint(string description, Predicate<object> fits)
        {
            this.description = description;
            this.fits = fits;
        }
        public override string Description { get { return description; } }
        internal override bool Matches(object actual) { return fits(actual); }
    }

    public class EqualConstraint : Constraint
    {
        readonly object expected;
        readonly Comparing comparing = new Comparing();

        internal EqualConstraint(object expected) { this.expected = expected; }

        public override string Description
        {
            get { return Failure.Show(expected) + comparing.Description; }
        }
        internal override bool Matches(object actual) { return Comparing.Same(expected, actual, comparing); }

        public EqualConstraint Within(object amount)
        {
            comparing.Tolerance = Convert.ToDouble(amount);
            return this;
        }
        public EqualConstraint Percent
        {
            get
            {
                comparing.IsPercent = true;
                return this;
            }
        }
        public EqualConstraint IgnoreCase
        {
            get
            {
                comparing.IgnoresCase = true;
                return this;
            }
        }
        public EqualConstraint AsCollection { get { return this; } }
        public EqualConstraint NoClip { get { return this; } }
        public EqualConstraint Using(IEqualityComparer comparer)
        {
            comparing.Comparer = comparer.Equals;
            return this;
        }
        public EqualConstraint Using<T>(IEqualityComparer<T> comparer)
        {
            comparing.Comparer = (a, b) => a is T && b is T && comparer.Equals((T)a, (T)b);
            return this;
        }
        public EqualConstraint Using<T>(Func<T, T, bool> comparer)
        {
            comparing.Comparer = (a, b) => a is T && b is T && comparer((T)a, (T)b);
            return this;
        }
    }

    sealed class SameConstraint : Constraint
    {
        readonly object expected;
        public SameConstraint(object expected) { this.expected = expected; }
        public override string Description { get { return "same as " + Failure.Show(expected); } }
        internal override bool Matches(object actual) { return ReferenceEquals(expected, actual); }
    }

    public class ComparisonConstraint : Constraint
    {
        readonly string description;
        readonly object expected;
        readonly Predicate<int> fits;
        internal ComparisonConstraint(string description, object expected, Predicate<int> fits)
        {
            this.description = description;
            this.expected = expected;
            this.fits = fits;
        }
        public override string Description { get { return description; } }
        internal override bool Matches(object actual) { return fits(Comparing.Order(actual, expected)); }
    }

    sealed class TypeConstraint : Constraint
    {
        readonly string description;
        readonly Type type;
        readonly Predicate<Type> fits;
        public TypeConstraint(string description, Type type, Predicate<Type> fits)
        {
            this.description = description;
            this.type = type;
            this.fits = fits;
        }
        public override string Description { get { return description + "<" + type + ">"; } }
        internal override bool Matches(object actual) { return actual != null && fits(actual.GetType()); }
        internal override string Found(object actual)
        {
            return actual == null ? "null" : "<" + actual.GetType() + ">" +
                   (actual is Exception ? " (" + ((Exception)actual).Message + ")" : "");
        }
    }

    sealed class PropertyConstraint : Constraint
    {
        readonly string name;
        readonly Constraint inner;
        public PropertyConstraint(string name, Constraint inner)
        {
            this.name = name;
            this.inner = inner;
        }
        public override string Description
        {
            get { return "property " + name + (inner == null ? "" : " " + inner.Description); }
        }
        internal override bool Matches(object actual)
        {
            PropertyInfo property = Find(actual);
            if (inner == null)
                return property != null;
            if (property == null)
                throw new ArgumentException("Property " + name + " was not found on " + actual.GetType());
            return inner.Matches(property.GetValue(actual, null));
        }
        internal override string Found(object actual)
        {
            PropertyInfo property = Find(actual);
            return inner == null || property == null ? Failure.Show(actual)
                : inner.Found(property.GetValue(actual, null));
        }
        /* Find List<T>.Count, an array's Length, or Count of an implemented interface. */
        PropertyInfo Find(object actual)
        {
            if (actual == null)
                throw new ArgumentNullException("actual");
            PropertyInfo property = actual.GetType().GetProperty(name);
            foreach (Type type in actual.GetType().GetInterfaces())
                property = property ?? type.GetProperty(name);
            return property;
        }
    }

    public class CollectionConstraint : Constraint
    {
        readonly string description;
        readonly IEnumerable expected;
        readonly bool noMore, noLess;
        internal CollectionConstraint(string description, IEnumerable expected, bool noMore, bool noLess)
        {
            this.description = description;
            this.expected = expected;
            this.noMore = noMore;
            this.noLess = noLess;
        }
        public override string Description { get { return description + Failure.Show(expected); } }
        internal override bool Matches(object actual)
        {
            var left = new List<object>(Items.Of(expected));
            foreach (object item in Items.Of(actual))
            {
                int at = left.FindIndex(other => Comparing.Same(other, item, null));
                if (at >= 0)
                    left.RemoveAt(at);
                else if (noMore)
                    return false;
            }
            return !noLess || left.Count == 0;
        }
    }

    public class ContainsConstraint : Constraint
    {
        readonly object expected;
        readonly Comparing comparing = new Comparing();
        internal ContainsConstraint(object expected) { this.expected = expected; }
        public override string Description
        {
            get { return (expected is string ? "String containing " : "collection containing ") + Failure.Show(expected); }
        }
        public ContainsConstraint IgnoreCase
        {
            get
            {
                comparing.IgnoresCase = true;
                return this;
            }
        }
        internal override bool Matches(object actual)
        {
            var text = actual as string;
            if (text != null && expected is string)
                return text.IndexOf((string)expected, comparing.TextComparison) >= 0;
            foreach (object item in Items.Of(actual))
                if (Comparing.Same(expected, item, comparing))
                    return true;
            return false;
        }
    }

    public class TextConstraint : Constraint
    {
        readonly string description;
        readonly Func<string, StringComparison, bool> fits;
        StringComparison comparison = StringComparison.Ordinal;
        TextConstraint(string description, string expected, Func<string, StringComparison, bool> fits)
        {
            this.description = description + Failure.Show(expected);
            this.fits = fits;
        }
        internal static TextConstraint Start(string expected)
        {
            return new TextConstraint("String starting with ", expected, (a, c) => a.StartsWith(expected, c));
        }
        internal static TextConstraint End(string expected)
        {
            return new TextConstraint("String ending with ", expected, (a, c) => a.EndsWith(expected, c));
        }
        internal static TextConstraint Pattern(string pattern)
        {
            return new TextConstraint("String matching ", pattern, (a, c) => Regex.IsMatch(a, pattern,
                c == StringComparison.Ordinal ? RegexOptions.None : RegexOptions.IgnoreCase));
        }
        public TextConstraint IgnoreCase
        {
            get
            {
                comparison = StringComparison.OrdinalIgnoreCase;
                return this;
            }
        }
        public override string Description { get { return description; } }
        internal override bool Matches(object actual)
        {
            return actual is string && fits((string)actual, comparison);
        }
    }
}
