// Tasks with a PostgreSQL server that is down, hangs, or refuses the login.
import assert from 'node:assert/strict';
import net from 'node:net';
import path from 'node:path';
import {describe, test} from 'node:test';

import {makeCrew, mock, tooling, workScript} from '../../orchestrator/crew.mjs';
import {openStore, probe, until} from '../../orchestrator/world.mjs';
import {inTime, isTimed} from '../../waits.mjs';
import {jsonLines} from '../fixtures/program.mjs';

const PG = 'postgresql';
/** Wait until this much time has passed: a rule of the program depends on it. */
const isPast = (began, ms) => until(() => Date.now() - began, `${ms} ms`, {is: passed => passed >= ms});

describe('a server that is down', {concurrency: 3}, () => {
    test('while tasks run: with the default lease they are not affected', async t => {
        const crew = await makeCrew(t, PG);
        if (!crew)
            return;
        await crew.add(crew.endless('a'), crew.endless('b'), crew.task('c', {needs: ['a', 'b']}));
        const one = crew.begin();
        await crew.until(() => crew.starts('a') && crew.starts('b'), 'two tests that run');
        const began = Date.now();
        crew.store.kill();
        await crew.until(() => crew.events().some(e => e.event === 'trouble'), 'a "trouble" event');
        await crew.store.refuse(2);
        await crew.free('b'); // reported when the server is back
        if (isTimed)
            await isPast(began, 30_000);
        crew.store.again();
        await crew.until(() => crew.events().some(e => e.event === 'back'), 'a "back" event');
        await crew.free('a');
        const row = await crew.untilState('c', 'SUCCEEDED');
        assert.equal(row.attempts, 1);
        for (const name of ['a', 'b', 'c']) {
            const {attempt_list: list} = await crew.show(name);
            assert.deepEqual(list.map(a => a.end), ['succeeded'], name);
            assert.equal(crew.starts(name), 1, name);
            assert.match(await crew.log(name), /PLANNING[^]*COMPLETE/);
        }
        const words = crew.events().map(e => e.event).filter(e => e === 'trouble' || e === 'back');
        assert.deepEqual(words, ['trouble', 'back'], 'reported once, not with every retry');
        assert.equal(await crew.stop(one), 0, crew.errors());
        crew.assertOrder();
    });

    test('for longer than the lease: running tasks are ended in time and run again, alone', async t => {
        const crew = await makeCrew(t, PG, {args: ['--lease', '3']});
        if (!crew)
            return;
        await crew.add(crew.task('a', {ms: 6000}));
        const one = crew.begin();
        await crew.until(() => crew.starts('a'), 'the test of a');
        const began = Date.now();
        crew.store.kill();
        await crew.until(() => !crew.census().some(p => p.kind === 'probe'), 'the end of the test, by its supervisor');
        inTime(Date.now() - began, 3000 * 2 + 3000, 'the end of the test, by its supervisor');
        await isPast(began, 5000);
        crew.store.again();
        const row = await crew.untilState('a', 'SUCCEEDED');
        const ends = row.attempt_list.map(a => a.end);
        assert.deepEqual([ends[0], ends.at(-1)], ['lost', 'succeeded']);
        assert.equal(row.counted, 1, 'a lost attempt does not count');
        assert.ok(crew.starts('a') >= 2);
        assert.equal(await crew.stop(one), 0, crew.errors());
        crew.assertOrder();
    });

    test('when a task is added or shown: it is reported, without the password', async t => {
        const crew = await makeCrew(t, PG, {store: await tcpStore(t)});
        if (!crew)
            return;
        await crew.add(crew.task('a'));
        crew.store.kill();
        for (const args of [['task', 'add', crew.task('b')], ['task', 'list'], ['task', 'logs', 'a'], ['task', 'cancel', 'a'],
            ['orchestrate', 'status']]) {
            const end = await crew.command(...args);
            assert.equal(end.code, 1, `${args[1]}: ${end.stderr}`);
            assert.match(end.stderr, /127\.0\.0\.1/, args[1]);
            assert.ok(!(end.stderr + end.stdout).includes(passwordOf(crew.store.url)), end.stderr);
        }
        crew.store.again();
        await crew.add(path.join(crew.folder, 'tasks/b.json'));
        assert.deepEqual(await crew.states(), {a: 'READY', b: 'READY'});
        assert.equal(await crew.untilIdle(), 0, crew.errors());
        for (const name of ['orchestrator0.out', 'orchestrator0.err', 'record'])
            assert.ok(!crew.read(name).includes(passwordOf(crew.store.url)), name);
    });

    test('while a log is followed: no output is missed', async t => {
        const crew = await makeCrew(t, PG);
        if (!crew)
            return;
        const settings = tooling({meta: [mock('planner', workScript())], worker: [{tool: 'claude-code', model: 'talker',
            cli_path: probe, env: {PROBE: `${crew.folder} a 60 10 6000 -`}}]});
        await crew.add(crew.task('a', {settings}));
        const follower = crew.follow('a');
        const one = crew.begin();
        await crew.until(() => follower.text.includes('said a 5 of'), 'the first lines');
        crew.store.kill();
        await crew.store.refuse(4); // the orchestrator and the follower, twice each
        crew.store.again();
        await crew.until(() => follower.end !== undefined, 'the end of the follower');
        assert.equal(follower.end, 0, follower.errors);
        const pieces = jsonLines(follower.text);
        assert.deepEqual(pieces.map(p => p.seq), pieces.map((_, i) => i + 1));
        assert.equal(pieces.map(p => p.text).join(''), await crew.log('a'));
        assert.equal(await crew.stop(one), 0, crew.errors());
    });

    test('when an orchestrator starts: it waits', async t => {
        const crew = await makeCrew(t, PG);
        if (!crew)
            return;
        await crew.add(crew.task('a'));
        crew.store.kill();
        const one = crew.begin(['--until-idle']);
        await crew.until(() => crew.events().some(e => e.event === 'trouble'), 'a "trouble" event');
        crew.store.again();
        assert.equal(await crew.ended(one, 'its end'), 0, crew.errors());
        assert.deepEqual(await crew.states(), {a: 'SUCCEEDED'});
    });
});

