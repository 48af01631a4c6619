// The bridge: a client calls a tool, the server calls the editor, and back. Compared with a bare
// exchange over two hops, and with the smallest bridge on the official SDK (node_bridge.mjs).
//
//     tools/node.sh bench/bridge_bench.mjs BUILD [SECONDS]
//
// README.md describes the measurements. Exits with 1 if a goal is missed.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';

const ROUNDS = 3;
const WARM_S = 6;
const IDLE_S = 11;
const HEARTBEAT_S = 5;
const here = path.dirname(fileURLToPath(import.meta.url));
const build = path.resolve(process.argv[2] ?? 'build');
const seconds = Number(process.argv[3] ?? 2);
const folder = mkdtempSync(path.join(os.tmpdir(), 'bridge-bench-'));
process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
process.setMaxListeners(0);

const median = values => values.toSorted((a, b) => a - b)[values.length >> 1];
const TOOLS = {small: 'read_console', large: 'get_component_info', scene: 'get_scene_hierarchy'};
const ARGUMENTS = {
    read_console: {}, get_component_info: {game_object_path: '/Player', index: 1}, get_scene_hierarchy: {},
};

// ---- processes

let processes = 0;

// Its output goes to a file: reading a pipe here would affect the measurement.
class Process {
    constructor(argv, options = {}) {
        this.file = path.join(folder, `output-${++processes}`);
        const fd = openSync(this.file, 'w');
        this.child = spawn(argv[0], argv.slice(1), {stdio: ['ignore', fd, fd], ...options});
        closeSync(fd);
        process.once('exit', () => this.child.kill('SIGKILL'));
    }

    async printed(pattern) {
        for (;;) {
            const text = readFileSync(this.file, 'utf8');
            const found = text.match(pattern);
            if (found)
                return found;
            if (this.child.exitCode !== null)
                throw new Error(`${this.child.spawnargs.join(' ')} ended: ${text}`);
            await sleep(10);
        }
    }

    pin(cores) {
        spawnSync('taskset', ['-apc', cores, String(this.child.pid)], {stdio: 'ignore'});
    }

    cpuSeconds() {
        const dir = `/proc/${this.child.pid}/task`;
        return readdirSync(dir).reduce((sum, id) =>
            sum + Number(readFileSync(`${dir}/${id}/schedstat`, 'utf8').split(' ')[0]), 0) / 1e9;
    }

    status(key) {
        return Number(readFileSync(`/proc/${this.child.pid}/status`, 'utf8')
            .match(new RegExp(`^${key}:\\s*(\\d+)`, 'm'))[1]);
    }

    async stop() {
        const exit = once(this.child, 'exit');
        this.child.kill('SIGTERM');
        await exit;
    }
}

class Bridge {
    constructor(name, argv, editorPath) {
        this.name = name;
        this.editorPath = editorPath;
        this.server = new Process(argv, {cwd: folder});
    }

    async connect() {
        this.port = Number((await this.server.printed(/http:\/\/127\.0\.0\.1:(\d+)\/mcp/))[1]);
        this.editor = new Process([`${build}/bench/bridge_editor`, String(this.port), this.editorPath]);
        await this.editor.printed(/connected/);
        return this;
    }

    /** Open a session and prepare the calls that load() repeats. */
    async open() {
        const head = {
            'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
        };
        const hello = await fetch(`http://127.0.0.1:${this.port}/mcp`, {
            method: 'POST', headers: head,
            body: JSON.stringify({
                jsonrpc: '2.0', id: 0, method: 'initialize',
                params: {protocolVersion: '2025-11-25', capabilities: {},
                    clientInfo: {name: 'bench', version: '1'}},
            }),
        });
        await hello.text();
        for (const [what, name] of Object.entries(TOOLS)) {
            const body = JSON.stringify({jsonrpc: '2.0', id: 1000, method: 'tools/call',
                params: {name, arguments: ARGUMENTS[name]}});
            writeFileSync(this.file(what), `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${this.port}\r\n` +
                `Content-Type: application/json\r\nAccept: ${head.Accept}\r\n` +
                'MCP-Protocol-Version: 2025-11-25\r\n' +
                `Mcp-Session-Id: ${hello.headers.get('mcp-session-id')}\r\n` +
                `Content-Length: ${body.length}\r\n\r\n${body}`);
        }
        return this;
    }

    file(what) {
        return path.join(folder, `${this.name}-${what}`.replaceAll(' ', '_'));
    }

    pin(cores) {
        this.server.pin(cores);
        this.editor.pin(cores);
    }

    async load(what, connections, duration, cores) {
        this.pin(cores);
        const cpu = this.server.cpuSeconds();
        const result = await run(['taskset', '-c', cores, `${build}/bench/bridge_load`, 'call',
            String(this.port), String(connections), String(duration), this.file(what)]);
        const used = this.server.cpuSeconds() - cpu;
        return {...result, perSecond: result.calls / result.us * 1e6, cpu: used / result.calls * 1e6};
    }

    async stop() {
        await this.server.stop();
    }
}

