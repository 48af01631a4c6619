// multiverse orchestrate: events, signals, pause, resume, stop, pools, until-idle, exit codes.
import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {refuses, startOnTerminal} from '../fixtures/cli.mjs';
import {until} from '../fixtures/program.mjs';
import {eachStore, makePlace, waitsFor} from '../fixtures/store.mjs';
import {configOf, mock} from '../fixtures/tooling.mjs';
import {metaScript} from '../../standin/meta.mjs';

const DIAMOND = {a: [], b: ['a'], c: ['a'], d: ['b', 'c']};
const FAILS = {test: {command: 'false'}, runner: {max_loops: 1}};
const endOf = async program => {
    const {code, signal} = await program.ended('the end of the orchestrator');
    return code ?? signal;
};

/** A task that runs until a file exists, and that file. */
function held(place, name) {
    const file = path.join(place.user.dir, `go-${name}`);
    return {about: {test: {command: waitsFor(file)}}, go: () => writeFileSync(file, '')};
}

describe('until idle', () => {
    eachStore('runs everything in the right order, exit code 0', async (t, place) => {
        await place.add(DIAMOND);
        const {code, events, stderr} = await place.orchestrate('--until-idle', '--workers', '4');
        assert.equal(code, 0, stderr);
        const at = (event, task) => events.findIndex(e => e.event === event && e.task === task);
        for (const [task, needs] of Object.entries(DIAMOND))
            for (const need of needs)
                assert.ok(at('ended', need) < at('claimed', task), `${need} before ${task}`);
        assert.deepEqual(events.filter(e => e.event === 'claimed').map(e => e.task).sort(), Object.keys(DIAMOND));
        assert.deepEqual(events.filter(e => e.event === 'ended').map(e => e.state), Array(4).fill('SUCCEEDED'));
    });

    eachStore('events: started first, end last, each with its time', async (t, place) => {
        await place.add({a: []});
        const {events} = await place.orchestrate('--until-idle', '--workers', '3');
        assert.deepEqual(events.map(e => e.event), ['started', 'claimed', 'ended', 'idle', 'end']);
        assert.ok(events.every(e => !Number.isNaN(Date.parse(e.time))));
        assert.ok(events.slice(0, -1).every(e => e.workers === 3));
        const [started, claimed, ended, idle, end] = events;
        assert.match(started.text, place.url ? /^postgresql:/ : /tasks\.db$/);
        assert.deepEqual([claimed.task, claimed.id, claimed.attempt], ['a', 1, 1]);
        assert.deepEqual([ended.task, ended.state, ended.outcome], ['a', 'SUCCEEDED', 'ok']);
        assert.deepEqual([idle.failed, end.how, end.exit_code], [false, 'idle', 0]);
    });

    eachStore('--logs shows the output of the runs', async (t, place) => {
        await place.add({a: []});
        const {events} = await place.orchestrate('--until-idle', '--logs');
        const text = events.filter(e => e.event === 'log' && e.task === 'a').map(e => e.text).join('');
        assert.equal(text, (await place.task('logs', 'a')).stdout);
    });

    eachStore('having nothing to do is a success; an earlier failure is not', async (t, place) => {
        assert.equal((await place.orchestrate('--until-idle')).code, 0);
        await place.add({a: FAILS}, '--max-attempts', '1');
        assert.equal((await place.orchestrate('--until-idle')).code, 1);
        const {code, events} = await place.orchestrate('--until-idle');
        assert.equal(code, 1);
        assert.equal(events.find(e => e.event === 'idle').failed, true);
        assert.equal(events.at(-1).how, 'idle_failed');
        await place.task('cancel', 'a');
        assert.equal((await place.orchestrate('--until-idle')).code, 0, 'a task that a person cancelled is not a failure');
    });

    eachStore('a failed attempt is retried, then it needs a person', async (t, place) => {
        await place.add({a: FAILS});
        const {code, events} = await place.orchestrate('--until-idle', '--max-attempts', '2');
        assert.equal(code, 1);
        assert.deepEqual(events.filter(e => e.event === 'ended').map(e => [e.attempt, e.state]),
            [[1, 'RETRY_WAIT'], [2, 'BLOCKED']]);
        const [first] = events.filter(e => e.event === 'ended');
        assert.ok(first.wait_ms > 0 && first.wait_ms < 10_000, `${first.wait_ms}`);
        assert.ok(first.text.length > 0);
    });

    eachStore('a task whose file has become invalid fails at once', async (t, place) => {
        const repo = path.join(place.user.dir, 'gone');
        mkdirSync(repo);
        await place.add({a: {repo}, b: ['a']});
        const {rmdirSync} = await import('node:fs');
        rmdirSync(repo);
        const {code} = await place.orchestrate('--until-idle');
        assert.equal(code, 1);
        assert.deepEqual(await place.states(), {a: 'FAILED', b: 'BLOCKED'});
        const {stdout} = await place.task('show', 'a');
        assert.match(stdout, /gone/);
        assert.match(stdout, /multiverse task rm a/);
        mkdirSync(repo);
        await place.task('retry', 'a');
        assert.equal((await place.orchestrate('--until-idle')).code, 0);
    });

    eachStore('a limited task waits until the limit ends, without using up an attempt', async (t, place) => {
        await place.add({a: []}, '--max-attempts', '1');
        const {code, events} = await place.orchestrate('--until-idle');
        assert.equal(code, 0, JSON.stringify(events));
        assert.deepEqual(events.filter(e => e.event === 'ended').map(e => e.state), ['RETRY_WAIT', 'SUCCEEDED']);
        const a = await place.show('a');
        assert.deepEqual([a.attempts, a.counted], [2, 1]);
    }, {tooling: configOf({meta: {cooldownSec: 1, candidates: [{tool: 'mock', model: 'limited', toolSpecific: {
        script: [{fail: 'rate_limited', after_ms: 1500}, ...metaScript()], state: 'mock-state.json'}}]}})});
});

