// run_tests from its submission to its end, with get_job_status (docs/spec/10-bridge.md, 6).
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {
    connect, fails, isError, LONG_JOB, NEVER_MS, ok, open, pipe, serve, start,
} from '../fixtures/bridge.mjs';
import {until} from '../fixtures/program.mjs';

const RESULT = {
    summary: {total: 4, passed: 3, failed: 1, skipped: 0, inconclusive: 0, duration_ms: 12},
    failed_tests: [{name: 'A.B', message: 'no', stack_trace: 'at', duration_ms: 1}], skipped_tests: [],
    truncated: false,
};
const submit = async (client, filter, more = {}) => ok(await client.call('run_tests', {filter, ...more}));
const push = (editor, job_id, state, more = {}) => editor.command('push_job', {job_id, state, ...more});
const progress = (done, total, current) => ({progress: {done, total, current}});

describe('a job', () => {
    test('it is submitted, runs, and has its result', async t => {
        const {editor, client} = await start(t);
        const job = await submit(client, 'fake:steps=4,failed=1', {mode: 'edit', client_request_id: 'mine'});
        assert.deepEqual(Object.keys(job), ['job_id', 'state']);
        assert.match(job.job_id, /^job-\w{6}-1$/);
        assert.equal(job.state, 'running'); // the editor has accepted it
        const {request_id, ...message} = await editor.receives('run_tests');
        assert.deepEqual(message, {
            type: 'submit_job', protocol_version: 1, client_request_id: 'mine', job_id: job.job_id,
            tool_name: 'run_tests', params: {filter: 'fake:steps=4,failed=1', mode: 'edit'}, timeout_ms: 300_000,
        });
        const {result, submitted_at, started_at, finished_at, ...status} = await client.ended(job.job_id);
        assert.deepEqual(status, {
            job_id: job.job_id, tool: 'run_tests', state: 'succeeded', progress: {done: 4, total: 4, current: ''},
        });
        assert.deepEqual(result.summary,
            {total: 4, passed: 3, failed: 1, skipped: 0, inconclusive: 0, duration_ms: 40});
        assert.equal(result.failed_tests[0].name, 'Fake.Tests.Test_0');
        assert.ok(submitted_at <= started_at && started_at <= finished_at);
        assert.ok(Math.abs(Date.parse(finished_at) - Date.now()) < 60_000);
        assert.equal(editor.executed(request_id), 1);
    });

    test('with wait_ms the response is its whole status if it ends in time, else its id', async t => {
        const {client} = await start(t);
        const ended = await submit(client, 'fake:steps=2,step=1', {wait_ms: 20_000});
        assert.equal(ended.state, 'succeeded');
        assert.equal(ended.result.summary.total, 2);
        const {job_id, ...rest} = await submit(client, LONG_JOB, {wait_ms: 20});
        assert.deepEqual(rest, {state: 'running'});
        assert.equal((await client.status(job_id)).state, 'running');
    });

    test('it can fail, or find no test', async t => {
        const {client} = await start(t);
        for (const [how, code] of [['fail', 'ERR_FAKE_JOB_FAILED'], ['notests', 'ERR_NO_TESTS']]) {
            const {job_id} = await submit(client, `fake:${how}`);
            const status = await client.ended(job_id);
            assert.equal(status.state, 'failed');
            assert.equal(isError(status.error, 'ERR_UNITY_EXECUTION').details.plugin_error_code, code);
            assert.equal(status.error.details.job_id, job_id);
            assert.equal(status.result, undefined);
        }
    });

    test('a job that the editor rejects is an error of the call, and a failed job', async t => {
        const {editor, client} = await start(t);
        const error = fails(await client.call('run_tests', {filter: 'fake:reject'}), 'ERR_UNITY_EXECUTION');
        assert.equal(error.details.plugin_error_code, 'ERR_JOB_REJECTED');
        const {job_id} = await editor.receives('run_tests');
        assert.equal(error.details.job_id, job_id);
        assert.equal((await client.status(job_id)).state, 'failed');
        assert.equal((await submit(client, LONG_JOB)).state, 'running'); // it does not block others
    });

    test('a job that the editor rejects after it was queued is a failed job', async t => {
        const {editor, client} = await start(t);
        const first = await submit(client, LONG_JOB);
        const second = await submit(client, 'fake:reject');
        assert.equal(second.state, 'queued');
        await push(editor, first.job_id, 'succeeded', {result: RESULT});
        const status = await client.ended(second.job_id);
        assert.equal(status.state, 'failed');
        assert.equal(status.error.details.plugin_error_code, 'ERR_JOB_REJECTED');
    });

    test('it gets its id only when the editor is ready', async t => {
        const server = await serve(t);
        const client = await connect(t, server);
        const editor = await open(t, server, ['--state', 'compiling']);
        const call = client.call('run_tests', {filter: LONG_JOB});
        await client.waiting(1);
        assert.equal((await client.state()).job, null);
        await editor.command('status', {state: 'ready'});
        assert.equal(ok(await call).state, 'running');
    });

    test('it runs alone: the next ones wait, in their order', async t => {
        const {editor, client} = await start(t);
        const jobs = [];
        for (let i = 0; i < 3; i++)
            jobs.push(await submit(client, `${LONG_JOB},steps=${i + 1}`));
        assert.deepEqual(jobs.map(job => job.state), ['running', 'queued', 'queued']);
        const places = await Promise.all(jobs.map(async job => (await client.status(job.job_id)).queue_position));
        assert.deepEqual(places, [undefined, 1, 2]);
        for (const {job_id} of jobs) {
            await editor.receives('run_tests', m => m.job_id === job_id);
            await until(() => client.state(), 'the next job', {is: now => now.job.job_id === job_id});
            await push(editor, job_id, 'succeeded', {result: RESULT});
        }
        assert.equal((await client.ended(jobs[2].job_id)).state, 'succeeded');
        assert.deepEqual(editor.received().map(l => l.job_id), jobs.map(job => job.job_id));
    });

    test('an ended job ignores all later messages', async t => {
        const {server, editor, client} = await start(t);
        const {job_id} = await submit(client, LONG_JOB);
        await push(editor, job_id, 'succeeded', {result: RESULT});
        const status = await client.ended(job_id);
        await push(editor, job_id, 'failed', {error: {code: 'X', message: 'x'}});
        await push(editor, job_id, 'running', progress(1, 2, 'x'));
        await push(editor, 'job-nobody', 'succeeded', {result: RESULT});
        await server.logged('late message dropped', {id: 'job-nobody'});
        assert.equal(server.log.filter(l => l.event === 'late message dropped').length, 3);
        assert.deepEqual(await client.status(job_id), status);
    });

    test('a success without a result is an invalid response', async t => {
        const {editor, client} = await start(t);
        const {job_id} = await submit(client, LONG_JOB);
        await push(editor, job_id, 'asleep');
        isError((await editor.event('error')).message.error, 'ERR_INVALID_REQUEST');
        assert.equal((await client.status(job_id)).state, 'running');
        await push(editor, job_id, 'succeeded');
        const status = await client.ended(job_id);
        assert.equal(status.state, 'failed');
        isError(status.error, 'ERR_INVALID_RESPONSE');
    });

    test('ended jobs are kept as the limits say', async t => {
        const {client} = await start(t, {limits: {job_keep_count: 2, job_keep_ms: 0}});
        const ids = [];
        for (let i = 0; i < 3; i++)
            ids.push((await submit(client, 'fake:steps=1,step=1', {wait_ms: 20_000})).job_id);
        fails(await client.call('get_job_status', {job_id: ids[0]}), 'ERR_JOB_NOT_FOUND');
        assert.equal((await client.status(ids[1])).state, 'succeeded');
        assert.equal((await client.status(ids[2])).state, 'succeeded');
    });
});

