// Every kind of value (document on scene editing, 5.2 and 5.4.9): written, read back, checked in
// the file, undone.
//
// The file is the truth: an update changes only the necessary lines, in the form Unity writes;
// `undo` restores the file byte for byte. FieldZoo of the sample has a field of every kind.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {ok} from '../fixtures/bridge.mjs';
import {
    assertContains, copySample, documents, eachEditor, guidOf, keys, openProject, openShared,
    refused, sample, scenePath,
} from '../fixtures/unity.mjs';

const SCENE = 'WorkshopScene', FILE = scenePath(SCENE);
const text = readFileSync(path.join(sample, FILE), 'utf8');
const ref = (type, name, ref_path, component) => ({
    type, value: component ? `${name} (${component})` : name, is_object_ref: true, ref_path,
});
/** The fileID of a component of an object in the scene. */
function idOf(object, index) {
    const go = documents(text).find(d => d.classId === 1 && d.lines.includes(`  m_Name: ${object}`));
    return index === undefined ? go.id
        : go.lines.filter(line => line.includes('- component:'))[index].match(/\d+/)[0];
}
const gold = guidOf('Assets/Materials/Gold.mat');

// field, input, value as shown, removed lines, added lines
const wrap = (type, value) => ({type, value});
const unity = (type, value) => wrap(`UnityEngine.${type}`, value);
const KINDS = [
    ['flag', false, false, ['  flag: 1'], ['  flag: 0']],
    ['small', 255, 255, ['  small: 200'], ['  small: 255']],
    ['signedSmall', -128, -128, ['  signedSmall: -5'], ['  signedSmall: -128']],
    ['tiny', 32767, 32767, ['  tiny: -1234'], ['  tiny: 32767']],
    ['unsignedTiny', 65535, 65535, ['  unsignedTiny: 60000'], ['  unsignedTiny: 65535']],
    ['whole', -2147483648, -2147483648, ['  whole: -42'], ['  whole: -2147483648']],
    ['unsignedWhole', 4294967295, 4294967295, ['  unsignedWhole: 4000000000'], ['  unsignedWhole: 4294967295']],
    ['wide', 4503599627370496, 4503599627370496, ['  wide: 1234567890123'], ['  wide: 4503599627370496']],
    ['unsignedWide', 5, 5, ['  unsignedWide: 18000000000000000000'], ['  unsignedWide: 5']],
    ['real', 0.1, 0.1, ['  real: 1.5'], ['  real: 0.1']],
    ['real', 3, 3, ['  real: 1.5'], ['  real: 3']],
    ['real', 1e-10, 1e-10, ['  real: 1.5'], ['  real: 1e-10']],
    ['precise', 0.1, 0.1, ['  precise: 0.019999999552965164'], ['  precise: 0.1']],
    ['text', 'two words', 'two words', ['  text: plain text'], ['  text: two words']],
    ['text', 'a: b', 'a: b', ['  text: plain text'], ["  text: 'a: b'"]],
    ['text', 'Zo\u00eb \u2603', 'Zo\u00eb \u2603', ['  text: plain text'], ['  text: "Zo\\xEB \\u2603"']],
    ['text', "it's", "it's", ['  text: plain text'], ["  text: it's"]],
    ['text', 'true', 'true', ['  text: plain text'], ['  text: true']],
    ['text', '', '', ['  text: plain text'], ['  text: ']],
    ['text', 'tab\there', 'tab\there', ['  text: plain text'], ['  text: "tab\\there"']],
    ['point', {x: 1, y: 2.5}, unity('Vector2', {x: 1, y: 2.5}), ['  point: {x: 1, y: 2}'], ['  point: {x: 1, y: 2.5}']],
    ['position', {x: 0, y: -1, z: 0.25}, unity('Vector3', {x: 0, y: -1, z: 0.25}),
        ['  position: {x: 1, y: 2, z: 3}'], ['  position: {x: 0, y: -1, z: 0.25}']],
    ['four', {x: 4, y: 3, z: 2, w: 1}, unity('Vector4', {x: 4, y: 3, z: 2, w: 1}),
        ['  four: {x: 1, y: 2, z: 3, w: 4}'], ['  four: {x: 4, y: 3, z: 2, w: 1}']],
    ['cell', {x: -3, y: 8}, unity('Vector2Int', {x: -3, y: 8}), ['  cell: {x: 3, y: 7}'], ['  cell: {x: -3, y: 8}']],
    ['voxel', {x: 1, y: 1, z: 1}, unity('Vector3Int', {x: 1, y: 1, z: 1}),
        ['  voxel: {x: 3, y: 7, z: -1}'], ['  voxel: {x: 1, y: 1, z: 1}']],
    ['rotation', {x: 0, y: 1, z: 0, w: 0}, unity('Quaternion', {x: 0, y: 1, z: 0, w: 0}),
        ['  rotation: {x: 0, y: 0, z: 0, w: 1}'], ['  rotation: {x: 0, y: 1, z: 0, w: 0}']],
    ['tint', {r: 0, g: 1, b: 0.5}, unity('Color', {r: 0, g: 1, b: 0.5, a: 1}), // without a: it is 1
        ['  tint: {r: 1, g: 0.5, b: 0.25, a: 1}'], ['  tint: {r: 0, g: 1, b: 0.5, a: 1}']],
    ['tint32', {r: 1, g: 1, b: 1, a: 1}, unity('Color32', {r: 1, g: 1, b: 1, a: 1}),
        ['    rgba: 4294934592'], ['    rgba: 4294967295']],
    // omitted parts keep their values
    ['tint32', {g: 1}, unity('Color32', {r: 0.2509804, g: 1, b: 1, a: 1}),
        ['    rgba: 4294934592'], ['    rgba: 4294967104']],
    ['area', {x: 0, y: 0, width: 100, height: 60}, unity('Rect', {x: 0, y: 0, width: 100, height: 60}),
        ['    height: 50'], ['    height: 60']],
    ['tile', {x: 1, y: 2, width: 3, height: 9}, unity('RectInt', {x: 1, y: 2, width: 3, height: 9}),
        ['    height: 4'], ['    height: 9']],
    ['extent', {center: {x: 0, y: 1, z: 0}, size: {x: 4, y: 2, z: 1}},
        unity('Bounds', {center: {x: 0, y: 1, z: 0}, size: {x: 4, y: 2, z: 1}}),
        ['    m_Extent: {x: 0.5, y: 1, z: 0.5}'], ['    m_Extent: {x: 2, y: 1, z: 0.5}']],
    ['extent', {size: {x: 4}}, unity('Bounds', {center: {x: 0, y: 1, z: 0}, size: {x: 4, y: 2, z: 1}}),
        ['    m_Extent: {x: 0.5, y: 1, z: 0.5}'], ['    m_Extent: {x: 2, y: 1, z: 0.5}']],
    ['region', {position: {x: 0, y: 0, z: 0}, size: {x: 2, y: 2, z: 2}},
        unity('BoundsInt', {position: {x: 0, y: 0, z: 0}, size: {x: 2, y: 2, z: 2}}),
        ['    m_Size: {x: 1, y: 1, z: 1}'], ['    m_Size: {x: 2, y: 2, z: 2}']],
    ['mask', 513, unity('LayerMask', 513), ['    m_Bits: 256'], ['    m_Bits: 513']],
    ['size', 'Large', wrap('MyGame.Size', 'Large'), ['  size: 2'], ['  size: 4']],
    ['size', 1, wrap('MyGame.Size', 'Small'), ['  size: 2'], ['  size: 1']],
    ['sides', 'Bottom', wrap('MyGame.Sides', 'Bottom'), ['  sides: 5'], ['  sides: 8']],
    ['sides', 9, wrap('MyGame.Sides', 'Left, Bottom'), ['  sides: 5'], ['  sides: 9']],
    ['other', {$ref: '/Turret'}, ref('UnityEngine.GameObject', 'Turret', '/Turret'),
        [`  other: {fileID: ${idOf('Table')}}`], [`  other: {fileID: ${idOf('Turret')}}`]],
    ['body', {$ref: 'Turret'}, ref('UnityEngine.Rigidbody', 'Turret', '/Turret', 'Rigidbody'),
        [`  body: {fileID: ${idOf('Zoo', 1)}}`], [`  body: {fileID: ${idOf('Turret', 1)}}`]],
    ['link', {$ref: '/Turret', component: 'UnityEngine.Transform'},
        ref('UnityEngine.Transform', 'Turret', '/Turret', 'Transform'),
        [`  link: {fileID: ${idOf('Table', 0)}}`], [`  link: {fileID: ${idOf('Turret', 0)}}`]],
    ['link', null, null, [`  link: {fileID: ${idOf('Table', 0)}}`], ['  link: {fileID: 0}']],
    ...['Assets/Materials/Gold.mat', `guid:${gold}`].map(asset => ['material', {$asset: asset}, {
        type: 'UnityEngine.Material', value: 'Gold (Material)', is_asset_ref: true,
        asset_path: 'Assets/Materials/Gold.mat',
    }, [`  material: {fileID: 2100000, guid: ${guidOf('Assets/Materials/Alert.mat')}, type: 2}`],
    [`  material: {fileID: 2100000, guid: ${gold}, type: 2}`]]),
    ['numbers', [7, -1], wrap('System.Int32[]', [7, -1]),
        ['  numbers: 64000000c80000002c010000'], ['  numbers: 07000000ffffffff']],
    ['numbers', [], wrap('System.Int32[]', []), ['  numbers: 64000000c80000002c010000'], ['  numbers: ']],
    ['bytes', [9, 10], wrap('System.Byte[]', [9, 10]), ['  bytes: 0102ff'], ['  bytes: 090a']],
    ['toggles', [false, true], wrap('System.Collections.Generic.List<System.Boolean>', [false, true]),
        ['  toggles: 010001'], ['  toggles: 0001']],
    ['sizes', ['Large', 'Small', 2], wrap('MyGame.Size[]', [{value: 'Large'}, {value: 'Small'}, {value: 'Medium'}]),
        ['  sizes: 0104'], ['  sizes: 040102']],
    ['factors', [0.5, 1, 3], wrap('System.Collections.Generic.List<System.Single>', [0.5, 1, 3]),
        ['  - 2.25'], ['  - 3']],
    ['words', ['one', '', 'three: 3', 'four'], wrap('System.String[]', ['one', '', 'three: 3', 'four']),
        [], ['  - four']],
    ['points', [{x: 0, y: 0, z: 0}], wrap('System.Collections.Generic.List<UnityEngine.Vector3>',
        [{value: {x: 0, y: 0, z: 0}}]), ['  - {x: 1, y: 2, z: 3}'], []],
    ['targets', [{$ref: '/Table'}, {$ref: '/Turret', component: 'Transform'}],
        wrap('System.Collections.Generic.List<UnityEngine.Transform>', [
            {value: 'Table (Transform)', is_object_ref: true, ref_path: '/Table'},
            {value: 'Turret (Transform)', is_object_ref: true, ref_path: '/Turret'},
        ]), ['  - {fileID: 0}'], [`  - {fileID: ${idOf('Turret', 0)}}`]],
    ['loot', [{id: 'coin', amount: 3, rarity: 'Common'}], wrap('System.Collections.Generic.List<MyGame.Loot>',
        [{value: {id: 'coin', amount: 3, rarity: wrap('MyGame.Rarity', 'Common')}}]),
    ['  - id: gem', '    amount: 1', '    rarity: 2'], []],
    ['best', {amount: 4}, wrap('MyGame.Loot', {id: 'crown', amount: 4, rarity: wrap('MyGame.Rarity', 'Unique')}),
        ['    amount: 1'], ['    amount: 4']],
    ['Lives', 5, 5, ['  <Lives>k__BackingField: 3'], ['  <Lives>k__BackingField: 5']],
    ['species', 4, 4, ['  species: 3'], ['  species: 4']], // of the base class
    ['more', 10, 10, ['  more: 9'], ['  more: 10']], // of the other half of the partial class
    ['m_Enabled', false, false, ['  m_Enabled: 1'], ['  m_Enabled: 0']],
    ['fade', {keys: [{time: 0, value: 0, inTangent: 0, outTangent: 1}, {time: 2, value: 1, inTangent: 1, outTangent: 0}]},
        unity('AnimationCurve', {keyCount: 2, timeRange: [0, 2]}), ['      time: 1'], ['      time: 2']],
    ['ramp', {
        colorKeys: [{color: {r: 1, g: 0, b: 0, a: 1}, time: 0}, {color: {r: 0, g: 0, b: 1, a: 1}, time: 0.2}],
        alphaKeys: [{alpha: 1, time: 0}, {alpha: 1, time: 1}],
    }, unity('Gradient', {colorKeyCount: 2, alphaKeyCount: 2, mode: 'Blend'}),
    ['    ctime1: 65535'], ['    ctime1: 13107']],
];

