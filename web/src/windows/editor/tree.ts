// Which rows of the tree are seen, and where a key leads.
import {above, hasChildren, MISSING, PREFAB, type Scene} from './scene.ts';

export interface Query {
    text: string; // a part of the name; `t:Type` asks for a component
    missing: boolean;
    prefabs: boolean;
}

export interface Found {
    matches: number[];
    isMatch: Uint8Array;
    /** Matches and what is above them. */
    isKept: Uint8Array;
}

export function isAsked(q: Query): boolean {
    return q.text.trim() !== '' || q.missing || q.prefabs;
}

function typeFits(components: readonly (string | null)[], type: string): boolean {
    return components.some(c => c !== null && c.toLowerCase().includes(type));
}

/** Words are all looked for in the name; `t:body` in the types of the components. */
export function find(
    s: Scene,
    q: Query,
    lower: readonly string[] = s.names.map(n => n.toLowerCase()),
): Found {
    const n = s.names.length;
    const found: Found = {matches: [], isMatch: new Uint8Array(n), isKept: new Uint8Array(n)};
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
            !types.every(t => typeFits(s.components[i]!, t))
        )
            continue;
        found.matches.push(i);
        found.isMatch[i] = 1;
        for (let p = i; p >= 0 && !found.isKept[p]; p = s.parent[p]!) found.isKept[p] = 1;
    }
    return found;
}

/** Rows from top to bottom. With `found` only what was found and what is above it, opened unless `closed`. */
export function rowsOf(
    s: Scene,
    open: ReadonlySet<string>,
    found: Found | null,
    closed: ReadonlySet<string>,
): number[] {
    const rows: number[] = [];
    for (let i = 0; i < s.names.length;) {
        if (found && !found.isKept[i]) {
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

/** The row of an object, or of the nearest above it that has one; -1: none. Rows are sorted. */
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
    for (const p of above(s, i)) more.add(s.paths[p]!);
    return more;
}

/** All of a subtree opened or closed; -1: of the whole scene. */
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

/** The next row, behind `from`, whose name begins with the text; from the top again; -1: none. */
export function typeAhead(s: Scene, rows: readonly number[], from: number, text: string): number {
    const wanted = text.toLowerCase();
    const start = text.length > 1 ? from : from + 1; // one that still fits stays
    for (let k = 0; k < rows.length; k++) {
        const row = (Math.max(0, start) + k) % rows.length;
        if (s.names[rows[row]!]!.toLowerCase().startsWith(wanted)) return row;
    }
    return -1;
}

export type Move = {to: number} | {open: number} | {close: number} | null;

/** What a key of a tree means at a row: ARIA's pattern of trees. */
export function moveOf(
    s: Scene,
    rows: readonly number[],
    at: number,
    key: string,
    isOpen: (i: number) => boolean,
): Move {
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
