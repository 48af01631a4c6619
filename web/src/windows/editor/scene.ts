// The scene as flat lists. Objects stand in the order of the tree (an object, then all below it), so that what is
// below number i are the numbers i + 1 to end[i] - 1. Ten thousand objects are made in small steps between which the
// page breathes.

/** As get_scene_hierarchy tells an object. */
export interface GameObject {
    name: string;
    path: string;
    active: boolean;
    components: (string | null)[];
    children: GameObject[] | '...';
    prefab_asset_path?: string;
    /** Only on the root of a prefab instance; null: the prefab is missing. */
    prefab?: string | null;
}

export interface Hierarchy {
    scene_name: string;
    scene_path: string;
    root_game_objects: GameObject[];
    total_game_objects: number;
    returned_game_objects?: number;
    truncated: boolean;
}

export const INACTIVE = 1; // itself or something above it is switched off
export const MISSING = 2; // one of its scripts is missing
export const PREFAB = 4; // the root of a prefab instance
export const CUT = 8; // it has children that were left out
export const MORE = 16; // it has some of its children; perhaps not all

export interface Scene {
    name: string;
    path: string;
    total: number; // objects of the scene, whether they are here or not
    names: string[];
    paths: string[];
    depth: number[];
    parent: number[]; // -1: a root
    end: number[];
    place: number[]; // among its siblings, from 1
    siblings: number[]; // how many they are, itself included
    flags: number[];
    components: (readonly (string | null)[])[];
    prefab: string[]; // the asset; '': it is missing, or this is no instance
    byPath: Map<string, number>;
    /** More roots than one answer holds. */
    rootsCut: boolean;
}

export const EMPTY: Scene = {
    name: '',
    path: '',
    total: 0,
    names: [],
    paths: [],
    depth: [],
    parent: [],
    end: [],
    place: [],
    siblings: [],
    flags: [],
    components: [],
    prefab: [],
    byPath: new Map(),
    rootsCut: false,
};

/** Awaited between steps; the answer of one that never waits is undefined. */
export type Breathe = () => Promise<void> | undefined;

function empty(name: string, path: string, total: number): Scene {
    return {
        name,
        path,
        total,
        names: [],
        paths: [],
        depth: [],
        parent: [],
        end: [],
        place: [],
        siblings: [],
        flags: [],
        components: [],
        prefab: [],
        byPath: new Map(),
        rootsCut: false,
    };
}

function flagsOf(o: GameObject, above: number): number {
    return (
        (o.active && !(above & INACTIVE) ? 0 : INACTIVE) |
        (o.components.includes(null) ? MISSING : 0) |
        (o.prefab_asset_path !== undefined || o.prefab !== undefined ? PREFAB : 0) |
        (o.children === '...' ? CUT : 0)
    );
}

/** Puts an object without its children. */
function put(s: Scene, o: GameObject, parent: number, place: number, siblings: number): number {
    const i = s.names.length;
    s.names.push(o.name);
    s.paths.push(o.path);
    s.depth.push(parent < 0 ? 0 : s.depth[parent]! + 1);
    s.parent.push(parent);
    s.end.push(i + 1);
    s.place.push(place);
    s.siblings.push(siblings);
    s.flags.push(flagsOf(o, parent < 0 ? 0 : s.flags[parent]!));
    s.components.push(o.components);
    s.prefab.push(o.prefab ?? o.prefab_asset_path ?? '');
    s.byPath.set(o.path, i);
    return i;
}

interface Level {
    list: GameObject[];
    next: number;
    parent: number;
}

/** Puts whole trees below `parent`; places are told for as many siblings as there are. */
async function putAll(
    s: Scene,
    roots: GameObject[],
    parent: number,
    breathe: Breathe,
): Promise<void> {
    const levels: Level[] = [{list: roots, next: 0, parent}];
    for (let n = 0; levels.length > 0; n++) {
        if ((n & 255) === 255) await breathe();
        const level = levels.at(-1)!;
        if (level.next === level.list.length) {
            levels.pop();
            if (level.parent >= 0) s.end[level.parent] = s.names.length;
            continue;
        }
        const o = level.list[level.next++]!;
        const i = put(s, o, level.parent, level.next, level.list.length);
        if (o.children !== '...' && o.children.length > 0)
            levels.push({list: o.children, next: 0, parent: i});
    }
}

