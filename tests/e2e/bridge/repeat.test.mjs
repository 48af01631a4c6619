// client_request_id: a repeated edit gets the first result and is not executed.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {
    component, connect, fails, LONG_JOB, modernCall, ok, open, pipe, serve, start,
} from '../fixtures/bridge.mjs';
import {until} from '../fixtures/program.mjs';

const edit = (id, more = {}) => ['manage_component', component({client_request_id: id, ...more})];

test('a repeat after the end gets the first result', async t => {
    const {server, editor, client} = await start(t);
    const first = await client.call(...edit('a'));
    ok(first);
    assert.deepEqual(await client.call(...edit('a')), first);
    // not part of the edit
    assert.deepEqual(await client.call(...edit('a', {timeout_ms: 500})), first);
    assert.equal(editor.received().length, 1);
    assert.equal((await editor.receives('manage_component')).client_request_id, 'a');
    assert.equal((await server.logged('request is a repeat', {how: 'repeated'})).client_request_id, 'a');
    ok(await client.call(...edit('b')));
    assert.equal(editor.executed(), 2);
});

test('another client can repeat over another transport', async t => {
    const {server, editor, client} = await start(t, {stdio: true});
    const first = ok(await client.call(...edit('a')));
    const other = await connect(t, server);
    assert.deepEqual(ok(await other.call(...edit('a'))), first);
    assert.deepEqual(ok(await modernCall(server, ...edit('a'))), first);
    assert.equal(editor.executed(), 1);
});

test('a repeat joins a running or waiting call', async t => {
    const {server, editor, client} = await start(t, {stdio: true});
    const other = await connect(t, server);
    await editor.hold();
    const calls = [client.call(...edit('a')), client.call(...edit('b')), client.call(...edit('a')),
        client.call(...edit('b'))];
    await client.waiting(1);
    calls.push(other.call(...edit('a')), other.call(...edit('b')));
    await server.logged('request is a repeat', {how: 'joined', client_request_id: 'b'});
    assert.equal((await client.state()).queue.waiting, 1);
    await editor.release();
    const answers = (await Promise.all(calls)).map(ok);
    assert.equal(answers.length, 6);
    assert.deepEqual(editor.received().map(l => l.client_request_id), ['a', 'b']);
});

test('a repeat joins a call that waits for an editor', async t => {
    const server = await serve(t);
    const client = await connect(t, server);
    const calls = [client.call(...edit('a'))];
    await client.waiting(1);
    calls.push(client.call(...edit('a')));
    await server.logged('request is a repeat', {how: 'joined'});
    const editor = await open(t, server);
    (await Promise.all(calls)).forEach(ok);
    assert.equal(editor.received().length, 1);
});

test('the same id with other arguments is refused', async t => {
    const {editor, client} = await start(t);
    await editor.hold();
    const first = client.call(...edit('a'));
    await editor.receives('manage_component');
    const other = edit('a', {component_type: 'Camera'});
    fails(await client.call(...other), 'ERR_INVALID_REQUEST');
    await editor.release();
    ok(await first);
    assert.match(fails(await client.call(...other), 'ERR_INVALID_REQUEST').message, /other arguments/);
    assert.equal(editor.received().length, 1);
});

test('a call that failed in the editor is not executed again', async t => {
    const {editor, client} = await start(t);
    const call = edit('a', {game_object_path: 'fake:error=ERR_NO'});
    const first = await client.call(...call);
    fails(first, 'ERR_UNITY_EXECUTION');
    assert.deepEqual(await client.call(...call), first);
    assert.equal(editor.executed(), 1);
});

test('a call that was possibly executed is not executed again', async t => {
    const {editor, client} = await start(t);
    await editor.hold();
    const call = edit('a', {timeout_ms: 50});
    const first = await client.call(...call);
    fails(first, 'ERR_REQUEST_TIMEOUT');
    await editor.release();
    assert.deepEqual(await client.call(...call), first);
    assert.equal(editor.received().length, 1);
});

describe('a call that was certainly not executed may be repeated', () => {
    test('after no editor came', async t => {
        const server = await serve(t, {limits: {request_reconnect_wait_ms: 50}});
        const client = await connect(t, server);
        fails(await client.call(...edit('a')), 'ERR_EDITOR_NOT_READY');
        const editor = await open(t, server);
        ok(await client.call(...edit('a')));
        assert.equal(editor.executed(), 1);
    });

    test('after the queue was full', async t => {
        const {editor, client} = await start(t, {stdio: true, limits: {queue_max_size: 1}});
        await editor.hold();
        const calls = [client.call('read_console'), client.call('read_console')];
        await client.waiting(1);
        fails(await client.call(...edit('a')), 'ERR_QUEUE_FULL');
        await editor.release();
        (await Promise.all(calls)).forEach(ok);
        ok(await client.call(...edit('a')));
    });

    test('after it was cancelled in the queue', async t => {
        const server = await serve(t, {stdio: true});
        const editor = await open(t, server);
        const client = await pipe(server), other = await connect(t, server);
        await editor.hold();
        const first = client.tool('read_console');
        await editor.receives('read_console');
        const withdrawn = client.tool(...edit('a'));
        await other.waiting(1);
        client.cancel(withdrawn);
        await other.waiting(0);
        await editor.release();
        ok((await client.answer(first)).result);
        ok((await client.answer(client.tool(...edit('a')))).result);
        assert.equal(editor.executed(), 2);
    });
});

