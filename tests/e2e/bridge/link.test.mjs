// The connection to the editor: hello, replacement, refusal, silence, size, resume
// (docs/spec/10-bridge.md, 3, 4).
import assert from 'node:assert/strict';
import {mkdirSync, realpathSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import WebSocket from 'ws';
import {
    connect, fails, folder, isError, LONG_JOB, NEVER_MS, ok, open, readConsole, serve, start,
} from '../fixtures/bridge.mjs';
import {until, within} from '../fixtures/program.mjs';

const EMPTY = {
    entries: [], count: 0, total_count: 0, truncated: false, cursor: '1',
    type_summary: {log: 0, warning: 0, error: 0, assert: 0, exception: 0},
};
const answer = (editor, request_id, result = EMPTY) =>
    editor.send({type: 'result', request_id, status: 'ok', result});

/** A bare WebSocket at /unity; the test decides what it sends. */
async function openLink(t, server, first) {
    const ws = new WebSocket(`ws://127.0.0.1:${server.port}/unity`);
    const received = [];
    ws.on('error', () => {});
    ws.on('message', data => received.push(JSON.parse(data)));
    const closed = new Promise(resolve => ws.once('close', (code, reason) => resolve({code, reason: `${reason}`})));
    t.after(() => ws.terminate());
    await within(new Promise(resolve => ws.once('open', resolve)), 'a WebSocket');
    if (first !== undefined)
        ws.send(typeof first === 'string' || Buffer.isBuffer(first) ? first : JSON.stringify(first));
    return {ws, received, closed: () => within(closed, 'the end of the connection', () => received)};
}

const HELLO = {
    type: 'hello', protocol_version: 1, plugin_version: '1', editor_instance_id: 'bare', plugin_session_id: 's',
    connect_attempt_seq: 1, project_path: '/p', state: 'ready',
};

describe('hello', () => {
    test('is answered with the server\'s identity, its limits, and its tools', async t => {
        const {editor} = await start(t, {limits: {editor_status_interval_ms: 4000, max_message_bytes: 500_000}});
        const hello = await editor.message('hello');
        assert.match(hello.connection_id, /^link-\w{6}-1$/);
        assert.match(hello.server_version, /^\d+\.\d+\.\d+$/);
        const {server_version, connection_id, ...rest} = hello;
        assert.deepEqual(rest, {
            type: 'hello', protocol_version: 1, editor_status_interval_ms: 4000, max_message_bytes: 500_000,
            reconnect_initial_ms: 10, reconnect_multiplier: 1.8, reconnect_max_ms: 10, reconnect_jitter: 0,
        });
        const {tools} = await editor.message('capability');
        assert.deepEqual(tools.find(tool => tool.name === 'run_tests'), {
            name: 'run_tests', execution_mode: 'job', supports_cancel: true, default_timeout_ms: 300_000,
            max_timeout_ms: 1_800_000, requires_client_request_id: false, execution_error_retryable: false,
        });
    });

    for (const [what, first, pattern] of [
        ['of another protocol', {...HELLO, protocol_version: 2}, /protocol_version must be 1/],
        ['without a protocol', {...HELLO, protocol_version: undefined}, /protocol_version must be 1/],
        ['without an id', {...HELLO, editor_instance_id: undefined}, /editor_instance_id/],
        ['with an id that is too long', {...HELLO, editor_instance_id: 'x'.repeat(257)}, /editor_instance_id/],
        ['without a state', {...HELLO, state: undefined}, /state/],
        ['with an unknown state', {...HELLO, state: 'asleep'}, /state/],
        ['of another type', {type: 'editor_status', protocol_version: 1, seq: 1}, /must be hello/],
        ['with invalid JSON', 'hello?', /not JSON/],
    ])
        test(`${what} is refused with an error, and the connection is closed`, async t => {
            const server = await serve(t);
            const link = await openLink(t, server, first);
            const {code, reason} = await link.closed();
            assert.equal(code, 1008);
            assert.equal(link.received.length, 1);
            const [{type, protocol_version, error}] = link.received;
            assert.deepEqual([type, protocol_version], ['error', 1]);
            assert.match(isError(error, 'ERR_INVALID_REQUEST').message, pattern);
            assert.ok(error.message.startsWith(reason.slice(0, 40)));
            assert.equal((await server.logged('editor refused')).level, 'warn');
        });

    test('needs only an id and a state', async t => {
        const server = await serve(t);
        await openLink(t, server, {type: 'hello', protocol_version: 1, editor_instance_id: 'i', state: 'ready', x: [1]});
        const client = await connect(t, server);
        await until(() => client.state(), 'a connection', {is: now => now.connected});
        const {editor, project_path, plugin_version} = await client.state();
        assert.deepEqual([editor, plugin_version], ['unity', null]);
        assert.equal(project_path, realpathSync(server.cwd));
    });

    test('is required within stale_connection_timeout_ms', async t => {
        const server = await serve(t, {limits: {stale_connection_timeout_ms: 100, editor_status_interval_ms: 50}});
        const link = await openLink(t, server);
        await link.closed();
        assert.equal((await server.logged('no hello came')).level, 'warn');
    });

    test('8 connections may be without a hello, one more is refused', async t => {
        const server = await serve(t, {limits: {stale_connection_timeout_ms: NEVER_MS}});
        const links = [];
        for (let i = 0; i < 8; i++)
            links.push(await openLink(t, server));
        assert.equal((await (await openLink(t, server)).closed()).code, 1008);
        links[0].ws.terminate();
        await until(async () => {
            const link = await openLink(t, server, HELLO);
            return Promise.race([link.closed().then(() => false), until(() => link.received.length, 'hello', server)]);
        }, 'a free place');
    });
});

describe('messages of the editor', () => {
    test('an unknown type gets an error; unknown fields are ignored', async t => {
        const {editor, client} = await start(t);
        await editor.send({type: 'nonsense', request_id: 'x'});
        const {message} = await editor.event('error');
        assert.equal(message.request_id, 'x');
        assert.match(isError(message.error, 'ERR_UNKNOWN_COMMAND').message, /nonsense/);
        await editor.send({type: 'editor_status', seq: 1000, state: 'compiling', timestamp: 'now', more: {a: []}});
        await until(() => client.state(), 'compiling', {is: now => now.editor_state === 'compiling'});
    });

    test('invalid JSON gets an error, and the connection stays open', async t => {
        const {editor, client} = await start(t);
        for (const message of ['}{', '', '{"type":"editor_status"', '[1]', '"hello"']) {
            await editor.command('send', {message});
            isError((await editor.event('error')).message.error, 'ERR_INVALID_REQUEST');
        }
        ok(await client.call('read_console'));
        assert.equal(editor.events('closed').length, 0);
    });

    test('invalid contents of a known type get an error', async t => {
        const {editor, client} = await start(t);
        for (const message of [
            {type: 'editor_status', state: 'asleep', seq: 99}, {type: 'editor_status', state: 'ready'},
            {type: 'capability'}, {type: 'capability', tools: 5}, {...HELLO},
        ]) {
            await editor.send(message);
            isError((await editor.event('error')).message.error, 'ERR_INVALID_REQUEST');
        }
        ok(await client.call('read_console'));
    });

    test('an editor_status with an old number is dropped', async t => {
        const {editor, client} = await start(t);
        const status = (seq, state) => editor.send({type: 'editor_status', seq, state});
        await status(50, 'ready');
        await status(50, 'compiling');
        await status(49, 'reloading');
        await editor.send({type: 'nonsense'}); // answered in its turn
        await editor.event('error');
        let state = await client.state();
        assert.deepEqual([state.editor_state, state.last_editor_status_seq], ['ready', 50]);
        await status(51, 'compiling');
        await until(() => client.state(), 'the new status', {is: now => now.editor_state === 'compiling'});
        state = await client.state();
        assert.equal(state.last_editor_status_seq, 51);
    });

    test('a binary message closes the connection', async t => {
        const server = await serve(t);
        const link = await openLink(t, server, HELLO);
        await until(() => link.received, 'hello and capability', {is: all => all.length >= 2});
        link.ws.send(Buffer.from('{"type":"editor_status"}'), {binary: true});
        assert.equal((await link.closed()).code, 1003);
    });
});

describe('two editors', () => {
    test('the same editor replaces its old connection when it connects again, and its calls go on there', async t => {
        const {server, editor, client} = await start(t, {editor: ['--instance', 'same', '--no-reconnect']});
        const call = client.call(...readConsole('fake:hang'));
        const {request_id} = await editor.receives('read_console');
        const second = await open(t, server, ['--instance', 'same']);
        const {code, reason} = await editor.event('closed');
        assert.deepEqual([code, reason], [1000, 'replaced by a new connection']);
        assert.deepEqual((await second.message('resume')).request_ids, [request_id]);
        fails(await call, 'ERR_RECONNECT_TIMEOUT'); // the new editor does not know it
        ok(await client.call('read_console'));
        assert.equal(second.received().length, 1);
        assert.equal(server.log.some(l => l.event === 'editor disconnected'), false);
    });

    test('a different editor is refused with the reason, and the first one stays', async t => {
        const {server, editor, client} = await start(t);
        const second = await open(t, server, ['--instance', 'other', '--no-reconnect'], {connects: false});
        const {message} = await second.event('error');
        assert.match(isError(message.error, 'ERR_INVALID_REQUEST').message, /^another editor is connected/);
        const {code, reason} = await second.event('closed');
        assert.equal(code, 1008);
        assert.match(reason, /^another editor is connected/);
        ok(await client.call('read_console'));
        assert.equal(editor.received().length, 1);
        assert.deepEqual(second.received(), []);
        await editor.command('down');
        await server.logged('editor disconnected');
        await second.command('up');
        await second.event('connected');
        ok(await client.call('read_console'));
        assert.equal(second.received().length, 1);
    });

    test('the editor of another project gets none of the first one\'s calls', async t => {
        const {server, editor, client} = await start(t, {
            stdio: true, editor: ['--instance', 'a', '--project', '/projects/A', '--no-reconnect'],
        });
        const {job_id} = ok(await client.call('run_tests', {filter: LONG_JOB}));
        const running = client.call(...readConsole('fake:hang'));
        const waiting = client.call(...readConsole('b'));
        await client.waiting(1);
        await editor.command('down', {how: 'drop'});
        await server.logged('editor disconnected');
        const second = await open(t, server, ['--instance', 'b', '--project', '/projects/B']);
        fails(await waiting, 'ERR_UNITY_DISCONNECTED');
        fails(await running, 'ERR_RECONNECT_TIMEOUT');
        const job = await client.ended(job_id);
        assert.equal(job.state, 'failed');
        isError(job.error, 'ERR_RECONNECT_TIMEOUT');
        ok(await client.call(...readConsole('c')));
        assert.deepEqual(second.received().map(l => l.params.message_pattern), ['c']);
        assert.equal((await client.state()).project_path, '/projects/B');
    });

    test('a server of a Unity project accepts only its editors', async t => {
        const cwd = folder(t);
        for (const name of ['Assets', 'ProjectSettings', 'Assets/Deep'])
            mkdirSync(path.join(cwd, name));
        const server = await serve(t, {cwd, args: ['--project', 'Assets/Deep']});
        const other = await open(t, server, ['--project', '/elsewhere', '--no-reconnect'], {connects: false});
        assert.match((await other.event('error')).message.error.message, /^this server is for another project/);
        assert.equal((await other.event('closed')).code, 1008);
        await open(t, server, ['--project', realpathSync(cwd)]);
        const client = await connect(t, server);
        ok(await client.call('read_console'));
    });
});

describe('a silent connection', () => {
    test('is dropped after stale_connection_timeout_ms; the editor may reconnect', async t => {
        const {server, editor, client} = await start(t,
            {limits: {editor_status_interval_ms: 100, stale_connection_timeout_ms: 1000}});
        await editor.command('silent', {on: true});
        assert.equal((await server.logged('editor is silent')).level, 'warn');
        await editor.event('closed');
        await until(() => client.state(), 'no connection', {is: now => !now.connected});
        await editor.command('silent', {on: false});
        ok(await client.call('read_console'));
    });

    test('stays open while its heartbeat arrives', async t => {
        const {editor, client} = await start(t,
            {limits: {editor_status_interval_ms: 20, stale_connection_timeout_ms: 1000}});
        await until(() => client.state(), 'one and a half times that timeout', {is: now => now.connected_ms > 1500});
        assert.ok((await client.state()).last_editor_status_seq > 3);
        assert.equal(editor.events('closed').length, 0);
    });
});

describe('sizes', () => {
    test('a result of up to 1 MiB is accepted, a larger one is ERR_INVALID_RESPONSE', async t => {
        const {server, editor, client} = await start(t);
        const {entries} = ok(await client.call(...readConsole('fake:huge=1040000')));
        assert.equal(entries[0].message.length, 1_040_000);
        const error = fails(await client.call(...readConsole('fake:huge=1100000')), 'ERR_INVALID_RESPONSE');
        assert.match(error.message, /max_message_bytes \(1048576\)/);
        assert.equal((await editor.event('closed')).code, 1009);
        assert.equal((await server.logged('editor disconnected')).code, 1009);
        ok(await client.call('read_console'));
        assert.equal(editor.executed(), 3);
        // if it were sent again, it would close the next connection too
        assert.deepEqual(editor.messages('resume'), []);
    });

    test('arguments of up to 1 MiB are sent, larger ones are ERR_INVALID_PARAMS', async t => {
        const {editor, client} = await start(t);
        ok(await client.call(...readConsole('x'.repeat(1_040_000))));
        assert.match(fails(await client.call(...readConsole('x'.repeat(1_050_000))), 'ERR_INVALID_PARAMS').message,
            /at most 1048576/);
        ok(await client.call('read_console'));
        assert.equal(editor.received().length, 2);
        assert.equal(editor.events('closed').length, 0);
    });

    test('max_message_bytes sets both limits', async t => {
        const {client} = await start(t, {limits: {max_message_bytes: 5000}});
        ok(await client.call(...readConsole('fake:huge=4000')));
        fails(await client.call(...readConsole('x'.repeat(5000))), 'ERR_INVALID_PARAMS');
        fails(await client.call(...readConsole('fake:huge=5000')), 'ERR_INVALID_RESPONSE');
        const large = await start(t, {limits: {max_message_bytes: 4_000_000}});
        assert.equal(ok(await large.client.call(...readConsole('fake:huge=3000000'))).entries[0].message.length, 3_000_000);
    });
});

describe('a connection that breaks while a call runs', () => {
    test('the result is sent again, once, and the call is not', async t => {
        const {editor, client} = await start(t);
        ok(await client.call(...readConsole('fake:drop')));
        const {request_id} = await editor.receives('read_console');
        assert.deepEqual(await editor.message('resume'),
            {type: 'resume', protocol_version: 1, request_ids: [request_id], job_ids: []});
        // written after the response
        await editor.traced('resumed', l => l.request_id === request_id);
        assert.deepEqual(editor.trace().filter(l => l.request_id === request_id).map(l => [l.what, l.how]), [
            ['received', undefined], ['executed', 'read_console'], ['answered', 'dropped'], ['resumed', 'sent again'],
        ]);
    });

    test('a call that the editor does not know is ERR_RECONNECT_TIMEOUT', async t => {
        const {server, editor, client} = await start(t);
        const error = fails(await client.call(...readConsole('fake:lose')), 'ERR_RECONNECT_TIMEOUT');
        const {request_id} = await editor.receives('read_console');
        assert.equal(error.details.request_id, request_id);
        await editor.traced('resumed', l => l.request_id === request_id && l.how === 'unknown');
        assert.equal((await server.logged('request', {request_id})).level, 'warn');
        assert.equal(editor.executed(), 0);
        ok(await client.call('read_console'));
    });

    test('a call that is still running is waited for', async t => {
        const {editor, client} = await start(t);
        const call = client.call(...readConsole('fake:hang'));
        const {request_id} = await editor.receives('read_console');
        await editor.command('drop', {how: 'rst'});
        await editor.traced('resumed', l => l.request_id === request_id && l.how === 'at work');
        assert.equal((await client.state()).queue.running.request_id, request_id);
        await answer(editor, request_id);
        assert.deepEqual(ok(await call), EMPTY);
    });

    test('its timeout continues while the editor is disconnected', async t => {
        const {editor, client} = await start(t, {limits: {request_reconnect_wait_ms: NEVER_MS}});
        const call = client.call(...readConsole('fake:hang', {timeout_ms: 300}));
        await editor.receives('read_console');
        await editor.command('down', {how: 'drop'});
        fails(await call, 'ERR_REQUEST_TIMEOUT');
        await editor.command('up');
        ok(await client.call('read_console'));
        assert.deepEqual(editor.messages('resume'), []); // nothing runs
    });

    test('without a reconnect in request_reconnect_wait_ms: ERR_RECONNECT_TIMEOUT; a late result is dropped', async t => {
        const {server, editor, client} = await start(t, {limits: {request_reconnect_wait_ms: 100}});
        const call = client.call(...readConsole('fake:hang'));
        const {request_id} = await editor.receives('read_console');
        await editor.command('down', {how: 'drop'});
        assert.match(fails(await call, 'ERR_RECONNECT_TIMEOUT').message, /100 ms/);
        await editor.command('up');
        await editor.event('connected', m => m.attempt === 2);
        await answer(editor, request_id);
        await server.logged('late message dropped', {id: request_id});
        ok(await client.call('read_console'));
    });

    test('the calls after it keep their places', async t => {
        const {server, editor, client} = await start(t, {stdio: true});
        const calls = ['fake:hang', 'b', 'c', 'd'].map(name => client.call(...readConsole(name)));
        const {request_id} = await editor.receives('read_console');
        await client.waiting(3);
        await editor.command('down', {how: 'drop'});
        await server.logged('editor disconnected');
        assert.equal((await client.state()).queue.waiting, 3);
        await editor.command('up');
        await editor.message('resume');
        await answer(editor, request_id);
        (await Promise.all(calls)).forEach(ok);
        assert.deepEqual(editor.received().map(l => l.params.message_pattern), ['fake:hang', 'b', 'c', 'd']);
        assert.ok(editor.received().every(l => !l.again));
    });

    test('an editor that crashes does not come back', async t => {
        const {editor, client} = await start(t, {limits: {request_reconnect_wait_ms: 100}});
        editor.endsWith(1);
        fails(await client.call(...readConsole('fake:crash')), 'ERR_RECONNECT_TIMEOUT');
        fails(await client.call('read_console'), 'ERR_EDITOR_NOT_READY');
        assert.equal((await client.state()).connected, false);
    });
});
