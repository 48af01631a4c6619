// The ledger in the console: cooldowns, shares, simulate, decisions; and a ledger that cannot be used.
import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {DatabaseSync} from 'node:sqlite';
import {describe, test} from 'node:test';

import {startServer} from '../fixtures/console.mjs';
import {openFeed, originOf} from '../fixtures/feed.mjs';

import {config, configOf, mock, task} from '../fixtures/tooling.mjs';
import {metaScript} from '../../standin/meta.mjs';

const HOUR = 3_600_000;
const MARKUP = '<b onmouseover=alert(1)>limit</b> \u001b[31m & more';

/** Meta succeeds; the first of three workers is limited. Profile "other" has the same workers in every category. */
function limited({first = [{fail: 'usage_limited', after_ms: HOUR, message: MARKUP}], strategy = 'weighted'} = {}) {
    const workers = [mock('first', first, {weight: 50}), mock('second', undefined, {weight: 30}),
        mock('third', undefined, {weight: 20})].map((c, i) => ({...c, env: {MOCK_API_KEY: `env:KEY_${i}`}}));
    const tooling = configOf({meta: {candidates: [mock('planner', metaScript({workers: ['do it']}))]},
        worker: {strategy: 'priority', candidates: workers}});
    tooling.profiles.push({id: 'other', categories: {meta: {strategy, candidates: workers}}});
    return tooling;
}
const KEYS = {KEY_0: 'secret-of-0', KEY_1: 'secret-of-1', KEY_2: 'secret-of-2'};
const KEY = 'mock|KEY_0|*'; // everything of the account

async function open(t, tooling, options = {}) {
    const server = await startServer(t, {editor: null, tooling, env: KEYS, ...options});
    const ask = async (where, body) => {
        const {status, body: answer} = await server.api(where, body);
        assert.equal(status, 200, `${where}: ${JSON.stringify(answer).slice(0, 500)}`);
        return answer;
    };
    return {server, user: server.user, ask};
}

/** Accept connections and never answer. */
async function startSilent(t) {
    const sockets = [];
    const silent = createServer(socket => sockets.push(socket.on('error', () => {})));
    await new Promise(done => silent.listen(0, '127.0.0.1', done));
    t.after(() => {
        for (const socket of sockets)
            socket.destroy();
        silent.close();
    });
    return {port: silent.address().port, calls: () => sockets.length};
}

const others = ({view}) => view.profiles[1].categories.worker.candidates;

