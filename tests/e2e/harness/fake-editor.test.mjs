// The fake editor itself, with a tiny server for its wire: handshake, calls, directives, resume,
// jobs.
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {test} from 'node:test';
import {WebSocketServer} from 'ws';
import {Inbox, onLines} from '../fixtures/bridge.mjs';
import {build, Program, until, within} from '../fixtures/program.mjs';

const fakeEditor = path.join(build, 'tests/fake-editor');

/** A server that answers every connection with hello and capability, as in
 * docs/spec/10-bridge.md. */
class Server {
    static async start(t, hello = {}) {
        const s = new Server();
        s.hello = hello;
        s.links = new Inbox();
        s.wss = new WebSocketServer({host: '127.0.0.1', port: 0, maxPayload: 64 << 20});
        s.wss.on('connection', (ws, request) => s.accept(ws, request));
        await within(new Promise(resolve => s.wss.once('listening', resolve)), 'listening');
        s.port = s.wss.address().port;
        t.after(() => {
            s.wss.clients.forEach(ws => ws.terminate());
            s.wss.close();
        });
        return s;
    }

    accept(ws, request) {
        const link = {ws, inbox: new Inbox(), url: request.url, headers: request.headers};
        link.closed = new Promise(resolve => ws.on('close', (code, reason) => {
            resolve([code, `${reason}`]);
            link.inbox.lose(new Error(`the connection ended with ${code} ${reason}`));
        }));
        link.send = m => ws.send(JSON.stringify({protocol_version: 1, ...m}));
        link.next = (type, wants = () => true) => link.inbox.take(
            m => m.type === type && wants(m), `a message ${type}`);
        ws.on('error', () => {});
        ws.on('message', (data, isBinary) => {
            assert.equal(isBinary, false);
            const text = data.toString();
            let message;
            try {
                message = JSON.parse(text);
            } catch {
                message = {type: 'not JSON', text};
            }
            if (message.type === 'hello') {
                link.hello = message;
                link.send({
                    type: 'hello', server_version: '1', connection_id: 'c1', editor_status_interval_ms: 10000,
                    reconnect_initial_ms: 1, reconnect_max_ms: 1, ...this.hello,
                });
                link.send({type: 'capability', tools: [{name: 'read_console'}]});
                this.links.put(link);
            } else {
                link.inbox.put(message);
            }
        });
    }

    link() {
        return this.links.take(() => true, 'an editor');
    }
}

/** The editor, its events and commands. */
async function startEditor(t, server, ...args) {
    const folder = mkdtempSync(path.join(tmpdir(), 'fake-editor-'));
    const trace = path.join(folder, 'trace.jsonl');
    const editor = new Program(['--port', `${server.port}`, '--trace', trace, ...args], {file: fakeEditor});
    const out = new Inbox(editor);
    let id = 0;
    onLines(editor, editor.child.stdout, line => out.put(JSON.parse(line)));
    editor.event = name => out.take(m => m.event === name, `the event ${name}`);
    editor.command = (cmd, more = {}) => {
        const my = ++id;
        editor.child.stdin.write(`${JSON.stringify({id: my, cmd, ...more})}\n`);
        return out.take(m => m.id === my, `the answer to ${cmd}`);
    };
    editor.trace = () => readFileSync(trace, 'utf8').split('\n').slice(0, -1).map(l => JSON.parse(l)); // whole lines
    editor.executed = requestId => editor.trace()
        .filter(l => l.what === 'executed' && l.request_id === requestId).length;
    t.after(async () => {
        editor.child.stdin.end(); // EOF quits
        const {code, signal} = await editor.stop(null);
        rmSync(folder, {recursive: true});
        assert.equal(code ?? signal, editor.ends ?? 0, editor.stderr);
    });
    await editor.event('ready');
    return editor;
}

async function start(t, ...args) {
    const server = await Server.start(t);
    const editor = await startEditor(t, server, ...args);
    return {server, editor, link: await server.link()};
}

let calls = 0;

