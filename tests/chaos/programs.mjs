// The real programs: the server with limits of milliseconds instead of minutes, and the fake
// editor.
import {spawn} from 'node:child_process';
import {openSync, closeSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync}
    from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import {inTime, onExpiry, shown, Source, until, within} from '../waits.mjs';

export {until, within};

const END_MS = 2000; // spec 40, 4: SIGTERM ends the process within 2 s

export const hasSanitizer = file => readFileSync(file).includes('__asan_init');

/** malloc returns freed memory at once: resident memory is memory in use. */
const PROMPT_MALLOC = {
    MALLOC_TRIM_THRESHOLD_: '4096', MALLOC_TOP_PAD_: '0', MALLOC_MMAP_THRESHOLD_: '16384',
};

/** Sanitizers make everything slower; short limits must still be hit often. */
export function limitsFor(slow) {
    return {
        queue_max_size: 16,
        request_reconnect_wait_ms: 100 * slow,
        compile_grace_timeout_ms: 60 * slow,
        editor_status_interval_ms: 30 * slow,
        stale_connection_timeout_ms: 120 * slow,
        max_message_bytes: 65536,
        reconnect_initial_ms: 4,
        reconnect_max_ms: 50,
        sync_fast_timeout_ms: 1000,
        job_default_timeout_ms: 1000 * slow,
        job_max_timeout_ms: 3000 * slow,
        job_keep_count: 40,
        job_keep_ms: 1,
    };
}

export class Server extends Source {
    constructor(build, slow, limits) {
        super();
        this.file = path.join(build, 'multiverse');
        this.slow = slow;
        this.limits = {...limitsFor(slow), ...limits};
        this.folder = mkdtempSync(path.join(os.tmpdir(), 'multiverse-chaos-'));
        this.logFile = path.join(this.folder, 'server.log');
        writeFileSync(path.join(this.folder, 'multiverse.json'),
            JSON.stringify({schema_version: 1, log_format: 'json', log_level: 'debug', ...this.limits}));
    }

    async start() {
        const log = openSync(this.logFile, 'a'); // a file: a slow reader cannot delay the server
        this.child = spawn(this.file, ['serve', '--stdio', '--port', '0'],
            {cwd: this.folder, stdio: ['pipe', 'pipe', log], env: {...process.env, ...PROMPT_MALLOC}});
        closeSync(log);
        this.ended = new Promise(resolve => this.child.once('close', (code, signal) => {
            resolve({code, signal});
            this.lose(new Error(`the server ended with ${code ?? signal}`));
        }));
        onExpiry(() => this.child.kill('SIGKILL'));
        const [, port] = await until(() => readFileSync(this.logFile, 'utf8').match(/"listening".*:(\d+)\/mcp/),
            'a listening server', this);
        this.port = Number(port);
    }

    seen() {
        return `the end of its log: ${shown(readFileSync(this.logFile, 'utf8'))}`;
    }

    get pid() {
        return this.child.pid;
    }

    /** Open descriptors, by kind. */
    descriptors() {
        const folder = `/proc/${this.pid}/fd`;
        return readdirSync(folder).map(fd => {
            try {
                return `${fd} ${readlinkSync(path.join(folder, fd)).replace(/:\[\d+\]/, '')}`;
            } catch {
                return null; // the descriptor of this listing, or one that was just closed
            }
        }).filter(Boolean).sort((a, b) => parseInt(a) - parseInt(b));
    }

    /** Resident memory in KiB. */
    rss() {
        const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
        return Number(status.match(/^VmRSS:\s*(\d+) kB/m)[1]);
    }

    async stop() {
        const start = performance.now();
        this.child.kill('SIGTERM');
        const end = await within(this.ended, 'the end of the server', () => this.seen());
        inTime(performance.now() - start, END_MS, 'the end of the server');
        return end;
    }

    log() {
        return readFileSync(this.logFile, 'utf8').split('\n').filter(Boolean).map(line => {
            try {
                return JSON.parse(line);
            } catch {
                return {event: 'not a log line', line};
            }
        });
    }

    remove() {
        rmSync(this.folder, {recursive: true, force: true});
    }
}

export class Editor {
    constructor(build, server, {instance = 'chaos-editor', args = []} = {}) {
        this.file = path.join(build, 'tests/fake-editor');
        this.server = server;
        this.traceFile = path.join(server.folder, `${instance}.jsonl`);
        this.args = ['--port', String(server.port), '--project', server.folder, '--instance', instance,
            '--trace', this.traceFile, ...args];
        this.crashes = 0;
        this.errors = [];
    }

    start() {
        this.answers = new Map();
        this.nextId = 1;
        const child = this.child = spawn(this.file, this.args, {stdio: ['pipe', 'pipe', 'inherit']});
        this.events = [];
        onExpiry(() => child.kill('SIGKILL'));
        this.ended = new Promise(resolve => child.once('close', (code, signal) => resolve({code, signal})));
        child.stdin.on('error', () => {});
        let rest = '';
        child.stdout.setEncoding('utf8').on('data', text => {
            const parts = (rest + text).split('\n');
            rest = parts.pop();
            for (const part of parts)
                this.receive(JSON.parse(part));
        });
    }

    receive(message) {
        if (message.event === 'error')
            this.errors.push(message.message);
        if (message.event)
            this.events.push(message.event);
        const waiting = this.answers.get(message.id);
        this.answers.delete(message.id);
        waiting?.(message);
    }

    /** Send a command of its control protocol; return null if it ends before it responds. */
    async command(cmd, fields = {}) {
        const id = this.nextId++;
        const answer = new Promise(resolve => this.answers.set(id, resolve));
        this.child.stdin.write(JSON.stringify({id, cmd, ...fields}) + '\n');
        return within(Promise.race([answer, this.ended.then(() => null)]), `the editor's response to ${cmd}`);
    }

    /** Wait until it has reported one of these events, or has ended. */
    async reported(...events) {
        let isOver = false;
        this.ended.then(() => { isOver = true; });
        await until(() => isOver || events.some(name => this.events.includes(name)), `the event ${events.join(' or ')}`,
            () => this.events);
    }

    chaos(seed) {
        const {slow} = this.server;
        return this.command('mode', {chaos: {
            seed, tick_ms: 40 * slow, delay_max_ms: 12, away_max_ms: 160 * slow, late_extra_ms: 40,
            delay: 0.2, late: 0.01, twice: 0.04, hang: 0.01, wrongid: 0.04, garbage: 0.01, truncated: 0.02,
            noresult: 0.01, error: 0.04, drop: 0.02, lose: 0.015,
            t_drop: 0.03, t_reload: 0.03, t_compile: 0.04, t_silent: 0.01,
        }});
    }

    calm() {
        return this.command('mode', {chaos: false});
    }

    /** Kill it and start a new one: its memory is lost. */
    async crash() {
        this.crashes++;
        this.child.kill('SIGKILL');
        await this.ended;
        this.start();
    }

    async stop() {
        this.child.stdin.end();
        return within(this.ended, 'the end of the editor', () => this.events);
    }

    /** What really happened, in order; lines of a crashed process are followed by those of the new
     * one. */
    trace() {
        return readFileSync(this.traceFile, 'utf8').split('\n').filter(Boolean).map((line, at) =>
            ({at, ...JSON.parse(line)}));
    }
}
