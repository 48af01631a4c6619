// The whole bridge in one line: the real server, the fake editor, the official client (SDK v1).
//
//     const {server, editor, client} = await start(t, {limits: {queue_max_size: 2}});
//     await editor.hold();                                  // what arrives is kept until release()
//     const call = client.call('read_console');
//     await editor.receives('read_console');                // a line of its trace
//     await editor.release();
//     ok(await call);                                       // the structured answer
//     fails(await client.call('get_job_status', {job_id: 'x'}), 'ERR_JOB_NOT_FOUND');
//
// All of it ends with the test, last started first; the server and the editor must end with 0.
// Nothing waits for a time: waits end with a message, a line of the trace or of the log.
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {ReadBuffer, serializeMessage} from '@modelcontextprotocol/sdk/shared/stdio.js';

import {multiverse} from './cli.mjs';
import {build, clientInfo, modern, Program} from './lib.mjs';
import {FILE_MS, seenOf, shown, Source, until, within} from '../waits.mjs';

const fakeEditor = path.join(build, 'tests/fake-editor');

/** An hour: for limits that must not be the reason of anything. */
export const NEVER_MS = 3_600_000;

// ---- the end of a test

const endings = new WeakMap();

/** Runs when the test ends, last come first; all of them, whatever fails. */
export function atEnd(t, run) {
    if (!endings.has(t)) {
        const list = [];
        endings.set(t, list);
        t.after(async () => {
            const errors = [];
            while (list.length)
                await Promise.resolve(list.pop()()).catch(error => errors.push(error));
            if (errors.length)
                throw errors[0];
        });
    }
    endings.get(t).push(run);
}

export function folder(t) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'multiverse-bridge-'));
    atEnd(t, async () => rmSync(dir, {recursive: true, force: true}));
    return dir;
}

/** Things that arrive, taken by what is wanted of them; all of them stay in `all`. They come from a program, with which
 * the inbox is lost, or from something else that can say what was seen last. */
export class Inbox extends Source {
    all = [];
    #from;
    #items = [];
    #waiting = new Set();

    constructor(from) {
        super();
        this.#from = from;
        if (from instanceof Source)
            this.follow(from);
    }

