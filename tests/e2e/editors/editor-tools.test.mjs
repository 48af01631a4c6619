// The tools that are not about one scene: read_console, list_scenes, get_editor_state, and
// run_tests with a real process.
import assert from 'node:assert/strict';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {folder, ok} from '../fixtures/bridge.mjs';
import {until} from '../fixtures/program.mjs';
import {copySample, eachEditor, openProject, refused, sample, scenePath} from '../fixtures/unity.mjs';

const SCENES = ['ArenaScene', 'GameScene', 'MenuScene', 'PatrolScene', 'WorkshopScene'];
const console_ = async (client, args = {}) => ok(await client.call('read_console', args));

// ---- the editor

eachEditor('get_editor_state describes the editor', async (t, editor) => {
    const {client, project} = await openProject(t, {editor});
    await client.hierarchy();
    const state = ok(await client.call('get_editor_state'));
    const kind = editor === 'headless' ? 'headless' : 'unity';
    assert.deepEqual([state.editor, state.editor_state, state.connected], [kind, 'ready', true]);
    assert.deepEqual([state.is_playing, state.is_paused, state.scene_dirty], [false, false, false]);
    assert.match(state.unity_version, /^2022\.3\.\d+f1$/);
    assert.equal(path.basename(state.project_path), path.basename(project.dir));
    await until(() => client.state(), 'the open scene', {is: now => now.active_scene === scenePath('GameScene')});
});

eachEditor('tools/list has this editor\'s tools, and control_play_mode explains its refusal', async (t, editor) => {
    const {client} = await openProject(t, {editor});
    await client.hierarchy();
    const {tools} = await client.listTools();
    const names = tools.map(tool => tool.name);
    for (const name of ['get_scene_hierarchy', 'get_component_info', 'manage_component', 'read_console', 'list_scenes',
        'open_scene', 'save_scene', 'undo', 'redo', 'run_tests', 'get_editor_state', 'control_play_mode', 'find_assets',
        'find_component_types'])
        assert.ok(names.includes(name), name);
    if (editor === 'headless')
        refused(await client.call('control_play_mode', {action: 'start'}), 'ERR_UNSUPPORTED_HEADLESS');
    else
        assert.deepEqual(ok(await client.call('control_play_mode', {action: 'stop'})),
            {action: 'stop', is_playing: false, is_paused: false});
});

eachEditor('list_scenes is sorted by path, with build indexes', async (t, editor) => {
    const {client} = await openProject(t, {editor});
    const all = ok(await client.call('list_scenes'));
    assert.deepEqual(all.scenes.map(scene => scene.path), SCENES.map(scenePath));
    assert.deepEqual([all.count, all.total_count, all.truncated], [5, 5, false]);
    const of = name => all.scenes.find(scene => scene.path === scenePath(name));
    assert.deepEqual(of('GameScene'), {path: scenePath('GameScene'), active: true, in_build: true, build_index: 0});
    assert.deepEqual(of('WorkshopScene'), {path: scenePath('WorkshopScene'), active: false, in_build: false});
    const page = ok(await client.call('list_scenes', {max_results: 2, offset: 1}));
    assert.deepEqual(page.scenes.map(scene => scene.path), ['GameScene', 'MenuScene'].map(scenePath));
    assert.deepEqual([page.total_count, page.truncated, page.next_offset], [5, true, 3]);
    const some = ok(await client.call('list_scenes', {name_pattern: 'patrol|menu'}));
    assert.deepEqual(some.scenes.map(scene => scene.path), ['MenuScene', 'PatrolScene'].map(scenePath));
});

test('the scene at the start', async t => {
    const {client} = await openProject(t);
    // the first enabled scene of the build
    assert.equal((await client.hierarchy()).scene_path, scenePath('GameScene'));
    const project = copySample(t);
    project.write('ProjectSettings/EditorBuildSettings.asset',
        project.read('ProjectSettings/EditorBuildSettings.asset').replaceAll('enabled: 1', 'enabled: 0'));
    const second = await openProject(t, {project});
    // the first one by path
    assert.equal((await second.client.hierarchy()).scene_path, scenePath('ArenaScene'));
});

// ---- the console

test('read_console: a missing script is a warning with its object', async t => {
    const {client} = await openProject(t, {scene: 'WorkshopScene'});
    const {entries, type_summary} = await console_(client, {message_pattern: 'ghost', max_entries: 50});
    assert.equal(entries.length, 1, JSON.stringify(entries));
    assert.equal(entries[0].type, 'warning');
    assert.match(entries[0].message, /\/Ghost/);
    assert.equal(type_summary.warning, 1);
});

