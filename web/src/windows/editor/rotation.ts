// Quaternions and the angles people turn by, in Unity's order: about z, then x, then y.
export interface Quaternion {
    x: number;
    y: number;
    z: number;
    w: number;
}
export interface Angles {
    x: number;
    y: number;
    z: number;
}

const DEGREES = 180 / Math.PI;

function tidy(n: number): number {
    const rounded = Number(n.toFixed(4));
    return rounded === 0 ? 0 : rounded;
}

export function toAngles({x, y, z, w}: Quaternion): Angles {
    const length = Math.hypot(x, y, z, w);
    if (!(length > 0) || !Number.isFinite(length)) return {x: 0, y: 0, z: 0};
    [x, y, z, w] = [x / length, y / length, z / length, w / length];
    const sine = 2 * (w * x - y * z);
    if (Math.abs(sine) > 0.9999999)
        // straight up or down, as near as floats tell: z says nothing that y does not
        return {x: Math.sign(sine) * 90, y: tidy(2 * Math.atan2(y, w) * DEGREES), z: 0};
    return {
        x: tidy(Math.asin(sine) * DEGREES),
        y: tidy(Math.atan2(2 * (w * y + x * z), 1 - 2 * (x * x + y * y)) * DEGREES),
        z: tidy(Math.atan2(2 * (w * z + x * y), 1 - 2 * (x * x + z * z)) * DEGREES),
    };
}

export function fromAngles(a: Angles): Quaternion {
    const half = (d: number) => [Math.sin(d / DEGREES / 2), Math.cos(d / DEGREES / 2)] as const;
    const [sx, cx] = half(a.x),
        [sy, cy] = half(a.y),
        [sz, cz] = half(a.z);
    const part = (n: number) => Number(n.toPrecision(8));
    return {
        x: part(cy * sx * cz + sy * cx * sz),
        y: part(sy * cx * cz - cy * sx * sz),
        z: part(cy * cx * sz - sy * sx * cz),
        w: part(cy * cx * cz + sy * sx * sz),
    };
}
