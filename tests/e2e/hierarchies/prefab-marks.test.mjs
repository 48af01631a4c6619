// get_scene_hierarchy with include_prefabs: which object is the root of an instance, and of which
// prefab.
import assert from 'node:assert/strict';
import path from 'node:path';

import {writeBigScene} from '../fixtures/big_scene.mjs';
import {folder} from '../fixtures/bridge.mjs';
import {HEAD, SETTINGS, gameObject, instance, metaOf, override, sceneRoots, standIn, transform, writeAsset, writeVersion,
    yamlText} from '../fixtures/documents.mjs';
import {Project, eachEditor, openProject} from '../fixtures/unity.mjs';

const HOSTILE = `<img src=x onerror="alert('1')"> & {"a": [1]}`;
const GUIDS = Object.fromEntries(['inner', 'outer', 'variant', 'model', 'scene', 'gone', 'orphan'].map((name, i) =>
    [name, `a11${i}`.padEnd(32, '0')]));
const BY_NAME = 'Assets/Odd/R&D (1) \'q\' <b>.prefab'; // the prefab of `inner`

/* Object ids inside instances as Unity composes them: instance XOR id in the source. */
const within = (id, source) => BigInt.asUintN(63, BigInt(id) ^ BigInt(source));

/** Inner: one object. Outer: contains Inner, an instance with a missing source, and one of a model.
 * Variant: of Outer. Orphan: its source is missing. */
function makeProject(t) {
    const dir = path.join(folder(t), 'made');
    const prefab = (file, guid, text) => writeAsset(dir, file, metaOf(guid, 'PrefabImporter'), HEAD + text);
    prefab(BY_NAME, GUIDS.inner, gameObject(100, [101], 'Inner') + transform(101, 100));
    writeAsset(dir, 'Assets/Models/Rock.fbx', metaOf(GUIDS.model, 'ModelImporter', '  serializedVersion: 22200\n' +
        '  internalIDToNameTable: []\n  fileIdsGeneration: 2\n'), 'Kaydara FBX Binary\n');
    prefab('Assets/Outer.prefab', GUIDS.outer, gameObject(200, [201], 'Outer') +
        transform(201, 200, 0, [211, 221]) +
        standIn(211, 210, 101, GUIDS.inner) +
        instance(210, GUIDS.inner, override(100, GUIDS.inner, 'm_Name', 'Nested'), 201) +
        standIn(221, 220, 101, GUIDS.gone) +
        instance(220, GUIDS.gone, override(100, GUIDS.gone, 'm_Name', 'Nested and gone'), 201));
    prefab('Assets/Variant.prefab', GUIDS.variant, instance(300, GUIDS.outer, override(200, GUIDS.outer, 'm_Name', 'Variant')));
    prefab('Assets/Orphan.prefab', GUIDS.orphan, instance(310, GUIDS.gone, override(100, GUIDS.gone, 'm_Name', 'Orphan')));
    writeAsset(dir, 'Assets/Main.unity', metaOf(GUIDS.scene), HEAD + SETTINGS +
        gameObject(400, [401], 'Plain') + transform(401, 400, 0, [511]) +
        standIn(511, 510, 101, GUIDS.inner) +
        instance(510, GUIDS.inner, override(100, GUIDS.inner, 'm_Name', yamlText(HOSTILE)), 401) +
        instance(520, GUIDS.variant) +
        instance(530, GUIDS.gone, override(100, GUIDS.gone, 'm_Name', 'Gone')) +
        instance(540, GUIDS.model, override('919132149155446097', GUIDS.model, 'm_Name', 'Rock')) +
        instance(550, GUIDS.outer, override(within(210, 100), GUIDS.outer, 'm_Name', 'Renamed')) +
        instance(560, GUIDS.orphan) +
        sceneRoots([401, 520, 530, 540, 550, 560]));
    writeVersion(dir);
    return new Project(dir);
}

/** {path: prefab}, for the objects that have one. */
function marksOf({root_game_objects}, marks = {}) {
    for (const node of root_game_objects) {
        if ('prefab' in node)
            marks[node.path] = node.prefab;
        if (node.prefab)
            assert.equal(node.prefab_asset_path, node.prefab);
        else
            assert.equal('prefab_asset_path' in node, false, node.path);
        marksOf({root_game_objects: node.children}, marks);
    }
    return marks;
}

eachEditor('roots of instances name their prefab, including nested ones and variants', async (t, editor) => {
    const project = makeProject(t);
    const {client} = await openProject(t, {editor, project, scene: 'Assets/Main.unity'});
    const marks = marksOf(await client.hierarchy({include_prefabs: true}));
    assert.deepEqual(marks, {
        [`/Plain/${HOSTILE.replaceAll('/', '\\/')}`]: BY_NAME,
        '/Variant': 'Assets/Variant.prefab',
        '/Variant/Nested': BY_NAME,
        '/Variant/Nested and gone': null,
        '/Gone': null,
        '/Rock': 'Assets/Models/Rock.fbx',
        '/Outer': 'Assets/Outer.prefab',
        '/Outer/Renamed': BY_NAME,
        '/Outer/Nested and gone': null,
        '/Orphan': 'Assets/Orphan.prefab',
    });
});

eachEditor('without include_prefabs the marks are absent', async (t, editor) => {
    const {client} = await openProject(t, {editor, scene: 'ArenaScene'});
    const plain = await client.hierarchy(), marked = await client.hierarchy({include_prefabs: true});
    assert.equal(JSON.stringify(plain).includes('"prefab":'), false);
    assert.deepEqual(await client.hierarchy({include_prefabs: false}), plain);
    const without = JSON.parse(JSON.stringify(marked), (key, value) => key === 'prefab' ? undefined : value);
    assert.deepEqual(without, plain);
    assert.ok(Object.keys(marksOf(marked)).length > 4, JSON.stringify(marksOf(marked)));
});

eachEditor('a scene of 10,000 objects has all its marks', async (t, editor) => {
    const project = new Project(path.join(folder(t), 'big'));
    const big = writeBigScene(project.dir, {name: n => `${HOSTILE.slice(0, 20)} ${n}`});
    const config = {max_message_bytes: 16 << 20};
    const {client} = await openProject(t, {editor, project, config, scene: big.scene});
    const tree = await client.hierarchy({include_prefabs: true, max_depth: 50, max_game_objects: 10_000});
    assert.equal(tree.total_game_objects, 10_000);
    const marks = Object.values(marksOf(tree));
    assert.equal(marks.filter(mark => mark === null).length, big.kinds.filter(kind => kind === 'lost').length);
    assert.equal(marks.filter(mark => mark === big.prefab).length, big.kinds.filter(kind => kind === 'instance').length);
});
