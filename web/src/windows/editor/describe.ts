// Fields of a component as get_component_info tells them with `describe`: docs/spec/20-scene-tools.md. A Field is one
// of them with its place, and with what the description of its list or struct says about it.
import type {Option} from './options.ts';
import {isNumeric, type Limits, type Numeric, shortNumber} from './number.ts';

export type Kind =
    | 'bool'
    | 'int'
    | 'float'
    | 'string'
    | 'enum'
    | 'vector2'
    | 'vector3'
    | 'vector4'
    | 'vector2_int'
    | 'vector3_int'
    | 'quaternion'
    | 'color'
    | 'color32'
    | 'rect'
    | 'rect_int'
    | 'bounds'
    | 'bounds_int'
    | 'layer_mask'
    | 'curve'
    | 'gradient'
    | 'object'
    | 'array'
    | 'struct'
    | 'managed'
    | 'unknown';

export interface Description {
    type?: string;
    kind?: Kind;
    min?: number | bigint;
    max?: number | bigint;
    range?: [number | null, number | null];
    multiline?: boolean;
    tooltip?: string;
    is_hidden?: boolean;
    is_read_only?: boolean;
    options?: Option[];
    is_flags?: boolean;
    accepts?: ('object' | 'asset')[];
    element?: Description;
    fields?: Record<string, Description>;
}

export interface Told extends Description {
    value?: unknown;
    number?: number | bigint;
    is_object_ref?: boolean;
    ref_path?: string;
    is_asset_ref?: boolean;
    asset_path?: string;
    guid?: string;
    is_missing?: boolean;
    set?: Record<string, unknown>;
    is_cut?: boolean;
    managed_type?: string;
    _options_truncated?: boolean;
    _total_count?: number;
    _truncated?: boolean;
    _offset?: number;
}

/** As get_component_info answers. */
export interface ComponentInfo {
    game_object_path: string;
    game_object_name: string;
    index: number;
    component_type: string;
    fields: Record<string, unknown>;
    _fields_truncated?: boolean;
    _partial?: boolean;
    is_read_only?: boolean;
    read_only_reason?: string;
}

/** A member of a struct, or one of `count` elements of a list. */
export type Step = {member: string} | {element: number; count: number};

export interface Field {
    label: string;
    path: readonly Step[];
    told: Told;
    kind: Kind;
}

function isObject(v: unknown): v is Record<string, unknown> {
    return typeof v === 'object' && v !== null && !Array.isArray(v);
}

/** What an editor tells that knows no descriptions: values are plain, or {type, value}. */
function plainTold(v: unknown): Told {
    if (isObject(v) && ('value' in v || '_total_count' in v)) return v as Told;
    return {value: v};
}

function guessed(t: Told): Kind {
    if (t.is_object_ref || t.is_asset_ref || t.accepts) return 'object';
    const v = t.value;
    return typeof v === 'boolean'
        ? 'bool'
        : typeof v === 'number' || typeof v === 'bigint'
          ? 'float'
          : typeof v === 'string' && t.type === undefined
            ? 'string'
            : Array.isArray(v)
              ? 'array'
              : 'unknown';
}

function make(label: string, path: readonly Step[], told: Told): Field {
    return {label, path, told, kind: told.kind ?? guessed(told)};
}

export function fieldsOf(info: ComponentInfo): Field[] {
    return Object.entries(info.fields).map(([name, v]) =>
        make(name, [{member: name}], plainTold(v)),
    );
}

/** Members of a struct; none if it was cut. */
export function membersOf(f: Field): Field[] {
    if (!isObject(f.told.value)) return [];
    const about = f.told.fields ?? {};
    return Object.entries(f.told.value).map(([name, v]) =>
        make(name, [...f.path, {member: name}], {...about[name], ...plainTold(v)}),
    );
}

export function countOf(f: Field): number {
    return f.told._total_count ?? (Array.isArray(f.told.value) ? f.told.value.length : 0);
}

/** Elements of a list that were told: from `_offset` on. */
export function elementsOf(f: Field): Field[] {
    const list = Array.isArray(f.told.value) ? (f.told.value as unknown[]) : [];
    const count = countOf(f),
        from = f.told._offset ?? 0;
    return list.map((v, i) =>
        make(String(from + i), [...f.path, {element: from + i, count}], {
            ...f.told.element,
            ...plainTold(v),
        }),
    );
}

/** Where it is, in the words of the tools: `loot[2].chance`. */
export function pathText(path: readonly Step[]): string {
    return path
        .map((s, i) => ('member' in s ? (i ? '.' : '') + s.member : `[${s.element}]`))
        .join('');
}

/** `m_Enabled` as "Enabled", `chaseSpeed` as "Chase Speed": what Unity's inspector would say. */
export function labelText(name: string): string {
    const words = name
        .replace(/^<(.*)>k__BackingField$/, '$1')
        .replace(/^(m_|k(?=[A-Z])|_+)/, '')
        .replace(/^[a-z](?=[A-Z]{2})/, c => c.toUpperCase()) // fOVAxisMode, of m_FOVAxisMode
        .replace(/_+/g, ' ')
        .replace(/([a-z\d])([A-Z])/g, '$1 $2')
        .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
        .trim();
    return words ? words[0]!.toUpperCase() + words.slice(1) : name;
}

