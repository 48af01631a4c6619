// Undo and redo of one text. A step is what was replaced by what, so that a long text costs no more than its changes.

export interface Change {
    at: number;
    removed: string;
    inserted: string;
}

interface Step extends Change {
    group: string; // steps of one group that touch each other are one ('' never)
}

const MOST_STEPS = 500;
const MOST_CHARS = 16 << 20; // kept in all steps

/** The one replacement that makes `after` out of `before`; null: they are the same. Never cuts a character in two. */
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

function replace(text: string, at: number, old: string, put: string): string {
    return text.slice(0, at) + put + text.slice(at + old.length);
}

export class History {
    #steps: Step[] = [];
    #done = 0; // steps that hold; the rest can be redone

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

    /** Notes a change. One of the same group as the last, while nothing was undone, is joined to it. */
    push(before: string, after: string, group = ''): void {
        const last = this.#steps[this.#done - 1];
        const joins = group !== '' && last?.group === group && this.#done === this.#steps.length;
        this.#steps.length = this.#done;
        if (joins) {
            const whole = changeOf(replace(before, last.at, last.inserted, last.removed), after);
            this.#steps.pop();
            if (whole) this.#steps.push({...whole, group});
        } else {
            const change = changeOf(before, after);
            if (change) this.#steps.push({...change, group});
        }
        this.#done = this.#steps.length;
        this.#bound();
    }

    /** No later change is joined to the last one. */
    seal(): void {
        const last = this.#steps[this.#done - 1];
        if (last) last.group = '';
    }

    undo(text: string): string {
        const step = this.#steps[this.#done - 1];
        if (!step) return text;
        this.#done--;
        return replace(text, step.at, step.inserted, step.removed);
    }

    redo(text: string): string {
        const step = this.#steps[this.#done];
        if (!step) return text;
        this.#done++;
        return replace(text, step.at, step.removed, step.inserted);
    }

    #bound(): void {
        let chars = this.#steps.reduce((n, s) => n + s.removed.length + s.inserted.length, 0);
        while (this.#steps.length > 1 && (this.#steps.length > MOST_STEPS || chars > MOST_CHARS)) {
            const gone = this.#steps.shift()!;
            chars -= gone.removed.length + gone.inserted.length;
            this.#done--;
        }
    }
}
