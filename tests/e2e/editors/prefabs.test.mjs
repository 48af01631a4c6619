// Prefab instances as Unity shows them, and edits in them, which Unity stores as overrides in the
// instance.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import path from 'node:path';

import {until} from '../fixtures/program.mjs';
import {
    assertContains, documents, eachEditor, guidOf, openProject, openShared, sample, scenePath,
} from '../fixtures/unity.mjs';

const SCENE = 'ArenaScene', FILE = scenePath(SCENE);
const text = readFileSync(path.join(sample, FILE), 'utf8');
const prefab = name => `Assets/Prefabs/${name}.prefab`;

const engine = names => names.split(' ').map(name => name.includes('.') ? name : `UnityEngine.${name}`);
const node = (path, components, children = [], more = {}) =>
    ({name: path.split('/').at(-1), path, active: true, components: engine(components), children, ...more});
const of = name => ({prefab_asset_path: prefab(name)});
const MESH = 'Transform MeshFilter MeshRenderer', CRATE = `${MESH} BoxCollider MyGame.Breakable`;
const HIERARCHY = [
    node('/Main Camera', 'Transform Camera AudioListener'),
    node('/Sun', 'Transform Light'),
    node('/Crate', CRATE, [node('/Crate/Lid', MESH)], of('Crate')),
    node('/Props', 'Transform', [
        node('/Props/Golden crate', `${CRATE} AudioSource`,
            [node('/Props/Golden crate/Lid', MESH, [], {active: false})], of('CrateGold')),
    ]),
    node('/CrateStack', 'Transform Rigidbody', [ // an added component
        // a removed component
        node('/CrateStack/Lower', `${MESH} MyGame.Breakable`, [node('/CrateStack/Lower/Lid', MESH)], of('Crate')),
        node('/CrateStack/Upper', CRATE, [
            // an added child
            node('/CrateStack/Upper/Lid', MESH, [node('/CrateStack/Upper/Lid/Flag', MESH)]),
        ], of('Crate')),
        node('/CrateStack/Base', MESH),
    ], of('CrateStack')),
    node('/CrateStackLocked', 'Transform', [ // without its Base: a removed object
        node('/CrateStackLocked/Lower', CRATE, [
            node('/CrateStackLocked/Lower/Lid', MESH, [node('/CrateStackLocked/Lower/Lid/Padlock', MESH)]),
        ], of('Crate')),
        node('/CrateStackLocked/Upper', `${MESH} MyGame.Breakable`,
            [node('/CrateStackLocked/Upper/Lid', MESH)], of('Crate')),
    ], of('CrateStackLocked')),
    node('/Watcher', 'Transform MyGame.Guard', [], {active: false}),
];

const hitPoints = async (client, path, index) => (await client.info(path, index)).fields.hitPoints;

/** The PrefabInstance document with this source. */
const instance = (content, source) => documents(content).find(d => d.classId === 1001 &&
    d.lines.includes(`  m_SourcePrefab: {fileID: 100100000, guid: ${guidOf(prefab(source))}, type: 3}`));
/** The overrides of an instance: [{target, path, value, object}]. */
function overrides(document) {
    const list = [];
    for (const line of document.lines) {
        const [, key, value] = line.match(/^ {4}(?:- |  )(target|propertyPath|value|objectReference): ?(.*)$/) ?? [];
        if (key === 'target')
            list.push({target: value});
        else if (key)
            list.at(-1)[key] = value.replace(/^'(.*)'$/, '$1');
    }
    return list;
}

eachEditor('instances are shown as in Unity', async (t, editor) => {
    const {client} = await openShared(t, {editor, scene: SCENE});
    const {root_game_objects, ...rest} = await client.hierarchy();
    assert.deepEqual(root_game_objects, HIERARCHY);
    assert.deepEqual(rest, {
        scene_name: SCENE, scene_path: FILE, total_game_objects: 21, returned_game_objects: 21, truncated: false,
    });
});

eachEditor('fields of instances have the values of all their overrides', async (t, editor) => {
    const {client} = await openShared(t, {editor, scene: SCENE});
    for (const [path, index, points] of [
        ['/Crate', 4, 10], // from the prefab
        ['/Props/Golden crate', 4, 75], // from the scene, over 50 from the variant
        ['/CrateStack/Lower', 3, 5], // from the scene; after the removed collider
        ['/CrateStack/Upper', 4, 20], // from the stack
        ['/CrateStackLocked/Lower', 4, 10],
        ['/CrateStackLocked/Upper', 3, 99], // from the variant
    ])
        assert.equal(await hitPoints(client, path, index), points, path);
    const golden = (await client.info('/Props/Golden crate', 4)).fields;
    assert.deepEqual(golden.drops.value.map(({value}) => [value.id, value.amount, value.rarity.value]),
        [['coin', 3, 'Common'], ['gem', 1, 'Unique']]);
    assertContains((await client.info('/Props/Golden crate', 2)).fields.materials, {
        type: 'UnityEngine.Material[]',
        value: [{value: 'Gold (Material)', is_asset_ref: true, asset_path: 'Assets/Materials/Gold.mat'}],
    });
    assertContains((await client.info('/Props/Golden crate', 5)).fields, {volume: 0.25});
    assertContains((await client.info('/Crate', 0)).fields.localPosition, {value: {x: -4, y: 0.5, z: 0}});
    assert.deepEqual((await client.info('/Watcher', 1)).fields.watched,
        {type: 'MyGame.Breakable', value: 'Crate (Breakable)', is_object_ref: true, ref_path: '/Crate'});
});

