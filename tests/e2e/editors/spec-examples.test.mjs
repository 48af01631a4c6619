// The examples of the document on scene editing (its section 6), in its order, through MCP.
//
// Each example names its initial state. 6.1 to 6.3 are one workflow on GameScene, which has exactly
// the six objects of 6.1; the others return to their state with `undo`, or repeat 6.3. 6.8 uses
// Waypoints, which the scene of 6.1 lacks: PatrolScene is the same scene with them, and with an
// EnemyChaser on Player at index 3. Results are compared field by field with the document; where it
// shows only some fields, only those are compared.
import assert from 'node:assert/strict';

import {ok} from '../fixtures/bridge.mjs';
import {eachEditor, assertContains, openProject} from '../fixtures/unity.mjs';

const T = 'UnityEngine.Transform', GAME = 'Assets/Scenes/GameScene.unity';
const node = (path, components, children = []) =>
    ({name: path.split('/').at(-1), path, active: true, components, children});
const HIERARCHY = {
    scene_name: 'GameScene', scene_path: GAME,
    root_game_objects: [
        node('/Main Camera', [T, 'UnityEngine.Camera', 'UnityEngine.AudioListener']),
        node('/Player', [T, 'UnityEngine.Rigidbody', 'UnityEngine.CapsuleCollider'],
            [node('/Player/Model', [T, 'UnityEngine.MeshRenderer', 'UnityEngine.MeshFilter'])]),
        node('/Enemy', [T, 'UnityEngine.Rigidbody']),
        node('/SpawnPoints', [T], [node('/SpawnPoints/Point1', [T])]),
    ],
    total_game_objects: 6, truncated: false,
};
const ATTACH = {
    action: 'add', game_object_path: '/Player', component_type: 'EnemyChaser',
    fields: {
        chaseSpeed: 5.0,
        target: {$ref: '/Enemy'},
        spawnPoint: {$ref: '/SpawnPoints/Point1', component: 'Transform'},
        alertMaterial: {$asset: 'Assets/Materials/Alert.mat'},
    },
};
const PLAYER = {game_object_path: '/Player', game_object_name: 'Player'};
const ATTACHED = {
    action: 'add', ...PLAYER, component_type: 'MyGame.EnemyChaser', index: 3,
    fields_set: ['chaseSpeed', 'target', 'spawnPoint', 'alertMaterial'], fields_skipped: [],
};
const simple = names => names.map(name => name.split('.').at(-1));