eachEditor('a value of every kind is written, read back, and undone', async (t, editor) => {
    const {client, disk, project} = await openShared(t, {editor, scene: SCENE});
    for (const [field, input, shown, removed, added] of KINDS)
        await t.test(`${field} = ${JSON.stringify(input)}`, () => client.undoAfter(async () => {
            const answer = await client.update('/Zoo', 2, {[field]: input});
            assert.deepEqual([answer.fields_set, answer.fields_skipped], [[field], []]);
            const {fields} = await client.info('/Zoo', 2, {fields: [field]});
            assert.deepEqual(fields, {[field]: shown});
            disk.changed(SCENE, {removed, added});
            await disk.shows(SCENE, '/Zoo', 2, {[field]: shown});
            const undone = await client.undo();
            assert.equal(undone.undone[0].tool, 'manage_component');
            await disk.isOriginal(SCENE);
        }));

    await t.test('an equal value changes nothing', () => client.undoAfter(async () => {
        const answer = await client.update('/Zoo', 2, {real: 1.5, position: {x: 1, y: 2, z: 3}, numbers: [100, 200, 300]});
        assert.deepEqual(answer.fields_set, ['real', 'position', 'numbers']);
        await disk.isOriginal(SCENE);
    }));

    await t.test('a text of several lines', () => client.undoAfter(async () => {
        const words = 'one\ntwo: three\n\n  four';
        await client.update('/Zoo', 2, {note: words});
        await disk.shows(SCENE, '/Zoo', 2, {note: words});
        assert.equal((await client.info('/Zoo', 2, {fields: ['note']})).fields.note, words);
        await client.undo();
        await disk.isOriginal(SCENE);
    }));

    await t.test('a long text is folded as Unity folds it', () => client.undoAfter(async () => {
        const words = `${'word '.repeat(40)}end`;
        await client.update('/Zoo', 2, {text: words});
        disk.check(() => {
            const {added} = project.diff(FILE);
            assert.ok(added.length > 1 && added.slice(1).every(line => line.startsWith('    word')), added.join('\n'));
            assert.ok(added.slice(0, -1).every(line => line.length > 80), added.join('\n'));
        });
        assert.equal((await client.info('/Zoo', 2, {fields: ['text']})).fields.text, words);
        await client.undo();
        await disk.isOriginal(SCENE);
    }));

    await t.test('a nested class can also be changed by a path of names', () => client.undoAfter(async () => {
        await client.update('/Zoo', 2, {chest: {label: 'new', lock: {code: 99}}, 'best.amount': 2});
        disk.changed(SCENE, {
            removed: ['    amount: 1', '    label: old chest', '      code: 1234'],
            added: ['    amount: 2', '    label: new', '      code: 99'],
        });
        const {chest} = (await client.info('/Zoo', 2, {fields: ['chest']})).fields;
        assert.equal(chest.type, 'MyGame.FieldZoo+Chest');
        assertContains(chest.value, {label: 'new', lock: {type: 'MyGame.FieldZoo+Lock', value: {code: 99}}});
        assert.equal(chest.value.lock.value.key.value.teeth, '...'); // four levels deep
        await client.undo();
        await disk.isOriginal(SCENE);
    }));

    await t.test('several fields are one undo step', () => client.undoAfter(async () => {
        await client.update('/Zoo', 2, Object.fromEntries(KINDS.map(([field, input]) => [field, input])));
        for (const [field, , shown] of new Map(KINDS.map(kind => [kind[0], kind])).values())
            assert.deepEqual((await client.info('/Zoo', 2, {fields: [field]})).fields, {[field]: shown});
        await client.undo();
        await disk.isOriginal(SCENE);
        assert.equal(ok(await client.call('redo')).undone.length, 1);
        await client.undo();
        await disk.isOriginal(SCENE);
    }));
});

