using System;
using System.Collections.Generic;
using UnityEngine;

namespace Multiverse.Editor
{
    /// <summary>
    /// Decides whether Unity would add a component, and what it would add with it. Checked
    /// beforehand, because Unity refuses with a dialog or a console error.
    /// <code>
    ///     var rules = new AddRules(gameObject);
    ///     rules.Check(type);                       // throws ERR_INVALID_COMPONENT_TYPE
    ///     List&lt;Type&gt; also = rules.Required(type);  // in the order in which they are added
    /// </code>
    /// </summary>
    public sealed class AddRules
    {
        const int MaxRequired = 16;
        const int MaxDepth = 8;

        static readonly string[] sprite = { "UnityEngine.SpriteRenderer" };
        static readonly string[] mesh = { "UnityEngine.MeshFilter" };
        static readonly string[] flat = { "UnityEngine.Rigidbody2D", "UnityEngine.Collider2D", "UnityEngine.Joint2D" };
        static readonly string[] solid = { "UnityEngine.Rigidbody", "UnityEngine.Collider", "UnityEngine.Joint" };

        /* Engine classes that a GameObject can have several times, and their subclasses; of
           every other engine class it has at most one. Their attributes do not show this. */
        static readonly string[] many =
        {
            "UnityEngine.AudioSource", "UnityEngine.Collider", "UnityEngine.Collider2D", "UnityEngine.ConstantForce",
            "UnityEngine.ConstantForce2D", "UnityEngine.Joint", "UnityEngine.Joint2D", "UnityEngine.MonoBehaviour",
            "UnityEngine.VFX.VFXRenderer"
        };

        readonly List<Type> existing = new List<Type>();

        public AddRules(GameObject owner)
        {
            foreach (Component component in owner.GetComponents<Component>())
                if (component != null)
                    existing.Add(component.GetType());
        }

        public void Check(Type type)
        {
            if (!ComponentTypes.IsComponent(type))
                throw RefuseType(type, ScriptClasses.IsOfEditor(type.BaseType) ? editorClass : notComponent);
            if (IsAbstract(type))
                throw RefuseType(type, "is abstract: add a class that derives from it");
            if (ScriptClasses.IsEditorOnly(type))
                throw RefuseType(type, editorClass);
            if (!ScriptClasses.HasFile(type))
                throw RefuseType(type, notComponent);
            if (typeof(Transform).IsAssignableFrom(type))
                throw RefuseType(type, "is a Transform: every GameObject has exactly one already");
            Type single = SingleOf(type);
            if (single != null && HasComponent(single))
                throw RefuseType(type, "is already on this GameObject, which can have only one of it");
            if (Conflicts(type, sprite, mesh))
                throw RefuseType(type, "cannot be added: a GameObject has either a SpriteRenderer or a MeshFilter");
            if (Conflicts(type, flat, solid))
                throw RefuseType(type, "cannot be combined with the physics component of the other dimension (2D or " +
                                   "3D) on this GameObject");
        }

        /* Component, Behaviour, MonoBehaviour and others are not abstract in C#, but cannot be
           added. */
        internal static bool IsAbstract(Type type)
        {
            if (type.IsAbstract || type.ContainsGenericParameters)
                return true;
            return type == typeof(Component) || type == typeof(Behaviour) || type == typeof(MonoBehaviour) ||
                   Array.IndexOf(bases, type.FullName) >= 0;
        }
        static readonly string[] bases =
        {
            "UnityEngine.AnchoredJoint2D", "UnityEngine.AudioBehaviour", "UnityEngine.Collider",
            "UnityEngine.Collider2D", "UnityEngine.Effector2D", "UnityEngine.GridLayout", "UnityEngine.Joint",
            "UnityEngine.Joint2D", "UnityEngine.PhysicsUpdateBehaviour2D", "UnityEngine.Renderer"
        };

        const string notComponent = "is not a Component";
        const string editorClass = "is an editor class: it cannot be on a GameObject";