describe('pools', () => {
    eachStore('tasks of other pools are ignored', async (t, place) => {
        await place.add({a: []}, '--pool', 'unity');
        await place.add({b: []}, '--pool', 'docs');
        const program = place.orchestrator('--pool', 'unity=1');
        await program.event('ended', 'a');
        program.child.kill('SIGTERM');
        assert.equal(await endOf(program), 0);
        assert.deepEqual(await place.states(), {a: 'SUCCEEDED', b: 'READY'});
        assert.equal((await place.orchestrate('--until-idle')).code, 0, 'without pools all are taken');
    });

    eachStore('each has its number of workers', async (t, place) => {
        const files = ['u1', 'u2', 'd1', 'd2'].map(name => [name, held(place, name)]);
        for (const [name, {about}] of files)
            await place.add({[name]: about}, '--pool', name[0] === 'u' ? 'unity' : 'docs');
        const program = place.orchestrator('--until-idle', '--pool', 'unity=1', '--pool', 'docs=2');
        for (const name of ['u1', 'd1', 'd2'])
            await program.event('claimed', name);
        assert.equal((await place.show('u2')).state, 'READY');
        for (const [, file] of files)
            file.go();
        assert.equal(await endOf(program), 0);
        assert.equal(program.events()[0].workers, 3);
    });
});

