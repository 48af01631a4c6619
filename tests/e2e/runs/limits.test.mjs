// Limits during a run without installed agents: openai-chat with the stand-in, and the mock. A is
// limited with a reset time, B is overloaded, C works.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {until} from '../fixtures/program.mjs';
import {chat, config, configOf, keyOf, keys, makeUser, mock, planner, task} from '../fixtures/tooling.mjs';
import {gate, startStandin} from '../../standin/standin.mjs';
import {meta, metaScript} from '../../standin/meta.mjs';

const HOUR = 3_600_000;

async function accounts(t, ...names) {
    const standin = await startStandin(t);
    return names.map(name => standin.account(name));
}

// The same three candidates in two roles: for plans and decisions, or for work.
const roles = {
    'meta calls': {
        tooling: (candidates, helper) => configOf({meta: {candidates}, worker: {candidates: [helper]}}),
        answer: () => meta(), asked: 3,
    },
    'worker runs': {
        tooling: (candidates, helper) => configOf({meta: {candidates: [helper]}, worker: {candidates}}),
        answer: () => 'I did it.', asked: 1,
    },
};

for (const [role, {tooling, answer, asked}] of Object.entries(roles))
    describe(role, () => {
        async function open(t) {
            const [a, b, c] = await accounts(t, 'a', 'b', 'c');
            a.answers({fault: 'rate_limited', retryAfter: 7200});
            b.answers({fault: 'overloaded'});
            c.answers(answer());
            const helper = mock('helper', role === 'meta calls' ? undefined : metaScript({workers: ['do it']}));
            const user = makeUser(t, {env: keys(a, b, c), tooling: tooling([chat(a), chat(b), chat(c)], helper)});
            return {a, b, c, user};
        }
        const counts = (...list) => list.map(account => account.count);

        test('A is limited, B is overloaded: C does the work, and both get the right cooldowns', async t => {
            const {a, b, c, user} = await open(t);
            const from = Date.now();
            const {events} = await user.complete(task());
            const to = Date.now();
            assert.deepEqual(counts(a, b, c), [1, 1, asked]);
            assert.equal(c.requests[0].headers.authorization, `Bearer ${keyOf(c)}`);
            const tries = events.filter(e => e.event === 'outcome' && e.tool === 'openai-chat').slice(0, 3);
            assert.deepEqual(tries.map(e => [e.model, e.outcome, e.try]),
                [['model-a', 'rate_limited', 1], ['model-b', 'overloaded', 2], ['model-c', 'ok', 3]]);
            const cooldowns = await user.cooldowns();
            assert.deepEqual(Object.keys(cooldowns).toSorted(), ['openai-chat|*|model-b', 'openai-chat|KEY_A|model-a']);
            const ends = Date.parse(cooldowns['openai-chat|KEY_A|model-a'].until);
            assert.ok(ends >= from + 2 * HOUR && ends <= to + 2 * HOUR, new Date(ends).toISOString());
            assert.equal(Date.parse(tries[0].until), ends);
            const short = Date.parse(cooldowns['openai-chat|*|model-b'].until);
            assert.ok(short >= from + 30_000 && short <= to + 30_000, new Date(short).toISOString());
        });

        test('a second process, started while the first one runs, does not try A', async t => {
            const {a, b, c, user} = await open(t);
            const held = gate(), play = answer();
            c.answers([async request => {
                await held.opened;
                return typeof play === 'function' ? play(request) : play;
            }]);
            const first = user.complete(task());
            await until(() => c.count === 1, 'the first process to use C');
            c.answers(answer());
            await user.complete(task({id: 'T-2'}));
            assert.deepEqual(counts(a, b, c), [1, 1, 1 + asked], 'A and B were not asked');
            held.open();
            await first;
            assert.deepEqual(counts(a, b), [1, 1]);
        });

        test('a restart keeps cooldowns; after the reset exactly one probe goes to A', async t => {
            const {a, c, user} = await open(t);
            await user.complete(task());
            user.passTime(HOUR);
            await user.complete(task({id: 'T-2'}));
            assert.equal(a.count, 1, 'an hour later A is still cooling down');
            user.passTime(HOUR);
            assert.equal((await user.cooldowns())['openai-chat|KEY_A|model-a'].state, 'due');

            const held = gate(), play = answer();
            a.answers(async request => {
                await held.opened;
                return typeof play === 'function' ? play(request) : play;
            });
            c.answers(answer());
            const prober = user.complete(task({id: 'T-3'}));
            await until(() => a.count === 2, 'the probe');
            assert.equal((await user.cooldowns())['openai-chat|KEY_A|model-a'].state, 'probing');
            await user.complete(task({id: 'T-4'}));
            assert.equal(a.count, 2, 'other runs do not use it during the probe');
            held.open();
            await prober;
            assert.equal((await user.cooldowns())['openai-chat|KEY_A|model-a'], undefined, 'it is available again');
            a.answers(answer());
            const before = a.count;
            await user.complete(task({id: 'T-5'}));
            assert.equal(a.count, before + asked);
        });

        test('a failed probe starts a new cooldown', async t => {
            const {a, user} = await open(t);
            await user.complete(task());
            user.passTime(2 * HOUR);
            const from = Date.now();
            await user.complete(task({id: 'T-2'}));
            assert.equal(a.count, 2);
            const rest = (await user.cooldowns())['openai-chat|KEY_A|model-a'];
            assert.deepEqual([rest.state, rest.failures], ['resting', 2]);
            assert.ok(Date.parse(rest.until) >= from + 2 * HOUR);
        });
    });

