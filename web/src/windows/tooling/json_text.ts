// Edits of a JSON text that preserve layout, order, unknown keys and the spelling of numbers. Every
// edit takes the whole text and returns the whole text. A text that is not valid JSON is returned
// unchanged.
import {
    findNodeAtLocation,
    parseTree,
    printParseErrorCode,
    type Node,
    type ParseError,
} from 'jsonc-parser';

export type Path = (string | number)[];
export type {Node};

/** A value that is inserted as text: the settings of another category, a copied candidate. */
export class Source {
    readonly text: string;
    constructor(text: string) {
        this.text = text;
    }
}

export interface SyntaxFault {
    offset: number;
    length: number;
    message: string;
}

const STRICT = {disallowComments: true, allowTrailingComma: false, allowEmptyContent: false};
const MESSAGES: Record<string, string> = {
    InvalidSymbol: 'invalid JSON value: text must be in double quotes',
    InvalidNumberFormat: 'invalid number',
    PropertyNameExpected: 'expected a member name in double quotes',
    ValueExpected: 'expected a value',
    ColonExpected: 'expected a colon',
    CommaExpected: 'expected a comma',
    CloseBraceExpected: 'expected a closing }',
    CloseBracketExpected: 'expected a closing ]',
    EndOfFileExpected: 'unexpected text after the end of the value',
    InvalidCommentToken: 'JSON does not allow comments',
    UnexpectedEndOfComment: 'JSON does not allow comments',
    UnexpectedEndOfString: 'unterminated text: a double quote is missing',
    UnexpectedEndOfNumber: 'incomplete number',
    InvalidUnicode: 'expected four hexadecimal digits after \\u',
    InvalidEscapeCharacter: 'invalid escape sequence',
    InvalidCharacter: 'unescaped control character',
};

export interface Parsed {
    root: Node | null; // null: there are errors
    loose: Node | null; // the part that could be parsed
    faults: SyntaxFault[];
}

let lastText: string | null = null,
    lastParsed: Parsed;

/** Parse a text. The last result is cached, because many callers parse the same text. */
export function parse(text: string): Parsed {
    if (text !== lastText) {
        lastParsed = parseUncached(text);
        lastText = text;
    }
    return lastParsed;
}

function parseUncached(text: string): Parsed {
    const errors: ParseError[] = [];
    let root: Node | undefined;
    try {
        root = parseTree(text, errors, STRICT);
    } catch {
        return {
            root: null,
            loose: null,
            faults: [{offset: 0, length: 0, message: 'nested too deeply'}],
        };
    }
    const faults = errors.map(e => ({
        offset: e.offset,
        length: e.length,
        message: MESSAGES[printParseErrorCode(e.error)] ?? 'invalid JSON',
    }));
    if (text.startsWith('\ufeff'))
        // the other errors follow from it
        faults.splice(0, Infinity, {
            offset: 0,
            length: 1,
            message: 'remove the byte order mark: JSON does not allow it',
        });
    if (!root && !faults.length) faults.push({offset: 0, length: 0, message: 'expected a value'});
    return {root: faults.length ? null : (root ?? null), loose: root ?? null, faults};
}

export function nodeAt(root: Node | null, path: Path): Node | null {
    return root ? (findNodeAtLocation(root, path) ?? null) : null;
}

/** Return the key and value of a member, or null. */
export function member(object: Node | null, name: string): [Node, Node] | null {
    if (object?.type !== 'object') return null;
    for (const p of object.children ?? [])
        if (p.children?.[0]?.value === name && p.children[1]) return [p.children[0], p.children[1]];
    return null;
}

/* ---- style of the text */

interface Style {
    eol: string;
    unit: string; // one level of indentation
    colon: string; // between a key and its value
    pad: string; // inside the braces of an object on one line
    listPad: string; // the same for a list
}

function detectStyle(text: string, root: Node): Style {
    const style: Style = {
        eol: text.includes('\r\n') ? '\r\n' : '\n',
        unit: '  ',
        colon: ': ',
        pad: '',
        listPad: '',
    };
    let unit = false,
        colon = false,
        pad = false,
        listPad = false;
    const visit = (n: Node): void => {
        const [first] = n.children ?? [];
        if (first && n.type !== 'property') {
            const before = text.slice(n.offset + 1, first.offset);
            if (!unit && before.includes('\n')) {
                const inner = before.slice(before.lastIndexOf('\n') + 1),
                    outer = indentAt(text, n.offset);
                if (inner.startsWith(outer) && inner.length > outer.length) {
                    style.unit = inner.slice(outer.length);
                    unit = true;
                }
            } else if (n.type === 'object' && !pad && !before.includes('\n')) {
                style.pad = before;
                pad = true;
            } else if (n.type === 'array' && !listPad && !before.includes('\n')) {
                style.listPad = before;
                listPad = true;
            }
        }
        if (n.type === 'property' && !colon && n.children?.[1]) {
            style.colon = text.slice(end(n.children[0]!), n.children[1].offset);
            colon = true;
        }
        if (unit && colon && pad && listPad) return;
        n.children?.forEach(visit);
    };
    visit(root);
    return style;
}

