// Features of a live editor: play mode, domain reloads, unsaved changes, a user at the keyboard,
// other editors. The package runs in the stand-in editor under mono.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {test} from 'node:test';

import {sceneOf} from '../../editors/scene-of.mjs';
import {fails, ok, start} from '../fixtures/bridge.mjs';
import {until} from '../fixtures/program.mjs';
import {addAssets, openPackage, startEditor} from '../fixtures/package.mjs';
import {copySample, openProject, refused, scenePath} from '../fixtures/unity.mjs';

const open = (t, more = {}) => openProject(t, {editor: 'package', ...more});
const mass = async client => (await client.info('/Player', 1)).fields.mass;
const play = async (client, action) => ok(await client.call('control_play_mode', {action}));
const lines = async (client, message_pattern) =>
    ok(await client.call('read_console', {message_pattern, max_entries: 50, deduplicate: false})).entries;

test('play mode starts, pauses, resumes and stops, and each response comes after the change',
    async t => {
    const {client} = await open(t);
    const are = async (is_playing, is_paused) => {
        const state = await until(() => client.state(), `is_playing ${is_playing}, is_paused ${is_paused}`,
            {is: now => now.is_playing === is_playing && now.is_paused === is_paused});
        assert.equal(state.connected, true);
    };
    assert.deepEqual(await play(client, 'start'), {action: 'start', is_playing: true, is_paused: false});
    await are(true, false);
    assert.deepEqual(await play(client, 'start'), {action: 'start', is_playing: true, is_paused: false});
    assert.deepEqual(await play(client, 'pause'), {action: 'pause', is_playing: true, is_paused: true});
    await are(true, true);
    assert.deepEqual(await play(client, 'start'), {action: 'start', is_playing: true, is_paused: false});
    assert.deepEqual(await play(client, 'stop'), {action: 'stop', is_playing: false, is_paused: false});
    await are(false, false);
    assert.deepEqual(await play(client, 'stop'), {action: 'stop', is_playing: false, is_paused: false});
});

test('in play mode edits are refused with advice, and reading works', async t => {
    const {client} = await open(t);
    const {returned_game_objects} = await client.hierarchy();
    await play(client, 'start');
    const EDITS = [
        ['manage_component', {action: 'update', game_object_path: '/Player', index: 1, fields: {mass: 5}}],
        ['manage_component', {action: 'add', game_object_path: '/Player', component_type: 'BoxCollider'}],
        ['manage_component', {action: 'remove', game_object_path: '/Player', index: 1}],
        ['manage_component', {action: 'move', game_object_path: '/Player', index: 1, new_index: 2}],
        ['undo', {}], ['redo', {}], ['save_scene', {}], ['open_scene', {path: scenePath('PatrolScene')}],
    ];
    for (const [tool, args] of EDITS)
        await t.test(`${tool} ${args.action ?? ''}`, async () => {
            const error = refused(await client.call(tool, args), 'ERR_PLAY_MODE_ACTIVE');
            assert.match(error.details.message, /control_play_mode/);
        });
    assert.equal((await client.hierarchy()).returned_game_objects, returned_game_objects);
    assert.equal(await mass(client), 1);
    await play(client, 'stop');
    await client.update('/Player', 1, {mass: 5});
    assert.equal(await mass(client), 5);
});

test('unsaved changes, history, console and connection survive a domain reload', async t => {
    const {client, unity} = await open(t);
    await client.update('/Player', 1, {mass: 5});
    await client.add('/Enemy', 'BoxCollider');
    await unity.command('log', {type: 'warning', message: 'before the reload'});
    const {cursor} = ok(await client.call('read_console', {max_entries: 0}));
    const {connected_ms} = await client.state();
    await unity.reload();
    const state = await client.state();
    assert.ok(state.connected_ms <= connected_ms || state.connected_ms < 60_000);
    assert.equal(await mass(client), 5);
    assert.deepEqual((await client.components('/Enemy')).at(-1), 'UnityEngine.BoxCollider');
    assert.equal((await lines(client, 'before the reload')).length, 1);
    await unity.command('log', {type: 'log', message: 'after the reload'});
    const {entries} = ok(await client.call('read_console', {since: cursor}));
    assert.deepEqual(entries.map(({message}) => message), ['after the reload']);
    const undone = await client.undo(2);
    assert.deepEqual(undone.undone.map(({tool}) => tool), ['manage_component', 'manage_component']);
    assert.equal(await mass(client), 1);
    assert.equal(ok(await client.call('redo', {steps: 2})).undone.length, 2);
    assert.equal(await mass(client), 5);
});

test('calls that arrive during a reload or a compilation are answered after it', async t => {
    const {client, unity} = await open(t);
    for (const [cmd, more] of [['reload', {}], ['compile', {ms: 300}]]) {
        const back = unity.domain();
        await unity.command(cmd, more);
        const calls = Array.from({length: 10}, (_, i) => client.update('/Player', 1, {mass: i + 2}));
        for (const answer of await Promise.all(calls))
            assert.deepEqual(answer.fields_set, ['mass']);
        await back;
        assert.equal(await mass(client), 11);
    }
});

