// The draft of tooling.json and its state on the server. The text is the single source of truth:
// the form and the JSON view both show and change it. It lives as long as the page, also while
// another window is open.
import {ApiError, get, post} from '../../lib/api.ts';
import {refreshTooling, tooling} from '../../lib/tooling.svelte.ts';
import {plural} from '../../lib/text.ts';
import {showError, showToast} from '../../lib/toasts.svelte.ts';
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

/** The server's check of a text. */
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

export type SaveResult = 'saved' | 'conflict' | 'failed';

function isAbort(e: unknown): boolean {
    return e instanceof DOMException && e.name === 'AbortError';
}

class Store {
    /** The state on the server; null: not loaded yet. */
    data = $state.raw<Tooling | null>(null);
    base = $state.raw(''); // the saved text that the draft is based on
    text = $state.raw(''); // the draft
    /** The text on disk if it differs from `base`, else null. */
    theirs = $state.raw<string | null>(null);
    checked = $state.raw<Checked | null>(null);
    checking = $state(false);
    checkError = $state('');
    saving = $state(false);
    saveError = $state(''); // why the last save failed
    agents = $state.raw<Agents | null>(null);
    /** The displayed profile; '': the active one. */
    profileId = $state('');
    /** A place that the JSON view should show. */
    wanted = $state.raw<{offset: number} | null>(null);

    #history = new History();
    #steps = $state(0); // changes with the history, which is not reactive
    #lastValid = $state.raw<Checked | null>(null); // the last check with a view
    #check: AbortController | null = null;
    #checkTimer: ReturnType<typeof setTimeout> | undefined;
    #agentRequests = 0; // to ignore responses of outdated requests
    #weights = new Map<string, number>(); // of disabled candidates

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
    /** The first error of the draft: a syntax error at once, others after the server's check. */
    readonly fault = $derived.by((): Fault | null => {
        const [first] = this.parsed.faults;
        if (first)
            return {...placeOf(this.text, first.offset), message: first.message, pointer: ''};
        return this.checked?.text === this.text ? this.checked.fault : null;
    });
    readonly warnings = $derived((this.view?.warnings ?? []) as Fault[]);
    readonly #byKey = $derived.by(() => indexStatuses(this.#lastValid));

    get canUndo(): boolean {
        return this.#steps >= 0 && this.#history.canUndo;
    }
    get canRedo(): boolean {
        return this.#steps >= 0 && this.#history.canRedo;
    }

    /* ---- the draft */

    /** Change the draft. Consecutive changes of one group are one undo step. */
    edit(text: string, group = ''): void {
        if (text === this.text) return;
        this.#history.push(this.text, text, group);
        this.#steps++;
        this.#setText(text);
    }

    /** Start a new undo step with the next change. */
    seal(): void {
        this.#history.seal();
    }

    undo(): void {
        this.#applyStep(this.#history.undo(this.text));
    }

    redo(): void {
        this.#applyStep(this.#history.redo(this.text));
    }

