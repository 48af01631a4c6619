// A search in a growing log, in slices, so that the page stays responsive.
import type {LogLines} from './log.ts';
import {compileQuery, Matches, type Query} from './matches.ts';
import type {SearchRequest, SearchResult} from './log_search.worker.ts';

const SLICE_MS = 8;
const CHUNK = 5000; // lines per request to the worker
const TIMEOUT_MS = 3000; // for one chunk

export class LogSearch {
    /** Grows with each change of `matches`, which stays the same object. */
    version = $state(0);
    error = $state('');
    busy = $state(false);
    matches: Matches | null = null;
    #log: LogLines | null = null;
    #query: Query = {text: '', regex: false, matchCase: false};
    #re: RegExp | null = null;
    #next = 0; // the first line that was not searched
    #timer: ReturnType<typeof setTimeout> | undefined;
    #worker: Worker | null = null;
    #requestId = 0;

    /** Start a new search from the first line. */
    start(log: LogLines, query: Query): void {
        this.stop();
        this.#log = log;
        this.#query = query;
        this.#next = log.dropped;
        this.error = '';
        this.matches = null;
        if (query.text) {
            try {
                this.#re = compileQuery(query);
                this.matches = new Matches();
            } catch (e) {
                this.error = (e as Error).message.replace(/^Invalid regular expression: /, '');
            }
        }
        this.version++;
        this.continue();
    }

    /** Search new lines, and the last known line again. */
    continue(): void {
        const log = this.#log;
        if (!log || !this.matches || this.busy || this.error) return;
        const from = Math.max(
            log.dropped,
            Math.min(this.#next, log.dropped + log.lines.length - 1),
        );
        if (from >= log.dropped + log.lines.length) return;
        this.matches.cut(from);
        this.#next = from;
        this.busy = true;
        if (this.#query.regex) this.#searchInWorker();
        else this.#searchSlice();
    }

    stop(): void {
        clearTimeout(this.#timer);
        this.#worker?.terminate();
        this.#worker = null;
        this.busy = false;
        this.#log = null;
    }

    #finish(): void {
        this.busy = false;
        this.version++;
    }

    #searchSlice(): void {
        const log = this.#log!,
            until = performance.now() + SLICE_MS;
        this.#next = Math.max(this.#next, log.dropped);
        while (this.#next < log.dropped + log.lines.length && !this.matches!.isFull) {
            this.matches!.addFrom(this.#re!, log.lines[this.#next - log.dropped]!, this.#next);
            this.#next++;
            if (performance.now() > until) {
                this.version++;
                this.#timer = setTimeout(() => this.#searchSlice(), 0);
                return;
            }
        }
        this.#finish();
    }

    #searchInWorker(): void {
        const log = this.#log!;
        this.#next = Math.max(this.#next, log.dropped);
        const lines = log.lines.slice(this.#next - log.dropped, this.#next - log.dropped + CHUNK);
        if (!lines.length || this.matches!.isFull) return this.#finish();
        if (!this.#worker) {
            this.#worker = new Worker(new URL('./log_search.worker.ts', import.meta.url), {
                type: 'module',
            });
            this.#worker.onmessage = (e: MessageEvent<SearchResult>) => this.#addResult(e.data);
            this.#worker.onerror = () => this.#fail('This browser cannot run the search.');
        }
        this.#worker.postMessage({
            id: ++this.#requestId,
            query: this.#query,
            first: this.#next,
            lines,
        } satisfies SearchRequest);
        this.#next += lines.length;
        this.#timer = setTimeout(() => this.#fail('This expression takes too long.'), TIMEOUT_MS);
    }

    #addResult(result: SearchResult): void {
        if (result.id !== this.#requestId) return;
        clearTimeout(this.#timer);
        this.matches!.add(result);
        this.version++;
        this.#searchInWorker();
    }

    #fail(reason: string): void {
        clearTimeout(this.#timer);
        this.#worker?.terminate();
        this.#worker = null;
        this.error = reason;
        this.#finish();
    }
}
