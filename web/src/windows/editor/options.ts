// Enums by name and number. BigInt, because flags may have 64 bits.
import type {Numeric} from './number.ts';

export interface Option {
    name: string;
    value: number | bigint;
}

/** Return the number of a value of the tools: a name, "A, B", or an unnamed number; null if
 * unknown. */
export function numberOf(options: readonly Option[], value: unknown): bigint | null {
    if (typeof value === 'bigint') return value;
    if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : null;
    if (typeof value !== 'string') return null;
    const whole = options.find(o => o.name === value);
    if (whole) return BigInt(whole.value);
    let sum = 0n;
    for (const name of value.split(/[,|]/).map(n => n.trim())) {
        const option = options.find(o => o.name === name);
        if (!option) return null;
        sum |= BigInt(option.value);
    }
    return sum;
}

export function toNumeric(n: bigint): Numeric {
    return Number.isSafeInteger(Number(n)) ? Number(n) : n;
}

/** Whether all bits of a flag are set. A flag without bits (None) is set if the value is 0. */
export function isSet(value: bigint, option: Option): boolean {
    const bits = BigInt(option.value);
    return bits === 0n ? value === 0n : (value & bits) === bits;
}

/** Return the value with a flag set or cleared; None clears all. */
export function withFlag(value: bigint, option: Option, on: boolean): bigint {
    const bits = BigInt(option.value);
    if (bits === 0n) return 0n;
    return on ? value | bits : value & ~bits;
}

/** Return the bits that belong to no option. */
export function unnamedBits(value: bigint, options: readonly Option[]): bigint {
    return options.reduce((bits, o) => bits & ~BigInt(o.value), value);
}