    /** Those that nobody has taken. */
    get left() {
        return [...this.#items];
    }

    put(item) {
        this.all.push(item);
        for (const waiting of this.#waiting)
            if (waiting.wants(item)) {
                this.#waiting.delete(waiting);
                waiting.resolve(item);
                return;
            }
        this.#items.push(item);
    }

    take(wants, what) {
        const at = this.#items.findIndex(wants);
        if (at >= 0)
            return Promise.resolve(this.#items.splice(at, 1)[0]);
        return heard(within(new Promise(resolve => this.#waiting.add({wants, resolve})), what, this));
    }

    seen() {
        const last = this.all.slice(-5).map(item => shown(item, 1000));
        return [`${this.all.length} came${last.length ? ', the last:' : ''}`, ...last, seenOf(this.#from)]
            .filter(Boolean).join('\n');
    }
}

/** A promise that is awaited later: until then its failure is not the failure of the test. */
function heard(promise) {
    promise.catch(() => {});
    return promise;
}

/** The program has ended as it should; else what it said last is shown with the test. */
export async function endsWell(t, program, signal, ms) {
    const {code, signal: by} = await program.stop(signal, ms);
    if ((code ?? by) !== (program.ends ?? 0))
        t.diagnostic(program.stderr.slice(-10_000));
    assert.equal(code ?? by, program.ends ?? 0, program.stderr.slice(-10_000));
}

/** Each whole line of a program's output; what throws there fails the test and all waits for the program. */
export function onLines(program, stream, each) {
    let rest = '';
    stream.setEncoding('utf8').on('data', text => {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        try {
            lines.forEach(each);
        } catch (error) {
            program.lose(error);
            throw error;
        }
    });
}

// ---- the server

const QUICK = {reconnect_initial_ms: 10, reconnect_max_ms: 10, reconnect_jitter: 0};

/** Writes multiverse.json: settings beside those that make the fake editor come back quickly. */
export function configure(cwd, limits = {}) {
    writeFileSync(path.join(cwd, 'multiverse.json'),
        JSON.stringify({schema_version: 1, ...QUICK, ...limits}));
}

/** Starts `multiverse serve` and does not wait: {log, logged(), cwd, ...Program}. */
export function launch(t, {limits, args = [], cwd = folder(t), port = 0, stdio = false, text = false, env} = {}) {
    if (limits !== null)
        configure(cwd, limits);
    const log = text ? [] : ['--log-format', 'json', '--log-level', 'debug'];
    const server = new Program(['serve', '--port', `${port}`, ...log, ...(stdio ? ['--stdio'] : []), ...args],
        {file: multiverse, cwd, ...(env && {env: {...process.env, ...env}})});
    server.cwd = cwd;
    server.log = [];
    if (!text)
        onLines(server, server.child.stderr, line => server.log.push(line.startsWith('{') ? JSON.parse(line) : {line}));
    /** A line of the log: of this event, with these fields. */
    server.logged = (event, fields = {}) => until(
        () => server.log.find(l => l.event === event && Object.entries(fields).every(([k, v]) => l[k] === v)),
        `a line "${event}" ${JSON.stringify(fields)} in the log`, server);
    atEnd(t, () => endsWell(t, server, 'SIGTERM'));
    return server;
}

/** The same, once it listens: {url, port, ...}. */
export async function serve(t, options = {}) {
    const server = launch(t, options);
    const [, url, port] = await until(
        () => server.stderr.match(/"?listening.*url"?[=:]"?(http:\/\/127\.0\.0\.1:(\d+)\/mcp)/), 'the line "listening"', server);
    server.url = url;
    server.port = Number(port);
    return server;
}

// ---- the editor

/** Starts the fake editor; connected, unless its options say otherwise. */
export async function open(t, server, args = [], {connects = true} = {}) {
    const file = path.join(folder(t), 'trace.jsonl');
    const editor = new Program(['--port', `${server.port}`, '--trace', file, '--verbose', ...args],
        {file: fakeEditor});
    const out = new Inbox(editor), messages = new Inbox(editor);
    let id = 0;
    onLines(editor, editor.child.stdout, line => {
        const m = JSON.parse(line);
        if (m.event === 'message')
            messages.put(m.message);
        else
            out.put(m);
    });
    Object.assign(editor, {
        event: (name, wants = () => true) => out.take(m => m.event === name && wants(m), `the event ${name}`),
        events: name => out.all.filter(m => m.event === name),
        /** A command; it must be possible. */
        async tell(cmd, more = {}) {
            const mine = ++id;
            editor.child.stdin.write(`${JSON.stringify({id: mine, cmd, ...more})}\n`);
            const answer = await out.take(m => m.id === mine, `the answer to ${cmd}`);
            assert.equal(answer.ok, true, `${cmd}: ${answer.error}`);
            return answer;
        },
        hold: () => editor.tell('mode', {hang: true}),
        release: () => editor.tell('mode', {hang: false}),
        /** A frame of its own making. */
        send: message => editor.tell('send', {message: {protocol_version: 1, ...message}}),
        /** The next message of the server of this type. */
        message: (type, wants = () => true) =>
            messages.take(m => m.type === type && wants(m), `a message ${type} of the server`),
        messages: type => messages.all.filter(m => m.type === type),
        trace: () => readFileSync(file, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line)),
        traced: (what, wants = () => true) => until(
            () => editor.trace().find(l => l.what === what && wants(l)), `"${what}" in the trace`, {from: editor,
                seen: () => ['the end of the trace:', ...editor.trace().slice(-10).map(l => shown(l, 500))].join('\n')}),
        /** The tools of all that arrived, in order. */
        received: () => editor.trace().filter(l => l.what === 'received'),
        executed: requestId => editor.trace()
            .filter(l => l.what === 'executed' && (!requestId || l.request_id === requestId)).length,
        /** The next call of this tool that arrives. */
        receives: (tool, wants = () => true) => messages.take(
            m => (m.type === 'execute' || m.type === 'submit_job') && m.tool_name === tool && wants(m),
            `a call of ${tool} at the editor`),
        /** It ends by itself with this code. */
        endsWith: code => { editor.ends = code; },
    });
    atEnd(t, async () => {
        editor.child.stdin.end();
        await endsWell(t, editor, null);
    });
    await editor.event('ready');
    if (connects)
        await editor.event('connected');
    return editor;
}

// ---- the client

/** The official client speaks through the pipes of a program that is started already. */
class PipeTransport {
    #buffer = new ReadBuffer({maxBufferSize: 64 << 20});

    constructor(program) {
        this.program = program;
    }

    async start() {
        const {stdout} = this.program.child;
        stdout.on('data', piece => {
            this.#buffer.append(piece);
            try {
                for (let m; (m = this.#buffer.readMessage()) !== null;)
                    this.onmessage?.(m);
            } catch (error) {
                this.program.lose(error);
                this.onerror?.(error);
            }
        });
        stdout.on('end', () => this.onclose?.());
    }

    async send(message) {
        this.program.child.stdin.write(serializeMessage(message));
    }

    async close() {
        this.onclose?.();
    }
}

/** The answers of a server. They end after the program does: when what it sent before has been read. */
class Answers extends Source {
    constructor(server) {
        super();
        this.seen = () => server.seen?.();
        if (server instanceof Source)
            server.join({fail: (_, error) => afterTurns(100, () => this.lose(error))});
    }
}

/** After so many turns of the event loop, each of which reads what is there. */
function afterTurns(turns, run) {
    setImmediate(() => turns ? afterTurns(turns - 1, run) : run());
}

/** A client of the server: over HTTP, or on the pipes of `program`. */
export async function connect(t, server, {program, token, onNotice = []} = {}) {
    const client = new Client(clientInfo);
    for (const [schema, handler] of onNotice)
        client.setNotificationHandler(schema, handler);
    const headers = token ? {authorization: `Bearer ${token}`} : {};
    const transport = program ? new PipeTransport(program)
        : new StreamableHTTPClientTransport(new URL(server.url), {requestInit: {headers}});
    client.onerror = () => {}; // a server that stops ends its streams
    const source = new Answers(program || server);
    const patient = {timeout: FILE_MS}; // the client has a limit of its own for each request
    await within(client.connect(transport, patient), 'a connected client', source);
    atEnd(t, () => client.close());
    const {listTools} = client;
    client.listTools = params => within(listTools.call(client, params, patient), 'the list of tools', source);
    await client.listTools(); // from here on it holds every answer, errors too, against the schemas
    client.call = (name, args = {}, options = {}) => heard(within(
        client.callTool({name, arguments: args}, undefined, {...patient, ...options}),
        `the answer to ${name} ${shown(args, 200)}`, source));
    client.state = async () => ok(await client.call('get_editor_state'));
    /** Until so many calls wait. */
    client.waiting = count => until(() => client.state(), `${count} calls in the queue`, {is: s => s.queue.waiting === count});
    client.status = async (job_id, more = {}) => ok(await client.call('get_job_status', {job_id, ...more}));
    /** Until the job has ended; its status. */
    client.ended = job_id => until(() => client.status(job_id, {wait_ms: 1000}), `the end of ${job_id}`,
        {is: ({state}) => !['queued', 'running'].includes(state)});
    return client;
}

/** Server, editor and client. editor: false, or its options; stdio: the client is on the server's pipes. */
export async function start(t, {editor = [], stdio = false, onNotice, ...options} = {}) {
    const server = await serve(t, {...options, stdio});
    const opened = editor && await open(t, server, editor);
    const client = await connect(t, server, {program: stdio && server, onNotice});
    return {server, editor: opened, client};
}

// ---- answers

/** A success; its structured content, which its text repeats. */
export function ok(result) {
    assert.ok(!result.isError, JSON.stringify(result.structuredContent));
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    return result.structuredContent;
}

const NOT_EXECUTED = ['not_executed', false], RETRY = ['not_executed', true], UNKNOWN = ['unknown', false];
const ERRORS = {
    ERR_INVALID_REQUEST: NOT_EXECUTED, ERR_INVALID_PARAMS: NOT_EXECUTED, ERR_UNKNOWN_COMMAND: NOT_EXECUTED,
    ERR_JOB_NOT_FOUND: NOT_EXECUTED, ERR_CANCEL_NOT_SUPPORTED: NOT_EXECUTED,
    ERR_EDITOR_NOT_READY: RETRY, ERR_COMPILE_TIMEOUT: RETRY, ERR_UNITY_DISCONNECTED: RETRY,
    ERR_QUEUE_FULL: RETRY,
    ERR_REQUEST_TIMEOUT: UNKNOWN, ERR_RECONNECT_TIMEOUT: UNKNOWN, ERR_INVALID_RESPONSE: UNKNOWN,
    ERR_UNITY_EXECUTION: ['completed_error'],
};

/** An error of this code, in the shape that all have (docs/spec/10-bridge.md, 8). */
export function isError(error, code) {
    assert.equal(error?.code, code, JSON.stringify(error));
    const [guarantee, retryable = error.retryable] = ERRORS[code];
    assert.deepEqual(Object.keys(error), ['code', 'message', 'retryable', 'details']);
    assert.ok(error.message.length > 10, error.message);
    assert.equal(error.retryable, retryable, code);
    assert.equal(error.details.execution_guarantee, guarantee, code);
    assert.ok(error.details.recovery_action, code);
    if (guarantee === 'unknown')
        assert.equal(error.details.recovery_action, 'inspect_state_then_retry_if_needed');
    return error;
}

/** A tool result that is this error; the error. */
export function fails(result, code) {
    assert.equal(result.isError, true, JSON.stringify(result));
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    return isError(result.structuredContent, code);
}

// ---- raw calls

/** A client on the pipes of a server, message by message: what the official one hides. */
export async function pipe(program) {
    const inbox = new Inbox(program);
    let id = 0;
    onLines(program, program.child.stdout, line => inbox.put(JSON.parse(line)));
    const raw = {
        messages: inbox.all,
        send: message => program.child.stdin.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`),
        next: (wants, what = 'a message on stdout') => inbox.take(wants, what),
        /** Sends a request; its id. */
        ask(method, params) {
            raw.send({id: ++id, method, params});
            return id;
        },
        tool: (name, args = {}, more = {}) => raw.ask('tools/call', {name, arguments: args, ...more}),
        answer: to => raw.next(m => m.id === to && !m.method, `the answer to ${to}`),
        request: (method, params) => raw.answer(raw.ask(method, params)),
        cancel: requestId => raw.send({method: 'notifications/cancelled', params: {requestId}}),
        /** Nothing that was sent before is still under way. */
        settled: () => raw.request('ping'),
        answers: to => inbox.all.filter(m => m.id === to && !m.method),
    };
    await raw.request('initialize', {protocolVersion: '2025-11-25', capabilities: {}, clientInfo});
    raw.send({method: 'notifications/initialized'});
    return raw;
}

/** One call of the modern revision over HTTP; its tool result. */
export function modernCall(server, name, args = {}, options) {
    return heard(modern(server, 'tools/call', {name, arguments: args}, options).then(({status, json}) => {
        assert.equal(status, 200, JSON.stringify(json));
        return json.result;
    }));
}

export const component = (more = {}) =>
    ({action: 'add', game_object_path: '/Player', component_type: 'Rigidbody', ...more});
