// Drawing of curves and gradients, interpolated between keys as Unity does it.
export type Key = Record<string, unknown>;

export function keysOf(map: Record<string, unknown>, list: string): Key[] {
    const keys = map[list];
    return Array.isArray(keys)
        ? keys.map(
              k =>
                  (typeof k === 'object' && k !== null
                      ? 'value' in k && typeof (k as Key).value === 'object'
                          ? (k as {value: Key}).value
                          : k
                      : {}) as Key,
          )
        : [];
}

function number(k: Key | undefined, part: string): number {
    const n = Number(k?.[part] ?? 0);
    return Number.isNaN(n) ? 0 : n;
}

/** Return the value between the keys a and b at t (0 to 1). */
function interpolate(a: Key, b: Key, t: number): number {
    const dt = number(b, 'time') - number(a, 'time'),
        from = number(a, 'value'),
        to = number(b, 'value');
    const out = number(a, 'outTangent') * dt,
        into = number(b, 'inTangent') * dt;
    // A constant segment
    if (!Number.isFinite(out) || !Number.isFinite(into)) return t < 1 ? from : to;
    const t2 = t * t,
        t3 = t2 * t;
    return (
        (2 * t3 - 3 * t2 + 1) * from +
        (t3 - 2 * t2 + t) * out +
        (3 * t2 - 2 * t3) * to +
        (t3 - t2) * into
    );
}

/** Return the points of an SVG polyline that fills the given area. */
export function curveLine(keys: readonly Key[], width: number, height: number): string {
    const finite = keys
        .filter(k => Number.isFinite(Number(k.time)) && Number.isFinite(Number(k.value)))
        .sort((a, b) => number(a, 'time') - number(b, 'time'))
        .slice(0, 64);
    const points: [number, number][] =
        finite.length === 1
            ? [
                  [0, number(finite[0], 'value')],
                  [1, number(finite[0], 'value')],
              ]
            : [];
    for (let i = 0; i + 1 < finite.length; i++) {
        const a = finite[i]!,
            b = finite[i + 1]!,
            from = number(a, 'time'),
            span = number(b, 'time') - from;
        for (let n = 0; n <= 12; n++)
            points.push([from + (span * n) / 12, interpolate(a, b, n / 12)]);
    }
    if (points.length === 0) return '';
    const xs = points.map(p => p[0]),
        ys = points.map(p => p[1]);
    const left = Math.min(...xs),
        low = Math.min(...ys),
        wide = Math.max(...xs) - left || 1,
        high = Math.max(...ys) - low || 1;
    const toX = (x: number) => ((x - left) / wide) * width;
    const toY = (y: number) => height - 2 - ((y - low) / high) * (height - 4);
    return points.map(([x, y]) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(' ');
}

/** Return a part of a gradient at t, interpolated between two keys, or with `steps` that of the
 * next key. */
function gradientPart(
    keys: readonly Key[],
    t: number,
    steps: boolean,
    part: (k: Key) => number,
): number {
    const next = keys.findIndex(k => number(k, 'time') >= t);
    if (next < 0) return keys.length ? part(keys.at(-1)!) : 1;
    const a = keys[next - 1],
        b = keys[next]!;
    const gap = number(b, 'time') - number(a, 'time');
    return !a || steps || gap <= 0
        ? part(b)
        : part(a) + ((part(b) - part(a)) * (t - number(a, 'time'))) / gap;
}

/** Return a gradient as a CSS image. */
export function gradientImage(map: Record<string, unknown>): string {
    const sorted = (list: string) =>
        keysOf(map, list).sort((a, b) => number(a, 'time') - number(b, 'time'));
    const colours = sorted('colorKeys'),
        alphas = sorted('alphaKeys'),
        steps = map.mode === 'Fixed';
    const clamp = (n: number) => Math.max(0, Math.min(1, n));
    const stops = Array.from({length: 33}, (_, i) => {
        const t = i / 32;
        const [r, g, b] = ['r', 'g', 'b'].map(p =>
            Math.round(
                255 * clamp(gradientPart(colours, t, steps, k => number(k.color as Key, p))),
            ),
        );
        const alpha = clamp(gradientPart(alphas, t, steps, k => number(k, 'alpha')));
        return `rgb(${r} ${g} ${b} / ${alpha.toFixed(2)}) ${(100 * t).toFixed(1)}%`;
    });
    return `linear-gradient(to right, ${stops.join(', ')})`;
}
