// Activity as data: which entries are shown, where their bars are, what their states are called. No document here.
import type {Entry} from '../../lib/types.ts';

export const OWN_CLIENT = 'multiverse-console';

/** A narrow choice of states: a person looks for what runs, what failed, what was stopped. */
export const STATES = [
    {name: '', title: 'All states'},
    {name: 'open', title: 'Not ended'},
    {name: 'ok', title: 'Succeeded'},
    {name: 'failed', title: 'Failed'},
    {name: 'cancelled', title: 'Cancelled'},
] as const;
export type StateName = (typeof STATES)[number]['name'];

export interface Filter {
    tool: string;
    client: string;
    state: string;
    text: string;
    own: boolean; // what this page reads is shown, too
}

/* ---- what an entry is */

export const isOpen = (e: Entry): boolean => e.ended_at === null;

/** "claude-code 2.1.3" is "claude-code": versions are of no use in a list of choices. */
export const clientName = (client: string): string => client.split(' ')[0] ?? '';

/** What pages like this one ask for all the time: it would hide what others do. */
export function isOwnReading(e: Entry): boolean {
    return clientName(e.client) === OWN_CLIENT && /^(get|list|read|find)_/.test(e.tool);
}

export type Kind = 'waiting' | 'queued' | 'running' | 'ok' | 'cancelled' | 'failed';

export function kindOf(e: Entry): Kind {
    if (e.ended_at !== null)
        return e.outcome === 'ok'
            ? 'ok'
            : e.outcome === 'cancelled' || e.state === 'cancelled'
              ? 'cancelled'
              : 'failed';
    if (e.started_at !== null) return 'running';
    return e.queued_at === null ? 'waiting' : 'queued';
}

/** A word or two: "waiting: compiling", "timed out", "ERR_QUEUE_FULL". */
export function stateWords(e: Entry): string {
    const kind = kindOf(e);
    if (kind === 'waiting')
        return e.reason ? `waiting: ${e.reason.replaceAll('_', ' ')}` : 'waiting';
    if (kind === 'failed') return e.outcome ?? e.state;
    return kind === 'ok' ? 'ok' : e.started_at === null && !e.ended_at ? e.state : kind;
}

/** What the guarantee of an error means (spec 10, 8). */
export function guaranteeWords(guarantee: string | null): string {
    switch (guarantee) {
        case null:
        case '':
            return '';
        case 'not_executed':
            return 'Nothing was done: it is safe to try again.';
        case 'completed_error':
            return 'The editor carried it out, and it ended with this error.';
        case 'unknown':
            return 'It is not known whether it was carried out: look at the state before trying again.';
        default:
            return guarantee.replaceAll('_', ' ');
    }
}

/** How long it took, or takes, to `now`; the time before it ran included. */
export const lasted = (e: Entry, now: number): number =>
    Math.max(0, (e.ended_at ?? Math.max(now, e.received_at)) - e.received_at);
export const waited = (e: Entry, now: number): number =>
    Math.max(0, (e.started_at ?? e.ended_at ?? Math.max(now, e.received_at)) - e.received_at);
export const ran = (e: Entry, now: number): number =>
    e.started_at === null
        ? 0
        : Math.max(0, (e.ended_at ?? Math.max(now, e.started_at)) - e.started_at);

/* ---- which are shown */

function matchesState(e: Entry, state: string): boolean {
    const kind = kindOf(e);
    return state === 'open' ? isOpen(e) : kind === state;
}

export function filterEntries(entries: readonly Entry[], f: Filter): Entry[] {
    const words = f.text.toLowerCase().split(/\s+/).filter(Boolean);
    const matchesText = (e: Entry) => {
        const text =
            `${e.tool} ${e.subject} ${e.client} ${e.id} ${e.other_id} ${e.state} ${e.outcome ?? ''} ${e.message}`.toLowerCase();
        return words.every(w => text.includes(w));
    };
    return entries.filter(
        e =>
            (f.own || !isOwnReading(e)) &&
            (!f.tool || e.tool === f.tool) &&
            (!f.client || clientName(e.client) === f.client) &&
            (!f.state || matchesState(e, f.state)) &&
            (!words.length || matchesText(e)),
    );
}

/** The tools and clients there are, for the choices; the ones that are chosen stay among them. */
export function choices(
    entries: readonly Entry[],
    f: Filter,
): {tools: string[]; clients: string[]} {
    const tools = new Set<string>(f.tool ? [f.tool] : []),
        clients = new Set<string>(f.client ? [f.client] : []);
    for (const e of entries) {
        tools.add(e.tool);
        if (e.client) clients.add(clientName(e.client));
    }
    return {tools: [...tools].sort(), clients: [...clients].sort()};
}

/* ---- the axis of time */

export interface Axis {
    from: number;
    to: number; // > from
}

