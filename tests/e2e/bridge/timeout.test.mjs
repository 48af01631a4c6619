// How long the editor may work on a call, and what happens to late results.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {component, fails, isError, LONG_JOB, ok, readConsole, start} from '../fixtures/bridge.mjs';

test('the editor gets the timeout: the requested one, or the tool\'s default', async t => {
    const {editor, client} = await start(t, {limits: {job_default_timeout_ms: 77_000}});
    for (const [name, args, timeout_ms] of [
        ['read_console', {}, 10_000],
        ['read_console', {timeout_ms: 30_000}, 30_000],
        ['manage_component', component(), 10_000],
        ['run_tests', {}, 77_000],
        ['run_tests', {timeout_ms: 1_800_000}, 1_800_000],
    ]) {
        ok(await client.call(name, args));
        const message = await editor.receives(name);
        assert.equal(message.timeout_ms, timeout_ms, name);
        assert.equal('timeout_ms' in message.params, false);
    }
});

test('a timeout above the maximum, or of zero, is ERR_INVALID_PARAMS, and nothing is sent', async t => {
    const {editor, client} = await start(t, {limits: {job_max_timeout_ms: 400_000}});
    const {tools} = await client.listTools();
    for (const [name, args, most] of [
        ['read_console', {}, 30_000],
        ['get_editor_state', {}, 10_000],
        ['get_job_status', {job_id: 'x'}, 10_000],
        ['manage_component', component(), 30_000],
        ['run_tests', {}, 400_000],
    ]) {
        assert.equal(tools.find(tool => tool.name === name).inputSchema.properties.timeout_ms.maximum, most);
        for (const timeout_ms of [most + 1, 0, -1, 1.5, '5'])
            assert.match(fails(await client.call(name, {...args, timeout_ms}), 'ERR_INVALID_PARAMS').message,
                /timeout_ms/);
    }
    assert.deepEqual(editor.received(), []);
});

test('no result in time: ERR_REQUEST_TIMEOUT, unknown, a warning; a late result is dropped', async t => {
    const {server, editor, client} = await start(t);
    await editor.hold();
    const error = fails(await client.call(...readConsole('a', {timeout_ms: 50, client_request_id: 'mine'})),
        'ERR_REQUEST_TIMEOUT');
    const {request_id} = await editor.receives('read_console');
    assert.equal(error.details.request_id, request_id);
    assert.match(error.message, /50 ms/);
    const line = await server.logged('request', {request_id});
    assert.deepEqual([line.level, line.state, line.outcome, line.client_request_id],
        ['warn', 'timeout', 'ERR_REQUEST_TIMEOUT', 'mine']);
    await editor.release();
    const late = await server.logged('late message dropped', {id: request_id});
    assert.deepEqual([late.level, late.type], ['warn', 'result']);
    ok(await client.call('read_console'));
    assert.equal(editor.executed(request_id), 1);
});

test('a call that timed out gives its slot to the next', async t => {
    const {editor, client} = await start(t, {stdio: true});
    const first = client.call(...readConsole('fake:hang', {timeout_ms: 50}));
    const second = client.call(...readConsole('b'));
    fails(await first, 'ERR_REQUEST_TIMEOUT');
    ok(await second);
    assert.equal(editor.received().length, 2);
});

test('the time in the queue does not count', async t => {
    const {editor, client} = await start(t, {stdio: true});
    const first = client.call(...readConsole('fake:hang', {timeout_ms: 300}));
    const second = client.call(...readConsole('fake:hang,b', {timeout_ms: 100}));
    fails(await first, 'ERR_REQUEST_TIMEOUT');
    // it did not time out before it was sent
    await editor.receives('read_console', m => m.timeout_ms === 100);
    await second;
});

test('a job that does not end in time: timeout, and the editor gets a cancel', async t => {
    const {server, editor, client} = await start(t, {limits: {job_default_timeout_ms: 50}});
    const {job_id} = ok(await client.call('run_tests', {filter: 'fake:steps=1,step=1000000,nocancel'}));
    const status = await client.ended(job_id);
    assert.equal(status.state, 'timeout');
    isError(status.error, 'ERR_REQUEST_TIMEOUT');
    assert.equal((await editor.message('cancel')).target_job_id, job_id);
    assert.equal((await server.logged('job', {job_id})).level, 'warn');
    await editor.command('push_job', {job_id, state: 'failed', error: {code: 'X', message: 'late'}});
    await server.logged('late message dropped', {id: job_id, type: 'job_status'});
    assert.deepEqual(await client.status(job_id), status);
    ok(await client.call('read_console'));
});

test('the end of a job lets the next one run', async t => {
    const {client} = await start(t, {stdio: true});
    const calls = [client.call('run_tests', {filter: LONG_JOB, timeout_ms: 50}),
        client.call('run_tests', {filter: 'fake:steps=1,step=1'})];
    const [first, second] = (await Promise.all(calls)).map(ok);
    assert.equal((await client.ended(first.job_id)).state, 'timeout');
    assert.equal((await client.ended(second.job_id)).state, 'succeeded');
});

test('a submission that is not answered in time is an error', async t => {
    const {server, editor, client} = await start(t);
    await editor.hold();
    const error = fails(await client.call('run_tests', {timeout_ms: 50}), 'ERR_REQUEST_TIMEOUT');
    const {job_id, request_id} = await editor.receives('run_tests');
    assert.equal(error.details.job_id, job_id);
    assert.equal((await client.status(job_id)).state, 'timeout');
    await editor.release();
    await server.logged('late message dropped', {id: request_id, type: 'submit_job_result'});
    ok(await client.call('read_console'));
});

test('timeout_ms of get_job_status limits its wait', async t => {
    const {client} = await start(t);
    const {job_id} = ok(await client.call('run_tests', {filter: LONG_JOB}));
    const ends = [];
    const long = client.status(job_id, {wait_ms: 20_000}).then(() => ends.push('long'));
    assert.equal((await client.status(job_id, {wait_ms: 20_000, timeout_ms: 20})).state, 'running');
    ends.push('short');
    ok(await client.call('cancel_job', {job_id}));
    await long;
    assert.deepEqual(ends, ['short', 'long']);
});
