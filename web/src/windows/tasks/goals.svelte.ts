// The goals submitted in this tab. Their plans arrive through the feed, also after a reload.
import {clock} from '../../lib/clock.svelte.ts';
import {forgetGoal, live, type GoalEvent} from '../../lib/feed.svelte.ts';
import {createPlan, type PlannedTask} from './plan.ts';

const KEY = 'multiverse-goals';
const FORGOTTEN_MS = 5000; // after this time a connection would have reported the goal
export interface GoalRequest {
    id: string;
    goal: string;
    repo: string;
    prefix: string;
    run: string; // id of the server process
    at: number;
}

type Progress = Pick<GoalEvent, 'state' | 'message' | 'tasks'>;

function readRequests(): GoalRequest[] {
    try {
        const list: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
        return Array.isArray(list)
            ? list.filter(a => typeof a?.id === 'string' && typeof a.goal === 'string')
            : [];
    } catch {
        return [];
    }
}

/** A plan with the person's changes, kept when the dialog is closed, until the tasks are added. */
class PlanDraft {
    readonly tasks: PlannedTask[];
    pool = $state('');

    constructor(tasks: Parameters<typeof createPlan>[0]) {
        this.tasks = $state(createPlan(tasks));
    }
}

class Goals {
    #plans = new Map<string, PlanDraft>();
    requests = $state.raw<readonly GoalRequest[]>(readRequests());
    /** The goals that are neither added nor dismissed. */
    readonly open = $derived(this.requests.map(r => ({...r, ...this.progressOf(r)})));

    progressOf(request: GoalRequest): Progress {
        const reported = live.goals[request.id];
        if (reported) return reported;
        // Planners end with their server, and the server drops plans after some time.
        const isForgotten =
            live.run !== '' &&
            (live.run !== request.run ||
                (live.connection === 'open' &&
                    clock.now > 0 &&
                    Date.now() - Math.max(live.since, request.at) > FORGOTTEN_MS));
        return isForgotten
            ? {state: 'failed', message: 'the server no longer has this goal', tasks: null}
            : {state: 'running', message: '', tasks: null};
    }

    add(request: Omit<GoalRequest, 'run' | 'at'>): void {
        this.#setRequests([...this.requests, {...request, run: live.run, at: Date.now()}]);
    }

    planOf(id: string, tasks: Parameters<typeof createPlan>[0]): PlanDraft {
        let draft = this.#plans.get(id);
        if (!draft) this.#plans.set(id, (draft = new PlanDraft(tasks)));
        return draft;
    }

    forget(id: string): void {
        this.#setRequests(this.requests.filter(r => r.id !== id));
        this.#plans.delete(id);
        forgetGoal(id);
    }

    #setRequests(to: readonly GoalRequest[]): void {
        this.requests = to;
        try {
            sessionStorage.setItem(KEY, JSON.stringify(to));
        } catch {
            // Without storage the plan is lost on reload.
        }
    }
}

export const goals = new Goals();
