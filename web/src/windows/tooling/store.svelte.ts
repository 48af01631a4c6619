// The draft of tooling.json and all that is known about it. One text is the truth: the form and the JSON view both
// show it and both change it. It lives as long as the page, so that another window may be opened in between.
import {ApiError, get, post} from '../../lib/api.ts';
import {refreshTooling, tooling} from '../../lib/tooling.svelte.ts';
import {say, sayError} from '../../lib/toasts.svelte.ts';
import type {Agent, Candidate, CategoryName, Fault, Tooling, ToolingView} from '../../lib/types.ts';
import {setActive, setCandidate, setForce} from './changes.ts';
import {History} from './history.ts';
import {parse, toPath, nodeAt} from './json_text.ts';
import {
    CATEGORIES,
    readDraft,
    type DraftCandidate,
    type DraftForce,
    type DraftProfile,
} from './model.ts';
import {offsetOf, placeOf} from './places.ts';

const CHECK_AFTER_MS = 200;

/** What the server says of a text. */
interface Checked {
    text: string;
    fault: Fault | null;
    view: ToolingView | null;
}

export interface Agents {
    at: number | null;
    running: boolean;
    agents: Agent[];
}

export type Saved = 'saved' | 'conflict' | 'failed';

function isAbort(e: unknown): boolean {
    return e instanceof DOMException && e.name === 'AbortError';
}

class Store {
    /** As the server has it; null: not asked yet. */
    data = $state.raw<Tooling | null>(null);
    base = $state.raw(''); // what the draft was made from
    text = $state.raw(''); // the draft
    /** What is on disk now, if that is not what the draft was made from. */
    theirs = $state.raw<string | null>(null);
    checked = $state.raw<Checked | null>(null);
    checking = $state(false);
    checkTrouble = $state('');
    saving = $state(false);
    saveTrouble = $state(''); // why the last one was refused
    agents = $state.raw<Agents | null>(null);
    /** The profile that is shown; '' the active one. */
    profileId = $state('');
    /** A place that the JSON view is asked to show. */
    wanted = $state.raw<{offset: number} | null>(null);

    #history = new History();
    #steps = $state(0); // grows with each change of the history
    #good = $state.raw<Checked | null>(null); // the last one with a view
    #check: AbortController | null = null;
    #checkTimer: ReturnType<typeof setTimeout> | undefined;
    #looks = 0; // answers of earlier ones are too late
    #weights = new Map<string, number>(); // of candidates that were turned off

    readonly dirty = $derived(this.text !== this.base);
    readonly parsed = $derived(parse(this.text));
    readonly model = $derived(readDraft(this.text));
    readonly profile = $derived.by((): DraftProfile | null => {
        const all = this.model?.profiles ?? [];
        return (
            all.find(p => p.id === this.profileId) ??
            all.find(p => p.id === this.model?.active) ??
            all[0] ??
            null
        );
    });
    readonly view = $derived(this.checked?.text === this.text ? this.checked.view : null);
    /** The first thing that is wrong with the draft: syntax at once, the rest when the server has said it. */
    readonly fault = $derived.by((): Fault | null => {
        const [first] = this.parsed.faults;
        if (first)
            return {...placeOf(this.text, first.offset), message: first.message, pointer: ''};
        return this.checked?.text === this.text ? this.checked.fault : null;
    });
    readonly warnings = $derived((this.view?.warnings ?? []) as Fault[]);
    readonly #byKey = $derived.by(() => index(this.#good));

    get canUndo(): boolean {
        return this.#steps >= 0 && this.#history.canUndo;
    }
    get canRedo(): boolean {
        return this.#steps >= 0 && this.#history.canRedo;
    }

    /* ---- the draft */

    /** Changes of one group are one step of undo. */
    edit(text: string, group = ''): void {
        if (text === this.text) return;
        this.#history.push(this.text, text, group);
        this.#steps++;
        this.#set(text);
    }

    /** What comes next is a step of its own. */
    seal(): void {
        this.#history.seal();
    }

    undo(): void {
        this.#step(this.#history.undo(this.text));
    }

    redo(): void {
        this.#step(this.#history.redo(this.text));
    }

