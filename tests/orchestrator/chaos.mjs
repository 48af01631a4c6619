// A random graph of tasks, several orchestrators, and processes that are killed all the time; then
// an audit of all records. README.md says what it checks.
//
//     MULTIVERSE_BUILD=build tools/node.sh tests/orchestrator/chaos.mjs
//         [--store sqlite|postgresql|both] [--tasks 500] [--workers 8] [--seconds 120] [--seed N] [--keep]
import {mkdtempSync, readFileSync, existsSync, rmSync, writeFileSync, readdirSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

import {Random} from '../chaos/random.mjs';
import {audit, readRecord} from './check.mjs';
import {Killer} from './killer.mjs';
import {readOptions} from './options.mjs';
import {Plan} from './plan.mjs';
import {openStore, probe, slow, until, within, World} from './world.mjs';

const BAD_ATTEMPTS = 2; // of tasks whose test never passes
const MOST_ATTEMPTS = 500; // high enough that no task is given up because it was killed too often
const FOLLOWERS = 3;
const BUSY = 0.4; // of the time of all workers, if nothing were killed

/** Run the function for each item, some at a time. */
async function each(list, width, run) {
    const left = [...list];
    await Promise.all(Array.from({length: width}, async () => {
        while (left.length)
            await run(left.shift());
    }));
}

export class Chaos {
    constructor({storeName, seed, tasks = 500, workers = 8, seconds = 120, lease = 6 * slow, without = [],
        say = console.log}) {
        Object.assign(this, {storeName, seed, seconds, lease, without, say});
        this.orchestrators = Math.max(2, Math.round(workers / 2));
        this.workers = Math.max(1, Math.round(workers / this.orchestrators));
        this.random = new Random(seed);
        this.folder = mkdtempSync(path.join(os.tmpdir(), 'multiverse-tasks-'));
        this.plan = new Plan({random: this.random.fork(10), count: tasks, folder: this.folder, probe,
            busyMs: seconds * workers * 1000 * BUSY});
        this.began = performance.now();
    }

    log(text) {
        this.say(`${this.storeName}: ${((performance.now() - this.began) / 1000).toFixed(1)} s: ${text}`);
    }

    /** Run a command that must succeed; retry while the store is down. */
    insist(args, isDone = ({code}) => code === 0) {
        return until(() => this.world.command(...args), `multiverse ${args.slice(0, 5).join(' ')}`, {is: isDone});
    }

    async add(batch, more = []) {
        const files = this.plan.tasks.filter(t => t.batch === batch).map(t => t.file);
        if (!files.length)
            return;
        // A command without a response may have succeeded nevertheless.
        await this.insist(['task', 'add', ...more, ...files], ({code, stderr}) => code === 0 ||
            (code === 2 && /taken|is there|exists|already/.test(stderr)));
    }

    async open() {
        this.store = openStore(this.storeName, this.folder);
        this.world = new World({folder: this.folder, store: this.store, workers: this.workers,
            args: ['--lease', String(this.lease), '--retry-base', '1', '--max-attempts', String(MOST_ATTEMPTS),
                '--drain', '20']});
        this.plan.write();
        for (const task of this.plan.tasks)
            if (task.kind === 'blocked')
                task.max = BAD_ATTEMPTS;
        await this.add(0);
        await this.add(1, ['--max-attempts', String(BAD_ATTEMPTS)]);
        this.plan.spoilRepos();
        this.log(`${this.plan.tasks.length} tasks, seed ${this.seed}, ${this.orchestrators} orchestrators with ` +
            `${this.workers} workers each, in ${this.folder}`);
    }

    /** Actions of people during the chaos. */
    async meddle(random, isOver) {
        const cancels = this.plan.tasks.filter(t => t.kind === 'cancelled');
        const span = this.seconds * 1000;
        const jobs = [
            ...cancels.map(task => [random.unit() * 0.8, () => this.insist(['task', 'cancel', task.name])]),
            [random.unit() * 0.5, () => this.add(2)],
            [random.unit() * 0.8, async () => {
                await this.insist(['orchestrate', 'pause']);
                await sleep(random.between(200, 2000));
                await this.insist(['orchestrate', 'resume']);
            }],
        ].map(([part, run]) => sleep(part * span).then(run));
        await Promise.all(jobs);
    }

    async storm() {
        const {world, random} = this;
        const end = performance.now() + this.seconds * 1000;
        const isOver = () => performance.now() > end || this.failed;
        this.followers = [...this.plan.tasks].filter(t => t.batch === 0 && t.worker).slice(-FOLLOWERS)
            .map(t => world.follow(t.name));
        for (let i = 0; i < this.orchestrators; i++)
            world.orchestrate(i);
        this.killer = new Killer({world, random: random.fork(20), lease: this.lease, without: this.without});
        await Promise.all([this.killer.work(isOver), this.meddle(random.fork(30), isOver)]);
        this.log(`the killing stops: ${this.summary(this.killer.kills)}`);
    }

    summary(counts) {
        return Object.entries(counts).map(([name, n]) => `${name} ${n}`).join(', ');
    }

    /** SIGTERM drains; then wait until no task is left. */
    async rest() {
        const {world} = this;
        const counts = await world.json('task', 'list');
        this.log(`before the remaining tasks: ${this.summary(this.statesOf(counts))}`);
        const told = [...world.orchestrators];
        const drained = told.map(async one => {
            one.kept = false;
            await world.untilItCatchesSignals(one);
            one.child.kill('SIGTERM');
            return one.ended;
        });
        const codes = await this.within(Promise.all(drained), 'the drain');
        codes.forEach((code, i) => {
            if (code !== 0 && !(told[i].killed && code === 'SIGKILL')) // the last of the kills
                world.faults.push(`orchestrator ${i} was drained and ended with ${code}`);
        });
        const last = Array.from({length: this.orchestrators}, (_, i) => world.orchestrate(i, ['--until-idle'], false));
        const watching = setInterval(() => world.watch(), 300);
        const ends = await this.within(Promise.all(last.map(one => one.ended)), 'the remaining tasks')
            .finally(() => clearInterval(watching));
        const wanted = this.plan.tasks.some(t => ['FAILED', 'BLOCKED'].includes(t.final)) ? 1 : 0;
        ends.forEach((code, i) => {
            if (code !== wanted)
                world.faults.push(`orchestrator ${i} finished its tasks with ${code} instead of ${wanted}`);
        });
        for (const one of this.followers)
            await this.within(one.ended, `task logs -f ${one.name}`);
        this.log('all tasks have ended');
    }

    /** Wait for something that the orchestrators do. */
    within(promise, what) {
        return within(promise, what, () => this.world.seen());
    }

    statesOf(rows) {
        const counts = {};
        for (const row of rows.tasks ?? rows)
            counts[row.state] = (counts[row.state] ?? 0) + 1;
        return counts;
    }

    events() {
        const schema = this.storeName === 'sqlite' ? '' : 'multiverse.';
        return this.store.query('SELECT t.name AS task, e.kind AS kind, e.number AS number, e.told AS told ' +
            `FROM ${schema}event e JOIN ${schema}task t ON t.id = e.task ORDER BY e.id`)
            .map(({told, ...event}) => ({...event, state: told ? JSON.parse(told).state : undefined}));
    }

    async books() {
        const {world, plan} = this;
        const rows = new Map(), logs = new Map();
        await each(plan.tasks, 3, async task => {
            const row = await world.json('task', 'show', task.name);
            rows.set(task.name, row);
            for (const a of row.attempt_list)
                logs.set(`${task.name}/${a.number}`,
                    await world.lines('task', 'logs', task.name, '--attempt', String(a.number)));
        });
        const record = path.join(this.folder, 'record');
        return {
            tasks: plan.tasks, lines: task => plan.linesOf(task), rows, logs, events: this.events(),
            record: existsSync(record) ? readRecord(readFileSync(record, 'utf8')) : [],
            followed: new Map(this.followers.map(one => [one.name,
                one.text.split('\n').filter(Boolean).map(line => JSON.parse(line))])),
            errors: this.errorTexts(), sightings: world.sightings, alive: world.census().map(p => `${p.pid} ${p.args.join(' ')}`),
        };
    }

    /** Repair the tasks that failed and retry them: now everything succeeds. */
    async mend() {
        const {world, plan} = this;
        writeFileSync(path.join(this.folder, 'mended'), '');
        const bad = plan.tasks.filter(t => t.final !== 'SUCCEEDED' && !t.isSpoiled);
        plan.write();
        await this.insist(['task', 'retry', ...bad.map(t => t.name)]);
        const last = Array.from({length: 2}, (_, i) => world.orchestrate(i, ['--until-idle'], false));
        const ends = await this.within(Promise.all(last.map(one => one.ended)), 'the end of the repaired tasks');
        const rows = await world.json('task', 'list');
        const states = this.statesOf(rows);
        if (ends.some(code => code !== 0) || states.SUCCEEDED !== plan.tasks.length)
            world.faults.push(`repaired and retried: ${ends} ${this.summary(states)}`);
        for (const task of plan.tasks)
            if (!existsSync(path.join(this.folder, 'done', task.name)))
                world.faults.push(`${task.name} never succeeded`);
        for (const line of readRecord(readFileSync(path.join(this.folder, 'record'), 'utf8')))
            if (line.what === 'early' || line.what === 'overlap')
                world.faults.push(`${line.what}: ${line.task} ${line.more}`);
    }

    async run() {
        let books, result = {violations: [], counts: {}};
        try {
            await this.open();
            await this.storm();
            await this.rest();
            books = await this.books();
            result = audit(books);
            if (!result.violations.length)
                await this.mend();
        } catch (error) {
            this.isMissing = error.isMissing && error.message; // no server on this machine
            result.violations.push(`the course: ${error.stack}`);
        }
        result.violations.push(...(this.world?.faults ?? []));
        const lost = result.counts.ends?.lost ?? 0;
        this.log(`${JSON.stringify(result.counts)}`);
        this.log(`kills: ${JSON.stringify(this.killer?.kills ?? {})}, leases that were reclaimed: ${lost}, ` +
            `violations: ${result.violations.length}`);
        this.isFine = !result.violations.length;
        this.violations = result.violations;
        writeFileSync(path.join(this.folder, 'kills'), (this.killer?.log ?? []).join('\n'));
        if (books)
            writeFileSync(path.join(this.folder, 'books.json'), JSON.stringify({rows: [...books.rows.values()],
                logs: Object.fromEntries(books.logs), events: books.events}));
        await this.world?.end();
        return this;
    }

    errorTexts() {
        return Array.from({length: this.orchestrators}, (_, i) => path.join(this.folder, `orchestrator${i}.err`))
            .filter(existsSync).map(file => readFileSync(file, 'utf8')).filter(Boolean);
    }

    /** All violations, and the programs' standard error. */
    report() {
        return [`${this.storeName}, seed ${this.seed}: ${this.violations.length} violations; records: ${this.folder}`,
            ...this.violations.slice(0, 30), ...this.errorTexts().map(text => text.slice(-1500))].join('\n');
    }

    close({keep = false} = {}) {
        this.store?.close({keep});
        if (!keep)
            rmSync(this.folder, {recursive: true, force: true});
    }
}

async function main() {
    const options = readOptions({
        store: ['both', ['sqlite', 'postgresql', 'both']],
        tasks: [process.env.CHAOS_TASKS || 500, 'number'],
        workers: [8, 'number'],
        seconds: [process.env.CHAOS_SECONDS || 120, 'number'],
        seed: [process.env.CHAOS_SEED || 1 + Date.now() % 1_000_000, 'number'],
        without: ['', null], // kinds of kills: family,server
        keep: [false, null],
    });
    const names = options.store === 'both' ? ['sqlite', 'postgresql'] : [options.store];
    for (const storeName of names) {
        const chaos = await new Chaos({...options, storeName, without: options.without.split(',')}).run();
        if (!chaos.isFine) {
            console.log(chaos.report());
            process.exitCode = 1;
        }
        chaos.close({keep: options.keep || !chaos.isFine});
    }
}

if (process.argv[1] === import.meta.filename)
    await main();
