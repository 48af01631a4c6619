// Enums by name and number. Flags are bits, and numbers of 64 of them: so BigInt.
import type {Numeric} from './number.ts';

export interface Option {
    name: string;
    value: number | bigint;
}

/** The number of what the tools show: a name, "A, B", or a number that has none. null: it cannot be told. */
export function numberOf(options: readonly Option[], shown: unknown): bigint | null {
    if (typeof shown === 'bigint') return shown;
    if (typeof shown === 'number') return Number.isInteger(shown) ? BigInt(shown) : null;
    if (typeof shown !== 'string') return null;
    const whole = options.find(o => o.name === shown);
    if (whole) return BigInt(whole.value);
    let sum = 0n;
    for (const name of shown.split(/[,|]/).map(n => n.trim())) {
        const option = options.find(o => o.name === name);
        if (!option) return null;
        sum |= BigInt(option.value);
    }
    return sum;
}

export function plain(n: bigint): Numeric {
    return Number.isSafeInteger(Number(n)) ? Number(n) : n;
}

/** Whether a flag is set: all its bits are. One without bits (None) is set where nothing is. */
export function isSet(value: bigint, option: Option): boolean {
    const bits = BigInt(option.value);
    return bits === 0n ? value === 0n : (value & bits) === bits;
}

/** The value with a flag set or not; None clears all. A negative number stays one of 32 bits that has them all. */
export function withFlag(value: bigint, option: Option, on: boolean): bigint {
    const bits = BigInt(option.value);
    if (bits === 0n) return 0n;
    return on ? value | bits : value & ~bits;
}

/** Bits that no option has. */
export function restOf(value: bigint, options: readonly Option[]): bigint {
    return options.reduce((rest, o) => rest & ~BigInt(o.value), value);
}
