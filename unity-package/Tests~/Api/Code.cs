using System;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Emit;

namespace Multiverse.Api
{
    /// <summary>Reads the instructions of a method and tells which members they name.</summary>
    static class Code
    {
        static readonly Dictionary<short, OpCode> opcodes = new Dictionary<short, OpCode>();

        static Code()
        {
            foreach (FieldInfo field in typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static))
            {
                var opcode = (OpCode)field.GetValue(null);
                opcodes[opcode.Value] = opcode;
            }
        }

        public static IEnumerable<MemberInfo> Members(MethodBase method, byte[] code)
        {
            Type[] ofType = method.DeclaringType != null && method.DeclaringType.IsGenericType
                ? method.DeclaringType.GetGenericArguments() : null;
            Type[] ofMethod = method.IsGenericMethod ? method.GetGenericArguments() : null;
            int at = 0;
            while (at < code.Length)
            {
                OpCode opcode = Next(code, ref at);
                if (IsToken(opcode.OperandType))
                    yield return method.Module.ResolveMember(BitConverter.ToInt32(code, at), ofType, ofMethod);
                at += Size(opcode.OperandType, code, at);
            }
        }

        static OpCode Next(byte[] code, ref int at)
        {
            short value = code[at++];
            if (value == 0xFE)
                value = (short)(0xFE00 | code[at++]);
            OpCode opcode;
            if (!opcodes.TryGetValue(value, out opcode))
                throw new InvalidOperationException("unknown instruction " + value);
            return opcode;
        }

        static bool IsToken(OperandType type)
        {
            return type == OperandType.InlineField || type == OperandType.InlineMethod ||
                   type == OperandType.InlineTok || type == OperandType.InlineType;
        }

        static int Size(OperandType type, byte[] code, int at)
        {
            switch (type)
            {
                case OperandType.InlineNone: return 0;
                case OperandType.ShortInlineBrTarget:
                case OperandType.ShortInlineI:
                case OperandType.ShortInlineVar: return 1;
                case OperandType.InlineVar: return 2;
                case OperandType.InlineI8:
                case OperandType.InlineR: return 8;
                case OperandType.InlineSwitch: return 4 + 4 * BitConverter.ToInt32(code, at);
                default: return 4;
            }
        }
    }
}
