// GET /api/tooling, as it is now: asked again when the feed says that the file, the rests or the agents have changed.
import {ApiError, get, post} from './api.ts';
import {live} from './feed.svelte.ts';
import type {Rest, Tooling} from './types.ts';

class Shared {
    data = $state.raw<Tooling | null>(null);
    error = $state<string | null>(null); // of the last question
}

export const tooling = new Shared();
let asking: Promise<void> | null = null,
    next: Promise<void> | null = null;

async function ask(): Promise<void> {
    try {
        tooling.data = await get<Tooling>('/api/tooling');
        tooling.error = null;
    } catch (e) {
        tooling.error = e instanceof ApiError ? e.message : String(e);
    }
}

/** Asks now; questions that come meanwhile are one more. Resolves when what was true at the call is known. */
export function refreshTooling(): Promise<void> {
    if (!asking) {
        asking = ask().finally(() => {
            asking = null;
        });
        return asking;
    }
    next ??= asking.then(() => {
        next = null;
        return refreshTooling();
    });
    return next;
}

/** Keeps it fresh; of the component that lives as long as the page. */
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

/** The rest that ends next, of those that have not ended. */
export function nextRest(rests: readonly Rest[], now: number): Rest | null {
    let next: Rest | null = null;
    for (const rest of rests) {
        if (rest.until > now && (next === null || rest.until < next.until)) next = rest;
    }
    return next;
}