/** Send execute; the caller waits for the messages it expects. */
function execute(link, directive = '', tool = 'read_console') {
    const request_id = `req-${++calls}`;
    const params = directive ? {message_pattern: `fake:${directive}`} : {};
    link.send({type: 'execute', request_id, tool_name: tool, params, timeout_ms: 10000});
    return request_id;
}

function submit(link, directive = '') {
    const request_id = `req-${++calls}`, job_id = `job-${calls}`;
    link.send({
        type: 'submit_job', request_id, job_id, tool_name: 'run_tests', timeout_ms: 10000,
        params: directive ? {filter: `fake:${directive}`} : {},
    });
    return {request_id, job_id};
}

const result = (link, id) => link.next('result', m => m.request_id === id);
const status = (link, job, state) => link.next('job_status', m => m.job_id === job && m.state === state);

test('the handshake is hello, capability, status', async t => {
    const server = await Server.start(t);
    const folder = mkdtempSync(path.join(tmpdir(), 'fake-token-'));
    t.after(() => rmSync(folder, {recursive: true}));
    writeFileSync(path.join(folder, 'token'), 'a long enough secret\n');
    const editor = await startEditor(t, server, '--path', '/unity?x=1', '--instance', 'i1', '--session', 's1',
        '--project', '/p', '--state', 'compiling', '--tools', 'read_console,run_tests', '--editor', 'headless',
        '--unity-version', '1.2', '--token-file', path.join(folder, 'token'));
    const link = await server.link();
    assert.equal(link.url, '/unity?x=1');
    assert.equal(link.headers.authorization, 'Bearer a long enough secret');
    const {plugin_version, ...hello} = link.hello;
    assert.equal(typeof plugin_version, 'string');
    assert.deepEqual(hello, {
        type: 'hello', protocol_version: 1, editor_instance_id: 'i1', plugin_session_id: 's1',
        connect_attempt_seq: 1, project_path: '/p', state: 'compiling', editor: 'headless', unity_version: '1.2',
        active_scene: 'Assets/Scenes/SampleScene.unity', scene_dirty: false, is_playing: false, is_paused: false,
    });
    const {tools} = await link.next('capability');
    assert.deepEqual(tools.map(x => [x.name, x.execution_mode]), [['read_console', 'sync'], ['run_tests', 'job']]);
    const first = await link.next('editor_status');
    assert.deepEqual([first.state, first.seq], ['compiling', 1]);
    assert.equal((await editor.event('connected')).connection_id, 'c1');
    assert.equal((await editor.command('status', {state: 'ready', is_playing: true})).ok, true);
    const second = await link.next('editor_status');
    assert.deepEqual([second.state, second.seq, second.is_playing], ['ready', 2, true]);
    await editor.command('capability', {tools: ['undo']});
    assert.deepEqual((await link.next('capability')).tools.map(x => x.name), ['undo']);
});

test('the heartbeat has the interval that the server sets', async t => {
    const server = await Server.start(t, {editor_status_interval_ms: 5});
    await startEditor(t, server);
    const link = await server.link();
    for (let seq = 1; seq < 6; seq++)
        assert.equal((await link.next('editor_status')).seq, seq);
});

test('calls are executed and answered', async t => {
    const {editor, link} = await start(t);
    const console = (await result(link, execute(link))).result;
    assert.equal(console.count, 10);
    assert.match(console.entries[0].message, /^console line 9: /);
    await editor.command('mode', {payload: 'h1k'});
    const {result: tree} = await result(link, execute(link, '', 'get_scene_hierarchy'));
    assert.equal(tree.total_game_objects, 1000);
    assert.equal(new Set(JSON.stringify(tree).match(/"GO_\d+"/g)).size, 1000);
    assert.equal(tree.root_game_objects[0].children[0].path, '/GO_0/GO_1');
    const unknown = await result(link, execute(link, '', 'no_such_tool'));
    assert.deepEqual([unknown.status, unknown.error.code], ['error', 'ERR_UNKNOWN_COMMAND']);
    const stats = await editor.command('stats');
    assert.deepEqual([stats.requests, stats.answers, stats.pending, stats.listening], [3, 3, 0, true]);
});

