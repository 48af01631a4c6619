// The life of tasks on both stores: limits, dependencies, cancels, retries, pools, stops, clocks
// that differ.
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe} from 'node:test';

import {mock, onBoth, script, tooling, workScript} from '../../orchestrator/crew.mjs';
import {build, probe, slow} from '../../orchestrator/world.mjs';

const limitedPlanner = after_ms => ({when: {prompt_has: 'plan_task'}, fail: 'rate_limited', after_ms});
const attemptEnds = row => row.attempt_list.map(a => a.end);
const order = (crew, what) => crew.record().filter(l => l.phase === 'test' && l.what === what).map(l => l.task);

/** A mock whose script continues where it was, in whatever run. */
const acrossRuns = (crew, model, steps) =>
    mock(model, steps, {tool_specific: {state: path.join(crew.folder, `${model}.json`)}});

describe('a rate-limited task', {concurrency: 4}, () => {
    onBoth('waits for the first reset and succeeds on another candidate, without using up an attempt', async crew => {
        const settings = tooling([
            acrossRuns(crew, 'for-long', [{...limitedPlanner(3_600_000), repeat: true}]),
            acrossRuns(crew, 'for-short', script(limitedPlanner(2500)))]);
        await crew.add('--max-attempts', '1', crew.task('a', {settings}), crew.task('b', {needs: ['a']}));
        const one = crew.begin();
        const waiting = await crew.untilState('a', 'RETRY_WAIT');
        assert.equal(waiting.counted, 0);
        assert.ok(waiting.due_at, 'the task shows until when');
        assert.ok(Date.parse(waiting.due_at) - Date.parse(waiting.attempt_list[0].ended_at) < 60_000, waiting.due_at);
        const row = await crew.untilState('a', 'SUCCEEDED');
        assert.deepEqual(attemptEnds(row), ['limited', 'succeeded']);
        assert.ok(Date.parse(row.attempt_list[1].started_at) >= Date.parse(waiting.due_at), 'not before the reset');
        assert.match(await crew.log('a', 2), /mock for-short: ok/);
        assert.doesNotMatch(await crew.log('a', 2), /task: mock for-long/, 'a candidate with a cooldown is not asked');
        await crew.untilState('b', 'SUCCEEDED');
        assert.equal(await crew.stop(one), 0, crew.errors());
    });

    onBoth('a limit found by one machine applies to the other', async crew => {
        const account = acrossRuns(crew, 'shared', [{...limitedPlanner(3_600_000), repeat: true}]);
        const spare = mock('spare');
        await crew.add(crew.task('a', {settings: tooling([account, spare])}));
        assert.equal(await crew.untilIdle([], 0), 0, crew.errors(0));
        assert.match(await crew.log('a'), /mock shared: rate_limited/);
        await crew.add(crew.task('b', {settings: tooling([account, spare])}));
        assert.equal(await crew.untilIdle([], 1), 0, crew.errors(1));
        assert.doesNotMatch(await crew.log('b'), /mock shared/);
        assert.match(await crew.log('b'), /mock spare: ok/);
    }, {homes: 2});
});

describe('a goal', {concurrency: 4}, () => {
    onBoth('becomes a diamond of four tasks that run in the right order', async crew => {
        const one = (id, dependencies, ms) =>
            ({id, title: `The ${id}`, description: 'Do it.', dependencies, test: crew.probe(id, {ms, needs: dependencies})});
        const planned = {tasks: [one('base', [], 20), one('left', ['base'], 60), one('right', ['base'], 20),
            one('top', ['left', 'right'], 0)]};
        const config = path.join(crew.homes[0], 'config');
        mkdirSync(config, {recursive: true});
        writeFileSync(path.join(config, 'tooling.json'), JSON.stringify(tooling({
            plan: [mock('goals', [{say: JSON.stringify(planned), repeat: true}])], meta: [mock('planner')]})));
        const added = await crew.json('task', 'add', '--goal', 'A shop with a menu',
            '--repo', path.join(crew.folder, 'repo'), '--yes');
        assert.ok(JSON.stringify(added).includes('top'));
        assert.deepEqual(await crew.states(), {base: 'READY', left: 'PENDING', right: 'PENDING', top: 'PENDING'});
        assert.equal(await crew.untilIdle(['--workers', '4']), 0, crew.errors());
        const began = order(crew, 'start');
        assert.deepEqual([began[0], began[3], [...began].sort()], ['base', 'top', ['base', 'left', 'right', 'top']]);
        crew.assertOrder();
    });
});

