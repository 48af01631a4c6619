// What manage_component is told for an edit. Only what was meant is set: of a struct the one member, of a list every
// element that stays is named by its place ({"$element": 2}), so that nothing is written back from what is shown.
import type {Description, Step} from './describe.ts';

const kept = (i: number) => ({$element: i});

export type Values = Record<string, unknown>;

/** `fields` of an update that sets the value at a path. */
export function fieldsFor(path: readonly Step[], value: unknown): Values {
    let v = value;
    for (let i = path.length - 1; i >= 0; i--) {
        const step = path[i]!;
        if ('member' in step) {
            v = {[step.member]: v};
            continue;
        }
        const isMembers = i < path.length - 1; // something below the element is set, not the element
        const one = isMembers ? {...kept(step.element), ...(v as Values)} : v;
        v = Array.from({length: step.count}, (_, n) => (n === step.element ? one : kept(n)));
    }
    return v as Values;
}

/* ---- lists: what `fieldsFor` takes as the value of the list itself */

export function listWith(count: number, value: unknown): unknown[] {
    return [...Array.from({length: count}, (_, i) => kept(i)), value];
}

export function listWithout(count: number, at: number): unknown[] {
    return Array.from({length: count}, (_, i) => kept(i)).filter((_, i) => i !== at);
}

export function listMoved(count: number, from: number, to: number): unknown[] {
    const list: unknown[] = listWithout(count, from);
    list.splice(to, 0, kept(from));
    return list;
}

/** What a new element of a list is: nothing, zero, or, of structs, what the class begins with. */
export function initialOf(d: Description | undefined): unknown {
    const zero = (...names: string[]) => Object.fromEntries(names.map(n => [n, 0]));
    switch (d?.kind) {
        case 'bool':
            return false;
        case 'int':
            return Number(d.min ?? 0) > 0 ? d.min : 0;
        case 'float':
        case 'layer_mask':
            return 0;
        case 'string':
            return '';
        case 'enum':
            return d.is_flags ? 0 : (d.options?.[0]?.name ?? 0);
        case 'vector2':
        case 'vector2_int':
            return zero('x', 'y');
        case 'vector3':
        case 'vector3_int':
            return zero('x', 'y', 'z');
        case 'vector4':
            return zero('x', 'y', 'z', 'w');
        case 'quaternion':
            return {x: 0, y: 0, z: 0, w: 1};
        case 'rect':
        case 'rect_int':
            return zero('x', 'y', 'width', 'height');
        case 'bounds':
            return {center: zero('x', 'y', 'z'), size: zero('x', 'y', 'z')};
        case 'bounds_int':
            return {position: zero('x', 'y', 'z'), size: zero('x', 'y', 'z')};
        case 'color':
        case 'color32':
            return {r: 1, g: 1, b: 1, a: 1};
        case 'object':
            return null;
        case 'array':
            return [];
        case 'curve':
            return {keys: []};
        default:
            return {};
    }
}

/** The text of a textarea, which has \n alone, with the line ends that the text before had. */
export function withLineEnds(text: string, before: string): string {
    return /\r\n/.test(before) && !/(^|[^\r])\n/.test(before)
        ? text.replace(/\r?\n/g, '\r\n')
        : text;
}