function end(n: Node): number {
    return n.offset + n.length;
}

/** Return the indentation of the line that contains the offset. */
function indentAt(text: string, offset: number): string {
    const from = text.lastIndexOf('\n', offset - 1) + 1;
    return /^[ \t]*/.exec(text.slice(from, offset))![0];
}

const WIDTH = 100; // of a container on one line
/** Format a value in the style of the file; with `block`, each member on its own line. */
function formatValue(value: unknown, style: Style, indent: string, block: boolean): string {
    if (value instanceof Source) return reindent(value.text, indent, style.eol);
    if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
    const isList = Array.isArray(value);
    const [open, close] = isList ? '[]' : '{}';
    const members: [string, unknown][] = isList
        ? value.map(v => ['', v])
        : Object.entries(value).map(([k, v]) => [JSON.stringify(k) + style.colon, v]);
    if (!members.length) return `${open}${close}`;
    if (!block) {
        const pad = isList ? style.listPad : style.pad;
        const line = members.map(([k, v]) => k + formatValue(v, style, indent, false)).join(', ');
        if (line.length <= WIDTH && !line.includes('\n'))
            return `${open}${pad}${line}${pad}${close}`;
    }
    const inner = indent + style.unit;
    return (
        open +
        members
            .map(([k, v]) => style.eol + inner + k + formatValue(v, style, inner, holdsLists(v)))
            .join(',') +
        style.eol +
        indent +
        close
    );
}

/** Whether a value contains containers: settings with candidates take several lines, a candidate
 * one. */
function holdsLists(value: unknown): boolean {
    return (
        typeof value === 'object' &&
        value !== null &&
        !(value instanceof Source) &&
        Object.values(value).some(v => typeof v === 'object' && v !== null)
    );
}

/** Change the indentation of a text of several lines, measured at its last line. */
function reindent(source: string, indent: string, eol: string): string {
    const lines = source.split(/\r?\n/);
    if (lines.length === 1) return source;
    const old = /^[ \t]*/.exec(lines.at(-1)!)![0];
    return lines
        .map((l, i) => (i === 0 ? l : l.startsWith(old) ? indent + l.slice(old.length) : l))
        .join(eol);
}

/* ---- edits */

function splice(text: string, from: number, to: number, inserted: string): string {
    return text.slice(0, from) + inserted + text.slice(to);
}

/** Whether the members are on separate lines. */
function isBlock(text: string, container: Node): boolean {
    const children = container.children ?? [];
    const first = children[0];
    if (!first) return false;
    return (
        text.slice(container.offset, first.offset).includes('\n') ||
        (children.length > 1 && text.slice(end(first), children[1]!.offset).includes('\n'))
    );
}

/** Return the text between two members: comma and whitespace. */
function separatorOf(text: string, container: Node, style: Style): string {
    const children = container.children ?? [];
    if (children.length > 1) return text.slice(end(children.at(-2)!), children.at(-1)!.offset);
    const first = children[0]!;
    return isBlock(text, container) ? `,${style.eol}${indentAt(text, first.offset)}` : ', ';
}

/** Insert a member before the child `index`, or as the last one. */
function insertChild(
    text: string,
    container: Node,
    index: number,
    make: (indent: string, block: boolean) => string,
    style: Style,
): string {
    const children = container.children ?? [];
    if (!children.length) {
        const indent = indentAt(text, container.offset),
            inner = indent + style.unit;
        const isList = container.type === 'array';
        const [open, close] = isList ? '[]' : '{}';
        const wide = text.slice(container.offset, end(container)).includes('\n') || isList;
        const body = wide
            ? style.eol + inner + make(inner, false) + style.eol + indent
            : style.pad + make(indent, false) + style.pad;
        return splice(text, container.offset, end(container), open + body + close);
    }
    const between = separatorOf(text, container, style);
    const block = isBlock(text, container);
    const at = children[Math.min(index, children.length - 1)]!;
    const indent = block ? indentAt(text, at.offset) : indentAt(text, container.offset);
    const like = text.slice(at.offset, end(at)).includes('\n');
    if (index >= children.length)
        return splice(
            text,
            end(children.at(-1)!),
            end(children.at(-1)!),
            between + make(indent, like),
        );
    return splice(text, at.offset, at.offset, make(indent, like) + between);
}

