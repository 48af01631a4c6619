// What the window knows of the editor: its tools, its scene, what is open in the tree. It lives as long as the page,
// so that coming back to the window shows it as it was.
import {live} from '../../lib/feed.svelte.ts';
import {call, listTools, type ToolInfo} from '../../lib/mcp.ts';
import {say} from '../../lib/toasts.svelte.ts';
import {type Fault, faultOf, isAbort} from './faults.ts';
import {follow, followPaths} from './follow.ts';
import {
    type Breathe,
    CUT,
    EMPTY,
    flatten,
    graft,
    type Hierarchy,
    MORE,
    type Scene,
} from './scene.ts';

const MOST_OBJECTS = 10_000; // of one answer
const OPEN_AT_FIRST = 120; // a scene up to this size begins all open
const SLICE_MS = 8;

export function breather(): Breathe {
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
    fault = $state.raw<Fault | null>(null);
    open = $state.raw<ReadonlySet<string>>(new Set());
    /** Parts of the tree that are being read. */
    busy = $state.raw<ReadonlySet<string>>(new Set());
    /** Grows whenever values of components may be others. */
    revision = $state(0);
    /** Where objects went when the tree was read again, path to path; the window moves its selection along. */
    onMoved: (moves: ReadonlyMap<string, string>) => void = () => {};

    #most = MOST_OBJECTS;
    #again = false;
    #ended = 0;
    #took = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #grafted = new Set<string>();

    has(tool: string): boolean {
        return this.tools.has(tool);
    }

    /** Whether a tool takes an argument, or (`words`) says something about it: editors differ. */
    takes(tool: string, argument: string, words = ''): boolean {
        const property = this.tools.get(tool)?.inputSchema?.properties?.[argument];
        return property !== undefined && (property.description ?? '').includes(words);
    }

    async readTools(): Promise<void> {
        this.#most = MOST_OBJECTS;
        try {
            this.tools = new Map((await listTools()).map(t => [t.name, t]));
        } catch {
            // The feed says that the connection is lost; with the next one they are read again.
        }
    }

    /* ---- the scene */

    /** Reads the scene soon: changes that come in a row are one reading, and large scenes are read less often. */
    readSoon(ms = 120): void {
        if (this.#timer !== undefined) return;
        const rest = this.#ended + Math.max(250, 6 * this.#took) - performance.now();
        this.#timer = setTimeout(
            () => {
                this.#timer = undefined;
                void this.read();
            },
            Math.max(ms, rest),
        );
    }

    async read(): Promise<void> {
        if (this.isReading) {
            this.#again = true;
            return;
        }
        this.isReading = true;
        const began = performance.now();
        try {
            await this.#readAll();
            this.fault = null;
        } catch (e) {
            this.fault = faultOf(e);
            if (this.fault.code === 'ERR_NO_SCENE') {
                this.scene = EMPTY;
                this.isRead = false;
            }
        }
        this.isReading = false;
        this.#ended = performance.now();
        this.#took = this.#ended - began;
        if (this.#again) {
            this.#again = false;
            this.readSoon();
        }
    }

    /** A live editor's answer has a limit in bytes: then fewer objects are asked for, now and later. */
    async #ask(root?: string): Promise<Hierarchy> {
        const prefabs = this.takes('get_scene_hierarchy', 'include_prefabs')
            ? {include_prefabs: true}
            : {};
        const from = root === undefined ? {} : {root_path: root};
        for (;;) {
            try {
                return await call<Hierarchy>('get_scene_hierarchy', {
                    max_depth: 50,
                    max_game_objects: this.#most,
                    ...prefabs,
                    ...from,
                });
            } catch (e) {
                if (faultOf(e).code !== 'ERR_RESPONSE_TOO_LARGE' || this.#most < 100) throw e;
                this.#most = Math.floor(this.#most / 2);
            }
        }
    }

    async #readAll(): Promise<void> {
        if (this.tools.size === 0) await this.readTools();
        const breathe = breather();
        let next = await flatten(await this.#ask(), this.#most, breathe);
        if (next.path !== this.scene.path) this.#grafted.clear();
        for (const path of this.#grafted) {
            const at = next.byPath.get(path);
            if (at === undefined || !(next.flags[at]! & (CUT | MORE))) this.#grafted.delete(path);
            else next = await graft(next, at, await this.#ask(path), this.#most, breathe);
        }
        this.#take(next);
    }

    #take(next: Scene): void {
        const old = this.scene;
        if (next.path !== old.path || !this.isRead) {
            const all = next.names.length <= OPEN_AT_FIRST;
            this.open = new Set(all ? next.paths.filter((_, i) => next.end[i]! > i + 1) : []);
        } else if (
            old.paths.length !== next.paths.length ||
            old.paths.some((p, i) => p !== next.paths[i])
        ) {
            const to = follow(old, next);
            this.open = followPaths(old, next, to, this.open);
            const moves = new Map<string, string>();
            for (let i = 0; i < to.length; i++)
                if (to[i]! >= 0 && next.paths[to[i]!] !== old.paths[i])
                    moves.set(old.paths[i]!, next.paths[to[i]!]!);
            this.onMoved(moves);
        }
        this.scene = next;
        this.isRead = true;
    }

    /** Reads what was left out below an object. Answers whether it is here now. */
    async readBelow(path: string): Promise<boolean> {
        if (this.busy.has(path)) return false;
        this.busy = new Set([...this.busy, path]);
        try {
            const part = await this.#ask(path);
            const at = this.scene.byPath.get(path);
            if (at === undefined) return false;
            this.#grafted.add(path);
            const base = this.scene;
            const more = await graft(base, at, part, this.#most, breather());
            if (this.scene === base) this.scene = more;
            else this.readSoon(0); // it was read meanwhile, without this part
            return true;
        } catch (e) {
            say(`${path}: ${faultOf(e).message}`, 'bad');
            return false;
        } finally {
            this.busy = new Set([...this.busy].filter(p => p !== path));
        }
    }

    /** The scene, or values in it, are others now. */
    changed(): void {
        this.revision++;
        this.readSoon();
    }

    /* ---- changes */

    #edits: Promise<void> = Promise.resolve();

    /** When the edits that are on their way have been answered: nothing must overtake them. */
    edited(): Promise<void> {
        return this.#edits;
    }

    /** Answers what went wrong, or the answer of the tool. One edit after the other, each behind its own look at what
     *  is there: `check` says why it must not be made any more. */
    manage<T extends object>(
        args: Record<string, unknown>,
        check?: () => Promise<Fault | null>,
    ): Promise<{answer: T} | {fault: Fault}> {
        const done = this.#edits.then(() => this.#manageNow<T>(args, check));
        this.#edits = done.then(() => {});
        return done;
    }

    async #manageNow<T extends object>(
        args: Record<string, unknown>,
        check?: () => Promise<Fault | null>,
    ): Promise<{answer: T} | {fault: Fault}> {
        try {
            const wrong = (await check?.()) ?? null;
            return wrong
                ? {fault: wrong}
                : {answer: await call<T>('manage_component', args, undefined, true)};
        } catch (e) {
            return {fault: faultOf(e, true)};
        } finally {
            this.#changedHere();
        }
    }

    /** An editor that tells when its scene is another one will do so; others are asked. */
    #changedHere(): void {
        this.revision++;
        if (live.editor?.scene_seq == null) this.readSoon(0);
    }

    /** undo or redo; says what was done. */
    async walk(tool: 'undo' | 'redo'): Promise<void> {
        const word = tool === 'undo' ? 'Undone' : 'Made again';
        await this.edited();
        try {
            const {undone, remaining_undo, remaining_redo} = await call<{
                undone: {name: string; tool: string}[];
                remaining_undo: number;
                remaining_redo: number;
            }>(tool);
            const left = tool === 'undo' ? remaining_undo : remaining_redo;
            say(
                undone.length
                    ? `${word}: ${undone.map(u => u.name).join(', ')}. ${left ? `${left} more can be ${tool === 'undo' ? 'undone' : 'made again'}.` : `There is nothing more to ${tool}.`}`
                    : `There is nothing to ${tool}.`,
                'info',
                'undo',
            );
        } catch (e) {
            if (!isAbort(e)) say(`${tool}: ${faultOf(e, true).message}`, 'bad', 'undo');
        }
        this.#changedHere();
    }
}

export const session = new Session();
