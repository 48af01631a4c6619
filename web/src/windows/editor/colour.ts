// Colours: parts from 0 to 1 (more if they shine), and #rrggbb as the browser's colour input has them.
export interface Colour {
    r: number;
    g: number;
    b: number;
    a: number;
}

function byte(part: number): number {
    return Math.max(0, Math.min(255, Math.round((Number.isFinite(part) ? part : 0) * 255)));
}

/** How much brighter than white the brightest part is: 1 for all that is no HDR. */
export function intensity(c: Omit<Colour, 'a'>): number {
    const most = Math.max(c.r, c.g, c.b);
    return Number.isFinite(most) && most > 1 ? most : 1;
}

export function toHex(c: Omit<Colour, 'a'>): string {
    const by = intensity(c);
    return `#${[c.r, c.g, c.b]
        .map(p =>
            byte(p / by)
                .toString(16)
                .padStart(2, '0'),
        )
        .join('')}`;
}

/** Seven digits: what a float holds of a byte. */
function part(n: number): number {
    return Number(n.toPrecision(7));
}

/** What the colour input gave; the intensity stays. null: it is no colour. */
export function fromHex(hex: string, before: Colour): Omit<Colour, 'a'> | null {
    const found = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex.trim());
    if (!found) return null;
    const by = intensity(before);
    const [r, g, b] = found.slice(1).map(h => part((parseInt(h, 16) / 255) * by)) as [
        number,
        number,
        number,
    ];
    return {r, g, b};
}