describe('signals', () => {
    eachStore('SIGTERM drains: running tasks finish, no new one begins', async (t, place) => {
        const a = held(place, 'a');
        await place.add({a: a.about, b: []});
        const program = place.orchestrator('--workers', '1');
        await program.event('claimed', 'a');
        program.child.kill('SIGTERM');
        await program.event('draining');
        a.go();
        assert.equal(await endOf(program), 0);
        assert.deepEqual(await place.states(), {a: 'SUCCEEDED', b: 'READY'});
        assert.deepEqual(program.events().at(-1).how, 'drained');
        assert.deepEqual(JSON.parse((await place.run('orchestrate', 'status', '--json')).stdout).orchestrators, []);
    });

    eachStore('after --drain seconds running tasks are handed back without using up an attempt', async (t, place) => {
        const a = held(place, 'a');
        await place.add({a: a.about}, '--max-attempts', '1');
        const program = place.orchestrator('--drain', '1');
        await program.event('claimed', 'a');
        program.child.kill('SIGINT');
        assert.equal(await endOf(program), 0);
        const row = await place.show('a');
        assert.deepEqual([row.state, row.attempts, row.counted], ['READY', 1, 0]);
        a.go();
        assert.equal((await place.orchestrate('--until-idle')).code, 0);
    });

    eachStore('a second one stops at once: exit 130, everything is handed back', async (t, place) => {
        await place.add({a: held(place, 'a').about});
        const program = place.orchestrator();
        await program.event('claimed', 'a');
        program.child.kill('SIGTERM');
        await program.event('draining');
        program.child.kill('SIGTERM');
        assert.equal(await endOf(program), 130);
        assert.equal((await place.show('a')).state, 'READY');
        await place.user.isGone('no process left');
    });

    eachStore('an idle one ends at once', async (t, place) => {
        const program = place.orchestrator();
        await program.event('started');
        program.child.kill('SIGINT');
        assert.equal(await endOf(program), 0);
    });

    test('it drains when nobody reads its output', async t => {
        const place = makePlace(t);
        const a = held(place, 'a');
        await place.add({a: a.about, b: []});
        const program = place.orchestrator('--workers', '1');
        await program.event('claimed', 'a');
        program.child.stdout.destroy();
        a.go();
        assert.equal(await endOf(program), 1);
        assert.deepEqual(await place.states(), {a: 'SUCCEEDED', b: 'READY'});
    });
});

describe('steering', () => {
    eachStore('while paused no task begins; after resume it goes on', async (t, place) => {
        await place.run('orchestrate', 'pause');
        await place.add({a: []});
        const program = place.orchestrator('--until-idle');
        await program.event('paused');
        assert.equal(JSON.parse((await place.run('orchestrate', 'status', '--json')).stdout).state, 'PAUSED');
        assert.equal((await place.show('a')).state, 'READY');
        const {code, stdout} = await place.run('orchestrate', 'resume');
        assert.equal(code, 0);
        assert.match(stdout, /^resumed: 1 READY\n$/);
        assert.equal(await endOf(program), 0);
        assert.ok(program.events().some(e => e.event === 'resumed'));
    });

    eachStore('pause lets running tasks finish', async (t, place) => {
        const a = held(place, 'a');
        await place.add({a: a.about, b: ['a']});
        const program = place.orchestrator('--until-idle');
        await program.event('claimed', 'a');
        assert.match((await place.run('orchestrate', 'pause')).stdout, /paused: nothing new is started, 1 still running/);
        await program.event('paused');
        a.go();
        await program.event('ended', 'a'); // the store is updated a moment later
        await until(() => place.show('a'), 'the end in the store', {is: now => now.state !== 'RUNNING'});
        assert.deepEqual(await place.states(), {a: 'SUCCEEDED', b: 'READY'});
        await place.run('orchestrate', 'resume');
        assert.equal(await endOf(program), 0);
    });

    eachStore('stop hands back running tasks; resume runs them again', async (t, place) => {
        const a = held(place, 'a');
        await place.add({a: a.about});
        const program = place.orchestrator('--until-idle');
        await program.event('claimed', 'a');
        const {stdout} = await place.run('orchestrate', 'stop');
        assert.match(stdout, /stopped: nothing new is started, 1 handed back/);
        await program.event('ended', 'a');
        await until(() => place.show('a'), 'the end in the store', {is: now => now.state !== 'RUNNING'});
        assert.equal((await place.show('a')).state, 'READY');
        a.go();
        await place.run('orchestrate', 'resume');
        assert.equal(await endOf(program), 0);
        const row = await place.show('a');
        assert.deepEqual([row.state, row.attempts, row.counted], ['SUCCEEDED', 2, 1]);
    });

    eachStore('status: state, counts, current work', async (t, place) => {
        const status = async () => JSON.parse((await place.run('orchestrate', 'status', '--json')).stdout);
        assert.deepEqual([(await status()).state, (await status()).orchestrators], ['IDLE', []]);
        const a = held(place, 'a');
        await place.add({a: a.about, b: ['a']});
        const program = place.orchestrator('--until-idle', '--workers', '3');
        await program.event('claimed', 'a');
        const now = await status();
        assert.equal(now.state, 'RUNNING');
        assert.deepEqual([now.counts.RUNNING, now.counts.PENDING], [1, 1]);
        assert.deepEqual(now.orchestrators.map(o => [o.pid, o.workers]), [[program.pid, 3]]);
        const {stdout} = await place.run('orchestrate', 'status');
        assert.match(stdout, /^state +RUNNING\nstore +\S+\ntasks +1 PENDING, 1 RUNNING\n\n/);
        assert.match(stdout, /^HOST +PID +RUNNING +LAST SEEN +ID$/m);
        a.go();
        assert.equal(await endOf(program), 0);
    });
});