/** Set a value and create missing parents; undefined removes the member. */
export function setValue(text: string, path: Path, value: unknown): string {
    if (value === undefined) return removeAt(text, path);
    const {root} = parse(text);
    if (!root) return text;
    const style = detectStyle(text, root);
    const node = nodeAt(root, path);
    if (node) {
        const block = text.slice(node.offset, end(node)).includes('\n');
        return splice(
            text,
            node.offset,
            end(node),
            formatValue(value, style, indentAt(text, node.offset), block),
        );
    }
    const key = path.at(-1),
        parent = nodeAt(root, path.slice(0, -1));
    if (key === undefined) return text;
    if (!parent || parent.type !== (typeof key === 'string' ? 'object' : 'array'))
        return setValue(
            text,
            path.slice(0, -1),
            typeof key === 'string' ? {[key]: value} : [value],
        );
    if (typeof key === 'number') return insertItem(text, path.slice(0, -1), key, value);
    return insertChild(
        text,
        parent,
        Infinity,
        indent =>
            JSON.stringify(key) +
            style.colon +
            formatValue(value, style, indent, holdsLists(value)),
        style,
    );
}

/** Insert an item into a list before `index`, formatted like its neighbours. */
export function insertItem(text: string, path: Path, index: number, value: unknown): string {
    const {root} = parse(text);
    const list = nodeAt(root, path);
    if (!root || list?.type !== 'array') return text;
    const style = detectStyle(text, root);
    return insertChild(
        text,
        list,
        index,
        (indent, block) => formatValue(value, style, indent, block),
        style,
    );
}

/** Remove a member or an item with its comma. */
export function removeAt(text: string, path: Path): string {
    const {root} = parse(text);
    const value = nodeAt(root, path);
    if (!value?.parent) return text;
    const child = value.parent.type === 'property' ? value.parent : value;
    const container = child.parent!,
        children = container.children!;
    const at = children.indexOf(child);
    if (children.length === 1) return splice(text, container.offset + 1, end(container) - 1, '');
    return at === 0
        ? splice(text, child.offset, children[1]!.offset, '')
        : splice(text, end(children[at - 1]!), end(child), '');
}

/** Move an item of a list; the text between the items stays in place. */
export function moveItem(text: string, path: Path, from: number, to: number): string {
    const list = nodeAt(parse(text).root, path);
    const items = list?.type === 'array' ? (list.children ?? []) : [];
    if (!items[from] || !items[to] || from === to) return text;
    const sources = items.map(n => text.slice(n.offset, end(n)));
    sources.splice(to, 0, ...sources.splice(from, 1));
    let out = text.slice(0, items[0]!.offset);
    items.forEach((n, i) => {
        const next = items[i + 1];
        out += sources[i]! + text.slice(end(n), next ? next.offset : undefined);
    });
    return out;
}

/** Rename a member; do nothing if the name exists. */
export function renameKey(text: string, path: Path, name: string): string {
    const value = nodeAt(parse(text).root, path);
    const property = value?.parent;
    if (property?.type !== 'property' || member(property.parent!, name)) return text;
    const key = property.children![0]!;
    return splice(text, key.offset, end(key), JSON.stringify(name));
}

/** Return the text of a value, to insert it elsewhere. */
export function sourceAt(text: string, path: Path): Source | null {
    const node = nodeAt(parse(text).root, path);
    return node ? new Source(text.slice(node.offset, end(node))) : null;
}

export function toPointer(path: Path): string {
    return path.map(p => `/${String(p).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Return the last name of a pointer. */
export function lastOf(pointer: string): string {
    return pointer
        .slice(pointer.lastIndexOf('/') + 1)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~');
}

/** Convert a JSON pointer of the server to a path. Numbers are list indices where the tree has
 * lists. */
export function toPath(pointer: string, root: Node | null): Path {
    const path: Path = [];
    let node = root;
    for (const part of pointer.split('/').slice(1)) {
        const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
        const step = node?.type === 'array' && /^\d+$/.test(name) ? Number(name) : name;
        path.push(step);
        node = nodeAt(root, path);
    }
    return path;
}
