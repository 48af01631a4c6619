// Goals that this tab has asked for: their plans come through the feed, also after a reload.
import {clock} from '../../lib/clock.svelte.ts';
import {forgetGoal, live, type GoalEvent} from '../../lib/feed.svelte.ts';
import {plan, type Planned} from './plan.ts';

const KEY = 'multiverse-goals';
const TOLD_MS = 5000; // after so long a connection would have told of it

export interface Asked {
    id: string;
    goal: string;
    repo: string;
    prefix: string;
    run: string; // of the server that was asked
    at: number;
}

type Progress = Pick<GoalEvent, 'state' | 'message' | 'tasks'>;

function remembered(): Asked[] {
    try {
        const list: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
        return Array.isArray(list)
            ? list.filter(a => typeof a?.id === 'string' && typeof a.goal === 'string')
            : [];
    } catch {
        return [];
    }
}

/** A plan as a person has changed it so far: it survives the closing of the dialog, until it is added. */
class PlanDraft {
    readonly tasks: Planned[];
    pool = $state('');

    constructor(tasks: Parameters<typeof plan>[0]) {
        this.tasks = $state(plan(tasks));
    }
}

class Goals {
    #plans = new Map<string, PlanDraft>();
    asked = $state.raw<readonly Asked[]>(remembered());
    /** Those that were not added or put away yet. */
    readonly open = $derived(this.asked.map(a => ({...a, ...this.state(a)})));

    state(a: Asked): Progress {
        const told = live.goals[a.id];
        if (told) return told;
        // Planners end with their server, and plans are kept by it only for a while.
        const isForgotten =
            live.run !== '' &&
            (live.run !== a.run ||
                (live.connection === 'open' &&
                    clock.now > 0 &&
                    Date.now() - Math.max(live.since, a.at) > TOLD_MS));
        return isForgotten
            ? {state: 'failed', message: 'the server does not know of it any more', tasks: null}
            : {state: 'running', message: '', tasks: null};
    }

    add(a: Omit<Asked, 'run' | 'at'>): void {
        this.#set([...this.asked, {...a, run: live.run, at: Date.now()}]);
    }

    plan(id: string, tasks: Parameters<typeof plan>[0]): PlanDraft {
        let draft = this.#plans.get(id);
        if (!draft) this.#plans.set(id, (draft = new PlanDraft(tasks)));
        return draft;
    }

    forget(id: string): void {
        this.#set(this.asked.filter(a => a.id !== id));
        this.#plans.delete(id);
        forgetGoal(id);
    }

    #set(to: readonly Asked[]): void {
        this.asked = to;
        try {
            sessionStorage.setItem(KEY, JSON.stringify(to));
        } catch {
            // After a reload the plan is not offered again.
        }
    }
}

export const goals = new Goals();
