// multiverse tooling cooldowns: which candidates cool down after which outcome, for how long, in
// every process.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {oneLine, refuses} from '../fixtures/cli.mjs';
import {chat, config, configOf, keys, makeUser, task} from '../fixtures/tooling.mjs';
import {startStandin} from '../../standin/standin.mjs';
import {meta} from '../../standin/meta.mjs';

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE;

/** Run a task in which a fails in this way and c does the work; return the cooldowns and the time
 * of the run. */
async function runWithFault(t, fault, category = {}) {
    const standin = await startStandin(t);
    const [a, c] = ['a', 'c'].map(name => standin.account(name));
    a.answers(fault);
    c.answers(meta());
    const user = makeUser(t, {env: keys(a, c), tooling: config([chat(a), chat(c)], category)});
    const from = Date.now();
    await user.complete(task());
    return {user, a, c, from, to: Date.now(), cooldowns: await user.cooldowns()};
}

/** Check that the cooldown ends this long after the outcome, which was between from and to. */
function assertEndsAfter(cooldown, ms, {from, to}) {
    const until = Date.parse(cooldown.until);
    assert.ok(until >= from + ms && until <= to + ms, `${cooldown.until} is not ${ms} ms after ${new Date(from).toISOString()}`);
}

describe('the duration of cooldowns', () => {
    const rows = [
        ['rate_limited', {retryAfter: 600}, 'openai-chat|KEY_A|model-a', 10 * MINUTE],
        // cooldownSec is the minimum
        ['rate_limited', {retryAfter: 3}, 'openai-chat|KEY_A|model-a', 2 * MINUTE],
        ['rate_limited', {}, 'openai-chat|KEY_A|model-a', 2 * MINUTE],
        ['billing', {}, 'openai-chat|KEY_A|*', HOUR],
        ['auth', {}, 'openai-chat|KEY_A|*', HOUR],
        ['model', {}, 'openai-chat|KEY_A|model-a', HOUR],
        ['overloaded', {}, 'openai-chat|*|model-a', 30 * SECOND],
        ['server', {}, 'openai-chat|*|model-a', 30 * SECOND],
    ];
    for (const [fault, more, key, ms] of rows)
        test(`${fault} ${JSON.stringify(more)}: ${key} for ${ms / SECOND} s`, async t => {
            const run = await runWithFault(t, {fault, ...more});
            assert.deepEqual(Object.keys(run.cooldowns), [key]);
            const cooldown = run.cooldowns[key];
            assert.deepEqual([cooldown.outcome, cooldown.state, cooldown.failures], [fault, 'resting', 1]);
            assertEndsAfter(cooldown, ms, run);
            assert.ok(cooldown.evidence.length > 0, 'a cooldown has evidence');
            assert.deepEqual([run.a.count, run.c.count], [1, 3]);
        });

    test('cooldownSec of the category is the minimum for a limit', async t => {
        const run = await runWithFault(t, {fault: 'rate_limited', retryAfter: 5}, {cooldownSec: 0});
        assertEndsAfter(run.cooldowns['openai-chat|KEY_A|model-a'], 5 * SECOND, run);
    });

    test('a second failure makes the cooldown longer, never shorter', async t => {
        const {user, a, cooldowns, ...run} = await runWithFault(t, {fault: 'server'});
        const key = 'openai-chat|*|model-a';
        user.passTime(30 * SECOND);
        const from = Date.now();
        await user.complete(task());
        const rest = (await user.cooldowns())[key];
        assert.deepEqual([rest.failures, a.count], [2, 2], `${JSON.stringify(cooldowns)} ${run.from}`);
        assertEndsAfter(rest, MINUTE, {from, to: Date.now()});
    });

    test('a success ends it', async t => {
        const {user, a, c} = await runWithFault(t, {fault: 'server'});
        user.passTime(30 * SECOND);
        assert.equal((await user.cooldowns())['openai-chat|*|model-a'].state, 'due');
        a.answers(meta());
        await user.complete(task());
        assert.deepEqual(await user.cooldowns(), {});
        assert.deepEqual([a.count, c.count], [1 + 3, 3]);
    });
});

describe('the list', () => {
    test('as a table: key, outcome, until, evidence', async t => {
        const {user} = await runWithFault(t, {fault: 'rate_limited', retryAfter: 3600});
        const {code, stdout, stderr} = await user.tooling('cooldowns');
        assert.deepEqual([code, stderr], [0, '']);
        assert.match(stdout, /openai-chat\|KEY_A\|model-a +rate_limited +resting +\d{4}-\d\d-\d\dT[\d:.]+Z +in (59 min \d+ s|1 h)/);
        assert.match(stdout, /rate_limit_exceeded/);
    });

    test('is empty without cooldowns', async t => {
        const user = makeUser(t);
        assert.deepEqual(await user.json('cooldowns'), []);
        assert.match((await user.tooling('cooldowns')).stdout, /no cooldowns/);
    });

    test('show, select and explain say why a candidate is unavailable, and until when', async t => {
        const {user, cooldowns} = await runWithFault(t, {fault: 'rate_limited', retryAfter: 3600});
        const {until} = cooldowns['openai-chat|KEY_A|model-a'];
        const [first] = (await user.json('show')).categories.worker.candidates;
        assert.deepEqual([first.state, first.back_at], ['resting', until]);
        assert.match(first.why, /rate_limited/);
        const choice = await user.json('select', 'worker');
        assert.deepEqual([choice.model, choice.candidates[0].out, choice.candidates[0].back_at],
            ['model-c', 'resting', until]);
        assert.match((await user.tooling('explain')).stdout, /model-a.*in cooldown.*rate_limited/);
    });
});

