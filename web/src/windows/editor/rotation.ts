// Converts quaternions and Euler angles in Unity's order: z, then x, then y.
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

function roundAngle(n: number): number {
    const rounded = Number(n.toFixed(4));
    return rounded === 0 ? 0 : rounded;
}

export function toAngles({x, y, z, w}: Quaternion): Angles {
    const length = Math.hypot(x, y, z, w);
    if (!(length > 0) || !Number.isFinite(length)) return {x: 0, y: 0, z: 0};
    [x, y, z, w] = [x / length, y / length, z / length, w / length];
    const sine = 2 * (w * x - y * z);
    if (Math.abs(sine) > 0.9999999)
        // gimbal lock (straight up or down): y and z are the same rotation, so use y only
        return {x: Math.sign(sine) * 90, y: roundAngle(2 * Math.atan2(y, w) * DEGREES), z: 0};
    return {
        x: roundAngle(Math.asin(sine) * DEGREES),
        y: roundAngle(Math.atan2(2 * (w * y + x * z), 1 - 2 * (x * x + y * y)) * DEGREES),
        z: roundAngle(Math.atan2(2 * (w * z + x * y), 1 - 2 * (x * x + z * z)) * DEGREES),
    };
}

export function fromAngles(a: Angles): Quaternion {
    const half = (d: number) => [Math.sin(d / DEGREES / 2), Math.cos(d / DEGREES / 2)] as const;
    const [sx, cx] = half(a.x),
        [sy, cy] = half(a.y),
        [sz, cz] = half(a.z);
    const round = (n: number) => Number(n.toPrecision(8));
    return {
        x: round(cy * sx * cz + sy * cx * sz),
        y: round(sy * cx * cz - cy * sx * sz),
        z: round(cy * cx * sz - sy * sx * cz),
        w: round(cy * cx * cz + sy * sx * sz),
    };
}
