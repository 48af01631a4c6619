// The console of the editor, followed: only what is newer is asked for, a few times a second at most. Types and
// duplicates are sorted out here; the pattern is the tool's, so that it means what it means everywhere.
import {call} from '../../lib/mcp.ts';
import {
    type ConsoleAnswer,
    countTypes,
    type LogEntry,
    type LogType,
    type Numbered,
    withNewer,
    withOlder,
} from './console.ts';
import {type Fault, faultOf, isAbort} from './faults.ts';

const KEPT = 5000;
const PAGE = 500;
const GAP_MS = 300;
const STACK_LINES = 100;

class Log {
    entries = $state.raw<Numbered[]>([]);
    counts = $derived(countTypes(this.entries));
    pattern = $state('');
    hidden = $state.raw<ReadonlySet<LogType>>(new Set());
    collapse = $state(true);
    fault = $state.raw<Fault | null>(null);
    isRead = $state(false);
    /** Older entries than these were cleared from view. */
    isCleared = $state(false);
    /** The id of the line whose details are shown. */
    selected = $state<number | null>(null);

    #cursor: string | null = null;
    #clearedAt: string | null = null;
    #next = 0;
    #page = PAGE;
    #stop: AbortController | null = null;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #asked = 0;

    /** From the beginning: another editor, another pattern, a new connection. */
    restart(): void {
        this.#stop?.abort();
        this.#stop = null;
        this.#cursor = null;
        this.more(0);
    }

    setPattern(text: string): void {
        this.pattern = text;
        this.#stop?.abort();
        this.#stop = null;
        this.#cursor = null;
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.more(200);
    }

    clear(): void {
        this.#stop?.abort(); // older pages that are still read would come back
        this.#stop = null;
        this.#clearedAt = this.#cursor;
        this.isCleared = this.#cursor !== null;
        this.entries = [];
        this.selected = null;
        this.more(); // what was being read may have been news
    }

    showAll(): void {
        this.#clearedAt = null;
        this.isCleared = false;
        this.restart();
    }

    toggle(type: LogType): void {
        const next = new Set(this.hidden);
        if (!next.delete(type)) next.add(type);
        this.hidden = next;
    }

    /** There may be news. */
    more(ms = 0): void {
        if (this.#timer !== undefined) return;
        this.#timer = setTimeout(
            () => {
                this.#timer = undefined;
                void this.#read();
            },
            Math.max(ms, this.#asked + GAP_MS - performance.now()),
        );
    }

    async #read(): Promise<void> {
        if (this.#stop) {
            this.more(GAP_MS);
            return;
        }
        const stop = (this.#stop = new AbortController());
        this.#asked = performance.now();
        try {
            await (this.#cursor === null
                ? this.#readAll(stop.signal)
                : this.#readNews(stop.signal));
            this.fault = null;
            this.isRead = true;
        } catch (e) {
            if (!isAbort(e) && !stop.signal.aborted) {
                this.fault = faultOf(e);
                this.isRead = true;
            }
        } finally {
            if (this.#stop === stop) this.#stop = null;
        }
    }

    /** A live editor's answer has a limit in bytes: then it comes in smaller pages. */
    async #ask(args: Record<string, unknown>, signal: AbortSignal): Promise<ConsoleAnswer> {
        const pattern = this.pattern ? {message_pattern: this.pattern} : {};
        for (;;) {
            try {
                return await call<ConsoleAnswer>(
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
                if (faultOf(e).code !== 'ERR_RESPONSE_TOO_LARGE' || this.#page <= 5) throw e;
                this.#page = Math.floor(this.#page / 4);
            }
        }
    }

    /** The newest page, then older ones. Offsets count from the newest: what came meanwhile would be told twice. */
    async *#pages(
        args: Record<string, unknown>,
        signal: AbortSignal,
    ): AsyncGenerator<ConsoleAnswer> {
        let answer = await this.#ask(args, signal);
        yield answer;
        while (answer.truncated && answer.next_offset !== undefined) {
            const next = await this.#ask({...args, offset: answer.next_offset}, signal);
            yield {
                ...next,
                entries: next.entries.slice(Math.max(0, next.total_count - answer.total_count)),
            };
            answer = next;
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
                this.#next = KEPT + entries.length;
                this.selected = null; // lines are numbered anew
                this.entries = withNewer([], entries, KEPT, KEPT);
            } else {
                this.entries = withOlder(
                    this.entries,
                    entries,
                    this.entries[0]?.id ?? this.#next,
                    KEPT,
                );
            }
            isFirst = false;
            if (this.entries.length >= KEPT) return;
        }
    }

    async #readNews(signal: AbortSignal): Promise<void> {
        const news: LogEntry[] = [];
        let newest: string | null = null;
        for await (const {entries, cursor} of this.#pages({since: this.#cursor!}, signal)) {
            if (signal.aborted) return;
            newest ??= cursor;
            news.push(...entries);
            if (news.length >= KEPT) break;
        }
        this.#cursor = newest;
        if (news.length === 0) return;
        this.entries = withNewer(this.entries, news, this.#next, KEPT);
        this.#next += news.length;
    }
}

export const log = new Log();
