// The lines of the console in the order of arrival, oldest first.
export const TYPES = ['log', 'warning', 'error', 'assert', 'exception'] as const;
export type LogType = (typeof TYPES)[number];

/** An entry of read_console. */
export interface LogEntry {
    type: LogType;
    message: string;
    stack_trace?: string;
    count?: number;
    time: string;
    file?: string;
    line?: number;
}

export interface ConsolePage {
    entries: LogEntry[]; // newest first
    count: number;
    total_count: number;
    truncated: boolean;
    next_offset?: number;
    cursor: string;
    type_summary: Record<LogType, number>;
}

/** One line: an entry, or equal consecutive entries. */
export interface Line {
    id: number;
    entry: LogEntry;
    count: number;
    first: string; // time of the first of them
}

export interface Numbered {
    id: number;
    entry: LogEntry;
}

/** Append newer entries (given newest first); drop the oldest beyond `most`. */
export function withNewer(
    lines: readonly Numbered[],
    newest: readonly LogEntry[],
    nextId: number,
    most: number,
): Numbered[] {
    const made = [...lines];
    for (let i = newest.length - 1; i >= 0; i--) made.push({id: nextId++, entry: newest[i]!});
    return made.length > most ? made.slice(made.length - most) : made;
}

/** Insert older entries at the start; their ids count down. */
export function withOlder(
    lines: readonly Numbered[],
    older: readonly LogEntry[],
    firstId: number,
    most: number,
): Numbered[] {
    const room = Math.max(0, most - lines.length);
    const taken = older.slice(0, room).map((entry, i) => ({id: firstId - 1 - i, entry}));
    return [...taken.reverse(), ...lines];
}

export function countTypes(lines: readonly Numbered[]): Record<LogType, number> {
    const counts: Record<LogType, number> = {log: 0, warning: 0, error: 0, assert: 0, exception: 0};
    for (const l of lines)
        counts[l.entry.type] = (counts[l.entry.type] ?? 0) + (l.entry.count ?? 1);
    return counts;
}

/** Return the first line of a message, with "…" if there are more. */
export function firstLine(message: string): string {
    const [first = '', ...more] = message.trimEnd().split(/\r\n|\r|\n/, 2);
    return more.length ? `${first} …` : first;
}

/** Return the lines of visible types; with `collapse`, equal consecutive entries as one line. */
export function linesOf(
    all: readonly Numbered[],
    hidden: ReadonlySet<LogType>,
    collapse: boolean,
): Line[] {
    const lines: Line[] = [];
    for (const {id, entry} of all) {
        if (hidden.has(entry.type)) continue;
        const last = lines.at(-1),
            count = entry.count ?? 1;
        if (
            collapse &&
            last &&
            last.entry.type === entry.type &&
            last.entry.message === entry.message
        )
            lines[lines.length - 1] = {
                id: last.id,
                entry,
                count: last.count + count,
                first: last.first,
            };
        else lines.push({id, entry, count, first: entry.time});
    }
    return lines;
}
