// multiverse tooling select, simulate, explain: which candidate is chosen, by which rule, and why
// not the others.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {oneLine, refuses} from '../fixtures/cli.mjs';
import {CATEGORIES, config, configOf, makeUser} from '../fixtures/tooling.mjs';
import {jsonLines} from '../fixtures/program.mjs';

const mock = (model, more = {}) => ({tool: 'mock', model, ...more});

/** Choose n times, each in a process of its own; return the models. */
async function choose(user, n, category = 'worker') {
    const models = [];
    while (models.length < n)
        models.push((await user.json('select', category)).model);
    return models;
}

describe('select', () => {
    test('prints the choice, the candidates, and why others are unavailable', async t => {
        const user = makeUser(t, {tooling: config([{tool: 'codex-cli', model: 'gpt'}, mock('off', {weight: 0}),
            mock('third'), mock('fourth')])});
        const choice = await user.json('select', 'worker');
        assert.deepEqual([choice.tool, choice.model, choice.category, choice.used, choice.profile,
            choice.strategy, choice.forced, choice.probe],
            ['mock', 'third', 'worker', 'worker', 'own', 'priority', false, false]);
        assert.deepEqual(choice.candidates.map(c => [c.model, c.out]),
            [['gpt', 'unavailable'], ['off', 'disabled'], ['third', 'in'], ['fourth', 'in']]);
        assert.equal(choice.choice.index, 2);
        assert.match(choice.candidates[0].why, /codex/);
        const {code, stdout} = await user.tooling('select', 'worker');
        assert.equal(code, 0);
        assert.match(stdout, /^mock third\n/);
        assert.match(stdout, /^\* +mock +third/m);
        assert.match(stdout, /codex-cli +gpt +1 +.*codex/);
    });

    test('the default category is meta; an unknown one falls back to meta', async t => {
        const user = makeUser(t, {tooling: configOf({meta: {candidates: [mock('for-meta')]},
            worker: {candidates: [mock('for-worker')]}})});
        assert.equal((await user.json('select')).model, 'for-meta');
        assert.equal((await user.json('select', 'worker')).model, 'for-worker');
        for (const category of ['plan', 'unheard-of', 'WORKER']) {
            const choice = await user.json('select', category);
            assert.deepEqual([choice.model, choice.category, choice.used], ['for-meta', category, 'meta']);
        }
        assert.match((await user.tooling('select', 'unheard-of')).stdout, /settings of meta/);
    });

    test('no candidate available: each with its reason, exit 1', async t => {
        const user = makeUser(t, {tooling: config([{tool: 'codex-cli', model: 'gpt'}, {tool: 'openai-chat', model: 'chat'},
            {tool: 'claude-code', model: 'sonnet', cliPath: '/nowhere/claude'}, mock('off', {weight: 0})])});
        const end = await user.tooling('select', 'worker');
        assert.equal(end.code, 1);
        assert.equal(end.stdout, '');
        oneLine(end.stderr);
        for (const pattern of [/codex-cli gpt.*codex/, /openai-chat chat.*OPENAI_API_KEY/,
            /claude-code sonnet.*\/nowhere\/claude/, /mock off.*disabled/])
            assert.match(end.stderr, pattern);
        const json = await user.tooling('select', 'worker', '--json');
        assert.equal(json.code, 1);
        const choice = JSON.parse(json.stdout);
        assert.deepEqual([choice.tool, choice.model], [null, null]);
        assert.ok(choice.candidates.every(c => c.out !== 'in' && c.why), json.stdout);
    });

    test('priority takes the first available candidate', async t => {
        const user = makeUser(t, {tooling: config([{tool: 'gemini-cli'}, mock('b'), mock('c')])});
        assert.deepEqual(await choose(user, 3), ['b', 'b', 'b']);
    });

    test('round_robin cycles, across processes', async t => {
        const user = makeUser(t, {tooling: config([mock('a'), {tool: 'gemini-cli'}, mock('b'), mock('c')],
            {strategy: 'round_robin'})});
        assert.deepEqual(await choose(user, 7), ['a', 'b', 'c', 'a', 'b', 'c', 'a']);
        assert.deepEqual(await choose(user, 2, 'plan'), ['a', 'b'], 'each category has its own position in the cycle');
        assert.deepEqual(await choose(user, 2), ['b', 'c']);
    });

    test('least_recent takes the candidate that was idle longest', async t => {
        const user = makeUser(t, {tooling: config([mock('a'), mock('b'), mock('c')], {strategy: 'least_recent'})});
        assert.deepEqual(await choose(user, 4), ['a', 'b', 'c', 'a']);
        assert.deepEqual(await choose(user, 1, 'plan'), ['b'], 'a use in any category counts');
    });

    test('weighted: the same seed gives the same choice', async t => {
        const user = makeUser(t, {tooling: config([mock('a'), mock('b'), mock('c')], {strategy: 'weighted'})});
        const draw = async seed => (await user.json('select', 'worker', '--seed', String(seed))).model;
        const seeds = Array.from({length: 12}, (_, i) => i + 1);
        const once = [], again = [];
        for (const seed of seeds)
            once.push(await draw(seed));
        for (const seed of seeds)
            again.push(await draw(seed));
        assert.deepEqual(again, once);
        assert.ok(new Set(once).size > 1, String(once));
    });

    test('a dry run changes no state', async t => {
        const user = makeUser(t, {tooling: config([mock('a'), mock('b')], {strategy: 'round_robin'})});
        for (let i = 0; i < 3; i++)
            assert.equal((await user.json('select', 'worker', '--dry-run')).model, 'a');
        assert.match((await user.tooling('explain')).stdout, /no decisions yet/);
        assert.deepEqual(await choose(user, 2), ['a', 'b']);
    });
});

