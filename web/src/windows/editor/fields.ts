// Fields of a component as returned by get_component_info with `describe`
// (docs/spec/20-scene-tools.md). A Field is one of them with its path and the description from its
// list or struct.
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

export interface FieldData extends Description {
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

/** The result of get_component_info. */
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
    data: FieldData;
    kind: Kind;
}

function isObject(v: unknown): v is Record<string, unknown> {
    return typeof v === 'object' && v !== null && !Array.isArray(v);
}

/** Convert a value of an editor without descriptions: plain, or {type, value}. */
function toFieldData(v: unknown): FieldData {
    if (isObject(v) && ('value' in v || '_total_count' in v)) return v as FieldData;
    return {value: v};
}

function guessKind(t: FieldData): Kind {
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

function makeField(label: string, path: readonly Step[], data: FieldData): Field {
    return {label, path, data, kind: data.kind ?? guessKind(data)};
}

export function fieldsOf(info: ComponentInfo): Field[] {
    return Object.entries(info.fields).map(([name, v]) =>
        makeField(name, [{member: name}], toFieldData(v)),
    );
}

/** Return the members of a struct; none if it was truncated. */
export function membersOf(f: Field): Field[] {
    if (!isObject(f.data.value)) return [];
    const about = f.data.fields ?? {};
    return Object.entries(f.data.value).map(([name, v]) =>
        makeField(name, [...f.path, {member: name}], {...about[name], ...toFieldData(v)}),
    );
}

export function countOf(f: Field): number {
    return f.data._total_count ?? (Array.isArray(f.data.value) ? f.data.value.length : 0);
}

/** Return the loaded elements of a list, from `_offset` on. */
export function elementsOf(f: Field): Field[] {
    const list = Array.isArray(f.data.value) ? (f.data.value as unknown[]) : [];
    const count = countOf(f),
        from = f.data._offset ?? 0;
    return list.map((v, i) =>
        makeField(String(from + i), [...f.path, {element: from + i, count}], {
            ...f.data.element,
            ...toFieldData(v),
        }),
    );
}

/** Return a path as the tools write it: `loot[2].chance`. */
export function pathText(path: readonly Step[]): string {
    return path
        .map((s, i) => ('member' in s ? (i ? '.' : '') + s.member : `[${s.element}]`))
        .join('');
}

/** Return the label of Unity's inspector: "Enabled" for `m_Enabled`, "Chase Speed" for
 * `chaseSpeed`. */
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

/** Return a type without namespaces: "Rigidbody" for `UnityEngine.Rigidbody`, "List<B>" for
 * `List<A.B>`. */
export function shortType(type: string): string {
    return type.replace(/[\w.]*[.+](?=\w)/g, '');
}

export function limitsOf(t: FieldData): Limits {
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

/* ---- values with parts */

const XY = ['x', 'y'],
    XYZ = ['x', 'y', 'z'],
    XYZW = ['x', 'y', 'z', 'w'],
    SIDES = ['x', 'y', 'width', 'height'];

/** The parts by rows: one row for a vector, two for bounds. */
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

/** Return the value for an update of one part: only that part, or with `whole` the complete value.
 * */
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

/** Whether two loaded values are equal, apart from what either of them omits. */
export function isSameData(a: unknown, b: unknown): boolean {
    if (a === '...' || b === '...') return true;
    if (Array.isArray(a) && Array.isArray(b))
        return a.length === b.length && a.every((v, i) => isSameData(v, b[i]));
    if (isObject(a) && isObject(b))
        return Object.keys(a).every(k => !(k in b) || isSameData(a[k], b[k]));
    return Object.is(a, b);
}

/* ---- read-only fields */
/** Whether the value was omitted from the response and must be loaded separately. */
export function isCut(f: Field): boolean {
    return f.data.is_cut === true || f.data.value === '...' || f.data._options_truncated === true;
}

/** Return why a field is read-only, or null. */
export function readOnlyReason(f: Field): string | null {
    if (f.kind === 'managed')
        return 'read-only: objects by reference ([SerializeReference]) cannot be set';
    if (f.kind === 'unknown') return 'read-only: unknown type';
    if (f.data.is_read_only) return 'read-only';
    if (f.kind === 'curve' && f.data._truncated)
        return `read-only: not all of its ${f.data._total_count ?? ''} keys are loaded`;
    return null;
}

/** Return a value as one line, for kinds without an input control. */
export function summarize(v: unknown, depth = 0): string {
    if (v === null || v === undefined) return 'none';
    if (isNumeric(v)) return shortNumber(v);
    if (typeof v === 'string' || typeof v === 'boolean') return String(v);
    if (depth > 2) return '…';
    if (Array.isArray(v))
        return `[${v
            .slice(0, 8)
            .map(e => summarize(isObject(e) && 'value' in e ? e.value : e, depth + 1))
            .join(', ')}${v.length > 8 ? ', …' : ''}]`;
    const members = Object.entries(v as Record<string, unknown>);
    return `{${members
        .slice(0, 8)
        .map(([k, m]) => `${k}: ${summarize(isObject(m) && 'value' in m ? m.value : m, depth + 1)}`)
        .join(', ')}${members.length > 8 ? ', …' : ''}}`;
}
