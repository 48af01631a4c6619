// Scenes of any size, as Unity 2022.3 writes them: objects in levels, missing scripts, prefab instances.
//
//     const {scene, count} = writeBigScene(project.dir, {count: 10_000, levels: 8});
//     await openProject(t, {project, scene});                 // 'Assets/Scenes/Big.unity'
//
//     tools/node.sh tests/e2e/big_scene.mjs FOLDER [COUNT [LEVELS]]      the same from a shell
//
// The scene has exactly `count` GameObjects in exactly `levels` levels (roots are the first). Number n is named name(n),
// its parent is parentOf(n), and it is one of these:
//
//     object            Transform, BoxCollider                          all that are nothing else
//     missing script    Transform, BoxCollider, a script without source      number is a multiple of `missing`
//     instance          of Assets/Prefabs/BigPart.prefab                last level, a multiple of `prefabs`
//     lost instance     of a prefab that is not there                   last level, a multiple of `lost`
//
// Every 1/`inactive` is switched off. 0: none of that kind. bigScene() is the text alone and touches no file.
import {existsSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {HEAD, SETTINGS, collider, gameObject, instance, metaOf, override, sceneRoots, script, standIn, transform, writeAsset,
    writeVersion, yamlText} from './documents.mjs';

export const BIG_SCENE = 'Assets/Scenes/Big.unity';
export const BIG_PREFAB = 'Assets/Prefabs/BigPart.prefab';

const SCENE_GUID = '5ce4e0000000000000000000000b1600';
const LOST_GUID = '10570000000000000000000000000b16';
const SCRIPT_GUID = '90e50000000000000000000000000b16'; // of no file
const PREFAB = {guid: '94efab00000000000000000000000b16', object: '5106290000000000001',
    transform: '5106290000000000002', collider: '5106290000000000003'};

const DEFAULTS = {count: 10_000, levels: 8, name: n => `Node ${n}`, missing: 50, prefabs: 40, lost: 500, inactive: 30};

/** Which numbers are on which level, and who is below whom. */
class Shape {
    constructor({count, levels}) {
        if (!(count >= levels && levels >= 1))
            throw new RangeError(`${count} objects do not make ${levels} levels`);
        let fan = 1;
        while (levels > 1 && Shape.above(fan + 1, levels) < count)
            fan++;
        this.starts = [0];
        for (let i = 1, size = fan; i < levels; i++, size *= fan)
            this.starts.push(this.starts.at(-1) + size);
        this.starts.push(count);
        this.children = Array.from({length: count}, () => []);
        this.parents = Array.from({length: count}, (_, n) => this.find(n));
        this.parents.forEach((parent, n) => parent === null || this.children[parent].push(n));
        this.lastStart = this.starts.at(-2);
    }

    /** How many are on the levels before the last one. */
    static above(fan, levels) {
        let sum = 0;
        for (let i = 1, size = fan; i < levels; i++, size *= fan)
            sum += size;
        return sum;
    }

    find(n) {
        const level = this.starts.findIndex(start => start > n) - 1;
        if (level === 0)
            return null;
        const [before, from, to] = this.starts.slice(level - 1, level + 2);
        return before + Math.floor((n - from) * (from - before) / (to - from));
    }
}

// ---- documents

const ids = n => ({object: 1000 + n * 10, transform: 1001 + n * 10, collider: 1002 + n * 10, script: 1003 + n * 10,
    instance: 1004 + n * 10});

/** The instance, and the stand-in that its parent lists. */
function instanceOf(n, parent, name, active, guid) {
    const id = ids(n);
    const overrides = override(PREFAB.object, guid, 'm_Name', yamlText(name)) +
        (active ? '' : override(PREFAB.object, guid, 'm_IsActive', 0)) +
        override(PREFAB.transform, guid, 'm_LocalPosition.x', n);
    return (parent === null ? '' : standIn(id.transform, id.instance, PREFAB.transform, guid)) +
        instance(id.instance, guid, overrides, parent === null ? 0 : ids(parent).transform);
}

/** The text of a scene, and what is in it: {text, names, parents, kinds}, each by number. */
export function bigScene(options = {}) {
    const o = {...DEFAULTS, ...options}, shape = new Shape(o);
    const isNth = (n, every) => every > 0 && n % every === 0;
    const kindOf = n => n >= shape.lastStart && isNth(n, o.lost) ? 'lost'
        : n >= shape.lastStart && isNth(n, o.prefabs) ? 'instance' : isNth(n, o.missing) ? 'missing' : 'object';
    const names = shape.parents.map((_, n) => o.name(n)), kinds = names.map((_, n) => kindOf(n));
    const texts = [HEAD, SETTINGS], roots = [];
    for (const [n, parent] of shape.parents.entries()) {
        const id = ids(n), active = !isNth(n, o.inactive), isInstance = ['lost', 'instance'].includes(kinds[n]);
        if (parent === null)
            roots.push(isInstance ? id.instance : id.transform);
        if (isInstance) {
            texts.push(instanceOf(n, parent, names[n], active, kinds[n] === 'lost' ? LOST_GUID : PREFAB.guid));
            continue;
        }
        const isMissing = kinds[n] === 'missing';
        const components = [id.transform, id.collider, ...(isMissing ? [id.script] : [])];
        texts.push(gameObject(id.object, components, names[n], active),
            transform(id.transform, id.object, n, shape.children[n].map(child => ids(child).transform),
                parent === null ? 0 : ids(parent).transform),
            collider(id.collider, id.object), isMissing ? script(id.script, id.object, SCRIPT_GUID) : '');
    }
    texts.push(sceneRoots(roots));
    return {text: texts.join(''), names, parents: shape.parents, kinds};
}

export const bigPrefab = () => HEAD + gameObject(PREFAB.object, [PREFAB.transform, PREFAB.collider], 'BigPart', true) +
    transform(PREFAB.transform, PREFAB.object, 0, [], 0) + collider(PREFAB.collider, PREFAB.object);

/** Into a project; one is made where there is none. Answers {scene, prefab, count, names, parents, kinds}. */
export function writeBigScene(folder, options = {}) {
    const {text, ...rest} = bigScene(options);
    writeAsset(folder, BIG_SCENE, metaOf(SCENE_GUID), text);
    writeAsset(folder, BIG_PREFAB, metaOf(PREFAB.guid, 'PrefabImporter'), bigPrefab());
    if (!existsSync(path.join(folder, 'ProjectSettings/ProjectVersion.txt')))
        writeVersion(folder);
    return {scene: BIG_SCENE, prefab: BIG_PREFAB, count: rest.names.length, ...rest};
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [folder, count = 10_000, levels = 8] = process.argv.slice(2);
    if (!folder) {
        console.error('usage: big_scene.mjs FOLDER [COUNT [LEVELS]]');
        process.exit(2);
    }
    const made = writeBigScene(folder, {count: Number(count), levels: Number(levels)});
    console.log(`${path.join(folder, made.scene)}: ${made.count} objects in ${levels} levels`);
}
