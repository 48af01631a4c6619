// The state of the activity window: filters (stored in the address), following or paused, rows,
// time axis.
import {clock} from '../../lib/clock.svelte.ts';
import {live} from '../../lib/feed.svelte.ts';
import {goTo, route} from '../../lib/route.svelte.ts';
import type {Entry} from '../../lib/types.ts';
import {chooseAxis, filterEntries, nextSpan, type Axis, type Filter} from './model.ts';

export class ActivityView {
    readonly filter: Filter = $derived({
        tool: route.query.tool ?? '',
        client: route.query.client ?? '',
        state: route.query.state ?? '',
        text: route.query.text ?? '',
        own: route.query.own === '1',
    });
    readonly selectedId = $derived(route.query.id ?? '');

    /** The entries at the time the list was paused; null while following. */
    held = $state.raw<Entry[] | null>(null);
    readonly follows = $derived(this.held === null);
    readonly #byId = $derived.by(() => new Map(live.entries.map(e => [e.id, e])));
    readonly rows = $derived(filterEntries(this.held ?? live.entries, this.filter));
    /** Number of entries that arrived since the list was paused. */
    readonly newer = $derived.by(() => {
        const last = this.held?.at(-1);
        if (!last) return 0;
        const at = live.entries.findLastIndex(e => e.id === last.id);
        const later =
            at >= 0
                ? live.entries.slice(at + 1)
                : live.entries.filter(e => e.received_at > last.received_at);
        return filterEntries(later, this.filter).length;
    });

    /** Return the current state of an entry: rows of a paused list may be outdated. */
    current(e: Entry): Entry {
        return this.held && e.ended_at === null ? (this.#byId.get(e.id) ?? e) : e;
    }

    find(id: string): Entry | null {
        return this.#byId.get(id) ?? null;
    }

    #lastSelected: Entry | null = null; // stays visible when the server has dropped it
    readonly selected: Entry | null = $derived.by(() => {
        const found =
            this.#byId.get(this.selectedId) ?? this.held?.find(e => e.id === this.selectedId);
        if (found) this.#lastSelected = found;
        return found ?? (this.#lastSelected?.id === this.selectedId ? this.#lastSelected : null);
    });

    /* ---- time */

    span = $state(0);
    pan = $state(0);
    seen = $state.raw<[number, number]>([0, 0]); // range of visible rows
    readonly now = $derived(Math.max(clock.now, live.entries.at(-1)?.received_at ?? 0));
    readonly visibleRows = $derived(this.rows.slice(...this.seen));
    readonly axis: Axis = $derived.by(() => {
        const chosen =
            this.selected && this.visibleRows.some(e => e.id === this.selectedId)
                ? this.selected
                : null;
        return chooseAxis(
            this.visibleRows.map(e => this.current(e)),
            {
                span: this.span,
                follow: this.follows && !chosen,
                anchor: chosen ?? this.visibleRows[0] ?? null,
                pan: this.pan,
            },
            this.now,
        );
    });

    zoom(step: 1 | -1): void {
        this.span = nextSpan(this.span, this.axis, step);
        this.pan = 0;
    }

    /* ---- actions */

    hold(): void {
        this.held ??= live.entries;
    }

    followNow(): void {
        this.held = null;
        this.pan = 0;
    }

    /** Change a part of the address and keep the others. */
    set(change: Record<string, string | null>, replace = true): void {
        goTo('activity', {...route.query, ...change}, replace);
    }

    select(id: string | null): void {
        this.pan = 0;
        this.set({id});
    }
}