eachEditor('the examples of the document work, in its order', async (t, editor) => {
    const {client, disk} = await openProject(t, {editor});
    const manage = async args => ok(await client.manage(args));
    const has = async (...names) => assert.deepEqual(simple(await client.components('/Player')), names);
    const initial = () => has('Transform', 'Rigidbody', 'CapsuleCollider');

    await t.test('6.1 the whole scene', async () => {
        const {returned_game_objects, ...answer} = await client.hierarchy();
        assert.deepEqual(answer, HIERARCHY);
        assert.equal(returned_game_objects, 6);
    });

    await t.test('6.2 a component in detail', async () => {
        const {fields, ...answer} = await client.info('/Player', 1);
        assert.deepEqual(answer, {...PLAYER, index: 1, component_type: 'UnityEngine.Rigidbody'});
        assertContains(fields, {mass: 1.0, drag: 0.0, angularDrag: 0.05, useGravity: true, isKinematic: false});
    });

    await t.test('6.3 a script is attached, its fields are set', async () => {
        assert.deepEqual(await manage(ATTACH), ATTACHED);
        await has('Transform', 'Rigidbody', 'CapsuleCollider', 'EnemyChaser');
    });

    await t.test('6.4 fields are updated, after 6.3', async () => {
        assert.deepEqual(await client.update('/Player', 1, {mass: 2.5, useGravity: false}), {
            action: 'update', ...PLAYER, component_type: 'UnityEngine.Rigidbody', index: 1,
            fields_set: ['mass', 'useGravity'], fields_skipped: [],
        });
        assertContains((await client.info('/Player', 1)).fields, {mass: 2.5, useGravity: false, drag: 0});
        await client.undo(2);
        await initial();
        await disk.isOriginal('GameScene');
    });

    await t.test('6.5 a component is removed, from the initial state', async () => {
        assert.deepEqual(await client.remove('/Player', 2),
            {action: 'remove', ...PLAYER, component_type: 'UnityEngine.CapsuleCollider', index: 2});
        await has('Transform', 'Rigidbody');
        await client.undo();
        await disk.isOriginal('GameScene');
    });

    await t.test('6.6 a component is moved, after 6.3', async () => {
        assert.deepEqual(await manage(ATTACH), ATTACHED);
        assert.deepEqual(await manage({action: 'move', game_object_path: '/Player', index: 1, new_index: 3}), {
            action: 'move', ...PLAYER, component_type: 'UnityEngine.Rigidbody', index: 3, previous_index: 1,
        });
        await has('Transform', 'CapsuleCollider', 'EnemyChaser', 'Rigidbody');
        await client.undo(2);
        await disk.isOriginal('GameScene');
    });

    await t.test('6.7 a second AudioSource goes to index 2, from the initial state and an AudioSource', async () => {
        assert.equal((await client.add('/Player', 'AudioSource')).index, 3);
        await has('Transform', 'Rigidbody', 'CapsuleCollider', 'AudioSource');
        assert.deepEqual(await client.add('/Player', 'UnityEngine.AudioSource',
            {index: 2, fields: {volume: 0.5, loop: true}}), {
            action: 'add', ...PLAYER, component_type: 'UnityEngine.AudioSource', index: 2,
            fields_set: ['volume', 'loop'], fields_skipped: [],
        });
        await has('Transform', 'Rigidbody', 'AudioSource', 'CapsuleCollider', 'AudioSource');
        assertContains((await client.info('/Player', 2)).fields, {volume: 0.5, loop: true});
        assertContains((await client.info('/Player', 4)).fields, {volume: 1, loop: false});
        await client.undo(2);
        await disk.isOriginal('GameScene');
    });

    await t.test('6.8 arrays and [Serializable], from the initial state and an EnemyChaser', async () => {
        await client.openScene('PatrolScene', {discard_changes: true});
        await has('Transform', 'Rigidbody', 'CapsuleCollider', 'EnemyChaser');
        const point = name => ({value: `${name} (Transform)`, is_object_ref: true, ref_path: `/Waypoints/${name}`});
        const names = ['WP1', 'WP2', 'WP3'];
        assert.deepEqual(await client.update('/Player', 3, {
            waypoints: names.map(name => ({$ref: `/Waypoints/${name}`, component: 'Transform'})),
            stats: {hp: 150, attackPower: 20.0, element: 'Ice'},
        }), {
            action: 'update', ...PLAYER, component_type: 'MyGame.EnemyChaser', index: 3,
            fields_set: ['waypoints', 'stats'], fields_skipped: [],
        });
        const {fields, ...answer} = await client.info('/Player', 3);
        assert.deepEqual(answer, {...PLAYER, index: 3, component_type: 'MyGame.EnemyChaser'});
        assert.equal(fields.chaseSpeed, 5.0);
        assert.deepEqual(fields.waypoints, {type: 'UnityEngine.Transform[]', value: names.map(point)});
        assert.deepEqual(fields.stats, {
            type: 'MyGame.EnemyStats',
            value: {hp: 150, attackPower: 20.0, element: {type: 'MyGame.ElementType', value: 'Ice'}},
        });
    });

    await t.test('6.9 what was set is shown, after 6.3', async () => {
        await client.openScene('GameScene', {discard_changes: true});
        assert.deepEqual(await manage(ATTACH), ATTACHED);
        const {fields, ...answer} = await client.info('/Player', 3);
        assert.deepEqual(answer, {...PLAYER, index: 3, component_type: 'MyGame.EnemyChaser'});
        assert.equal(fields.chaseSpeed, 5.0);
        assert.deepEqual(fields.target,
            {type: 'UnityEngine.GameObject', value: 'Enemy', is_object_ref: true, ref_path: '/Enemy'});
        assert.deepEqual(fields.spawnPoint, {
            type: 'UnityEngine.Transform', value: 'Point1 (Transform)', is_object_ref: true,
            ref_path: '/SpawnPoints/Point1',
        });
        assert.deepEqual(fields.alertMaterial, {
            type: 'UnityEngine.Material', value: 'Alert (Material)', is_asset_ref: true,
            asset_path: 'Assets/Materials/Alert.mat',
        });
    });

    await t.test('a component that has everything is shown as in the document (4.2)', async () => {
        await client.openScene('PatrolScene', {discard_changes: true});
        const {fields} = await client.info('/Player', 3);
        assertContains(fields, {
            m_Enabled: true, chaseSpeed: 5, maxSpeed: 20, isActive: true, playerName: 'Hero',
            mode: {type: 'MyGame.ChaseMode', value: 'Chase'},
        });
        for (const name of ['m_Script', 'm_ObjectHideFlags', 'm_EditorHideFlags', 'm_EditorClassIdentifier', 'm_Name'])
            assert.ok(!(name in fields), name);
    });
});