    /** Without edits there is nothing to keep from what is on disk by now. */
    #step(text: string): void {
        this.#set(text);
        this.#steps++;
        if (!this.dirty) this.takeTheirs();
    }

    /** Back to what is on disk; can be undone. */
    discard(): void {
        if (this.theirs !== null) this.takeTheirs();
        else this.edit(this.base);
    }

    #set(text: string): void {
        this.text = text;
        this.#checkSoon(CHECK_AFTER_MS);
    }

    /* ---- what the server knows */

    load(): Promise<void> {
        return refreshTooling();
    }

    /** What was asked for last (lib/tooling.svelte.ts): of a broken file the draft is its text, too. */
    take(data: Tooling, isOwn = false): void {
        if (this.saving) return; // it may be older than what is being saved: who saves asks again
        const first = !this.data;
        this.data = data;
        if (data.text === null) {
            // what is on disk is not known
            if (!this.dirty) {
                this.base = this.text = '';
                this.#history.clear();
                this.#steps++;
            }
        } else if (first || !this.dirty || data.text === this.text) {
            const isNew = data.text !== this.base;
            if (!first && isNew && data.text !== this.text) {
                this.#history.clear();
                this.#steps++;
                if (!isOwn)
                    say('tooling.json was changed on disk and read again.', 'info', 'tooling.json');
            }
            this.base = this.text = data.text;
            this.theirs = null;
            this.#takeCheck({
                text: data.text,
                fault: data.fault,
                view: data.in_use === 'last_good' ? null : data.view,
            });
        } else if (this.#isOtherProfile(data)) {
            this.base = data.text;
            this.edit(setActive(this.text, data.view!.active_profile));
        } else {
            this.theirs = data.text === this.base ? null : data.text;
            this.#checkSoon(0);
        }
    }

    /** Nothing but the active profile was changed on disk (in the bar, say), and not in the draft. */
    #isOtherProfile(data: Tooling): boolean {
        const id = data.view?.active_profile;
        return (
            id !== undefined &&
            this.theirs === null &&
            data.text !== this.base &&
            data.text === setActive(this.base, id) &&
            readDraft(this.base)?.active === this.model?.active
        );
    }

    #takeCheck(checked: Checked): void {
        this.checked = checked;
        this.checkTrouble = '';
        if (checked.view) this.#good = checked;
    }

    #checkSoon(ms: number): void {
        clearTimeout(this.#checkTimer);
        this.#check?.abort();
        this.checking = true;
        this.#checkTimer = setTimeout(() => void this.#checkNow(), ms);
    }

    async #checkNow(): Promise<void> {
        const mine = (this.#check = new AbortController()),
            text = this.text;
        if (parse(text).faults.length) {
            // it is known what is wrong
            this.checking = false;
            return;
        }
        try {
            const answer = await post<Omit<Checked, 'text'>>(
                '/api/tooling/check',
                {text},
                mine.signal,
            );
            if (!mine.signal.aborted && this.text === text) this.#takeCheck({text, ...answer});
        } catch (e) {
            if (!isAbort(e) && !mine.signal.aborted)
                this.checkTrouble = e instanceof Error ? e.message : String(e);
        } finally {
            if (this.#check === mine) {
                this.#check = null;
                this.checking = false;
            }
        }
    }

    /** What is known of a candidate of the draft: out, why, rest, account; null: nothing yet. */
    statusOf(profile: DraftProfile, category: CategoryName, c: DraftCandidate): Candidate | null {
        if (this.view)
            return (
                this.view.profiles[profile.index]?.categories[category]?.candidates[c.index] ?? null
            );
        return (
            this.#byKey.get(`${profile.id}\0${category}\0${c.key}`) ??
            this.#byKey.get(c.key) ??
            null
        );
    }

    /** The weight 0 turns a candidate off; turned on it has the one that it had. */
    turn(c: DraftCandidate, on: boolean, usual: number): void {
        if (!on) this.#weights.set(c.key, c.weight);
        this.edit(setCandidate(this.text, c, 'weight', on ? this.#weights.get(c.key) || usual : 0));
    }

    /** Which agents are here, as far as they were looked at; the feed tells of each one more. */
    async look(again = false): Promise<void> {
        const mine = ++this.#looks;
        try {
            const found = again
                ? await post<Agents>('/api/tooling/agents', {})
                : await get<Agents>('/api/tooling/agents');
            if (mine === this.#looks) this.agents = found;
        } catch (e) {
            if (mine === this.#looks && this.agents) this.agents = {...this.agents, running: false}; // or it could not be asked again
            if (again) sayError(e);
        }
    }

    agentOf(tool: string, cliPath: string, account: string | undefined): Agent | null {
        const all = (this.agents?.agents ?? []).filter(
            a => a.tool === tool && a.cli_path === cliPath,
        );
        return all.find(a => a.account === account) ?? null;
    }

    /* ---- changes on disk */

    async save(): Promise<Saved> {
        const text = this.text;
        this.saving = true;
        this.saveTrouble = '';
        try {
            const {text: now} = await post<{text: string}>('/api/tooling/save', {
                text,
                seen: this.base,
            });
            this.base = now;
            if (this.text === text) this.text = now;
            this.theirs = null;
            this.seal();
            say('Saved. It holds from the next choice on.', 'good');
            await this.load();
            return 'saved';
        } catch (e) {
            if (e instanceof ApiError && e.status === 409 && typeof e.body.text === 'string') {
                this.theirs = e.body.text;
                await this.load();
                return 'conflict';
            }
            this.saveTrouble = e instanceof Error ? e.message : String(e);
            return 'failed';
        } finally {
            this.#saved();
        }
    }

    /** The draft stays as it is, but was made from what is on disk now: saving will replace that. */
    keepMine(): void {
        if (this.theirs === null) return;
        this.base = this.theirs;
        this.theirs = null;
        this.#checkSoon(0);
    }

    takeTheirs(): void {
        if (this.theirs === null) return;
        const text = this.theirs;
        this.base = text;
        this.theirs = null;
        this.edit(text);
        this.#checkSoon(0);
    }

    /** Without other edits it is saved at once; else it is one more of them. */
    async useProfile(id: string): Promise<void> {
        if (this.dirty) this.edit(setActive(this.text, id));
        else if (await this.#at('/api/tooling/profile', {id}))
            say(`Profile ${id} is in use.`, 'good');
    }

    async force(force: DraftForce): Promise<void> {
        const isCleared =
            force.model === '' &&
            this.model?.force.model !== '' &&
            force.tool === this.model?.force.tool;
        if (this.dirty) {
            this.edit(setForce(this.text, force));
        } else if (isCleared) {
            // the route leaves what is empty as it is
            this.edit(setForce(this.text, force));
            if ((await this.save()) === 'failed') say(this.saveTrouble, 'bad');
        } else if (await this.#at('/api/tooling/force', force)) {
            say(
                force.enabled
                    ? `Everything goes to ${force.tool} ${force.model}`.trim() + '.'
                    : 'Force mode is off.',
                'good',
            );
        }
    }

    async #at(path: string, body: unknown): Promise<boolean> {
        this.saving = true;
        try {
            await post(path, body);
            await this.load();
            return true;
        } catch (e) {
            sayError(e);
            return false;
        } finally {
            this.#saved();
        }
    }

    /** What was told meanwhile is taken now, if it is not older. */
    #saved(): void {
        this.saving = false;
        if (tooling.data && tooling.error === null) this.take(tooling.data, true);
    }

    async clear(key: string): Promise<void> {
        try {
            const {cleared} = await post<{cleared: number}>('/api/tooling/clear', {key});
            say(cleared === 1 ? 'One rest is over.' : `${cleared} rests are over.`, 'good');
            await this.load();
        } catch (e) {
            sayError(e);
        }
    }

    /* ---- places */

    /** Has the JSON view show where a fault is. */
    show(fault: {line: number; column: number; pointer: string}): void {
        const {root} = this.parsed;
        const node = fault.pointer ? nodeAt(root, toPath(fault.pointer, root)) : null;
        this.wanted = {offset: node?.offset ?? offsetOf(this.text, fault)};
    }
}

/** Statuses of a view by profile, category and candidate, and by candidate alone. */
function index(good: Checked | null): Map<string, Candidate> {
    const map = new Map<string, Candidate>();
    const model = good && readDraft(good.text);
    for (const p of model?.profiles ?? [])
        for (const {name} of CATEGORIES)
            for (const c of p.categories[name]?.candidates ?? []) {
                const status = good!.view?.profiles[p.index]?.categories[name]?.candidates[c.index];
                if (!status) continue;
                map.set(`${p.id}\0${name}\0${c.key}`, status);
                const known = map.get(c.key);
                if (!known || known.out === 'disabled') map.set(c.key, status);
            }
    return map;
}

export const store = new Store();

// The draft outlives its window, so the question does, too.
addEventListener('beforeunload', e => {
    if (store.dirty) e.preventDefault();
});
