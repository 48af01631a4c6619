// Calls wait for an editor that is not ready; get_editor_state gives the reason; the tool list
// follows the editor.
import assert from 'node:assert/strict';
import {realpathSync} from 'node:fs';
import {describe, test} from 'node:test';

import {ToolListChangedNotificationSchema} from '@modelcontextprotocol/sdk/types.js';
import {
    connect, fails, LONG_JOB, modernCall, NEVER_MS, ok, open, patternsOf, pipe, readConsole,
    serve, start,
} from '../fixtures/bridge.mjs';
import {enveloped, modernHeaders, openStream, request, until, within} from '../fixtures/program.mjs';

describe('without an editor', () => {
    test('calls wait for it and go out in the order of their arrival', async t => {
        const server = await serve(t, {stdio: true});
        const client = await connect(t, server, {program: server});
        const calls = ['a', 'b', 'c', 'd'].map(name => client.call(...readConsole(name)));
        await client.waiting(4);
        const editor = await open(t, server);
        (await Promise.all(calls)).forEach(ok);
        assert.deepEqual(patternsOf(editor), ['a', 'b', 'c', 'd']);
    });

    test('if none connects: ERR_EDITOR_NOT_READY, for every tool that needs one', async t => {
        const {server, client} = await start(t, {editor: false, limits: {request_reconnect_wait_ms: 50}});
        assert.match(fails(await client.call('read_console'), 'ERR_EDITOR_NOT_READY').message, /50 ms/);
        const error = fails(await client.call('run_tests'), 'ERR_EDITOR_NOT_READY');
        // a job has an id only once the editor is ready
        assert.equal(error.details.job_id, undefined);
        fails(await modernCall(server, 'read_console'), 'ERR_EDITOR_NOT_READY');
        // this tool needs no editor
        fails(await client.call('get_job_status', {job_id: 'x'}), 'ERR_JOB_NOT_FOUND');
        const line = await server.logged('request', {tool: 'read_console'});
        assert.deepEqual([line.level, line.state, line.outcome], ['info', 'failed', 'ERR_EDITOR_NOT_READY']);
    });

    test('each call has its own time to wait', async t => {
        const {client} = await start(t, {editor: false, stdio: true, limits: {request_reconnect_wait_ms: 50}});
        const calls = [1, 2, 3].map(() => client.call('read_console'));
        (await Promise.all(calls)).forEach(result => fails(result, 'ERR_EDITOR_NOT_READY'));
        assert.equal((await client.state()).queue.waiting, 0);
    });
});

for (const state of ['compiling', 'reloading'])
    describe(`while the editor is ${state}`, () => {
        test('calls wait, and progress gives the reason', async t => {
            const server = await serve(t, {stdio: true});
            const editor = await open(t, server, ['--state', state]);
            const client = await pipe(server), other = await connect(t, server);
            const ids = ['a', 'b'].map(name => client.tool(...readConsole(name), {_meta: {progressToken: name}}));
            const notice = await client.next(m => m.method === 'notifications/progress');
            assert.equal(notice.params.message, `waiting for the editor: ${state}`);
            await other.waiting(2);
            assert.equal((await other.state()).wait_reason, state);
            assert.deepEqual(editor.received(), []);
            await editor.command('status', {state: 'ready'});
            for (const id of ids)
                ok((await client.answer(id)).result);
            assert.deepEqual(patternsOf(editor), ['a', 'b']);
        });

        test('for longer than compile_grace_timeout_ms: ERR_COMPILE_TIMEOUT', async t => {
            const {editor, client} = await start(t, {
                limits: {compile_grace_timeout_ms: 50, request_reconnect_wait_ms: NEVER_MS}, editor: ['--state', state],
            });
            assert.match(fails(await client.call('read_console'), 'ERR_COMPILE_TIMEOUT').message, new RegExp(state));
            await editor.command('status', {state: 'ready'});
            ok(await client.call(...readConsole('b')));
            assert.deepEqual(patternsOf(editor), ['b']);
        });

        test('a queued call keeps waiting in its place', async t => {
            const {editor, client} = await start(t, {stdio: true});
            await editor.hold();
            const calls = ['a', 'b', 'c'].map(name => client.call(...readConsole(name)));
            await client.waiting(2);
            await editor.command('status', {state});
            await until(async () => (await client.state()).wait_reason === state, state);
            await editor.release();
            ok(await calls[0]); // a running call goes on
            assert.equal((await client.state()).queue.waiting, 2);
            assert.deepEqual(patternsOf(editor), ['a']);
            await editor.command('status', {state: 'ready'});
            (await Promise.all(calls)).forEach(ok);
            assert.deepEqual(patternsOf(editor), ['a', 'b', 'c']);
        });

        test('a call that waited for the connection may then wait for a compilation', async t => {
            const server = await serve(t,
                {limits: {request_reconnect_wait_ms: 1000, compile_grace_timeout_ms: NEVER_MS}});
            const client = await connect(t, server);
            const call = client.call('read_console');
            await client.waiting(1);
            const editor = await open(t, server, ['--state', state]);
            await until(() => client.state(), 'more than the first wait', {is: now => now.connected_ms > 1500});
            await editor.command('status', {state: 'ready'});
            ok(await call);
        });
    });

