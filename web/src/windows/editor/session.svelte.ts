// The state of the editor window: tools, scene, expanded objects. It lives as long as the page, so
// that the window looks the same when it is opened again.
import {live} from '../../lib/feed.svelte.ts';
import {callTool, listTools, type ToolInfo} from '../../lib/mcp.ts';
import {showToast} from '../../lib/toasts.svelte.ts';
import {type CallError, toCallError, isAbort} from './errors.ts';
import {mapPaths, matchScenes} from './scene_match.ts';
import {
    type YieldToPage,
    CUT,
    EMPTY,
    flattenHierarchy,
    replaceSubtree,
    type Hierarchy,
    MORE,
    type Scene,
} from './scene.ts';

const MOST_OBJECTS = 10_000; // per response
const MOST_EXPANDED = 120; // a scene up to this size is expanded by default
const SLICE_MS = 8;

/** Return a function that yields to the page every SLICE_MS. */
export function createYield(): YieldToPage {
    let since = performance.now();
    return () =>
        performance.now() - since < SLICE_MS
            ? undefined
            : new Promise(done =>
                  setTimeout(() => {
                      since = performance.now();
                      done();
                  }),
              );
}

export interface Edit {
    path: string;
    index: number;
    type: string;
}

class Session {
    tools = $state.raw<ReadonlyMap<string, ToolInfo>>(new Map());
    scene = $state.raw<Scene>(EMPTY);
    isRead = $state(false);
    isReading = $state(false);
    error = $state.raw<CallError | null>(null);
    open = $state.raw<ReadonlySet<string>>(new Set());
    /** Parts of the tree that are being loaded. */
    busy = $state.raw<ReadonlySet<string>>(new Set());
    /** Grows when values of components may have changed. */
    revision = $state(0);
    /** Called with changed paths (old to new) after a reload, so that the window can update its
     * selection. */
    onMoved: (moves: ReadonlyMap<string, string>) => void = () => {};

    #most = MOST_OBJECTS;
    #isOutdated = false; // a change arrived during a load
    #loadedAt = 0;
    #loadMs = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #expanded = new Set<string>();

    hasTool(tool: string): boolean {
        return this.tools.has(tool);
    }

    /** Whether a tool of this editor has an argument, optionally with `text` in its description. */
    hasArgument(tool: string, argument: string, text = ''): boolean {
        const property = this.tools.get(tool)?.inputSchema?.properties?.[argument];
        return property !== undefined && (property.description ?? '').includes(text);
    }

    async readTools(): Promise<void> {
        this.#most = MOST_OBJECTS;
        try {
            this.tools = new Map((await listTools()).map(t => [t.name, t]));
        } catch {
            // The feed reports the lost connection; the tools are loaded again after the next one.
        }
    }

    /* ---- the scene */

    /** Reload the scene soon: combines several changes, and reloads large scenes less often. */
    scheduleLoad(ms = 120): void {
        if (this.#timer !== undefined) return;
        const delay = this.#loadedAt + Math.max(250, 6 * this.#loadMs) - performance.now();
        this.#timer = setTimeout(
            () => {
                this.#timer = undefined;
                void this.load();
            },
            Math.max(ms, delay),
        );
    }

    async load(): Promise<void> {
        if (this.isReading) {
            this.#isOutdated = true;
            return;
        }
        this.isReading = true;
        const began = performance.now();
        try {
            await this.#loadScene();
            this.error = null;
        } catch (e) {
            this.error = toCallError(e);
            if (this.error.code === 'ERR_NO_SCENE') {
                this.scene = EMPTY;
                this.isRead = false;
            }
        }
        this.isReading = false;
        this.#loadedAt = performance.now();
        this.#loadMs = this.#loadedAt - began;
        if (this.#isOutdated) {
            this.#isOutdated = false;
            this.scheduleLoad();
        }
    }

    /** Request a hierarchy. The response of a live editor has a size limit; if exceeded, request
     * fewer objects. */
    async #requestHierarchy(root?: string): Promise<Hierarchy> {
        const prefabs = this.hasArgument('get_scene_hierarchy', 'include_prefabs')
            ? {include_prefabs: true}
            : {};
        const from = root === undefined ? {} : {root_path: root};
        for (;;) {
            try {
                return await callTool<Hierarchy>('get_scene_hierarchy', {
                    max_depth: 50,
                    max_game_objects: this.#most,
                    ...prefabs,
                    ...from,
                });
            } catch (e) {
                if (toCallError(e).code !== 'ERR_RESPONSE_TOO_LARGE' || this.#most < 100) throw e;
                this.#most = Math.floor(this.#most / 2);
            }
        }
    }

