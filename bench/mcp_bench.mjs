// mcp-everything compared with a server on the official TypeScript SDK that does the same: one
// tool, one text block.
//
//     tools/node.sh bench/mcp_bench.mjs build/tests/mcp-everything [SECONDS]
//
// README.md describes the measurements. Both servers run all the time and are loaded in turns, so
// that other work of the machine affects both. SECONDS (default 3) is the length of one turn.
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, readdirSync} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const ROUNDS = 3;
const STARTS = 15;
const WARM_S = 8; // until the competitor's compiler has optimized everything
const GOALS = {'per CPU-second': 15, 'idle memory': 10, 'first answer': 20};
const here = path.dirname(fileURLToPath(import.meta.url));
const binary = path.resolve(process.argv[2] ?? 'build/tests/mcp-everything');
const seconds = Number(process.argv[3] ?? 3);

const ACCEPT = 'application/json, text/event-stream';
const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': {name: 'bench', version: '1'},
};
const message = (id, method, params) => JSON.stringify({jsonrpc: '2.0', id, method, params});
const INITIALIZE = message(0, 'initialize', {
    protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'bench', version: '1'},
});
const CALL = {
    legacy: message(1, 'tools/call', {name: 'test_simple_text', arguments: {}}),
    modern: message(1, 'tools/call', {name: 'test_simple_text', arguments: {}, _meta: META}),
};

const OURS = {name: 'mcp-everything', argv: [binary, '--port', '0']};
const COMPETITORS = ['v1-stateless', 'v1-session', 'v2-stateless', 'v2-session'].map(mode => ({
    name: `TypeScript SDK ${mode}`, argv: [process.execPath, path.join(here, 'ts_server.mjs'), mode],
    eras: mode === 'v2-stateless' ? ['legacy', 'modern'] : ['legacy'],
}));

process.setMaxListeners(0); // one for each server

const median = values => values.toSorted((a, b) => a - b)[values.length >> 1];

// ---- one server

class Server {
    constructor(kind) {
        this.kind = kind;
        this.child = spawn(kind.argv[0], kind.argv.slice(1), {stdio: ['ignore', 'ignore', 'pipe']});
        process.once('exit', () => this.child.kill('SIGKILL')); // whatever went wrong
        this.ready = new Promise((resolve, reject) => {
            let text = '';
            this.child.stderr.on('data', piece => {
                text += piece;
                const line = text.match(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
                if (line)
                    resolve(this.port = Number(line[1]));
            });
            this.child.once('exit', code => reject(new Error(`${kind.name} ended: ${code} ${text}`)));
        });
    }

    /** Send one POST on the connection of this call; return {status, headers, body, bytes}. */
    async post(body, headers) {
        this.socket ??= net.connect(this.port, '127.0.0.1').setNoDelay();
        this.socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${this.port}\r\n` +
            Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('') +
            `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
        let text = '';
        for (;;) {
            text += (await once(this.socket, 'data'))[0].toString('latin1');
            const answer = whole(text);
            if (answer)
                return answer;
        }
    }

    /** Open a session if the server has them, call once, and check the result. */
    async call(era) {
        this.headers ??= {};
        const common = {'Content-Type': 'application/json', Accept: ACCEPT};
        if (era === 'modern') {
            this.headers.modern = {
                ...common, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call',
                'Mcp-Name': 'test_simple_text',
            };
        } else if (!this.headers.legacy) {
            const {headers} = await this.post(INITIALIZE, common);
            const session = headers['mcp-session-id'];
            this.headers.legacy = {
                ...common, 'MCP-Protocol-Version': '2025-11-25',
                ...(session ? {'Mcp-Session-Id': session} : {}),
            };
        }
        const answer = await this.post(CALL[era], this.headers[era]);
        if (answer.status !== 200 || !answer.body.includes('This is a simple text response'))
            throw new Error(`${this.kind.name}: ${answer.status} ${answer.body}`);
        this.socket.destroy(); // the server may close an idle connection at any time
        this.socket = null;
        return answer;
    }

    cpuSeconds() {
        const dir = `/proc/${this.child.pid}/task`;
        return readdirSync(dir).reduce((sum, id) =>
            sum + Number(readFileSync(`${dir}/${id}/schedstat`, 'utf8').split(' ')[0]), 0) / 1e9;
    }

    rss() {
        const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
        return Number(status.match(/^VmRSS:\s*(\d+)/m)[1]) / 1024;
    }

    async stop() {
        const exit = once(this.child, 'exit');
        this.child.kill('SIGTERM');
        await exit;
    }
}

/** The response in the text if it is complete: with a length or in chunks. */
function whole(text) {
    const end = text.indexOf('\r\n\r\n');
    if (end < 0)
        return null;
    const [first, ...lines] = text.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(lines.map(line => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }));
    const body = text.slice(end + 4);
    const done = headers['content-length'] === undefined ? body.endsWith('\r\n0\r\n\r\n')
        : body.length >= Number(headers['content-length']);
    return done ? {status: Number(first.split(' ')[1]), headers, body, bytes: text.length} : null;
}

// ---- load

/** Pin all threads of a process to one core, or to any. */
function pin(pid, cores) {
    spawnSync('taskset', ['-apc', cores, String(pid)], {stdio: 'ignore'});
}

const ANY_CORE = `0-${os.cpus().length - 1}`;

/** One connection is a ping-pong: on two cores it would measure how long an idle core takes to
 * wake. */