describe('cooldowns', () => {
    test('a cooldown of another process is notified, shown everywhere, and cleared', async t => {
        const {server, user, ask} = await open(t, limited());
        const feed = await openFeed(t, server);
        const {rests: before} = await feed.last('tooling', e => e.rests > 0); // the server is listening
        assert.deepEqual((await ask('tooling')).rests, []);
        const from = Date.now();
        await user.complete(task());
        await feed.last('tooling', e => e.rests > before);
        const now = await ask('tooling');
        assert.deepEqual(now.rests.map(r => r.key), [KEY]);
        const [rest] = now.rests;
        assert.deepEqual([rest.class, rest.state, rest.failures, rest.probe_until], ['usage_limited', 'resting', 1, null]);
        assert.ok(rest.until >= from + HOUR && rest.until <= Date.now() + HOUR);
        assert.ok(rest.since >= from && rest.since <= Date.now());
        assert.match(rest.message, /^<b onmouseover=alert\(1\)>limit<\/b>/);
        assert.doesNotMatch(rest.message, /\u001b/);
        // every profile shows it: it belongs to the account
        assert.deepEqual(others(now).map(c => [c.out, c.share]), [['resting', 0], [null, 0.6], [null, 0.4]]);
        const [c] = others(now);
        assert.deepEqual([c.rest, c.back_at, c.account], [rest, rest.until, 'KEY_0']);
        assert.match(c.why, /^in cooldown until .*usage_limited/);
        assert.deepEqual(now.view.profiles[0].categories.worker.candidates.map(x => x.share), [0, 1, 0]);
        // so does an unsaved text
        const {view} = await ask('tooling/check', {text: JSON.stringify(limited())});
        assert.deepEqual(others({view}).map(x => x.out), ['resting', null, null]);

        const {rests: seen} = await feed.last('tooling');
        assert.deepEqual(await ask('tooling/clear', {key: 'mock|KEY_0'}), {cleared: 0}); // only the exact key
        assert.deepEqual(await ask('tooling/clear', {key: KEY}), {cleared: 1});
        await feed.last('tooling', e => e.rests > seen);
        assert.deepEqual((await ask('tooling')).rests, []);
        assert.deepEqual(await user.json('cooldowns'), []);
        assert.deepEqual(others(await ask('tooling')).map(x => x.share), [0.5, 0.3, 0.2]);
    });

    test('all are cleared at once; a change by the command line is notified, too', async t => {
        const {server, user, ask} = await open(t, limited());
        await user.complete(task());
        assert.equal((await ask('tooling')).rests.length, 1);
        assert.deepEqual(await ask('tooling/clear', {key: ''}), {cleared: 1});
        const feed = await openFeed(t, server);
        const {rests} = await feed.last('tooling', e => e.rests > 0);
        await user.tooling('cooldowns', 'clear');
        await feed.last('tooling', e => e.rests > rests);
    });

    test('an expired cooldown is due and probed by the next choice', async t => {
        const tooling = limited({first: [{fail: 'usage_limited', after_ms: HOUR}, {say: 'fine'}]});
        const {user, ask} = await open(t, tooling);
        await user.complete(task());
        user.passTime(2 * HOUR);
        const now = await ask('tooling');
        assert.equal(now.rests[0].state, 'due');
        assert.deepEqual(others(now).map(c => [c.out, c.share, c.rest?.state]),
            [[null, 0.5, 'due'], [null, 0.3, undefined], [null, 0.2, undefined]]);
        const db = new DatabaseSync(user.store);
        db.prepare('UPDATE rest SET probe_until = ?, probe_by = 1').run(Date.now() + HOUR / 4);
        db.close();
        const probed = await ask('tooling');
        assert.equal(probed.rests[0].state, 'probing');
        assert.ok(probed.rests[0].probe_until > Date.now());
        assert.deepEqual([others(probed)[0].out, others(probed)[0].back_at], ['probing', probed.rests[0].probe_until]);
    });

    test('a candidate near its limit is chosen less until that is cleared', async t => {
        const {user, ask} = await open(t, limited({first: [{warn: {used: 0.92}, say: 'fine'}]}));
        await user.complete(task());
        const now = await ask('tooling');
        assert.deepEqual(others(now).map(c => [c.out, c.share]), [['near', 0], [null, 0.6], [null, 0.4]]);
        assert.match(others(now)[0].why, /92 %/);
        await ask('tooling/clear', {key: KEY});
        assert.deepEqual(others(await ask('tooling')).map(c => c.out), [null, null, null]);
    });
});

