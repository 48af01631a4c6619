// The list of tasks as data: what is in sight, in which order, what is selected. No DOM.
import type {State, Task} from './types.ts';
import {STATES} from './types.ts';

export type SortKey = 'entry' | 'state' | 'changed' | 'name';

export interface Filter {
    states: ReadonlySet<string>; // empty: all
    pool: string; // '': all
    text: string; // all its words must be there
    sort: SortKey;
    down: boolean;
}

export function parseStates(text: string | undefined): Set<string> {
    return new Set((text ?? '').split(',').filter(s => (STATES as readonly string[]).includes(s)));
}

export function parseSort(text: string | undefined): {sort: SortKey; down: boolean} {
    const down = text?.startsWith('-') ?? false;
    const key = (down ? text?.slice(1) : text) as SortKey;
    return ['entry', 'state', 'changed', 'name'].includes(key)
        ? {sort: key, down}
        : {sort: 'entry', down: false};
}

/** "#12" or "12" is a number, too; every word must stand somewhere in name, title, why, repo or agent. */
export function matcher(text: string): (t: Task) => boolean {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return () => true;
    return t => {
        const all =
            `${t.name}\n${t.title}\n#${t.id}\n${t.why}\n${t.repo}\n${t.tool} ${t.model}`.toLowerCase();
        return words.every(w => all.includes(w));
    };
}

const RANK = new Map<string, number>(
    (
        [
            'RUNNING',
            'READY',
            'RETRY_WAIT',
            'BLOCKED',
            'FAILED',
            'PENDING',
            'CANCELLED',
            'SUCCEEDED',
        ] satisfies State[]
    ).map((s, i) => [s, i]),
);

/** Those in sight, in order. Equal ones stay in the order of entry, so that rows do not jump. */
export function view(tasks: readonly Task[], f: Filter): Task[] {
    const has = matcher(f.text);
    const out = tasks.filter(
        t => (!f.states.size || f.states.has(t.state)) && (!f.pool || t.pool === f.pool) && has(t),
    );
    const turn = f.down ? -1 : 1;
    switch (f.sort) {
        case 'entry':
            return f.down ? out.reverse() : out;
        case 'state':
            return out.sort(
                (a, b) =>
                    turn * ((RANK.get(a.state) ?? 99) - (RANK.get(b.state) ?? 99)) || a.id - b.id,
            );
        case 'changed': // the latest first, unless turned around
            return out.sort(
                (a, b) => turn * ((b.changed_at ?? 0) - (a.changed_at ?? 0)) || a.id - b.id,
            );
        case 'name': {
            const by = new Intl.Collator(undefined, {numeric: true}).compare;
            return out.sort((a, b) => turn * by(a.name, b.name) || a.id - b.id);
        }
    }
}

export function count(tasks: readonly Task[]): Record<State, number> {
    const out = Object.fromEntries(STATES.map(s => [s, 0])) as Record<State, number>;
    for (const t of tasks) if (t.state in out) out[t.state]++;
    return out;
}

export function pools(tasks: readonly Task[]): string[] {
    return [...new Set(tasks.map(t => t.pool))].sort();
}

/** Tasks by number, with these put in or in place of older ones, and without those that are gone. */
export function merge(
    tasks: readonly Task[],
    news: readonly Task[],
    asked: readonly number[] = [],
): Task[] {
    const byId = new Map(news.map(t => [t.id, t]));
    const gone = new Set(asked.filter(id => !byId.has(id)));
    let out = tasks.map(t => {
        const found = byId.get(t.id);
        byId.delete(t.id);
        return found ?? t;
    });
    if (gone.size) out = out.filter(t => !gone.has(t.id));
    if (byId.size) {
        out = [...out, ...byId.values()];
        out.sort((a, b) => a.id - b.id);
    }
    return out;
}

/* ---- selection: numbers, so that it stays whatever moves */

/** All between two rows, ends included; an anchor that is not in sight any more: the row alone. */
export function range(rows: readonly {id: number}[], anchor: number | null, to: number): number[] {
    const a = rows.findIndex(r => r.id === anchor),
        b = rows.findIndex(r => r.id === to);
    if (b < 0) return [];
    if (a < 0) return [to];
    return rows.slice(Math.min(a, b), Math.max(a, b) + 1).map(r => r.id);
}

export function toggled(set: ReadonlySet<number>, id: number): Set<number> {
    const out = new Set(set);
    if (!out.delete(id)) out.add(id);
    return out;
}

/** Where the keyboard stands when its row is gone: the row that is now in its place. */
export function nearest(
    rows: readonly {id: number}[],
    before: readonly {id: number}[],
    active: number | null,
): number | null {
    if (!rows.length) return null;
    if (active === null) return null;
    if (rows.some(r => r.id === active)) return active;
    const here = new Set(rows.map(r => r.id));
    const at = before.findIndex(r => r.id === active);
    for (let i = at + 1; at >= 0 && i < before.length; i++)
        if (here.has(before[i]!.id)) return before[i]!.id;
    return rows.at(-1)!.id;
}

/** "4 s", "3 min", "2 h", "5 d": one part, so that it changes seldom. */
export function brief(ms: number): string {
    const s = Math.max(0, Math.floor(ms / 1000));
    if (s < 60) return `${s} s`;
    return s < 3600
        ? `${Math.floor(s / 60)} min`
        : s < 172_800
          ? `${Math.floor(s / 3600)} h`
          : `${Math.floor(s / 86_400)} d`;
}