/** `UnityEngine.Rigidbody` as "Rigidbody", `List<A.B>` as "List<B>". */
export function shortType(type: string): string {
    return type.replace(/[\w.]*[.+](?=\w)/g, '');
}

export function limitsOf(t: Told): Limits {
    const limits: Limits = {
        integer: t.kind === 'int' || t.kind === 'enum' || t.kind === 'layer_mask',
    };
    const [least, most] = t.range ?? [null, null];
    const min = least ?? t.min,
        max = most ?? t.max;
    if (min !== undefined) limits.min = min;
    if (max !== undefined) limits.max = max;
    return limits;
}

/* ---- values made of parts */

const XY = ['x', 'y'],
    XYZ = ['x', 'y', 'z'],
    XYZW = ['x', 'y', 'z', 'w'],
    SIDES = ['x', 'y', 'width', 'height'];

/** Rows of parts: one row of a vector, two of bounds. */
export const PARTS: Partial<Record<Kind, {row: string; parts: string[]}[]>> = {
    vector2: [{row: '', parts: XY}],
    vector3: [{row: '', parts: XYZ}],
    vector4: [{row: '', parts: XYZW}],
    vector2_int: [{row: '', parts: XY}],
    vector3_int: [{row: '', parts: XYZ}],
    quaternion: [{row: '', parts: XYZW}],
    rect: [{row: '', parts: SIDES}],
    rect_int: [{row: '', parts: SIDES}],
    bounds: [
        {row: 'center', parts: XYZ},
        {row: 'size', parts: XYZ},
    ],
    bounds_int: [
        {row: 'position', parts: XYZ},
        {row: 'size', parts: XYZ},
    ],
};

export function isWhole(kind: Kind): boolean {
    return kind.endsWith('_int');
}

export function partOf(value: unknown, row: string, part: string): Numeric {
    const map = row && isObject(value) ? value[row] : value;
    const n = isObject(map) ? map[part] : 0;
    return isNumeric(n) ? n : 0;
}

/** Only the part that is new, as update takes it; for an element of a list the whole value. */
export function withPart(
    value: unknown,
    row: string,
    part: string,
    n: Numeric,
    whole: boolean,
): Record<string, unknown> {
    const old = whole && isObject(value) ? value : {};
    const inner = row ? {...(isObject(old[row]) ? old[row] : {}), [part]: n} : {};
    return row ? {...old, [row]: inner} : {...old, [part]: n};
}

export function isElement(f: Field): boolean {
    return 'element' in (f.path.at(-1) ?? {});
}

/** Whether two readings show the same. What one of them leaves out, or cut, tells nothing. */
export function isAlike(a: unknown, b: unknown): boolean {
    if (a === '...' || b === '...') return true;
    if (Array.isArray(a) && Array.isArray(b))
        return a.length === b.length && a.every((v, i) => isAlike(v, b[i]));
    if (isObject(a) && isObject(b))
        return Object.keys(a).every(k => !(k in b) || isAlike(a[k], b[k]));
    return Object.is(a, b);
}

/* ---- what is only read */

/** What was left out of the answer, and comes if it is asked for alone. */
export function isCut(f: Field): boolean {
    return f.told.is_cut === true || f.told.value === '...' || f.told._options_truncated === true;
}

/** Why a field cannot be changed here; null: it can. */
export function whyNot(f: Field): string | null {
    if (f.kind === 'managed')
        return 'an object by reference ([SerializeReference]) is shown, but cannot be set';
    if (f.kind === 'unknown') return 'its type is not known, so it cannot be set';
    if (f.told.is_read_only) return 'read-only';
    if (f.kind === 'curve' && f.told._truncated)
        return `it has ${f.told._total_count ?? 'more'} keys, more than are told, so it cannot be set`;
    return null;
}

/** A value in one line, for what has no control of its own. */
export function summary(v: unknown, depth = 0): string {
    if (v === null || v === undefined) return 'none';
    if (isNumeric(v)) return shortNumber(v);
    if (typeof v === 'string' || typeof v === 'boolean') return String(v);
    if (depth > 2) return '…';
    if (Array.isArray(v))
        return `[${v
            .slice(0, 8)
            .map(e => summary(isObject(e) && 'value' in e ? e.value : e, depth + 1))
            .join(', ')}${v.length > 8 ? ', …' : ''}]`;
    const members = Object.entries(v as Record<string, unknown>);
    return `{${members
        .slice(0, 8)
        .map(([k, m]) => `${k}: ${summary(isObject(m) && 'value' in m ? m.value : m, depth + 1)}`)
        .join(', ')}${members.length > 8 ? ', …' : ''}}`;
}
