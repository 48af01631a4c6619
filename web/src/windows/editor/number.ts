// Numbers as people type them, and as the tools take them.

/** What JSON has no number for goes as a word, as the tools tell it. */
export type Numeric = number | bigint | 'NaN' | 'Infinity' | '-Infinity';

export interface Limits {
    integer: boolean;
    min?: number | bigint;
    max?: number | bigint;
}

export type Parsed = {value: Numeric} | {fault: string};

const WORDS: Record<string, Numeric> = {
    nan: 'NaN',
    infinity: 'Infinity',
    inf: 'Infinity',
    '-infinity': '-Infinity',
    '-inf': '-Infinity',
    '∞': 'Infinity',
    '-∞': '-Infinity',
};

export function isNumeric(v: unknown): v is Numeric {
    return (
        typeof v === 'number' ||
        typeof v === 'bigint' ||
        v === 'NaN' ||
        v === 'Infinity' ||
        v === '-Infinity'
    );
}

/** As it stands in the input: all digits that count, none that do not. */
export function numberText(v: Numeric): string {
    return Object.is(v, -0) ? '-0' : String(v);
}

/** Short, for where it is only read. */
export function shortNumber(v: Numeric): string {
    return typeof v === 'number' && !Number.isInteger(v)
        ? String(Number(v.toPrecision(5)))
        : numberText(v);
}

function withinLimits(value: number | bigint, limits: Limits): Parsed {
    if (limits.min !== undefined && value < limits.min) return {fault: `at least ${limits.min}`};
    if (limits.max !== undefined && value > limits.max) return {fault: `at most ${limits.max}`};
    return {value};
}

function parseInteger(text: string, limits: Limits): Parsed {
    if (!/^[+-]?\d+$/.test(text)) {
        const n = Number(text); // 1e3, 5.0
        if (text === '' || !Number.isSafeInteger(n)) return {fault: 'a whole number is needed'};
        return withinLimits(n, limits);
    }
    const big = BigInt(text.replace(/^\+/, ''));
    const n = Number(big);
    return withinLimits(Number.isSafeInteger(n) ? n : big, limits);
}

/** One comma is a point to those whose keyboard has it: 1,5. */
export function parseNumber(input: string, limits: Limits): Parsed {
    const text = input
        .trim()
        .replace(/^([+-]?\d*),(\d+)$/, '$1.$2')
        .replace(/^−/, '-');
    if (limits.integer) return parseInteger(text, limits);
    const word = WORDS[text.toLowerCase()];
    if (word !== undefined) return {value: word};
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return {fault: 'a number is needed'};
    const n = Number(text);
    return Number.isFinite(n) ? withinLimits(n, limits) : {fault: 'this number is too large'};
}

export function sameNumber(a: Numeric, b: Numeric): boolean {
    return (
        Object.is(a, b) ||
        (typeof a !== 'string' &&
            typeof b !== 'string' &&
            a == b &&
            !Object.is(a, -0) &&
            !Object.is(b, -0))
    );
}

/** The value after a drag of so many pixels; `speed` 1, faster with Shift, finer with Alt. */
export function dragged(start: Numeric, pixels: number, limits: Limits, speed = 1): Numeric {
    if (typeof start === 'string') return start;
    if (limits.integer) {
        const steps = Math.trunc((pixels * speed) / 4);
        const sum = BigInt(typeof start === 'number' ? Math.trunc(start) : start) + BigInt(steps);
        const least = limits.min,
            most = limits.max;
        const held =
            least !== undefined && sum < least
                ? BigInt(least)
                : most !== undefined && sum > most
                  ? BigInt(most)
                  : sum;
        return Number.isSafeInteger(Number(held)) ? Number(held) : held;
    }
    const from = Number(start);
    const step = Math.max(1, Math.abs(from)) * 0.02 * speed;
    const digits = Math.max(0, Math.min(12, 2 - Math.floor(Math.log10(step * 10))));
    const value = Number((from + pixels * step).toFixed(digits));
    return Math.max(
        Number(limits.min ?? -Infinity),
        Math.min(Number(limits.max ?? Infinity), value),
    );
}

/** Up and down keys: `by` up or down, as far as the limits go. */
export function stepped(start: Numeric, direction: 1 | -1, limits: Limits, by = 1): Numeric {
    if (typeof start === 'string') return start;
    const next =
        limits.integer || typeof start === 'bigint'
            ? BigInt(start) + BigInt(direction * Math.max(1, Math.trunc(by)))
            : Number((Number(start) + direction * by).toPrecision(12));
    const plain =
        typeof next === 'bigint' && Number.isSafeInteger(Number(next)) ? Number(next) : next;
    if (limits.min !== undefined && plain < limits.min) return limits.min;
    return limits.max !== undefined && plain > limits.max ? limits.max : plain;
}

/** Where a slider was left: of a float the digits that a hand can mean, of a whole number all. */
export function slid(to: number, isInteger: boolean): number {
    return isInteger ? Math.round(to) : Number(to.toPrecision(6));
}