    /** If no edits are left, load the text that is on disk by now. */
    #applyStep(text: string): void {
        this.#setText(text);
        this.#steps++;
        if (!this.dirty) this.takeTheirs();
    }

    /** Reset the draft to the text on disk; can be undone. */
    discard(): void {
        if (this.theirs !== null) this.takeTheirs();
        else this.edit(this.base);
    }

    #setText(text: string): void {
        this.text = text;
        this.#scheduleCheck(CHECK_AFTER_MS);
    }

    /* ---- state of the server */

    load(): Promise<void> {
        return refreshTooling();
    }

    /** Apply newly loaded data (lib/tooling.svelte.ts). The draft follows the file also if that is
     * invalid. */
    applyServerState(data: Tooling, isOwn = false): void {
        // It may be older than the text being saved; #finishSave applies it later
        if (this.saving) return;
        const first = !this.data;
        this.data = data;
        if (data.text === null) {
            // the text on disk is unknown
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
                    showToast('tooling.json changed on disk: reloaded.', 'info', 'tooling.json');
            }
            this.base = this.text = data.text;
            this.theirs = null;
            this.#applyCheck({
                text: data.text,
                fault: data.fault,
                view: data.in_use === 'last_good' ? null : data.view,
            });
        } else if (this.#isOtherProfile(data)) {
            this.base = data.text;
            this.edit(setActive(this.text, data.view!.active_profile));
        } else {
            this.theirs = data.text === this.base ? null : data.text;
            this.#scheduleCheck(0);
        }
    }

    /** Whether only the active profile changed on disk (for example in the bar), and not in the
     * draft. */
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

    #applyCheck(checked: Checked): void {
        this.checked = checked;
        this.checkError = '';
        if (checked.view) this.#lastValid = checked;
    }

    #scheduleCheck(ms: number): void {
        clearTimeout(this.#checkTimer);
        this.#check?.abort();
        this.checking = true;
        this.#checkTimer = setTimeout(() => void this.#checkDraft(), ms);
    }

    async #checkDraft(): Promise<void> {
        const mine = (this.#check = new AbortController()),
            text = this.text;
        if (parse(text).faults.length) {
            // the error is known
            this.checking = false;
            return;
        }
        try {
            const response = await post<Omit<Checked, 'text'>>(
                '/api/tooling/check',
                {text},
                mine.signal,
            );
            if (!mine.signal.aborted && this.text === text) this.#applyCheck({text, ...response});
        } catch (e) {
            if (!isAbort(e) && !mine.signal.aborted)
                this.checkError = e instanceof Error ? e.message : String(e);
        } finally {
            if (this.#check === mine) {
                this.#check = null;
                this.checking = false;
            }
        }
    }

    /** Return availability, cooldown and account of a candidate of the draft; null: unknown. */
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

    /** Disable a candidate with weight 0, or enable it with its previous weight (else `usual`). */
    setEnabled(c: DraftCandidate, isEnabled: boolean, usual: number): void {
        if (!isEnabled) this.#weights.set(c.key, c.weight);
        this.edit(
            setCandidate(this.text, c, 'weight', isEnabled ? this.#weights.get(c.key) || usual : 0),
        );
    }

    /** Load the checked agents (the feed reports each further one); with `recheck`, check all
     * again. */
    async refreshAgents(recheck = false): Promise<void> {
        const mine = ++this.#agentRequests;
        try {
            const found = recheck
                ? await post<Agents>('/api/tooling/agents', {})
                : await get<Agents>('/api/tooling/agents');
            if (mine === this.#agentRequests) this.agents = found;
        } catch (e) {
            if (mine === this.#agentRequests && this.agents)
                // Otherwise the button to check again would stay disabled.
                this.agents = {...this.agents, running: false};
            if (recheck) showError(e);
        }
    }

    agentOf(tool: string, cliPath: string, account: string | undefined): Agent | null {
        const all = (this.agents?.agents ?? []).filter(
            a => a.tool === tool && a.cli_path === cliPath,
        );
        return all.find(a => a.account === account) ?? null;
    }

    /* ---- changes on disk */

    async save(): Promise<SaveResult> {
        const text = this.text;
        this.saving = true;
        this.saveError = '';
        try {
            const {text: now} = await post<{text: string}>('/api/tooling/save', {
                text,
                seen: this.base,
            });
            this.base = now;
            if (this.text === text) this.text = now;
            this.theirs = null;
            this.seal();
            showToast('Saved. The next selection uses it.', 'good');
            await this.load();
            return 'saved';
        } catch (e) {
            if (e instanceof ApiError && e.status === 409 && typeof e.body.text === 'string') {
                this.theirs = e.body.text;
                await this.load();
                return 'conflict';
            }
            this.saveError = e instanceof Error ? e.message : String(e);
            return 'failed';
        } finally {
            this.#finishSave();
        }
    }

    /** Keep the draft, but base it on the text on disk: saving replaces that. */
    keepMine(): void {
        if (this.theirs === null) return;
        this.base = this.theirs;
        this.theirs = null;
        this.#scheduleCheck(0);
    }

    takeTheirs(): void {
        if (this.theirs === null) return;
        const text = this.theirs;
        this.base = text;
        this.theirs = null;
        this.edit(text);
        this.#scheduleCheck(0);
    }

    /** Activate a profile: saved at once if there are no other edits, else added to them. */
    async useProfile(id: string): Promise<void> {
        if (this.dirty) this.edit(setActive(this.text, id));
        else if (await this.#postAndReload('/api/tooling/profile', {id}))
            showToast(`Profile ${id} is active.`, 'good');
    }

    /** Change force mode: saved at once if there are no other edits, else added to them. */
    async applyForce(force: DraftForce): Promise<void> {
        const isCleared =
            force.model === '' &&
            this.model?.force.model !== '' &&
            force.tool === this.model?.force.tool;
        if (this.dirty) {
            this.edit(setForce(this.text, force));
        } else if (isCleared) {
            // the route ignores an empty model, so save the text
            this.edit(setForce(this.text, force));
            if ((await this.save()) === 'failed') showToast(this.saveError, 'bad');
        } else if (await this.#postAndReload('/api/tooling/force', force)) {
            showToast(
                force.enabled
                    ? `Force mode: ${`${force.tool} ${force.model}`.trim()} does all work.`
                    : 'Force mode disabled.',
                'good',
            );
        }
    }

    async #postAndReload(path: string, body: unknown): Promise<boolean> {
        this.saving = true;
        try {
            await post(path, body);
            await this.load();
            return true;
        } catch (e) {
            showError(e);
            return false;
        } finally {
            this.#finishSave();
        }
    }

    /** Apply data that was loaded during the save, if it is not older. */
    #finishSave(): void {
        this.saving = false;
        if (tooling.data && tooling.error === null) this.applyServerState(tooling.data, true);
    }

    async clearCooldown(key: string): Promise<void> {
        try {
            const {cleared} = await post<{cleared: number}>('/api/tooling/clear', {key});
            showToast(`${plural(cleared, 'cooldown')} cleared.`, 'good');
            await this.load();
        } catch (e) {
            showError(e);
        }
    }

    /* ---- places */

    /** Show the place of an error in the JSON view. */
    show(fault: {line: number; column: number; pointer: string}): void {
        const {root} = this.parsed;
        const node = fault.pointer ? nodeAt(root, toPath(fault.pointer, root)) : null;
        this.wanted = {offset: node?.offset ?? offsetOf(this.text, fault)};
    }
}

/** Index the statuses of a view by profile, category and candidate, and by candidate alone. */
function indexStatuses(good: Checked | null): Map<string, Candidate> {
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

// The draft outlives its window, so warn on leaving the page from any window.
addEventListener('beforeunload', e => {
    if (store.dirty) e.preventDefault();
});