test('the reset is also waited for in real time', async t => {
    const [a, c] = await accounts(t, 'a', 'c');
    a.answers({fault: 'rate_limited', retryAfter: 1});
    c.answers(meta());
    const user = makeUser(t, {env: keys(a, c), tooling: config([chat(a), chat(c)], {cooldownSec: 0})});
    await user.complete(task());
    const rest = (await user.cooldowns())['openai-chat|KEY_A|model-a'];
    await until(() => Date.now() > Date.parse(rest.until), 'the reset');
    a.answers(meta());
    c.forget();
    await user.complete(task({id: 'T-2'}));
    assert.deepEqual([a.count, c.count], [4, 0]);
});

test('several processes at once after the reset send one probe', async t => {
    const [a, c] = await accounts(t, 'a', 'c');
    a.answers({fault: 'rate_limited', retryAfter: 7200});
    c.answers(meta());
    const user = makeUser(t, {env: keys(a, c), tooling: configOf({meta: planner('x'),
        worker: {candidates: [chat(a), chat(c)]}})});
    await user.complete(task());
    user.passTime(2 * HOUR);
    c.answers('done');
    const held = gate();
    a.answers(async () => {
        await held.opened;
        return 'done';
    });
    const all = Array.from({length: 4}, (_, i) => user.complete(task({id: `P-${i}`})));
    await until(() => [a.count, c.count], 'one at A, three at C', {is: now => `${now}` === '2,4'});
    held.open();
    await Promise.all(all);
    assert.deepEqual([a.count, c.count], [2, 4]);
});

describe('fallback to the next candidate', () => {
    const run = async (t, fault, category = {}) => {
        const [a, b] = await accounts(t, 'a', 'b');
        a.answers(typeof fault === 'string' ? {fault} : fault);
        b.answers(meta());
        const user = makeUser(t, {env: keys(a, b), tooling: config([chat(a), chat(b)], category)});
        const end = await user.run(task());
        return {a, b, user, ...end};
    };

    for (const fault of ['rate_limited', 'billing', 'overloaded', 'server', 'auth', 'model', 'stream_overloaded'])
        test(`${fault} goes on`, async t => {
            const {a, b, code, stderr, stdout} = await run(t, fault);
            assert.equal(code, 0, stderr + stdout);
            assert.deepEqual([a.count, b.count], [1, 3]);
        });

    test('a broken connection falls back', async t => {
        const {a, b, code} = await run(t, {text: 'the first half', cut: 100});
        assert.deepEqual([code, a.count, b.count], [0, 1, 3]);
    });

    for (const fault of ['request', 'context'])
        test(`${fault} does not: another candidate would refuse it as well`, async t => {
            const {a, b, code, user, events} = await run(t, fault);
            assert.deepEqual([code, a.count, b.count], [1, 1, 0]);
            assert.equal(events.find(e => e.event === 'outcome').outcome, 'request');
            assert.deepEqual(await user.json('cooldowns'), []);
        });

    test('nothing falls back where fallbackOnRateLimit is false; cooldowns are recorded all the same', async t => {
        const {a, b, code, user} = await run(t, 'rate_limited', {fallbackOnRateLimit: false});
        assert.deepEqual([code, a.count, b.count], [1, 1, 0]);
        assert.equal((await user.json('cooldowns')).length, 1);
    });

    test('force mode uses only that candidate, and records no cooldown', async t => {
        const [a, b] = await accounts(t, 'a', 'b');
        a.answers({fault: 'rate_limited', retryAfter: 60});
        b.answers(meta());
        const user = makeUser(t, {env: keys(a, b), tooling: {...config([chat(b)]), force: {enabled: true, ...chat(a)}}});
        assert.equal((await user.run(task())).code, 1);
        assert.equal((await user.run(task())).code, 1);
        assert.deepEqual([a.count, b.count], [2, 0]);
        assert.deepEqual(await user.json('cooldowns'), []);
        a.answers(meta({workers: ['x']}));
        const {events} = await user.complete(task());
        assert.deepEqual([...new Set(events.filter(e => e.event === 'try').map(e => `${e.category} ${e.model}`))],
            ['task model-a', 'execution model-a', 'worker model-a']);
    });

    test('a candidate is tried once per call, even if it is listed twice', async t => {
        const [a, b] = await accounts(t, 'a', 'b');
        a.answers({fault: 'server'});
        b.answers(meta());
        const user = makeUser(t, {env: keys(a, b), tooling: config([chat(a), chat(a), chat(b)])});
        await user.complete(task());
        assert.equal(a.count, 1);
    });

    test('another model of a rate-limited account is available, of an account without credit it is not', async t => {
        for (const [fault, second] of [['rate_limited', 3], ['billing', 0]]) {
            const [a, b] = await accounts(t, 'a', 'b');
            a.answers([{when: {model: 'big'}, fault}, meta()]);
            b.answers(meta());
            const user = makeUser(t, {env: keys(a, b),
                tooling: config([chat(a, {model: 'big'}), chat(a, {model: 'small'}), chat(b)])});
            await user.complete(task());
            assert.deepEqual([a.requests.filter(r => r.model === 'small').length, b.count], [second, 3 - second], fault);
        }
    });
});

