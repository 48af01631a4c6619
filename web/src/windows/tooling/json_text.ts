// Edits of a JSON text that leave alone what they do not mean: layout, order, unknown keys, spelling of numbers.
// Every function takes the whole text and answers the whole text. A text that is no JSON is answered as it is:
// callers look at syntax() first.
import {
    findNodeAtLocation,
    parseTree,
    printParseErrorCode,
    type Node,
    type ParseError,
} from 'jsonc-parser';

export type Path = (string | number)[];
export type {Node};

/** A value whose text is given, not made: the settings of another category, a candidate that is copied. */
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
    InvalidSymbol: 'this is no JSON value: texts stand in double quotes',
    InvalidNumberFormat: 'this is no number',
    PropertyNameExpected: 'the name of a member is expected here, in double quotes',
    ValueExpected: 'a value is expected here',
    ColonExpected: 'a colon is expected here',
    CommaExpected: 'a comma is expected here',
    CloseBraceExpected: 'a closing } is expected here',
    CloseBracketExpected: 'a closing ] is expected here',
    EndOfFileExpected: 'the value is over: nothing may follow',
    InvalidCommentToken: 'JSON has no comments',
    UnexpectedEndOfComment: 'JSON has no comments',
    UnexpectedEndOfString: 'the text does not end: a double quote is missing',
    UnexpectedEndOfNumber: 'the number is not complete',
    InvalidUnicode: 'after \\u four hexadecimal digits are expected',
    InvalidEscapeCharacter: 'there is no such escape',
    InvalidCharacter: 'a control character must be escaped',
};

export interface Parsed {
    root: Node | null; // null: there are faults
    loose: Node | null; // as far as it could be read
    faults: SyntaxFault[];
}

let lastText: string | null = null,
    lastParsed: Parsed;

/** Kept for the last text: many ask for the same one. */
export function parse(text: string): Parsed {
    if (text !== lastText) {
        lastParsed = parseNew(text);
        lastText = text;
    }
    return lastParsed;
}

function parseNew(text: string): Parsed {
    const errors: ParseError[] = [];
    let root: Node | undefined;
    try {
        root = parseTree(text, errors, STRICT);
    } catch {
        return {
            root: null,
            loose: null,
            faults: [{offset: 0, length: 0, message: 'this is nested too deeply'}],
        };
    }
    const faults = errors.map(e => ({
        offset: e.offset,
        length: e.length,
        message: MESSAGES[printParseErrorCode(e.error)] ?? 'this is no JSON',
    }));
    if (text.startsWith('\ufeff'))
        // what else is found follows from it
        faults.splice(0, Infinity, {
            offset: 0,
            length: 1,
            message: 'JSON has no byte order mark: delete it',
        });
    if (!root && !faults.length)
        faults.push({offset: 0, length: 0, message: 'a value is expected here'});
    return {root: faults.length ? null : (root ?? null), loose: root ?? null, faults};
}

export function nodeAt(root: Node | null, path: Path): Node | null {
    return root ? (findNodeAtLocation(root, path) ?? null) : null;
}

/** The member of this name with its key: [key, value]. */
export function member(object: Node | null, name: string): [Node, Node] | null {
    if (object?.type !== 'object') return null;
    for (const p of object.children ?? [])
        if (p.children?.[0]?.value === name && p.children[1]) return [p.children[0], p.children[1]];
    return null;
}

/* ---- how this text is written */

interface Style {
    eol: string;
    unit: string; // one step of indentation
    colon: string; // between a key and its value
    pad: string; // inside the braces of an object in one line
    listPad: string; // the same of a list
}

function styleOf(text: string, root: Node): Style {
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

/** The blanks that the line of this place begins with. */
function indentAt(text: string, offset: number): string {
    const from = text.lastIndexOf('\n', offset - 1) + 1;
    return /^[ \t]*/.exec(text.slice(from, offset))![0];
}

const WIDTH = 100; // of a container in one line

/** A value as text, in the style of the file; `block`: its members stand on lines of their own. */
function write(value: unknown, style: Style, indent: string, block: boolean): string {
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
        const line = members.map(([k, v]) => k + write(v, style, indent, false)).join(', ');
        if (line.length <= WIDTH && !line.includes('\n'))
            return `${open}${pad}${line}${pad}${close}`;
    }
    const inner = indent + style.unit;
    return (
        open +
        members
            .map(([k, v]) => style.eol + inner + k + write(v, style, inner, holdsLists(v)))
            .join(',') +
        style.eol +
        indent +
        close
    );
}

