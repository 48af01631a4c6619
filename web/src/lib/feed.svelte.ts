// The event stream of the page and the state it delivers. Windows read `live` and never open
// streams of their own. Events of one read are applied together, so that the page renders once.
import {setServerTime} from './clock.svelte.ts';
import {NEW_TOKEN} from './route.svelte.ts';
import {withSlot} from './slots.ts';
import {authorization, setToken} from './token.ts';
import type {EditorState, Entry} from './types.ts';

const SILENCE_MS = 5_500; // the server sends a beat every 2 s
const GRACE_MS = 300; // to read what arrived while the page was busy
const KEEP_ENTRIES = 3000;

export interface GoalEvent {
    id: string;
    state: 'running' | 'done' | 'failed' | 'cancelled';
    message: string;
    tasks: {name: string; title: string; needs: string[]; yaml: string}[] | null;
}

export interface TasksEvent {
    after: number | null; // null: the store cannot be used
    reset: boolean;
    changed: number[];
    control: number;
    log: number;
    trouble: string | null; // why the store cannot be used
}

export type Connection = 'connecting' | 'open' | 'lost' | 'token';

class Live {
    connection = $state<Connection>('connecting');
    since = $state(Date.now()); // when `connection` changed
    lostReason = $state(''); // why the connection is lost; '' if unknown
    run = $state(''); // id of the server process
    version = $state('');
    project = $state('');
    editor = $state.raw<EditorState | null>(null);
    entries = $state.raw<Entry[]>([]); // by time of arrival, newest last
    tooling = $state.raw<{file: number; rests: number; agents?: number}>({file: 0, rests: 0});
    /** Number of connections so far: a new one means that earlier data may be out of date. */
    connections = $state(0);
    taskLog = $state(0);
    goals = $state.raw<Record<string, GoalEvent>>({});
}

export const live = new Live();

/** Call `fn` with each `tasks` event; return a function that removes it. */
export function onTasks(fn: (e: TasksEvent) => void): () => void {
    taskListeners.add(fn);
    return () => taskListeners.delete(fn);
}

/** Drop the plan of a goal, and ignore further events about it. */
export function forgetGoal(id: string): void {
    forgottenGoals.add(id);
    const {[id]: _, ...others} = live.goals;
    live.goals = others;
}

const forgottenGoals = new Set<string>();
const taskListeners = new Set<(e: TasksEvent) => void>();
let run = '',
    activitySeq = 0,
    tasksAfter = -1;
let byId = new Map<string, Entry>();

/* ---- events */

function applyActivity(e: {seq: number; reset: boolean; entries: Entry[]}): void {
    if (e.reset) byId = new Map();
    for (const entry of e.entries) byId.set(entry.id, entry);
    activitySeq = e.seq;
}

/** Update `live.entries`, without the oldest finished ones. A job sorts after its request even if
 * both arrived in the same millisecond. */
function showEntries(): void {
    let all = [...byId.values()].sort(
        (a, b) =>
            a.received_at - b.received_at || Number(a.kind === 'job') - Number(b.kind === 'job'),
    );
    let over = all.length - KEEP_ENTRIES;
    if (over > 0) {
        all = all.filter(
            e => over <= 0 || e.ended_at === null || (over--, byId.delete(e.id), false),
        );
    }
    live.entries = all;
}

/** Apply one event; return whether entries changed. */
function applyEvent(event: string, data: string): boolean {
    const e = JSON.parse(data);
    switch (event) {
        case 'hello':
            if (e.run !== run) {
                run = e.run;
                byId = new Map();
                activitySeq = 0;
                live.goals = {};
                forgottenGoals.clear();
                live.run = run;
            }
            live.lostReason = '';
            live.version = e.version;
            live.project = e.project;
            setServerTime(e.now);
            live.connections++;
            setConnection('open');
            return true;
        case 'editor':
            live.editor = e;
            return false;
        case 'activity':
            applyActivity(e);
            return true;
        case 'tooling':
            live.tooling = e;
            return false;
        case 'tasks':
            tasksAfter = e.after ?? -1;
            live.taskLog = e.log;
            for (const fn of taskListeners) fn(e);
            return false;
        case 'goal':
            if (!forgottenGoals.has(e.id)) live.goals = {...live.goals, [e.id]: e};
            return false;
        case 'beat':
            setServerTime(e.now);
            return false;
        default:
            return false; // sent by a newer server
    }
}

