// Follows the console of the editor and loads only newer entries, a few times per second at most.
// Types and duplicates are filtered here; the tool applies the pattern, so that its syntax is the
// same everywhere.
import {callTool} from '../../lib/mcp.ts';
import {
    type ConsolePage,
    countTypes,
    type LogEntry,
    type LogType,
    type Numbered,
    withNewer,
    withOlder,
} from './console_lines.ts';
import {type CallError, toCallError, isAbort} from './errors.ts';

const MOST_KEPT = 5000;
const PAGE = 500;
const GAP_MS = 300;
const STACK_LINES = 100;

class ConsoleLog {
    entries = $state.raw<Numbered[]>([]);
    counts = $derived(countTypes(this.entries));
    pattern = $state('');
    hidden = $state.raw<ReadonlySet<LogType>>(new Set());
    collapse = $state(true);
    error = $state.raw<CallError | null>(null);
    isRead = $state(false);
    /** Whether older entries are hidden by clear(). */
    isCleared = $state(false);
    /** The id of the line whose details are shown. */
    selected = $state<number | null>(null);

    #cursor: string | null = null;
    #clearedAt: string | null = null;
    #next = 0;
    #page = PAGE;
    #stop: AbortController | null = null;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #lastRead = 0; // time of the last request

    /** Reload everything: another editor or a new connection. */
    restart(): void {
        this.#stop?.abort();
        this.#stop = null;
        this.#cursor = null;
        this.scheduleRead(0);
    }

    setPattern(text: string): void {
        this.pattern = text;
        this.#stop?.abort();
        this.#stop = null;
        this.#cursor = null;
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.scheduleRead(200);
    }

    clear(): void {
        this.#stop?.abort(); // otherwise older pages that are still loading would reappear
        this.#stop = null;
        this.#clearedAt = this.#cursor;
        this.isCleared = this.#cursor !== null;
        this.entries = [];
        this.selected = null;
        this.scheduleRead(); // the aborted request may have contained newer entries
    }

    showAll(): void {
        this.#clearedAt = null;
        this.isCleared = false;
        this.restart();
    }

    toggleType(type: LogType): void {
        const next = new Set(this.hidden);
        if (!next.delete(type)) next.add(type);
        this.hidden = next;
    }

    /** Load newer entries soon. */
    scheduleRead(ms = 0): void {
        if (this.#timer !== undefined) return;
        this.#timer = setTimeout(
            () => {
                this.#timer = undefined;
                void this.#read();
            },
            Math.max(ms, this.#lastRead + GAP_MS - performance.now()),
        );
    }

    async #read(): Promise<void> {
        if (this.#stop) {
            this.scheduleRead(GAP_MS);
            return;
        }
        const stop = (this.#stop = new AbortController());
        this.#lastRead = performance.now();
        try {
            await (this.#cursor === null
                ? this.#readAll(stop.signal)
                : this.#readNewer(stop.signal));
            this.error = null;
            this.isRead = true;
        } catch (e) {
            if (!isAbort(e) && !stop.signal.aborted) {
                this.error = toCallError(e);
                this.isRead = true;
            }
        } finally {
            if (this.#stop === stop) this.#stop = null;
        }
    }

    /** Request a page. The response of a live editor has a size limit; if it is exceeded, use
     * smaller pages. */
    async #requestPage(args: Record<string, unknown>, signal: AbortSignal): Promise<ConsolePage> {
        const pattern = this.pattern ? {message_pattern: this.pattern} : {};
        for (;;) {
            try {
                return await callTool<ConsolePage>(
                    'read_console',
                    {
                        max_entries: this.#page,
                        stack_trace_lines: STACK_LINES,
                        deduplicate: false,
                        ...pattern,
                        ...args,
                    },
                    signal,
                );
            } catch (e) {
                if (toCallError(e).code !== 'ERR_RESPONSE_TOO_LARGE' || this.#page <= 5) throw e;
                this.#page = Math.floor(this.#page / 4);
            }
        }
    }

    /** Yield the newest page, then older ones. Offsets count from the newest entry, so entries that
     * arrived meanwhile shift the pages: skip the duplicates. */
    async *#pages(args: Record<string, unknown>, signal: AbortSignal): AsyncGenerator<ConsolePage> {
        let page = await this.#requestPage(args, signal);
        yield page;
        while (page.truncated && page.next_offset !== undefined) {
            const next = await this.#requestPage({...args, offset: page.next_offset}, signal);
            yield {
                ...next,
                entries: next.entries.slice(Math.max(0, next.total_count - page.total_count)),
            };
            page = next;
        }
    }

    async #readAll(signal: AbortSignal): Promise<void> {
        let isFirst = true;
        for await (const {entries, cursor} of this.#pages(
            this.#clearedAt === null ? {} : {since: this.#clearedAt},
            signal,
        )) {
            if (signal.aborted) return;
            if (isFirst) {
                this.#cursor = cursor;
                this.#next = MOST_KEPT + entries.length;
                this.selected = null; // the ids of lines change
                this.entries = withNewer([], entries, MOST_KEPT, MOST_KEPT);
            } else {
                this.entries = withOlder(
                    this.entries,
                    entries,
                    this.entries[0]?.id ?? this.#next,
                    MOST_KEPT,
                );
            }
            isFirst = false;
            if (this.entries.length >= MOST_KEPT) return;
        }
    }

    async #readNewer(signal: AbortSignal): Promise<void> {
        const newer: LogEntry[] = [];
        let newest: string | null = null;
        for await (const {entries, cursor} of this.#pages({since: this.#cursor!}, signal)) {
            if (signal.aborted) return;
            newest ??= cursor;
            newer.push(...entries);
            if (newer.length >= MOST_KEPT) break;
        }
        this.#cursor = newest;
        if (newer.length === 0) return;
        this.entries = withNewer(this.entries, newer, this.#next, MOST_KEPT);
        this.#next += newer.length;
    }
}

export const log = new ConsoleLog();
