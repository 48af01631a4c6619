using System;
using System.Collections.Generic;
using UnityEngine;

namespace Standin
{
    /// <summary>Implements AddComponent: Unity's rules, required components, and the messages to a
    /// new component.</summary>
    internal static class ComponentAdding
    {
        static readonly string[] flat =
        {
            "UnityEngine.Rigidbody2D", "UnityEngine.Collider2D", "UnityEngine.Joint2D"
        };
        static readonly string[] sprite = { "UnityEngine.SpriteRenderer" };
        static readonly string[] mesh = { "UnityEngine.MeshFilter" };
        static readonly string[] solid = { "UnityEngine.Rigidbody", "UnityEngine.Collider", "UnityEngine.Joint" };

        /// <summary>Raised for every added component, required ones included, in order.</summary>
        public static event Action<Component> Added;
        /// <summary>Raised when a RectTransform replaced a Transform.</summary>
        public static event Action<Transform, Transform> Replaced;

        /// <summary>Return the component, or null if refused; the console has the reason.</summary>
        public static Component Add(GameObject to, Type type)
        {
            return Add(to, type, new List<Type>());
        }

        static Component Add(GameObject to, Type type, List<Type> onTheWay)
        {
            string refusal = Refusal(to, type);
            if (refusal != null)
            {
                Debug.LogError(refusal, to);
                return null;
            }
            if (type == typeof(RectTransform))
                return ToRect(to);
            onTheWay.Add(type);
            foreach (Type needed in Requirements.Of(type))
                if (to.GetComponent(needed) == null && !onTheWay.Contains(needed) && Add(to, needed, onTheWay) == null)
                    return null;
            var component = (Component)Instances.New(type);
            Attach(to, component);
            Welcome(component);
            return component;
        }

        /// <summary>Return why Unity would refuse the component, or null.</summary>
        public static string Refusal(GameObject to, Type type)
        {
            if (type == null || !typeof(Component).IsAssignableFrom(type))
                return "AddComponent asking for invalid type";
            string name = type.Name;
            if (IsAbstract(type))
                return "Cannot add component of type '" + name
                    + "' because it is abstract. Add component of type that is derived from '" + name + "' instead.";
            if (Hooks.IsEditorOnly(type))
                return "Can't add script behaviour '" + name
                    + "' because it is an editor script. To attach a script it needs to be outside the "
                    + "'Editor' folder.";
            bool isRect = type == typeof(RectTransform);
            if (isRect ? to.transform is RectTransform : typeof(Transform).IsAssignableFrom(type))
                return AlreadyThere(to, name);
            Type single = SingleBase(type);
            if (single != null && to.GetComponent(single) != null)
                return AlreadyThere(to, name);
            Component other = Conflict(to, type);
            if (other != null)
                return "Can't add component '" + name + "' to " + to.m_Name
                    + " because it conflicts with the existing '" + other.GetType().Name + "' derived component!";
            return null;
        }

        static string AlreadyThere(GameObject to, string name)
        {
            return "Can't add component '" + name + "' to " + to.m_Name
                + " because such a component is already added to the game object!";
        }

        static bool IsAbstract(Type type)
        {
            var native = (NativeClassAttribute)Attribute.GetCustomAttribute(type, typeof(NativeClassAttribute), false);
            return type.IsAbstract || type.ContainsGenericParameters || (native != null && native.Abstract);
        }

        /* The class, itself or a base class, of which only one is allowed; null: several are
           allowed. */
        static Type SingleBase(Type type)
        {
            for (Type t = type; t != null && t != typeof(Component); t = t.BaseType)
            {
                if (t.IsDefined(typeof(DisallowMultipleComponent), false))
                    return t;
                var native = (NativeClassAttribute)Attribute.GetCustomAttribute(t, typeof(NativeClassAttribute), false);
                if (native != null)
                    return t == type && !native.Multiple ? t : null;
            }
            return null;
        }

        static Component Conflict(GameObject to, Type type)
        {
            string[] others = IsOneOf(type, flat) ? solid : IsOneOf(type, solid) ? flat
                            : IsOneOf(type, sprite) ? mesh : IsOneOf(type, mesh) ? sprite : null;
            if (others != null)
                foreach (ComponentPair pair in to.m_Component)
                    if (!GameObject.IsMissing(pair.component) && IsOneOf(pair.component.GetType(), others))
                        return pair.component;
            return null;
        }

        static bool IsOneOf(Type type, string[] names)
        {
            for (Type t = type; t != null; t = t.BaseType)
                if (Array.IndexOf(names, t.FullName) >= 0)
                    return true;
            return false;
        }

        static Component ToRect(GameObject to)
        {
            Transform old = to.transform;
            RectTransform created = RectTransform.InPlaceOf(old);
            if (Replaced != null)
                Replaced(old, created);
            return created;
        }

        /// <summary>Only link the component, without checks and messages; also used by file
        /// readers.</summary>
        public static void Attach(GameObject to, Component component)
        {
            component.m_GameObject = to;
            to.m_Component.Add(new ComponentPair(component));
        }

        static void Welcome(Component component)
        {
            var script = component as MonoBehaviour;
            if ((object)script != null)
                script.m_Script = Hooks.ScriptOf(component.GetType());
            if (Added != null)
                Added(component);
            if ((object)script == null)
                return;
            if (!Hooks.IsPlaying())
            {
                Messages.Send(script, "Reset");
                Messages.Send(script, "OnValidate");
            }
            if (!script.m_GameObject.activeInHierarchy)
                return;
            Messages.SendIfRunning(script, "Awake");
            if (script.m_Enabled)
                Messages.SendIfRunning(script, "OnEnable");
        }
    }
}
