// The orchestrator compared with graphile-worker: tasks that do nothing, four at once, on the same
// server.
//
//     tools/node.sh bench/orchestrator_bench.mjs build [COUNT]
//
// README.md describes the measurements. All take turns, so that other work of the machine affects
// all. The server is a private one (tests/postgres.sh), which waits for the disk as it does by
// default.
import {execFileSync, spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const ROUNDS = 5;
const IDLE_S = Number(process.argv[4] ?? 30);
const here = path.dirname(fileURLToPath(import.meta.url));
const build = path.resolve(process.argv[2] ?? 'build');
const count = Number(process.argv[3] ?? 4000);
const url = process.env.MULTIVERSE_TEST_STORE;

function call(program, ...args) {
    const text = execFileSync(program, args.map(String), {encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit']});
    return text ? JSON.parse(text) : undefined;
}

const ours = (...args) => call(path.join(build, 'bench/orchestrator_run'), ...args);
const theirs = (...args) => call(process.execPath, path.join(here, 'graphile_worker.mjs'), ...args);
const median = values => values.toSorted((a, b) => a - b)[values.length >> 1];

function measure() {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'orchestrator-bench-'));
    const kinds = {
        pg: round => [ours('add', url, count), ours('run', url, count)][1],
        plain: round => [theirs('add', url, count), theirs('run', url, count, 'plain')][1],
        batch: round => [theirs('add', url, count), theirs('run', url, count, 'batch')][1],
        sqlite: round => {
            const file = path.join(folder, `${round}.db`);
            return [ours('add', file, count), ours('run', file, count)][1];
        },
    };
    const rates = Object.fromEntries(Object.keys(kinds).map(kind => [kind, []]));
    let turns;
    for (let round = 0; round < ROUNDS; round++)
        for (const [kind, run] of Object.entries(kinds)) {
            const got = run(round);
            rates[kind].push(count / got.ms * 1e3);
            if (kind === 'pg') turns = got.turns;
        }
    const idle = {
        pg: ours('idle', url, IDLE_S),
        sqlite: ours('idle', path.join(folder, 'idle.db'), IDLE_S),
    };
    rmSync(folder, {recursive: true, force: true});
    return show(Object.fromEntries(Object.entries(rates).map(([k, v]) => [k, median(v)])), idle, turns);
}

function show(rate, idle, turns) {
    let good = true;
    const row = (what, value, ratio, goal, met) => {
        good &&= met ?? true;
        console.log(`| ${what} | ${value} | ${ratio} | ${goal}${met === false ? ' MISSED' : ''} |`);
    };
    const beside = (a, b) => `**${(a / b).toFixed(2)}**`;
    console.log(`${count} tasks that do nothing, 4 at once; ${(count / turns).toFixed(2)} ends in a transaction\n`);
    console.log('| | tasks/s | ratio | goal |\n|---|---:|---:|---:|');
    row('graphile-worker', rate.plain.toFixed(0), '', '');
    row('PostgreSQL', rate.pg.toFixed(0), beside(rate.pg, rate.plain), '1', rate.pg >= rate.plain);
    row('SQLite', rate.sqlite.toFixed(0), beside(rate.sqlite, rate.plain), '2', rate.sqlite >= 2 * rate.plain);
    row('graphile-worker, jobs locked ahead, ends written together', rate.batch.toFixed(0), '', '');
    row('PostgreSQL compared with that', rate.pg.toFixed(0), beside(rate.pg, rate.batch), '');
    for (const [store, got] of [['PostgreSQL', idle.pg], ['SQLite', idle.sqlite]])
        row(`idle on ${store}, ${IDLE_S} s: CPU, times woken`, `${got.cpu_ms} ms`, got.switches, '10 ms',
            got.cpu_ms < 10);
    return good;
}

if (!url) { // run this script again, with a server
    const again = spawn(path.join(here, '../tests/postgres.sh'), process.argv, {stdio: 'inherit'});
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => again.kill(signal));
    process.exitCode = await new Promise(resolve => again.on('exit', code => resolve(code ?? 1)));
} else {
    process.exitCode = measure() ? 0 : 1;
}