test('a request that arrives several times is executed once', async t => {
    const {editor, link} = await start(t);
    const message = {type: 'execute', request_id: 'same', tool_name: 'read_console', params: {}, timeout_ms: 1000};
    link.send(message);
    link.send(message);
    const [one, two] = [await result(link, 'same'), await result(link, 'same')];
    assert.deepEqual(one, two);
    assert.equal(editor.executed('same'), 1);
    assert.deepEqual(editor.trace().filter(l => l.what === 'received').map(l => l.again), [false, true]);
});

test('each directive has its documented effect', async t => {
    const {editor, link} = await start(t);
    const failed = await result(link, execute(link, 'error=ERR_OBJECT_NOT_FOUND'));
    assert.deepEqual([failed.status, failed.error.code], ['error', 'ERR_OBJECT_NOT_FOUND']);

    let id = execute(link, 'delay=20,twice');
    assert.deepEqual(await result(link, id), await result(link, id));
    assert.equal(editor.executed(id), 1);

    id = execute(link, 'wrongid');
    assert.equal((await link.next('result')).request_id, `wrong-${id}`);
    assert.equal((await link.next('result')).request_id, id);

    execute(link, 'garbage');
    assert.match((await link.next('not JSON')).text, /this is not JSON/);
    id = execute(link, 'truncated');
    const cut = (await link.next('not JSON')).text;
    assert.ok(cut.startsWith(`{"type":"result","protocol_version":1,"request_id":"${id}"`));

    id = execute(link, 'noresult');
    assert.deepEqual(await result(link, id), {type: 'result', protocol_version: 1, request_id: id, status: 'ok'});
    const huge = await result(link, execute(link, 'huge=2000000'));
    assert.equal(huge.result.entries[0].message.length, 2000000);
    assert.equal((await result(link, execute(link, 'no-such-word'))).error.code, 'ERR_FAKE_DIRECTIVE');

    id = execute(link, 'hang');
    await result(link, execute(link)); // sent after it
    assert.equal(editor.executed(id), 0);
    link.send({type: 'cancel', target_request_id: id});
    assert.equal((await link.next('cancel_result')).status, 'cancelled');
    link.send({type: 'cancel', target_request_id: id});
    assert.equal((await link.next('cancel_result')).status, 'rejected');

    execute(link, 'compile=10');
    const states = [];
    while (states.at(-1) !== 'ready' || !states.includes('compiling'))
        states.push((await link.next('editor_status')).state);
    assert.ok(states.includes('compiling'));
});

test('after a dropped connection the server resumes', async t => {
    const {server, editor, link} = await start(t);
    const done = execute(link, 'drop');
    assert.equal((await link.closed)[0], 1006);
    let next = await server.link();
    assert.equal(next.hello.connect_attempt_seq, 2);
    const lost = execute(next, 'lose');
    await next.closed;
    next = await server.link();
    const atWork = execute(next, 'hang');
    next.send({type: 'resume', request_ids: [done, lost, 'never', atWork], job_ids: ['job-x']});
    assert.equal((await result(next, done)).status, 'ok');
    for (const id of [lost, 'never']) {
        const error = await next.next('error');
        assert.deepEqual([error.request_id, error.error.code], [id, 'ERR_UNKNOWN_REQUEST']);
    }
    const job = await next.next('error');
    assert.deepEqual([job.job_id, job.error.code], ['job-x', 'ERR_JOB_NOT_FOUND']);
    assert.equal(editor.executed(done), 1);
    assert.equal(editor.executed(lost), 0);
    assert.equal(editor.executed(atWork), 0);
});

test('the last 64 answers are kept', async t => {
    const {link} = await start(t);
    const ids = [];
    for (let i = 0; i < 65; i++)
        ids.push((await result(link, execute(link))).request_id);
    link.send({type: 'resume', request_ids: ids, job_ids: []});
    assert.equal((await link.next('error')).request_id, ids[0]);
    for (const id of ids.slice(1))
        await result(link, id);
});