describe('simulate', () => {
    // chi-squared of 0.1 %: 1, 2, 3 degrees of freedom
    const CRITICAL = [10.83, 13.82, 16.27];
    const N = 1_000_000;

    test('a million draws of the balanced profile: every share is within 0.2 % of its weight', async t => {
        const user = makeUser(t);
        const {profile, seed, categories} = await user.json('simulate', '-n', String(N), '--seed', '20261116');
        assert.deepEqual([profile, seed], ['balanced', 20261116]);
        assert.deepEqual(categories.map(c => c.category), CATEGORIES);
        for (const category of categories) {
            assert.equal(category.draws, N);
            assert.equal(category.candidates.reduce((sum, c) => sum + c.count, 0), N);
            const weights = category.candidates.reduce((sum, c) => sum + c.weight, 0);
            let chi = 0;
            for (const c of category.candidates) {
                assert.ok(Math.abs(c.count / N - c.weight / weights) < 0.002,
                    `${category.category} ${c.tool}: ${c.count} of ${N}, weight ${c.weight}`);
                assert.ok(Math.abs(c.share - c.count / N) < 1e-9);
                chi += (c.count - N * c.weight / weights) ** 2 / (N * c.weight / weights);
            }
            assert.equal(category.degrees_of_freedom, category.candidates.length - 1);
            assert.ok(Math.abs(category.chi_squared - chi) < 1e-6 * (1 + chi), `${category.chi_squared} is not ${chi}`);
            assert.ok(chi < CRITICAL[category.degrees_of_freedom - 1], `${category.category}: ${chi}`);
        }
    });

    test('every seed, and none, gives another fair sequence', async t => {
        const user = makeUser(t);
        const seen = new Set();
        for (const args of [['--seed', '1'], ['--seed', '2'], []]) {
            const {seed, categories: [meta]} = await user.json('simulate', 'meta', '-n', String(N), ...args);
            assert.ok(Number.isSafeInteger(seed), 'the printed seed can be used again');
            seen.add(String(meta.sequence));
            for (const c of meta.candidates)
                assert.ok(Math.abs(c.share - c.expected_share) < 0.002, JSON.stringify(c));
        }
        assert.equal(seen.size, 3);
    });

    test('the same seed gives the same sequence and the same counts', async t => {
        const user = makeUser(t);
        const [a, b] = [await user.json('simulate', '--seed', '7'), await user.json('simulate', '--seed', '7')];
        assert.deepEqual(a, b);
        assert.ok(a.categories[0].sequence.length >= 16);
        const alone = await user.json('simulate', 'worker', '--seed', '7');
        assert.deepEqual(alone.categories, a.categories.filter(c => c.category === 'worker'));
    });

    test('as a table, with chi-squared', async t => {
        const user = makeUser(t);
        const {code, stdout, stderr} = await user.tooling('simulate', '-n', String(N), '--seed', '5');
        assert.deepEqual([code, stderr], [0, '']);
        assert.match(stdout, /seed 5\b/);
        for (const name of CATEGORIES)
            assert.match(stdout, new RegExp(`^${name}: weighted, 1000000 draws, chi-squared \\d+\\.\\d+`, 'm'));
        assert.match(stdout, /codex-cli +gpt-5\.2-codex +\d+ +(59\.[89]|60\.[01])\d* % +weight 60\.0+ %/);
    });

    test('the other strategies, and weight 0', async t => {
        const list = [mock('a'), mock('off', {weight: 0}), mock('b', {weight: 3})];
        const counts = async strategy => {
            const user = makeUser(t, {tooling: config(list, {strategy})});
            const [meta] = (await user.json('simulate', 'meta', '-n', '9000', '--seed', '1')).categories;
            assert.equal('chi_squared' in meta, strategy === 'weighted');
            assert.equal('expected_share' in meta.candidates[0], strategy === 'weighted');
            return meta.candidates.map(c => c.count);
        };
        assert.deepEqual(await counts('priority'), [9000, 0, 0]);
        assert.deepEqual(await counts('round_robin'), [4500, 0, 4500]);
        assert.deepEqual(await counts('least_recent'), [4500, 0, 4500]);
        const [a, off, b] = await counts('weighted');
        assert.equal(off, 0);
        assert.ok(Math.abs(b / (a + b) - 0.75) < 0.02, `${a} ${b}`);
    });

    test('changes no state: neither position nor decisions', async t => {
        const user = makeUser(t, {tooling: config([mock('a'), mock('b')], {strategy: 'round_robin'})});
        await user.json('simulate', '-n', '3');
        assert.match((await user.tooling('explain')).stdout, /no decisions yet/);
        assert.deepEqual(await choose(user, 1), ['a']);
    });

    test('usage errors', async t => {
        const user = makeUser(t);
        refuses(await user.tooling('simulate', '-n', '0'), /-n|--count/);
        refuses(await user.tooling('simulate', '-n', 'many'), /many/);
        refuses(await user.tooling('simulate', 'wroker'), /wroker/, /worker/);
        refuses(await user.tooling('simulate', '--seed', '-1'), /seed/);
    });
});

