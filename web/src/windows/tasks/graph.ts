// The logic of the dependency graph without the DOM: related tasks, line paths, arrow keys, zoom
// and pan.
import type {Graph, GraphEdge, GraphNode} from './types.ts';

export interface Related {
    up: Set<number>; // direct and indirect dependencies
    down: Set<number>; // direct and indirect dependents
}

export class Links {
    readonly needs = new Map<number, number[]>();
    readonly neededBy = new Map<number, number[]>();

    constructor(edges: readonly Pick<GraphEdge, 'from' | 'to'>[]) {
        const append = (map: Map<number, number[]>, key: number, value: number) => {
            const list = map.get(key);
            if (!list) map.set(key, [value]);
            else if (!list.includes(value)) list.push(value);
        };
        for (const e of edges) {
            append(this.needs, e.to, e.from);
            append(this.neededBy, e.from, e.to);
        }
    }

    related(id: number): Related {
        return {up: reachFrom(this.needs, id), down: reachFrom(this.neededBy, id)};
    }
}

function reachFrom(map: ReadonlyMap<number, number[]>, from: number): Set<number> {
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

/** Return the SVG path of a line: vertical segments, and curves with vertical ends. */
export function linePath(points: readonly (readonly [number, number])[]): string {
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

const centerOf = (n: GraphNode) => ({x: n.x + n.width / 2, y: n.y + n.height / 2});

/** Return the node that an arrow key selects: up and down along lines, left and right to the
 * nearest; or null. */
export function nextNode(
    nodes: ReadonlyMap<number, GraphNode>,
    links: Links,
    from: number,
    key: string,
): number | null {
    const here = nodes.get(from);
    if (!here) return nodes.keys().next().value ?? null;
    const at = centerOf(here);
    let best: number | null = null,
        least = Infinity;
    const consider = (n: GraphNode, distance: number) => {
        if (distance < least) {
            least = distance;
            best = n.id;
        }
    };
    if (key === 'ArrowUp' || key === 'ArrowDown') {
        for (const id of (key === 'ArrowUp' ? links.needs : links.neededBy).get(from) ?? []) {
            const n = nodes.get(id);
            if (n) consider(n, Math.abs(centerOf(n).x - at.x) + Math.abs(centerOf(n).y - at.y) / 4);
        }
        return best;
    }
    const direction = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
    for (const n of nodes.values()) {
        const to = centerOf(n),
            dx = (to.x - at.x) * direction,
            dy = Math.abs(to.y - at.y);
        // Prefer the same layer
        if (direction && n.id !== from && dx > 0) consider(n, dx + 20 * dy);
    }
    return best;
}

/* ---- the view: screen = graph * scale + (x, y) */

export interface View {
    x: number;
    y: number;
    scale: number;
}

export const MIN_SCALE = 0.05,
    MAX_SCALE = 3;

export function fitView(
    g: Pick<Graph, 'width' | 'height'>,
    width: number,
    height: number,
    margin = 16,
): View {
    const scale = Math.max(
        MIN_SCALE,
        Math.min(
            1.25,
            (width - 2 * margin) / Math.max(1, g.width),
            (height - 2 * margin) / Math.max(1, g.height),
        ),
    );
    return {scale, x: (width - g.width * scale) / 2, y: (height - g.height * scale) / 2};
}

/** Zoom around a point of the screen, which keeps its place. */
export function zoomView(v: View, by: number, x: number, y: number): View {
    const scale = Math.max(MIN_SCALE, Math.min(MAX_SCALE, v.scale * by)),
        k = scale / v.scale;
    return {scale, x: x - (x - v.x) * k, y: y - (y - v.y) * k};
}

/** Pan just far enough to make the node visible. */
export function revealNode(
    v: View,
    n: GraphNode,
    width: number,
    height: number,
    margin = 24,
): View {
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
