using System;
using UnityEngine;
using Object = UnityEngine.Object;

namespace Multiverse.Editor
{
    /// <summary>
    /// References: {"$ref": path} to a GameObject of the scene or one of its components, {"$asset":
    /// path} to an asset, or null. In a field of GameObject or Object, $ref means the GameObject;
    /// in others, the first component that fits. "component" names a component by the full or
    /// simple name of its class or a base class.
    /// </summary>
    public static class ReferenceValues
    {
        public static Setter Read(AssignContext context, FieldType type, JsonValue value)
        {
            Object target = FindTarget(context, type, value);
            return p => p.objectReferenceValue = target;
        }

        static Object FindTarget(AssignContext context, FieldType type, JsonValue value)
        {
            if (value.IsNull)
                return null;
            if (value.IsObject && value.Has("$ref"))
                return FindSceneObject(context, type, value);
            if (value.IsObject && value.Has("$asset"))
                return FindAsset(context, type, value);
            throw context.Invalid("a reference to " + type.Name + " is {\"$ref\": path}, {\"$asset\": path} or null");
        }

        public static bool Fits(FieldType type, Type candidate)
        {
            return IsNameOnly(type) ? ComponentTypes.IsA(candidate, type.Name) : type.Clr.IsAssignableFrom(candidate);
        }

        /* An engine class that C# does not have is known only by its name. */
        static bool IsNameOnly(FieldType type)
        {
            return type.Clr == null || (type.Clr == typeof(Object) && type.Name != "UnityEngine.Object");
        }

        static Object FindSceneObject(AssignContext context, FieldType type, JsonValue value)
        {
            JsonValue path = value.Get("$ref"), component = value.Get("component");
            if (!path.IsString)
                throw context.Invalid("$ref is the path of a GameObject, a string");
            if (value.Has("component") && !component.IsString)
                throw context.Invalid("component is the name of a type, a string");
            GameObject owner = context.Paths.Find(path.AsString);
            if (owner == null)
                throw context.NotFound("there is no GameObject at " + path.AsString);
            if (component.IsString)
                return FindNamed(context, type, owner, component.AsString);
            if (!IsNameOnly(type) && (type.Clr == typeof(GameObject) || type.Clr == typeof(Object)))
                return owner;
            foreach (Component c in owner.GetComponents<Component>())
                if (c != null && Fits(type, c.GetType()))
                    return c;
            throw context.NotFound(path.AsString + " has no component of type " + type.Name);
        }

        /* An empty name means the first component that fits. */
        static Object FindNamed(AssignContext context, FieldType type, GameObject owner, string name)
        {
            foreach (Component c in owner.GetComponents<Component>())
            {
                if (c == null ||
                    !(name.Length > 0 ? ComponentTypes.IsA(c.GetType(), name) : Fits(type, c.GetType())))
                    continue;
                if (!Fits(type, c.GetType()))
                    throw context.Invalid("the field accepts " + type.Name + ", not " + FieldTypes.NameOf(c.GetType()));
                return c;
            }
            throw context.NotFound(owner.name + " has no component " + name);
        }

        static Object FindAsset(AssignContext context, FieldType type, JsonValue value)
        {
            JsonValue path = value.Get("$asset"), name = value.Get("name");
            if (!path.IsString)
                throw context.Invalid("$asset is the path of an asset, a string");
            if (value.Has("name") && !name.IsString)
                throw context.Invalid("name is the name of an object of the asset, a string");
            string problem;
            Object found = new AssetFinder(path.AsString, name.AsString, type).Find(out problem);
            if (found == null)
                throw context.NotFound(problem);
            return found;
        }
    }
}