describe('the same with the mock', () => {
    test('A usage_limited until a time, B overloaded, C works', async t => {
        const resets = new Date(Math.ceil(Date.now() / 1000) * 1000 + HOUR);
        const account = name => ({env: {MOCK_API_KEY: `env:KEY_${name}`}});
        const user = makeUser(t, {env: {KEY_A: 'secret-a', KEY_B: 'secret-b', KEY_C: 'secret-c'}, tooling: config([
            mock('a', [{fail: 'usage_limited', until: resets.toISOString()}], account('A')),
            mock('a2', metaScript(), account('A')),
            mock('b', [{fail: 'overloaded'}], account('B')),
            mock('c', metaScript(), account('C'))])});
        const {events} = await user.complete(task());
        assert.deepEqual(events.filter(e => e.event === 'outcome').map(e => [e.model, e.outcome]),
            [['a', 'usage_limited'], ['b', 'overloaded'], ['c', 'ok'], ['c', 'ok'], ['c', 'ok']],
            'a2 has the same account as a');
        const cooldowns = await user.cooldowns();
        assert.deepEqual(Object.keys(cooldowns).toSorted(), ['mock|*|b', 'mock|KEY_A|*']);
        assert.equal(Date.parse(cooldowns['mock|KEY_A|*'].until), resets.getTime());
    });

    test('a nearly reached limit influences the next choice', async t => {
        const resets = Math.floor(Date.now() / 1000) + 3600;
        const account = name => ({env: {MOCK_API_KEY: name}});
        const user = makeUser(t, {tooling: config([
            mock('a', [{warn: {used: 0.95, resets_at: resets}, when: {prompt_has: 'plan_task'}, say: JSON.stringify(
                {acceptance_criteria: [{id: 'AC-1', description: 'x'}]})}], account('first-key')),
            mock('b', metaScript(), account('env:KEY_B'))]), env: {KEY_B: 'second-key'}});
        const {events} = await user.complete(task());
        assert.deepEqual(events.filter(e => e.event === 'try').map(e => e.model), ['a', 'b', 'b']);
        assert.deepEqual(await user.json('cooldowns'), [], 'it does not cool down');
        const [near] = (await user.json('show')).categories.meta.candidates;
        assert.match(`${near.state} ${near.why}`, /near/);
    });

    test('a worker that hit its limit after it had changed files passes a summary to the next one', async t => {
        const user = makeUser(t, {tooling: configOf({
            meta: planner('write both files'),
            worker: {candidates: [
                mock('first', [{write: {'one.txt': 'by the first\n', 'old.txt': 'changed\n'}, fail: 'rate_limited'}]),
                mock('second', [{when: {prompt_has: 'one.txt'}, write: {'two.txt': 'by the second\n'}, say: 'went on'},
                    {fail: 'request', message: 'one.txt was not mentioned'}])]}})});
        const git = (...args) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args],
            {cwd: user.repo, env: user.env});
        git('init', '-q');
        writeFileSync(path.join(user.repo, 'old.txt'), 'old\n');
        git('add', '.');
        git('commit', '-qm', 'begin');
        const {events} = await user.complete(task());
        assert.deepEqual(events.filter(e => e.event === 'outcome' && e.category === 'worker').map(e => [e.model, e.outcome]),
            [['first', 'rate_limited'], ['second', 'ok']]);
        const note = user.note();
        for (const name of ['one.txt', 'two.txt', 'old.txt'])
            assert.ok(note.includes(name), note);
        assert.equal(readFileSync(path.join(user.repo, 'two.txt'), 'utf8'), 'by the second\n');
    });

    test('with the stand-in, too, the next candidate gets the summary of the changes', async t => {
        const [c] = await accounts(t, 'c');
        c.answers('went on');
        const user = makeUser(t, {env: keys(c), tooling: configOf({
            meta: planner('write a file'),
            worker: {candidates: [mock('first', [{write: {'one.txt': 'a\nb\nc\n'}, fail: 'rate_limited'}]), chat(c)]}})});
        await user.complete(task());
        const [{texts}] = c.requests;
        assert.match(texts, /write a file/);
        assert.match(texts, /one\.txt/);
        assert.match(texts, /rate_limited|limit/);
    });
});
