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
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

export const BIG_SCENE = 'Assets/Scenes/Big.unity';
export const BIG_PREFAB = 'Assets/Prefabs/BigPart.prefab';

const SCENE_GUID = '5ce4e0000000000000000000000b1600';
const LOST_GUID = '10570000000000000000000000000b16';
const SCRIPT_GUID = '90e50000000000000000000000000b16'; // of no file
const PREFAB = {guid: '94efab00000000000000000000000b16', object: '5106290000000000001',
    transform: '5106290000000000002', collider: '5106290000000000003'};

const DEFAULTS = {count: 10_000, levels: 8, name: n => `Node ${n}`, missing: 50, prefabs: 40, lost: 500, inactive: 30};

/** A text as the value of a key, in the form Unity takes for it (long ones are not folded). */
export function yamlText(text) {
    if (text === '')
        return '';
    if (/[^ -~]/.test(text))
        return `"${Array.from(text, escaped).join('')}"`;
    const isStructure = /^[,[\]{}#&*!|>'"%@` ]|^[-?:](?= |$)|:(?= |$)| #| $/.test(text);
    return isStructure ? `'${text.replaceAll("'", "''")}'` : text;
}

function escaped(char) {
    const short = {'"': '\\"', '\\': '\\\\', '\0': '\\0', '\x07': '\\a', '\b': '\\b', '\t': '\\t', '\n': '\\n',
        '\v': '\\v', '\f': '\\f', '\r': '\\r', '\x1b': '\\e'}[char];
    const code = char.codePointAt(0), hex = digits => code.toString(16).toUpperCase().padStart(digits, '0');
    if (short)
        return short;
    if (code >= 0x20 && code < 0x7f)
        return char;
    return code < 0x100 ? `\\x${hex(2)}` : code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

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

const LINKS = `  m_ObjectHideFlags: 0
  m_CorrespondingSourceObject: {fileID: 0}
  m_PrefabInstance: {fileID: 0}
  m_PrefabAsset: {fileID: 0}
`;

const gameObject = (id, components, name, active) => `--- !u!1 &${id}
GameObject:
${LINKS}  serializedVersion: 6
  m_Component:
${components.map(component => `  - component: {fileID: ${component}}\n`).join('')}  m_Layer: 0
  m_Name: ${yamlText(name)}
  m_TagString: Untagged
  m_Icon: {fileID: 0}
  m_NavMeshLayer: 0
  m_StaticEditorFlags: 0
  m_IsActive: ${active ? 1 : 0}
`;

const transform = (id, object, x, children, father) => `--- !u!4 &${id}
Transform:
${LINKS}  m_GameObject: {fileID: ${object}}
  serializedVersion: 2
  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
  m_LocalPosition: {x: ${x}, y: 0, z: 0}
  m_LocalScale: {x: 1, y: 1, z: 1}
  m_ConstrainProportionsScale: 0
${children.length ? `  m_Children:\n${children.map(child => `  - {fileID: ${child}}\n`).join('')}` : '  m_Children: []\n'
}  m_Father: {fileID: ${father}}
  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
`;

const collider = (id, object) => `--- !u!65 &${id}
BoxCollider:
${LINKS}  m_GameObject: {fileID: ${object}}
  m_Material: {fileID: 0}
  m_IncludeLayers:
    serializedVersion: 2
    m_Bits: 0
  m_ExcludeLayers:
    serializedVersion: 2
    m_Bits: 0
  m_LayerOverridePriority: 0
  m_IsTrigger: 0
  m_ProvidesContacts: 0
  m_Enabled: 1
  serializedVersion: 3
  m_Size: {x: 1, y: 1, z: 1}
  m_Center: {x: 0, y: 0, z: 0}
`;

const missingScript = (id, object) => `--- !u!114 &${id}
MonoBehaviour:
${LINKS}  m_GameObject: {fileID: ${object}}
  m_Enabled: 1
  m_EditorHideFlags: 0
  m_Script: {fileID: 11500000, guid: ${SCRIPT_GUID}, type: 3}
  m_Name: 
  m_EditorClassIdentifier: 
`;

const override = (target, guid, propertyPath, value) => `    - target: {fileID: ${target}, guid: ${guid}, type: 3}
      propertyPath: ${propertyPath}
      value: ${value}
      objectReference: {fileID: 0}
`;

/** The instance, and the stand-in that its parent lists. */
function instance(n, parent, name, active, guid) {
    const id = ids(n);
    const standIn = parent === null ? '' : `--- !u!4 &${id.transform} stripped
Transform:
  m_CorrespondingSourceObject: {fileID: ${PREFAB.transform}, guid: ${guid}, type: 3}
  m_PrefabInstance: {fileID: ${id.instance}}
  m_PrefabAsset: {fileID: 0}
`;
    return `${standIn}--- !u!1001 &${id.instance}
PrefabInstance:
  m_ObjectHideFlags: 0
  serializedVersion: 2
  m_Modification:
    serializedVersion: 3
    m_TransformParent: {fileID: ${parent === null ? 0 : ids(parent).transform}}
    m_Modifications:
${override(PREFAB.object, guid, 'm_Name', yamlText(name))}${
    active ? '' : override(PREFAB.object, guid, 'm_IsActive', 0)}${
    override(PREFAB.transform, guid, 'm_LocalPosition.x', n)}    m_RemovedComponents: []
    m_RemovedGameObjects: []
    m_AddedGameObjects: []
    m_AddedComponents: []
  m_SourcePrefab: {fileID: 100100000, guid: ${guid}, type: 3}
`;
}

const HEAD = '%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n';

const SETTINGS = `--- !u!29 &1
OcclusionCullingSettings:
  m_ObjectHideFlags: 0
  serializedVersion: 2
  m_OcclusionBakeSettings:
    smallestOccluder: 5
    smallestHole: 0.25
    backfaceThreshold: 100
  m_SceneGUID: 00000000000000000000000000000000
  m_OcclusionCullingData: {fileID: 0}
`;

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
            roots.push(`  - {fileID: ${isInstance ? id.instance : id.transform}}\n`);
        if (isInstance) {
            texts.push(instance(n, parent, names[n], active, kinds[n] === 'lost' ? LOST_GUID : PREFAB.guid));
            continue;
        }
        const isMissing = kinds[n] === 'missing';
        const components = [id.transform, id.collider, ...(isMissing ? [id.script] : [])];
        texts.push(gameObject(id.object, components, names[n], active),
            transform(id.transform, id.object, n, shape.children[n].map(child => ids(child).transform),
                parent === null ? 0 : ids(parent).transform),
            collider(id.collider, id.object), isMissing ? missingScript(id.script, id.object) : '');
    }
    texts.push('--- !u!1660057539 &9223372036854775807\nSceneRoots:\n  m_ObjectHideFlags: 0\n  m_Roots:\n', ...roots);
    return {text: texts.join(''), names, parents: shape.parents, kinds};
}