/** Check for hitPoints: 33 in the upper crate. */
function isNewOverride(project) {
    const before = overrides(instance(text, 'CrateStack'));
    const {removed, added} = project.diff(FILE);
    assert.deepEqual([removed.length, added.length], [0, 4]);
    const now = overrides(instance(project.read(FILE), 'CrateStack'));
    assert.equal(now.length, before.length + 1);
    const [made] = now.filter(o => o.propertyPath === 'hitPoints' && o.value === '33');
    assert.match(made.target, new RegExp(`^\\{fileID: \\d+, guid: ${guidOf(prefab('CrateStack'))}, type: 3\\}$`));
    assert.equal(made.objectReference, '{fileID: 0}');
    // the id of the object in CrateStack: its nested instance and the crate's own script
    const stack = documents(readFileSync(path.join(sample, prefab('CrateStack')), 'utf8'));
    const crate = documents(readFileSync(path.join(sample, prefab('Crate')), 'utf8'));
    const nested = stack.filter(d => d.classId === 1001).at(-1), script = crate.find(d => d.classId === 114);
    const id = (BigInt(nested.id) ^ BigInt(script.id)) & 0x7fffffffffffffffn;
    assert.ok(made.target.startsWith(`{fileID: ${id},`), made.target);
}

eachEditor('a field inside an instance becomes an override in the scene', async (t, editor) => {
    const {client, disk, project} = await openShared(t, {editor, scene: SCENE});

    await t.test('a new override is four lines', () => client.undoAfter(async () => {
        assert.deepEqual((await client.update('/CrateStack/Upper', 4, {hitPoints: 33})).fields_set, ['hitPoints']);
        assert.equal(await hitPoints(client, '/CrateStack/Upper', 4), 33);
        assert.equal(await hitPoints(client, '/CrateStackLocked/Upper', 3), 99);
        disk.check(() => isNewOverride(project));
        await disk.shows(SCENE, '/CrateStack/Upper', 4, {hitPoints: 33});
        await client.undo();
        await disk.isOriginal(SCENE);
    }));

    await t.test('an existing override changes one line', () => client.undoAfter(async () => {
        await client.update('/Props/Golden crate', 4, {hitPoints: 76});
        disk.changed(SCENE, {removed: ['      value: 75'], added: ['      value: 76']});
        await disk.shows(SCENE, '/Props/Golden crate', 4, {hitPoints: 76});
        await client.undo();
        await disk.isOriginal(SCENE);
    }));

    await t.test('a vector has one override for each changed part', () => client.undoAfter(async () => {
        await client.update('/Crate', 0, {localPosition: {x: -4, y: 2, z: 1}});
        disk.changed(SCENE, {
            removed: ['      value: 0.5', '      value: 0'], added: ['      value: 2', '      value: 1'],
        });
        await disk.shows(SCENE, '/Crate', 0,
            {localPosition: {type: 'UnityEngine.Vector3', value: {x: -4, y: 2, z: 1}}});
        await client.undo();
        await disk.isOriginal(SCENE);
    }));

    await t.test('a reference is stored in objectReference', () => client.undoAfter(async () => {
        await client.update('/Crate', 4, {broken: {$ref: '/Props'}});
        disk.check(() => {
            const [made] = overrides(instance(project.read(FILE), 'Crate')).filter(o => o.propertyPath === 'broken');
            assert.equal(made.value, '');
            assert.match(made.objectReference, /^\{fileID: \d+\}$/);
        });
        const {broken} = (await client.info('/Crate', 4)).fields;
        assert.equal(broken.ref_path, '/Props');
        await disk.shows(SCENE, '/Crate', 4, {broken});
        await client.undo();
        await disk.isOriginal(SCENE);
    }));

    await t.test('a reference to an object inside an instance gets a stripped document', () => client.undoAfter(async () => {
        await client.update('/Watcher', 1, {watched: {$ref: '/CrateStack/Upper'}});
        const {watched} = (await client.info('/Watcher', 1)).fields;
        assert.equal(watched.ref_path, '/CrateStack/Upper');
        disk.check(() => {
            const was = new Set(documents(text).map(d => d.id));
            const made = documents(project.read(FILE)).filter(d => !was.has(d.id));
            assert.equal(made.length, 1);
            assert.ok(made[0].stripped && made[0].classId === 114);
        });
        await disk.shows(SCENE, '/Watcher', 1, {watched});
        await client.undo();
        await disk.isOriginal(SCENE);
    }));

    await t.test('a list: its size and its elements', () => client.undoAfter(async () => {
        const drop = (id, amount, rarity) => ({id, amount, rarity});
        await client.update('/Crate', 4, {drops: [drop('coin', 3, 'Common'), drop('key', 1, 'Rare')]});
        disk.check(() => {
            const now = overrides(instance(project.read(FILE), 'Crate'));
            const value = path => now.find(o => o.propertyPath === path)?.value;
            assert.equal(value('drops.Array.size'), '2');
            assert.equal(value('drops.Array.data[1].id'), 'key');
            assert.equal(value('drops.Array.data[1].rarity'), '1');
        });
        const {drops} = (await client.info('/Crate', 4)).fields;
        assert.deepEqual(drops.value.map(({value}) => value.id), ['coin', 'key']);
        await disk.shows(SCENE, '/Crate', 4, {drops});
        await client.undo();
        await disk.isOriginal(SCENE);
    }));
});

