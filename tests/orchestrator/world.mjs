// The real programs: a store, orchestrators that are restarted when they end, and all their
// processes.
//
//     const store = await openStore('postgresql', folder);  // or 'sqlite'; store.url
//     const world = new World({folder, store, homes: 2});
//     await world.json('task', 'list');                 // multiverse task list --json
//     world.census()                                    // all processes: {pid, kind, attempt, ...}
import {execFile, spawn, spawnSync} from 'node:child_process';
import {closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {fileURLToPath} from 'node:url';

import {FILE_MS, onExpiry, shown, until, within} from '../waits.mjs';

export {until, within};

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const postgres = path.join(root, 'tests/postgres.sh');
export const build = path.resolve(process.env.MULTIVERSE_BUILD ?? path.join(root, 'build'));
export const multiverse = path.join(build, 'multiverse');
export const probe = path.join(build, 'tests/orchestrator/task-probe');
/** Sanitizers make the program several times slower. */
export const slow = existsSync(multiverse) && readFileSync(multiverse).includes('__asan_init') ? 3 : 1;

/** Run a command to its end: {code, stdout, stderr}. */
export function runFile(file, args, options = {}) {
    return within(new Promise((resolve, reject) => {
        const child = execFile(file, args, {maxBuffer: 1 << 30, ...options},
            (error, stdout, stderr) => {
                if (error && child.exitCode === null && !child.signalCode)
                    reject(error);
                else
                    resolve({code: child.exitCode ?? child.signalCode, stdout, stderr});
            });
        // it may end before it has read everything
        child.stdin?.on('error', () => {}).end(options.input ?? '');
    }), `the end of ${path.basename(file)} ${shown(args.join(' '), 200)}`);
}

// ---- stores

class SqliteStore {
    constructor(folder) {
        this.name = 'sqlite';
        this.file = path.join(folder, 'store', 'tasks.db');
        mkdirSync(path.dirname(this.file), {mode: 0o700});
        this.url = `sqlite:${this.file}`;
    }

    query(sql) {
        const db = new DatabaseSync(this.file, {readOnly: true});
        try {
            return db.prepare(sql).all();
        } finally {
            db.close();
        }
    }

    close() {}
}

class PostgresStore {
    constructor(folder, options) {
        this.name = 'postgresql';
        this.folder = `${folder}-pg`;
        this.options = options;
        this.kills = 0;
    }

    script(...args) {
        const {status, stdout, stderr, signal} = spawnSync(postgres, args, {encoding: 'utf8', timeout: FILE_MS,
            stdio: ['ignore', 'pipe', 'pipe']});
        if (status === 77)
            throw Object.assign(new Error(stderr.trim()), {isMissing: true});
        if (status !== 0)
            throw new Error(`postgres.sh ${args.join(' ')}: ${status ?? signal} ${stderr}`);
        return stdout.trim();
    }

    start() {
        this.url = this.script(...this.options, '--with', String(process.pid), 'start', this.folder);
        return this;
    }

    /** Create an empty database on the same server. */
    fresh() {
        const name = `d${this.databases = (this.databases ?? 0) + 1}`;
        this.change(`CREATE DATABASE ${name}`);
        return Object.assign(Object.create(this), {url: this.url.replace(/[^/]+$/, name)});
    }

    kill() {
        this.kills++;
        this.script('kill', this.folder);
    }

    again() {
        this.script('start', this.folder);
    }

    /** Refuse connections while the server is down, until this many were tried. */
    async refuse(times) {
        const file = path.join(this.folder, '.s.PGSQL.54321');
        let came = 0;
        rmSync(file, {force: true});
        const door = net.createServer(socket => {
            came++;
            socket.destroy();
        }).listen(file);
        await until(() => came, `${times} connection attempts`, {is: n => n >= times});
        await new Promise(resolve => door.close(resolve));
    }

    /** Send this signal to the server and its children: after SIGSTOP it hangs. */
    signal(signal) {
        const pid = readFileSync(path.join(this.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0];
        const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
        for (const one of [pid, ...children])
            process.kill(Number(one), signal);
    }

    change(sql) {
        const {status, stderr} = spawnSync('psql', ['-X', '-q', '-d', this.url, '-c', sql], {encoding: 'utf8'});
        if (status !== 0)
            throw new Error(stderr);
    }

    /** Rows as objects. */
    query(sql) {
        const {status, stdout, stderr} = spawnSync('psql', ['-X', '-q', '-A', '-t', '-d', this.url, '-c',
            `SELECT row_to_json(q) FROM (${sql}) q`], {encoding: 'utf8', maxBuffer: 1 << 30});
        if (status !== 0)
            throw new Error(stderr);
        return stdout.split('\n').filter(Boolean).map(line => JSON.parse(line));
    }

    close({keep = false} = {}) {
        this.script('stop', this.folder);
        if (!keep)
            rmSync(this.folder, {recursive: true, force: true});
    }
}

/** The error has isMissing if there is no server on this machine and none can be installed. */
export function openStore(name, folder, options = ['--no-fsync']) {
    return name === 'sqlite' ? new SqliteStore(folder) : new PostgresStore(folder, options).start();
}

// ---- processes

const words = file => readFileSync(file, 'latin1').split('\0');

/** One process; null if it has ended or does not belong to this world. */
function readProcess(pid, mark) {
    try {
        const env = words(`/proc/${pid}/environ`);
        if (!env.includes(mark))
            return null;
        const [, state, ppid, rest] = readFileSync(`/proc/${pid}/stat`, 'latin1').match(/.*\) (\S) (\d+) (.*)/);
        if (state === 'Z' || state === 'X')
            return null;
        const args = words(`/proc/${pid}/cmdline`).slice(0, -1);
        const folder = args.map(a => a.match(/\/attempts\/(.+)-(\d+)\/task\.yaml$/)).find(Boolean);
        return {pid, ppid: Number(ppid), born: rest.split(' ')[17], args, kind: kindOf(args),
            mark: env.find(e => e.startsWith('MULTIVERSE_TASK='))?.slice(16),
            attempt: folder && {task: folder[1], number: Number(folder[2])}};
    } catch {
        return null;
    }
}

function kindOf(args) {
    const name = path.basename(args[0] ?? '');
    if (name === 'task-probe')
        return 'probe';
    if (name !== 'multiverse')
        return name === 'sh' ? 'shell' : 'other';
    if (args[1] === 'supervisor')
        return args[2] === '--' ? 'supervisor' : 'guard';
    return {orchestrate: 'orchestrator', run: 'run', 'agent-mock': 'agent'}[args[1]] ?? 'command';
}

const isStill = p => {
    try {
        const [, state, rest] = readFileSync(`/proc/${p.pid}/stat`, 'latin1').match(/.*\) (\S) (.*)/);
        return state !== 'Z' && state !== 'X' && rest.split(' ')[18] === p.born;
    } catch {
        return false;
    }
};

