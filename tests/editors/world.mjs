// The contents of a project that calls can be about: scenes, objects, components, assets, types.
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

function* walk(folder, below = '') {
    for (const entry of readdirSync(path.join(folder, below), {withFileTypes: true})) {
        const name = path.join(below, entry.name);
        if (entry.isDirectory())
            yield* walk(folder, name);
        else
            yield name;
    }
}

/** Assets with their GUIDs, from the .meta files under Assets. */
export function assetsOf(folder) {
    const list = [];
    for (const name of walk(folder, 'Assets')) {
        const guid = name.endsWith('.meta') && readFileSync(path.join(folder, name),
            'utf8').match(/^guid: (\w{32})/m)?.[1];
        if (guid && existsSync(path.join(folder, name.slice(0, -5))))
            list.push({path: name.slice(0, -5), guid});
    }
    return list.sort((a, b) => a.path < b.path ? -1 : 1);
}

/** Full names of all types that a script of the project declares, and of Unity's components. */
export function typesOf(folder) {
    const names = new Set();
    for (const name of walk(folder, 'Assets')) {
        if (!name.endsWith('.cs'))
            continue;
        const text = readFileSync(path.join(folder, name), 'utf8');
        const space = text.match(/^\s*namespace\s+([\w.]+)/m)?.[1];
        for (const [, type] of text.matchAll(/\b(?:class|struct|enum|interface)\s+(\w+)/g))
            names.add(space ? `${space}.${type}` : type);
    }
    const [, ...rows] = readFileSync(path.join(ROOT, 'src/unity/data/classes.tsv'),
        'utf8').trimEnd().split('\n');
    for (const row of rows) {
        const [, , , type, , flags] = row.split('\t');
        if (type && flags?.includes('c'))
            names.add(type);
    }
    return [...names].sort();
}

/** The objects of a hierarchy, parents first: [{path, name, components, isInstance}]. */
export function objectsOf({root_game_objects}) {
    const list = [];
    const add = (node, within) => {
        const isInstance = within || node.prefab_asset_path !== undefined;
        list.push({path: node.path, name: node.name, components: node.components, isInstance});
        if (Array.isArray(node.children))
            node.children.forEach(child => add(child, isInstance));
    };
    root_game_objects.forEach(node => add(node, false));
    return list;
}

/** The scene that is open in both editors, and its project. */
export class World {
    constructor(folder) {
        this.assets = assetsOf(folder);
        this.types = typesOf(folder);
        this.scenes = [];
        this.objects = [];
        this.saved = []; // scenes that both have saved
    }

    async open(pair, scene) {
        const args = {path: scene, discard_changes: true};
        pair.scene = scene;
        const [, {ok}] = await pair.all([['open_scene', args],
            ['get_scene_hierarchy', {max_depth: 50, max_game_objects: 10000}]]);
        this.objects = ok ? objectsOf(ok) : [];
        this.isOpen = this.objects.length > 0;
    }

    /** Reopen the scene as it is in the file. */
    async reopen(pair) {
        await pair.all([['open_scene', {path: pair.scene, discard_changes: true}]]);
    }

    /** Some objects, each at most once. */
    pick(n, random, fits = () => true) {
        const rest = this.objects.filter(fits), taken = [];
        while (rest.length && taken.length < n)
            taken.push(...rest.splice(random.below(rest.length), 1));
        return taken;
    }
}
