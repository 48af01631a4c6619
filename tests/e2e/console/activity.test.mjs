// Requests and jobs of all clients: client, state and end; and cancelling those of another client.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {connect, fails, launch, modernCall, ok, open, pipe} from '../fixtures/bridge.mjs';
import {run} from '../fixtures/cli.mjs';
import {cancel, change, openFeed, startConsole} from '../fixtures/feed.mjs';
import {KEY, modern} from '../fixtures/program.mjs';

const LONG = 'fake:steps=1,step=1000000';

describe('an entry', () => {
    test('names the client, over every transport', async t => {
        const {server, client} = await startConsole(t, {stdio: true});
        const feed = await openFeed(t, server);
        ok(await client.call('read_console', {message_pattern: 'stdio'}));
        ok(await (await connect(t, server)).call('read_console', {message_pattern: 'http'}));
        ok(await modernCall(server, 'read_console', {message_pattern: 'modern'}));
        const attached = launch(t, {limits: null, stdio: true, text: true, port: server.port, cwd: server.cwd});
        ok(await (await connect(t, server, {program: attached})).call('read_console', {message_pattern: 'attached'}));
        assert.equal((await run(['call', 'read_console', 'message_pattern=shell', '--port', `${server.port}`])).code, 0);
        for (const [subject, name] of [['stdio', 'e2e 1'], ['http', 'e2e 1'], ['modern', 'e2e 1'],
            ['attached', 'e2e 1'], ['shell', /^multiverse-call \d/]]) {
            const entry = await feed.entry(e => e.subject === subject && e.state === 'succeeded');
            if (typeof name === 'string')
                assert.equal(entry.client, name, subject);
            else
                assert.match(entry.client, name, subject);
        }
    });

    test('shows the texts of a hostile client as one line, cut', async t => {
        const {server} = await startConsole(t);
        const feed = await openFeed(t, server);
        const call = (name, pattern) => modern(server, 'tools/call', {name: 'read_console',
            arguments: {message_pattern: pattern, max_entries: -1},
            _meta: {[`${KEY}clientInfo`]: {name, version: '\u001b[31m\n'}}});
        await call('<img src=x onerror=alert(1)>\u0000\u202e\r\n', `<script>\u2028${'日'.repeat(1000)}`);
        const entry = await feed.entry(e => e.client.startsWith('<img'));
        assert.equal(entry.client, '<img src=x onerror=alert(1)>\ufffd\ufffd   \ufffd[31m ');
        assert.match(entry.subject, /^<script>\ufffd日+…$/);
        for (const text of [entry.client, entry.subject, entry.message]) {
            assert.ok(Buffer.byteLength(text) <= 160, text);
            assert.doesNotMatch(text, /[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
        }
        await call('n'.repeat(10_000), 'x');
        await feed.entry(e => /^n+… \ufffd\[31m $/.test(e.client));
        await modern(server, 'tools/call', {name: 'read_console', arguments: 7,
            _meta: {[`${KEY}clientInfo`]: {name: 7, version: {}}}}); // wrong types
        assert.equal((await modern(server, 'ping')).status < 500, true);
    });

    test('has its times, its end and the guarantee', async t => {
        const {server, editor, client} = await startConsole(t);
        const feed = await openFeed(t, server);
        const before = Date.now();
        ok(await client.call('read_console', {message_pattern: 'fine'}));
        fails(await client.call('get_component_info', {game_object_path: '/Nowhere', index: -1}),
            'ERR_INVALID_PARAMS');
        await editor.hold();
        fails(await client.call('read_console', {message_pattern: 'late', timeout_ms: 1000}), 'ERR_REQUEST_TIMEOUT');
        const fine = await feed.entry(e => e.subject === 'fine' && e.ended_at);
        assert.deepEqual([fine.kind, fine.tool, fine.state, fine.outcome, fine.guarantee, fine.message],
            ['request', 'read_console', 'succeeded', 'ok', null, '']);
        const times = [before, fine.received_at, fine.queued_at, fine.started_at, fine.ended_at, Date.now()];
        assert.deepEqual(times, [...times].sort((a, b) => a - b));
        const wrong = await feed.entry(e => e.subject === '/Nowhere');
        assert.deepEqual([wrong.state, wrong.outcome, wrong.guarantee, wrong.queued_at, wrong.started_at],
            ['failed', 'ERR_INVALID_PARAMS', 'not_executed', null, null]);
        const late = await feed.entry(e => e.subject === 'late' && e.ended_at);
        assert.deepEqual([late.state, late.outcome, late.guarantee], ['timeout', 'ERR_REQUEST_TIMEOUT', 'unknown']);
        assert.match(late.message, /did not answer within 1000 ms/);
        assert.ok(late.ended_at - late.started_at > 900); // the limit goes by another clock
    });

    test('of a job has its progress and names its call', async t => {
        const {server, client} = await startConsole(t);
        const feed = await openFeed(t, server);
        const {job_id} = ok(await client.call('run_tests', {filter: 'fake:steps=3,step=50'}));
        const job = await feed.entry(e => e.id === job_id && e.progress?.done > 0);
        assert.equal(job.kind, 'job');
        assert.equal(job.client, 'e2e 1');
        assert.ok(job.queued_at >= job.received_at && job.started_at >= job.queued_at);
        const call = await feed.entry(e => e.id === job.other_id);
        assert.deepEqual([call.kind, call.tool, call.other_id], ['request', 'run_tests', job_id]);
        const ended = await feed.entry(e => e.id === job_id && e.ended_at);
        assert.deepEqual([ended.state, ended.outcome, ended.can_cancel], ['succeeded', 'ok', false]);
    });
});

describe('cancel', () => {
    test('of another client\'s call ends it before it is sent', async t => {
        const {server, editor, client} = await startConsole(t);
        const other = await connect(t, server), feed = await openFeed(t, server);
        await editor.hold();
        const [running, queued, kept] = [client.call('read_console', {message_pattern: 'a'}),
            other.call('read_console', {message_pattern: 'b'}), client.call('read_console', {message_pattern: 'c'})];
        const entry = await feed.entry(e => e.subject === 'b' && e.state === 'queued');
        assert.equal(entry.can_cancel, true);
        assert.equal((await feed.entry(e => e.subject === 'a' && e.state === 'running')).can_cancel, false);
        await feed.entry(e => e.subject === 'c' && e.state === 'queued');
        assert.deepEqual(await cancel(server, entry.id), {id: entry.id, status: 'cancelled'});
        const error = fails(await queued, 'ERR_EDITOR_NOT_READY');
        assert.match(error.message, /cancelled before it was sent/);
        const ended = await feed.entry(e => e.subject === 'b' && e.state === 'cancelled');
        assert.deepEqual([ended.outcome, ended.guarantee, ended.can_cancel], ['cancelled', 'not_executed', false]);
        assert.deepEqual(await cancel(server, entry.id), {id: entry.id, status: 'rejected'});
        await editor.release();
        ok(await running);
        ok(await kept);
        assert.deepEqual(editor.received().map(l => l.params.message_pattern), ['a', 'c']);
    });

    test('of a call that waits for the editor ends it', async t => {
        const {server} = await startConsole(t, {editor: false, stdio: true});
        const client = await connect(t, server), feed = await openFeed(t, server);
        const call = client.call('read_console');
        const {id, queued_at} = await feed.entry(e => e.state === 'waiting_editor_ready');
        assert.equal(queued_at, null);
        assert.equal((await cancel(server, id)).status, 'cancelled');
        fails(await call, 'ERR_EDITOR_NOT_READY');
        const editor = await open(t, server);
        ok(await client.call('get_scene_hierarchy'));
        assert.equal(editor.received().length, 1);
    });

    test('of a running call is requested; its client gets the result', async t => {
        const {server, editor, client} = await startConsole(t);
        const feed = await openFeed(t, server);
        await editor.hold();
        const call = client.call('read_console');
        const {id} = await feed.entry(e => e.state === 'running');
        assert.equal((await cancel(server, id)).status, 'cancel_requested');
        await editor.release();
        ok(await call);
        assert.equal(editor.messages('cancel').length, 0); // the tool does not support it
    });

    test('of a running job reaches the editor; that of a queued job does not', async t => {
        const {server, editor, client} = await startConsole(t);
        const feed = await openFeed(t, server);
        const [first, second] = [ok(await client.call('run_tests', {filter: LONG})).job_id,
            ok(await client.call('run_tests', {filter: LONG})).job_id];
        await feed.entry(e => e.id === second && e.state === 'queued' && e.can_cancel);
        assert.deepEqual(await cancel(server, second), {id: second, status: 'cancelled'});
        await feed.entry(e => e.id === first && e.state === 'running' && e.can_cancel);
        assert.deepEqual(await cancel(server, first), {id: first, status: 'cancel_requested'});
        for (const id of [first, second]) {
            await feed.entry(e => e.id === id && e.state === 'cancelled');
            assert.equal((await client.status(id)).state, 'cancelled');
            assert.equal((await cancel(server, id)).status, 'rejected');
        }
        assert.equal(editor.received().length, 1);
    });

    test('of an ended entry or a control call is refused', async t => {
        const {server, client} = await startConsole(t);
        const feed = await openFeed(t, server);
        const {job_id} = ok(await client.call('run_tests', {filter: LONG}));
        const poll = client.call('get_job_status', {job_id, wait_ms: 20_000});
        const {id} = await feed.entry(e => e.tool === 'get_job_status' && e.state === 'running');
        const error = async body => {
            const {status, json} = await change(server, '/api/activity/cancel', body);
            return [status, json.error.code];
        };
        assert.deepEqual(await error({id}), [409, 'ERR_CANCEL_NOT_SUPPORTED']);
        assert.deepEqual(await error({id: 'req-0'}), [400, 'ERR_INVALID_PARAMS']);
        assert.deepEqual(await error({id: 'job-0'}), [404, 'ERR_JOB_NOT_FOUND']);
        assert.deepEqual(await error({}), [400, 'ERR_INVALID_PARAMS']);
        assert.deepEqual(await error({id: ['x']}), [400, 'ERR_INVALID_PARAMS']);
        await cancel(server, job_id);
        assert.equal(ok(await poll).state, 'cancelled');
    });

    test('answers a call over stdio, too', async t => {
        const {server, editor} = await startConsole(t, {stdio: false});
        const attached = launch(t, {limits: null, stdio: true, text: true, port: server.port, cwd: server.cwd});
        const raw = await pipe(attached), feed = await openFeed(t, server);
        await editor.hold();
        const [first, second] = [raw.tool('read_console', {message_pattern: 'a'}), raw.tool('get_scene_hierarchy')];
        const {id} = await feed.entry(e => e.tool === 'get_scene_hierarchy' && e.state === 'queued');
        assert.equal((await cancel(server, id)).status, 'cancelled');
        fails((await raw.answer(second)).result, 'ERR_EDITOR_NOT_READY');
        await editor.release();
        ok((await raw.answer(first)).result);
    });
});
