// The input of a field while the person types, and conflicts with changes of its value.
import {getSaving} from './owner.ts';

export class Draft<T> {
    /** The input; null: the person is not typing. */
    text = $state<string | null>(null);
    #isHeld = $state(false);
    #sent = 0;
    readonly #value: () => T;
    readonly #same: (a: T, b: T) => boolean;
    #before: T;

    /** `value` returns the value of the field, including a pending save. Call it in a component's
     * setup. */
    constructor(value: () => T, same: (a: T, b: T) => boolean) {
        this.#value = value;
        this.#same = same;
        this.#before = $state.raw(value());
        const isSaving = getSaving();
        let wasSaving = false;
        $effect.pre(() => {
            const now = value(),
                saving = isSaving();
            if (this.text === null) this.#isHeld = false;
            // A change during a save is our own edit, as the editor applied it.
            if (this.text === null || saving || wasSaving) this.#before = now;
            wasSaving = saving;
        });
    }

    /** Keep the input until Enter or Escape, because it cannot be saved now. */
    hold(): void {
        this.#isHeld = this.text !== null;
    }

    /** Save the input. If that fails, restore it and hold it until Enter or Escape. */
    async send(save: () => Promise<boolean>): Promise<void> {
        const typed = this.text,
            mine = ++this.#sent;
        this.text = null;
        if ((await save()) || this.text !== null || mine !== this.#sent) return;
        this.text = typed;
        this.hold();
    }

    get isHeld(): boolean {
        return this.#isHeld && this.text !== null;
    }

    /** Whether the value was changed elsewhere since the person started typing. */
    get isConflicting(): boolean {
        return this.text !== null && !this.#same(this.#value(), this.#before);
    }
}