test('a joined client gets the result although the first one has cancelled', async t => {
    const server = await serve(t, {stdio: true});
    const editor = await open(t, server);
    const client = await pipe(server), other = await connect(t, server);
    await editor.hold();
    const running = client.tool('read_console');
    await editor.receives('read_console');
    const first = client.tool(...edit('a'));
    await other.waiting(1);
    const second = other.call(...edit('a'));
    await server.logged('request is a repeat', {how: 'joined'});
    client.cancel(first);
    await client.settled();
    assert.equal((await other.state()).queue.waiting, 1); // somebody still waits for it
    await editor.release();
    ok((await client.answer(running)).result);
    ok(await second);
    assert.deepEqual(client.answers(first), []);
});

test('tools that only read ignore the id and run again', async t => {
    const {editor, client} = await start(t);
    for (let i = 0; i < 2; i++)
        ok(await client.call('read_console', {client_request_id: 'a'}));
    assert.equal(editor.executed(), 2);
});

test('each tool has ids of its own', async t => {
    const {editor, client} = await start(t);
    ok(await client.call(...edit('a')));
    ok(await client.call('run_tests', {client_request_id: 'a', filter: LONG_JOB}));
    assert.equal(editor.received().length, 2);
});

test('ids expire after dedupe_ms', async t => {
    const {editor, client} = await start(t, {limits: {dedupe_ms: 0}});
    for (let i = 0; i < 2; i++)
        ok(await client.call(...edit('a')));
    assert.equal(editor.executed(), 2);
});

describe('a repeated job submission returns the same job', () => {
    const run = (more = {}) => ['run_tests', {client_request_id: 'a', filter: LONG_JOB, ...more}];

    test('while it runs, and after its end', async t => {
        const {editor, client} = await start(t);
        const {job_id} = ok(await client.call(...run()));
        assert.equal(ok(await client.call(...run())).job_id, job_id);
        await client.call('cancel_job', {job_id});
        await client.ended(job_id);
        assert.equal(ok(await client.call(...run())).job_id, job_id);
        assert.equal(editor.received().length, 1);
    });

    test('while it is queued: sent once, with its arguments', async t => {
        const {editor, client} = await start(t);
        const before = ok(await client.call('run_tests', {filter: LONG_JOB}));
        const first = ok(await client.call(...run()));
        assert.equal(first.state, 'queued');
        assert.equal(ok(await client.call(...run())).job_id, first.job_id);
        await client.call('cancel_job', {job_id: before.job_id});
        await editor.receives('run_tests');
        const sent = await editor.receives('run_tests');
        assert.deepEqual([sent.job_id, sent.client_request_id, sent.params], [first.job_id, 'a', {filter: LONG_JOB}]);
        assert.equal(ok(await client.call(...run())).job_id, first.job_id);
        assert.equal(editor.received().length, 2);
    });

    test('while it is being submitted', async t => {
        const {server, editor, client} = await start(t, {stdio: true});
        await editor.hold();
        const calls = [client.call(...run()), client.call(...run())];
        await server.logged('request is a repeat', {how: 'joined'});
        await editor.release();
        const [a, b] = (await Promise.all(calls)).map(ok);
        assert.equal(a.job_id, b.job_id);
        assert.equal(editor.received().length, 1);
    });

    test('and goes on while one of its waiting clients is left', async t => {
        const server = await serve(t, {stdio: true});
        const editor = await open(t, server);
        const client = await pipe(server), other = await connect(t, server);
        await editor.hold();
        const first = client.tool(...run({wait_ms: 20_000}));
        const {job_id} = await editor.receives('run_tests');
        const second = other.call(...run({wait_ms: 20_000}));
        await server.logged('request is a repeat', {how: 'joined'});
        await editor.release();
        await until(() => other.state(), 'acceptance', {is: now => now.queue.running === null});
        client.cancel(first);
        await client.settled();
        await editor.command('push_job', {job_id, state: 'failed', error: {code: 'X', message: 'x'}});
        assert.equal(ok(await second).state, 'failed');
        assert.deepEqual(editor.messages('cancel'), []);
    });

    test('except after it was cancelled unsent', async t => {
        const {editor, client} = await start(t);
        const before = ok(await client.call('run_tests', {filter: LONG_JOB}));
        const first = ok(await client.call(...run()));
        await client.call('cancel_job', {job_id: first.job_id});
        const second = ok(await client.call(...run()));
        assert.notEqual(second.job_id, first.job_id);
        await client.call('cancel_job', {job_id: before.job_id});
        await editor.receives('run_tests', m => m.job_id === second.job_id);
    });
});