function setConnection(to: Connection): void {
    if (live.connection === to) return;
    live.connection = to;
    live.since = Date.now();
}

/* ---- the stream */

let endWait: (() => void) | null = null;
let controller: AbortController | null = null;
let skipDelay = false; // reconnect without delay

/** Close the stream for a page that is visible; this one reconnects when a slot is free. */
function releaseSlot(): void {
    skipDelay = true;
    controller?.abort();
}

function waitBeforeRetry(ms: number): Promise<void> {
    return new Promise(done => {
        const timer = setTimeout(done, ms);
        endWait = () => {
            clearTimeout(timer);
            done();
        };
    });
}

/** Retry now: the person asked for it or came back to the page. */
export function reconnect(): void {
    if (live.connection === 'lost') endWait?.();
}

export function submitToken(text: string): void {
    setToken(text.trim());
    setConnection('connecting');
    endWait?.();
}

/** The address brought a new token: replace the stream that uses the old one. */
function onNewToken(): void {
    skipDelay = true;
    controller?.abort();
    endWait?.();
}

async function readStream(body: ReadableStream<Uint8Array>, onData: () => void): Promise<void> {
    const reader = body
        .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
        .getReader();
    let rest = '';
    for (;;) {
        const {done, value} = await reader.read();
        if (done) return;
        onData();
        const pieces = (rest + value).split('\n\n');
        rest = pieces.pop() ?? '';
        let entriesChanged = false;
        for (const piece of pieces) {
            let event = 'message';
            const data: string[] = [];
            for (const line of piece.split('\n')) {
                if (line.startsWith('event:')) event = line.slice(6).trim();
                else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
            }
            if (data.length) entriesChanged = applyEvent(event, data.join('\n')) || entriesChanged;
        }
        if (entriesChanged) showEntries();
    }
}

async function connectOnce(): Promise<void> {
    controller = new AbortController();
    let silence: ReturnType<typeof setTimeout> | undefined;
    const stream = controller;
    const restartTimer = () => {
        clearTimeout(silence);
        silence = setTimeout(() => {
            silence = setTimeout(() => {
                live.lostReason = 'no data for some seconds';
                stream.abort();
            }, GRACE_MS);
        }, SILENCE_MS);
    };
    restartTimer();
    try {
        const response = await fetch(
            `/api/feed?run=${encodeURIComponent(run)}&activity=${activitySeq}&tasks=${tasksAfter}`,
            {
                headers: authorization(),
                cache: 'no-store',
                credentials: 'omit',
                signal: controller.signal,
            },
        );
        if (response.status === 401) setConnection('token');
        else if (!response.ok) live.lostReason = `the server returned status ${response.status}`;
        if (response.ok && response.body) await readStream(response.body, restartTimer);
    } catch {
        // The connection is lost; followFeed retries.
    } finally {
        clearTimeout(silence);
        controller = null;
    }
}

/** Keep the page connected, with delays of 250 ms to 2 s between attempts; never returns. */
export async function followFeed(): Promise<void> {
    addEventListener('online', reconnect);
    addEventListener(NEW_TOKEN, onNewToken);
    document.addEventListener('visibilitychange', () => {
        if (!document.hidden) reconnect();
    });
    addEventListener('pagehide', () => controller?.abort());
    for (let tries = 0; ; tries++) {
        const before = live.connections;
        skipDelay = false;
        await withSlot(connectOnce, releaseSlot);
        if (live.connections !== before) tries = 0;
        if (skipDelay) {
            setConnection('connecting');
            continue;
        }
        if ((live.connection as Connection) !== 'token') setConnection('lost');
        await waitBeforeRetry(
            live.connection === 'token' ? 0x7fffffff : Math.min(250 * 2 ** tries, 2000),
        );
    }
}
