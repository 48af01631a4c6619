// What the tests of the real program share: start it, talk to it byte by byte, end it in time.
//
//     const server = await startHttp(t);                 // stopped when the test t ends
//     const answer = await post(server, {jsonrpc: '2.0', id: 1, method: 'ping'}, {...});
//     const pipe = startStdio(t);                        // pipe.send(message), await pipe.next()
//
// Nothing here waits for a time (../waits.mjs): a wait ends with what it waits for, fails at once when the program or the
// stream that it waits for has ended, and fails at the limit of the whole file else.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {FILE_MS, inTime, onExpiry, shown, Source, until, within} from '../waits.mjs';

export {inTime, isTimed, Source, until, within} from '../waits.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const build = process.env.MULTIVERSE_BUILD ?? path.join(root, 'build');
export const everything = path.join(build, 'tests/mcp-everything');

/** Sanitizers make the program several times slower, its end (the leak check) most of all. */
export const slow = existsSync(everything) && readFileSync(everything).includes('__asan_init') ? 5 : 1;
export const LIMIT_MS = FILE_MS; // the timeout for Playwright's own waits
export const END_MS = 2_000; // spec 40, 4: EOF, SIGINT and SIGTERM end the process within 2 s

/** Processes that have this line (NAME=value) in their environment: a program and all it started. */
export function inhabitants(line) {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name)).map(Number).filter(pid => {
        try {
            return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(line);
        } catch {
            return false; // it has ended, or is not ours
        }
    });
}

const running = new Set();
onExpiry(() => running.forEach(program => program.child.kill('SIGKILL')));

/** A running program: its exit, its stderr so far, and stop(). Waits for it fail when it ends. */
export class Program extends Source {
    constructor(args, options = {}) {
        super();
        this.stderr = '';
        const {file = everything, ...rest} = options;
        this.name = path.basename(file);
        this.child = spawn(file, args, {stdio: ['pipe', 'pipe', 'pipe'], ...rest});
        running.add(this);
        this.child.stderr?.setEncoding('utf8').on('data', text => { this.stderr += text; });
        this.child.stdin?.on('error', () => {}); // it may end before it has read all
        this.exit = new Promise((resolve, reject) => {
            this.child.once('error', error => {
                reject(error);
                this.lose(error);
            });
            this.child.once('close', (code, signal) => {
                running.delete(this);
                resolve({code, signal});
                this.lose(new Error(`${this.name} ended with ${code ?? signal}`));
            });
        });
        this.exit.catch(() => {});
    }

    get pid() {
        return this.child.pid;
    }

    /** How it is, and the last of what it wrote. */
    seen() {
        const {exitCode, signalCode} = this.child;
        const state = exitCode !== null || signalCode !== null ? `ended with ${exitCode ?? signalCode}` : 'runs';
        return [`${this.name} ${state}`, ...['stdout', 'stderr'].filter(name => this[name])
            .map(name => `its ${name}: ${shown(this[name])}`)].join('\n');
    }

    /** Waits for its end: {code, signal}. */
    ended(what = `the end of ${this.name}`) {
        return within(this.exit, what, () => this.seen());
    }

    /** Sends the signal and waits for the end; answers {code, signal, ms}. It should end within `ms`. */
    async stop(signal = 'SIGTERM', ms = END_MS) {
        const start = performance.now();
        if (signal && this.child.exitCode === null && this.child.signalCode === null)
            this.child.kill(signal);
        try {
            const end = await this.ended(`the end of ${this.name} after ${signal ?? 'EOF'}`);
            const took = performance.now() - start;
            inTime(took, ms, `the end of ${this.name} after ${signal ?? 'EOF'}`);
            return {...end, ms: took};
        } catch (error) {
            this.child.kill('SIGKILL');
            await this.exit;
            throw error;
        }
    }

    /** Whether it sleeps, although our own loop has turned often enough to give it all that it would take. */
    async isAsleep() {
        const look = () => {
            const [, state] = readFileSync(`/proc/${this.pid}/stat`, 'latin1').match(/.*\) (\S) /);
            return `${state} ${readFileSync(`/proc/${this.pid}/io`, 'latin1')}`;
        };
        const before = look();
        for (let turn = 0; turn < 20; turn++)
            await new Promise(resolve => setImmediate(resolve));
        return before.startsWith('S') && look() === before;
    }

    /** Resident memory in bytes. */
    rss() {
        const line = readFileSync(`/proc/${this.pid}/status`, 'utf8').match(/^VmRSS:\s*(\d+) kB/m);
        return Number(line[1]) * 1024;
    }
}

function endWith(t, program) {
    t?.after(async () => {
        const {code, signal} = await program.stop();
        if (code !== 0)
            throw new Error(`the program ended with ${code ?? signal}\n${program.stderr}`);
    });
}

/** The program on a free port: {url, port, ...Program}. */
export async function startHttp(t, args = [], options = {}) {
    const program = new Program(['--port', '0', ...args], options);
    const [, url, port] = await until(() => program.stderr.match(/listening on (http:\/\/[\d.]+:(\d+)\S*)/),
        'a line "listening on"', program);
    program.url = url;
    program.port = Number(port);
    endWith(t, program);
    return program;
}

