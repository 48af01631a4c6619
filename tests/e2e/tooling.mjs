// A user of `multiverse tooling` and `multiverse run`: a home of their own, nothing of anybody else's.
//
//     const user = makeUser(t, {tooling: config(['mock', 'fast'])});
//     const rests = await user.json('cooldowns');                // multiverse tooling cooldowns --json
//     const end = await user.run(task({repo}));                  // multiverse run - < task
//     end.code, end.events                                       // its lines of --json
//
// When the test ends nothing that the user started may be running any more.
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {run, start} from './cli.mjs';
import {inhabitants, until} from './lib.mjs';
import {metaScript} from '../standin/meta.mjs';

export const CATEGORIES = ['meta', 'plan', 'task', 'execution', 'worker'];

/** One profile "own" with these candidates in every category; `more` are settings of each category. */
export function config(candidates, more = {}) {
    return configOf(Object.fromEntries(CATEGORIES.map(name => [name, {candidates, ...more}])));
}

/** One profile "own" with these categories: {meta: {candidates}, ...}. */
export function configOf(categories) {
    const settings = Object.entries(categories).map(([name, category]) =>
        [name, {strategy: 'priority', ...category}]);
    return {activeProfile: 'own', profiles: [{id: 'own', name: 'Own', categories: Object.fromEntries(settings)}]};
}

/** A Task YAML (JSON is YAML), as text. */
export function task({id = 'T-1', title = 'A task', repo = '.', prd = {text: 'Make it work.'}, test, runner = {},
    ...more} = {}) {
    return JSON.stringify({version: 1, task: {id, title, repo, prd, ...(test && {test}), ...more},
        runner: {mcp: 'off', ...runner}}, null, 2);
}

/** A candidate that asks this account of the stand-in, with a key of its own: KEY_A for the account a. */
export function chat(account, more = {}) {
    return {tool: 'openai-chat', model: `model-${account.name}`, env: {OPENAI_API_KEY: `env:${keyName(account)}`},
        toolSpecific: {base_url: `${account.url}/v1`}, ...more};
}

/** A candidate that plays a script (src/agent/mock.h). */
export const mock = (model, script, more = {}) =>
    ({tool: 'mock', model, ...(script && {toolSpecific: {script}}), ...more});

/** Settings of a category whose only candidate plans, has these prompts worked on, and finds all well. */
export const planner = (...workers) => ({candidates: [mock('planner', metaScript({workers}))]});

export const keyName = account => `KEY_${account.name.toUpperCase()}`;
export const keyOf = account => `sk-secret-of-${account.name}`;
/** The variables that hold the keys of these accounts. */
export const keys = (...accounts) => Object.fromEntries(accounts.map(a => [keyName(a), keyOf(a)]));

const jsonLines = text => text.split('\n').filter(Boolean).map(line => JSON.parse(line));

/** What a process is, for the message of a test that left one. */
function commandOf(pid) {
    try {
        return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
    } catch {
        return `${pid} has ended`;
    }
}

class User {
    constructor(dir, env) {
        this.dir = dir;
        this.home = path.join(dir, '.multiverse');
        this.repo = path.join(dir, 'repo');
        this.file = path.join(this.home, 'config/tooling.json');
        this.store = path.join(this.home, 'state.db');
        mkdirSync(this.repo);
        this.env = {PATH: '/usr/bin:/bin', HOME: dir, MULTIVERSE_HOME: this.home, TMPDIR: dir, TZ: 'UTC', ...env};
    }

    /** Writes tooling.json: an object, or any text. */
    configure(tooling) {
        mkdirSync(path.dirname(this.file), {recursive: true, mode: 0o700});
        writeFileSync(this.file, typeof tooling === 'string' ? tooling : JSON.stringify(tooling, null, 2));
        return this;
    }

    /** Any command, to its end. */
    command(args, {env, ...options} = {}) {
        return run(args, {cwd: this.repo, env: {...this.env, ...env}, ...options});
    }

    start(args, {env, ...options} = {}) {
        return start(args, {cwd: this.repo, env: {...this.env, ...env}, ...options});
    }

    tooling(...args) {
        return this.command(['tooling', ...args]);
    }

    /** `multiverse tooling ... --json`, which must end well: what it says. */
    async json(...args) {
        const {code, stdout, stderr} = await this.tooling(...args, '--json');
        assert.equal(code, 0, stderr + stdout);
        return JSON.parse(stdout);
    }

    /** `multiverse run --json`, to its end, however that is: {code, events, stderr}. */
    async run(text, {args = [], ...options} = {}) {
        const program = this.start(['run', '-', '--json', ...args], {input: text, ...options});
        const {code, signal} = await program.ended('the end of multiverse run');
        return {code: code ?? signal, stderr: program.stderr, stdout: program.stdout,
            events: jsonLines(program.stdout)};
    }

    /** The same, but it must complete. */
    async complete(text, options) {
        const end = await this.run(text, options);
        assert.equal(end.code, 0, `${end.stderr}\n${end.stdout}`);
        return end;
    }

    /** The rests, by key. */
    async rests() {
        return Object.fromEntries((await this.json('cooldowns')).map(rest => [rest.key, rest]));
    }

    note(id = 'T-1', repo = this.repo) {
        return readFileSync(path.join(repo, `.agent-runner/task-${id}.md`), 'utf8');
    }

    /** Makes all rests and warnings end `ms` earlier, as if that much time had passed. */
    letPass(ms) {
        const db = new DatabaseSync(this.store);
        db.exec('PRAGMA busy_timeout = 5000');
        db.prepare('UPDATE rest SET since = since - ?, until = until - ?').run(ms, ms);
        db.prepare('UPDATE near SET until = until - ?').run(ms);
        db.close();
    }

    inhabitants() {
        return inhabitants(`HOME=${this.dir}`);
    }

    /** Waits until nothing runs that this user has started. */
    isGone(what = 'the end of all that the user started') {
        return until(() => this.inhabitants(), what, {is: left => !left.length,
            seen: () => this.inhabitants().map(commandOf).join('\n')});
    }

    /** Every file below its folder: [path, bytes]. */
    files(dir = this.dir) {
        return readdirSync(dir, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile())
            .map(entry => path.join(entry.parentPath, entry.name))
            .map(file => [path.relative(this.dir, file), readFileSync(file)]);
    }
}

/** A user until t ends; `programs` are put into their PATH by name: {claude: FILE}. */
export function makeUser(t, {tooling, env = {}, programs} = {}) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'multiverse-user-'));
    const user = new User(dir, env);
    if (tooling)
        user.configure(tooling);
    if (programs) {
        const bin = path.join(dir, 'bin');
        mkdirSync(bin);
        for (const [name, text] of Object.entries(programs))
            writeFileSync(path.join(bin, name), text, {mode: 0o755});
        user.env.PATH = `${bin}:${user.env.PATH}`;
    }
    t.after(async () => {
        try {
            if (t.passed !== false) // after a failure, children may wait forever for the rest of the test
                await user.isGone();
        } finally {
            for (const pid of user.inhabitants())
                process.kill(pid, 'SIGKILL');
            if (existsSync(dir))
                rmSync(dir, {recursive: true, force: true});
        }
    });
    return user;
}
