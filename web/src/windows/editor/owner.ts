// What a field needs of the component it belongs to.
import {getContext, setContext} from 'svelte';
import type {Step, Told} from './describe.ts';
import type {Fault} from './faults.ts';

export interface Owner {
    /** Sets one value; answers what went wrong once the values were read again. `seen`: what it was made from, if it
     *  holds more than what was edited: nothing is set if somebody has changed that meanwhile. */
    set: (path: readonly Step[], value: unknown, seen?: Told) => Promise<Fault | null>;
    /** A part of a list that is longer than one answer holds. */
    more: (path: readonly Step[], offset: number, signal: AbortSignal) => Promise<Told | null>;
    /** Why nothing of it can be changed; null: it can. */
    readonly fixed: string | null;
    /** Whether lists can be changed without writing back what is shown. */
    readonly hasListEdits: boolean;
    /** Has something read now, and with each reading of the component; answers how to stop it. */
    follow: (read: (signal: AbortSignal) => Promise<void>) => () => void;
}

/** Whether an edit of this field is on its way. */
export type Saving = () => boolean;

const KEY = Symbol('owner'),
    SAVING = Symbol('saving');
export const giveOwner = (owner: Owner): Owner => setContext(KEY, owner);
export const takeOwner = (): Owner => getContext<Owner>(KEY);
export const giveSaving = (saving: Saving): Saving => setContext(SAVING, saving);
export const takeSaving = (): Saving => getContext<Saving>(SAVING);