/** Settings with candidates in them are written in lines, a candidate in one. */
function holdsLists(value: unknown): boolean {
    return (
        typeof value === 'object' &&
        value !== null &&
        !(value instanceof Source) &&
        Object.values(value).some(v => typeof v === 'object' && v !== null)
    );
}

/** Moves a text of several lines to another depth: its last line stands where it belongs. */
function reindent(source: string, indent: string, eol: string): string {
    const lines = source.split(/\r?\n/);
    if (lines.length === 1) return source;
    const old = /^[ \t]*/.exec(lines.at(-1)!)![0];
    return lines
        .map((l, i) => (i === 0 ? l : l.startsWith(old) ? indent + l.slice(old.length) : l))
        .join(eol);
}

/* ---- edits */

function splice(text: string, from: number, to: number, put: string): string {
    return text.slice(0, from) + put + text.slice(to);
}

/** Whether the members stand on lines of their own. */
function isBlock(text: string, container: Node): boolean {
    const children = container.children ?? [];
    const first = children[0];
    if (!first) return false;
    return (
        text.slice(container.offset, first.offset).includes('\n') ||
        (children.length > 1 && text.slice(end(first), children[1]!.offset).includes('\n'))
    );
}

/** What stands between two members, comma and blanks. */
function separator(text: string, container: Node, style: Style): string {
    const children = container.children ?? [];
    if (children.length > 1) return text.slice(end(children.at(-2)!), children.at(-1)!.offset);
    const first = children[0]!;
    return isBlock(text, container) ? `,${style.eol}${indentAt(text, first.offset)}` : ', ';
}

/** Puts a member in front of the child `index` (or last). */
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
    const between = separator(text, container, style);
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

/** Sets a value; what is missing on the way to it is made. Undefined takes the member away. */
export function setValue(text: string, path: Path, value: unknown): string {
    if (value === undefined) return removeAt(text, path);
    const {root} = parse(text);
    if (!root) return text;
    const style = styleOf(text, root);
    const node = nodeAt(root, path);
    if (node) {
        const block = text.slice(node.offset, end(node)).includes('\n');
        return splice(
            text,
            node.offset,
            end(node),
            write(value, style, indentAt(text, node.offset), block),
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
            JSON.stringify(key) + style.colon + write(value, style, indent, holdsLists(value)),
        style,
    );
}

/** Puts an item into a list, in front of the one at `index`; in lines if its neighbours are. */
export function insertItem(text: string, path: Path, index: number, value: unknown): string {
    const {root} = parse(text);
    const list = nodeAt(root, path);
    if (!root || list?.type !== 'array') return text;
    const style = styleOf(text, root);
    return insertChild(
        text,
        list,
        index,
        (indent, block) => write(value, style, indent, block),
        style,
    );
}

/** Takes a member or an item away, with its comma. */
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

/** Moves an item of a list; what stands between the items stays where it is. */
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

/** Gives a member another name; false name (one that is there already) changes nothing. */
export function renameKey(text: string, path: Path, name: string): string {
    const value = nodeAt(parse(text).root, path);
    const property = value?.parent;
    if (property?.type !== 'property' || member(property.parent!, name)) return text;
    const key = property.children![0]!;
    return splice(text, key.offset, end(key), JSON.stringify(name));
}

/** The text of a value, to be put elsewhere. */
export function sourceAt(text: string, path: Path): Source | null {
    const node = nodeAt(parse(text).root, path);
    return node ? new Source(text.slice(node.offset, end(node))) : null;
}

export function toPointer(path: Path): string {
    return path.map(p => `/${String(p).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The name that a pointer ends with. */
export function lastOf(pointer: string): string {
    return pointer
        .slice(pointer.lastIndexOf('/') + 1)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~');
}

/** Of a pointer, as the server tells it. Numbers are items where the tree has lists. */
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
