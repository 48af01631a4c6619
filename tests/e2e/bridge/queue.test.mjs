// One FIFO for everything, one call at a time, a limit, and positions as progress
// (docs/spec/10-bridge.md, 5).
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {
    component, connect, fails, modernCall, ok, open, pipe, readConsole, serve, start,
} from '../fixtures/bridge.mjs';
import {until} from '../fixtures/program.mjs';

const order = editor => editor.received().map(l =>
    l.params.message_pattern ?? l.params.filter ?? l.params.game_object_path);

for (const stdio of [false, true])
    test(`a call and its result over ${stdio ? 'stdio' : 'HTTP'}`, async t => {
        const {editor, client} = await start(t, {stdio});
        const answer = ok(await client.call('read_console', {max_entries: 3, client_request_id: 'mine'}));
        assert.equal(answer.count, 3);
        assert.match(answer.entries[0].message, /^console line 9: /);
        const execute = await editor.receives('read_console');
        assert.match(execute.request_id, /^req-\w{6}-\d+$/);
        const {request_id, ...rest} = execute;
        assert.deepEqual(rest, {
            type: 'execute', protocol_version: 1, client_request_id: 'mine', tool_name: 'read_console',
            params: {max_entries: 3}, timeout_ms: 10000,
        });
        assert.equal(editor.executed(request_id), 1);
        ok(await client.call('get_scene_hierarchy'));
        ok(await client.call('get_component_info', {game_object_path: '/Player', index: 1}));
        ok(await client.call('manage_component', component()));
    });

test('calls of all clients go out in the order of their arrival', async t => {
    const {server, editor, client} = await start(t);
    const clients = [client, await connect(t, server), await connect(t, server)];
    await editor.hold();
    const calls = [];
    for (let i = 0; i < 9; i++) {
        const [name, args] = [readConsole(`c${i}`), ['manage_component', component({game_object_path: `c${i}`})],
            ['get_component_info', {game_object_path: `c${i}`, index: 0}]][i % 3];
        calls.push(i === 4 ? modernCall(server, name, args) : clients[i % 2].call(name, args));
        await client.waiting(i); // the first one runs
    }
    assert.deepEqual(order(editor), ['c0']);
    await editor.release();
    (await Promise.all(calls)).forEach(ok);
    assert.deepEqual(order(editor), [0, 1, 2, 3, 4, 5, 6, 7, 8].map(i => `c${i}`));
});

test('calls run one at a time: the next one goes out when the previous one has its result', async t => {
    const {editor, client} = await start(t, {stdio: true});
    const calls = ['a', 'b', 'c'].map(name => client.call(...readConsole(name)));
    (await Promise.all(calls)).forEach(ok);
    const steps = () => editor.trace().filter(l => l.what === 'received' || l.what === 'answered').map(l => l.what);
    // written after it
    await until(() => steps(), 'the line of the last result', {is: all => all.length === 6});
    assert.deepEqual(steps(), ['received', 'answered', 'received', 'answered', 'received', 'answered']);
});

test('a job holds the slot until it is accepted; sync calls overtake a job that waits for another one', async t => {
    const {editor, client} = await start(t, {stdio: true});
    await editor.hold();
    const first = client.call(...readConsole('a'));
    await editor.receives('read_console');
    const job = filter => client.call('run_tests', {filter});
    const calls = [job('fake:steps=1,step=1000000'), client.call(...readConsole('b')), job('fake:steps=2'),
        client.call(...readConsole('c'))];
    const [j1, , j2] = await Promise.all([calls[0], null, calls[2]]);
    assert.deepEqual([ok(j1).state, ok(j2).state], ['queued', 'queued']);
    // one pipe: all of them came before this call
    assert.equal((await client.state()).queue.waiting, 4);
    await editor.release();
    (await Promise.all([first, calls[1], calls[3]])).forEach(ok);
    assert.equal((await client.status(ok(j1).job_id)).state, 'running');
    const waits = await client.status(ok(j2).job_id);
    assert.deepEqual([waits.state, waits.queue_position], ['queued', 1]);
    assert.deepEqual(order(editor), ['a', 'fake:steps=1,step=1000000', 'b', 'c']);
    await client.call('cancel_job', {job_id: ok(j1).job_id});
    assert.equal((await client.ended(ok(j2).job_id)).state, 'succeeded');
    assert.deepEqual(order(editor).at(-1), 'fake:steps=2');
});

test('control calls see everything that came before them and do not wait', async t => {
    const {editor, client} = await start(t, {stdio: true});
    await editor.hold();
    const calls = [client.call(...readConsole('a'))];
    const seen = [];
    for (let i = 1; i <= 3; i++) {
        calls.push(client.call(...readConsole(`w${i}`)));
        seen.push(client.state()); // not awaited: everything is in one pipe, in this order
    }
    assert.deepEqual((await Promise.all(seen)).map(s => s.queue.waiting), [1, 2, 3]);
    const {queue} = await client.state();
    const {request_id} = await editor.receives('read_console');
    assert.equal(queue.running.request_id, request_id);
    assert.equal(queue.running.tool, 'read_console');
    assert.ok(queue.running.elapsed_ms >= 0);
    await editor.release();
    (await Promise.all(calls)).forEach(ok);
    assert.equal((await client.state()).queue.running, null);
});