async function run(argv) {
    const child = spawn(argv[0], argv.slice(1), {stdio: ['ignore', 'pipe', 'inherit']});
    let out = '';
    child.stdout.on('data', piece => { out += piece; });
    const [code] = await once(child, 'close');
    if (code !== 0)
        throw new Error(`${argv.join(' ')}: exit ${code}`);
    return JSON.parse(out);
}

const pingpong = () => run(['taskset', '-c', '0', `${build}/bench/bridge_load`, 'pingpong', '200',
    String(seconds)]);

// ---- the report

const rows = [];
const fixed = value => value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** goal: the maximum of value. */
function report(what, value, unit, {beside = '', goal} = {}) {
    rows.push({what, value, unit, beside, goal});
}

function printTable() {
    console.log('\n| | multiverse | compared with | goal |\n|---|---:|---:|---:|');
    for (const {what, value, unit, beside, goal} of rows)
        console.log(`| ${what} | ${fixed(value)}${unit} | ${beside} | ` +
            `${goal === undefined ? '' : `${fixed(goal)}${value <= goal ? '' : ' MISSED'}`} |`);
    return rows.every(({value, goal}) => goal === undefined || value <= goal);
}

const ANY_CORE = `0-${os.cpus().length - 1}`;
writeFileSync(path.join(folder, 'multiverse.json'),
    JSON.stringify({schema_version: 1, max_message_bytes: 16 << 20, queue_max_size: 64}));
console.log(`${os.cpus().length} x ${os.cpus()[0].model.trim()}, Linux ${os.release()}, ` +
    `Node ${process.versions.node}`);

const newOurs = () => new Bridge('multiverse', [`${build}/multiverse`, 'serve', '--port', '0'], '/unity');

// A server without calls: only the editor's heartbeat wakes it.
const quiet = await newOurs().connect();
await sleep(500);
const before = quiet.server.status('voluntary_ctxt_switches');
await sleep(IDLE_S * 1000);
const woken = quiet.server.status('voluntary_ctxt_switches') - before;
report(`idle, editor connected: times woken in ${IDLE_S} s`, woken, '',
    {beside: `a heartbeat every ${HEARTBEAT_S} s`, goal: Math.ceil(IDLE_S / HEARTBEAT_S)});
report('idle memory', quiet.server.status('VmRSS') / 1024, ' MiB', {goal: 8});
await quiet.stop();

const ours = await newOurs().connect();
await ours.open();
const theirs = await new Bridge('node', [process.execPath, path.join(here, 'node_bridge.mjs')],
    '/plain').connect();
await theirs.open();
for (const what of Object.keys(TOOLS))
    await theirs.load(what, 4, WARM_S / 2, ANY_CORE);
for (const what of Object.keys(TOOLS))
    await ours.load(what, 4, 1, ANY_CORE);

const turns = {bare: [], ours: {}, theirs: {}};
for (let round = 0; round < ROUNDS; round++) {
    turns.bare.push(await pingpong());
    for (const what of Object.keys(TOOLS))
        for (const [who, bridge] of [['ours', ours], ['theirs', theirs]])
            (turns[who][what] ??= []).push(await bridge.load(what, 1, seconds, '0'));
}
const bare = median(turns.bare.map(turn => turn.p50));
const middle = (who, what, key) => median(turns[who][what].map(turn => turn[key]));
report('200 B, one core: p50 by that of a bare exchange over two hops',
    middle('ours', 'small', 'p50') / bare, 'x', {beside: `${fixed(bare)} µs bare`, goal: 1.5});
for (const [what, name, most] of [['small', '200 B', 15], ['large', '200 KB'], ['scene', '10,000 objects', 10]]) {
    for (const key of ['p50', 'p99'])
        report(`${name}, one core: ${key}`, middle('ours', what, key), ' µs',
            {beside: `${fixed(middle('theirs', what, key))} µs Node`});
    const [a, b] = [middle('ours', what, 'cpu'), middle('theirs', what, 'cpu')];
    report(`${name}: server CPU per call`, a, ' µs', {beside: `${fixed(b)} µs Node`});
    report(`${name}: server CPU per call, by Node's`, a / b, '',
        {beside: `1/${fixed(b / a)}`, ...(most ? {goal: 1 / most} : {})});
}
for (const [connections, cores] of [[1, ANY_CORE], [8, ANY_CORE], [32, ANY_CORE], [8, '0'], [32, '0']]) {
    const [a, b] = [await ours.load('small', connections, seconds, cores),
        await theirs.load('small', connections, seconds, cores)];
    const what = `200 B, ${connections} in flight on ${cores === '0' ? 'one core' : 'all cores'}`;
    report(what, a.perSecond, ' calls/s', {beside: `${fixed(b.perSecond)} calls/s Node`});
    report(`${what}: server CPU per call`, a.cpu, ' µs',
        {beside: `${fixed(b.cpu)} µs Node, 1/${fixed(b.cpu / a.cpu)}`});
}
report('memory after the load', ours.server.status('VmRSS') / 1024, ' MiB',
    {beside: `${fixed(theirs.server.status('VmRSS') / 1024)} MiB Node`});
await ours.stop();
await theirs.stop();
process.exitCode = printTable() ? 0 : 1;
