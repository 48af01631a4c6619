using System;
using System.Collections.Generic;
using UnityEngine;

namespace Standin
{
    /// <summary>[RequireComponent]: what a class requires, and which components require it.</summary>
    internal static class Requirements
    {
        /// <summary>Own and inherited requirements, base class first.</summary>
        public static List<Type> Of(Type type)
        {
            var needed = new List<Type>();
            foreach (RequireComponent require in type.GetCustomAttributes(typeof(RequireComponent), true))
                foreach (Type one in new[] { require.m_Type0, require.m_Type1, require.m_Type2 })
                    if (one != null && !needed.Contains(one))
                        needed.Add(one);
            return needed;
        }

        /// <summary>Return a component that requires this one and has no alternative, or
        /// null.</summary>
        public static Component Dependent(Component component)
        {
            foreach (ComponentPair pair in component.m_GameObject.m_Component)
            {
                Component other = pair.component;
                if (GameObject.IsMissing(other) || ReferenceEquals(other, component))
                    continue;
                foreach (Type needed in Of(other.GetType()))
                    if (needed.IsInstanceOfType(component) && !HasAnother(component, needed))
                        return other;
            }
            return null;
        }

        static bool HasAnother(Component component, Type type)
        {
            return component.m_GameObject.m_Component.Exists(
                pair => !ReferenceEquals(pair.component, component) && GameObject.IsA(pair.component, type));
        }
    }
}