// ---- stdio

/** One line as JSON. If it is none, all waits for the source fail, and the test too. */
export function parseLine(source, line) {
    try {
        return JSON.parse(line);
    } catch (error) {
        error.message += ` in the line ${shown(line)}`;
        source.lose(error);
        throw error;
    }
}

/** The program on pipes; messages as objects. */
export function startStdio(t, args = [], options = {}) {
    const program = new Program(['--stdio', ...args], options);
    const lines = []; // parsed, not yet asked for
    const waiting = [];
    let rest = '';
    program.child.stdout.setEncoding('utf8').on('data', text => {
        const parts = (rest + text).split('\n');
        rest = parts.pop();
        for (const part of parts) {
            const message = parseLine(program, part); // nothing but JSON goes to stdout
            const taker = waiting.findIndex(w => w.wants(message));
            if (taker >= 0)
                waiting.splice(taker, 1)[0].resolve(message);
            else
                lines.push(message);
        }
    });
    program.rest = () => rest;
    program.pending = lines;
    program.write = text => program.child.stdin.write(text);
    program.send = message => program.write(JSON.stringify(message) + '\n');
    program.next = (wants = () => true, what = 'a message on stdout') => {
        const at = lines.findIndex(wants);
        if (at >= 0)
            return Promise.resolve(lines.splice(at, 1)[0]);
        return within(new Promise(resolve => waiting.push({wants, resolve})), what, program);
    };
    const {seen} = program;
    program.seen = () => `${seen.call(program)}\nmessages that nobody took: ${shown(lines.slice(-5))}, and ${shown(rest)}`;
    program.answer = id => program.next(m => m.id === id && m.method === undefined, `answer ${id}`);
    program.request = (method, params, id = program.id = (program.id ?? 0) + 1) => {
        program.send({jsonrpc: '2.0', id, method, params});
        return program.answer(id);
    };
    program.initialize = async (capabilities = {}, protocolVersion = '2025-11-25') => {
        const answer = await program.request('initialize', {protocolVersion, capabilities, clientInfo});
        program.send({jsonrpc: '2.0', method: 'notifications/initialized'});
        return answer;
    };
    endWith(t, program);
    return program;
}

// ---- messages

export const clientInfo = {name: 'e2e', version: '1'};
export const MODERN = '2026-07-28';
export const KEY = 'io.modelcontextprotocol/';
export const TASKS = `${KEY}tasks`;

export const request = (id, method, params) => ({jsonrpc: '2.0', id, method, params});

/** The params of a modern request: the envelope added. */
export function enveloped(params = {}, capabilities = {}, version = MODERN) {
    const envelope = {
        [`${KEY}protocolVersion`]: version,
        [`${KEY}clientCapabilities`]: capabilities,
        [`${KEY}clientInfo`]: clientInfo,
    };
    return {...params, _meta: {...envelope, ...params._meta}};
}

// ---- HTTP

export const ACCEPT = 'application/json, text/event-stream';

/** POSTs a text or a message; answers {status, headers, text, json}. */
export async function post(server, body, headers = {}) {
    const sent = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const what = `the answer to POST ${server.url} ${shown(String(sent), 200)}`;
    const seen = () => server.seen?.();
    const response = await within(fetch(server.url, {
        method: 'POST',
        headers: {'content-type': 'application/json', accept: ACCEPT, ...headers},
        body: sent,
    }), what, seen);
    const text = await within(response.text(), what, seen);
    const type = response.headers.get('content-type') ?? '';
    const messages = type.startsWith('text/event-stream') ? parseEvents(text).map(e => e.json)
        : type.startsWith('application/json') ? [JSON.parse(text)] : [];
    return {
        status: response.status, headers: response.headers, text, type,
        messages: messages.filter(m => m !== undefined),
        json: messages.at(-1),
    };
}

/** Headers of a modern request. */
export function modernHeaders(message, more = {}) {
    const {name, uri, taskId} = message.params ?? {};
    const named = name ?? uri ?? taskId;
    return {
        'mcp-protocol-version': MODERN,
        'mcp-method': message.method,
        ...(typeof named === 'string' ? {'mcp-name': named} : {}),
        ...more,
    };
}

/** One modern request over HTTP, everything right unless told otherwise. */
export function modern(server, method, params, {capabilities, id = 1, headers, body} = {}) {
    const message = request(id, method, enveloped(params, capabilities));
    return post(server, body ?? message, {...modernHeaders(message), ...headers});
}

/** Opens a legacy session; answers {id, headers, request(method, params), notify(method, params)}. */
export async function openSession(server, capabilities = {}, protocolVersion = '2025-11-25') {
    const answer = await post(server, request('init', 'initialize',
        {protocolVersion, capabilities, clientInfo}));
    if (answer.status !== 200)
        throw new Error(`initialize: ${answer.status} ${answer.text}`);
    const id = answer.headers.get('mcp-session-id');
    const headers = {
        'mcp-session-id': id, 'mcp-protocol-version': answer.json.result.protocolVersion,
    };
    let next = 0;
    const session = {
        id, headers, initialized: answer.json,
        request: (method, params) => post(server, request(next++, method, params), headers),
        notify: (method, params) => post(server, {jsonrpc: '2.0', method, params}, headers),
        respond: (to, result) => post(server, {jsonrpc: '2.0', id: to, result}, headers),
        stream: (method, params) => openStream(server, request(next++, method, params), headers),
    };
    await session.notify('notifications/initialized');
    return session;
}

