// The scene as flat lists in tree order (an object, then its descendants): the descendants of
// object i are i + 1 to end[i] - 1. Large scenes are built in small steps, so that the page stays
// responsive.
/** An object of get_scene_hierarchy. */
export interface GameObject {
    name: string;
    path: string;
    active: boolean;
    components: (string | null)[];
    children: GameObject[] | '...';
    prefab_asset_path?: string;
    /** Only at the root of a prefab instance; null: the prefab is missing. */
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

export const INACTIVE = 1; // it or an ancestor is inactive
export const MISSING = 2; // it has a missing script
export const PREFAB = 4; // the root of a prefab instance
export const CUT = 8; // its children are not loaded
export const MORE = 16; // some of its children may not be loaded

export interface Scene {
    name: string;
    path: string;
    total: number; // all objects of the scene, loaded or not
    names: string[];
    paths: string[];
    depth: number[];
    parent: number[]; // -1: a root
    end: number[];
    place: number[]; // position among its siblings, from 1
    siblings: number[]; // their number, including itself
    flags: number[];
    components: (readonly (string | null)[])[];
    prefab: string[]; // path of the prefab; '': missing, or not an instance
    byPath: Map<string, number>;
    /** Some root objects are not loaded. */
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

/** Awaited between steps to let the page react; returns undefined if it is not time yet. */
export type YieldToPage = () => Promise<void> | undefined;

function createScene(name: string, path: string, total: number): Scene {
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

/** Add an object without its children; return its index. */
function addObject(
    s: Scene,
    o: GameObject,
    parent: number,
    place: number,
    siblings: number,
): number {
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

interface TreeLevel {
    list: GameObject[];
    next: number;
    parent: number;
}

/** Add whole trees below `parent`. */
async function addTrees(
    s: Scene,
    roots: GameObject[],
    parent: number,
    yieldToPage: YieldToPage,
): Promise<void> {
    const levels: TreeLevel[] = [{list: roots, next: 0, parent}];
    for (let n = 0; levels.length > 0; n++) {
        if ((n & 255) === 255) await yieldToPage();
        const level = levels.at(-1)!;
        if (level.next === level.list.length) {
            levels.pop();
            if (level.parent >= 0) s.end[level.parent] = s.names.length;
            continue;
        }
        const o = level.list[level.next++]!;
        const i = addObject(s, o, level.parent, level.next, level.list.length);
        if (o.children !== '...' && o.children.length > 0)
            levels.push({list: o.children, next: 0, parent: i});
    }
}

/** Return the last listed object in breadth-first order: its later siblings may be missing. */
function lastListed(s: Scene): number {
    let last = -1;
    for (let i = 0; i < s.names.length; i++)
        if (last < 0 || s.depth[i]! >= s.depth[last]!) last = i;
    return last;
}

function markPartial(s: Scene, h: Hierarchy, max: number): void {
    if (!h.truncated || (h.returned_game_objects ?? s.names.length) < max) return;
    const last = lastListed(s);
    const parent = last < 0 ? -1 : s.parent[last]!;
    if (parent >= 0) s.flags[parent]! |= MORE;
    else s.rootsCut = s.names.length < s.total;
}

/** Convert a hierarchy; `max` is the requested number of objects. */
export async function flattenHierarchy(
    h: Hierarchy,
    max: number,
    yieldToPage: YieldToPage,
): Promise<Scene> {
    const s = createScene(h.scene_name, h.scene_path, h.total_game_objects);
    await addTrees(s, h.root_game_objects, -1, yieldToPage);
    markPartial(s, h, max);
    return s;
}

/** Return the scene with the subtree of object `at` replaced by `h`, which was loaded by its path.
 * */
export async function replaceSubtree(
    s: Scene,
    at: number,
    h: Hierarchy,
    max: number,
    yieldToPage: YieldToPage,
): Promise<Scene> {
    const part = await flattenHierarchy(h, max, yieldToPage);
    if (part.names.length === 0) return s;
    const made = createScene(s.name, s.path, s.total);
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
    for (let i = at + part.names.length; i < made.parent.length; i++) {
        if (made.parent[i]! > at) made.parent[i]! += more;
        made.end[i]! += more;
    }
    for (let p = parent; p >= 0; p = s.parent[p]!) made.end[p]! += more;
    await yieldToPage();
    made.byPath = new Map(made.paths.map((p, i) => [p, i]));
    return made;
}

/** Return the ancestors of `i`, from the root down. */
export function ancestorsOf(s: Scene, i: number): number[] {
    const list: number[] = [];
    for (let p = s.parent[i] ?? -1; p >= 0; p = s.parent[p]!) list.push(p);
    return list.reverse();
}

export function hasChildren(s: Scene, i: number): boolean {
    return s.end[i]! > i + 1 || (s.flags[i]! & CUT) !== 0;
}

/** Return the loaded children of `parent` (-1: the roots). */
export function childrenOf(s: Scene, parent: number): number[] {
    const list: number[] = [];
    const last = parent < 0 ? s.names.length : s.end[parent]!;
    for (let i = parent + 1; i < last; i = s.end[i]!) list.push(i);
    return list;
}

/** Return the path of the parent, '' for a root. `\/` and `\\` are escapes inside a name. */
export function parentPath(path: string): string {
    let cut = 0;
    for (let i = 0; i < path.length; i++) {
        if (path[i] === '\\') i++;
        else if (path[i] === '/') cut = i;
    }
    return path.slice(0, cut);
}