/** Check that the crate's Rigidbody is in the scene; return its document. */
function isAddedBody(project) {
    const content = project.read(FILE), was = new Set(documents(text).map(d => d.id));
    const made = documents(content).filter(d => !was.has(d.id));
    assert.deepEqual(made.map(d => [d.classId, d.stripped]).sort(), [[1, true], [54, false]]);
    const standIn = made.find(d => d.stripped), body = made.find(d => !d.stripped);
    assert.ok(body.lines.includes(`  m_GameObject: {fileID: ${standIn.id}}`));
    const crate = documents(readFileSync(path.join(sample, prefab('Crate')), 'utf8'))
        .find(d => d.classId === 1 && d.lines.includes('  m_Name: Crate'));
    const source = `{fileID: ${crate.id}, guid: ${guidOf(prefab('Crate'))}, type: 3}`;
    assert.ok(standIn.lines.includes(`  m_CorrespondingSourceObject: ${source}`));
    const {lines} = instance(content, 'Crate'), at = lines.indexOf('    m_AddedComponents:');
    assert.deepEqual(lines.slice(at + 1, at + 4),
        [`    - targetCorrespondingSourceObject: ${source}`, '      insertIndex: -1', `      addedObject: {fileID: ${body.id}}`]);
    assert.deepEqual(project.diff(FILE).removed, ['    m_AddedComponents: []']);
    return body;
}

eachEditor('a component is added to an instance', async (t, editor) => {
    const {client, disk, project} = await openShared(t, {editor, scene: SCENE});
    const {index} = await client.add('/Crate', 'Rigidbody', {fields: {mass: 7}});
    assert.equal(index, 5);
    assert.deepEqual(await client.components('/Crate'), engine(`${CRATE} Rigidbody`));
    assertContains((await client.info('/Crate', 5)).fields, {mass: 7});
    const body = disk.check(() => isAddedBody(project));
    await disk.shows(SCENE, '/Crate', 5, {mass: 7});
    await client.update('/Crate', 5, {mass: 8}); // it belongs to the scene: no override
    disk.check(() => {
        assert.ok(documents(project.read(FILE)).find(d => d.id === body.id).lines.includes('  m_Mass: 8'));
    });
    await disk.shows(SCENE, '/Crate', 5, {mass: 8});
    await client.undo(2);
    await disk.isOriginal(SCENE);
});

eachEditor('added components keep their places among those of the prefab and each other', async (t, editor) => {
    const {client, disk} = await openShared(t, {editor, scene: SCENE});
    const put = async (type, index) => assert.equal((await client.add('/Crate', type, {index})).index, index);
    await put('SphereCollider', 5);
    await put('AudioSource', 5);
    await put('Light', 2);
    await put('CapsuleCollider', 1);
    await put('CapsuleCollider', 3);
    const all = engine('Transform CapsuleCollider MeshFilter CapsuleCollider Light MeshRenderer BoxCollider ' +
        'MyGame.Breakable AudioSource SphereCollider');
    assert.deepEqual(await client.components('/Crate'), all);
    await client.undo(5);
    await disk.isOriginal(SCENE);
});

