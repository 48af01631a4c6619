// JSON without loss of numbers: integers that a double cannot hold are BigInt, and -0 stays -0.

type Json = null | boolean | number | bigint | string | Json[] | {[key: string]: Json};

/** Like JSON.parse. Browsers without `context.source` return the rounded number. */
export function parseExact(text: string): unknown {
    return JSON.parse(text, (_key: string, value: unknown, context?: {source?: string}) => {
        const source = context?.source;
        return typeof value === 'number' &&
            source !== undefined &&
            !Number.isSafeInteger(value) &&
            /^-?\d+$/.test(source)
            ? BigInt(source)
            : value;
    });
}

/** Like JSON.stringify, for plain values; undefined members are left out. */
export function stringifyExact(value: unknown): string {
    const v = value as Json;
    if (typeof v === 'bigint') return v.toString();
    if (typeof v === 'number') return Object.is(v, -0) ? '-0' : JSON.stringify(v);
    if (Array.isArray(v)) return `[${v.map(item => stringifyExact(item ?? null)).join(',')}]`;
    if (v !== null && typeof v === 'object') {
        const members = Object.entries(v).filter(([, m]) => m !== undefined);
        const texts = members.map(([k, m]) => `${JSON.stringify(k)}:${stringifyExact(m)}`);
        return `{${texts.join(',')}}`;
    }
    return JSON.stringify(v);
}
