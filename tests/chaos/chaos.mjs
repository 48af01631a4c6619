// One misbehaving editor, eight misbehaving clients and one server between them; then an audit of
// all records. README.md says what it checks.
//
//     MULTIVERSE_BUILD=build node tests/chaos/chaos.mjs [--seed N] [--calls N] [--jobs N] [--keep]
import path from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

import {Check} from './check.mjs';
import {LegacyClient, ModernClient} from './http.mjs';
import {Ledger} from './ledger.mjs';
import {Plan} from './plan.mjs';
import {isTimed, until, within} from '../waits.mjs';
import {Editor, hasSanitizer, Server} from './programs.mjs';
import {Random} from './random.mjs';
import {contentOf, isTerminal, Run} from './run.mjs';
import {AttachedClient, StdioClient} from './stdio.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const build = path.resolve(process.env.MULTIVERSE_BUILD ?? path.join(root, 'build'));
const {values: options} = parseArgs({options: {
    seed: {type: 'string', default: process.env.CHAOS_SEED || String(Date.now() % 1_000_000)},
    calls: {type: 'string', default: process.env.CHAOS_CALLS || '10000'},
    jobs: {type: 'string', default: process.env.CHAOS_JOBS || '500'},
    keep: {type: 'boolean', default: false},
}});
const seed = Number(options.seed), calls = Number(options.calls), jobs = Number(options.jobs);
const ALL_TOOLS = ['read_console', 'run_tests', 'get_scene_hierarchy', 'get_component_info', 'manage_component'];
const isShort = calls < 5000;
const RSS_PART = isShort ? 0.2 : 0.05; // a short warm-up does not reach the final memory size
const WARM_UP = isShort ? 0.2 : 0.5; // of all calls

const ledger = new Ledger();
const runs = [];
let server, editor, own, slow, isStarted, isEnding = false;
const started = new Promise(resolve => { isStarted = resolve; });

// ---- parts of a run

async function openClients(random, salt) {
    const named = (i, make) => make(`c${i}${salt}`, random.fork(i + 1));
    const clients = [
        named(1, (name, r) => new AttachedClient(name, ledger, r, server)),
        named(2, (name, r) => new AttachedClient(name, ledger, r, server, {modern: true})),
        named(3, (name, r) => new LegacyClient(name, ledger, r, server.port)),
        named(4, (name, r) => new LegacyClient(name, ledger, r, server.port)),
        named(5, (name, r) => new LegacyClient(name, ledger, r, server.port, '2025-06-18')),
        named(6, (name, r) => new ModernClient(name, ledger, r, server.port)),
        named(7, (name, r) => new ModernClient(name, ledger, r, server.port)),
    ];
    // A task is kept until its session ends or, if modern, for an hour. That would count as a leak,
    // so most of them are created in the warm-up.
    clients[0].legacyTasks = clients[2].legacyTasks = clients[3].legacyTasks = true;
    clients[1].tasksPart = clients[6].tasksPart = salt === 'w' ? 0.6 : 0.04;
    clients[2].listens = true;
    clients[3].endsSessions = clients[4].endsSessions = true;
    await Promise.all(clients.map(c => c.open()));
    return [own, ...clients];
}

/** Connect another editor: it is refused, or accepted while there is none; it compiles and gets no
 * calls. */
async function connectAnother() {
    const other = new Editor(build, server,
        {instance: 'another-editor', args: ['--no-reconnect', '--state', 'compiling']});
    other.start();
    await other.reported('connected', 'closed');
    await stateNow(); // what the server had for it is on its way
    await other.stop();
    if (other.trace().some(line => line.what === 'received'))
        ledger.violation('an editor that compiles got a call');
}

/** Now and then the editor dies or loses a tool, and another editor tries to connect. */
async function disturb(random, run, isOver) {
    while (!isOver()) {
        await sleep(random.between(300, 1500) * slow);
        if (isOver())
            return;
        switch (random.below(3)) {
        case 0:
            await editor.crash();
            await editor.chaos(random.below(1 << 30));
            break;
        case 1:
            await editor.command('capability', {tools: ALL_TOOLS.filter(t => t !== 'get_scene_hierarchy')});
            await sleep(random.between(5, 60));
            await editor.command('capability', {tools: ALL_TOOLS});
            break;
        default:
            await connectAnother();
        }
    }
}

const stateNow = async () => {
    const request = own.request('tools/call', {name: 'get_editor_state', arguments: {}},
        {tool: 'get_editor_state', args: {}, kind: 'control'});
    await request.ended;
    return contentOf(request.answer);
};

const isQuiet = ({editor_state: state, connected, queue, job}) =>
    connected && state === 'ready' && !queue.waiting && !queue.running && !job;
const openCalls = () => ledger.open().slice(0, 20).join('\n');

