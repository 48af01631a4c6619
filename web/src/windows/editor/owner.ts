// The interface of a component section for its fields.
import {getContext, setContext} from 'svelte';
import type {Step, FieldData} from './fields.ts';
import type {CallError} from './errors.ts';

export interface Owner {
    /** Set a value and reload the fields; return the error or null. `seen` is the displayed data if
     * the edit writes more than the edited part: if that data has changed meanwhile, nothing is
     * set. */
    setValue: (
        path: readonly Step[],
        value: unknown,
        seen?: FieldData,
    ) => Promise<CallError | null>;
    /** Load an omitted field, or a page of a list. */
    readPart: (
        path: readonly Step[],
        offset: number,
        signal: AbortSignal,
    ) => Promise<FieldData | null>;
    /** Why the component is read-only, or null. */
    readonly readOnlyReason: string | null;
    /** Whether single elements of lists can be changed. */
    readonly hasListEdits: boolean;
    /** Call `read` now and after each load of the component; return a function that stops it. */
    subscribe: (read: (signal: AbortSignal) => Promise<void>) => () => void;
}

/** Whether an edit of the field is pending. */
export type Saving = () => boolean;

const KEY = Symbol('owner'),
    SAVING = Symbol('saving');
export const setOwner = (owner: Owner): Owner => setContext(KEY, owner);
export const getOwner = (): Owner => getContext<Owner>(KEY);
export const setSaving = (saving: Saving): Saving => setContext(SAVING, saving);
export const getSaving = (): Saving => getContext<Saving>(SAVING);
