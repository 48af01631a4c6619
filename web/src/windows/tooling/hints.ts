// What can stand at a place of tooling.json, and what it means: from the table of keys (schema.ts).
import {getLocation} from 'jsonc-parser';

import {nodeAt, parse, toPointer, type Node, type Path} from './json_text.ts';
import {canonicalTool, snake} from './model.ts';
import {memberAt, modelsOf, shapeAt, type Choice, type Member} from './schema.ts';

/** Names that only the server, or the file itself, knows. */
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

/** The tool of the candidate (or of force) that a path goes through. */
function toolAt(root: Node | null, path: Path): string {
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

/** Where the cursor is: [path, whether in a key, the token around it]. */
function locate(text: string, offset: number): {path: Path; isKey: boolean; token: Node | null} {
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
    const {path, isKey, token} = locate(text, offset);
    const {loose} = parse(text);
    const tool = toolAt(loose, path);
    const from = token?.offset ?? offset,
        to = token ? token.offset + token.length : offset;
    const options = isKey ? keys(text, path, to, tool, loose) : values(path, tool, names);
    return options.length ? {from, to, options} : null;
}

function keys(text: string, path: Path, to: number, tool: string, root: Node | null): Suggestion[] {
    const shape = shapeAt(path.slice(0, -1), tool);
    const there = new Set(
        (nodeAt(root, path.slice(0, -1))?.children ?? []).map(p => String(p.children?.[0]?.value)),
    );
    const hasValue = /^\s*:/.test(text.slice(to));
    return Object.entries(shape?.members ?? {})
        .filter(([name]) => name === path.at(-1) || !(there.has(name) || there.has(snake(name))))
        .map(([name, m]) => ({
            label: name,
            about: m.about,
            isKey: true,
            insert: JSON.stringify(name) + (hasValue ? '' : `: ${JSON.stringify(m.fill ?? '')}`),
        }));
}

function values(path: Path, tool: string, names: Names): Suggestion[] {
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
    const {path} = locate(text, offset);
    const tool = toolAt(parse(text).loose, path);
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
