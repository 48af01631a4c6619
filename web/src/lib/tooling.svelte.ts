// The current GET /api/tooling: fetched again when the feed reports a change of the file, the
// cooldowns or the agents.
import {ApiError, get, post} from './api.ts';
import {live} from './feed.svelte.ts';
import type {Cooldown, Tooling} from './types.ts';

class SharedTooling {
    data = $state.raw<Tooling | null>(null);
    error = $state<string | null>(null); // of the last request
}

export const tooling = new SharedTooling();
let inFlight: Promise<void> | null = null,
    queued: Promise<void> | null = null;

async function fetchTooling(): Promise<void> {
    try {
        tooling.data = await get<Tooling>('/api/tooling');
        tooling.error = null;
    } catch (e) {
        tooling.error = e instanceof ApiError ? e.message : String(e);
    }
}

/** Fetch the tooling; calls during a request share one further request. Resolves when the data is
 * at least as new as the call. */
export function refreshTooling(): Promise<void> {
    if (!inFlight) {
        inFlight = fetchTooling().finally(() => {
            inFlight = null;
        });
        return inFlight;
    }
    queued ??= inFlight.then(() => {
        queued = null;
        return refreshTooling();
    });
    return queued;
}

/** Keep `tooling` up to date; call it in a component that lives as long as the page. */
export function followTooling(): void {
    $effect(() => {
        void live.tooling;
        void live.connections;
        if (live.connection === 'open') void refreshTooling();
    });
}

export async function switchProfile(id: string): Promise<void> {
    await post('/api/tooling/profile', {id});
    await refreshTooling();
}

/** Return the active cooldown that ends first, or null. */
export function nextCooldown(cooldowns: readonly Cooldown[], now: number): Cooldown | null {
    let next: Cooldown | null = null;
    for (const cooldown of cooldowns) {
        if (cooldown.until > now && (next === null || cooldown.until < next.until)) next = cooldown;
    }
    return next;
}