/** Without disturbances, every client gets a result from every tool. */
async function calmCalls(clients, prefix) {
    const plan = new Plan({random: new Random(1), calls: 0, jobs: 0, prefix, slow});
    for (const client of clients)
        for (const tool of ['read_console', 'get_scene_hierarchy', 'get_component_info', 'manage_component']) {
            const marker = plan.marker();
            const args = {...plan.ownArguments(tool, `fake:echo=${marker}`)};
            if (tool === 'manage_component')
                args.client_request_id = `id-${marker}`; // also makes the server forget old ones
            const request = client.request('tools/call', {name: tool, arguments: args},
                {tool, args, marker, kind: 'plain'});
            await request.ended;
            if (!contentOf(request.answer) || request.answer.result.isError)
                ledger.violation('a calm call failed', request, JSON.stringify(request.answer));
        }
}

/** Fill the queue once, so that two memory measurements are comparable. */
async function fillQueue(clients, prefix) {
    const plan = new Plan({random: new Random(1), calls: 0, jobs: 0, prefix: `${prefix}fill`, slow});
    const sent = [];
    for (const client of clients)
        for (let i = 0; i < 4; i++) {
            const large = plan.large();
            sent.push(client.request('tools/call', {name: large.tool, arguments: large.args}, large));
            const marker = plan.marker();
            const args = {message_pattern: `fake:echo=${marker},huge=60000`};
            sent.push(client.request('tools/call', {name: 'read_console', arguments: args},
                {tool: 'read_console', args, marker, kind: 'plain'}));
        }
    await Promise.all(sent.map(request => request.ended));
}

/** Run jobs until the store is full of undisturbed ones, so that memory is comparable. */
async function calmJobs(run, prefix, count) {
    for (let i = 1; i <= count; i++) {
        const marker = `${prefix}${i}`;
        const args = {filter: `fake:echo=${marker},steps=1,step=1`, wait_ms: 5000};
        const request = own.request('tools/call', {name: 'run_tests', arguments: args},
            {tool: 'run_tests', args, marker, kind: 'plain', isJob: true});
        await request.ended;
        const status = contentOf(request.answer);
        if (status?.state !== 'succeeded')
            ledger.violation('a calm job did not succeed', request, JSON.stringify(request.answer));
        else
            run.sightings.push({request, status});
    }
}

async function storm(name, prefix, callCount, jobCount) {
    const random = new Random(seed).fork(prefix.charCodeAt(0));
    const plan = new Plan({random: random.fork(100), calls: callCount, jobs: jobCount, prefix, slow});
    const clients = await openClients(random, prefix);
    const run = new Run({plan, clients, ledger, random: random.fork(200), slow});
    runs.push(run);
    // later violations would only hide the first one
    ledger.onViolation = () => { plan.calls = 0; };
    await editor.chaos(random.below(1 << 30));
    let over = false;
    const disturbing = disturb(random.fork(300), run, () => over || plan.isOver);
    await run.work();
    over = true;
    await disturbing;
    await editor.calm();
    await until(() => !ledger.open().length, `${name}: every call is answered`, {from: server, seen: openCalls});
    await until(stateNow, `${name}: nothing is left to do`, {is: isQuiet, from: server});
    await calmCalls(clients, `${prefix}calm`);
    await fillQueue(clients, prefix);
    await queryAllJobs(run);
    for (const client of clients.slice(1))
        await client.close();
    await calmJobs(run, `${prefix}job`, server.limits.job_keep_count);
    return {run, plan, clients};
}

/** Query every known job once more: final states do not change. */
async function queryAllJobs(run) {
    for (const jobId of run.jobs.keys()) {
        const args = {job_id: jobId};
        const request = own.request('tools/call', {name: 'get_job_status', arguments: args},
            {tool: 'get_job_status', args, kind: 'control'});
        await request.ended;
        const status = contentOf(request.answer);
        if (status?.state)
            run.sightings.push({request, status});
        if (status?.state && !isTerminal(status.state))
            ledger.violation(`${jobId} is ${status.state} after everything has ended`, request);
    }
}

/** Wait until the last connections are closed and temporary records have expired. */
async function settle() {
    await sleep(server.limits.dedupe_ms + 100);
    await calmCalls([own], 'settle' + 'abcdefgh'[runs.length]);
    await until(stateNow, 'quiet', {is: isQuiet, from: server});
}

/** Calls that run and wait while the server stops: they get responses, too. */
async function openAtTheEnd() {
    const plan = new Plan({random: new Random(1), calls: 0, jobs: 0, prefix: 'end', slow});
    await editor.command('mode', {hang: true});
    for (let i = 0; i < 8; i++) {
        const marker = plan.marker();
        const args = plan.edit(`fake:echo=${marker}`);
        own.request('tools/call', {name: 'manage_component', arguments: args},
            {tool: 'manage_component', args, marker, kind: 'plain'});
    }
    await until(stateNow, 'seven calls wait for one', {is: now => now.queue.waiting === 7, from: server});
}

// ---- the result

const list = counts => Object.entries(counts).sort().map(([k, n]) => `${k} ${n}`).join(', ');