/** The object that was shown last, level by level: its siblings behind it may have been left out. */
function lastShown(s: Scene): number {
    let last = -1;
    for (let i = 0; i < s.names.length; i++)
        if (last < 0 || s.depth[i]! >= s.depth[last]!) last = i;
    return last;
}

function markPartial(s: Scene, h: Hierarchy, max: number): void {
    if (!h.truncated || (h.returned_game_objects ?? s.names.length) < max) return;
    const last = lastShown(s);
    const parent = last < 0 ? -1 : s.parent[last]!;
    if (parent >= 0) s.flags[parent]! |= MORE;
    else s.rootsCut = s.names.length < s.total;
}

export async function flatten(h: Hierarchy, max: number, breathe: Breathe): Promise<Scene> {
    const s = empty(h.scene_name, h.scene_path, h.total_game_objects);
    await putAll(s, h.root_game_objects, -1, breathe);
    markPartial(s, h, max);
    return s;
}

/** The scene with what is below object `at` as `h` (asked for by its path) tells it. */
export async function graft(
    s: Scene,
    at: number,
    h: Hierarchy,
    max: number,
    breathe: Breathe,
): Promise<Scene> {
    const part = await flatten(h, max, breathe);
    if (part.names.length === 0) return s;
    const made = empty(s.name, s.path, s.total);
    made.rootsCut = s.rootsCut;
    const before = s.end[at]! - at,
        more = part.names.length - before;
    const depth = s.depth[at]!,
        parent = s.parent[at]!;
    const off = parent >= 0 ? s.flags[parent]! & INACTIVE : 0;
    const join = <T>(a: T[], b: T[]): T[] => [...a.slice(0, at), ...b, ...a.slice(at + before)];
    made.names = join(s.names, part.names);
    made.paths = join(s.paths, part.paths);
    made.components = join(s.components, part.components);
    made.prefab = join(s.prefab, part.prefab);
    made.flags = join(
        s.flags,
        part.flags.map(f => f | off),
    );
    made.depth = join(
        s.depth,
        part.depth.map(d => d + depth),
    );
    made.place = join(s.place, part.place);
    made.siblings = join(s.siblings, part.siblings);
    made.place[at] = s.place[at]!;
    made.siblings[at] = s.siblings[at]!;
    made.parent = join(
        s.parent,
        part.parent.map(p => (p < 0 ? parent : p + at)),
    );
    made.end = join(
        s.end,
        part.end.map(e => e + at),
    );
    const behind = at + part.names.length;
    for (let i = behind; i < made.parent.length; i++) {
        if (made.parent[i]! > at) made.parent[i]! += more;
        made.end[i]! += more;
    }
    for (let p = parent; p >= 0; p = s.parent[p]!) made.end[p]! += more;
    await breathe();
    made.byPath = new Map(made.paths.map((p, i) => [p, i]));
    return made;
}

/** Objects from the root down to the parent of `i`. */
export function above(s: Scene, i: number): number[] {
    const list: number[] = [];
    for (let p = s.parent[i] ?? -1; p >= 0; p = s.parent[p]!) list.push(p);
    return list.reverse();
}

export function hasChildren(s: Scene, i: number): boolean {
    return s.end[i]! > i + 1 || (s.flags[i]! & CUT) !== 0;
}

/** Children of `parent` (-1: the roots) that are here. */
export function children(s: Scene, parent: number): number[] {
    const list: number[] = [];
    const last = parent < 0 ? s.names.length : s.end[parent]!;
    for (let i = parent + 1; i < last; i = s.end[i]!) list.push(i);
    return list;
}

/** The path of the parent: `\/` belongs to a name, and so does `\\`. '' of a root. */
export function parentPath(path: string): string {
    let cut = 0;
    for (let i = 0; i < path.length; i++) {
        if (path[i] === '\\') i++;
        else if (path[i] === '/') cut = i;
    }
    return path.slice(0, cut);
}