test('jobs run step by step', async t => {
    const {server, editor, link} = await start(t);
    let {request_id, job_id} = submit(link, 'steps=3,step=1,failed=1');
    assert.equal((await link.next('submit_job_result', m => m.request_id === request_id)).status, 'accepted');
    for (const done of [0, 1, 2])
        assert.equal((await status(link, job_id, 'running')).progress.done, done);
    const {result: tests} = await status(link, job_id, 'succeeded');
    assert.deepEqual([tests.summary.total, tests.summary.passed, tests.failed_tests.length], [3, 2, 1]);
    assert.equal(editor.executed(request_id), 1);

    ({job_id} = submit(link, 'fail'));
    assert.equal((await status(link, job_id, 'failed')).error.code, 'ERR_FAKE_JOB_FAILED');
    ({job_id} = submit(link, 'notests'));
    assert.equal((await status(link, job_id, 'failed')).error.code, 'ERR_NO_TESTS');
    submit(link, 'reject');
    assert.ok((await link.next('submit_job_result', m => m.status === 'rejected')).error.message);

    ({job_id} = submit(link, 'steps=1000,step=1000'));
    await status(link, job_id, 'running');
    link.send({type: 'cancel', target_job_id: job_id});
    assert.deepEqual((await link.next('cancel_result')).status, 'cancelled');
    await status(link, job_id, 'cancelled');

    const kept = submit(link, 'steps=1000,step=1000,nocancel').job_id;
    const forgotten = submit(link, 'forget').job_id;
    link.send({type: 'cancel', target_job_id: kept});
    assert.equal((await link.next('cancel_result')).status, 'rejected');
    await editor.command('reload', {downMs: 0});
    const next = await server.link();
    assert.equal(next.hello.state, 'reloading');
    assert.equal(next.hello.plugin_session_id, 'fake-session-2');
    next.send({type: 'get_job_status', job_id: kept});
    await status(next, kept, 'running');
    next.send({type: 'get_job_status', job_id: forgotten});
    assert.equal((await next.next('error')).error.code, 'ERR_JOB_NOT_FOUND');
    assert.equal((await next.next('editor_status', m => m.state === 'ready')).state, 'ready');
});

test('a silent editor sends nothing until it wakes up', async t => {
    const {editor, link} = await start(t);
    await link.next('editor_status');
    await editor.command('silent', {on: true});
    const id = execute(link);
    await until(() => editor.executed(id), 'the execution', editor);
    const ping = within(new Promise(resolve => link.ws.once('ping', resolve)), 'a ping');
    await editor.command('raw', {hex: '898000000000'}); // a ping, to know what came before it
    await ping;
    assert.deepEqual(link.inbox.left.filter(m => m.type !== 'capability'), []);
    await editor.command('silent', {on: false});
    await result(link, id);
    await link.next('editor_status');
});

test('the editor can break the protocol, be reset, stay away and reconnect', async t => {
    const {server, editor, link} = await start(t);
    await editor.command('send', {message: {type: 'nonsense'}});
    await link.next('nonsense');
    await editor.command('send', {message: 'not json'});
    assert.equal((await link.next('not JSON')).text, 'not json');
    await editor.command('push_job', {job_id: 'j', state: 'running'});
    await status(link, 'j', 'running');
    await editor.command('raw', {hex: '8100'}); // not masked
    assert.equal((await editor.event('closed')).code, 1002);
    const second = await server.link();
    await editor.command('hello', {fields: {protocol_version: 2, state: null}});
    await editor.command('drop', {how: 'rst', downMs: 1});
    assert.equal((await second.closed)[0], 1006);
    const third = await server.link();
    assert.equal(third.hello.protocol_version, 2);
    assert.equal('state' in third.hello, false);
    await editor.command('down', {how: 'close'});
    assert.equal((await third.closed)[0], 1001);
    assert.equal((await editor.command('stats')).listening, false);
    await editor.command('up');
    const fourth = await server.link();
    fourth.send({type: 'error', error: {code: 'ERR_X', message: 'm'}});
    assert.equal((await editor.event('error')).message.error.code, 'ERR_X');
    assert.equal((await editor.command('nothing')).ok, false);
    editor.ends = 1;
    execute(fourth, 'crash');
    assert.equal((await fourth.closed)[0], 1006);
});

