// Data of /api/tasks (docs/console.md). The server chooses the member names.
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
    tool: string; // agent of the last finished attempt
    model: string;
    due_at: number | null;
    lease_until: number | null;
    added_at: number | null;
    changed_at: number | null;
    started_at: number | null;
    ended_at: number | null;
}

export interface TaskLink {
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
    needs: TaskLink[];
    needed_by: TaskLink[];
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
    state: State | null; // null: not added yet
    x: number;
    y: number;
    width: number;
    height: number;
}

export interface GraphEdge {
    from: number; // dependency
    to: number; // dependent
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

export interface CheckResult {
    fault: Fault | null;
    warnings: string[];
    yaml: string;
    name: string;
    needs: string[];
}

export interface ActionResult {
    changed: {id: number; before: State; after: State | null; asked: boolean; touched: number}[];
    failed: {id: number; code: string; message: string}[];
}

export type Action = 'cancel' | 'retry' | 'remove';

interface StateInfo {
    label: string;
    tone: '' | 'good' | 'warn' | 'bad' | 'accent';
    description: string;
}

/** Label, colour and meaning of each state. */
const STATE_INFO: Record<State, StateInfo> = {
    PENDING: {label: 'Pending', tone: '', description: 'waits for other tasks'},
    READY: {label: 'Ready', tone: 'accent', description: 'any free worker can claim it'},
    RUNNING: {label: 'Running', tone: 'accent', description: 'a worker is executing it'},
    RETRY_WAIT: {
        label: 'Retry wait',
        tone: 'warn',
        description: 'will be retried at a scheduled time',
    },
    BLOCKED: {label: 'Blocked', tone: 'bad', description: 'needs a decision by a person'},
    SUCCEEDED: {label: 'Succeeded', tone: 'good', description: 'completed'},
    FAILED: {
        label: 'Failed',
        tone: 'bad',
        description: 'its file or tooling is invalid: correct it before a retry',
    },
    CANCELLED: {label: 'Cancelled', tone: '', description: 'cancelled by a person'},
};

export function stateInfo(state: string): StateInfo {
    return STATE_INFO[state as State] ?? {label: state, tone: '', description: ''};
}

export function isFinished(state: string): boolean {
    return state === 'SUCCEEDED' || state === 'FAILED' || state === 'CANCELLED';
}

/** Whether an action is possible in the state of a task (docs/orchestrator.md). */
export function canApply(
    action: Action,
    task: {state: string; cancel_requested: boolean},
): boolean {
    switch (action) {
        case 'cancel':
            return !isFinished(task.state) && !task.cancel_requested;
        case 'retry':
            return ['BLOCKED', 'FAILED', 'CANCELLED', 'RETRY_WAIT'].includes(task.state);
        case 'remove':
            return task.state !== 'RUNNING';
    }
}

/** The default of the orchestrator (--max-attempts). */
export const DEFAULT_ATTEMPTS = 3;
