// Tests of `multiverse task` and `multiverse orchestrate`, on both stores.
//
//     eachStore('a task is added', async (t, place) => {
//         await place.add({a: [], b: ['a']});                    // names and what they need
//         await place.orchestrate('--until-idle');               // to its end: {code, events}
//         assert.equal((await place.show('b')).state, 'SUCCEEDED');
//     }, {tooling: FINE});
//
// SQLite in the user's home; PostgreSQL a server of this file's own (tests/postgres.sh), with a database for each test;
// it goes with this process.
// Where there is no PostgreSQL and it cannot be installed those tests are skipped.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {runOnTerminal} from './cli.mjs';
import {until} from './lib.mjs';
import {configOf, makeUser, mock, task} from './tooling.mjs';
import {metaScript} from '../standin/meta.mjs';

const script = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../postgres.sh');

// ---- PostgreSQL

let server; // {url} or {skip}
let databases = 0;

function startServer() {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'multiverse-pg-'));
    const {status, stdout, stderr} = spawnSync(script, ['--no-fsync', '--with', String(process.pid), 'start', folder],
        {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
    if (status === 77)
        return {skip: stderr.trim()};
    assert.equal(status, 0, stderr);
    return {url: stdout.trim(), folder};
}

/** The server of this file, started when it is first needed: {url, folder} or {skip}. */
export function postgres() {
    server ??= startServer();
    return server;
}

/** start, stop, kill (all its processes at once): the server in this folder. */
export function serverDoes(what, folder) {
    execFileSync(script, [what, folder], {stdio: ['ignore', 'ignore', 'inherit']});
}

/** The URL of a database of its own on that server. */
export function freshDatabase() {
    const name = `t${++databases}`;
    execFileSync('psql', [postgres().url, '-qc', `CREATE DATABASE ${name}`]);
    return postgres().url.replace(/\/postgres$/, `/${name}`);
}

// ---- the user

/** The planner finds that all is done; the test command has the last word. */
export const FINE = configOf({meta: {candidates: [mock('planner', metaScript())]}});

const jsonLines = text => text.split('\n').filter(Boolean).map(line => JSON.parse(line));

class Place {
    constructor(user, url) {
        this.user = user;
        this.url = url; // undefined: the default, SQLite
        this.files = path.join(user.dir, 'tasks');
        mkdirSync(this.files);
    }

    run(...args) {
        return this.user.command(args);
    }

    start(...args) {
        return this.user.start(args);
    }

    /** On a terminal, to its end. */
    onTerminal(args, env = {}) {
        return runOnTerminal(args, this.terminal(env));
    }

    /** What a program on a terminal of this user's is started with. */
    terminal(env = {}) {
        return {cwd: this.user.repo, env: {...this.user.env, TERM: 'xterm', ...env}};
    }

    task(...args) {
        return this.run('task', ...args);
    }

    /** `multiverse task ... --json`, which must end well: what it says. */
    async json(...args) {
        const {code, stdout, stderr} = await this.task(...args, '--json');
        assert.equal(code, 0, `task ${args.join(' ')}: ${stderr}${stdout}`);
        return JSON.parse(stdout);
    }

    list(...args) {
        return this.json('list', ...args);
    }

    show(name) {
        return this.json('show', name);
    }

    /** The states by name. */
    async states() {
        return Object.fromEntries((await this.list()).map(row => [row.name, row.state]));
    }

    /** Writes a Task YAML and answers its path; `more` is merged into task, runner goes apart. */
    file(name, needs = [], {runner, ...more} = {}) {
        const file = path.join(this.files, `${name}.yaml`);
        writeFileSync(file, task({id: name, title: `Task ${name}`, repo: this.user.repo, dependencies: needs,
            ...(runner && {runner}), ...more}));
        return file;
    }

    fileOf(name, {needs = [], ...more}) {
        return this.file(name, needs, more);
    }

    /** Adds tasks: {name: [needs...]} or {name: {needs, ...more}}. */
    async add(graph, ...args) {
        const files = Object.entries(graph).map(([name, about]) => Array.isArray(about) ? this.file(name, about)
            : this.fileOf(name, about));
        const {code, stdout, stderr} = await this.task('add', ...files, ...args, '--json');
        assert.equal(code, 0, stderr);
        return JSON.parse(stdout);
    }

    /** `multiverse orchestrate`, to its end: {code, events, stderr}. */
    async orchestrate(...args) {
        const program = this.orchestrator(...args);
        const {code, signal} = await program.ended(`multiverse orchestrate ${args.join(' ')}`);
        return {code: code ?? signal, stderr: program.stderr, events: jsonLines(program.stdout)};
    }

    /** The same, running: program.events() are those so far, program.event(name, task) waits for one. */
    orchestrator(...args) {
        const program = this.start('orchestrate', '--retry-base', '1', ...args);
        program.events = () => jsonLines(program.stdout.slice(0, program.stdout.lastIndexOf('\n') + 1));
        program.event = (name, of) => until(
            () => program.events().find(e => e.event === name && (!of || e.task === of)),
            `the event ${name} of ${of ?? 'it'}`, program);
        return program;
    }
}

/** A user with tasks on this store; url undefined: SQLite in the user's home. */
export function makePlace(t, {url, tooling = FINE, env = {}} = {}) {
    return new Place(makeUser(t, {tooling, env: {...env, ...(url && {MULTIVERSE_STORE: url})}}), url);
}

/** The test on SQLite and on PostgreSQL, at the same time: most of it waits. */
export function eachStore(name, body, options = {}) {
    describe(name, {concurrency: 2}, () => {
        test('SQLite', t => body(t, makePlace(t, options)));
        test('PostgreSQL', t => {
            const {skip} = postgres();
            if (skip)
                return t.skip(skip);
            return body(t, makePlace(t, {...options, url: freshDatabase()}));
        });
    });
}

/** Whether the process does something of its own when it gets the signal. */
export function heeds(pid, signal) {
    const caught = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^SigCgt:\s*([0-9a-f]+)/m)[1];
    return (BigInt(`0x${caught}`) >> BigInt(os.constants.signals[signal] - 1) & 1n) === 1n;
}

/** A test command that waits until the file is there: it runs as long as the test wants. */
export const waitsFor = file => `while [ ! -e '${file}' ]; do sleep 0.02; done`;