    async #loadScene(): Promise<void> {
        if (this.tools.size === 0) await this.readTools();
        const yieldToPage = createYield();
        let next = await flattenHierarchy(await this.#requestHierarchy(), this.#most, yieldToPage);
        if (next.path !== this.scene.path) this.#expanded.clear();
        for (const path of this.#expanded) {
            const at = next.byPath.get(path);
            if (at === undefined || !(next.flags[at]! & (CUT | MORE))) this.#expanded.delete(path);
            else
                next = await replaceSubtree(
                    next,
                    at,
                    await this.#requestHierarchy(path),
                    this.#most,
                    yieldToPage,
                );
        }
        this.#applyScene(next);
    }

    #applyScene(next: Scene): void {
        const old = this.scene;
        if (next.path !== old.path || !this.isRead) {
            const all = next.names.length <= MOST_EXPANDED;
            this.open = new Set(all ? next.paths.filter((_, i) => next.end[i]! > i + 1) : []);
        } else if (
            old.paths.length !== next.paths.length ||
            old.paths.some((p, i) => p !== next.paths[i])
        ) {
            const to = matchScenes(old, next);
            this.open = mapPaths(old, next, to, this.open);
            const moves = new Map<string, string>();
            for (let i = 0; i < to.length; i++)
                if (to[i]! >= 0 && next.paths[to[i]!] !== old.paths[i])
                    moves.set(old.paths[i]!, next.paths[to[i]!]!);
            this.onMoved(moves);
        }
        this.scene = next;
        this.isRead = true;
    }

    /** Load the omitted descendants of an object; return whether they are loaded now. */
    async loadBelow(path: string): Promise<boolean> {
        if (this.busy.has(path)) return false;
        this.busy = new Set([...this.busy, path]);
        try {
            const part = await this.#requestHierarchy(path);
            const at = this.scene.byPath.get(path);
            if (at === undefined) return false;
            this.#expanded.add(path);
            const base = this.scene;
            const more = await replaceSubtree(base, at, part, this.#most, createYield());
            if (this.scene === base) this.scene = more;
            else this.scheduleLoad(0); // the scene was reloaded meanwhile, without this part
            return true;
        } catch (e) {
            showToast(`${path}: ${toCallError(e).message}`, 'bad');
            return false;
        } finally {
            this.busy = new Set([...this.busy].filter(p => p !== path));
        }
    }

    /** Reload the scene and the open components. */
    reload(): void {
        this.revision++;
        this.scheduleLoad();
    }

    /* ---- edits */

    #edits: Promise<void> = Promise.resolve();

    /** Wait for pending edits, which other actions must not overtake. */
    waitForEdits(): Promise<void> {
        return this.#edits;
    }

    /** Call manage_component and return its result or error. Edits run one after the other; before
     * each, `check` may return an error that prevents it. */
    manageComponent<T extends object>(
        args: Record<string, unknown>,
        check?: () => Promise<CallError | null>,
    ): Promise<{answer: T} | {error: CallError}> {
        const done = this.#edits.then(() => this.#runEdit<T>(args, check));
        this.#edits = done.then(() => {});
        return done;
    }

    async #runEdit<T extends object>(
        args: Record<string, unknown>,
        check?: () => Promise<CallError | null>,
    ): Promise<{answer: T} | {error: CallError}> {
        try {
            const conflict = (await check?.()) ?? null;
            return conflict
                ? {error: conflict}
                : {answer: await callTool<T>('manage_component', args, undefined, true)};
        } catch (e) {
            return {error: toCallError(e, true)};
        } finally {
            this.#onEdited();
        }
    }

    /** Reload after an edit of this page, unless the editor reports changes of the scene itself. */
    #onEdited(): void {
        this.revision++;
        if (live.editor?.scene_seq == null) this.scheduleLoad(0);
    }

    /** Undo or redo the last edit and show what was done. */
    async applyHistory(tool: 'undo' | 'redo'): Promise<void> {
        const verb = tool === 'undo' ? 'Undone' : 'Redone';
        await this.waitForEdits();
        try {
            const {undone, remaining_undo, remaining_redo} = await callTool<{
                undone: {name: string; tool: string}[];
                remaining_undo: number;
                remaining_redo: number;
            }>(tool);
            const left = tool === 'undo' ? remaining_undo : remaining_redo;
            const names = undone.map(u => u.name).join(', ');
            const more = left ? `${left} more to ${tool}.` : `Nothing more to ${tool}.`;
            showToast(
                undone.length ? `${verb}: ${names}. ${more}` : `Nothing to ${tool}.`,
                'info',
                'undo',
            );
        } catch (e) {
            if (!isAbort(e))
                showToast(
                    `${tool === 'undo' ? 'Undo' : 'Redo'} failed: ${toCallError(e, true).message}`,
                    'bad',
                    'undo',
                );
        }
        this.#onEdited();
    }
}

export const session = new Session();
