// The logic of the task list without the DOM: filter, order and selection.
import type {State, Task} from './types.ts';
import {STATES} from './types.ts';

export type SortKey = 'entry' | 'state' | 'changed' | 'name';

export interface Filter {
    states: ReadonlySet<string>; // empty: all
    pool: string; // '': all
    text: string; // every word must match
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

/** Return a filter: every word must occur in name, title, number ("#12"), reason, repo or agent of
 * a task. */
export function textFilter(text: string): (t: Task) => boolean {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return () => true;
    return t => {
        const agent = `${t.tool} ${t.model}`;
        const all = [t.name, t.title, `#${t.id}`, t.why, t.repo, agent].join('\n').toLowerCase();
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

/** Return the filtered tasks in order. Equal ones keep the order of creation, so that rows do not
 * jump. */
export function filterTasks(tasks: readonly Task[], f: Filter): Task[] {
    const hasText = textFilter(f.text);
    const out = tasks.filter(
        t =>
            (!f.states.size || f.states.has(t.state)) &&
            (!f.pool || t.pool === f.pool) &&
            hasText(t),
    );
    const direction = f.down ? -1 : 1;
    switch (f.sort) {
        case 'entry':
            return f.down ? out.reverse() : out;
        case 'state':
            return out.sort(
                (a, b) =>
                    direction * ((RANK.get(a.state) ?? 99) - (RANK.get(b.state) ?? 99)) ||
                    a.id - b.id,
            );
        case 'changed': // latest first, unless reversed
            return out.sort(
                (a, b) => direction * ((b.changed_at ?? 0) - (a.changed_at ?? 0)) || a.id - b.id,
            );
        case 'name': {
            const compare = new Intl.Collator(undefined, {numeric: true}).compare;
            return out.sort((a, b) => direction * compare(a.name, b.name) || a.id - b.id);
        }
    }
}

export function countStates(tasks: readonly Task[]): Record<State, number> {
    const out = Object.fromEntries(STATES.map(s => [s, 0])) as Record<State, number>;
    for (const t of tasks) if (t.state in out) out[t.state]++;
    return out;
}

export function listPools(tasks: readonly Task[]): string[] {
    return [...new Set(tasks.map(t => t.pool))].sort();
}

/** Return the tasks with `updated` ones replaced or added, without those of `requested` that no
 * longer exist. */
export function mergeTasks(
    tasks: readonly Task[],
    updated: readonly Task[],
    requested: readonly number[] = [],
): Task[] {
    const byId = new Map(updated.map(t => [t.id, t]));
    const gone = new Set(requested.filter(id => !byId.has(id)));
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

/* ---- selection: by id, so that it survives changes of the list */
/** Return the ids between two rows, inclusive; only `to` if the anchor is not in the list. */
export function idsBetween(
    rows: readonly {id: number}[],
    anchor: number | null,
    to: number,
): number[] {
    const a = rows.findIndex(r => r.id === anchor),
        b = rows.findIndex(r => r.id === to);
    if (b < 0) return [];
    if (a < 0) return [to];
    return rows.slice(Math.min(a, b), Math.max(a, b) + 1).map(r => r.id);
}

export function toggleId(set: ReadonlySet<number>, id: number): Set<number> {
    const out = new Set(set);
    if (!out.delete(id)) out.add(id);
    return out;
}

/** Return the active row after a change of the list: the same one, or the one that took its place.
 * */
export function nearestId(
    rows: readonly {id: number}[],
    before: readonly {id: number}[],
    active: number | null,
): number | null {
    if (!rows.length) return null;
    if (active === null) return null;
    if (rows.some(r => r.id === active)) return active;
    const present = new Set(rows.map(r => r.id));
    const at = before.findIndex(r => r.id === active);
    for (let i = at + 1; at >= 0 && i < before.length; i++)
        if (present.has(before[i]!.id)) return before[i]!.id;
    return rows.at(-1)!.id;
}

/** Format a duration with one unit, so that it changes rarely: "4 s", "3 min", "2 h", "5 d". */
export function briefSpan(ms: number): string {
    const s = Math.max(0, Math.floor(ms / 1000));
    if (s < 60) return `${s} s`;
    return s < 3600
        ? `${Math.floor(s / 60)} min`
        : s < 172_800
          ? `${Math.floor(s / 3600)} h`
          : `${Math.floor(s / 86_400)} d`;
}
