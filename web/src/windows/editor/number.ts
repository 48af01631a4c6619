// Numbers as people type them and as the tools accept them.
/** A number; values that JSON cannot express are strings, as in the tools. */
export type Numeric = number | bigint | 'NaN' | 'Infinity' | '-Infinity';

export interface Limits {
    integer: boolean;
    min?: number | bigint;
    max?: number | bigint;
}

export type Parsed = {value: Numeric} | {error: string};

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

/** Format a number for an input, with all significant digits. */
export function numberText(v: Numeric): string {
    return Object.is(v, -0) ? '-0' : String(v);
}

/** Format a number for display, with five digits. */
export function shortNumber(v: Numeric): string {
    return typeof v === 'number' && !Number.isInteger(v)
        ? String(Number(v.toPrecision(5)))
        : numberText(v);
}

function withinLimits(value: number | bigint, limits: Limits): Parsed {
    if (limits.min !== undefined && value < limits.min) return {error: `at least ${limits.min}`};
    if (limits.max !== undefined && value > limits.max) return {error: `at most ${limits.max}`};
    return {value};
}

function parseInteger(text: string, limits: Limits): Parsed {
    if (!/^[+-]?\d+$/.test(text)) {
        const n = Number(text); // 1e3, 5.0
        if (text === '' || !Number.isSafeInteger(n)) return {error: 'enter a whole number'};
        return withinLimits(n, limits);
    }
    const big = BigInt(text.replace(/^\+/, ''));
    const n = Number(big);
    return withinLimits(Number.isSafeInteger(n) ? n : big, limits);
}

/** Parse an input; a single comma is a decimal separator: 1,5. */
export function parseNumber(input: string, limits: Limits): Parsed {
    const text = input
        .trim()
        .replace(/^([+-]?\d*),(\d+)$/, '$1.$2')
        .replace(/^−/, '-');
    if (limits.integer) return parseInteger(text, limits);
    const word = WORDS[text.toLowerCase()];
    if (word !== undefined) return {value: word};
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return {error: 'enter a number'};
    const n = Number(text);
    return Number.isFinite(n) ? withinLimits(n, limits) : {error: 'number too large'};
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

/** Return the value after a drag of `pixels`; `speed` is 1, more with Shift, less with Alt. */
export function dragValue(start: Numeric, pixels: number, limits: Limits, speed = 1): Numeric {
    if (typeof start === 'string') return start;
    if (limits.integer) {
        const steps = Math.trunc((pixels * speed) / 4);
        const sum = BigInt(typeof start === 'number' ? Math.trunc(start) : start) + BigInt(steps);
        const least = limits.min,
            most = limits.max;
        const value =
            least !== undefined && sum < least
                ? BigInt(least)
                : most !== undefined && sum > most
                  ? BigInt(most)
                  : sum;
        return Number.isSafeInteger(Number(value)) ? Number(value) : value;
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

/** Return the value after an arrow key: one step of `by` within the limits. */
export function stepValue(start: Numeric, direction: 1 | -1, limits: Limits, by = 1): Numeric {
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

/** Round a slider value: to a whole number, or to six digits. */
export function roundSlider(to: number, isInteger: boolean): number {
    return isInteger ? Math.round(to) : Number(to.toPrecision(6));
}