function report({check, trace, seconds, rss, fds}) {
    const count = what => trace.filter(line => line.what === what).length;
    const accidents = {};
    for (const {what, how} of trace)
        if (what === 'chaos')
            accidents[how] = (accidents[how] ?? 0) + 1;
    const sum = of => runs.reduce((n, run) => n + of(run), 0);
    const ofClients = key => sum(run => run.clients.reduce((n, client) => n + (client[key] ?? 0), 0));
    const {violations} = ledger;
    console.log(`answers: ${list(check.outcomes)}`);
    console.log(`jobs: ${list(check.jobStates)}; ${sum(run => run.counts.tasks)} as tasks`);
    console.log(`editor: ${count('received')} received, ${count('executed')} executed, ` +
        `${count('compiling')} compilations, ${editor.crashes} crashes; calls and ticks with ${list(accidents)}`);
    console.log(`clients: ${sum(run => run.counts.cancels)} cancels, ${sum(run => run.counts.dropped)} connections ` +
        `dropped, ${ofClients('resumed')} streams resumed, ${ofClients('drops')} left and reconnected, ` +
        `${ofClients('sessions')} sessions ended, ${ledger.progress} progress notices`);
    console.log(`chaos: ${check.calls.length} calls, ${check.jobs.size} jobs, ${count('closed')} drops, ` +
        `${count('reloading')} reloads, ${sum(run => run.plan.repeats)} repeats, queue at most ` +
        `${check.mostWaiting} of ${server.limits.queue_max_size}, ${seconds.toFixed(1)} s, RSS ${rss.join(' -> ')} KiB, ` +
        `descriptors ${fds.join(' -> ')}, seed ${seed}: ${violations.length || 'no'} violations`);
}

function complain() {
    const lines = server.log().filter(line => line.event === 'not a log line').slice(0, 60);
    if (lines.length)
        console.error(`\nthe server printed:\n${lines.map(({line}) => line).join('\n')}`);
    for (const {text, request, more} of ledger.violations.slice(0, 5)) {
        console.error(`\nVIOLATION (seed ${seed}): ${text}`);
        if (request)
            console.error(`call: ${request}\nanswer: ${JSON.stringify(request.answer)?.slice(0, 1000)}`);
        if (more)
            console.error(more);
    }
    if (ledger.violations.length > 5)
        console.error(`\n... and ${ledger.violations.length - 5} more`);
}

async function main() {
    const start = performance.now();
    console.log(`chaos: seed ${seed}, ${calls} calls, ${jobs} jobs`);
    await server.start();
    isStarted();
    editor = new Editor(build, server);
    editor.start();
    own = new StdioClient('own', ledger, new Random(seed).fork(99));
    own.use(server.child);
    await own.open();
    await until(stateNow, 'a connected editor', {is: isQuiet, from: server});

    const fds = [server.descriptors().length];
    const before = server.descriptors();
    await storm('warm-up', 'w', Math.ceil(calls * WARM_UP), Math.ceil(jobs * WARM_UP));
    await settle();
    const rss = [server.rss()];
    await storm('storm', 'm', Math.floor(calls * (1 - WARM_UP)), Math.floor(jobs * (1 - WARM_UP)));
    await settle();
    await until(() => server.descriptors(), 'closed descriptors', {is: now => now.length <= before.length, from: server,
        seen: () => `before: ${before.join(', ')}`});
    const after = server.descriptors();
    rss.push(server.rss());
    fds.push(after.length);
    if (slow === 1 && rss[1] > rss[0] * (1 + RSS_PART))
        ledger.violation(`memory grows: ${rss.join(' -> ')} KiB`);
    await openAtTheEnd();
    isEnding = true;
    const end = await server.stop();
    await editor.stop();
    if (end.code !== 0)
        ledger.violation(`the server ended with ${end.code ?? end.signal}`);
    const check = new Check({ledger, trace: editor.trace(), log: server.log(), limits: server.limits, runs});
    check.all();
    report({check, trace: check.trace, seconds: (performance.now() - start) / 1000, rss, fds});
}

/** No call takes longer than all timeouts together; a longer one is lost. Where the machine may be
 * busy, that is only known when the time of the whole run is over. */
const sweep = setInterval(() => {
    for (const request of isTimed ? ledger.open() : [])
        if (performance.now() - request.sentAt > 15_000 * slow) {
            ledger.violation('no response for 15 seconds', request);
            request.end();
        }
}, 1000).unref();

/** The server must not stop by itself. */
async function crash() {
    await started;
    const {code, signal} = await server.ended;
    if (!isEnding)
        throw new Error(`the server ended with ${code ?? signal}`);
    await new Promise(() => {});
}

server = new Server(build, hasSanitizer(path.join(build, 'multiverse')) ? 3 : 1,
    {dedupe_ms: isShort ? 500 : 1500});
({slow} = server);
try {
    await within(Promise.race([main(), crash()]), 'the end of everything', {seen: () => `open:\n${openCalls()}`});
} catch (error) {
    clearInterval(sweep);
    ledger.violation(error.stack);
    server.child?.kill('SIGKILL');
    editor?.child?.kill('SIGKILL');
}
complain();
if (options.keep || ledger.violations.length)
    console.error(`\nkept: ${server.folder}`);
else
    server.remove();
process.exit(ledger.violations.length ? 1 : 0);