describe('several', () => {
    eachStore('two share a store: each task runs once', async (t, place) => {
        const names = Array.from({length: 12}, (_, i) => `t${i}`);
        await place.add(Object.fromEntries(names.map(name => [name, []])));
        const both = [place.orchestrator('--until-idle'), place.orchestrator('--until-idle')];
        for (const program of both)
            assert.equal(await endOf(program), 0, program.stderr);
        const claims = both.flatMap(p => p.events()).filter(e => e.event === 'claimed').map(e => e.task);
        assert.deepEqual(claims.sort(), names.sort());
    });

    eachStore('the task of a killed one is taken over after its lease', async (t, place) => {
        const a = held(place, 'a');
        await place.add({a: a.about}, '--max-attempts', '1');
        const first = place.orchestrator('--lease', '3');
        await first.event('claimed', 'a');
        first.child.kill('SIGKILL');
        await first.exit;
        const second = place.orchestrator('--lease', '3', '--until-idle');
        await second.event('claimed', 'a');
        a.go();
        assert.equal(await endOf(second), 0);
        const row = await place.show('a');
        assert.deepEqual([row.state, row.attempts], ['SUCCEEDED', 2]);
    });
});

describe('tooling', () => {
    test('a changed file applies from the next attempt on, an invalid one is reported', async t => {
        const place = makePlace(t);
        const program = place.orchestrator();
        await program.event('started');
        place.user.configure('{"profiles": 7}');
        const warning = await program.event('warning');
        assert.match(warning.text, /tooling\.json.*stays in use/);
        place.user.configure(configOf({meta: {candidates: [mock('other', metaScript())]}}));
        await until(() => program.events().some(e => /was changed/.test(e.text ?? '')), 'a message about the change', program);
        await place.add({a: []});
        await program.event('ended', 'a');
        program.child.kill('SIGTERM');
        assert.equal(await endOf(program), 0);
        const logs = (await place.task('logs', 'a')).stdout;
        assert.match(logs, /mock other/);
    });

    test('an invalid file at the start: exit 2', async t => {
        const place = makePlace(t, {tooling: '{"profiles": 7}'});
        refuses(await place.run('orchestrate', '--until-idle'), /ERR_CONFIG_VALIDATION.*tooling\.json/);
    });
});

describe('usage errors', () => {
    const WRONG = [
        [['orchestrate', 'staus'], /orchestrate: unknown action staus: did you mean status\?/],
        [['orchestrate', '--workers', '0'], /--workers must be a number from 1 to 256, not "0"/],
        [['orchestrate', '--workers', 'x'], /--workers must be a number/],
        [['orchestrate', '--pool', 'a'], /--pool must be NAME=N.*not "a": --pool unity=1/],
        [['orchestrate', '--pool', 'a=0'], /--pool must be NAME=N with N from 1 to 256/],
        [['orchestrate', '--pool', '=1'], /--pool must be NAME=N/],
        [['orchestrate', '--pool', 'a=1', '--pool', 'a=2'], /--pool a is given twice/],
        [['orchestrate', '--pool', 'a=200', '--pool', 'b=200'], /400 workers together: at most 256/],
        [['orchestrate', '--pool', 'a=1', '--workers', '2'], /--workers and --pool cannot be combined/],
        [['orchestrate', '--lease', '2'], /--lease must be a number from 3 to 86400/],
        [['orchestrate', '--drain', '0'], /--drain must be a number from 1/],
        [['orchestrate', '--retry-base', '-1'], /--retry-base must be a number from 1/],
        [['orchestrate', 'pause', '--workers', '2'], /orchestrate pause does not take --workers/],
        [['orchestrate', 'pause', 'x'], /does not take the argument "x"/],
        [['orchestrate', '--store', 'mysql://x/y'], /mysql:\/\/x\/y: expected postgresql:/],
    ];
    for (const [args, pattern] of WRONG)
        test(`multiverse ${args.join(' ')}`, async t => refuses(await makePlace(t).run(...args), pattern));

    test('an unusable store: exit 1 with the reason', async t => {
        const place = makePlace(t);
        const folder = path.join(place.user.dir, 'db');
        mkdirSync(folder);
        writeFileSync(path.join(folder, 'tasks.db'), 'this is no database, whatever its name says\n'.repeat(100));
        const {code, events, stderr} = await place.orchestrate('--store', folder, '--until-idle');
        assert.equal(code, 1, stderr);
        assert.match(stderr, /^multiverse: cannot use .*tasks\.db: \S.*\n$/);
        assert.deepEqual(events.map(e => e.event), ['trouble', 'end']);
        assert.equal(events.at(-1).how, 'store_not_usable');
    });
});

