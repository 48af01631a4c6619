// The logic of the scene tree without the DOM: visible rows, search, keyboard.
import {ancestorsOf, hasChildren, MISSING, PREFAB, type Scene} from './scene.ts';

export interface Query {
    text: string; // part of the name; `t:Type` matches a component
    missing: boolean;
    prefabs: boolean;
}

export interface Found {
    matches: number[];
    isMatch: Uint8Array;
    /** Matches and their ancestors. */
    isHeld: Uint8Array;
}

export function hasQuery(q: Query): boolean {
    return q.text.trim() !== '' || q.missing || q.prefabs;
}

function hasType(components: readonly (string | null)[], type: string): boolean {
    return components.some(c => c !== null && c.toLowerCase().includes(type));
}

/** Find objects by name; `t:body` matches the types of their components. */
export function findObjects(
    s: Scene,
    q: Query,
    lower: readonly string[] = s.names.map(n => n.toLowerCase()),
): Found {
    const n = s.names.length;
    const found: Found = {matches: [], isMatch: new Uint8Array(n), isHeld: new Uint8Array(n)};
    const words = q.text
        .toLowerCase()
        .split(/\s+/)
        .filter(w => w);
    const types = words.filter(w => w.startsWith('t:') && w.length > 2).map(w => w.slice(2));
    const name = q.text
        .toLowerCase()
        .replace(/(^|\s)t:\S*/g, ' ')
        .trim();
    const wanted = (q.missing ? MISSING : 0) | (q.prefabs ? PREFAB : 0);
    for (let i = 0; i < n; i++) {
        if (
            (wanted && !(s.flags[i]! & wanted)) ||
            (name && !lower[i]!.includes(name)) ||
            !types.every(t => hasType(s.components[i]!, t))
        )
            continue;
        found.matches.push(i);
        found.isMatch[i] = 1;
        for (let p = i; p >= 0 && !found.isHeld[p]; p = s.parent[p]!) found.isHeld[p] = 1;
    }
    return found;
}

/** Return the visible objects from top to bottom. With `found`, only matches and their ancestors,
 * expanded unless `closed`. */
export function visibleRows(
    s: Scene,
    open: ReadonlySet<string>,
    found: Found | null,
    closed: ReadonlySet<string>,
): number[] {
    const rows: number[] = [];
    for (let i = 0; i < s.names.length;) {
        if (found && !found.isHeld[i]) {
            i = s.end[i]!;
            continue;
        }
        rows.push(i);
        const isOpen = found
            ? !closed.has(s.paths[i]!)
            : s.end[i]! > i + 1 && open.has(s.paths[i]!);
        i = isOpen ? i + 1 : s.end[i]!;
    }
    return rows;
}

/** Return the row of an object or of its nearest visible ancestor; -1: none. Rows are sorted. */
export function rowOf(s: Scene, rows: readonly number[], i: number): number {
    for (let at = i; at >= 0; at = s.parent[at]!) {
        let low = 0,
            high = rows.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (rows[middle]! < at) low = middle + 1;
            else high = middle;
        }
        if (rows[low] === at) return low;
    }
    return -1;
}

export function withAncestors(s: Scene, open: ReadonlySet<string>, i: number): Set<string> {
    const more = new Set(open);
    for (const p of ancestorsOf(s, i)) more.add(s.paths[p]!);
    return more;
}

/** Return `open` with a subtree expanded or collapsed; -1: the whole scene. */
export function withBelow(
    s: Scene,
    open: ReadonlySet<string>,
    i: number,
    isOpen: boolean,
): Set<string> {
    const made = new Set(open);
    const end = i < 0 ? s.names.length : s.end[i]!;
    for (let k = Math.max(0, i); k < end; k++) {
        if (s.end[k]! <= k + 1) continue;
        if (isOpen) made.add(s.paths[k]!);
        else made.delete(s.paths[k]!);
    }
    return made;
}

/** Return the next row after `from` whose name starts with the text, wrapping around; -1: none. */
export function findTyped(s: Scene, rows: readonly number[], from: number, text: string): number {
    const wanted = text.toLowerCase();
    const start = text.length > 1 ? from : from + 1; // keep the row while it still matches
    for (let k = 0; k < rows.length; k++) {
        const row = (Math.max(0, start) + k) % rows.length;
        if (s.names[rows[row]!]!.toLowerCase().startsWith(wanted)) return row;
    }
    return -1;
}

export type KeyAction = {to: number} | {open: number} | {close: number} | null;

/** Return the action of a key at a row, by the ARIA tree pattern. */
export function keyAction(
    s: Scene,
    rows: readonly number[],
    at: number,
    key: string,
    isOpen: (i: number) => boolean,
): KeyAction {
    const i = rows[at];
    switch (key) {
        case 'ArrowDown':
            return {to: Math.min(at + 1, rows.length - 1)};
        case 'ArrowUp':
            return {to: Math.max(at - 1, 0)};
        case 'Home':
            return {to: 0};
        case 'End':
            return {to: rows.length - 1};
        case 'ArrowRight':
            if (i === undefined || !hasChildren(s, i)) return null;
            return isOpen(i)
                ? rows[at + 1] !== undefined && s.parent[rows[at + 1]!] === i
                    ? {to: at + 1}
                    : null
                : {open: i};
        case 'ArrowLeft':
            if (i === undefined) return null;
            if (hasChildren(s, i) && isOpen(i)) return {close: i};
            return s.parent[i]! >= 0 ? {to: rowOf(s, rows, s.parent[i]!)} : null;
        default:
            return null;
    }
}
