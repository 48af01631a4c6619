// A value that is being typed, and what becomes of the one below it meanwhile.
import {takeSaving} from './owner.ts';

export class Draft<T> {
    /** null: nothing is being typed. */
    text = $state<string | null>(null);
    #isKept = $state(false);
    #sent = 0;
    readonly #value: () => T;
    readonly #same: (a: T, b: T) => boolean;
    #before: T;

    /** Of a component: `value` is what the field has, or will have when what is on its way is saved. */
    constructor(value: () => T, same: (a: T, b: T) => boolean) {
        this.#value = value;
        this.#same = same;
        this.#before = $state.raw(value());
        const isSaving = takeSaving();
        let wasSaving = false;
        $effect.pre(() => {
            const now = value(),
                saving = isSaving();
            if (this.text === null) this.#isKept = false;
            if (this.text === null || saving || wasSaving) this.#before = now; // also one's own edit, as the editor took it or not
            wasSaving = saving;
        });
    }

    /** It cannot be saved now: what was typed waits for Enter or Escape. */
    keep(): void {
        this.#isKept = this.text !== null;
    }

    /** Sends what was typed on its way. If it is not saved it is typed again, and waits for Enter or Escape. */
    async send(save: () => Promise<boolean>): Promise<void> {
        const typed = this.text,
            mine = ++this.#sent;
        this.text = null;
        if ((await save()) || this.text !== null || mine !== this.#sent) return;
        this.text = typed;
        this.keep();
    }

    get isKept(): boolean {
        return this.#isKept && this.text !== null;
    }

    /** Somebody else has set the value since it was begun to type. */
    get isOther(): boolean {
        return this.text !== null && !this.#same(this.#value(), this.#before);
    }
}