describe('cancelling', {concurrency: 4}, () => {
    onBoth('a waiting, ready, postponed or backlog task', async crew => {
        await crew.add('--max-attempts', '2', crew.task('root', {fails: -1}), crew.task('pending', {needs: ['root']}),
            crew.task('ready'));
        await crew.fine('task', 'cancel', 'pending', 'ready');
        assert.deepEqual(await crew.states(), {root: 'READY', pending: 'CANCELLED', ready: 'CANCELLED'});
        const one = crew.begin(['--retry-base', '600']);
        await crew.untilState('root', 'RETRY_WAIT');
        await crew.fine('task', 'cancel', 'root');
        assert.equal((await crew.show('root')).state, 'CANCELLED');
        await crew.add('--max-attempts', '1', crew.task('gives-up', {fails: -1}),
            crew.task('below', {needs: ['gives-up']}));
        await crew.untilState('gives-up', 'BLOCKED');
        await crew.untilState('below', 'BLOCKED');
        await crew.fine('task', 'cancel', 'gives-up');
        assert.equal((await crew.show('gives-up')).state, 'CANCELLED');
        for (const name of ['root', 'gives-up', 'ready']) {
            const end = await crew.command('task', 'cancel', name);
            assert.equal(end.code, 1, end.stdout);
            assert.match(end.stderr, /CANCELLED|cancelled/);
        }
        assert.deepEqual([crew.starts('ready'), crew.starts('pending'), crew.starts('below')], [0, 0, 0]);
        assert.equal(await crew.stop(one), 0, crew.errors());
    });

    onBoth('a running task ends all its processes, even those it left behind', async crew => {
        const agent = {tool: 'claude-code', model: 'stubborn', cli_path: probe,
            env: {PROBE: `${crew.folder} a 10 1 600000 di`}};
        const settings = tooling({meta: [mock('planner', workScript())], worker: [agent]});
        await crew.add(crew.task('a', {settings}), crew.task('below', {needs: ['a']}));
        const one = crew.begin();
        await crew.until(() => crew.record('a').some(l => l.phase === 'child'), 'the child of the agent');
        await crew.fine('task', 'cancel', 'a');
        const row = await crew.untilState('a', 'CANCELLED');
        assert.deepEqual(crew.census().filter(p => p.kind !== 'orchestrator').map(p => p.args.join(' ')), [],
            'no process is left when the store says CANCELLED');
        assert.deepEqual(attemptEnds(row), ['cancelled']);
        assert.equal((await crew.show('below')).state, 'BLOCKED');
        await crew.fine('task', 'retry', 'a');
        assert.equal((await crew.show('below')).state, 'PENDING', 'it is revived with its dependencies');
        await crew.until(() => crew.record('a').filter(l => l.phase === 'agent' && l.what === 'start').length === 2,
            'the second attempt');
        await crew.halt(one);
        assert.deepEqual(crew.census().map(p => p.args.join(' ')), []);
        crew.assertOrder();
    });

    onBoth('a task whose orchestrator is dead', async crew => {
        await crew.add(crew.task('a', {ms: 600_000}));
        const one = crew.begin(['--lease', '3']);
        await crew.until(() => crew.starts('a'), 'the test of a');
        one.child.kill('SIGKILL');
        await one.ended;
        await crew.until(() => crew.census(), 'the end of its processes', left => !left.length);
        await crew.fine('task', 'cancel', 'a');
        await crew.untilIdle(['--lease', '3'], 1);
        assert.equal((await crew.show('a')).state, 'CANCELLED');
        assert.equal(crew.starts('a'), 1);
    });
});

