// The logic of the activity window without the DOM: filters, state labels, time axis and bars.
import type {Entry} from '../../lib/types.ts';

export const OWN_CLIENT = 'multiverse-console';

/** The choices of the state filter. */
export const STATES = [
    {name: '', title: 'All states'},
    {name: 'open', title: 'Running or waiting'},
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
    own: boolean; // also show reads by this page
}

/* ---- entries */

export const isOpen = (e: Entry): boolean => e.ended_at === null;

/** Return the client without its version: "claude-code" for "claude-code 2.1.3". */
export const clientName = (client: string): string => client.split(' ')[0] ?? '';

/** Whether the entry is a read by a console page: these would hide the activity of other clients.
 * */
export function isOwnRead(e: Entry): boolean {
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

/** Return a short label: "waiting: compiling", "timed out", "ERR_QUEUE_FULL". */
export function stateLabel(e: Entry): string {
    const kind = kindOf(e);
    if (kind === 'waiting')
        return e.reason ? `waiting: ${e.reason.replaceAll('_', ' ')}` : 'waiting';
    if (kind === 'failed') return e.outcome ?? e.state;
    return kind === 'ok' ? 'ok' : e.started_at === null && !e.ended_at ? e.state : kind;
}

/** Describe the guarantee of an error (docs/spec/10-bridge.md, 8). */
export function guaranteeText(guarantee: string | null): string {
    switch (guarantee) {
        case null:
        case '':
            return '';
        case 'not_executed':
            return 'Nothing was changed. It is safe to retry.';
        case 'completed_error':
            return 'The editor executed it and it failed with this error.';
        case 'unknown':
            return 'It may have been executed. Check the state before you retry.';
        default:
            return guarantee.replaceAll('_', ' ');
    }
}

/** Return the time from arrival to the end, or to `now`. */
export const totalMs = (e: Entry, now: number): number =>
    Math.max(0, (e.ended_at ?? Math.max(now, e.received_at)) - e.received_at);
export const waitedMs = (e: Entry, now: number): number =>
    Math.max(0, (e.started_at ?? e.ended_at ?? Math.max(now, e.received_at)) - e.received_at);
export const ranMs = (e: Entry, now: number): number =>
    e.started_at === null
        ? 0
        : Math.max(0, (e.ended_at ?? Math.max(now, e.started_at)) - e.started_at);

/* ---- filters */

function matchesState(e: Entry, state: string): boolean {
    const kind = kindOf(e);
    return state === 'open' ? isOpen(e) : kind === state;
}

export function filterEntries(entries: readonly Entry[], f: Filter): Entry[] {
    const words = f.text.toLowerCase().split(/\s+/).filter(Boolean);
    const matchesText = (e: Entry) => {
        const texts = [
            e.tool,
            e.subject,
            e.client,
            e.id,
            e.other_id,
            e.state,
            e.outcome ?? '',
            e.message,
        ];
        const text = texts.join(' ').toLowerCase();
        return words.every(w => text.includes(w));
    };
    return entries.filter(
        e =>
            (f.own || !isOwnRead(e)) &&
            (!f.tool || e.tool === f.tool) &&
            (!f.client || clientName(e.client) === f.client) &&
            (!f.state || matchesState(e, f.state)) &&
            (!words.length || matchesText(e)),
    );
}

/** Return the tools and clients of all entries, always including the selected ones. */
export function listChoices(
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

/* ---- the time axis */

export interface Axis {
    from: number;
    to: number; // > from
}

/** The zoom levels in ms; 0: fit the visible rows. */
export const SPANS = [0, 3_600_000, 900_000, 300_000, 60_000, 15_000, 5_000, 1_000, 200] as const;
const MIN_MS = 50;

/** Return the axis that contains all these rows. */
export function fitAxis(rows: readonly Entry[], now: number): Axis {
    let from = Infinity,
        to = -Infinity;
    for (const e of rows) {
        from = Math.min(from, e.received_at);
        to = Math.max(to, e.ended_at ?? now);
    }
    if (from === Infinity) return {from: now - 60_000, to: now};
    const length = Math.max(MIN_MS, to - from);
    return {from: from - length * 0.01, to: from + length * 1.02};
}

export interface AxisOptions {
    span: number; // one of SPANS
    follow: boolean; // keep the current time at the right edge
    anchor: Entry | null; // otherwise start the axis with this entry
    pan: number; // shift to the right, as a share of the span
}

export function chooseAxis(rows: readonly Entry[], options: AxisOptions, now: number): Axis {
    if (options.span === 0) return fitAxis(rows, now);
    if (options.follow || !options.anchor)
        return {from: now - options.span, to: now + options.span * 0.02};
    const from = options.anchor.received_at - options.span * 0.05 + options.span * options.pan;
    return {from, to: from + options.span};
}

/** Return the next shorter (+1) or longer (-1) span than the visible one. */
export function nextSpan(span: number, seen: Axis, step: 1 | -1): number {
    const length = span || seen.to - seen.from;
    if (step > 0) return SPANS.find(s => s !== 0 && s < length * 0.95) ?? SPANS.at(-1)!;
    const wider = SPANS.findLast(s => s > length * 1.05);
    return wider ?? 0;
}

const STEPS = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000,
    300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 43_200_000, 86_400_000,
];

/** Return the ticks of the axis, at most one per `room` pixels. */
export function placeTicks(axis: Axis, width: number, room = 90): {step: number; at: number[]} {
    const most = Math.max(1, Math.floor(width / room));
    const length = axis.to - axis.from;
    const step =
        STEPS.find(s => length / s <= most) ?? Math.ceil(length / most / 86_400_000) * 86_400_000;
    const at: number[] = [];
    for (let t = Math.ceil(axis.from / step) * step; t <= axis.to && at.length < 200; t += step)
        at.push(t);
    return {step, at};
}

/** Format a tick with the precision of its step: "12:03:05", "12:03", "05.250". */
export function formatTick(t: number, step: number): string {
    const d = new Date(t);
    const twoDigits = (n: number) => String(n).padStart(2, '0');
    if (step < 1000)
        return `${twoDigits(d.getSeconds())}.${String(d.getMilliseconds()).padStart(3, '0')}`;
    const minutes = `${twoDigits(d.getHours())}:${twoDigits(d.getMinutes())}`;
    if (step < 60_000) return `${minutes}:${twoDigits(d.getSeconds())}`;
    return step < 86_400_000 ? minutes : `${d.getMonth() + 1}/${d.getDate()}`;
}

/* ---- bars */

export interface Part {
    kind: Kind;
    left: number; // pixels
    width: number;
}

const MIN_PX = 3;

/** Return the parts of a bar in an area of `width` pixels, or the side on which it is outside. */
export function layoutBar(
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
        pieces.push(...waitingParts(e, end));
        if (last === 'failed' || last === 'cancelled') pieces.push([last, end, end]);
    } else {
        pieces.push(...waitingParts(e, e.started_at));
        pieces.push([last, e.started_at, end]);
    }
    const parts: Part[] = [];
    for (const [kind, from, to] of pieces) {
        const isLast = kind === last && parts.length === pieces.length - 1;
        const left = x(from),
            w = x(to) - left;
        parts.push({kind, left, width: isLast ? Math.max(MIN_PX, w) : w});
    }
    const tail = parts.at(-1);
    if (tail && tail.left + tail.width > width)
        // it has its minimum width at the right edge
        tail.left = Math.max(0, width - tail.width);
    return {parts: parts.filter((p, i) => p.width >= 0.5 || i === parts.length - 1), side: null};
}

/** Return the parts before execution: waiting for the editor, then in the queue. */
function waitingParts(e: Entry, until: number): [Kind, number, number][] {
    const queued = e.queued_at;
    return queued === null
        ? [['waiting', e.received_at, until]]
        : [
              ['waiting', e.received_at, queued],
              ['queued', queued, until],
          ];
}