describe('clear', () => {
    async function twoRest(t) {
        const standin = await startStandin(t);
        const [a, b, c] = ['a', 'b', 'c'].map(name => standin.account(name));
        a.answers({fault: 'billing'});
        b.answers({fault: 'overloaded'});
        c.answers(meta());
        const user = makeUser(t, {env: keys(a, b, c), tooling: config([chat(a), chat(b), chat(c)])});
        await user.complete(task());
        assert.equal((await user.json('cooldowns')).length, 2);
        return user;
    }

    test('ends all cooldowns', async t => {
        const user = await twoRest(t);
        const end = await user.tooling('cooldowns', 'clear');
        assert.deepEqual([end.code, end.stderr], [0, '']);
        assert.match(end.stdout, /2/);
        assert.deepEqual(await user.json('cooldowns'), []);
        assert.equal((await user.json('select', 'worker')).model, 'model-a');
        assert.equal((await user.json('cooldowns', 'clear')).cleared, 0);
    });

    test('ends those of one tool, account or model', async t => {
        const user = await twoRest(t);
        assert.equal((await user.json('cooldowns', 'clear', 'claude-code')).cleared, 0);
        assert.equal((await user.json('cooldowns', 'clear', 'openai-chat|KEY_A')).cleared, 1);
        assert.deepEqual((await user.json('cooldowns')).map(rest => rest.key), ['openai-chat|*|model-b']);
        assert.equal((await user.json('cooldowns', 'clear', 'openai-chat')).cleared, 1);
    });

    test('usage errors', async t => {
        const user = makeUser(t);
        refuses(await user.tooling('cooldowns', 'claer'), /claer/, /clear/);
        refuses(await user.tooling('cooldowns', 'clear', 'a', 'b'), /"b"/);
    });
});

test('all candidates unavailable: each with its reason, the time of the first return; nothing ran', async t => {
    const standin = await startStandin(t);
    const [a, b, m] = ['a', 'b', 'm'].map(name => standin.account(name));
    a.answers({fault: 'rate_limited', retryAfter: 3600});
    b.answers({fault: 'rate_limited', retryAfter: 1200});
    m.answers(meta({workers: ['work']}));
    const others = {candidates: [chat(m)]};
    const user = makeUser(t, {env: keys(a, b, m), tooling: configOf({meta: others,
        worker: {candidates: [chat(a), chat(b), {tool: 'codex-cli', model: 'gpt'}, chat(m, {model: 'off', weight: 0})]}})});
    const first = await user.run(task());
    assert.equal(first.code, 1, first.stderr);
    assert.deepEqual([a.count, b.count], [1, 1]);
    const cooldowns = await user.cooldowns();
    const back = cooldowns['openai-chat|KEY_B|model-b'].until;

    const end = await user.tooling('select', 'worker');
    assert.equal(end.code, 1);
    assert.equal(end.stdout, '');
    oneLine(end.stderr);
    for (const pattern of [/model-a.*rate_limited/, /model-b.*rate_limited/, /codex-cli gpt.*codex/, /off.*disabled/,
        /first is back .*\(in (19 min|20 min)/])
        assert.match(end.stderr, pattern);
    const json = JSON.parse((await user.tooling('select', 'worker', '--json')).stdout);
    assert.equal(json.back_at, back);

    m.answers(meta({workers: ['work']}));
    const second = await user.run(task());
    assert.equal(second.code, 1);
    assert.deepEqual([a.count, b.count], [1, 1], 'no candidate was tried');
    const {text} = second.events.at(-1);
    for (const pattern of [/model-a/, /model-b/, /codex/, /first is back/])
        assert.match(text, pattern);
    assert.match(user.note(), /first is back/);
});

test('all unavailable from the start: exit 1, and nothing ran', async t => {
    const user = makeUser(t, {tooling: config([{tool: 'codex-cli', model: 'gpt'}, {tool: 'openai-chat', model: 'chat'}])});
    const end = await user.run(task());
    assert.equal(end.code, 1, end.stderr);
    assert.equal(end.events.some(e => e.event === 'try'), false);
    assert.match(end.events.at(-1).text, /codex.*OPENAI_API_KEY/);
    assert.deepEqual(await user.json('cooldowns'), []);
});
