// Edits of the form: each function takes the text of the draft and returns the changed text.
import type {CategoryName} from '../../lib/types.ts';
import {
    insertItem,
    moveItem,
    nodeAt,
    parse,
    removeAt,
    renameKey,
    setValue,
    sourceAt,
    type Path,
} from './json_text.ts';
import {
    pathOf,
    setMember,
    type DraftCandidate,
    type DraftCategory,
    type DraftModel,
    type DraftProfile,
} from './model.ts';

export function setActive(text: string, id: string): string {
    return setMember(text, [], 'activeProfile', id);
}

export function setForce(
    text: string,
    force: {enabled: boolean; tool: string; model: string},
): string {
    const at = pathOf(text, [], 'force');
    if (!nodeAt(parse(text).root, at) || nodeAt(parse(text).root, at)?.type === 'null')
        return setValue(text, at, force);
    let out = setMember(text, at, 'enabled', force.enabled);
    out = setMember(out, at, 'tool', force.tool);
    return setMember(out, at, 'model', force.model);
}

/** Set a member of the settings of a category. */
export function setSetting(
    text: string,
    category: DraftCategory,
    name: string,
    value: unknown,
): string {
    return setMember(text, category.path, name, value);
}

function candidatesPath(text: string, category: DraftCategory): Path {
    return pathOf(text, category.path, 'candidates');
}

export function setCandidate(
    text: string,
    c: DraftCandidate,
    name: string,
    value: unknown,
): string {
    return setMember(text, c.path, name, value);
}

/** Set a member of a candidate, or remove it if the value is empty. */
export function setOptional(
    text: string,
    c: DraftCandidate,
    name: string,
    value: string | string[],
): string {
    return setMember(text, c.path, name, value.length ? value : undefined);
}

export function addCandidate(
    text: string,
    category: DraftCategory,
    candidate: Record<string, unknown>,
): string {
    const at = candidatesPath(text, category);
    return category.candidates.length
        ? insertItem(text, at, category.candidates.length, candidate)
        : setValue(text, at, [candidate]);
}

export function removeCandidate(text: string, category: DraftCategory, index: number): string {
    return removeAt(text, [...candidatesPath(text, category), index]);
}

export function moveCandidate(
    text: string,
    category: DraftCategory,
    from: number,
    to: number,
): string {
    return moveItem(text, candidatesPath(text, category), from, to);
}

/** Add settings to a category: a copy of meta's, or one candidate if meta has none. */
export function addSettings(
    text: string,
    profile: DraftProfile,
    name: CategoryName,
    tool: string,
): string {
    const meta = profile.categories.meta;
    const value = (meta && sourceAt(text, meta.path)) ?? {
        strategy: 'weighted',
        candidates: [{tool, weight: 1}],
    };
    return setValue(text, [...pathOf(text, profile.path, 'categories'), name], value);
}

/** Remove the settings of a category, so that it uses meta's. */
export function removeSettings(text: string, category: DraftCategory): string {
    return removeAt(text, category.path);
}

/* ---- env */

function envPath(text: string, c: DraftCandidate): Path {
    return pathOf(text, c.path, 'env');
}

export function setVariable(text: string, c: DraftCandidate, name: string, value: string): string {
    return setValue(text, [...envPath(text, c), name], value);
}

/** Rename a variable; do nothing if the new name exists. */
export function renameVariable(text: string, c: DraftCandidate, from: string, to: string): string {
    return renameKey(text, [...envPath(text, c), from], to);
}

export function removeVariable(text: string, c: DraftCandidate, name: string): string {
    return c.env.length === 1
        ? removeAt(text, envPath(text, c))
        : removeAt(text, [...envPath(text, c), name]);
}

/* ---- profiles */

/** Return an unused profile id such as "fast-2". */
export function freeId(model: DraftModel, like: string): string {
    const taken = new Set(model.profiles.map(p => p.id));
    for (let n = 2; ; n++) if (!taken.has(`${like}-${n}`)) return `${like}-${n}`;
}

/** Insert a copy after the profile, with another id. */
export function copyProfile(text: string, profile: DraftProfile, id: string, name: string): string {
    const source = sourceAt(text, profile.path);
    if (!source) return text;
    const at = profile.path.slice(0, -1),
        index = profile.index + 1;
    const out = setMember(insertItem(text, at, index, source), [...at, index], 'id', id);
    return setMember(out, [...at, index], 'name', name);
}

/** Remove a profile. If it was active, the first remaining one becomes active. */
export function removeProfile(text: string, model: DraftModel, profile: DraftProfile): string {
    const next = model.profiles.find(p => p.index !== profile.index);
    if (!next) return text;
    const out = removeAt(text, profile.path);
    return model.active === profile.id ? setActive(out, next.id) : out;
}
