// The dependency graph as data: neighbours, kin, the way of a line, where the arrow keys go, what is in sight.
import type {Graph, GraphEdge, GraphNode} from './types.ts';

export interface Kin {
    up: Set<number>; // all that it needs, directly or not
    down: Set<number>; // all that need it
}

export class Links {
    readonly needs = new Map<number, number[]>();
    readonly neededBy = new Map<number, number[]>();

    constructor(edges: readonly Pick<GraphEdge, 'from' | 'to'>[]) {
        const put = (map: Map<number, number[]>, key: number, value: number) => {
            const list = map.get(key);
            if (!list) map.set(key, [value]);
            else if (!list.includes(value)) list.push(value);
        };
        for (const e of edges) {
            put(this.needs, e.to, e.from);
            put(this.neededBy, e.from, e.to);
        }
    }

    kin(id: number): Kin {
        return {up: reach(this.needs, id), down: reach(this.neededBy, id)};
    }
}

function reach(map: ReadonlyMap<number, number[]>, from: number): Set<number> {
    const out = new Set<number>(),
        stack = [...(map.get(from) ?? [])];
    while (stack.length) {
        const id = stack.pop()!;
        if (id !== from && !out.has(id)) {
            out.add(id);
            stack.push(...(map.get(id) ?? []));
        }
    }
    return out;
}

/** Upright lines, and curves that leave and enter upright. */
export function way(points: readonly (readonly [number, number])[]): string {
    let out = '';
    points.forEach(([x, y], i) => {
        const before = points[i - 1];
        if (!before) out += `M${x} ${y}`;
        else if (before[0] === x) out += `V${y}`;
        else {
            const half = (y - before[1]) / 2;
            out += `C${before[0]} ${before[1] + half} ${x} ${y - half} ${x} ${y}`;
        }
    });
    return out;
}

const middle = (n: GraphNode) => ({x: n.x + n.width / 2, y: n.y + n.height / 2});

/** Where an arrow key leads from a node: up and down along lines, left and right beside it; null: nowhere. */
export function step(
    nodes: ReadonlyMap<number, GraphNode>,
    links: Links,
    from: number,
    key: string,
): number | null {
    const here = nodes.get(from);
    if (!here) return nodes.keys().next().value ?? null;
    const at = middle(here);
    let best: number | null = null,
        least = Infinity;
    const offer = (n: GraphNode, far: number) => {
        if (far < least) {
            least = far;
            best = n.id;
        }
    };
    if (key === 'ArrowUp' || key === 'ArrowDown') {
        for (const id of (key === 'ArrowUp' ? links.needs : links.neededBy).get(from) ?? []) {
            const n = nodes.get(id);
            if (n) offer(n, Math.abs(middle(n).x - at.x) + Math.abs(middle(n).y - at.y) / 4);
        }
        return best;
    }
    const turn = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
    for (const n of nodes.values()) {
        const to = middle(n),
            dx = (to.x - at.x) * turn,
            dy = Math.abs(to.y - at.y);
        if (turn && n.id !== from && dx > 0) offer(n, dx + 20 * dy); // first of all in the same layer
    }
    return best;
}

/* ---- the view: screen = graph * scale + (x, y) */

export interface View {
    x: number;
    y: number;
    scale: number;
}

export const LEAST = 0.05,
    MOST = 3;

export function fit(
    g: Pick<Graph, 'width' | 'height'>,
    width: number,
    height: number,
    margin = 16,
): View {
    const scale = Math.max(
        LEAST,
        Math.min(
            1.25,
            (width - 2 * margin) / Math.max(1, g.width),
            (height - 2 * margin) / Math.max(1, g.height),
        ),
    );
    return {scale, x: (width - g.width * scale) / 2, y: (height - g.height * scale) / 2};
}

/** Zooms so that what is at this place of the screen stays there. */
export function zoom(v: View, by: number, x: number, y: number): View {
    const scale = Math.max(LEAST, Math.min(MOST, v.scale * by)),
        k = scale / v.scale;
    return {scale, x: x - (x - v.x) * k, y: y - (y - v.y) * k};
}

/** Moves as little as needed so that the node is in sight. */
export function reveal(v: View, n: GraphNode, width: number, height: number, margin = 24): View {
    const shift = (from: number, length: number, room: number) => {
        if (length > room - 2 * margin || from < margin) return margin - from;
        return from + length > room - margin ? room - margin - from - length : 0;
    };
    return {
        scale: v.scale,
        x: v.x + shift(n.x * v.scale + v.x, n.width * v.scale, width),
        y: v.y + shift(n.y * v.scale + v.y, n.height * v.scale, height),
    };
}
