// Completions and hints for a place in tooling.json, from the table of keys (schema.ts).
import {getLocation} from 'jsonc-parser';

import {nodeAt, parse, toPointer, type Node, type Path} from './json_text.ts';
import {canonicalTool, snake} from './model.ts';
import {memberAt, modelsOf, shapeAt, type Choice, type Member} from './schema.ts';

/** Values that come from the server or the file itself. */
export interface Names {
    tools: Choice[];
    profiles: Choice[];
}

export interface Suggestion {
    label: string;
    about: string;
    insert: string; // JSON text
    isKey: boolean;
}

export interface Suggestions {
    from: number;
    to: number;
    options: Suggestion[];
}

export interface Hint {
    pointer: string;
    about: string;
    type: string;
    values: Choice[];
}

/** Return the agent of the candidate (or of force) that contains the path. */
function agentAt(root: Node | null, path: Path): string {
    const at = path.indexOf('candidates');
    const who = at >= 0 ? path.slice(0, at + 2) : path[0] === 'force' ? ['force'] : null;
    const tool = who && nodeAt(root, [...who, 'tool']);
    return tool?.type === 'string' ? canonicalTool(String(tool.value)) : '';
}

function valuesOf(m: Member, tool: string, names: Names): Choice[] {
    switch (m.values) {
        case 'tools':
            return names.tools;
        case 'profiles':
            return names.profiles;
        case 'models':
            return modelsOf(tool).map(value => ({value, about: `a model of ${tool}`}));
        default:
            return m.values ?? [];
    }
}

/** Return the path at the cursor, whether it is in a key, and the token around it. */
function locateCursor(
    text: string,
    offset: number,
): {path: Path; isKey: boolean; token: Node | null} {
    const {path, isAtPropertyKey, previousNode} = getLocation(text, offset);
    const p = previousNode;
    const token =
        p &&
        offset >= p.offset &&
        offset <= p.offset + p.length &&
        /^["\w-]/.test(text[p.offset] ?? '')
            ? p
            : null;
    return {path, isKey: isAtPropertyKey, token};
}

export function suggest(text: string, offset: number, names: Names): Suggestions | null {
    const {path, isKey, token} = locateCursor(text, offset);
    const {loose} = parse(text);
    const tool = agentAt(loose, path);
    const from = token?.offset ?? offset,
        to = token ? token.offset + token.length : offset;
    const options = isKey
        ? suggestKeys(text, path, to, tool, loose)
        : suggestValues(path, tool, names);
    return options.length ? {from, to, options} : null;
}

function suggestKeys(
    text: string,
    path: Path,
    to: number,
    tool: string,
    root: Node | null,
): Suggestion[] {
    const shape = shapeAt(path.slice(0, -1), tool);
    const present = new Set(
        (nodeAt(root, path.slice(0, -1))?.children ?? []).map(p => String(p.children?.[0]?.value)),
    );
    const hasValue = /^\s*:/.test(text.slice(to));
    return Object.entries(shape?.members ?? {})
        .filter(
            ([name]) => name === path.at(-1) || !(present.has(name) || present.has(snake(name))),
        )
        .map(([name, m]) => ({
            label: name,
            about: m.about,
            isKey: true,
            insert: JSON.stringify(name) + (hasValue ? '' : `: ${JSON.stringify(m.fill ?? '')}`),
        }));
}

function suggestValues(path: Path, tool: string, names: Names): Suggestion[] {
    const m = memberAt(path, tool);
    if (!m) return [];
    const plain = (value: string, about = m.about): Suggestion => ({
        label: value,
        about,
        insert: value,
        isKey: false,
    });
    if (m.type === 'true or false') return [plain('true'), plain('false')];
    return valuesOf(m, tool, names).map(v => ({
        label: v.value,
        about: v.about,
        insert: JSON.stringify(v.value),
        isKey: false,
    }));
}

export function hintAt(text: string, offset: number, names: Names): Hint | null {
    const {path} = locateCursor(text, offset);
    const tool = agentAt(parse(text).loose, path);
    const m = memberAt(path, tool);
    if (m)
        return {
            pointer: toPointer(path),
            about: m.about,
            type: m.type,
            values: valuesOf(m, tool, names),
        };
    const shape = shapeAt(path, tool);
    return path.length && shape
        ? {pointer: toPointer(path), about: shape.about, type: 'object', values: []}
        : null;
}
