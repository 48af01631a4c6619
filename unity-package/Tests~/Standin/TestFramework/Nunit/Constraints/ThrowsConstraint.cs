using System;

namespace NUnit.Framework.Constraints
{
    /// <summary>The call throws an exception that matches.</summary>
    sealed class ThrowsConstraint : Constraint
    {
        readonly Constraint inner;
        Exception thrown;

        /// <summary>inner null: any exception.</summary>
        public ThrowsConstraint(Constraint inner) { this.inner = inner; }

        public override string Description { get { return inner == null ? "an exception" : inner.Description; } }

        internal override bool Matches(object actual)
        {
            var code = actual as TestDelegate;
            thrown = code == null ? actual as Exception : Assert.Caught(code);
            return inner == null ? thrown != null : inner.Matches(thrown);
        }

        internal override string Found(object actual)
        {
            return thrown == null ? "no exception thrown" : "<" + thrown.GetType() + "> (" + thrown.Message + ")";
        }
    }

    /// <summary>The call throws nothing.</summary>
    sealed class ThrowsNothingConstraint : Constraint
    {
        Exception thrown;

        public override string Description { get { return "No Exception to be thrown"; } }

        internal override bool Matches(object actual)
        {
            thrown = Assert.Caught((TestDelegate)actual);
            return thrown == null;
        }

        internal override string Found(object actual) { return "<" + thrown + ">"; }
    }
}
