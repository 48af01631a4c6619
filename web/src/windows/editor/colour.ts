// Converts colours between parts from 0 to 1 (more for HDR) and #rrggbb of the browser's colour
// input.
export interface Colour {
    r: number;
    g: number;
    b: number;
    a: number;
}

function toByte(part: number): number {
    return Math.max(0, Math.min(255, Math.round((Number.isFinite(part) ? part : 0) * 255)));
}

/** Return the HDR intensity: the brightest part if it is above 1, else 1. */
export function intensity(c: Omit<Colour, 'a'>): number {
    const most = Math.max(c.r, c.g, c.b);
    return Number.isFinite(most) && most > 1 ? most : 1;
}

export function toHex(c: Omit<Colour, 'a'>): string {
    const by = intensity(c);
    return `#${[c.r, c.g, c.b]
        .map(p =>
            toByte(p / by)
                .toString(16)
                .padStart(2, '0'),
        )
        .join('')}`;
}

/** Round to seven digits, the precision of a float. */
function roundPart(n: number): number {
    return Number(n.toPrecision(7));
}

/** Parse a value of the colour input and keep the intensity of `before`; null if it is invalid. */
export function fromHex(hex: string, before: Colour): Omit<Colour, 'a'> | null {
    const found = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex.trim());
    if (!found) return null;
    const by = intensity(before);
    const [r, g, b] = found.slice(1).map(h => roundPart((parseInt(h, 16) / 255) * by)) as [
        number,
        number,
        number,
    ];
    return {r, g, b};
}
