// The tasks as the page knows them: all of them, by number, kept up to date by the feed. One for the whole page, so
// that the window shows what is known at once when it is opened again.
import {get} from '../../lib/api.ts';
import {live, onTasks, type TasksEvent} from '../../lib/feed.svelte.ts';
import {count, merge, pools} from './rows.ts';
import type {Control, Orchestrator, Task, TaskPage} from './types.ts';

const PAGE = 1000; // tasks of one answer
const BATCH = 400; // changed ones asked for at once
const TOO_MANY = 4000; // changed ones: then all is read anew
const MOST = 100_000;
const COLLECT_MS = 80;
const RETRY_MS = 2000; // before the list is read again after a failure
const HEAD_MS = 1000; // at most so often
const LOOK_MS = 5000; // whether orchestrators are still there: nobody tells that they died

class TaskStore {
    tasks = $state.raw<readonly Task[]>([]);
    loaded = $state(false); // all were read at least once
    loading = $state(false);
    cut = $state(false); // there are more than are kept
    error = $state.raw<Error | null>(null); // of reading the list
    trouble = $state(''); // the server's store is gone
    place = $state(''); // of the store
    control = $state.raw<Control | null>(null);
    orchestrators = $state.raw<readonly Orchestrator[]>([]);

    readonly byId = $derived(new Map(this.tasks.map(t => [t.id, t])));
    readonly names = $derived(new Map(this.tasks.map(t => [t.name, t.id])));
    readonly counts = $derived(count(this.tasks));
    readonly pools = $derived(pools(this.tasks));

    #users = 0;
    #stop: AbortController | null = null;
    #changed = new Set<number>();
    #timer: ReturnType<typeof setTimeout> | undefined;
    #asking = false;
    #again = false; // something was said that the reading under way may have missed
    #retryTimer: ReturnType<typeof setTimeout> | undefined;
    #headTimer: ReturnType<typeof setTimeout> | undefined;
    #headAt = 0;

    /** While somebody looks; answers how to leave. */
    use(): () => void {
        if (this.#users++ === 0) this.#begin();
        return () => {
            if (--this.#users === 0) this.#stop?.abort();
        };
    }

    #begin(): void {
        const stop = (this.#stop = new AbortController());
        const leave = onTasks(e => this.#take(e));
        const look = setInterval(() => {
            if (!document.hidden) this.readHead();
        }, LOOK_MS);
        stop.signal.addEventListener('abort', () => {
            leave();
            clearInterval(look);
            clearTimeout(this.#timer);
            clearTimeout(this.#headTimer);
            clearTimeout(this.#retryTimer);
            this.#timer = this.#headTimer = this.#retryTimer = undefined;
            this.#changed.clear();
            this.#asking = this.loading = false;
        });
        void this.read();
    }

    /* ---- all of them */

    async read(): Promise<void> {
        const signal = this.#stop?.signal;
        if (!signal || signal.aborted) return;
        if (this.loading) {
            this.#again = true;
            return;
        }
        this.loading = true;
        this.#again = false;
        try {
            await this.#readPages(signal);
            this.loaded = true;
            this.error = null;
        } catch (e) {
            if (!signal.aborted) this.#fail(e as Error);
        } finally {
            if (!signal.aborted) this.loading = false;
        }
        if (signal.aborted) return;
        if (this.#again) return this.read();
        if (this.#changed.size) this.#later();
    }

    /** Show the error. The list is read again after RETRY_MS, on the next event or connection, or when the user asks. */
    #fail(error: Error): void {
        this.error = error;
        this.#retryTimer ??= setTimeout(() => {
            this.#retryTimer = undefined;
            if (this.error && !this.trouble && live.connection === 'open') void this.read();
        }, RETRY_MS);
    }

    /** There is a connection: a server that was started meanwhile tells of tasks only when it was asked. */
    connected(): void {
        if (this.error) void this.read();
        else this.readHead();
    }

    async #readPages(signal: AbortSignal): Promise<void> {
        const all: Task[] = [];
        for (let after: number | null = 0; after !== null && all.length < MOST;) {
            const page: TaskPage = await get(
                `/api/tasks?most=${PAGE}${after ? `&after=${after}` : ''}`,
                signal,
            );
            this.#takeHead(page);
            for (const t of page.tasks) all.push(t);
            this.cut = page.after !== null && all.length >= MOST;
            after = page.after;
            if (!this.loaded) this.tasks = [...all]; // the first ones are in sight while the others come
        }
        this.tasks = all;
    }

    /* ---- orchestrators, pause and the like */

    #takeHead(page: TaskPage): void {
        this.place = page.store;
        this.control = page.control;
        this.orchestrators = page.orchestrators;
        this.#headAt = performance.now();
    }

    setControl(control: Control): void {
        this.control = control;
        this.readHead();
    }

    /** Soon, and not more often than it makes sense. */
    readHead(): void {
        const signal = this.#stop?.signal;
        if (!signal || this.#headTimer !== undefined) return;
        this.#headTimer = setTimeout(
            async () => {
                try {
                    this.#takeHead(await get<TaskPage>('/api/tasks?most=1', signal));
                } catch {
                    // The list says it.
                }
                if (!signal.aborted) this.#headTimer = undefined;
            },
            Math.max(0, HEAD_MS - (performance.now() - this.#headAt)),
        );
    }

    /* ---- news */

    #take(e: TasksEvent): void {
        const back = this.trouble !== '' && !e.trouble;
        this.trouble = e.trouble ?? '';
        if (e.reset || back || (this.error && !e.trouble)) {
            this.#changed.clear();
            void this.read();
            return;
        }
        for (const id of e.changed) this.#changed.add(id);
        this.readHead();
        if (this.#changed.size) this.#later();
    }

    /** These were changed by this page: it need not wait for the feed. */
    touch(ids: readonly number[]): void {
        for (const id of ids) this.#changed.add(id);
        this.#later();
    }

    #later(): void {
        if (this.#timer === undefined && !this.#asking && !this.loading)
            this.#timer = setTimeout(() => void this.#askRows(), COLLECT_MS);
    }

    async #askRows(): Promise<void> {
        const signal = this.#stop?.signal;
        this.#timer = undefined;
        if (!signal || signal.aborted) return;
        if (this.#changed.size > TOO_MANY) {
            this.#changed.clear();
            return this.read();
        }
        const ids = [...this.#changed].slice(0, BATCH);
        for (const id of ids) this.#changed.delete(id);
        this.#asking = true;
        try {
            const {tasks} = await get<{tasks: Task[]}>(
                `/api/tasks/rows?ids=${ids.join(',')}`,
                signal,
            );
            this.tasks = merge(this.tasks, tasks, ids);
        } catch (e) {
            if (!signal.aborted) this.#fail(e as Error);
        }
        if (signal.aborted) return;
        this.#asking = false;
        if (this.#changed.size) this.#later();
    }
}

export const store = new TaskStore();