eachEditor('a component of an instance is removed', async (t, editor) => {
    const {client, disk, project} = await openShared(t, {editor, scene: SCENE});
    await t.test('a component of the prefab is listed in the instance', () => client.undoAfter(async () => {
        await client.remove('/Crate', 3);
        assert.deepEqual(await client.components('/Crate'), engine(`${MESH} MyGame.Breakable`));
        const collider = documents(readFileSync(path.join(sample, prefab('Crate')), 'utf8')).find(d => d.classId === 65);
        disk.changed(SCENE, {
            removed: ['    m_RemovedComponents: []'],
            added: ['    m_RemovedComponents:', `    - {fileID: ${collider.id}, guid: ${guidOf(prefab('Crate'))}, type: 3}`],
        });
        await disk.shows(SCENE, '/Crate', 3, {hitPoints: 10});
        await client.undo();
        await disk.isOriginal(SCENE);
    }));

    await t.test('an added component loses its document', () => client.undoAfter(async () => {
        await client.remove('/CrateStack', 1);
        assert.deepEqual(await client.components('/CrateStack'), engine('Transform'));
        disk.check(() => {
            const content = project.read(FILE);
            assert.equal(documents(content).filter(d => d.classId === 54).length, 0);
            assert.ok(instance(content, 'CrateStack').lines.includes('    m_AddedComponents: []'));
        });
        await client.undo();
        await disk.isOriginal(SCENE);
    }));
});

eachEditor('an instance in a scene of 2019.4 can be edited', async (t, editor) => {
    const {client, disk, project} = await openShared(t, {editor, scene: 'MenuScene'});
    const {root_game_objects} = await client.hierarchy();
    assert.deepEqual(root_game_objects.map(node => node.name),
        ['Main Camera', 'Canvas', 'EventSystem', 'Menu', 'Crate on show']);
    const crate = root_game_objects.at(-1);
    assert.equal(crate.prefab_asset_path, prefab('Crate'));
    assert.deepEqual(crate.components, engine(`${CRATE} Light`));
    assert.equal(await hitPoints(client, '/Crate on show', 4), 1);
    assert.deepEqual(root_game_objects[1].components, engine(
        'RectTransform Canvas UnityEngine.UI.CanvasScaler UnityEngine.UI.GraphicRaycaster'));
    assert.equal((await client.info('/Canvas/Panel/Title', 2)).fields.m_Text.slice(0, 20), 'The old menu scene w');

    await t.test('lines are wrapped as in that version', () => client.undoAfter(async () => {
        await client.update('/Crate on show', 4, {broken: {$asset: prefab('Crate')}});
        disk.check(() => {
            const {removed, added} = project.diff(scenePath('MenuScene'));
            assert.deepEqual(removed, []);
            assert.ok(added.every(line => line.length <= 80 || !line.slice(81).includes(', ')), added.join('\n'));
        });
        await client.undo();
        await disk.isOriginal('MenuScene');
    }));

    await t.test('an added component has no list in the instance', () => client.undoAfter(async () => {
        await client.add('/Crate on show', 'AudioSource');
        assert.deepEqual(await client.components('/Crate on show'), engine(`${CRATE} Light AudioSource`));
        disk.check(() => {
            assert.ok(!project.read(scenePath('MenuScene')).includes('m_AddedComponents'));
            const body = documents(project.read(scenePath('MenuScene'))).find(d => d.classId === 82);
            const standIn = documents(project.read(scenePath('MenuScene'))).find(d => d.classId === 1 && d.stripped);
            assert.ok(body.lines.includes(`  m_GameObject: {fileID: ${standIn.id}}`));
        });
        await client.undo();
        await disk.isOriginal('MenuScene');
    }));
});

eachEditor('a prefab that changes on disk is reloaded', async (t, editor) => {
    const {client, project, unity} = await openProject(t, {editor, scene: SCENE});
    assert.equal(await hitPoints(client, '/Crate', 4), 10);
    project.write(prefab('Crate'), project.read(prefab('Crate')).replace('  hitPoints: 10\n', '  hitPoints: 11\n'));
    await unity?.command('refresh');
    await until(() => hitPoints(client, '/Crate', 4), 'the new value of the prefab', {is: now => now === 11});
    assert.equal(await hitPoints(client, '/CrateStackLocked/Lower', 4), 11);
    assert.equal(await hitPoints(client, '/CrateStack/Upper', 4), 20);
});

eachEditor('adding a UI component replaces the Transform by a RectTransform', async (t, editor) => {
    const {client, disk, project} = await openShared(t, {editor, scene: 'GameScene'});
    const added = await client.add('/Enemy', 'Image');
    assert.deepEqual(added.also_added.sort(), ['UnityEngine.CanvasRenderer', 'UnityEngine.RectTransform']);
    const components = await client.components('/Enemy');
    assert.equal(components[0], 'UnityEngine.RectTransform');
    assert.equal(components[added.index], 'UnityEngine.UI.Image');
    const {fields} = await client.info('/Enemy', 0);
    assert.deepEqual(fields.sizeDelta.value, {x: 100, y: 100});
    await client.undo();
    await disk.isOriginal('GameScene');
});