describe('retrying', {concurrency: 4}, () => {
    onBoth('a failed root releases its dependent tasks', async crew => {
        const repo = path.join(crew.folder, 'gone');
        mkdirSync(repo);
        await crew.add('--max-attempts', '1', crew.task('wrong', {repo}), crew.task('bad', {fails: 1}),
            crew.task('both', {needs: ['wrong', 'bad']}), crew.task('last', {needs: ['both']}), crew.task('other'));
        rmSync(repo, {recursive: true});
        assert.equal(await crew.untilIdle(), 1, crew.errors());
        const blocked = {both: 'BLOCKED', last: 'BLOCKED'};
        assert.deepEqual(await crew.states(), {wrong: 'FAILED', bad: 'BLOCKED', ...blocked, other: 'SUCCEEDED'});
        assert.match((await crew.show('both')).why, /wrong|bad/, 'a blocked task names the failed one');
        await crew.fine('task', 'retry', 'bad');
        assert.equal(await crew.untilIdle(), 1, crew.errors());
        assert.deepEqual(await crew.states(), {wrong: 'FAILED', bad: 'SUCCEEDED', ...blocked, other: 'SUCCEEDED'});
        mkdirSync(repo);
        await crew.fine('task', 'retry', 'wrong');
        assert.equal(await crew.untilIdle(), 0, crew.errors());
        assert.deepEqual(Object.values(await crew.states()), Array(5).fill('SUCCEEDED'));
        crew.assertOrder();
    });

    onBoth('backs off: each wait is longer than the previous one', async crew => {
        await crew.add('--max-attempts', '3', crew.task('a', {fails: 2}));
        assert.equal(await crew.untilIdle(['--retry-base', '1']), 0, crew.errors());
        const row = await crew.show('a');
        assert.deepEqual(attemptEnds(row).at(-1), 'succeeded');
        const waits = row.attempt_list.slice(1).map((a, i) =>
            Date.parse(a.started_at) - Date.parse(row.attempt_list[i].ended_at));
        assert.ok(waits[0] >= 750 && waits[1] >= 1500, waits.join(' '));
    });
});

describe('pools', {concurrency: 4}, () => {
    onBoth('each pool has its own workers, and takes no tasks of another', async crew => {
        await crew.add('--pool', 'unity', ...['u1', 'u2', 'u3'].map(name => crew.task(name, {ms: 300})));
        await crew.add('--pool', 'text', crew.task('t1', {ms: 300}), crew.task('t2', {ms: 300}));
        await crew.add('--pool', 'nobody', crew.task('n1'));
        crew.workers = 0; // each pool sets its own number
        const one = crew.begin(['--pool', 'unity=1', '--pool', 'text=2']);
        for (const name of ['u1', 'u2', 'u3', 't1', 't2'])
            await crew.untilState(name, 'SUCCEEDED');
        assert.equal((await crew.show('n1')).state, 'READY');
        const unity = crew.record().filter(l => l.task.startsWith('u') && l.phase === 'test');
        assert.deepEqual(unity.map(l => `${l.what} ${l.task}`),
            ['start u1', 'end u1', 'start u2', 'end u2', 'start u3', 'end u3'], 'one at a time, in the order of entry');
        assert.equal(await crew.stop(one), 0, crew.errors());
    });
});

