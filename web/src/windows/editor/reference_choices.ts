// The possible targets of a reference.
import {shortType} from './fields.ts';
import type {Scene} from './scene.ts';

export interface Choice {
    key: string;
    name: string;
    where: string; // path of the object or asset
    what: string; // its component, or the type of the asset
    value: unknown; // for manage_component
}

export const MOST_CHOICES = 5000;
const ANY_OBJECT = new Set(['UnityEngine.GameObject', 'UnityEngine.Object', 'System.Object']);
const ANY_COMPONENT = new Set(['UnityEngine.Component']);

/** Return the objects, or their components, that match a type. `fitting`: compatible classes; null:
 * unknown. */
export function listChoices(
    s: Scene,
    type: string,
    fitting: ReadonlySet<string> | null,
    text: string,
): Choice[] {
    const wanted = text.trim().toLowerCase();
    const list: Choice[] = [];
    for (let i = 0; i < s.names.length && list.length < MOST_CHOICES; i++) {
        const path = s.paths[i]!,
            name = s.names[i]!;
        if (wanted && !name.toLowerCase().includes(wanted) && !path.toLowerCase().includes(wanted))
            continue;
        if (ANY_OBJECT.has(type)) {
            list.push({key: path, name, where: path, what: 'GameObject', value: {$ref: path}});
            continue;
        }
        const seen = new Map<string, number>();
        s.components[i]!.forEach((c, index) => {
            if (c === null || !(c === type || ANY_COMPONENT.has(type) || fitting?.has(c))) return;
            const before = seen.get(c) ?? 0;
            seen.set(c, before + 1);
            list.push({
                key: `${path}\n${index}`,
                name,
                where: path,
                what: `${shortType(c)}${before ? ` (${before + 1})` : ''}`,
                value: {$ref: path, index},
            });
        });
    }
    return list;
}