test('unsaved changes cause no dialog, but an error with what to do', async t => {
    const {client, project, unity} = await open(t);
    await client.update('/Player', 1, {mass: 5});
    await until(() => client.state(), 'a changed scene', {is: now => now.scene_dirty === true});
    const error = refused(await client.call('open_scene', {path: scenePath('PatrolScene')}),
        'ERR_UNSAVED_CHANGES');
    assert.match(error.details.message, /GameScene/);
    assert.match(error.details.message, /save_scene/);
    assert.match(error.details.message, /discard_changes/);
    assert.equal(await mass(client), 5);
    project.isOriginal('GameScene');
    const saved = ok(await client.call('save_scene'));
    assert.deepEqual([saved.scene_path, saved.saved], [scenePath('GameScene'), true]);
    assert.equal(saved.bytes, Buffer.byteLength(project.read(scenePath('GameScene'))));
    assert.deepEqual(ok(await client.call('save_scene')), {scene_path: scenePath('GameScene'),
        saved: false, bytes: 0});
    await until(() => client.state(), 'an unchanged scene', {is: now => now.scene_dirty === false});
    await client.openScene('PatrolScene');
    await client.openScene('GameScene');
    assert.equal(await mass(client), 5);
    assert.equal((await unity.command('state')).dialogs, 0);
});

test('edits by the user are seen, and undone in their order', async t => {
    const {client, unity} = await open(t);
    await client.update('/Player', 1, {mass: 5});
    await unity.command('undo');
    assert.equal(await mass(client), 1);
    const {undone, remaining_redo} = ok(await client.call('redo'));
    assert.deepEqual([undone.length, remaining_redo], [1, 0]);
    assert.equal(await mass(client), 5);
    await client.undo();
    await unity.command('redo');
    assert.equal(await mass(client), 5);
});

test('a second editor logs one helpful message, and the first one stays', async t => {
    const {client, server, unity} = await open(t);
    const {tools} = await client.listTools();
    const other = await startEditor(t, copySample(t), {port: server.port});
    await other.domain();
    const messages = async () => (await other.command('console')).entries
        .filter(({message}) => /another (Unity )?editor/i.test(message));
    const [{type, message}] = await until(() => messages(), 'a line about the other editor', {is: list => list.length, from: other});
    assert.equal(type, 'Warning');
    assert.match(message, /port/i); // what to do about it
    await until(() => server.log.filter(line => /another editor/.test(JSON.stringify(line))).length,
        'several attempts of the second one', {is: n => n > 1, from: server});
    assert.equal((await messages()).length, 1);
    assert.equal((await client.state()).connected, true);
    assert.equal((await client.listTools()).tools.length, tools.length);
    await unity.reload();
    assert.equal(await mass(client), 1);
    assert.equal((await messages()).length, 1);
});

test('a live editor replaces the headless one until it disconnects', async t => {
    const project = copySample(t);
    const {server, client} = await start(t, {editor: false, stdio: true, args: ['--project', project.dir]});
    const kind = async () => (await client.state()).editor;
    assert.equal(await kind(), 'headless');
    const unity = await startEditor(t, project, {port: server.port});
    await unity.domain();
    await until(() => kind(), 'the live editor', {is: now => now === 'unity'});
    ok(await client.call('open_scene', {path: scenePath('GameScene'), discard_changes: true}));
    ok(await client.call('get_scene_hierarchy'));
    await unity.command('quit');
    await unity.exit;
    await until(() => kind(), 'the headless editor', {is: now => now === 'headless'});
    ok(await client.call('get_scene_hierarchy'));
});

test('the editor finds a server that starts later, or restarts', async t => {
    const project = copySample(t);
    const first = await start(t, {editor: false, stdio: true});
    const {port} = first.server;
    const unity = await openPackage(t, first.server, first.client, project);
    await first.client.close();
    await first.server.stop('SIGTERM');
    const second = await start(t, {editor: false, stdio: true, port});
    await until(() => second.client.state(), 'the editor at the second server', {is: now => now.connected, from: unity});
    ok(await second.client.call('list_scenes'));
    assert.equal(unity.child.exitCode, null);
});

test('a result that is too large is an error with advice, and the connection stays', async t => {
    const project = copySample(t);
    writeFileSync(project.at('Assets/Scenes/Large.unity'), sceneOf(8000));
    addAssets(project, null);
    const {client} = await open(t, {project, scene: 'Large'});
    const {connected_ms} = await client.state();
    const result = await client.call('get_scene_hierarchy', {max_game_objects: 10_000});
    const error = fails(result, 'ERR_UNITY_EXECUTION');
    assert.equal(error.details.plugin_error_code, 'ERR_RESPONSE_TOO_LARGE');
    assert.match(error.details.message, /max_game_objects|root_path|max_depth/);
    assert.equal((await client.hierarchy({max_game_objects: 500})).returned_game_objects, 500);
    assert.ok((await client.state()).connected_ms >= connected_ms);
});

test('an asset that Unity cannot import exists, but cannot be referenced', async t => {
    const project = copySample(t), path = 'Assets/Prefabs/Broken.prefab';
    writeFileSync(project.at(path), Buffer.alloc(64, 1));
    addAssets(project);
    const {client} = await open(t, {project, scene: 'WorkshopScene'});
    const {root_game_objects: [{path: target}]} = await client.hierarchy({max_depth: 0});
    await client.add(target, 'MeshFilter');
    const index = (await client.components(target)).indexOf('UnityEngine.MeshFilter');
    const error = refused(await client.manage({action: 'update', game_object_path: target, index,
        fields: {mesh: {$asset: path}}}), 'ERR_REFERENCE_NOT_FOUND');
    assert.match(error.details.message, /Unity could not import Assets\/Prefabs\/Broken\.prefab/);
});
