// All tasks by id, kept up to date by the feed. One store for the whole page, so that the window
// shows the last known tasks at once when it is opened again.
import {get} from '../../lib/api.ts';
import {live, onTasks, type TasksEvent} from '../../lib/feed.svelte.ts';
import {countStates, listPools, mergeTasks} from './rows.ts';
import type {Control, Orchestrator, Task, TaskPage} from './types.ts';

const PAGE = 1000; // tasks per response
const BATCH = 400; // changed tasks per request
const TOO_MANY = 4000; // with more changed tasks, reload all
const MOST = 100_000;
const COLLECT_MS = 80;
const RETRY_MS = 2000; // before the list is reloaded after an error
const HEAD_MS = 1000; // shortest time between requests of the head
const HEAD_POLL_MS = 5000; // the feed does not report that an orchestrator died

class TaskStore {
    tasks = $state.raw<readonly Task[]>([]);
    loaded = $state(false); // all tasks were loaded at least once
    loading = $state(false);
    isTruncated = $state(false); // there are more than MOST tasks
    error = $state.raw<Error | null>(null); // of the last load
    storeError = $state(''); // why the server cannot use the store
    place = $state(''); // of the store
    control = $state.raw<Control | null>(null);
    orchestrators = $state.raw<readonly Orchestrator[]>([]);

    readonly byId = $derived(new Map(this.tasks.map(t => [t.id, t])));
    readonly names = $derived(new Map(this.tasks.map(t => [t.name, t.id])));
    readonly counts = $derived(countStates(this.tasks));
    readonly pools = $derived(listPools(this.tasks));

    #users = 0;
    #stop: AbortController | null = null;
    #changed = new Set<number>();
    #timer: ReturnType<typeof setTimeout> | undefined;
    #isLoadingRows = false;
    #isOutdated = false; // there was a change that the current load may have missed
    #retryTimer: ReturnType<typeof setTimeout> | undefined;
    #headTimer: ReturnType<typeof setTimeout> | undefined;
    #headAt = 0;

    /** Keep the tasks up to date until the returned function is called. */
    subscribe(): () => void {
        if (this.#users++ === 0) this.#start();
        return () => {
            if (--this.#users === 0) this.#stop?.abort();
        };
    }

    #start(): void {
        const stop = (this.#stop = new AbortController());
        const unsubscribe = onTasks(e => this.#applyEvent(e));
        const poll = setInterval(() => {
            if (!document.hidden) this.loadHead();
        }, HEAD_POLL_MS);
        stop.signal.addEventListener('abort', () => {
            unsubscribe();
            clearInterval(poll);
            clearTimeout(this.#timer);
            clearTimeout(this.#headTimer);
            clearTimeout(this.#retryTimer);
            this.#timer = this.#headTimer = this.#retryTimer = undefined;
            this.#changed.clear();
            this.#isLoadingRows = this.loading = false;
        });
        void this.load();
    }

    /* ---- all tasks */

    async load(): Promise<void> {
        const signal = this.#stop?.signal;
        if (!signal || signal.aborted) return;
        if (this.loading) {
            this.#isOutdated = true;
            return;
        }
        this.loading = true;
        this.#isOutdated = false;
        try {
            await this.#loadPages(signal);
            this.loaded = true;
            this.error = null;
        } catch (e) {
            if (!signal.aborted) this.#fail(e as Error);
        } finally {
            if (!signal.aborted) this.loading = false;
        }
        if (signal.aborted) return;
        if (this.#isOutdated) return this.load();
        if (this.#changed.size) this.#scheduleRows();
    }

    /** Show the error. The list is reloaded after RETRY_MS, on the next event or connection, or on
     * request. */
    #fail(error: Error): void {
        this.error = error;
        this.#retryTimer ??= setTimeout(() => {
            this.#retryTimer = undefined;
            if (this.error && !this.storeError && live.connection === 'open') void this.load();
        }, RETRY_MS);
    }

    /** Call this after each new connection: a restarted server sends task events only after a
     * request. */
    onConnected(): void {
        if (this.error) void this.load();
        else this.loadHead();
    }

    async #loadPages(signal: AbortSignal): Promise<void> {
        const all: Task[] = [];
        for (let after: number | null = 0; after !== null && all.length < MOST;) {
            const page: TaskPage = await get(
                `/api/tasks?most=${PAGE}${after ? `&after=${after}` : ''}`,
                signal,
            );
            this.#applyHead(page);
            for (const t of page.tasks) all.push(t);
            this.isTruncated = page.after !== null && all.length >= MOST;
            after = page.after;
            if (!this.loaded) this.tasks = [...all]; // show the first page while the others load
        }
        this.tasks = all;
    }

    /* ---- the head: store, orchestrators, mode */

    #applyHead(page: TaskPage): void {
        this.place = page.store;
        this.control = page.control;
        this.orchestrators = page.orchestrators;
        this.#headAt = performance.now();
    }

    setControl(control: Control): void {
        this.control = control;
        this.loadHead();
    }

    /** Reload the head soon, at most once per HEAD_MS. */
    loadHead(): void {
        const signal = this.#stop?.signal;
        if (!signal || this.#headTimer !== undefined) return;
        this.#headTimer = setTimeout(
            async () => {
                try {
                    this.#applyHead(await get<TaskPage>('/api/tasks?most=1', signal));
                } catch {
                    // Loading the list reports the error.
                }
                if (!signal.aborted) this.#headTimer = undefined;
            },
            Math.max(0, HEAD_MS - (performance.now() - this.#headAt)),
        );
    }

    /* ---- changes */
    #applyEvent(e: TasksEvent): void {
        const isBack = this.storeError !== '' && !e.trouble;
        this.storeError = e.trouble ?? '';
        if (e.reset || isBack || (this.error && !e.trouble)) {
            this.#changed.clear();
            void this.load();
            return;
        }
        for (const id of e.changed) this.#changed.add(id);
        this.loadHead();
        if (this.#changed.size) this.#scheduleRows();
    }

    /** Reload tasks that this page changed, without waiting for the feed. */
    reloadTasks(ids: readonly number[]): void {
        for (const id of ids) this.#changed.add(id);
        this.#scheduleRows();
    }

    #scheduleRows(): void {
        if (this.#timer === undefined && !this.#isLoadingRows && !this.loading)
            this.#timer = setTimeout(() => void this.#loadRows(), COLLECT_MS);
    }

    async #loadRows(): Promise<void> {
        const signal = this.#stop?.signal;
        this.#timer = undefined;
        if (!signal || signal.aborted) return;
        if (this.#changed.size > TOO_MANY) {
            this.#changed.clear();
            return this.load();
        }
        const ids = [...this.#changed].slice(0, BATCH);
        for (const id of ids) this.#changed.delete(id);
        this.#isLoadingRows = true;
        try {
            const {tasks} = await get<{tasks: Task[]}>(
                `/api/tasks/rows?ids=${ids.join(',')}`,
                signal,
            );
            this.tasks = mergeTasks(this.tasks, tasks, ids);
        } catch (e) {
            if (!signal.aborted) this.#fail(e as Error);
        }
        if (signal.aborted) return;
        this.#isLoadingRows = false;
        if (this.#changed.size) this.#scheduleRows();
    }
}

export const store = new TaskStore();
