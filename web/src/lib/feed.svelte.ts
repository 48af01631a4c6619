// The one stream of events, and what is known through it. Windows read `live`; they never open streams of
// their own. Events of one read are taken in together, so that the page renders once for them.
import {setServerTime} from './clock.svelte.ts';
import {NEW_TOKEN} from './route.svelte.ts';
import {withSlot} from './slots.ts';
import {authorization, setToken} from './token.ts';
import type {EditorState, Entry} from './types.ts';

const SILENCE_MS = 5_500; // a beat comes every 2 s
const GRACE_MS = 300; // what came while the page was busy is read first
const KEEP_ENTRIES = 3000;

export interface GoalEvent {
    id: string;
    state: 'running' | 'done' | 'failed' | 'cancelled';
    message: string;
    tasks: {name: string; title: string; needs: string[]; yaml: string}[] | null;
}

export interface TasksEvent {
    after: number | null; // null: the store is gone
    reset: boolean;
    changed: number[];
    control: number;
    log: number;
    trouble: string | null; // the store is gone
}

export type Connection = 'connecting' | 'open' | 'lost' | 'token';

class Live {
    connection = $state<Connection>('connecting');
    since = $state(Date.now()); // of the connection's state
    trouble = $state(''); // why it is lost, if that is known
    run = $state(''); // which run of the server it is
    version = $state('');
    project = $state('');
    editor = $state.raw<EditorState | null>(null);
    entries = $state.raw<Entry[]>([]); // by the time they were received; the newest last
    tooling = $state.raw<{file: number; rests: number; agents?: number}>({file: 0, rests: 0});
    /** Counts up with each connection: what was learned before it may be out of date. */
    connections = $state(0);
    taskLog = $state(0);
    goals = $state.raw<Record<string, GoalEvent>>({});
}

export const live = new Live();

/** Called with each `tasks` event (which tasks have news); answers how to stop. */
export function onTasks(fn: (e: TasksEvent) => void): () => void {
    taskListeners.add(fn);
    return () => taskListeners.delete(fn);
}

/** Nobody asks for this goal any more: its plan need not be kept, also when it is told again. */
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

/* ---- what the events mean */

function takeActivity(e: {seq: number; reset: boolean; entries: Entry[]}): void {
    if (e.reset) byId = new Map();
    for (const entry of e.entries) byId.set(entry.id, entry);
    activitySeq = e.seq;
}

/** Those of one millisecond stay in the order they came in, but a job comes behind its request. Forgotten are the oldest that have ended. */
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

/** One event; true: entries changed. */
function take(event: string, data: string): boolean {
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
            live.trouble = '';
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
            takeActivity(e);
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
            return false; // of a newer server
    }
}

function setConnection(to: Connection): void {
    if (live.connection === to) return;
    live.connection = to;
    live.since = Date.now();
}

/* ---- the stream */

let wake: (() => void) | null = null;
let controller: AbortController | null = null;
let atOnce = false; // the next connection has nothing to wait for

/** Another page needs the connection more: this one is not looked at. It goes on when it gets one again. */
function letGo(): void {
    atOnce = true;
    controller?.abort();
}

function pause(ms: number): Promise<void> {
    return new Promise(done => {
        const timer = setTimeout(done, ms);
        wake = () => {
            clearTimeout(timer);
            done();
        };
    });
}

/** Tries again at once: a person asked for it, or came back to the page. */
export function reconnect(): void {
    if (live.connection === 'lost') wake?.();
}

export function giveToken(text: string): void {
    setToken(text.trim());
    setConnection('connecting');
    wake?.();
}

/** A token came with the address: what is open has the old one. */
function onNewToken(): void {
    atOnce = true;
    controller?.abort();
    wake?.();
}

async function readStream(body: ReadableStream<Uint8Array>, alive: () => void): Promise<void> {
    const reader = body
        .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
        .getReader();
    let rest = '';
    for (;;) {
        const {done, value} = await reader.read();
        if (done) return;
        alive();
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
            if (data.length) entriesChanged = take(event, data.join('\n')) || entriesChanged;
        }
        if (entriesChanged) showEntries();
    }
}

async function connectOnce(): Promise<void> {
    controller = new AbortController();
    let silence: ReturnType<typeof setTimeout> | undefined;
    const give = controller;
    const alive = () => {
        clearTimeout(silence);
        silence = setTimeout(() => {
            silence = setTimeout(() => {
                live.trouble = 'it has not said anything for some seconds';
                give.abort();
            }, GRACE_MS);
        }, SILENCE_MS);
    };
    alive();
    try {
        const answer = await fetch(
            `/api/feed?run=${encodeURIComponent(run)}&activity=${activitySeq}&tasks=${tasksAfter}`,
            {
                headers: authorization(),
                cache: 'no-store',
                credentials: 'omit',
                signal: controller.signal,
            },
        );
        if (answer.status === 401) setConnection('token');
        else if (!answer.ok) live.trouble = `it answers with status ${answer.status}`;
        if (answer.ok && answer.body) await readStream(answer.body, alive);
    } catch {
        // Lost; whoever loops tries again.
    } finally {
        clearTimeout(silence);
        controller = null;
    }
}

/** Runs as long as the page: connects, and connects again, soon at first and then every few seconds. */
export async function follow(): Promise<void> {
    addEventListener('online', reconnect);
    addEventListener(NEW_TOKEN, onNewToken);
    document.addEventListener('visibilitychange', () => {
        if (!document.hidden) reconnect();
    });
    addEventListener('pagehide', () => controller?.abort());
    for (let tries = 0; ; tries++) {
        const before = live.connections;
        atOnce = false;
        await withSlot(connectOnce, letGo);
        if (live.connections !== before) tries = 0;
        if (atOnce) {
            setConnection('connecting');
            continue;
        }
        if ((live.connection as Connection) !== 'token') setConnection('lost');
        await pause(live.connection === 'token' ? 0x7fffffff : Math.min(250 * 2 ** tries, 2000));
    }
}
