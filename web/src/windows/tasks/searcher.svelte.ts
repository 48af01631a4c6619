// One search in one log, which may grow meanwhile: a slice at a time, so that the page stays awake.
import type {LogLines} from './log.ts';
import {expression, Matches, type Query} from './search.ts';
import type {Answer, Ask} from './search.worker.ts';

const SLICE_MS = 8;
const CHUNK = 5000; // lines of one question to the worker
const PATIENCE_MS = 3000; // for such a chunk

export class Searcher {
    /** Counts up with each news: `matches` is the same object. */
    version = $state(0);
    fault = $state('');
    busy = $state(false);
    matches: Matches | null = null;
    #log: LogLines | null = null;
    #query: Query = {text: '', regex: false, cased: false};
    #re: RegExp | null = null;
    #next = 0; // the first line that was not looked at
    #timer: ReturnType<typeof setTimeout> | undefined;
    #worker: Worker | null = null;
    #asked = 0;

    /** From the beginning, for another question or another log. */
    start(log: LogLines, query: Query): void {
        this.stop();
        this.#log = log;
        this.#query = query;
        this.#next = log.dropped;
        this.fault = '';
        this.matches = null;
        if (query.text) {
            try {
                this.#re = expression(query);
                this.matches = new Matches();
            } catch (e) {
                this.fault = (e as Error).message.replace(/^Invalid regular expression: /, '');
            }
        }
        this.version++;
        this.more();
    }

    /** The log has grown: its last line is looked at again. */
    more(): void {
        const log = this.#log;
        if (!log || !this.matches || this.busy || this.fault) return;
        const from = Math.max(
            log.dropped,
            Math.min(this.#next, log.dropped + log.lines.length - 1),
        );
        if (from >= log.dropped + log.lines.length) return;
        this.matches.cut(from);
        this.#next = from;
        this.busy = true;
        if (this.#query.regex) this.#ask();
        else this.#slice();
    }

    stop(): void {
        clearTimeout(this.#timer);
        this.#worker?.terminate();
        this.#worker = null;
        this.busy = false;
        this.#log = null;
    }

    #done(): void {
        this.busy = false;
        this.version++;
    }

    #slice(): void {
        const log = this.#log!,
            until = performance.now() + SLICE_MS;
        this.#next = Math.max(this.#next, log.dropped);
        while (this.#next < log.dropped + log.lines.length && !this.matches!.full) {
            this.matches!.find(this.#re!, log.lines[this.#next - log.dropped]!, this.#next);
            this.#next++;
            if (performance.now() > until) {
                this.version++;
                this.#timer = setTimeout(() => this.#slice(), 0);
                return;
            }
        }
        this.#done();
    }

    #ask(): void {
        const log = this.#log!;
        this.#next = Math.max(this.#next, log.dropped);
        const lines = log.lines.slice(this.#next - log.dropped, this.#next - log.dropped + CHUNK);
        if (!lines.length || this.matches!.full) return this.#done();
        if (!this.#worker) {
            this.#worker = new Worker(new URL('./search.worker.ts', import.meta.url), {
                type: 'module',
            });
            this.#worker.onmessage = (e: MessageEvent<Answer>) => this.#take(e.data);
            this.#worker.onerror = () => this.#giveUp('This browser does not let the search run.');
        }
        this.#worker.postMessage({
            id: ++this.#asked,
            query: this.#query,
            first: this.#next,
            lines,
        } satisfies Ask);
        this.#next += lines.length;
        this.#timer = setTimeout(
            () => this.#giveUp('This expression takes too long here.'),
            PATIENCE_MS,
        );
    }

    #take(answer: Answer): void {
        if (answer.id !== this.#asked) return;
        clearTimeout(this.#timer);
        this.matches!.add(answer);
        this.version++;
        this.#ask();
    }

    #giveUp(why: string): void {
        clearTimeout(this.#timer);
        this.#worker?.terminate();
        this.#worker = null;
        this.fault = why;
        this.#done();
    }
}