eachEditor('only serialized fields are shown', async (t, editor) => {
    const {client, disk, project} = await openShared(t, {editor, scene: SCENE});
    const {fields} = await client.info('/Zoo', 2);
    for (const name of ['forgotten', 'forgottenToo', 'Limit', 'Shared', 'Fixed', 'alsoFixed', 'secret', 'within',
        'inherited', 'lookup', 'grid', 'jagged', 'nested', 'perhaps', 'anything', 'callback', 'Opened', 'plain', 'day',
        'onlyInPlayer', 'neverThere', 'Score', 'Doubled', 'unseen', 'notAField', 'references'])
        assert.ok(!(name in fields), name);
    // not in the file yet: their initialisers
    assertContains(fields, {onlyInEditor: 'seen by the editor', sinceThisVersion: 2022, hidden: 7, start: 0});
    // base class first, then the order of the declarations
    assert.deepEqual(Object.keys(fields).slice(0, 4), ['m_Enabled', 'species', 'flag', 'small']);
    assert.equal(fields.move.type, 'MyGame.WalkMove');
    assertContains(fields.move.value, {speed: 2.5});
    assertContains((await client.info('/Holder', 1)).fields, {
        held: unity('Vector3', {x: 1, y: 2, z: 3}),
        spares: wrap('System.Collections.Generic.List<UnityEngine.Vector3>', [{value: {x: 4, y: 5, z: 6}}]),
        label: 'a generic base class',
    });
    await client.update('/Zoo', 2, {sinceThisVersion: 2023});
    disk.check(() => {
        const {removed, added} = project.diff(FILE);
        assert.deepEqual([removed, added.at(-1)], [[], '  sinceThisVersion: 2023']);
    });
    await disk.shows(SCENE, '/Zoo', 2, {sinceThisVersion: 2023});
    await client.undo();
    await disk.isOriginal(SCENE);
});