export class World {
    constructor({folder, store, homes = 2, workers = 2, args = []}) {
        this.folder = folder;
        this.store = store;
        this.mark = `MULTIVERSE_CHAOS=${path.basename(folder)}`;
        this.workers = workers;
        this.args = args;
        this.prefix = []; // for every command: ['nsenter', ...]
        this.homes = Array.from({length: homes}, (_, i) => path.join(folder, `home${i + 1}`));
        this.orchestrators = [];
        this.faults = []; // errors of the programs themselves
        this.sightings = [];
        this.attempts = new Map(); // mark -> {task, number}, of all attempts ever seen
        for (const home of this.homes)
            mkdirSync(home, {mode: 0o700});
        onExpiry(() => this.kill());
    }

    env(home = this.homes[0]) {
        return {PATH: '/usr/bin:/bin', HOME: this.folder, TMPDIR: this.folder, TZ: 'UTC', MULTIVERSE_HOME: home,
            MULTIVERSE_STORE: this.store.url, [this.mark.split('=')[0]]: this.mark.split('=')[1]};
    }

    command(...args) {
        const [file, ...rest] = [...this.prefix, multiverse, ...args];
        return runFile(file, rest, {env: this.env(), cwd: this.folder});
    }

    /** Run a command with --json, which must succeed. */
    async json(...args) {
        const {code, stdout, stderr} = await this.command(...args, '--json');
        if (code !== 0)
            throw new Error(`multiverse ${args.slice(0, 4).join(' ')}: ${code} ${stderr}`);
        return JSON.parse(stdout);
    }

    /** Run a command that prints one object per line. */
    async lines(...args) {
        const {code, stdout, stderr} = await this.command(...args, '--json');
        if (code !== 0)
            throw new Error(`multiverse ${args.slice(0, 4).join(' ')}: ${code} ${stderr}`);
        return stdout.split('\n').filter(Boolean).map(line => JSON.parse(line));
    }

