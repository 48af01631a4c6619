// Data of the server, as in docs/console.md and docs/tools.md. The server chooses the member names.

export interface EditorState {
    server_state: string;
    editor: 'unity' | 'headless' | null;
    editor_state: 'unknown' | 'ready' | 'compiling' | 'reloading';
    connected: boolean;
    project_path: string | null;
    active_scene: string | null;
    scene_dirty: boolean | null;
    is_playing: boolean | null;
    is_paused: boolean | null;
    unity_version: string | null;
    plugin_version: string | null;
    server_version: string;
    uptime_ms: number;
    connected_ms: number | null;
    queue: {waiting: number; capacity: number; running: {tool: string; request_id?: string} | null};
    job: {job_id: string; tool: string; state: string; elapsed_ms: number} | null;
    wait_reason: string | null;
    scene_seq: number | null;
    console_seq: number | null;
}

export interface Entry {
    seq: number;
    kind: 'request' | 'job';
    id: string;
    tool: string;
    client: string;
    subject: string;
    state: string;
    reason: string | null;
    received_at: number;
    queued_at: number | null; // when it entered the queue; before that it waited for the editor
    started_at: number | null;
    ended_at: number | null;
    outcome: string | null;
    guarantee: string | null;
    message: string;
    other_id: string;
    progress: {done: number; total: number; current: string} | null;
    can_cancel: boolean;
}

/** An error in a text, with its place. */
export interface Fault {
    message: string;
    line: number;
    column: number;
    pointer: string;
}

export interface Cooldown {
    key: string;
    class: string;
    state: 'resting' | 'due' | 'probing';
    since: number;
    until: number;
    probe_until?: number | null;
    failures: number;
    evidence: string;
    message: string;
}

export type CategoryName = 'meta' | 'plan' | 'task' | 'execution' | 'worker';
export type Strategy = 'weighted' | 'round_robin' | 'priority' | 'least_recent';

export interface Candidate {
    index: number;
    tool: string;
    model: string;
    cli_path: string;
    weight: number;
    share: number;
    account: string;
    out: null | 'disabled' | 'unavailable' | 'resting' | 'probing' | 'near';
    why: string;
    back_at: number | null;
    rest: Cooldown | null;
}

export interface Category {
    own: boolean;
    strategy: Strategy;
    fallback: boolean;
    cooldown_sec: number;
    candidates: Candidate[];
}

export interface ToolingView {
    active_profile: string;
    force: {enabled: boolean; tool: string | null; model: string};
    warnings: Fault[];
    profiles: {id: string; name: string; categories: Record<CategoryName, Category>}[];
}

export interface Tooling {
    path: string;
    exists: boolean;
    text: string | null; // null: it cannot be read
    in_use: 'file' | 'last_good' | 'default' | null; // null: nothing, every selection fails
    fault: Fault | null;
    view: ToolingView | null;
    rests: Cooldown[];
    tools: {name: string; about: string}[];
    now: number;
}

export interface Agent {
    tool: string;
    cli_path: string;
    account: string;
    found: boolean;
    path: string | null;
    version: string | null;
    signed_in: string;
    usable: boolean;
}

/** One selection of a candidate, as in `tooling explain --json`: times are texts. */
export interface Decision {
    id: number;
    time: string;
    run: string;
    category: string;
    used: string;
    profile: string;
    strategy: string;
    forced: boolean;
    fallback: boolean;
    candidates: {
        tool: string;
        model: string;
        account: string;
        weight: number;
        out: string;
        why: string;
        back_at: string | null;
    }[]; // out: 'in', or the reason why it was not available
    draw: number | null;
    share: number;
    probe: boolean;
    choice: {index: number; tool: string; model: string; account: string} | null;
    back_at: string | null;
    outcome: {
        time: string;
        class: string;
        evidence: string;
        message: string;
        until: string | null;
    } | null;
}
