// What /api/tasks tells (docs/console.md), in types.
import type {Decision, Fault} from '../../lib/types.ts';

export const STATES = [
    'PENDING',
    'READY',
    'RUNNING',
    'RETRY_WAIT',
    'BLOCKED',
    'SUCCEEDED',
    'FAILED',
    'CANCELLED',
] as const;
export type State = (typeof STATES)[number];

export interface Task {
    id: number;
    name: string;
    title: string;
    state: State;
    pool: string;
    repo: string;
    goal?: string;
    open_needs: number;
    attempts: number;
    counted: number;
    lost: number;
    max_attempts: number | null;
    cancel_requested: boolean;
    why: string;
    owner: string;
    tool: string; // of the attempt that ended last
    model: string;
    due_at: number | null;
    lease_until: number | null;
    added_at: number | null;
    changed_at: number | null;
    started_at: number | null;
    ended_at: number | null;
}

export interface Tie {
    id: number;
    name: string;
    state: State;
}

export interface Attempt {
    number: number;
    host: string;
    owner: string;
    started_at: number | null;
    ended_at: number | null;
    end: string;
    outcome: string;
    exit_code: number | null;
    tool: string;
    model: string;
    run: string;
    why: string;
    input_tokens: number;
    output_tokens: number;
    cost_usd: number;
    files: {path?: string; change?: string}[];
    log_pieces: number;
}

export interface TaskDetail extends Task {
    spec: string;
    needs: Tie[];
    needed_by: Tie[];
    attempt_list: Attempt[];
    decisions: Decision[];
    decisions_error: string | null;
}

export interface Orchestrator {
    id: string;
    host: string;
    pid: number;
    workers: number;
    running: number;
    started_at: number | null;
    seen_at: number | null;
    gone: boolean;
}

export interface Control {
    mode: 'RUNNING' | 'PAUSED' | string;
    stops: number;
    since: number | null;
}

export interface TaskPage {
    store: string;
    tasks: Task[];
    counts: Record<string, number>;
    control: Control;
    orchestrators: Orchestrator[];
    after: number | null;
    now: number;
}

export interface GraphNode {
    id: number;
    name: string;
    title: string;
    state: State | null; // null: it is not added yet
    x: number;
    y: number;
    width: number;
    height: number;
}

export interface GraphEdge {
    from: number; // what is needed
    to: number; // who needs it
    points: [number, number][];
}

export interface Graph {
    width: number;
    height: number;
    nodes: GraphNode[];
    edges: GraphEdge[];
    left_out: number;
    lines_left_out: number;
}

export interface Form {
    name: string;
    title: string;
    repo: string;
    prd: string;
    needs: string[];
    test_command?: string;
    max_loops?: number;
}

export interface Checked {
    fault: Fault | null;
    warnings: string[];
    yaml: string;
    name: string;
    needs: string[];
}

export interface Changed {
    changed: {id: number; before: State; after: State | null; asked: boolean; touched: number}[];
    failed: {id: number; code: string; message: string}[];
}

export type Action = 'cancel' | 'retry' | 'remove';

interface About {
    label: string;
    tone: '' | 'good' | 'warn' | 'bad' | 'accent';
    says: string;
}

/** How a state is shown, and what it means. */
export const ABOUT: Record<State, About> = {
    PENDING: {label: 'Pending', tone: '', says: 'waits for other tasks'},
    READY: {label: 'Ready', tone: 'accent', says: 'whoever has a free worker may take it'},
    RUNNING: {label: 'Running', tone: 'accent', says: 'a worker has it'},
    RETRY_WAIT: {label: 'Retry wait', tone: 'warn', says: 'is tried again at a given time'},
    BLOCKED: {label: 'Blocked', tone: 'bad', says: 'a person must look at it'},
    SUCCEEDED: {label: 'Succeeded', tone: 'good', says: 'is done'},
    FAILED: {
        label: 'Failed',
        tone: 'bad',
        says: 'its file or tooling is wrong: trying again alone changes nothing',
    },
    CANCELLED: {label: 'Cancelled', tone: '', says: 'was cancelled by a person'},
};

export function about(state: string): About {
    return ABOUT[state as State] ?? {label: state, tone: '', says: ''};
}

export function isOver(state: string): boolean {
    return state === 'SUCCEEDED' || state === 'FAILED' || state === 'CANCELLED';
}

/** In which states an action makes sense (docs/orchestrator.md). */
export function applies(action: Action, task: {state: string; cancel_requested: boolean}): boolean {
    switch (action) {
        case 'cancel':
            return !isOver(task.state) && !task.cancel_requested;
        case 'retry':
            return ['BLOCKED', 'FAILED', 'CANCELLED', 'RETRY_WAIT'].includes(task.state);
        case 'remove':
            return task.state !== 'RUNNING';
    }
}

/** The orchestrator's own, where a task does not say it (it can be told another: --max-attempts). */
export const DEFAULT_ATTEMPTS = 3;