eachEditor('fields of built-in components', async (t, editor) => {
    const {client, disk, project} = await openShared(t, {editor, scene: SCENE});
    const CASES = [
        ['/Table', 0, {localPosition: {x: 1, y: 0, z: 0}}, ['  m_LocalPosition: {x: 1, y: 0, z: 0}']],
        ['/Table', 0, {m_LocalScale: {x: 2, y: 2, z: 1}}, ['  m_LocalScale: {x: 2, y: 2, z: 1}']],
        ['/Table', 2, {materials: [{$asset: 'Assets/Materials/Gold.mat'}]},
            [`  - {fileID: 2100000, guid: ${gold}, type: 2}`]],
        ['/Table', 3, {isTrigger: true}, ['  m_IsTrigger: 1']],
        ['/Table', 3, {m_Enabled: false}, ['  m_Enabled: 0']],
        ['/Table', 4, {volume: 0.25}, ['  m_Volume: 0.25']],
        ['/Sun', 1, {color: {r: 1, g: 1, b: 1, a: 1}}, ['  m_Color: {r: 1, g: 1, b: 1, a: 1}']],
        ['/Sun', 1, {'shadows.strength': 0.5}, ['    m_Strength: 0.5']],
        ['/Sun', 1, {cullingMask: 5}, ['    m_Bits: 5']],
        ['/Turret', 1, {constraints: 'FreezeRotationX'}, ['  m_Constraints: 16']],
        ['/Turret', 1, {mass: 0.001}, ['  m_Mass: 0.001']],
        ['/Main Camera', 1, {'field of view': 45}, ['  field of view: 45']],
    ];
    for (const [path, index, fields, added] of CASES)
        await t.test(`${path} ${index} ${JSON.stringify(fields)}`, () => client.undoAfter(async () => {
            assert.deepEqual((await client.update(path, index, fields)).fields_set, Object.keys(fields));
            disk.check(() => {
                const diff = project.diff(FILE);
                assert.deepEqual(diff.added, added);
                assert.equal(diff.removed.length, added.length);
            });
            await disk.shows(SCENE, path, index,
                (await client.info(path, index, {fields: Object.keys(fields)})).fields);
            await client.undo();
            await disk.isOriginal(SCENE);
        }));
});