describe('simulate', () => {
    const plain = () => config([mock('a', undefined, {weight: 60}), mock('b', undefined, {weight: 30}),
        mock('c', undefined, {weight: 10}), mock('d', undefined, {weight: 0})], {strategy: 'weighted'});

    test('many draws match the shares', async t => {
        const {ask} = await open(t, plain());
        const drawn = await ask('tooling/simulate', {category: 'worker', n: 10_000, seed: 42});
        assert.deepEqual([drawn.n, drawn.seed, drawn.nobody], [10_000, 42, 0]);
        assert.deepEqual(drawn.counts.map(c => [c.index, c.tool, c.model, c.weight, c.share]),
            [[0, 'mock', 'a', 60, 0.6], [1, 'mock', 'b', 30, 0.3], [2, 'mock', 'c', 10, 0.1], [3, 'mock', 'd', 0, 0]]);
        assert.equal(drawn.counts.reduce((sum, c) => sum + c.count, 0), 10_000);
        for (const {count, share} of drawn.counts)
            assert.ok(Math.abs(count - share * 10_000) < 300, `${count} of ${share}`);
        assert.deepEqual(await ask('tooling/simulate', {category: 'worker', n: 10_000, seed: 42}), drawn);
        const any = await ask('tooling/simulate', {category: 'worker', n: 10});
        assert.deepEqual(await ask('tooling/simulate', {category: 'worker', n: 10, seed: any.seed}), any);
    });

    test('the same seed gives the same draws as the command line', async t => {
        const {ask, user} = await open(t, plain());
        const {categories: [said]} = await user.json('simulate', 'meta', '-n', '5000', '--seed', '7');
        const {counts} = await ask('tooling/simulate', {category: 'meta', n: 5000, seed: 7});
        assert.deepEqual(counts.map(c => c.count), said.candidates.map(c => c.count));
    });

    test('candidates in cooldown are not drawn, with an unsaved text and any profile', async t => {
        const {ask, user} = await open(t, limited());
        await user.complete(task());
        const {counts} = await ask('tooling/simulate', {category: 'plan', n: 10_000, profile: 'other', seed: 1});
        assert.deepEqual(counts.map(c => c.share), [0, 0.6, 0.4]);
        assert.equal(counts[0].count, 0);
        const turns = limited({strategy: 'least_recent'});
        const fair = await ask('tooling/simulate', {category: 'task', n: 1000, profile: 'other', text: JSON.stringify(turns)});
        assert.deepEqual(fair.counts.map(c => [c.share, c.count]), [[0, 0], [0.5, 500], [0.5, 500]]);
    });

    test('no candidate is drawn if all are out', async t => {
        const {ask} = await open(t, config([{tool: 'codex-cli'}]));
        const {nobody, counts} = await ask('tooling/simulate', {category: 'meta', n: 1_000_000});
        assert.deepEqual([nobody, counts[0].count, counts[0].share], [1_000_000, 0, 0]);
    });

    test('a million draws do not delay other requests', async t => {
        const {ask, server} = await open(t, config(Array.from({length: 64}, (_, i) => mock(`m${i}`)), {strategy: 'weighted'}));
        const drawn = ask('tooling/simulate', {category: 'meta', n: 1_000_000});
        await Promise.all(Array.from({length: 5}, () => server.call('get_editor_state')));
        assert.equal((await drawn).counts.length, 64);
    });

    const wrong = [{n: 10}, {category: 'meta'}, {category: 'nope', n: 10}, {category: 'meta', n: 0},
        {category: 'meta', n: 1_000_001}, {category: 'meta', n: 1.5}, {category: 'meta', n: '10'},
        {category: 'meta', n: 10, seed: -1}, {category: 'meta', n: 10, seed: 2 ** 53}, {category: 'meta', n: 10, profile: 'no'},
        {category: 'meta', n: 10, text: '{'}, {category: 'meta', n: 10, text: 7}, {category: '<b>'.repeat(9999), n: 1}];
    test('invalid arguments are refused', async t => {
        const {server} = await open(t, plain());
        for (const body of wrong) {
            const {status, body: {error}} = await server.api('tooling/simulate', body);
            assert.equal(status, 400, JSON.stringify(body).slice(0, 100));
            assert.ok(error.message.length > 5);
        }
    });
});

describe('decisions', () => {
    test('are listed newest first, as explain shows them, and by run', async t => {
        const {ask, user} = await open(t, limited());
        assert.deepEqual(await ask('tooling/decisions'), {decisions: []});
        await user.complete(task());
        const {stdout} = await user.tooling('explain', '--json', '-n', '50');
        const said = stdout.trim().split('\n').map(line => JSON.parse(line));
        const {decisions} = await ask('tooling/decisions');
        assert.deepEqual(decisions, said);
        assert.ok(decisions.length >= 4);
        assert.deepEqual((await ask('tooling/decisions?most=2')).decisions, said.slice(0, 2));
        const {run} = said[0];
        assert.ok(run);
        assert.deepEqual((await ask(`tooling/decisions?run=${run}`)).decisions, said.filter(d => d.run === run));
        for (const none of ['x', '%3Cb%3E', '%00%00'.slice(0, 0) + 'r'.repeat(1000)])
            assert.deepEqual((await ask(`tooling/decisions?run=${none}`)).decisions, []);
    });

    test('a malformed row is skipped', async t => {
        const {ask, user} = await open(t, limited());
        await user.json('select', 'meta');
        const db = new DatabaseSync(user.store);
        for (const [i, told] of ['', '[]', '{"id":', '{"id":1}{', '"x"', '{"run":"\ud800"}'].entries())
            db.prepare('INSERT INTO decision (id, made_at, told) VALUES (?, 1, ?)').run(1000 + i, told);
        db.close();
        const {decisions} = await ask('tooling/decisions');
        assert.equal(decisions.filter(d => d.category === 'meta').length, 1);
        assert.ok(decisions.every(d => typeof d === 'object' && !Array.isArray(d)));
    });

    test('are limited in number', async t => {
        const {server} = await open(t, limited());
        for (const most of ['0', '501', '-1', 'x', '1e3', ''])
            assert.equal((await server.api(`tooling/decisions?most=${most}`)).status, 400, most);
        assert.equal((await server.api('tooling/decisions?most=500')).status, 200);
    });
});