describe('explain', () => {
    const decisions = async (user, ...args) => {
        const {code, stdout, stderr} = await user.tooling('explain', '--json', ...args);
        assert.equal(code, 0, stderr);
        return jsonLines(stdout);
    };

    test('shows the last decisions, the newest first', async t => {
        const user = makeUser(t, {tooling: config([mock('a'), mock('b'), {tool: 'cursor-cli'}],
            {strategy: 'round_robin'})});
        await choose(user, 2);
        await choose(user, 1, 'plan');
        const all = await decisions(user, '-n', '5');
        assert.deepEqual(all.map(d => [d.category, d.tool, d.model]),
            [['plan', 'mock', 'a'], ['worker', 'mock', 'b'], ['worker', 'mock', 'a']]);
        assert.ok(all[0].id > all[1].id && all[1].id > all[2].id);
        assert.ok(Math.abs(Date.parse(all[0].time) - Date.now()) < 60_000, all[0].time);
        assert.deepEqual(all[0].candidates.map(c => [c.tool, c.out]),
            [['mock', 'in'], ['mock', 'in'], ['cursor-cli', 'unavailable']]);
        assert.equal(all[0].choice.index, 0);
        assert.match(all[0].candidates[2].why, /cursor/);
        assert.deepEqual((await decisions(user)).map(d => d.id), [all[0].id], 'one by default');
        assert.deepEqual((await decisions(user, String(all[2].id))).map(d => d.model), ['a']);
        const {stdout} = await user.tooling('explain', '-n', '5');
        assert.match(stdout, /plan.*mock a/);
        assert.match(stdout, /cursor-cli.*cursor/);
    });

    test('the draw of a weighted choice is shown', async t => {
        const user = makeUser(t, {tooling: config([mock('a', {weight: 1}), mock('b', {weight: 3})], {strategy: 'weighted'})});
        await user.json('select', 'worker', '--seed', '3');
        const [{draw, model, strategy}] = await decisions(user);
        assert.equal(strategy, 'weighted');
        assert.ok(draw >= 0 && draw < 1, String(draw));
        assert.equal(model, draw < 0.25 ? 'a' : 'b');
        assert.match((await user.tooling('explain')).stdout, new RegExp(`drawn ${draw.toFixed(6)}`));
    });

    test('failed choices and forced ones are decisions, too', async t => {
        const user = makeUser(t, {tooling: config([{tool: 'gemini-cli', model: 'pro'}])});
        assert.equal((await user.tooling('select', 'worker')).code, 1);
        await user.tooling('force', 'mock', 'f');
        await user.json('select', 'task');
        const [forced, nobody] = await decisions(user, '-n', '2');
        assert.deepEqual([forced.forced, forced.tool, forced.model], [true, 'mock', 'f']);
        assert.equal(nobody.tool ?? null, null);
        assert.match((await user.tooling('explain', '-n', '2')).stdout, /no candidate/);
    });

    test('an unknown decision and usage errors', async t => {
        const user = makeUser(t, {tooling: config([mock('a')])});
        const end = await user.tooling('explain', '99');
        assert.equal(end.code, 1);
        oneLine(end.stderr);
        refuses(await user.tooling('explain', 'last'), /last/);
        assert.equal((await user.tooling('explain')).code, 0);
        assert.deepEqual(await decisions(user), []);
    });
});