eachEditor('arrays are shown up to the requested length', async (t, editor) => {
    const {client, disk} = await openShared(t, {editor, scene: SCENE});
    const get = async max_array_elements =>
        (await client.info('/Zoo', 2, {fields: ['factors', 'numbers', 'nothing'], max_array_elements})).fields;
    const floats = 'System.Collections.Generic.List<System.Single>';
    assert.deepEqual(await get(2), {
        factors: {type: floats, value: [0.5, 1], _truncated: true, _total_count: 3},
        numbers: {type: 'System.Int32[]', value: [100, 200], _truncated: true, _total_count: 3},
    });
    assert.deepEqual(await get(0), {
        factors: {type: floats, _total_count: 3}, numbers: {type: 'System.Int32[]', _total_count: 3},
    });
    assert.deepEqual((await get(3)).factors, {type: floats, value: [0.5, 1, 2.25]});
});

// Components that most projects use, with the keys that 2022.3 writes for them after m_GameObject.
const NEW = {
    Rigidbody: 'm_Mass m_Drag m_AngularDrag m_CenterOfMass m_InertiaTensor m_InertiaRotation m_IncludeLayers ' +
        'm_ExcludeLayers m_ImplicitCom m_ImplicitTensor m_UseGravity m_IsKinematic m_Interpolate m_Constraints m_CollisionDetection',
    SphereCollider: 'm_Material m_IncludeLayers m_ExcludeLayers m_LayerOverridePriority m_IsTrigger m_ProvidesContacts ' +
        'm_Enabled m_Radius m_Center',
    AudioListener: 'm_Enabled',
    EnemyChaser: 'm_Enabled m_EditorHideFlags m_Script m_Name m_EditorClassIdentifier chaseSpeed maxSpeed isActive ' +
        'playerName target spawnPoint alertMaterial mode waypoints stats',
};