describe('during work', () => {
    /** Check that the call with this id was sent after the editor changed to this state. */
    const sentBehind = async (server, to, request_id) => {
        const sent = await server.logged('request moved', {request_id, to: 'running'});
        const changed = server.log.findLast(l => l.event === 'editor state' && l.to === to);
        assert.ok(server.log.indexOf(changed) < server.log.indexOf(sent));
    };

    test('a compilation after a call: the next call waits for its end', async t => {
        const {server, editor, client} = await start(t);
        ok(await client.call(...readConsole('fake:compile=100')));
        await server.logged('editor state', {to: 'compiling'});
        ok(await client.call(...readConsole('b')));
        const {request_id} = await editor.receives('read_console', m => m.params.message_pattern === 'b');
        await sentBehind(server, 'ready', request_id);
    });

    test('a domain reload after a call: the next call waits until the editor is back', async t => {
        const {server, editor, client} = await start(t);
        ok(await client.call(...readConsole('fake:reload=50')));
        await server.logged('editor state', {to: 'reloading'});
        ok(await client.call(...readConsole('b')));
        assert.deepEqual(editor.trace().map(l => l.what).filter(w => ['received', 'opened', 'reloading'].includes(w)),
            ['opened', 'received', 'reloading', 'opened', 'received']);
        const {request_id} = await editor.receives('read_console', m => m.params.message_pattern === 'b');
        await sentBehind(server, 'ready', request_id);
    });

    test('a domain reload while a job runs: the job goes on', async t => {
        const {editor, client} = await start(t);
        const {job_id} = ok(await client.call('run_tests', {filter: 'fake:steps=3,step=100'}));
        await editor.command('reload', {downMs: 20});
        const status = await client.ended(job_id);
        assert.equal(status.state, 'succeeded');
        assert.equal(status.result.summary.passed, 3);
        assert.equal(editor.received().length, 1);
    });

    test('a long reload: calls that arrive meanwhile go out after those that waited', async t => {
        const {server, editor, client} = await start(t, {stdio: true});
        await editor.hold();
        const first = ['a', 'b'].map(name => client.call(...readConsole(name)));
        await client.waiting(1);
        // otherwise the editor would not know it after the reconnect
        await editor.receives('read_console');
        await editor.command('down');
        await server.logged('editor disconnected');
        const later = client.call(...readConsole('c'));
        await client.waiting(2);
        await editor.command('up');
        (await Promise.all([...first, later])).forEach(ok);
        assert.deepEqual(patternsOf(editor), ['a', 'b', 'c']);
    });
});

