using System;
using System.Collections.Generic;
using System.Reflection;

namespace Multiverse.Api
{
    /// <summary>Members as the table writes them: Type, Type.Property, Type.Method(Type, Type), without
    /// namespaces of arguments.</summary>
    static class Names
    {
        static readonly Dictionary<Type, string> keywords = new Dictionary<Type, string>
        {
            { typeof(bool), "bool" }, { typeof(int), "int" }, { typeof(long), "long" }, { typeof(ulong), "ulong" },
            { typeof(float), "float" }, { typeof(double), "double" }, { typeof(string), "string" },
            { typeof(object), "object" }
        };

        public static string Of(MemberInfo member)
        {
            var type = member as Type;
            if (type != null)
                return OfType(type);
            string owner = OfType(member.DeclaringType);
            var method = member as MethodBase;
            if (method == null)
                return owner + "." + member.Name;
            if (method.IsConstructor)
                return owner + ".new(" + Parameters(method) + ")";
            string accessor = Accessor(method);
            if (accessor != null)
                return owner + "." + accessor;
            string arguments = method.IsGenericMethod
                ? "<" + string.Join(", ", Array.ConvertAll(method.GetGenericArguments(), t => t.Name)) + ">" : "";
            return owner + "." + method.Name + arguments + "(" + Parameters(method) + ")";
        }

        /* Reading and writing a property is one thing, adding and removing of an event, too. */
        static string Accessor(MethodBase method)
        {
            if (!method.IsSpecialName)
                return null;
            foreach (string prefix in new[] { "get_", "set_", "add_", "remove_" })
                if (method.Name.StartsWith(prefix, StringComparison.Ordinal))
                    return method.Name.Substring(prefix.Length);
            return null;
        }

        static string Parameters(MethodBase method)
        {
            ParameterInfo[] parameters = method.GetParameters();
            return string.Join(", ", Array.ConvertAll(parameters, p => (p.IsOut ? "out " : "") + Short(p.ParameterType)));
        }

        static string OfType(Type type)
        {
            if (type.IsGenericType)
                type = type.GetGenericTypeDefinition();
            string name = (type.FullName ?? type.Name).Replace('+', '.');
            int tick = name.IndexOf('`');
            return tick < 0 ? name : name.Substring(0, tick) + "<T>";
        }

        static string Short(Type type)
        {
            if (type.IsByRef)
                return Short(type.GetElementType());
            if (type.IsArray)
                return Short(type.GetElementType()) + "[]";
            if (!type.IsGenericType)
                return keywords.ContainsKey(type) ? keywords[type] : type.Name;
            string name = type.Name;
            int tick = name.IndexOf('`');
            return (tick < 0 ? name : name.Substring(0, tick)) + "<" +
                   string.Join(", ", Array.ConvertAll(type.GetGenericArguments(), Short)) + ">";
        }
    }
}
