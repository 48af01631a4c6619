// run_tests with the Test Framework: the sample project's tests give the same results in the live
// editor and, in batch mode, with the headless one; a run survives domain reloads and can be
// cancelled.
import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {ok} from '../fixtures/bridge.mjs';
import {until} from '../fixtures/program.mjs';
import {addAssets, editorCommand} from '../fixtures/package.mjs';
import {copySample, eachEditor, openProject, sample} from '../fixtures/unity.mjs';

const reloads = fileURLToPath(new URL('../../editors/reloads', import.meta.url));
/** The stand-in replaces Unity in batch mode. */
const BATCH = {tests: {command: [...editorCommand, '-batchmode', '-projectPath', '{project}', '-runTests',
    '-testPlatform', '{platform}', '-testResults', '{results}', '-testFilter', '{filter}',
    '-assemblyNames', '{assemblies}', '-testCategory', '{categories}']}};
const open = (t, editor, more = {}) => openProject(t,
    {editor, config: editor === 'headless' ? BATCH : {}, ...more});
const ended = async (client, args) => {
    const {job_id} = ok(await client.call('run_tests', args));
    return client.ended(job_id);
};
const without = ({duration_ms, ...rest}) => rest;

eachEditor('run_tests runs the sample\'s own tests', async (t, editor) => {
    const {client} = await open(t, editor);
    const {state, result} = await ended(client, {});
    assert.equal(state, 'succeeded');
    assert.deepEqual(without(result.summary), {total: 7, passed: 5, failed: 1, skipped: 1, inconclusive: 0});
    assert.deepEqual(result.skipped_tests, ['MyGame.Tests.EnemyStatsTests.HealingIsNoAttack']);
    assert.equal(result.truncated, false);
    const [failed] = result.failed_tests;
    assert.equal(failed.name, 'MyGame.Tests.EnemyStatsTests.StormHurtsFireTwice');
    assert.match(failed.message, /storm puts fire out\s+Expected: 20\.0f\s+But was: {2}10\.0f/);
    assert.match(failed.stack_trace, /EnemyStatsTests\.cs:32/);
});

eachEditor('run_tests applies filters', async (t, editor) => {
    const {client} = await open(t, editor);
    const CASES = [
        [{filter: 'MyGame.Tests.ScoreTableTests'}, {total: 1, passed: 1}],
        [{filter: 'MyGame.Tests.EnemyStatsTests.StormHurtsFireTwice'}, {total: 1, failed: 1}],
        [{filter: 'MyGame.Tests'}, {total: 7}],
        [{assemblies: ['MyGame.Tests.EditMode']}, {total: 7}],
    ];
    for (const [args, want] of CASES)
        await t.test(JSON.stringify(args), async () => {
            const {state, result} = await ended(client, args);
            assert.equal(state, 'succeeded');
            for (const [name, count] of Object.entries(want))
                assert.equal(result.summary[name], count, name);
        });
    for (const args of [{filter: 'NoSuchTest'}, {assemblies: ['No.Such']},
        {categories: ['NoSuchCategory']}, {mode: 'play'}])
        await t.test(`no test: ${JSON.stringify(args)}`, async () => {
            const status = await ended(client, args);
            assert.equal(status.state, 'failed', JSON.stringify(status));
            assert.match(status.error.details.message, /no test/i);
        });
});

test('both give the same results for the same tests', async t => {
    const statuses = [];
    for (const editor of ['headless', 'package']) {
        const {client} = await open(t, editor);
        statuses.push(await ended(client, {}));
    }
    const plain = ({state, tool, result}) => ({
        state, tool, ...result, summary: without(result.summary),
        failed_tests: result.failed_tests.map(without),
    });
    assert.deepEqual(plain(statuses[1]), plain(statuses[0]));
});

/** The sample, with tests that take some updates. */
function slowTests(t) {
    const project = copySample(t);
    addAssets(project, reloads);
    return project;
}

test('a run survives domain reloads with its progress and its results', async t => {
    const {client, unity} = await open(t, 'package', {project: slowTests(t)});
    const {job_id} = ok(await client.call('run_tests', {filter: 'MyGame.Tests.Reloads'}));
    await until(() => client.status(job_id), 'progress', {is: now => now.progress?.done > 0});
    await unity.reload();
    await unity.reload();
    const {state, result, progress} = await client.ended(job_id);
    assert.equal(state, 'succeeded');
    assert.deepEqual(without(result.summary), {total: 10, passed: 9, failed: 1, skipped: 0, inconclusive: 0});
    assert.deepEqual(result.failed_tests.map(({name}) => name), ['MyGame.Tests.Reloads.ReloadTests.Wrong']);
    assert.ok(progress === null || progress.done <= 10);
});

test('a run is cancelled, and the next one starts', async t => {
    const {client} = await open(t, 'package', {project: slowTests(t)});
    const {job_id} = ok(await client.call('run_tests', {filter: 'MyGame.Tests.Reloads'}));
    const next = ok(await client.call('run_tests', {filter: 'MyGame.Tests.ScoreTableTests'}));
    assert.equal(next.state, 'queued');
    assert.equal(ok(await client.call('cancel_job', {job_id})).status, 'cancel_requested');
    assert.equal((await client.ended(job_id)).state, 'cancelled');
    const {state, result} = await client.ended(next.job_id);
    assert.deepEqual([state, result.summary.total], ['succeeded', 1]);
});

test('other calls go on while tests run', async t => {
    const {client} = await open(t, 'package', {project: slowTests(t)});
    const {job_id} = ok(await client.call('run_tests', {filter: 'MyGame.Tests.Reloads'}));
    await client.hierarchy();
    assert.equal((await client.ended(job_id)).state, 'succeeded');
    assert.equal(path.basename((await client.state()).project_path), path.basename(sample));
});
