// Undo and redo of one text. A step stores only the replaced parts, not the whole text.

export interface Change {
    at: number;
    removed: string;
    inserted: string;
}

interface Step extends Change {
    group: string; // adjacent steps of one group are merged; '': never
}

const MOST_STEPS = 500;
const MOST_CHARS = 16 << 20; // of all steps together
/** Return the replacement that turns `before` into `after`, or null if they are equal. Never splits
 * a surrogate pair. */
export function changeOf(before: string, after: string): Change | null {
    if (before === after) return null;
    const most = Math.min(before.length, after.length);
    let head = 0;
    while (head < most && before[head] === after[head]) head++;
    if (head > 0 && isHigh(before.charCodeAt(head - 1))) head--;
    let tail = 0;
    while (
        tail < most - head &&
        before[before.length - 1 - tail] === after[after.length - 1 - tail]
    )
        tail++;
    if (tail > 0 && isLow(before.charCodeAt(before.length - tail))) tail--;
    return {
        at: head,
        removed: before.slice(head, before.length - tail),
        inserted: after.slice(head, after.length - tail),
    };
}

const isHigh = (c: number): boolean => c >= 0xd800 && c < 0xdc00;
const isLow = (c: number): boolean => c >= 0xdc00 && c < 0xe000;

function replaceAt(text: string, at: number, old: string, inserted: string): string {
    return text.slice(0, at) + inserted + text.slice(at + old.length);
}

export class History {
    #steps: Step[] = [];
    #done = 0; // number of applied steps; the later ones can be redone

    get canUndo(): boolean {
        return this.#done > 0;
    }
    get canRedo(): boolean {
        return this.#done < this.#steps.length;
    }

    clear(): void {
        this.#steps = [];
        this.#done = 0;
    }

    /** Record a change. It is merged into the last step of the same group, unless something was
     * undone. */
    push(before: string, after: string, group = ''): void {
        const last = this.#steps[this.#done - 1];
        const joins = group !== '' && last?.group === group && this.#done === this.#steps.length;
        this.#steps.length = this.#done;
        if (joins) {
            const whole = changeOf(replaceAt(before, last.at, last.inserted, last.removed), after);
            this.#steps.pop();
            if (whole) this.#steps.push({...whole, group});
        } else {
            const change = changeOf(before, after);
            if (change) this.#steps.push({...change, group});
        }
        this.#done = this.#steps.length;
        this.#dropOldSteps();
    }

    /** Close the last step: later changes are not merged into it. */
    seal(): void {
        const last = this.#steps[this.#done - 1];
        if (last) last.group = '';
    }

    undo(text: string): string {
        const step = this.#steps[this.#done - 1];
        if (!step) return text;
        this.#done--;
        return replaceAt(text, step.at, step.inserted, step.removed);
    }

    redo(text: string): string {
        const step = this.#steps[this.#done];
        if (!step) return text;
        this.#done++;
        return replaceAt(text, step.at, step.removed, step.inserted);
    }

    #dropOldSteps(): void {
        let chars = this.#steps.reduce((n, s) => n + s.removed.length + s.inserted.length, 0);
        while (this.#steps.length > 1 && (this.#steps.length > MOST_STEPS || chars > MOST_CHARS)) {
            const oldest = this.#steps.shift()!;
            chars -= oldest.removed.length + oldest.inserted.length;
            this.#done--;
        }
    }
}
