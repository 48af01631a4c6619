// Cancelling has the effects listed in docs/spec/10-bridge.md, 7, for the client and for the
// editor.
import assert from 'node:assert/strict';
import {readdirSync} from 'node:fs';
import {describe, test} from 'node:test';

import {
    connect, fails, launch, LONG_JOB, modernCall, NEVER_MS, ok, open, patternsOf, pipe,
    readConsole, serve, start,
} from '../fixtures/bridge.mjs';
import {
    ACCEPT, enveloped, modernHeaders, openSession, openSocket, openStream, post, request, until,
} from '../fixtures/program.mjs';

/** A server with a client on its pipes, message by message, and a second client that observes. */
async function startRaw(t, {editor = [], ...options} = {}) {
    const server = await serve(t, {stdio: true, ...options});
    const opened = editor && await open(t, server, editor);
    return {server, editor: opened, client: await pipe(server), other: await connect(t, server)};
}

const job = async (client, filter, more = {}) => ok(await client.call('run_tests', {filter, ...more})).job_id;
const cancel = async (client, job_id) => ok(await client.call('cancel_job', {job_id}));

describe('cancelling a call', () => {
    test('a call that waits for the editor is never sent and never answered', async t => {
        const {server, client, other} = await startRaw(t, {editor: false});
        const [lost, kept] = ['lost', 'kept'].map(name => client.tool(...readConsole(name)));
        await other.waiting(2);
        client.cancel(lost);
        await other.waiting(1);
        const editor = await open(t, server);
        ok((await client.answer(kept)).result);
        assert.deepEqual(patternsOf(editor), ['kept']);
        await client.settled();
        assert.deepEqual(client.answers(lost), []);
        assert.equal((await server.logged('request', {outcome: 'cancelled'})).level, 'info');
    });

    test('a queued call is never sent; the others keep their places', async t => {
        const {editor, client, other} = await startRaw(t);
        await editor.hold();
        const [a, b, c] = ['a', 'b', 'c'].map(name => client.tool(...readConsole(name)));
        await other.waiting(2);
        client.cancel(b);
        await other.waiting(1);
        await editor.release();
        ok((await client.answer(a)).result);
        ok((await client.answer(c)).result);
        assert.deepEqual(patternsOf(editor), ['a', 'c']);
        await client.settled();
        assert.deepEqual(client.answers(b), []);
    });

    test('a running call that cannot be cancelled keeps the slot; the editor is not notified', async t => {
        const {editor, client, other} = await startRaw(t);
        await editor.hold();
        const [a, b] = ['a', 'b'].map(name => client.tool(...readConsole(name)));
        const {request_id} = await editor.receives('read_console');
        await other.waiting(1);
        client.cancel(a);
        await client.settled();
        const {queue} = await other.state();
        assert.deepEqual([queue.running.request_id, queue.waiting], [request_id, 1]);
        await editor.release();
        ok((await client.answer(b)).result);
        assert.deepEqual(editor.messages('cancel'), []);
        assert.deepEqual(client.answers(a), []);
        assert.equal(editor.executed(request_id), 1);
    });

    test('a running call that can be cancelled: the editor gets the cancel', async t => {
        const {editor, client} = await startRaw(t);
        await editor.hold();
        const submission = client.tool('run_tests');
        const {job_id} = await editor.receives('run_tests');
        client.cancel(submission);
        const message = await editor.message('cancel');
        assert.deepEqual(message, {type: 'cancel', protocol_version: 1, target_job_id: job_id});
        await editor.release();
        await client.settled();
        assert.deepEqual(client.answers(submission), []);
    });

    test('the official client cancels through its signal', async t => {
        const {editor, client} = await start(t);
        await editor.hold();
        const first = client.call(...readConsole('a'));
        await editor.receives('read_console');
        const abort = new AbortController();
        const second = client.call(...readConsole('b'), {signal: abort.signal});
        await client.waiting(1);
        abort.abort();
        await assert.rejects(second);
        await client.waiting(0);
        await editor.release();
        ok(await first);
        assert.deepEqual(patternsOf(editor), ['a']);
    });

    test('a modern client cancels by closing its stream', async t => {
        const {server, editor, client} = await start(t);
        await editor.hold();
        const first = client.call(...readConsole('a'));
        await editor.receives('read_console');
        const [name, args] = readConsole('b');
        const message = request(1, 'tools/call', enveloped({name, arguments: args, _meta: {progressToken: 1}}));
        const stream = await openStream(server, message, modernHeaders(message));
        await client.waiting(1);
        await stream.close();
        await client.waiting(0);
        await editor.release();
        ok(await first);
        assert.deepEqual(patternsOf(editor), ['a']);
    });

    test('deleting a session cancels its calls', async t => {
        const {server, editor, client} = await start(t);
        await editor.hold();
        const first = client.call(...readConsole('a'));
        await editor.receives('read_console');
        const session = await openSession(server);
        const [name, args] = readConsole('b');
        const second = session.request('tools/call', {name, arguments: args}).catch(error => error);
        await client.waiting(1);
        await fetch(server.url, {method: 'DELETE', headers: session.headers});
        await client.waiting(0);
        await second;
        await editor.release();
        ok(await first);
        assert.deepEqual(patternsOf(editor), ['a']);
    });

    test('a legacy client whose connection breaks does not cancel: only a message does', async t => {
        const {server, editor, client} = await start(t);
        await editor.hold();
        const first = client.call(...readConsole('a'));
        await editor.receives('read_console');
        const session = await openSession(server);
        const open = () => readdirSync(`/proc/${server.pid}/fd`).length;
        const before = open();
        const connection = await openSocket(server);
        const [name, args] = readConsole('b');
        const body = JSON.stringify(request(1, 'tools/call', {name, arguments: args}));
        const headers = Object.entries(session.headers).map(([key, value]) => `${key}: ${value}\r\n`).join('');
        connection.send(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Type: application/json\r\n` +
            `Accept: ${ACCEPT}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
        await client.waiting(1);
        connection.close();
        await until(() => open(), 'the end of the connection', {is: now => now <= before, from: server});
        assert.equal((await client.state()).queue.waiting, 1);
        await editor.release();
        ok(await first);
        await editor.receives('read_console', m => m.params.message_pattern === 'b');
    });

    test('an attached client that dies cancels its queued calls', async t => {
        const {server, editor, client} = await start(t);
        await editor.hold();
        const first = client.call(...readConsole('a'));
        await editor.receives('read_console');
        const attached = launch(t, {cwd: server.cwd, limits: null, port: server.port, stdio: true});
        attached.ends = 'SIGKILL';
        const raw = await pipe(attached);
        raw.tool(...readConsole('b'));
        await client.waiting(1);
        attached.child.kill('SIGKILL');
        await client.waiting(0);
        await editor.release();
        ok(await first);
        assert.deepEqual(patternsOf(editor), ['a']);
    });
});

describe('cancelling a job', () => {
    test('a queued job is cancelled and never sent', async t => {
        const {editor, client} = await start(t);
        const running = await job(client, LONG_JOB), queued = await job(client, 'fake:steps=1');
        assert.deepEqual(await cancel(client, queued), {job_id: queued, status: 'cancelled', state: 'cancelled'});
        const status = await client.status(queued);
        assert.equal(status.state, 'cancelled');
        assert.ok(status.finished_at);
        assert.equal(status.started_at, undefined);
        await cancel(client, running);
        await client.ended(running);
        ok(await client.call('read_console')); // by now, everything that could be sent was sent
        assert.deepEqual(patternsOf(editor), [LONG_JOB, undefined]);
    });

    test('a job that waits for a disconnected editor is cancelled and never sent', async t => {
        const {server, editor, client} = await start(t, {limits: {request_reconnect_wait_ms: NEVER_MS}});
        const running = await job(client, LONG_JOB), queued = await job(client, 'fake:steps=1');
        await editor.command('down', {how: 'drop'});
        await server.logged('editor disconnected');
        assert.equal((await cancel(client, queued)).status, 'cancelled');
        assert.equal((await client.status(queued)).state, 'cancelled');
        await editor.command('up');
        await editor.event('connected', m => m.attempt === 2);
        await cancel(client, running);
        await client.ended(running);
        ok(await client.call('read_console'));
        assert.deepEqual(patternsOf(editor), [LONG_JOB, undefined]);
    });

    test('a running job is cancel_requested, and cancelled once the editor confirms it', async t => {
        const {editor, client} = await start(t);
        const job_id = await job(client, LONG_JOB);
        await editor.command('silent', {on: true}); // its confirmation is not sent yet
        assert.deepEqual(await cancel(client, job_id), {job_id, status: 'cancel_requested', state: 'running'});
        assert.deepEqual(await editor.message('cancel'), {type: 'cancel', protocol_version: 1, target_job_id: job_id});
        assert.equal((await client.status(job_id)).state, 'running');
        await editor.command('silent', {on: false});
        const status = await client.ended(job_id);
        assert.equal(status.state, 'cancelled');
        assert.equal(status.result, undefined);
    });

    test('a job whose cancel the editor rejects runs to its end', async t => {
        const {server, editor, client} = await start(t);
        const job_id = await job(client, 'fake:steps=1,step=1000000,nocancel');
        assert.equal((await cancel(client, job_id)).status, 'cancel_requested');
        await server.logged('cancel answered', {status: 'rejected'});
        assert.equal((await client.status(job_id)).state, 'running');
        await editor.command('push_job', {job_id, state: 'succeeded', result: {
            summary: {total: 0, passed: 0, failed: 0, skipped: 0, inconclusive: 0, duration_ms: 1},
            failed_tests: [], skipped_tests: [], truncated: false,
        }});
        assert.equal((await client.ended(job_id)).state, 'succeeded');
    });

    test('the cancel of a job whose editor is disconnected is sent after it reconnects', async t => {
        const {server, editor, client} = await start(t, {limits: {request_reconnect_wait_ms: NEVER_MS}});
        const job_id = await job(client, LONG_JOB);
        await editor.command('down', {how: 'drop'});
        await server.logged('editor disconnected');
        assert.equal((await cancel(client, job_id)).status, 'cancel_requested');
        await editor.command('up');
        assert.equal((await editor.message('cancel')).target_job_id, job_id);
        assert.equal((await client.ended(job_id)).state, 'cancelled');
    });

    for (const [state, filter, more] of [
        ['succeeded', 'fake:steps=1,step=1'],
        ['failed', 'fake:steps=1,step=1,fail'],
        ['timeout', LONG_JOB, {timeout_ms: 50}],
        ['cancelled', LONG_JOB],
    ])
        test(`a job that has ended (${state}): the cancel is rejected, and the job stays unchanged`, async t => {
            const {editor, client} = await start(t);
            const job_id = await job(client, filter, more);
            if (state === 'cancelled')
                await cancel(client, job_id);
            const before = await client.ended(job_id);
            assert.equal(before.state, state);
            const cancels = state === 'timeout' || state === 'cancelled' ? 1 : 0;
            if (cancels)
                await editor.message('cancel');
            assert.deepEqual(await cancel(client, job_id), {job_id, status: 'rejected', state});
            assert.deepEqual(await client.status(job_id), before);
            ok(await client.call('read_console'));
            assert.equal(editor.messages('cancel').length, cancels);
        });

    test('an unknown job: ERR_JOB_NOT_FOUND', async t => {
        const {client} = await start(t, {editor: false});
        for (const name of ['cancel_job', 'get_job_status'])
            for (const job_id of ['x', '', 'job-000000-1', 'ä'.repeat(1000)])
                fails(await client.call(name, {job_id}), 'ERR_JOB_NOT_FOUND');
    });

    test('a job of an earlier server process is unknown', async t => {
        const first = await start(t);
        const job_id = await job(first.client, LONG_JOB);
        const {client} = await start(t);
        await job(client, LONG_JOB);
        fails(await client.call('cancel_job', {job_id}), 'ERR_JOB_NOT_FOUND');
    });

    test('a call that is not a job cannot be cancelled by its id', async t => {
        const {editor, client} = await start(t);
        await editor.hold();
        const call = client.call('read_console');
        const {request_id} = await editor.receives('read_console');
        fails(await client.call('cancel_job', {job_id: request_id}), 'ERR_CANCEL_NOT_SUPPORTED');
        await editor.release();
        ok(await call);
    });
});

test('cancelling a long poll does not affect its job', async t => {
    const {server, editor, client, other} = await startRaw(t);
    const job_id = await job(other, LONG_JOB);
    const poll = client.tool('get_job_status', {job_id, wait_ms: 20000});
    await client.settled();
    client.cancel(poll);
    await client.settled();
    assert.equal((await other.status(job_id)).state, 'running');
    assert.deepEqual(editor.messages('cancel'), []);
    assert.deepEqual(client.answers(poll), []);
    await server.logged('request', {tool: 'get_job_status', outcome: 'cancelled', job_id});
});

test('a client that submits with wait_ms and leaves before it has the id leaves no job behind', async t => {
    const {editor, client, other} = await startRaw(t);
    const submission = client.tool('run_tests', {filter: LONG_JOB, wait_ms: 20000});
    const {job_id} = await editor.receives('run_tests');
    await until(() => other.state(), 'acceptance', {is: now => now.queue.running === null});
    client.cancel(submission);
    assert.equal((await editor.message('cancel')).target_job_id, job_id);
    assert.equal((await other.ended(job_id)).state, 'cancelled');
    assert.deepEqual(client.answers(submission), []);
});

test('a cancel notification without an open request is ignored', async t => {
    const {server, client} = await start(t);
    await post(server, {jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 99}},
        (await openSession(server)).headers);
    ok(await client.call('read_console'));
    ok(await modernCall(server, 'read_console'));
});
