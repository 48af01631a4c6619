// The package through domain reloads: the real server, clients that call tools and run tests all
// the time, and the stand-in editor, which reloads, compiles, loses the focus, plays and is killed
// at any moment.
//
//     MULTIVERSE_BUILD=build node tests/editors/reloads.mjs [--reloads 50] [--kills 5] [--seed N]
//         [--pause MS] [--keep]
//
// --pause is the longest time between two events, 1200 by default.
//
// Two runs: in the first the editor is never killed, so nothing may be lost at all; in the second
// it is killed sometimes. Afterwards three records are compared: the clients' ledger
// (../chaos/ledger.mjs), the trace that the tools and tests in the editor have written
// (reloads/Assets), and the server's log. after.mjs contains the rules.
import {appendFileSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {parseArgs} from 'node:util';

import {LegacyClient, ModernClient} from '../chaos/http.mjs';
import {Ledger} from '../chaos/ledger.mjs';
import {Server} from '../chaos/programs.mjs';
import {Random} from '../chaos/random.mjs';
import {until, within} from '../waits.mjs';
import {contentOf, isTerminal} from '../chaos/run.mjs';
import {StdioClient} from '../chaos/stdio.mjs';
import {build} from '../e2e/fixtures/program.mjs';
import {addAssets, startEditor} from '../e2e/fixtures/package.mjs';
import {copySample} from '../e2e/fixtures/unity.mjs';
import {After} from './after.mjs';
import {sceneOf} from './scene-of.mjs';

const {values: options} = parseArgs({options: {
    seed: {type: 'string', default: process.env.CHAOS_SEED || String(Date.now() % 1_000_000)},
    reloads: {type: 'string', default: process.env.CHAOS_RELOADS || '50'},
    kills: {type: 'string', default: process.env.CHAOS_KILLS || '5'},
    pause: {type: 'string', default: '1200'},
    keep: {type: 'boolean', default: false},
}});
const seed = Number(options.seed);
const SCENE = 'Assets/Scenes/Field.unity', COUNTER = '/Node 0', GAUGE = '/Node 1',
    TESTS = 'MyGame.Tests.Reloads';
const OBJECTS = 1500; // their tree takes several updates

// ---- calls

const START_MS = 120_000; // the server waits this long for the editor
const LONGEST_MS = {list_scenes: 10_000, control_play_mode: 60_000, run_tests: START_MS};

class Calls {
    constructor(random, prefix) {
        Object.assign(this, {random, prefix, count: 0});
    }

    /** One call with its own marker, by which the log shows its request_id. */
    make(tool, args = {}, more = {}) {
        const marker = `${this.prefix}${++this.count}`;
        const timeout_ms = LONGEST_MS[tool] ?? 30_000; // a reload is slow on a busy machine
        return {tool, args: {timeout_ms, ...args, client_request_id: marker}, marker, ...more};
    }

    next() {
        const {random} = this;
        switch (random.weighted({tree: 20, info: 30, add: 20, set: 20, refused: 5, console: 10, scenes: 5})) {
        case 'tree': return this.make('get_scene_hierarchy',
            {max_game_objects: random.pick([10, 500, 10000])});
        case 'info': return this.make('get_component_info',
            {game_object_path: `/Node ${random.below(10)}`, index: random.below(2)});
        case 'add': return this.make('manage_component', {action: 'add', game_object_path: COUNTER,
            component_type: 'BoxCollider'},
            {counts: true});
        case 'set': return this.make('manage_component', {action: 'update', game_object_path: GAUGE, index: 0,
            fields: {localPosition: {y: this.count}}}, {sets: this.count});
        case 'refused': return this.make('manage_component',
            {action: 'remove', game_object_path: COUNTER, index: 0});
        case 'console': return this.make('read_console', {max_entries: 5});
        default: return this.make('list_scenes');
        }
    }
}

// ---- the run

class Storm {
    constructor(name, {reloads, kills, random}) {
        Object.assign(this, {name, reloads, kills, random, isOver: false, counts: {}});
        this.ledger = new Ledger();
        this.calls = new Calls(random.fork(1), name);
        this.jobs = new Map(); // job_id -> its last status
        this.traceFile = '';
        this.trouble = Promise.withResolvers();
        this.trouble.promise.catch(() => {});
    }

    async open(t) {
        this.t = t;
        this.project = copySample(t);
        addAssets(this.project, path.join(import.meta.dirname, 'reloads'));
        this.project.write(SCENE, sceneOf(OBJECTS));
        addAssets(this.project, null);
        this.server = new Server(build, 1, {
            queue_max_size: 64, request_reconnect_wait_ms: START_MS,
            compile_grace_timeout_ms: START_MS, max_message_bytes: 4 << 20,
            editor_status_interval_ms: 1000, stale_connection_timeout_ms: 20_000,
            reconnect_initial_ms: 200, reconnect_max_ms: 5000,
            job_keep_count: 4096, job_keep_ms: 3_600_000, job_default_timeout_ms: START_MS,
            job_max_timeout_ms: START_MS,
            sync_fast_timeout_ms: 30_000, sync_default_timeout_ms: 60_000, dedupe_ms: 600_000,
        });
        this.traceFile = path.join(this.server.folder, 'trace.jsonl');
        writeFileSync(this.traceFile, '');
        await this.server.start();
        const named = (kind, name, more = []) => new kind(name, this.ledger,
            this.random.fork(name.charCodeAt(1)), this.server.port, ...more);
        this.own = new StdioClient('own', this.ledger, this.random.fork(2));
        this.own.use(this.server.child);
        this.clients = [this.own, named(LegacyClient, 'c1'),
            named(LegacyClient, 'c2', ['2025-06-18']), named(ModernClient, 'c3')];
        for (const client of this.clients)
            await client.open();
        await this.startEditor();
    }

    async startEditor() {
        this.unity = await startEditor(this.t, this.project, {port: this.server.port, args: ['-openScene', SCENE],
            env: {MULTIVERSE_TRACE: this.traceFile}});
        const {unity} = this;
        unity.exit.then(({code, signal}) => {
            if (!unity.ends && !this.isEnding)
                this.trouble.reject(new Error(`the editor ended with ${code ?? signal}: ${unity.stderr.slice(-4000)}`));
        });
        await this.unity.domain();
        await this.until(() => this.state(), 'an editor', now => now.connected);
    }

    until(probe, what, is) {
        return until(probe, what, {is, from: this.server});
    }

    /** Wait for the promise, or until the editor or the server ends by itself. */
    async over(promise) {
        const seen = () => `open:\n${this.ledger.open().slice(0, 20).join('\n')}\n${this.unity?.seen()}\n${this.server?.seen()}`;
        return within(Promise.race([promise, this.trouble.promise]), `the end of ${this.name}`, seen);
    }

    /** Make one call; return its content, undefined if there is none. */
    async ask(client, what) {
        const request = client.request('tools/call', {name: what.tool, arguments: what.args}, what);
        await request.ended;
        return contentOf(request.answer);
    }

    state() {
        return this.ask(this.own, {tool: 'get_editor_state', args: {}, kind: 'control'});
    }

    /** Make calls without a pause, some at once. */
    async work(client) {
        while (!this.isOver)
            await Promise.all(Array.from({length: client.random.between(1, 4)},
                () => this.ask(client, this.calls.next())));
    }

    /** Run one test run after the other to its end; cancel some of them. */
    async test(client, random) {
        while (!this.isOver) {
            // tests do not run while there are unsaved changes
            const saved = this.ask(client, this.calls.make('save_scene'));
            const {job_id, ...first} = await this.ask(client,
                this.calls.make('run_tests', {filter: TESTS}, {isJob: true})) ?? {};
            await saved;
            if (!job_id)
                continue;
            let status = first, cancelled = !random.chance(0.25);
            while (status && !isTerminal(status.state)) {
                status = await this.ask(client,
                    {tool: 'get_job_status', args: {job_id, wait_ms: 1000}, kind: 'control'});
                if (!cancelled && random.chance(0.5)) {
                    cancelled = true;
                    await this.ask(client, {tool: 'cancel_job', args: {job_id}, kind: 'control'});
                }
            }
            this.jobs.set(job_id, status ?? {state: 'no answer'});
        }
    }

    /** The events, in an order that the seed gives. */
    course() {
        const {random} = this, events = [];
        for (let i = 0; i < this.reloads; i++)
            events.push(random.chance(0.25) ? 'compile' : 'reload', ...(random.chance(0.3) ? ['focus'] : []),
                ...(random.chance(0.15) ? ['play'] : []));
        for (let i = 0; i < this.kills; i++)
            events.splice(random.below(events.length), 0, 'kill');
        return events;
    }

    /** Reloads, compilations, focus, play mode; and kills. */
    async disturb() {
        const {random} = this;
        const does = {
            reload: () => this.reload(() => this.unity.command('reload')),
            compile: () => this.reload(() => this.unity.command('compile', {ms: random.between(1, 300)})),
            focus: () => this.unity.command('focus', {focused: random.chance(0.5)}),
            play: () => this.play(),
            kill: () => this.kill(),
        };
        for (const event of this.course()) {
            await sleep(random.between(0, Number(options.pause)));
            await does[event]();
            this.counts[event] = (this.counts[event] ?? 0) + 1;
        }
    }

    async reload(ask) {
        const back = this.unity.domain();
        await ask();
        await back;
    }

    /** Entering play mode reloads the domain during the very call that requested it; leaving does
     * not. */
    async play() {
        const control = action => this.ask(this.own, this.calls.make('control_play_mode', {action}));
        await control('start');
        await sleep(this.random.between(0, 200));
        await control('stop');
    }

    async kill() {
        this.unity.ends = 'SIGKILL';
        this.unity.child.kill('SIGKILL');
        appendFileSync(this.traceFile, `${JSON.stringify({ms: Date.now(), what: 'domain ends', killed: true})}\n`);
        await this.unity.exit;
        await this.startEditor();
    }

    async run() {
        const testing = this.clients.slice(0, 2).map((client, i) => this.test(client,
            this.random.fork(20 + i)));
        const working = this.clients.map(client => this.work(client));
        await this.disturb();
        this.isOver = true;
        await Promise.all([...working, ...testing]);
        await this.unity.command('focus', {focused: true});
        await this.until(() => this.state(), 'the end of all calls', ({queue, job}) => !queue.waiting && !queue.running && !job);
        // tests run in a scene of their own, which disappears soon after them
        const gauge = () => this.look('get_component_info', {game_object_path: GAUGE, index: 0});
        await this.until(gauge, 'the scene', now => now.fields);
        this.shown = {
            counter: await this.look('get_scene_hierarchy', {root_path: COUNTER, max_depth: 0}), gauge: await gauge(),
        };
    }

    look(tool, args) {
        return this.ask(this.own, this.calls.make(tool, args));
    }

    trace() {
        return readFileSync(this.traceFile, 'utf8').split('\n').filter(Boolean).map((line,
            at) => ({at, ...JSON.parse(line)}));
    }
}

// ---- the result

async function storm(name, counts) {
    const start = performance.now(), endings = [];
    const t = {after: run => endings.push(run), diagnostic: text => console.error(text)};
    const run = new Storm(name, {...counts, random: new Random(seed).fork(name.length)});
    const attempt = async what => {
        try {
            await what();
        } catch (error) {
            run.ledger.violation(error.stack);
        }
    };
    let after = null;
    await attempt(async () => {
        await run.over(run.open(t));
        await run.over(run.run());
    });
    run.isOver = run.isEnding = true;
    for (const client of run.clients?.slice(1) ?? [])
        await attempt(() => client.close());
    for (const end of endings.reverse())
        await attempt(end);
    const end = await run.server?.stop();
    if (end && end.code !== 0)
        run.ledger.violation(`the server ended with ${end.code ?? end.signal}`);
    await attempt(() => {
        after = new After(run); // its log is complete now
        after.all();
    });
    return report(run, after, (performance.now() - start) / 1000);
}

function report(run, after, seconds) {
    const {violations} = run.ledger;
    const counts = Object.entries(run.counts).map(([event, count]) => `${event} ${count}`).join(', ');
    console.log(`${run.name}: ${counts}; ${seconds.toFixed(1)} s`);
    for (const line of after?.lines() ?? [])
        console.log(`    ${line}`);
    for (const {text, request, more} of violations.slice(0, 10))
        console.log(`VIOLATION ${text}\n${request ? `    ${request}\n` : ''}${more ?? ''}`);
    if (!violations.length)
        console.log(`    no call and no job lost${run.kills ? ', except by a kill' : ''}, nothing executed twice`);
    if (violations.length)
        console.log(`${violations.length} violations; seed ${seed}; records: ${run.server?.folder}`);
    else if (!options.keep)
        run.server.remove();
    return violations.length === 0;
}

console.log(`reloads: seed ${seed}`);
const calm = await storm('reloads', {reloads: Number(options.reloads), kills: 0});
const hard = Number(options.kills) === 0 || await storm('kills',
    {reloads: Number(options.kills) * 2, kills: Number(options.kills)});
process.exitCode = calm && hard ? 0 : 1;