test('read_console: a broken reference is a warning with its line', async t => {
    const project = copySample(t), file = path.join(project.dir, scenePath('GameScene'));
    writeFileSync(file, readFileSync(file, 'utf8').replace('m_TargetTexture: {fileID: 0}', 'm_TargetTexture: {fileID: 12345}'));
    const {client} = await openProject(t, {project});
    const {entries} = await console_(client, {message_pattern: 'reference is broken'});
    assert.equal(entries.length, 1);
    assert.equal(entries[0].type, 'warning');
    assert.match(entries[0].message, /12345/);
    assert.ok(entries[0].line > 1);
    assert.equal((await console_(client, {message_pattern: 'reference is broken'})).entries.length, 1, 'reported once');
});

test('read_console lists edits, newest first, and those after a cursor', async t => {
    const {client} = await openProject(t);
    const {cursor} = await console_(client, {max_entries: 0});
    await client.update('/Player', 1, {mass: 2});
    await client.add('/Enemy', 'BoxCollider');
    const {entries, total_count} = await console_(client, {since: cursor, log_type: ['log'], max_entries: 10});
    assert.ok(total_count >= 2, JSON.stringify(entries));
    assert.match(entries[0].message, /\/Enemy/);
    assert.ok(entries.some(entry => /\/Player/.test(entry.message)), JSON.stringify(entries));
    for (const entry of entries)
        assert.ok(Math.abs(Date.parse(entry.time) - Date.now()) < 600_000, entry.time);
});

test('read_console: warnings for a C# syntax error, a duplicate .meta and a missing .meta', async t => {
    const project = copySample(t);
    project.write('Assets/Scripts/Broken.cs',
        'namespace MyGame { public class Broken : UnityEngine.MonoBehaviour { public int a = ; ) } }\n');
    project.write('Assets/Scripts/Broken.cs.meta',
        project.read('Assets/Scripts/Turret.cs.meta').replace(/guid: \w+/, 'guid: 00112233445566778899aabbccddeeff'));
    project.write('Assets/Materials/Copy.mat', project.read('Assets/Materials/Gold.mat'));
    project.write('Assets/Materials/Copy.mat.meta', project.read('Assets/Materials/Gold.mat.meta'));
    project.write('Assets/Materials/NoMeta.mat', project.read('Assets/Materials/Gold.mat'));
    const {client} = await openProject(t, {project});
    await client.add('/Enemy', 'Broken');
    const find = async message_pattern => (await console_(client, {message_pattern, max_entries: 50})).entries;
    assert.ok((await find('Broken\\.cs')).length >= 1);
    const twice = await find('(Copy|Gold)\\.mat');
    assert.ok(twice.some(entry => entry.type === 'warning'), JSON.stringify(twice));
    assert.ok((await find('NoMeta\\.mat')).length >= 1);
});

eachEditor('read_console: invalid arguments are refused', async (t, editor) => {
    const {client} = await openProject(t, {editor});
    const bad = await client.call('read_console', {message_pattern: '(open'});
    assert.equal(bad.isError, true);
    assert.match(JSON.stringify(bad.structuredContent), /ERR_INVALID_PARAMS/);
    const slow = await client.call('read_console', {message_pattern: '(a+)+(b+)+(a+)+$'});
    assert.ok(slow.isError === true || slow.structuredContent.count >= 0);
});

// ---- run_tests

/** A replacement for Unity: a node script that gets the path of the results as its first
 * argument. */
function runner(t, script) {
    const file = path.join(folder(t), 'runner.mjs');
    const head = "import {copyFileSync, writeFileSync} from 'node:fs';\nconst [, , results, platform, filter, project] = process.argv;\n";
    writeFileSync(file, head + script);
    return {tests: {command: [process.execPath, file, '{results}', '{platform}', '{filter}', '{project}']}};
}
const COPY = `copyFileSync(${JSON.stringify(path.join(sample, 'TestResults-sample.xml'))}, results);\n`;