    /** Wait until it handles signals: a newly started process would simply die of one. */
    async untilItCatchesSignals(one) {
        const term = 1n << 14n;
        await until(() => {
            let status = '';
            try {
                status = readFileSync(`/proc/${one.child.pid}/status`, 'utf8');
            } catch { /* it has exited; its end is reported */ }
            return one.end !== undefined || BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`) & term;
        }, 'an orchestrator that handles signals', this);
    }

    /** Start an orchestrator; if `kept`, restart it when it ends. The prefix runs it and its
     * successors. */
    orchestrate(index, more = [], kept = true, prefix = this.prefix) {
        const out = openSync(path.join(this.folder, `orchestrator${index}.out`), 'a');
        const err = openSync(path.join(this.folder, `orchestrator${index}.err`), 'a');
        const workers = this.workers ? ['--workers', String(this.workers)] : [];
        const args = [...prefix, multiverse, 'orchestrate', ...workers, '--json', ...this.args, ...more];
        const child = spawn(args[0], args.slice(1), {stdio: ['ignore', out, err], cwd: this.folder,
            env: this.env(this.homes[index % this.homes.length])});
        closeSync(out);
        closeSync(err);
        const one = {index, child, kept, killed: false, starts: (this.orchestrators[index]?.starts ?? 0) + 1};
        one.ended = new Promise(resolve => child.once('exit', (code, signal) => {
            one.end = code ?? signal;
            if (one.kept && !one.killed) {
                this.faults.push(`orchestrator ${index} ended by itself: ${one.end} ${this.output(index, 'err').slice(-2000)}`);
            }
            if (one.kept)
                this.orchestrate(index, more, true, prefix);
            resolve(one.end);
        }));
        this.orchestrators[index] = one;
        return one;
    }

    follow(name) {
        const [file, ...args] = [...this.prefix, multiverse, 'task', 'logs', '-f', '--json', name];
        const child = spawn(file, args, {stdio: ['ignore', 'pipe', 'pipe'],
            cwd: this.folder, env: this.env()});
        const one = {name, child, text: '', errors: ''};
        child.stdout.setEncoding('utf8').on('data', text => { one.text += text; });
        child.stderr.setEncoding('utf8').on('data', text => { one.errors += text; });
        one.ended = new Promise(resolve => child.once('close', (code, signal) => resolve(one.end = code ?? signal)));
        return one;
    }

    /** All processes of this world. */
    census() {
        return readdirSync('/proc').filter(name => /^\d+$/.test(name)).map(pid => readProcess(Number(pid), this.mark))
            .filter(Boolean);
    }

    /** Record two attempts of one task that are alive at the same time. */
    watch(census = this.census()) {
        for (const p of census)
            if (p.mark && p.attempt)
                this.attempts.set(p.mark, p.attempt);
        const tasks = new Map(); // task -> mark -> processes
        for (const p of census) {
            const attempt = this.attempts.get(p.mark);
            if (!attempt || p.kind === 'supervisor') // it has no process left, and is about to end
                continue;
            if (!tasks.has(attempt.task))
                tasks.set(attempt.task, new Map());
            const marks = tasks.get(attempt.task);
            marks.set(p.mark, [...(marks.get(p.mark) ?? []), p]);
        }
        for (const [task, marks] of tasks) {
            const alive = [...marks.values()].map(list => list.filter(isStill)).filter(list => list.length);
            if (alive.length > 1)
                this.sightings.push(`${task}: ${alive.map(list =>
                    list.map(p => `${p.pid} ${p.kind} ${p.mark}`).join(', ')).join(' and ')}`);
        }
        return census;
    }

    /** Kill all processes, after the audit. */
    async end() {
        for (const one of this.orchestrators)
            if (one)
                one.kept = false;
        await until(() => this.kill(), 'the end of all processes', {is: left => !left.length});
    }

    /** Send SIGKILL to all processes; return their descriptions. */
    kill() {
        const left = this.census();
        for (const {pid} of left)
            try {
                process.kill(pid, 'SIGKILL');
            } catch {
                // it has ended
            }
        return left.map(p => `${p.pid} ${p.args.join(' ')}`);
    }

    /** The last output of the orchestrators, for a failed wait. */
    seen() {
        return this.orchestrators.flatMap(({index, end}) => [`orchestrator ${index} ${end === undefined ? 'runs' : `ended with ${end}`}`,
            ...['out', 'err'].map(kind => shown(this.output(index, kind), 1500))]).filter(Boolean).join('\n');
    }

    /** Set when no process is left that could do anything. */
    get lost() {
        const isOver = this.orchestrators.length && this.orchestrators.every(one => one.end !== undefined) &&
            !this.census().length;
        return isOver ? new Error('every orchestrator has ended') : undefined;
    }

    /** Everything this orchestrator wrote to this stream. */
    output(index, kind) {
        const file = path.join(this.folder, `orchestrator${index}.${kind}`);
        return existsSync(file) ? readFileSync(file, 'utf8') : '';
    }
}