        /// <summary>Return the class of which a GameObject can have only one if it has this one, or
        /// null. It may be a base class with [DisallowMultipleComponent].</summary>
        static Type SingleOf(Type type)
        {
            Type single = null;
            bool isScript = typeof(MonoBehaviour).IsAssignableFrom(type);
            for (Type t = type; t != null && t != typeof(MonoBehaviour) && t != typeof(Component); t = t.BaseType)
                if (t.IsDefined(typeof(DisallowMultipleComponent), false))
                    single = t;
            if (single != null || isScript)
                return single;
            for (Type t = type; t != null; t = t.BaseType)
                if (Array.IndexOf(many, t.FullName) >= 0)
                    return null;
            return type;
        }

        bool HasComponent(Type type)
        {
            foreach (Type t in existing)
                if (type.IsAssignableFrom(t))
                    return true;
            return false;
        }

        /* 2D and 3D physics cannot be on one GameObject. */
        bool Conflicts(Type type, string[] one, string[] other)
        {
            return (IsOneOf(type, one) && AnyIsOneOf(other)) || (IsOneOf(type, other) && AnyIsOneOf(one));
        }

        bool AnyIsOneOf(string[] names)
        {
            foreach (Type t in existing)
                if (IsOneOf(t, names))
                    return true;
            return false;
        }

        static bool IsOneOf(Type type, string[] names)
        {
            for (; type != null; type = type.BaseType)
                if (Array.IndexOf(names, type.FullName) >= 0)
                    return true;
            return false;
        }

        /// <summary>Return what [RequireComponent] makes Unity add first. A RectTransform among them
        /// replaces the Transform.</summary>
        public List<Type> Required(Type type)
        {
            var also = new List<Type>();
            AddRequired(type, also, MaxDepth);
            return also;
        }

        void AddRequired(Type type, List<Type> also, int depth)
        {
            foreach (Type needed in RequiredBy(type))
            {
                if (HasComponent(needed) || HasOneOf(also, needed))
                    continue;
                if (IsAbstract(needed) || depth == 0 || also.Count == MaxRequired)
                    throw new ToolError("ERR_INVALID_COMPONENT_TYPE",
                        FieldTypes.NameOf(type) + " requires a " + FieldTypes.NameOf(needed) +
                        ", which cannot be added by itself: add one first");
                if (needed != typeof(RectTransform))
                {
                    Check(needed);
                    AddRequired(needed, also, depth - 1);
                }
                if (also.Count == MaxRequired)
                    throw RefuseType(type, "requires too many other components");
                also.Add(needed);
            }
        }

        static bool HasOneOf(List<Type> types, Type type)
        {
            foreach (Type t in types)
                if (type.IsAssignableFrom(t))
                    return true;
            return false;
        }

        /// <summary>Return the types of [RequireComponent], the class's own before those of its base
        /// classes.</summary>
        public static List<Type> RequiredBy(Type type)
        {
            var required = new List<Type>();
            string renderer;
            if (renderers.TryGetValue(type.FullName, out renderer))
                AddTo(required, type.Assembly.GetType(renderer));
            for (; type != null && type != typeof(Component); type = type.BaseType)
                foreach (RequireComponent r in type.GetCustomAttributes(typeof(RequireComponent), false))
                {
                    AddTo(required, r.m_Type0);
                    AddTo(required, r.m_Type1);
                    AddTo(required, r.m_Type2);
                }
            return required;
        }

        /* These add their renderer without a [RequireComponent]. */
        static readonly Dictionary<string, string> renderers = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            { "UnityEngine.ParticleSystem", "UnityEngine.ParticleSystemRenderer" },
            { "UnityEngine.VFX.VisualEffect", "UnityEngine.VFX.VFXRenderer" }
        };

        static void AddTo(List<Type> types, Type type)
        {
            if (type != null && !types.Contains(type))
                types.Add(type);
        }

        static ToolError RefuseType(Type type, string reason)
        {
            return new ToolError("ERR_INVALID_COMPONENT_TYPE", FieldTypes.NameOf(type) + " " + reason);
        }
    }
}