test('calls run one after the other in serial mode, and hang until they are released', async t => {
    const {editor, link} = await start(t);
    await editor.command('mode', {serial: true, delayMs: 1});
    const ids = Array.from({length: 20}, () => execute(link));
    for (const id of ids)
        assert.equal((await link.next('result')).request_id, id);
    await editor.command('mode', {serial: false, delayMs: 0, hang: true});
    const held = execute(link);
    await until(() => editor.command('stats'), 'the call is there', {is: now => now.pending === 1});
    await editor.command('mode', {hang: false});
    await result(link, held);
    await editor.command('mode', {fault: 'error', faultCount: 1});
    assert.equal((await result(link, execute(link))).status, 'error');
    assert.equal((await result(link, execute(link))).status, 'ok');
});

test('chaos mode executes nothing twice, records what it does, and can be switched off', async t => {
    const server = await Server.start(t);
    const editor = await startEditor(t, server, '--chaos', '7');
    await editor.command('mode', {chaos: {
        seed: 7, tick_ms: 5, t_drop: 0.2, t_reload: 0.2, t_compile: 0.2, t_silent: 0.1, away_max_ms: 10,
        delay_max_ms: 5, drop: 0.03, lose: 0.03,
    }});
    const wanted = ['delay', 'twice', 'drop', 'lose', 't_drop', 't_reload', 't_compile', 't_silent'];
    let link = await server.link();
    await until(async () => { // until everything possible has happened
        while (link.ws.readyState !== link.ws.OPEN)
            link = await server.link();
        for (let i = 0; i < 10; i++)
            execute(link);
        const kinds = new Set(editor.trace().filter(l => l.what === 'chaos').map(l => l.how));
        return [...kinds];
    }, `all of ${wanted}`, {is: kinds => wanted.every(kind => kinds.includes(kind)), from: editor});
    await editor.command('mode', {chaos: false});
    // An older link may still be closing: the last one responds.
    const last = 'last';
    await until(async () => {
        while (server.links.left.length)
            link = await server.link();
        if (link.ws.readyState !== link.ws.OPEN)
            return false;
        link.send({type: 'execute', request_id: last, tool_name: 'read_console', params: {}, timeout_ms: 1000});
        return editor.executed(last);
    }, 'a calm editor', editor);
    const counts = new Map();
    for (const line of editor.trace().filter(l => l.what === 'executed'))
        counts.set(line.request_id, (counts.get(line.request_id) ?? 0) + 1);
    assert.ok([...counts.values()].every(n => n === 1));
    const lost = new Set(editor.trace().filter(l => l.what === 'lost').map(l => l.request_id));
    assert.ok(lost.size && [...lost].every(id => !counts.has(id)), 'a lost call was not executed');
});

test('a script runs at the start', async t => {
    const server = await Server.start(t);
    const folder = mkdtempSync(path.join(tmpdir(), 'fake-script-'));
    t.after(() => rmSync(folder, {recursive: true}));
    const script = path.join(folder, 'script');
    writeFileSync(script, '{"cmd":"hello","fields":{"x":1}}\n\n{"cmd":"sleep","ms":1}\n{"cmd":"mode","payload":"h7"}\n');
    await startEditor(t, server, '--script', script);
    const link = await server.link();
    assert.equal(link.hello.x, 1);
    await until(async () => {
        const answer = await result(link, execute(link, '', 'get_scene_hierarchy'));
        return answer.result.total_game_objects;
    }, 'the payload of the script', {is: n => n === 7});
});

test('wrong arguments are refused with the usage text', async () => {
    for (const args of [[], ['--port', '0'], ['--port', 'x'], ['--nonsense', '1', '--port', '1'], ['--port', '1', '--state', 'x']]) {
        const program = new Program(args, {file: fakeEditor});
        const {code} = await program.ended('the end');
        assert.equal(code, 2);
        assert.match(program.stderr, /^usage: fake-editor/);
    }
});