describe('get_job_status', () => {
    test('with wait_ms it responds when the job ends', async t => {
        const {editor, client} = await start(t, {stdio: true});
        const {job_id} = await submit(client, LONG_JOB);
        const polls = [client.status(job_id, {wait_ms: 20_000}), client.status(job_id, {wait_ms: 20_000})];
        // a long poll does not block others
        assert.equal((await client.status(job_id)).state, 'running');
        ok(await client.call('read_console'));
        await push(editor, job_id, 'succeeded', {result: RESULT});
        for (const status of await Promise.all(polls))
            assert.deepEqual([status.state, status.result], ['succeeded', RESULT]);
        assert.equal((await client.status(job_id, {wait_ms: 20_000})).state, 'succeeded'); // at once
    });

    test('with wait_ms it responds when the job begins to run', async t => {
        const {editor, client} = await start(t, {stdio: true});
        const first = await submit(client, LONG_JOB), second = await submit(client, LONG_JOB);
        const poll = client.status(second.job_id, {wait_ms: 20_000});
        await client.state();
        await push(editor, first.job_id, 'succeeded', {result: RESULT});
        assert.equal((await poll).state, 'running');
    });

    test('with wait_ms it responds on progress, after one second at the earliest', async t => {
        const {editor, client} = await start(t, {stdio: true});
        const {job_id} = await submit(client, LONG_JOB);
        const start_ms = performance.now();
        const poll = client.status(job_id, {wait_ms: 20_000});
        await push(editor, job_id, 'running', progress(1, 10, 'A.One'));
        await push(editor, job_id, 'running', progress(2, 10, 'A.Two'));
        const status = await poll;
        assert.ok(performance.now() - start_ms > 900);
        assert.deepEqual([status.state, status.progress], ['running', {done: 2, total: 10, current: 'A.Two'}]);
    });

    test('it shows unusual progress values', async t => {
        const {editor, client} = await start(t);
        const {job_id} = await submit(client, LONG_JOB);
        const shown = want => until(() => client.status(job_id), JSON.stringify(want),
            {is: now => JSON.stringify(now.progress) === JSON.stringify(want)});
        await shown({done: 0, total: 1, current: 'Fake.Tests.Test_0'});
        await push(editor, job_id, 'running', progress(-5, 'many', 7));
        await shown({done: 0, total: 0, current: ''});
        await push(editor, job_id, 'running', progress(3, null, 'ä'.repeat(1000)));
        await shown({done: 3, total: 0, current: 'ä'.repeat(256)});
        await push(editor, job_id, 'running', {progress: 17});
        await push(editor, job_id, 'running', progress(1, 2, 'ok'));
        await shown({done: 1, total: 2, current: 'ok'});
    });

    for (const name of ['run_tests', 'get_job_status'])
        test(`progress is notified while ${name} waits`, async t => {
            const server = await serve(t, {stdio: true});
            const editor = await open(t, server);
            const client = await pipe(server);
            const meta = {_meta: {progressToken: 'p'}};
            const run = client.tool('run_tests', {filter: LONG_JOB, ...(name === 'run_tests' ? {wait_ms: 20_000} : {})}, meta);
            const {job_id} = await editor.receives('run_tests');
            let id = run;
            if (name === 'get_job_status') {
                await client.answer(run);
                await push(editor, job_id, 'running', progress(0, 3, 'zero'));
                id = client.tool(name, {job_id, wait_ms: 20_000}, meta);
                await client.settled();
            }
            await push(editor, job_id, 'running', progress(1, 3, 'one'));
            const notice = await client.next(m => m.method === 'notifications/progress' && m.params.message === 'one');
            assert.equal(notice.params.progressToken, 'p');
            assert.equal(notice.params.total - notice.params.progress, 2);
            await push(editor, job_id, 'succeeded', {result: RESULT, ...progress(3, 3, '')});
            assert.equal(ok((await client.answer(id)).result).state, 'succeeded');
            const values = client.messages.filter(m => m.method === 'notifications/progress').map(m => m.params.progress);
            assert.deepEqual(values, [...values].sort((a, b) => a - b));
            assert.equal(new Set(values).size, values.length);
        });
});