function isNewDocument(project, names) {
    const {removed, added} = project.diff(FILE);
    assert.deepEqual(removed, []);
    const [entry] = added.filter(line => line.startsWith('  - component: '));
    const id = entry.match(/\d+/)[0];
    const now = documents(project.read(FILE)), made = now.filter(d => d.id === id);
    assert.equal(made.length, 1);
    assert.equal(added.length, 1 + 1 + made[0].lines.length);
    assert.deepEqual(keys(made[0]), ['m_ObjectHideFlags', 'm_CorrespondingSourceObject', 'm_PrefabInstance',
        'm_PrefabAsset', 'm_GameObject', ...names]);
    assert.ok(made[0].lines.includes(`  m_GameObject: {fileID: ${idOf('Table')}}`));
    // documents of a scene are sorted by id
    const ids = now.map(d => BigInt(d.id));
    assert.ok(ids.every((n, i) => i === 0 || ids[i - 1] < n), 'sorted');
}

eachEditor('a new component is a new document and one line', async (t, editor) => {
    const {client, disk, project} = await openShared(t, {editor, scene: SCENE});
    for (const [type, names] of Object.entries(NEW))
        await t.test(type, () => client.undoAfter(async () => {
            const {index} = await client.add('/Table', type);
            assert.equal(index, 6);
            disk.check(() => isNewDocument(project, names.split(' ')));
            await disk.shows(SCENE, '/Table', index, (await client.info('/Table', index)).fields);
            await client.undo();
            await disk.isOriginal(SCENE);
        }));

    await t.test('with the values of its initialisers', () => client.undoAfter(async () => {
        await client.add('/Table', 'EnemyChaser');
        assertContains((await client.info('/Table', 6)).fields, {
            m_Enabled: true, chaseSpeed: 3.5, maxSpeed: 20, isActive: true, playerName: 'Hero', target: null,
            mode: wrap('MyGame.ChaseMode', 'Chase'), waypoints: wrap('UnityEngine.Transform[]', []),
        });
        await client.undo();
    }));

    await t.test('[RequireComponent] types are added before it, in the same step', () => client.undoAfter(async () => {
        const answer = await client.add('/Holder', 'Cannon', {fields: {rounds: 3}});
        assert.deepEqual([...answer.also_added].sort(),
            ['UnityEngine.AudioSource', 'UnityEngine.Rigidbody', 'UnityEngine.SphereCollider']);
        assert.equal(answer.index, 5);
        const components = await client.components('/Holder');
        assert.equal(components.at(-1), 'MyGame.Cannon');
        assert.equal(components.length, 6);
        assertContains((await client.info('/Holder', 5)).fields, {range: 10, barrel: null, rounds: 3});
        await client.undo();
        await disk.isOriginal(SCENE);
    }));
});

eachEditor('a component is removed with its document and every reference to it', async (t, editor) => {
    const {client, disk, project} = await openShared(t, {editor, scene: SCENE});
    const id = idOf('Table', 4), were = await client.components('/Table');
    await client.remove('/Table', 4);
    assert.deepEqual(await client.components('/Table'), were.toSpliced(4, 1));
    disk.check(() => {
        const {removed, added} = project.diff(FILE);
        assert.deepEqual(added, []);
        const gone = documents(text).find(d => d.id === id);
        assert.equal(removed.length, 2 + gone.lines.length);
        assert.ok(removed.includes(`  - component: {fileID: ${id}}`));
    });
    await client.undo();
    await disk.isOriginal(SCENE);
});

