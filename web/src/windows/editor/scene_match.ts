// Finds the objects of a scene in a newer version of it. Paths change when a sibling of the same
// name is added or removed, so siblings are compared: equal ones at both ends match, between them
// equal names match, and a single remaining one on both sides was renamed.
import {childrenOf, type Scene} from './scene.ts';

function isSameObject(a: Scene, i: number, b: Scene, k: number): boolean {
    if (a.names[i] !== b.names[k]) return false;
    const x = a.components[i]!,
        y = b.components[k]!;
    return x.length === y.length && x.every((c, n) => c === y[n]);
}

function matchSiblings(a: Scene, old: number[], b: Scene, now: number[], to: Int32Array): void {
    let first = 0,
        oldEnd = old.length,
        nowEnd = now.length;
    const join = (i: number, k: number) => {
        to[old[i]!] = now[k]!;
    };
    while (first < oldEnd && first < nowEnd && isSameObject(a, old[first]!, b, now[first]!))
        join(first, first++);
    while (
        oldEnd > first &&
        nowEnd > first &&
        isSameObject(a, old[oldEnd - 1]!, b, now[nowEnd - 1]!)
    )
        join(--oldEnd, --nowEnd);
    const byName = new Map<string, number[]>();
    for (let k = nowEnd - 1; k >= first; k--) {
        const name = b.names[now[k]!]!;
        byName.set(name, [...(byName.get(name) ?? []), k]);
    }
    const unmatched: number[] = [];
    for (let i = first; i < oldEnd; i++) {
        const k = byName.get(a.names[old[i]!]!)?.pop();
        if (k === undefined) unmatched.push(i);
        else join(i, k);
    }
    const free = [...byName.values()].flat();
    if (unmatched.length === 1 && free.length === 1) join(unmatched[0]!, free[0]!);
}

/** Return for each object of `a` its index in `b`, or -1. */
export function matchScenes(a: Scene, b: Scene): Int32Array {
    const to = new Int32Array(a.names.length).fill(-1);
    const todo: [number, number][] = [[-1, -1]];
    for (let pair = todo.pop(); pair; pair = todo.pop()) {
        const old = childrenOf(a, pair[0]);
        matchSiblings(a, old, b, childrenOf(b, pair[1]), to);
        for (const i of old) if (to[i]! >= 0 && a.end[i]! > i + 1) todo.push([i, to[i]!]);
    }
    return to;
}

/** Return the paths of these objects in `b`, without removed ones. */
export function mapPaths(a: Scene, b: Scene, to: Int32Array, paths: Iterable<string>): Set<string> {
    const made = new Set<string>();
    for (const path of paths) {
        const i = a.byPath.get(path);
        if (i === undefined) {
            if (b.byPath.has(path)) made.add(path);
        } else if (to[i]! >= 0) {
            made.add(b.paths[to[i]!]!);
        }
    }
    return made;
}