describe('a job whose editor disconnects', () => {
    test('fails with guarantee unknown and a warning when the editor does not reconnect in time', async t => {
        const {server, editor, client} = await start(t, {limits: {request_reconnect_wait_ms: 100}});
        const {job_id} = await submit(client, LONG_JOB);
        await editor.command('down', {how: 'drop'});
        const status = await client.ended(job_id);
        assert.equal(status.state, 'failed');
        isError(status.error, 'ERR_RECONNECT_TIMEOUT');
        const line = await server.logged('job', {job_id});
        assert.deepEqual([line.level, line.tool, line.state, line.outcome],
            ['warn', 'run_tests', 'failed', 'ERR_RECONNECT_TIMEOUT']);
        await editor.command('up');
        await editor.event('connected', m => m.attempt === 2);
        await push(editor, job_id, 'succeeded', {result: RESULT});
        await server.logged('late message dropped', {id: job_id});
        assert.deepEqual(await client.status(job_id), status);
        assert.equal((await submit(client, 'fake:steps=1')).state, 'running');
    });

    test('is queried after the reconnect and goes on', async t => {
        const {server, editor, client} = await start(t, {limits: {request_reconnect_wait_ms: NEVER_MS}});
        const {job_id} = await submit(client, LONG_JOB);
        await editor.command('down', {how: 'drop'});
        await server.logged('editor disconnected');
        assert.equal((await client.status(job_id)).state, 'running');
        await editor.command('up');
        assert.deepEqual(await editor.message('resume'),
            {type: 'resume', protocol_version: 1, request_ids: [], job_ids: [job_id]});
        assert.deepEqual(await editor.message('get_job_status'),
            {type: 'get_job_status', protocol_version: 1, job_id});
        assert.equal((await client.status(job_id)).state, 'running');
        await push(editor, job_id, 'succeeded', {result: RESULT});
        assert.equal((await client.ended(job_id)).state, 'succeeded');
        assert.equal(editor.received().length, 1);
    });

    test('has its result after the reconnect when it ended meanwhile', async t => {
        const {editor, client} = await start(t, {limits: {request_reconnect_wait_ms: NEVER_MS}});
        const {job_id} = await submit(client, 'fake:steps=2,step=100');
        await editor.command('down', {how: 'drop'});
        await editor.traced('executed', l => l.how === job_id);
        assert.equal((await client.status(job_id)).state, 'running');
        await editor.command('up');
        const status = await client.ended(job_id);
        assert.deepEqual([status.state, status.result.summary.passed], ['succeeded', 2]);
    });

    test('fails with guarantee unknown when the editor does not know it after a reload', async t => {
        const {server, editor, client} = await start(t);
        const {job_id} = await submit(client, `${LONG_JOB},forget`);
        await editor.command('reload', {downMs: 0});
        const status = await client.ended(job_id);
        assert.equal(status.state, 'failed');
        isError(status.error, 'ERR_RECONNECT_TIMEOUT');
        assert.equal((await server.logged('job', {job_id})).level, 'warn');
        assert.equal((await submit(client, 'fake:steps=1', {wait_ms: 20_000})).state, 'succeeded');
    });

    test('is accepted once and answered once when its submission was under way', async t => {
        const {editor, client} = await start(t);
        const job = await submit(client, 'fake:drop,steps=2');
        assert.equal(job.state, 'running');
        assert.equal((await client.ended(job.job_id)).state, 'succeeded');
        assert.equal(editor.received().length, 1);
        assert.equal(editor.executed(), 1);
    });

    test('fails with ERR_RECONNECT_TIMEOUT when the editor had not accepted it', async t => {
        const {editor, client} = await start(t);
        const error = fails(await client.call('run_tests', {filter: 'fake:lose'}), 'ERR_RECONNECT_TIMEOUT');
        const {job_id} = await editor.receives('run_tests');
        assert.equal(error.details.job_id, job_id);
        const status = await client.status(job_id);
        assert.equal(status.state, 'failed');
        isError(status.error, 'ERR_RECONNECT_TIMEOUT');
    });

    test('lets queued jobs wait for the editor and run', async t => {
        const {server, editor, client} = await start(t, {limits: {request_reconnect_wait_ms: NEVER_MS}});
        const first = await submit(client, LONG_JOB), second = await submit(client, 'fake:steps=1');
        await editor.command('down', {how: 'drop'});
        await server.logged('editor disconnected');
        assert.equal((await client.status(second.job_id)).state, 'queued');
        await editor.command('up');
        await editor.message('resume');
        await push(editor, first.job_id, 'succeeded', {result: RESULT});
        await editor.receives('run_tests', m => m.job_id === second.job_id);
    });
});

test('a client that leaves before the editor has accepted the job leaves none behind', async t => {
    const server = await serve(t, {stdio: true});
    const editor = await open(t, server);
    const client = await pipe(server), other = await connect(t, server);
    await editor.hold();
    const submission = client.tool('run_tests', {filter: LONG_JOB});
    const {job_id} = await editor.receives('run_tests');
    client.cancel(submission);
    await editor.message('cancel');
    // the editor cannot stop a job that it has not begun
    await server.logged('cancel answered', {status: 'rejected'});
    await editor.release();
    assert.equal((await editor.message('cancel')).target_job_id, job_id);
    assert.equal((await other.ended(job_id)).state, 'cancelled');
});