describe('get_editor_state', () => {
    const KEYS = [
        'server_state', 'editor', 'editor_state', 'connected', 'last_editor_status_seq', 'project_path',
        'active_scene', 'scene_dirty', 'is_playing', 'is_paused', 'unity_version', 'plugin_version',
        'server_version', 'uptime_ms', 'connected_ms', 'queue', 'job', 'wait_reason',
    ];
    const readState = async client => {
        const {server_version, uptime_ms, connected_ms, plugin_version, ...rest} = await client.state();
        assert.match(server_version, /^\d+\.\d+\.\d+$/);
        assert.ok(uptime_ms >= 0 && (connected_ms === null || connected_ms <= uptime_ms));
        assert.deepEqual(Object.keys(await client.state()), KEYS);
        return rest;
    };
    const IDLE = {waiting: 0, capacity: 32, running: null};

    test('before any editor', async t => {
        const {server, client} = await start(t, {editor: false});
        assert.deepEqual(await readState(client), {
            server_state: 'waiting_editor', editor: null, editor_state: 'unknown', connected: false,
            last_editor_status_seq: 0, project_path: realpathSync(server.cwd), active_scene: null, scene_dirty: null,
            is_playing: null, is_paused: null, unity_version: null, queue: IDLE, job: null,
            wait_reason: 'reconnecting',
        });
        assert.equal((await client.state()).connected_ms, null);
    });

    const READY = {
        server_state: 'ready', editor: 'unity', editor_state: 'ready', connected: true, project_path: '/projects/Fake',
        active_scene: 'Assets/Scenes/SampleScene.unity', scene_dirty: false, is_playing: false, is_paused: false,
        unity_version: '6000.0.30f1', queue: IDLE, job: null, wait_reason: null,
    };

    test('with one that is ready, plays, pauses, has changes', async t => {
        const {editor, client} = await start(t);
        const {last_editor_status_seq, ...rest} = await readState(client);
        assert.ok(last_editor_status_seq <= 1);
        assert.deepEqual(rest, READY);
        await editor.command('status', {scene_dirty: true, is_playing: true, is_paused: true});
        await until(() => client.state(), 'in play mode', {is: now => now.is_playing});
        const {scene_dirty, is_playing, is_paused} = await client.state();
        assert.deepEqual([scene_dirty, is_playing, is_paused], [true, true, true]);
    });

    test('with a headless one, of its version', async t => {
        const {client} = await start(t, {editor: ['--editor', 'headless', '--unity-version', '2022.3']});
        const {editor, unity_version, plugin_version} = await client.state();
        assert.deepEqual([editor, unity_version, plugin_version], ['headless', '2022.3', '0.0.1-fake']);
    });

    for (const state of ['compiling', 'reloading'])
        test(`with one that is ${state}`, async t => {
            const {client} = await start(t, {editor: ['--state', state]});
            const {last_editor_status_seq, ...rest} = await readState(client);
            assert.deepEqual(rest, {...READY, editor_state: state, wait_reason: state});
        });

    test('after it disconnected: the last state is kept', async t => {
        const {server, editor, client} = await start(t, {editor: ['--state', 'compiling']});
        await editor.command('down');
        await server.logged('editor disconnected');
        const {server_state, editor: kind, editor_state, connected, wait_reason, project_path} = await readState(client);
        assert.deepEqual([server_state, kind, editor_state, connected, wait_reason, project_path],
            ['waiting_editor', null, 'compiling', false, 'reconnecting', '/projects/Fake']);
        await editor.command('status', {state: 'ready'});
        await editor.command('up');
        await editor.event('connected', m => m.attempt === 2);
        assert.equal((await client.state()).editor_state, 'ready'); // hello has the true state
    });

    test('with calls and jobs', async t => {
        const {editor, client} = await start(t, {stdio: true});
        const {job_id} = ok(await client.call('run_tests', {filter: LONG_JOB}));
        await editor.hold();
        const calls = [client.call('read_console'), client.call('read_console')];
        const {request_id} = await editor.receives('read_console');
        await client.waiting(1);
        const {queue, job} = await readState(client);
        assert.deepEqual([queue.waiting, queue.running.request_id, queue.running.tool], [1, request_id, 'read_console']);
        assert.deepEqual({...job, elapsed_ms: 0}, {job_id, tool: 'run_tests', state: 'running', elapsed_ms: 0});
        assert.ok(job.elapsed_ms >= 0);
        await editor.release();
        (await Promise.all(calls)).forEach(ok);
    });
});

