using System;
using System.Collections.Generic;
using System.Reflection;

namespace Multiverse.Api
{
    /// <summary>
    /// Everything of Unity that an assembly refers to: in the code of its methods, in signatures, fields,
    /// base classes and attributes.
    /// </summary>
    sealed class Uses
    {
        const BindingFlags all = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance |
                                 BindingFlags.Static | BindingFlags.DeclaredOnly;

        public readonly HashSet<MemberInfo> Members = new HashSet<MemberInfo>();

        public Uses(Assembly assembly)
        {
            Attributes(CustomAttributeData.GetCustomAttributes(assembly));
            foreach (Type type in assembly.GetTypes())
                Scan(type);
        }

        static bool IsUnity(Type type)
        {
            string name = type.Assembly.GetName().Name;
            return name.StartsWith("UnityEngine", StringComparison.Ordinal) ||
                   name.StartsWith("UnityEditor", StringComparison.Ordinal);
        }

        void Scan(Type type)
        {
            Add(type.BaseType);
            foreach (Type face in type.GetInterfaces())
                Implemented(face);
            Attributes(CustomAttributeData.GetCustomAttributes(type));
            foreach (FieldInfo field in type.GetFields(all))
            {
                Add(field.FieldType);
                Attributes(CustomAttributeData.GetCustomAttributes(field));
            }
            foreach (PropertyInfo property in type.GetProperties(all))
                Attributes(CustomAttributeData.GetCustomAttributes(property));
            foreach (ConstructorInfo constructor in type.GetConstructors(all))
                Scan(constructor);
            foreach (MethodInfo method in type.GetMethods(all))
            {
                Add(method.ReturnType);
                Overridden(method);
                Scan(method);
            }
        }

        void Implemented(Type face)
        {
            Add(face);
            if (IsUnity(face))
                foreach (MethodInfo method in face.GetMethods())
                    Add(method);
        }

        void Overridden(MethodInfo method)
        {
            MethodInfo first = method.GetBaseDefinition();
            if (first != method)
                Add(first);
        }

        void Scan(MethodBase method)
        {
            foreach (ParameterInfo parameter in method.GetParameters())
                Add(parameter.ParameterType);
            Attributes(CustomAttributeData.GetCustomAttributes(method));
            MethodBody body = method.GetMethodBody();
            if (body == null)
                return;
            foreach (LocalVariableInfo local in body.LocalVariables)
                Add(local.LocalType);
            foreach (ExceptionHandlingClause clause in body.ExceptionHandlingClauses)
                if (clause.Flags == ExceptionHandlingClauseOptions.Clause)
                    Add(clause.CatchType);
            foreach (MemberInfo member in Code.Members(method, body.GetILAsByteArray()))
                Add(member);
        }

        void Attributes(IList<CustomAttributeData> attributes)
        {
            foreach (CustomAttributeData attribute in attributes)
                Add(attribute.Constructor);
        }

        void Add(MemberInfo member)
        {
            var type = member as Type;
            if (type != null)
            {
                Add(type);
                return;
            }
            if (member == null || member.DeclaringType == null)
                return;
            Add(member.DeclaringType);
            var method = member as MethodInfo;
            if (method != null && method.IsGenericMethod)
            {
                foreach (Type argument in method.GetGenericArguments())
                    Add(argument);
                member = method.GetGenericMethodDefinition();
            }
            if (IsUnity(member.DeclaringType) && !IsPlain(member))
                Members.Add(Definition(member));
        }

        /* What a delegate or an attribute without arguments is made with says no more than its type. */
        static bool IsPlain(MemberInfo member)
        {
            var constructor = member as ConstructorInfo;
            return constructor != null && (typeof(Delegate).IsAssignableFrom(member.DeclaringType) ||
                   typeof(Attribute).IsAssignableFrom(member.DeclaringType) && constructor.GetParameters().Length == 0);
        }

        /* List<int>.Add and List<string>.Add are one member. */
        static MemberInfo Definition(MemberInfo member)
        {
            Type owner = member.DeclaringType;
            if (!owner.IsGenericType || owner.IsGenericTypeDefinition)
                return member;
            foreach (MemberInfo candidate in owner.GetGenericTypeDefinition().GetMembers(all))
                if (candidate.MetadataToken == member.MetadataToken)
                    return candidate;
            return member;
        }

        void Add(Type type)
        {
            while (type != null && type.HasElementType)
                type = type.GetElementType();
            if (type == null || type.IsGenericParameter)
                return;
            if (type.IsGenericType && !type.IsGenericTypeDefinition)
            {
                foreach (Type argument in type.GetGenericArguments())
                    Add(argument);
                type = type.GetGenericTypeDefinition();
            }
            if (IsUnity(type))
                Members.Add(type);
        }
    }
}