/** What zooming steps through, in ms; 0: as much as the rows in sight take. */
export const SPANS = [0, 3_600_000, 900_000, 300_000, 60_000, 15_000, 5_000, 1_000, 200] as const;
const LEAST_MS = 50;

/** The axis that holds all of these rows. */
export function fitAxis(rows: readonly Entry[], now: number): Axis {
    let from = Infinity,
        to = -Infinity;
    for (const e of rows) {
        from = Math.min(from, e.received_at);
        to = Math.max(to, e.ended_at ?? now);
    }
    if (from === Infinity) return {from: now - 60_000, to: now};
    const length = Math.max(LEAST_MS, to - from);
    return {from: from - length * 0.01, to: from + length * 1.02};
}

export interface AxisWish {
    span: number; // one of SPANS
    follow: boolean; // now is at the right edge
    anchor: Entry | null; // else: what the axis begins with
    pan: number; // shares of the span to the right
}

export function chooseAxis(rows: readonly Entry[], wish: AxisWish, now: number): Axis {
    if (wish.span === 0) return fitAxis(rows, now);
    if (wish.follow || !wish.anchor) return {from: now - wish.span, to: now + wish.span * 0.02};
    const from = wish.anchor.received_at - wish.span * 0.05 + wish.span * wish.pan;
    return {from, to: from + wish.span};
}

/** The next span that is closer (+1) or wider (-1) than what is seen. */
export function zoomed(span: number, seen: Axis, step: 1 | -1): number {
    const length = span || seen.to - seen.from;
    if (step > 0) return SPANS.find(s => s !== 0 && s < length * 0.95) ?? SPANS.at(-1)!;
    const wider = SPANS.findLast(s => s > length * 1.05);
    return wider ?? 0;
}

const STEPS = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000,
    300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 43_200_000, 86_400_000,
];

/** Marks of the axis: at most one for each `room` of its `width` in pixels. */
export function ticks(axis: Axis, width: number, room = 90): {step: number; at: number[]} {
    const most = Math.max(1, Math.floor(width / room));
    const length = axis.to - axis.from;
    const step =
        STEPS.find(s => length / s <= most) ?? Math.ceil(length / most / 86_400_000) * 86_400_000;
    const at: number[] = [];
    for (let t = Math.ceil(axis.from / step) * step; t <= axis.to && at.length < 200; t += step)
        at.push(t);
    return {step, at};
}

/** "12:03:05", "12:03", "05.250": as fine as the marks are. */
export function tickText(t: number, step: number): string {
    const d = new Date(t);
    const two = (n: number) => String(n).padStart(2, '0');
    if (step < 1000)
        return `${two(d.getSeconds())}.${String(d.getMilliseconds()).padStart(3, '0')}`;
    const minutes = `${two(d.getHours())}:${two(d.getMinutes())}`;
    if (step < 60_000) return `${minutes}:${two(d.getSeconds())}`;
    return step < 86_400_000 ? minutes : `${d.getMonth() + 1}/${d.getDate()}`;
}

/* ---- bars */

export interface Part {
    kind: Kind;
    left: number; // pixels
    width: number;
}

const LEAST_PX = 3;

/** Its parts in an area so many pixels wide; none: it lies outside (`side` says where). */
export function bar(
    e: Entry,
    axis: Axis,
    width: number,
    now: number,
): {parts: Part[]; side: 'left' | 'right' | null} {
    const end = e.ended_at ?? Math.max(now, e.received_at);
    if (end < axis.from) return {parts: [], side: 'left'};
    if (e.received_at > axis.to) return {parts: [], side: 'right'};
    const x = (t: number) =>
        ((Math.max(axis.from, Math.min(axis.to, t)) - axis.from) / (axis.to - axis.from)) * width;
    const last = kindOf(e);
    const pieces: [Kind, number, number][] = [];
    if (e.started_at === null) {
        pieces.push(...before(e, end));
        if (last === 'failed' || last === 'cancelled') pieces.push([last, end, end]);
    } else {
        pieces.push(...before(e, e.started_at));
        pieces.push([last, e.started_at, end]);
    }
    const parts: Part[] = [];
    for (const [kind, from, to] of pieces) {
        const isLast = kind === last && parts.length === pieces.length - 1;
        const left = x(from),
            w = x(to) - left;
        parts.push({kind, left, width: isLast ? Math.max(LEAST_PX, w) : w});
    }
    const tail = parts.at(-1);
    if (tail && tail.left + tail.width > width)
        // the least width at the right edge
        tail.left = Math.max(0, width - tail.width);
    return {parts: parts.filter((p, i) => p.width >= 0.5 || i === parts.length - 1), side: null};
}

/** What came before it ran: waiting for the editor, then its turn in the queue. */
function before(e: Entry, until: number): [Kind, number, number][] {
    const queued = e.queued_at;
    return queued === null
        ? [['waiting', e.received_at, until]]
        : [
              ['waiting', e.received_at, queued],
              ['queued', queued, until],
          ];
}