describe('tools', () => {
    const EIGHT = ['get_editor_state', 'read_console', 'run_tests', 'get_job_status', 'cancel_job',
        'get_scene_hierarchy', 'get_component_info', 'manage_component'];
    const ALL = [...EIGHT, 'find_assets', 'find_component_types', 'list_scenes', 'open_scene', 'save_scene', 'undo', 'redo', 'control_play_mode'];
    const BY_SERVER = ['get_editor_state', 'get_job_status', 'cancel_job'];
    const names = async client => (await client.listTools()).tools.map(tool => tool.name).sort();

    /** Counts list_changed; changed(n) waits for the nth. */
    function counter() {
        let count = 0;
        return {
            onNotice: [[ToolListChangedNotificationSchema, () => { count++; }]],
            changed: n => until(() => count, `${n} times list_changed`, {is: now => now >= n}),
        };
    }

    test('the whole catalog is listed before the first editor', async t => {
        const {client} = await start(t, {editor: false});
        assert.deepEqual(await names(client), [...ALL].sort());
    });

    for (const stdio of [true, false])
        test(`the editor's tools are listed, and a change is notified (${stdio ? 'stdio' : 'HTTP'})`, async t => {
            const notices = counter();
            const {editor, client} = await start(t, {stdio, onNotice: notices.onNotice});
            await editor.command('capability', {tools: ['read_console', 'not_in_the_catalog']});
            await until(() => names(client), 'a shorter list', {is: now => now.length === 4});
            assert.deepEqual(await names(client), [...BY_SERVER, 'read_console'].sort());
            await notices.changed(1);
            await assert.rejects(client.call('get_scene_hierarchy'), error => error.code === -32602);
            await editor.command('capability', {tools: EIGHT});
            await until(() => names(client), 'the whole list', {is: now => now.length === 8});
            await notices.changed(2);
            ok(await client.call('get_scene_hierarchy'));
            assert.deepEqual(editor.received().map(l => l.tool_name), ['get_scene_hierarchy']);
        });

    test('a subscribed modern client is notified of a change', async t => {
        const {server, editor} = await start(t);
        const message = request('listen', 'subscriptions/listen', enveloped({notifications: {toolsListChanged: true}}));
        const stream = await openStream(server, message, modernHeaders(message));
        await stream.next(); // acknowledged
        await editor.command('capability', {tools: []});
        await stream.next(m => m.method === 'notifications/tools/list_changed');
        await stream.close();
    });

    test('a call waits for a tool that the editor turns out not to have', async t => {
        const server = await serve(t);
        const client = await connect(t, server);
        const call = client.call('get_scene_hierarchy');
        await client.waiting(1);
        const editor = await open(t, server, ['--state', 'compiling', '--tools', 'read_console']);
        await until(() => names(client), 'its capability', {is: now => now.length === 4});
        await editor.command('status', {state: 'ready'});
        const error = fails(await within(call, 'a response'), 'ERR_UNKNOWN_COMMAND');
        assert.match(error.message, /get_scene_hierarchy/);
        assert.deepEqual(editor.received(), []);
    });

    test('an editor\'s tools stay listed while it is disconnected', async t => {
        const {server, editor, client} = await start(t, {editor: ['--tools', 'read_console']});
        await until(() => names(client), 'its capability', {is: now => now.length === 4});
        await editor.command('down');
        await server.logged('editor disconnected');
        assert.deepEqual(await names(client), [...BY_SERVER, 'read_console'].sort());
    });
});
