// Goals that this tab has asked for: their plans come through the feed, also after a reload.
import {live, type GoalEvent} from '../../lib/feed.svelte.ts';

const KEY = 'multiverse-goals';

export interface Asked {
    id: string;
    goal: string;
    repo: string;
    prefix: string;
}

function remembered(): Asked[] {
    try {
        const list: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
        return Array.isArray(list) ? list.filter(a => typeof a?.id === 'string' && typeof a.goal === 'string') : [];
    } catch {
        return [];
    }
}

class Goals {
    asked = $state.raw<readonly Asked[]>(remembered());
    /** Those that were not added or put away yet. */
    readonly open = $derived(this.asked.map(a => ({...a, ...this.state(a.id)})));

    state(id: string): Pick<GoalEvent, 'state' | 'message' | 'tasks'> {
        return live.goals[id] ?? {state: 'running', message: '', tasks: null};
    }

    add(a: Asked): void {
        this.#set([...this.asked, a]);
    }

    forget(id: string): void {
        this.#set(this.asked.filter(a => a.id !== id));
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
