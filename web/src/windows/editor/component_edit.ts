// Arguments of manage_component for an edit. An edit writes only what changed: one member of a
// struct; in a list every kept element is referred to by its index ({"$element": 2}), so that
// displayed data is not written back.
import type {Description, Step} from './fields.ts';

const keepElement = (i: number) => ({$element: i});

export type Values = Record<string, unknown>;

/** Return `fields` of an update that sets the value at a path. */
export function fieldsFor(path: readonly Step[], value: unknown): Values {
    let v = value;
    for (let i = path.length - 1; i >= 0; i--) {
        const step = path[i]!;
        if ('member' in step) {
            v = {[step.member]: v};
            continue;
        }
        const isMembers = i < path.length - 1; // set a member of the element, not the whole element
        const one = isMembers ? {...keepElement(step.element), ...(v as Values)} : v;
        v = Array.from({length: step.count}, (_, n) => (n === step.element ? one : keepElement(n)));
    }
    return v as Values;
}

/* ---- lists: values for `fieldsFor` */

export function listWith(count: number, value: unknown): unknown[] {
    return [...Array.from({length: count}, (_, i) => keepElement(i)), value];
}

export function listWithout(count: number, at: number): unknown[] {
    return Array.from({length: count}, (_, i) => keepElement(i)).filter((_, i) => i !== at);
}

export function listMoved(count: number, from: number, to: number): unknown[] {
    const list: unknown[] = listWithout(count, from);
    list.splice(to, 0, keepElement(from));
    return list;
}

/** Return the initial value of a new list element; {} for structs, which get the defaults of their
 * class. */
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

/** Restore the line ends of the previous text: a textarea uses only \n. */
export function withLineEnds(text: string, before: string): string {
    return /\r\n/.test(before) && !/(^|[^\r])\n/.test(before)
        ? text.replace(/\r?\n/g, '\r\n')
        : text;
}