const onTerminal = (place, args, env) => startOnTerminal(args, place.terminal(env));

describe('on a terminal', () => {
    test('lines with a status below them, which disappears at the end; Ctrl-C drains', async t => {
        const place = makePlace(t);
        const a = held(place, 'a');
        await place.add({a: a.about, b: ['a'], c: FAILS}, '--max-attempts', '1');
        const program = onTerminal(place, ['orchestrate', '--workers', '2']);
        await until(() => /1 waiting.*1 blocked; 1 running: a/.test(program.stdout), 'a status line', program);
        program.child.stdin.write('\x03');
        await until(() => /draining/.test(program.stdout), 'the draining', program);
        a.go();
        assert.equal(await endOf(program), 0);
        assert.match(program.stdout, /\d\d:\d\d:\d\d 2 workers on .*tasks\.db\r\n/);
        assert.match(program.stdout, /c: BLOCKED: \S/);
        assert.match(program.stdout, /a: SUCCEEDED/);
        const last = program.stdout.slice(program.stdout.lastIndexOf('\n') + 1);
        assert.match(last, /^(\r\x1b\[K)?$|\r\x1b\[K$/, 'no status line is left behind');
    });

    test('a second Ctrl-C hands back, with one message', async t => {
        const place = makePlace(t);
        await place.add({a: held(place, 'a').about});
        const program = onTerminal(place, ['orchestrate']);
        await until(() => /1 running: a/.test(program.stdout), 'a status line', program);
        program.child.stdin.write('\x03');
        await until(() => /draining: .*Ctrl-C again/.test(program.stdout), 'the draining', program);
        program.child.stdin.write('\x03');
        assert.equal(await endOf(program), 130);
        assert.match(program.stdout, /a: returned: (?!returned)/);
    });

    test('no colours with NO_COLOR', async t => {
        const place = makePlace(t);
        await place.add({a: []});
        const program = onTerminal(place, ['orchestrate', '--until-idle'], {NO_COLOR: '1'});
        assert.equal(await endOf(program), 0);
        assert.doesNotMatch(program.stdout, /\x1b\[\d*m/);
        assert.match(program.stdout, /nothing is left to run/);
    });

    test('--json on a terminal', async t => {
        const place = makePlace(t);
        await place.add({a: []});
        const program = onTerminal(place, ['orchestrate', '--until-idle', '--json']);
        assert.equal(await endOf(program), 0);
        assert.equal(JSON.parse(program.stdout.trim().split('\r\n').at(-1)).how, 'idle');
    });
});

test('the SQLite file is copied at the start', async t => {
    const place = makePlace(t);
    await place.add({a: []});
    const program = place.orchestrator();
    await until(() => readdirSync(place.user.home).includes('tasks.db.copy'), 'tasks.db.copy', program);
    program.child.kill('SIGTERM');
    assert.equal(await endOf(program), 0);
    assert.ok(readFileSync(path.join(place.user.home, 'tasks.db.copy')).length > 0);
});
