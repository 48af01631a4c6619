// What the window shows of the activity: filters (in the address), following or holding still, the rows.
import {clock} from '../../lib/clock.svelte.ts';
import {live} from '../../lib/feed.svelte.ts';
import {go, route} from '../../lib/route.svelte.ts';
import type {Entry} from '../../lib/types.ts';
import {chooseAxis, filterEntries, zoomed, type Axis, type Filter} from './model.ts';

export class ActivityView {
    readonly filter: Filter = $derived({
        tool: route.query.tool ?? '',
        client: route.query.client ?? '',
        state: route.query.state ?? '',
        text: route.query.text ?? '',
        own: route.query.own === '1',
    });
    readonly selectedId = $derived(route.query.id ?? '');

    /** Held still while a person reads: what was there, and how many came since. */
    held = $state.raw<Entry[] | null>(null);
    readonly follows = $derived(this.held === null);
    readonly #byId = $derived.by(() => new Map(live.entries.map(e => [e.id, e])));
    readonly rows = $derived(filterEntries(this.held ?? live.entries, this.filter));
    /** What has come since it was held still. */
    readonly newer = $derived.by(() => {
        const last = this.held?.at(-1);
        if (!last) return 0;
        const at = live.entries.findLastIndex(e => e.id === last.id);
        const behind =
            at >= 0
                ? live.entries.slice(at + 1)
                : live.entries.filter(e => e.received_at > last.received_at);
        return filterEntries(behind, this.filter).length;
    });

    /** The entry as it is now: rows that are held still may be older. */
    current(e: Entry): Entry {
        return this.held && e.ended_at === null ? (this.#byId.get(e.id) ?? e) : e;
    }

    find(id: string): Entry | null {
        return this.#byId.get(id) ?? null;
    }

    #kept: Entry | null = null; // stays when the server has forgotten it
    readonly selected: Entry | null = $derived.by(() => {
        const found =
            this.#byId.get(this.selectedId) ?? this.held?.find(e => e.id === this.selectedId);
        if (found) this.#kept = found;
        return found ?? (this.#kept?.id === this.selectedId ? this.#kept : null);
    });

    /* ---- time */

    span = $state(0);
    pan = $state(0);
    seen = $state.raw<[number, number]>([0, 0]); // rows in sight
    readonly now = $derived(Math.max(clock.now, live.entries.at(-1)?.received_at ?? 0));
    readonly inSight = $derived(this.rows.slice(...this.seen));
    readonly axis: Axis = $derived.by(() => {
        const chosen =
            this.selected && this.inSight.some(e => e.id === this.selectedId)
                ? this.selected
                : null;
        return chooseAxis(
            this.inSight.map(e => this.current(e)),
            {
                span: this.span,
                follow: this.follows && !chosen,
                anchor: chosen ?? this.inSight[0] ?? null,
                pan: this.pan,
            },
            this.now,
        );
    });

    zoom(step: 1 | -1): void {
        this.span = zoomed(this.span, this.axis, step);
        this.pan = 0;
    }

    /* ---- what a person does */

    hold(): void {
        this.held ??= live.entries;
    }

    followNow(): void {
        this.held = null;
        this.pan = 0;
    }

    /** Another part of the address; the others stay. */
    set(change: Record<string, string | null>, replace = true): void {
        go('activity', {...route.query, ...change}, replace);
    }

    select(id: string | null): void {
        this.pan = 0;
        this.set({id});
    }
}