// ---- event streams

export function parseEvents(text) {
    return text.split('\n\n').filter(block => block.trim()).map(block => {
        const event = {};
        for (const line of block.split('\n')) {
            const [, field, value] = line.match(/^([^:]*):? ?(.*)$/);
            if (field)
                event[field] = value;
            else
                event.comment = value;
        }
        if (event.data)
            event.json = JSON.parse(event.data);
        return event;
    });
}

/** take() is called with each event of an answer, as they come; resolves when it ends. */
export async function readEvents(response, take) {
    let text = '';
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
        text += piece;
        const end = text.lastIndexOf('\n\n');
        if (end < 0)
            continue;
        parseEvents(text.slice(0, end)).forEach(take);
        text = text.slice(end + 2);
    }
}

/** A POST or, without a message, a GET whose answer is read event by event. */
export async function openStream(server, message, headers = {}) {
    const abort = new AbortController();
    const response = await within(fetch(server.url, {
        method: message ? 'POST' : 'GET',
        headers: {
            accept: message ? ACCEPT : 'text/event-stream',
            ...(message ? {'content-type': 'application/json'} : {}), ...headers,
        },
        body: message && JSON.stringify(message),
        signal: abort.signal,
    }), 'headers of a stream', () => server.seen?.());
    const events = [];
    const waiting = [];
    let newest;
    const source = new Source();
    source.seen = () => [newest && `the last event: ${shown(newest)}`, server.seen?.()].filter(Boolean).join('\n');
    const pump = (async () => {
        try {
            await readEvents(response, event => {
                newest = event;
                const at = waiting.findIndex(w => w.wants(event));
                if (at >= 0)
                    waiting.splice(at, 1)[0].resolve(event);
                else
                    events.push(event);
            });
            source.lose(new Error('the stream ended'));
        } catch (error) {
            source.lose(new Error(`the stream ended: ${error.message}`, {cause: error}));
            if (!abort.signal.aborted && !error.message.includes('terminated'))
                throw error;
        }
    })();
    pump.catch(() => {});
    return {
        response, status: response.status, events,
        /** The next event with a message that fits. */
        next(wants = () => true, what = 'an event') {
            const fits = event => event.json !== undefined && wants(event.json);
            const at = events.findIndex(fits);
            if (at >= 0)
                return Promise.resolve(events.splice(at, 1)[0].json);
            return within(new Promise(resolve => waiting.push({
                wants: fits, resolve: event => resolve(event.json),
            })), what, source);
        },
        end: () => within(pump, 'the end of the stream', () => source.seen()),
        async close() {
            abort.abort();
            await pump.catch(() => {});
        },
    };
}

// ---- bytes

/** Sends bytes over one connection and reads answers: {status, headers, body} each. */
export async function openSocket(server) {
    const socket = net.connect(server.port, '127.0.0.1');
    await within(once(socket, 'connect'), 'a connection');
    let bytes = Buffer.alloc(0);
    const source = new Source();
    source.seen = () => [`${bytes.length} bytes that nobody took: ${shown(bytes.toString('latin1'), 1000)}`, server.seen?.()]
        .filter(Boolean).join('\n');
    socket.on('data', piece => { bytes = Buffer.concat([bytes, piece]); });
    socket.on('error', () => {});
    socket.on('close', () => source.lose(new Error('the connection ended')));
    const takeAnswer = () => {
        const end = bytes.indexOf('\r\n\r\n');
        if (end < 0)
            return null;
        const [line, ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n');
        const headers = Object.fromEntries(fields.map(f => {
            const colon = f.indexOf(':');
            return [f.slice(0, colon).toLowerCase(), f.slice(colon + 1).trim()];
        }));
        const length = Number(headers['content-length'] ?? 0);
        if (bytes.length < end + 4 + length)
            return null;
        const body = bytes.subarray(end + 4, end + 4 + length).toString();
        bytes = bytes.subarray(end + 4 + length);
        return {status: Number(line.split(' ')[1]), headers, body};
    };
    return {
        socket, source,
        send: data => socket.write(data),
        answer: () => until(takeAnswer, 'an answer', source),
        received: () => bytes,
        closed: () => until(() => source.lost, 'the end of the connection', () => source.seen()),
        close: () => socket.destroy(),
    };
}

/** A raw POST: header lines as pairs, so that they can be doubled or missing. */
export async function rawPost(server, fields, body) {
    const connection = await openSocket(server);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    connection.send(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n` +
        `Content-Type: application/json\r\nAccept: ${ACCEPT}\r\n${lines}` +
        `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    const answer = await connection.answer();
    connection.close();
    return {...answer, json: answer.body ? JSON.parse(answer.body) : undefined};
}