eachEditor('moving a component moves one line', async (t, editor) => {
    const {client, disk, project} = await openShared(t, {editor, scene: SCENE});
    ok(await client.manage({action: 'move', game_object_path: '/Table', index: 4, new_index: 1}));
    const line = `  - component: {fileID: ${idOf('Table', 4)}}`;
    disk.changed(SCENE, {removed: [line], added: [line]});
    ok(await client.manage({action: 'move', game_object_path: '/Table', index: 1, new_index: 4}));
    await disk.isOriginal(SCENE);
    const same = ok(await client.manage({action: 'move', game_object_path: '/Table', index: 2, new_index: 2}));
    assert.deepEqual([same.index, same.previous_index], [2, 2]);
    await disk.isOriginal(SCENE);
    const first = {action: 'move', game_object_path: '/Table', index: 2, new_index: 0};
    refused(await client.manage(first), 'ERR_INVALID_PARAMS');
});

eachEditor('paths may have repeated names, slashes and non-ASCII characters', async (t, editor) => {
    const {client, disk} = await openShared(t, {editor, scene: SCENE});
    const {root_game_objects} = await client.hierarchy();
    const children = name => root_game_objects.find(node => node.name === name).children.map(node => node.path);
    assert.deepEqual(children('Twins'), ['/Twins/Twin', '/Twins/Twin[1]', '/Twins/Twin[2]']);
    assert.deepEqual(children('Names'),
        ['/Names/in\\/out', '/Names/caf\u00e9', '/Names/Rock: big', '/Names/No', '/Names/Button #2']);
    for (const node of root_game_objects.flatMap(root => root.children))
        assert.equal((await client.info(node.path, 0)).game_object_name, node.name);
    assert.equal((await client.components('/Twins/Twin[1]')).length, 2);
    const off = root_game_objects.find(node => node.name === 'Switched off');
    assert.deepEqual([off.active, off.children[0].active], [false, true]);
    const ghost = root_game_objects.find(node => node.name === 'Ghost');
    assert.deepEqual(ghost.components, ['UnityEngine.Transform', null, 'UnityEngine.BoxCollider']);
});

eachEditor('the hierarchy is cut at the requested limits', async (t, editor) => {
    const {client, disk} = await openShared(t, {editor, scene: SCENE});
    const whole = await client.hierarchy();
    assert.deepEqual([whole.total_game_objects, whole.returned_game_objects, whole.truncated], [26, 26, false]);
    const flat = await client.hierarchy({max_depth: 0});
    assert.deepEqual([flat.total_game_objects, flat.returned_game_objects, flat.truncated], [26, 12, true]);
    assert.deepEqual(flat.root_game_objects.map(node => node.children),
        whole.root_game_objects.map(node => node.children.length ? '...' : []));
    const some = await client.hierarchy({max_game_objects: 14});
    // 12 roots, then the first children
    assert.deepEqual([some.returned_game_objects, some.truncated], [14, true]);
    assert.equal(some.root_game_objects.length, 12);
    const twins = some.root_game_objects.find(node => node.name === 'Twins');
    assert.ok(Array.isArray(twins.children) ? twins.children.length === 2 : twins.children === '...');
    const deep = await client.hierarchy({root_path: 'Level1/Level2', max_depth: 2});
    assert.equal(deep.total_game_objects, 5);
    assert.equal(deep.root_game_objects[0].path, '/Level1/Level2');
    assert.equal(deep.root_game_objects[0].children[0].children[0].children, '...');
});

test('a new script writes its class name where the project\'s version does', async t => {
    for (const [version, words] of [['6000.2.9f1', ''], ['6000.3.2f1', 'MyGame::MyGame.EnemyChaser']]) {
        const project = copySample(t), file = scenePath('GameScene');
        project.write('ProjectSettings/ProjectVersion.txt', `m_EditorVersion: ${version}\n`);
        const {client} = await openProject(t, {project});
        ok(await client.call('manage_component',
            {action: 'add', game_object_path: '/Enemy', component_type: 'EnemyChaser'}));
        assert.ok(project.diff(file).added.includes(`  m_EditorClassIdentifier: ${words}`), version);
    }
});
