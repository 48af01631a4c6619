// What a field needs of the component it belongs to.
import {getContext, setContext} from 'svelte';
import type {Field, Step, Told} from './describe.ts';
import type {Fault} from './faults.ts';

export interface Owner {
    /** Sets one value; answers what went wrong once the values were read again. */
    set: (path: readonly Step[], value: unknown) => Promise<Fault | null>;
    /** A part of a list that is longer than one answer holds. */
    more: (field: Field, offset: number, signal: AbortSignal) => Promise<Told | null>;
    /** Why nothing of it can be changed; null: it can. */
    readonly fixed: string | null;
    /** Whether lists can be changed without writing back what is shown. */
    readonly hasListEdits: boolean;
    /** Grows with each reading of the component. */
    readonly reading: number;
}

const KEY = Symbol('owner');
export const giveOwner = (owner: Owner): Owner => setContext(KEY, owner);
export const takeOwner = (): Owner => getContext<Owner>(KEY);