test('32 calls wait, one more is refused at once; a free place can be used again', async t => {
    const {server, editor, client} = await start(t, {stdio: true});
    await editor.hold();
    const calls = [];
    for (let i = 0; i < 33; i++)
        calls.push(client.call(...readConsole(`c${i}`)));
    const error = fails(await client.call(...readConsole('too many')), 'ERR_QUEUE_FULL');
    assert.match(error.message, /32 calls are waiting/);
    const other = await connect(t, server);
    fails(await other.call('run_tests'), 'ERR_QUEUE_FULL'); // for every client, and for jobs
    const {queue} = await client.state();
    assert.deepEqual([queue.waiting, queue.capacity], [32, 32]);
    await editor.release();
    (await Promise.all(calls)).forEach(ok);
    ok(await client.call(...readConsole('again')));
    assert.equal(order(editor).includes('too many'), false);
    assert.equal(order(editor).length, 34);
});

test('calls that wait for an editor count; multiverse.json sets the limit', async t => {
    const server = await serve(t, {limits: {queue_max_size: 2}});
    const client = await connect(t, server);
    const calls = ['a', 'b'].map(name => client.call(...readConsole(name)));
    await client.waiting(2);
    fails(await client.call(...readConsole('c')), 'ERR_QUEUE_FULL');
    assert.equal((await client.state()).queue.capacity, 2);
    const editor = await open(t, server);
    (await Promise.all(calls)).forEach(ok);
    assert.deepEqual(new Set(order(editor)), new Set(['a', 'b']));
});

test('a call with a progress token gets its position in the queue', async t => {
    const server = await serve(t, {stdio: true});
    const editor = await open(t, server);
    const client = await pipe(server);
    await editor.hold();
    const ask = token => client.tool(...readConsole(`c${token}`), {_meta: {progressToken: token}});
    const ids = [0, 1, 2].map(ask);
    await client.settled();
    await editor.release();
    for (const id of ids)
        ok((await client.answer(id)).result);
    const progressOf = token => client.messages
        .filter(m => m.method === 'notifications/progress' && m.params.progressToken === token).map(m => m.params);
    assert.deepEqual(progressOf(0), []); // it never waited
    for (const token of [1, 2]) {
        const notices = progressOf(token);
        assert.equal(notices[0].message, `${token} ahead in the queue`);
        // the last one is always sent
        assert.equal(notices.at(-1).message, 'running in the editor');
        notices.reduce((last, {progress}) => {
            assert.ok(progress > last);
            return progress;
        }, 0);
        const at = m => client.messages.findIndex(m);
        assert.ok(at(m => m.params?.progressToken === token) < at(m => m.id === ids[token]));
    }
});

test('a call with a progress token is told why it waits for an editor', async t => {
    const server = await serve(t);
    const client = await connect(t, server);
    let resolveFirst;
    const first = new Promise(resolve => { resolveFirst = resolve; });
    const call = client.call(...readConsole('a'), {onprogress: resolveFirst});
    assert.equal((await first).message, 'waiting for the editor: reconnecting');
    await open(t, server);
    ok(await call);
});

test('an invalid call is refused at once, and nothing is sent', async t => {
    const {editor, client} = await start(t);
    const wrong = [
        ['read_console', {max_entries: -1}, /max_entries/],
        ['read_console', {nonsense: 1}, /nonsense/],
        ['read_console', {client_request_id: ''}, /client_request_id/],
        ['manage_component', {action: 'add', game_object_path: '/P'}, /component_type/],
        ['get_job_status', {}, /job_id/],
    ];
    for (const [name, args, pattern] of wrong)
        assert.match(fails(await client.call(name, args), 'ERR_INVALID_PARAMS').message, pattern);
    await assert.rejects(client.call('no_such_tool'), error => error.code === -32602);
    assert.deepEqual(editor.received(), []);
});

test("the editor's own error is passed on with its code", async t => {
    const {editor, client} = await start(t);
    const read = fails(await client.call(...readConsole('fake:error=ERR_NOT_THERE')), 'ERR_UNITY_EXECUTION');
    assert.equal(read.details.plugin_error_code, 'ERR_NOT_THERE');
    assert.equal(read.details.message, 'The fake editor was asked to fail.');
    assert.equal(read.retryable, true); // as in the tool's row
    const write = fails(await client.call('manage_component',
        component({game_object_path: 'fake:error=ERR_X'})), 'ERR_UNITY_EXECUTION');
    assert.equal(write.retryable, false);
    assert.equal(editor.executed(), 2);
});

for (const how of ['truncated', 'noresult'])
    test(`an invalid response (${how}) is ERR_INVALID_RESPONSE, and the next call goes on`, async t => {
        const {client} = await start(t);
        fails(await client.call(...readConsole(`fake:${how}`)), 'ERR_INVALID_RESPONSE');
        ok(await client.call('read_console'));
    });

test('results with an unknown id and duplicate results change nothing', async t => {
    const {server, editor, client} = await start(t);
    ok(await client.call(...readConsole('fake:wrongid')));
    ok(await client.call(...readConsole('fake:twice')));
    ok(await client.call('read_console'));
    assert.equal(editor.executed(), 3);
    const strays = server.log.filter(l => l.event === 'late message dropped');
    assert.equal(strays.length, 2);
    assert.ok(strays.every(l => l.level === 'warn' && l.type === 'result'));
    assert.match(strays[0].id, /^wrong-req-/);
});