async function load(server, era, connections, duration) {
    const {bytes} = await server.call(era);
    const headers = Object.entries(server.headers[era]).map(([name, value]) => `${name}: ${value}`);
    const cores = connections === 1 ? '0' : ANY_CORE;
    pin(server.child.pid, cores);
    const cpu = server.cpuSeconds();
    const wrk = spawn('taskset', ['-c', cores, 'wrk', '-t1', `-c${connections}`, `-d${duration}s`, '--timeout', '10s',
        '-s', path.join(here, 'post.lua'), `http://127.0.0.1:${server.port}/mcp`, '--', CALL[era],
        ...headers], {stdio: ['ignore', 'pipe', 'inherit']});
    let out = '';
    wrk.stdout.on('data', piece => { out += piece; });
    await once(wrk, 'close');
    const result = JSON.parse(out.trim().split('\n').at(-1));
    const used = server.cpuSeconds() - cpu;
    const expected = result.requests * bytes; // an error with status 200 would have another length
    if (result.errors || !result.requests || Math.abs(result.bytes / expected - 1) > 0.02)
        throw new Error(`${server.kind.name}: wrong answers under load: ${out}`);
    return {
        perSecond: result.requests / (result.us / 1e6), perCpu: result.requests / used,
        p50: result.p50, p99: result.p99, cores: used / (result.us / 1e6),
    };
}

/** The fastest competitor for an era, by a short trial. */
async function chooseCompetitor(era) {
    let best;
    for (const kind of COMPETITORS.filter(competitor => competitor.eras.includes(era))) {
        const server = new Server(kind);
        await server.ready;
        await load(server, era, 16, WARM_S);
        const {perCpu} = await load(server, era, 16, seconds);
        await server.stop();
        console.log(`  ${era}: ${kind.name}: ${perCpu.toFixed(0)} requests per CPU-second`);
        if (!best || perCpu > best.perCpu)
            best = {kind, perCpu};
    }
    return best.kind;
}

async function measureStart(kind) {
    const start = performance.now();
    const server = new Server(kind);
    await server.ready;
    await server.call('legacy');
    const ms = performance.now() - start;
    const rss = server.rss();
    await server.stop();
    return {ms, rss};
}

// ---- the report

const rows = [];
const fixed = value => value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** A row of the table; ratio: how many times better ours is. */
function report(what, unit, ours, theirs, {higher = true, goal} = {}) {
    const ratio = higher ? ours / theirs : theirs / ours;
    const wanted = goal ? GOALS[goal] : undefined;
    rows.push({what: unit ? `${what}, ${unit}` : what, ours, theirs, ratio, wanted});
}

function printTable() {
    console.log('\n| | mcp-everything | TypeScript SDK | ratio | goal |\n|---|---:|---:|---:|---:|');
    for (const {what, ours, theirs, ratio, wanted} of rows)
        console.log(`| ${what} | ${fixed(ours)} | ${fixed(theirs)} | **${fixed(ratio)}** | ` +
            `${wanted ? `${wanted}${ratio >= wanted ? '' : ' MISSED'}` : ''} |`);
    return rows.every(({ratio, wanted}) => !wanted || ratio >= wanted);
}

async function compareLoad(era, competitorKind) {
    const pair = {ours: new Server(OURS), theirs: new Server(competitorKind)};
    const turns = {};
    for (const [who, server] of Object.entries(pair)) {
        await server.ready;
        await server.call(era);
        await load(server, era, 16, who === 'ours' ? 1 : WARM_S);
        turns[who] = {1: [], 16: []};
    }
    for (let round = 0; round < ROUNDS; round++)
        for (const connections of [1, 16])
            for (const [who, server] of Object.entries(pair))
                turns[who][connections].push(await load(server, era, connections, seconds));
    const middle = (who, connections, key) => median(turns[who][connections].map(turn => turn[key]));
    for (const connections of [1, 16]) {
        const both = key => [middle('ours', connections, key), middle('theirs', connections, key)];
        const what = `${era}, ${connections === 1 ? '1 connection on one core' : `${connections} connections`}`;
        report(what, 'requests/s', ...both('perSecond'));
        report(what, 'requests per CPU-second', ...both('perCpu'), {goal: 'per CPU-second'});
        report(what, 'p50 in µs', ...both('p50'), {higher: false});
        report(what, 'p99 in µs', ...both('p99'), {higher: false});
    }
    report(`${era}: memory after the load`, 'MiB', pair.ours.rss(), pair.theirs.rss(), {higher: false});
    await Promise.all([pair.ours.stop(), pair.theirs.stop()]);
}

async function compareStarts(competitorKind) {
    const starts = {ours: [], theirs: []};
    await measureStart(OURS);
    await measureStart(competitorKind); // both are in the page cache from here on
    for (let i = 0; i < STARTS; i++) {
        starts.ours.push(await measureStart(OURS));
        starts.theirs.push(await measureStart(competitorKind));
    }
    const both = key => ['ours', 'theirs'].map(who => median(starts[who].map(s => s[key])));
    report('start to first answer', 'ms', ...both('ms'), {higher: false, goal: 'first answer'});
    report('idle memory after one call', 'MiB', ...both('rss'), {higher: false, goal: 'idle memory'});
}

if (spawnSync('wrk', ['--version']).error) {
    console.error('wrk is missing: tools/deps.sh bench installs it');
    process.exit(1);
}
console.log(`${os.cpus().length} x ${os.cpus()[0].model.trim()}, Linux ${os.release()}, ` +
    `Node ${process.versions.node}`);
const competitors = {legacy: await chooseCompetitor('legacy'), modern: await chooseCompetitor('modern')};
console.log(`competitors: legacy ${competitors.legacy.name}, modern ${competitors.modern.name}`);
for (const era of ['legacy', 'modern'])
    await compareLoad(era, competitors[era]);
await compareStarts(competitors.legacy);
process.exitCode = printTable() ? 0 : 1;