describe('a server that hangs', {concurrency: 2}, () => {
    test('blocks nothing forever; running tasks go on, and everything works afterwards', async t => {
        const crew = await makeCrew(t, PG);
        if (!crew)
            return;
        await crew.add(crew.task('a', {ms: 3000}), crew.task('b', {needs: ['a']}));
        const one = crew.begin();
        await crew.until(() => crew.starts('a'), 'the test of a');
        crew.store.signal('SIGSTOP');
        try {
            const list = await crew.command('task', 'list');
            assert.equal(list.code, 1, list.stdout);
            assert.match(list.stderr, /postgresql:/);
            await crew.until(() => crew.record('a').some(l => l.what === 'end'), 'the end of a');
        } finally {
            crew.store.signal('SIGCONT');
        }
        await crew.untilState('b', 'SUCCEEDED');
        assert.deepEqual([crew.starts('a'), crew.starts('b')], [1, 1]);
        assert.equal(await crew.stop(one), 0, crew.errors());
        crew.assertOrder();
    });

    test('an orchestrator that gets two stop signals ends nevertheless', async t => {
        const crew = await makeCrew(t, PG, {args: ['--lease', '4']});
        if (!crew)
            return;
        await crew.add(crew.task('a', {ms: 600_000}));
        const one = crew.begin();
        await crew.until(() => crew.starts('a'), 'the test of a');
        crew.store.signal('SIGSTOP');
        try {
            await crew.halt(one);
            assert.deepEqual(crew.census().map(p => p.args.join(' ')), []);
        } finally {
            crew.store.signal('SIGCONT');
        }
    });
});

const passwordOf = url => decodeURIComponent(new URL(url).password);

/** A server on TCP that requires a password. */
async function tcpStore(t) {
    const port = await new Promise(resolve => {
        const server = net.createServer().listen(0, '127.0.0.1', () => {
            const {port: free} = server.address();
            server.close(() => resolve(free));
        });
    });
    try {
        const store = openStore(PG, `/tmp/multiverse-tcp-${process.pid}-${port}`,
            ['--no-fsync', '--listen', '127.0.0.1', '--port', String(port)]);
        t.after(() => store.close());
        return store;
    } catch (error) {
        if (!error.isMissing)
            throw error;
        return undefined; // makeCrew() reports the reason
    }
}

describe('a server that refuses the login', () => {
    test('the message gives the reason, and never the password', async t => {
        const store = await tcpStore(t);
        const crew = await makeCrew(t, PG, {store});
        if (!crew)
            return;
        const good = new URL(store.url);
        const wrong = (change, ...patterns) => {
            const url = new URL(store.url);
            change(url);
            return [url.href, patterns];
        };
        for (const [url, patterns] of [
            wrong(u => { u.password = 'not-this-secret'; }, /password/),
            wrong(u => { u.pathname = '/nowhere'; }, /nowhere/),
            wrong(u => { u.username = 'nobody-known'; }, /nobody-known|password/),
            wrong(u => { u.port = '1'; }, /refused|connect/i),
            wrong(u => { u.hostname = 'host.invalid'; }, /host\.invalid/),
        ]) {
            for (const args of [['task', 'list', '--store', url], ['orchestrate', 'status', '--store', url]]) {
                const end = await crew.command(...args);
                assert.equal(end.code, 1, `${url}: ${end.stderr}`);
                for (const pattern of patterns)
                    assert.match(end.stderr, pattern);
                assert.doesNotMatch(end.stderr + end.stdout, /not-this-secret/);
                assert.ok(!end.stderr.includes(passwordOf(good)), end.stderr);
            }
        }
    });
});