test('run_tests runs a command that writes NUnit results', async t => {
    const log = path.join(folder(t), 'seen.json');
    const {client, project} = await openProject(t, {config: runner(t,
        `writeFileSync(${JSON.stringify(log)}, JSON.stringify({platform, filter, project}));\n${COPY}process.exit(2);`)});
    const {job_id, state} = ok(await client.call('run_tests', {filter: 'MyGame.Tests; rm -rf *'}));
    assert.match(state, /^(queued|running)$/);
    const status = await client.ended(job_id);
    assert.equal(status.state, 'succeeded', JSON.stringify(status));
    const {summary, failed_tests, skipped_tests, truncated} = status.result;
    const {duration_ms, ...counts} = summary;
    assert.deepEqual(counts, {total: 7, passed: 5, failed: 1, skipped: 1, inconclusive: 0});
    assert.ok(duration_ms >= 0);
    assert.equal(truncated, false);
    assert.deepEqual(skipped_tests, ['MyGame.Tests.EnemyStatsTests.HealingIsNoAttack']);
    assert.equal(failed_tests.length, 1);
    assert.equal(failed_tests[0].name, 'MyGame.Tests.EnemyStatsTests.StormHurtsFireTwice');
    assert.match(failed_tests[0].message, /storm puts fire out\s+Expected: 20\.0f\s+But was: {2}10\.0f/);
    assert.match(failed_tests[0].stack_trace, /EnemyStatsTests\.cs:32/);
    const seen = JSON.parse(readFileSync(log, 'utf8'));
    assert.equal(seen.platform, 'EditMode');
    assert.equal(seen.filter, 'MyGame.Tests; rm -rf *'); // one argument, no shell
    assert.equal(path.basename(seen.project), path.basename(project.dir));
});

test('run_tests with wait_ms returns the whole result', async t => {
    const {client} = await openProject(t, {config: runner(t, COPY)});
    const answer = ok(await client.call('run_tests', {wait_ms: 20_000}));
    assert.equal(answer.state, 'succeeded', JSON.stringify(answer));
    assert.equal(answer.result.summary.total, 7);
});

test('run_tests reports progress while it runs, and a cancel ends the process', async t => {
    const mark = path.join(folder(t), 'pid');
    const {client} = await openProject(t, {config: runner(t, `
        writeFileSync(${JSON.stringify(mark)}, String(process.pid));
        console.log('[1/3] MyGame.Tests.First');
        setInterval(() => {}, 1000);`)});
    const {job_id} = ok(await client.call('run_tests'));
    const status = await until(async () => {
        const now = await client.status(job_id);
        assert.equal(now.state, 'running', JSON.stringify(now));
        return now;
    }, 'progress', {is: now => now.progress?.current});
    assert.match(status.progress.current, /First/);
    assert.equal(status.progress.total, 3);
    await client.hierarchy(); // other calls go on meanwhile
    const pid = Number(readFileSync(mark, 'utf8'));
    assert.equal(ok(await client.call('cancel_job', {job_id})).status, 'cancel_requested');
    assert.equal((await client.ended(job_id)).state, 'cancelled');
    await until(() => !existsSync(`/proc/${pid}`), 'the end of the process');
});

test('run_tests reports what goes wrong', async t => {
    const CASES = [
        ['no results', 'process.exit(0);', /result/i],
        ['no XML', `writeFileSync(results, 'hello');`, /XML|NUnit|result/i],
        ['no test', `writeFileSync(results, '<test-run total="0" passed="0" failed="0" skipped="0" inconclusive="0"/>');`, /no test/i],
    ];
    for (const [name, script, pattern] of CASES)
        await t.test(name, async t => {
            const {client} = await openProject(t, {config: runner(t, script)});
            const status = ok(await client.call('run_tests', {wait_ms: 20_000}));
            assert.equal(status.state, 'failed', JSON.stringify(status));
            assert.match(status.error.details.message, pattern);
        });
    await t.test('a program that does not exist', async t => {
        const {client} = await openProject(t, {config: {tests: {command: ['/nowhere/unity', '{results}']}}});
        const result = await client.call('run_tests', {wait_ms: 20_000});
        const error = result.isError ? result.structuredContent : result.structuredContent.error;
        assert.match(JSON.stringify(error), /nowhere/);
    });
    await t.test('a timeout', async t => {
        const {client} = await openProject(t, {config: runner(t, 'setInterval(() => {}, 1000);')});
        const status = ok(await client.call('run_tests', {timeout_ms: 300, wait_ms: 20_000}));
        assert.equal(status.state, 'timeout', JSON.stringify(status));
    });
});

test('run_tests without Unity and without a command: the error says what to configure', async t => {
    const {client} = await openProject(t, {config: {unity_path: '/nowhere/Unity'}});
    const result = await client.call('run_tests', {wait_ms: 20_000});
    const error = result.isError ? result.structuredContent : result.structuredContent.error;
    assert.ok(error, JSON.stringify(result.structuredContent));
    assert.match(JSON.stringify(error), /UNITY_PATH|unity_path/);
    assert.match(JSON.stringify(error), /command/);
});