describe('an orchestrator', {concurrency: 4}, () => {
    onBoth('that is killed: another one takes its task after the lease, not before', async crew => {
        await crew.add(crew.task('a', {ms: 1500}));
        const first = crew.begin(['--lease', '4'], 0);
        await crew.until(() => crew.starts('a'), 'the test of a');
        const second = crew.begin(['--lease', '4'], 1);
        first.child.kill('SIGKILL');
        const row = await crew.untilState('a', 'SUCCEEDED');
        assert.deepEqual([attemptEnds(row)[0], attemptEnds(row).at(-1)], ['lost', 'succeeded']);
        assert.equal(row.counted, 1, 'the lost attempt does not count');
        const [before, after] = row.attempt_list;
        assert.ok(Date.parse(after.started_at) - Date.parse(before.started_at) >= 3000, 'it waited for the lease');
        assert.equal(await crew.stop(second), 0, crew.errors(1));
        crew.assertOrder();
    });

    onBoth('that is suspended beyond its lease: its supervisor ends the run, and another orchestrator takes it', async crew => {
        await crew.add(crew.task('a', {ms: 4000}));
        const first = crew.begin(['--lease', '4'], 0);
        await crew.until(() => crew.starts('a'), 'the test of a');
        first.child.kill('SIGSTOP');
        const second = crew.begin(['--lease', '4'], 1);
        await crew.until(() => crew.starts('a') >= 2, 'the second test');
        crew.watch();
        first.child.kill('SIGCONT');
        const row = await crew.untilState('a', 'SUCCEEDED');
        assert.deepEqual([attemptEnds(row)[0], attemptEnds(row).at(-1)], ['lost', 'succeeded']);
        assert.equal(await crew.stop(first), 0, crew.errors(0));
        assert.equal(await crew.stop(second), 0, crew.errors(1));
        crew.assertOrder();
    });

    onBoth('SIGTERM: running tasks may finish, no new one begins', async crew => {
        await crew.add(crew.endless('a'), crew.task('b', {needs: ['a']}));
        const one = crew.begin();
        await crew.until(() => crew.starts('a'), 'the test of a');
        const code = crew.stop(one);
        await crew.until(() => crew.events(0).some(e => e.event === 'draining'), 'the draining state');
        await crew.free('a');
        assert.equal(await code, 0, crew.errors());
        assert.deepEqual(await crew.states(), {a: 'SUCCEEDED', b: 'READY'});
    });

    onBoth('SIGTERM with a limit, and a second SIGTERM: running tasks are handed back without using up an attempt', async crew => {
        await crew.add('--max-attempts', '1', crew.task('a', {ms: 600_000}));
        const one = crew.begin(['--drain', '1']);
        await crew.until(() => crew.starts('a'), 'the test of a');
        assert.equal(await crew.stop(one), 0, crew.errors());
        let row = await crew.show('a');
        assert.deepEqual([row.state, row.counted, attemptEnds(row)], ['READY', 0, ['stopped']]);
        assert.deepEqual(crew.census().map(p => p.args.join(' ')), []);
        const two = crew.begin();
        await crew.until(() => crew.starts('a') === 2, 'the second test');
        await crew.halt(two);
        row = await crew.show('a');
        assert.deepEqual([row.state, row.counted, attemptEnds(row)], ['READY', 0, ['stopped', 'stopped']]);
        assert.deepEqual(crew.census().map(p => p.args.join(' ')), []);
    });

    onBoth('pause: no new task; stop: running tasks are handed back, everywhere; resume: they go on', async crew => {
        await crew.add(crew.task('a', {ms: 100, fails: -2}), crew.task('b', {ms: 10}));
        const all = [crew.begin(['--workers', '1'], 0), crew.begin(['--workers', '1'], 1)];
        await crew.fine('orchestrate', 'pause');
        await crew.until(() => [0, 1].every(i => crew.events(i).some(e => e.event === 'paused')), 'the paused state');
        await crew.fine('orchestrate', 'resume');
        await crew.until(() => crew.starts('a'), 'the test of a');
        await crew.fine('orchestrate', 'stop');
        await crew.untilState('a', 'READY');
        // the other orchestrator may have started it
        await crew.untilState('b', 'READY', 'SUCCEEDED');
        assert.deepEqual(crew.census().filter(p => p.mark).map(p => p.args.join(' ')), []);
        writeFileSync(path.join(crew.folder, 'mended'), '');
        await crew.fine('orchestrate', 'resume');
        const row = await crew.untilState('a', 'SUCCEEDED');
        assert.deepEqual(attemptEnds(row).at(-1), 'succeeded');
        await crew.untilState('b', 'SUCCEEDED');
        for (const one of all)
            assert.equal(await crew.stop(one), 0, crew.errors(one.index));
        crew.assertOrder();
    });
});

describe('machines with different clocks', {concurrency: 4}, () => {
    const clock = path.join(build, 'tests/orchestrator/wrong-clock.so');
    onBoth('agree on leases and waits', async (crew, t) => {
        if (slow > 1 || !existsSync(clock))
            return t.skip('a sanitizer must be loaded first');
        if (crew.store.name === 'sqlite')
            return t.skip('one machine has one clock');
        await crew.add('--max-attempts', '3', crew.task('long', {ms: 3000}), crew.task('twice', {fails: 1}),
            ...Array.from({length: 12}, (_, i) => crew.task(`n${i}`, {ms: 100})),
            crew.task('last', {needs: ['long', 'twice']}));
        const wrong = ms => ['env', `LD_PRELOAD=${clock}`, `CLOCK_WRONG_MS=${ms}`];
        const all = [wrong(0), wrong(3_600_000), wrong(-3_600_000)].map((prefix, i) =>
            crew.orchestrate(i, ['--retry-base', '1', '--until-idle'], false, prefix));
        for (const one of all)
            assert.equal(await crew.ended(one, 'its end'), 0, crew.errors(one.index));
        assert.deepEqual([...new Set(Object.values(await crew.states()))], ['SUCCEEDED']);
        assert.equal(crew.starts('long'), 1, 'no other orchestrator took it');
        assert.deepEqual(attemptEnds(await crew.show('twice')), ['failed', 'succeeded']);
        for (let i = 0; i < 12; i++)
            assert.equal(crew.starts(`n${i}`), 1);
        crew.assertOrder();
        return undefined;
    }, {homes: 3});
});