describe('a ledger that cannot be used', () => {
    test('a missing file is 503 at once, and everything else works', async t => {
        const {server, user} = await open(t, limited());
        rmSync(user.store, {force: true});
        mkdirSync(user.store); // no file
        for (const [where, body] of [['tooling'], ['tooling/decisions'], ['tooling/clear', {key: ''}],
            ['tooling/simulate', {category: 'meta', n: 10}], ['tooling/check', {text: JSON.stringify(limited())}]]) {
            const {status, body: answer} = await server.api(where, body);
            assert.equal(status, 503, where);
            assert.match(answer.error.message, /state\.db/);
        }
        // requests without the ledger
        assert.equal((await server.api('tooling/profile', {id: 'other'})).status, 200);
        assert.equal((await server.api('tooling/check', {text: '{'})).body.fault.line, 1);
        assert.equal((await server.api('tooling/agents')).status, 200);
        rmSync(user.store, {recursive: true});
        assert.equal((await server.api('tooling')).status, 200);
    });

    test('a ledger that works again is watched again', async t => {
        const {server, user, ask} = await open(t, limited());
        mkdirSync(user.store, {recursive: true});
        const feed = await openFeed(t, server);
        assert.equal((await server.api('tooling')).status, 503);
        rmSync(user.store, {recursive: true});
        await ask('tooling');
        const {rests} = await feed.last('tooling', e => e.rests > 0);
        await user.complete(task());
        await feed.last('tooling', e => e.rests > rests);
    });

    test('a server that is down is 503, and the page is notified when it is back', async t => {
        const {server} = await open(t, limited(), {args: ['--store', 'postgresql://nobody:hunter2@127.0.0.1:1/none']});
        const feed = await openFeed(t, server);
        await feed.last('tooling');
        const answers = await Promise.all(Array.from({length: 6}, () => server.api('tooling')));
        for (const {status, body} of answers) {
            assert.equal(status, 503);
            assert.doesNotMatch(JSON.stringify(body), /hunter2/);
        }
        await server.call('get_editor_state');
    });

    test('a server that never answers is not asked for clients that left', async t => {
        const silent = await startSilent(t);
        const {server, user} = await open(t, limited(), {args: ['--store', `postgresql://nobody@127.0.0.1:${silent.port}/none`]});
        const askAndLeave = async (where, options = {}) => {
            const leave = new AbortController();
            const answer = fetch(`${originOf(server)}/api/${where}`, {...options, signal: leave.signal}).catch(() => null);
            await server.call('get_editor_state'); // the request has arrived by then
            leave.abort();
            await answer;
        };
        for (let i = 0; i < 20; i++) { // a page that is reloaded many times
            const feed = await openFeed(t, server);
            await askAndLeave('tooling');
            await feed.close();
        }
        await askAndLeave('tooling/profile', {method: 'POST', body: '{"id":"other"}',
            headers: {Origin: originOf(server), 'Content-Type': 'application/json'}});
        const {status, body} = await server.api('tooling');
        assert.equal(status, 503);
        assert.match(body.error.message, /does not answer/);
        // one to listen, perhaps twice; the pending requests; this one
        assert.ok(silent.calls() <= 8, `${silent.calls()} calls`);
        // a change is made although its client has left
        assert.equal(JSON.parse(readFileSync(user.file, 'utf8')).activeProfile, 'other');
    });

    test('a locked ledger is waited for briefly and does not block the server', async t => {
        const {server, user, ask} = await open(t, limited());
        await ask('tooling');
        const db = new DatabaseSync(user.store);
        db.exec('BEGIN IMMEDIATE');
        const cleared = server.api('tooling/clear', {key: ''});
        await ask('tooling'); // reading does not wait
        await server.call('get_editor_state');
        const {status, body} = await cleared;
        db.exec('ROLLBACK');
        db.close();
        assert.equal(status, 503);
        assert.match(body.error.message, /busy/);
        assert.deepEqual(await ask('tooling/clear', {key: ''}), {cleared: 0});
    });
});