export const bigPrefab = () => HEAD + gameObject(PREFAB.object, [PREFAB.transform, PREFAB.collider], 'BigPart', true) +
    transform(PREFAB.transform, PREFAB.object, 0, [], 0) + collider(PREFAB.collider, PREFAB.object);

// ---- files

const metaOf = (guid, importer) => `fileFormatVersion: 2
guid: ${guid}
${importer}:
  externalObjects: {}
  userData: 
  assetBundleName: 
  assetBundleVariant: 
`;

function write(folder, file, text) {
    mkdirSync(path.dirname(path.join(folder, file)), {recursive: true});
    writeFileSync(path.join(folder, file), text);
}

/** Into a project; one is made where there is none. Answers {scene, prefab, count, names, parents, kinds}. */
export function writeBigScene(folder, options = {}) {
    const {text, ...rest} = bigScene(options);
    write(folder, BIG_SCENE, text);
    write(folder, `${BIG_SCENE}.meta`, metaOf(SCENE_GUID, 'DefaultImporter'));
    write(folder, BIG_PREFAB, bigPrefab());
    write(folder, `${BIG_PREFAB}.meta`, metaOf(PREFAB.guid, 'PrefabImporter'));
    if (!existsSync(path.join(folder, 'ProjectSettings/ProjectVersion.txt')))
        write(folder, 'ProjectSettings/ProjectVersion.txt',
            'm_EditorVersion: 2022.3.56f1\nm_EditorVersionWithRevision: 2022.3.56f1 (add6c3a30bd4)\n');
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
