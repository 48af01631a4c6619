// multiverse tooling show, validate, set-profile, force: read and change the configuration from the
// shell.
import assert from 'node:assert/strict';
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {oneLine, refuses} from '../fixtures/cli.mjs';
import {CATEGORIES, config, configOf, makeUser, task} from '../fixtures/tooling.mjs';

const MOCK = {tool: 'mock', model: 'one'};

/** tool, model, weight of each candidate. */
const BALANCED = {
    meta: [['codex-cli', 'gpt-5.2', 40], ['claude-code', 'claude-sonnet-4-5-20250929', 30],
        ['gemini-cli', 'gemini-3-pro-preview', 20], ['openai-chat', 'gpt-5.2', 10]],
    plan: [['claude-code', 'claude-sonnet-4-5-20250929', 45], ['codex-cli', 'gpt-5.2', 30],
        ['gemini-cli', 'gemini-3-pro-preview', 25]],
    task: [['claude-code', 'claude-sonnet-4-5-20250929', 40], ['codex-cli', 'gpt-5.2', 40],
        ['gemini-cli', 'gemini-3-pro-preview', 20]],
    worker: [['codex-cli', 'gpt-5.2-codex', 60], ['claude-code', 'claude-haiku-4-5-20251001', 25],
        ['gemini-cli', 'gemini-3-flash-preview', 15]],
};
BALANCED.execution = BALANCED.meta;

const FAST = {
    meta: [['codex-cli', 'gpt-5.2', 45], ['gemini-cli', 'gemini-3-flash-preview', 35],
        ['claude-code', 'claude-haiku-4-5-20251001', 20]],
    plan: [['gemini-cli', 'gemini-3-flash-preview', 40], ['claude-code', 'claude-haiku-4-5-20251001', 30],
        ['codex-cli', 'gpt-5.2', 30]],
    task: [['codex-cli', 'gpt-5.2', 40], ['gemini-cli', 'gemini-3-flash-preview', 30],
        ['claude-code', 'claude-haiku-4-5-20251001', 30]],
    worker: [['codex-cli', 'gpt-5.2-codex', 70], ['gemini-cli', 'gemini-3-flash-preview', 20],
        ['claude-code', 'claude-haiku-4-5-20251001', 10]],
};
FAST.execution = FAST.meta;

const listed = shown => Object.fromEntries(Object.entries(shown.categories).map(([name, category]) =>
    [name, category.candidates.map(c => [c.tool, c.model, c.weight])]));

const sorted = lists => Object.fromEntries(Object.entries(lists).map(([name, list]) =>
    [name, list.map(String).toSorted()]));

describe('the built-in default', () => {
    test('is balanced, with the profile fast as an alternative', async t => {
        const user = makeUser(t);
        const shown = await user.json('show');
        assert.equal(shown.active_profile, 'balanced');
        assert.deepEqual(shown.profiles, ['balanced', 'fast']);
        assert.deepEqual([shown.is_default, shown.fault, shown.force.enabled, shown.file],
            [true, null, false, user.file]);
        assert.deepEqual(sorted(listed(shown)), sorted(BALANCED));
        for (const category of Object.values(shown.categories)) {
            assert.equal(category.strategy, 'weighted');
            assert.equal(category.cooldown_sec, 120);
            assert.equal(category.fallback_on_rate_limit, true);
            const shares = category.candidates.map(c => c.share);
            assert.ok(Math.abs(shares.reduce((a, b) => a + b) - 1) < 1e-9, String(shares));
        }
        assert.equal(existsSync(user.file), false, 'reading writes nothing');
    });

    test('becomes a complete file when it is changed', async t => {
        const user = makeUser(t);
        const end = await user.tooling('set-profile', 'fast');
        assert.deepEqual([end.code, end.stderr], [0, '']);
        assert.match(end.stdout, /fast/);
        const shown = await user.json('show');
        assert.deepEqual([shown.active_profile, shown.is_default], ['fast', false]);
        assert.deepEqual(sorted(listed(shown)), sorted(FAST));
        const file = JSON.parse(readFileSync(user.file, 'utf8'));
        assert.equal(file.activeProfile, 'fast');
        assert.deepEqual(file.profiles.map(p => p.id), ['balanced', 'fast']);
        assert.equal(statSync(user.file).mode & 0o077, 0, 'readable by its owner only');
    });
});

describe('show', () => {
    test('as a table: every category, every candidate, why one is unavailable', async t => {
        const user = makeUser(t, {tooling: config([MOCK, {tool: 'claude-code', model: 'sonnet', weight: 3},
            {tool: 'mock', model: 'off', weight: 0}, {tool: 'openai-chat', model: 'gpt'}])});
        const {code, stdout, stderr} = await user.tooling('show');
        assert.equal(code, 0, stderr);
        for (const name of CATEGORIES)
            assert.match(stdout, new RegExp(`^${name} `, 'm'));
        assert.equal(stdout.match(/^.*\bsonnet\b.*$/mg).length, CATEGORIES.length);
        assert.match(stdout, /mock +one +1 .*ready/);
        assert.match(stdout, /claude-code +sonnet +3 .*(not found|PATH)/);
        assert.match(stdout, /mock +off +0 .*disabled/);
        assert.match(stdout, /openai-chat +gpt .*OPENAI_API_KEY/);
        assert.ok(stdout.includes(user.file));
        assert.doesNotMatch(stdout, /\x1b/, 'no colours in a pipe');
        assert.doesNotMatch(stdout, / %/, 'no shares where the first candidate gets everything');
        user.configure(config([MOCK, {tool: 'mock', model: 'two', weight: 3}], {strategy: 'weighted'}));
        assert.match((await user.tooling('show')).stdout, /mock +two +3 +75\.0 %/);
    });

    test('as JSON: the same data', async t => {
        const user = makeUser(t, {tooling: config([MOCK, {tool: 'gemini-cli', model: 'pro', weight: 3}]),
            programs: {}});
        const {categories} = await user.json('show');
        assert.deepEqual(Object.keys(categories), CATEGORIES);
        const [mock, gemini] = categories.worker.candidates;
        assert.deepEqual([mock.tool, mock.model, mock.weight, mock.share, mock.state], ['mock', 'one', 1, 0.25, 'ready']);
        assert.deepEqual([gemini.state, gemini.account, gemini.share], ['unavailable', 'login', 0.75]);
        assert.match(gemini.why, /gemini/);
    });

    test('the account is the name of the variable, never its value', async t => {
        const user = makeUser(t, {env: {WORK_KEY: 'sk-value-of-work', OPENAI_API_KEY: 'sk-value-of-own'},
            tooling: config([{tool: 'openai-chat', model: 'a', env: {OPENAI_API_KEY: 'env:WORK_KEY'}},
                {tool: 'openai-chat', model: 'b'}])});
        const {stdout} = await user.tooling('show', '--json');
        assert.doesNotMatch(stdout, /sk-value/);
        const {candidates} = JSON.parse(stdout).categories.meta;
        assert.deepEqual(candidates.map(c => [c.account, c.state]), [['WORK_KEY', 'ready'], ['OPENAI_API_KEY', 'ready']]);
    });

    test('a category without settings of its own has those of meta', async t => {
        const user = makeUser(t, {tooling: configOf({meta: {candidates: [MOCK]}})});
        const {categories} = await user.json('show');
        assert.deepEqual(CATEGORIES.map(name => categories[name].settings_of), CATEGORIES.map(() => 'meta'));
    });

    test('both spellings are accepted, also mixed', async t => {
        const user = makeUser(t, {tooling: {active_profile: 'b', profiles: [{id: 'a', name: 'A',
            categories: {meta: {candidates: [MOCK]}}}, {id: 'b', name: 'B',
            categories: {meta: {candidates: [MOCK], fallback_on_rate_limit: false, cooldownSec: 7}}}]}});
        const shown = await user.json('show');
        assert.deepEqual([shown.active_profile, shown.categories.meta.fallback_on_rate_limit,
            shown.categories.meta.cooldown_sec], ['b', false, 7]);
    });
});

// What is wrong, where, and what else the message must contain.
const good = config([MOCK]);
const WRONG = [
    ['no JSON', '{\n "activeProfile": "own",\n "profiles": [,]\n}', 3, []],
    ['an unknown tool', change(c => { c.profiles[0].categories.plan.candidates[0].tool = 'codex-clix'; }),
        'codex-clix', [/\/profiles\/0\/categories\/plan\/candidates\/0\/tool/, /codex-cli/]],
    ['an unknown category', change(c => { c.profiles[0].categories.workers = {candidates: [MOCK]}; }),
        '"workers"', [/workers/, /\bworker\b/, /meta.*plan.*task.*execution/]],
    ['an unknown strategy', change(c => { c.profiles[0].categories.meta.strategy = 'weigthed'; }),
        'weigthed', [/strategy/, /weighted/, /round_robin/]],
    ['no candidates', change(c => { c.profiles[0].categories.task.candidates = []; }),
        '"candidates": []', [/categories\/task/, /candidate/]],
    ['a negative cooldown', change(c => { c.profiles[0].categories.meta.cooldownSec = -1; }),
        '"cooldownSec": -1', [/cooldownSec/]],
    ['a duplicate profile id', change(c => { c.profiles.push({...c.profiles[0]}); }),
        null, [/\/profiles\/1/, /own/]],
    ['an unknown active profile', change(c => { c.activeProfile = 'owm'; }),
        '"owm"', [/activeProfile/, /owm/, /\bown\b/]],
    ['a wrong type', change(c => { c.profiles[0].categories.meta.candidates[0].flags = '-x'; }),
        '"-x"', [/flags/]],
    ['an unknown forced tool', change(c => { c.force = {enabled: true, tool: 'claud'}; }),
        '"claud"', [/force/, /claude-code/]],
];

function change(how) {
    const copy = JSON.parse(JSON.stringify(good)); // a deep copy
    how(copy);
    return JSON.stringify(copy, null, 1);
}

/** The line of the text; a number is returned unchanged. */
const lineOf = (text, where) => typeof where === 'number' ? where : text.slice(0, text.indexOf(where)).split('\n').length;

describe('validate', () => {
    test('a valid file is accepted', async t => {
        const user = makeUser(t, {tooling: good});
        const end = await user.tooling('validate');
        assert.deepEqual([end.code, end.stderr], [0, '']);
        assert.match(end.stdout, /is valid/);
        const said = await user.json('validate');
        assert.deepEqual([said.valid, said.error, said.warnings, said.file], [true, null, [], user.file]);
        assert.equal((await makeUser(t).json('validate')).valid, true, 'the default');
    });

    for (const [name, text, where, patterns] of WRONG)
        test(`${name}: one line with the place, exit 2`, async t => {
            const user = makeUser(t, {tooling: text});
            const end = await user.tooling('validate');
            refuses(end, ...patterns);
            if (where !== null)
                assert.ok(end.stderr.includes(`:${lineOf(text, where)}:`) || end.stderr.includes(`line ${lineOf(text, where)}`),
                    `line ${lineOf(text, where)} in ${end.stderr}`);
            const json = await user.tooling('validate', '--json');
            assert.equal(json.code, 2);
            assert.equal(JSON.parse(json.stdout).valid, false);
            assert.ok(end.stderr.includes(JSON.parse(json.stdout).error));
            assert.equal(readFileSync(user.file, 'utf8'), text, 'the file is unchanged');
        });

    test('any file can be checked by name, also the runner.tooling of a Task YAML', async t => {
        const user = makeUser(t);
        const yaml = path.join(user.dir, 'task.yaml');
        const lines = ['version: 1', 'task:', '  prd: {text: x}', 'runner:', '  tooling:', '    active_profile: own',
            '    profiles:', '    - id: own', '      categories:', '        meta:', '          candidates:',
            '          - tool: mock', '            weight: 2'];
        writeFileSync(yaml, `${lines.join('\n')}\n`);
        assert.equal((await user.tooling('validate', yaml)).code, 0);
        writeFileSync(yaml, `${lines.join('\n')}\n`.replace('tool: mock', 'tool: mok'));
        refuses(await user.tooling('validate', yaml), /task\.yaml:12:/, /runner\/tooling\/profiles\/0/, /mock/);
        writeFileSync(yaml, lines.slice(0, 3).join('\n'));
        refuses(await user.tooling('validate', yaml), /task\.yaml/, /runner\.tooling/);
        refuses(await user.tooling('validate', path.join(user.dir, 'none.json')), /none\.json/);
    });

    test('an unusual setting is a warning, and stays in the file', async t => {
        const odd = {...structuredClone(good), activeProfil: 'x'};
        odd.profiles[0].categories.meta.candidates[0].wieght = 3;
        const user = makeUser(t, {tooling: odd});
        const {valid, warnings} = await user.json('validate');
        assert.equal(valid, true);
        assert.ok(warnings.some(w => /activeProfil\b.*activeProfile/.test(w)), String(warnings));
        assert.ok(warnings.some(w => /wieght.*weight/.test(w)), String(warnings));
        await user.tooling('set-profile', 'own');
        const file = JSON.parse(readFileSync(user.file, 'utf8'));
        assert.deepEqual([file.activeProfil, file.profiles[0].categories.meta.candidates[0].wieght], ['x', 3]);
    });
});

describe('set-profile', () => {
    test('changes one value and nothing else', async t => {
        const two = structuredClone(good);
        two.profiles.push({...structuredClone(two.profiles[0]), id: 'other'});
        const text = JSON.stringify({$comment: 'mine', ...two, z: [1, {b: 2, a: 1}]}, null, 3).replace('"Own"', '"Öwn"  ');
        const user = makeUser(t, {tooling: text});
        assert.equal((await user.tooling('set-profile', 'other')).code, 0);
        assert.equal(readFileSync(user.file, 'utf8'), text.replace('"activeProfile": "own"', '"activeProfile": "other"'));
        assert.equal((await user.json('show')).active_profile, 'other');
    });

    test('an unknown profile: exit 2, the file is unchanged', async t => {
        const user = makeUser(t, {tooling: good});
        const before = readFileSync(user.file, 'utf8');
        refuses(await user.tooling('set-profile', 'owm'), /owm/, /\bown\b/);
        assert.equal(readFileSync(user.file, 'utf8'), before);
        refuses(await user.tooling('set-profile'), /set-profile/);
    });

    test('as JSON', async t => {
        const user = makeUser(t, {tooling: good});
        assert.equal((await user.json('set-profile', 'own')).active_profile, 'own');
    });
});

describe('force', () => {
    test('takes this candidate in all five categories', async t => {
        const user = makeUser(t, {tooling: good});
        const end = await user.tooling('force', 'claude-code', 'opus');
        assert.deepEqual([end.code, end.stderr], [0, '']);
        assert.match(end.stdout, /claude-code opus/);
        for (const category of [...CATEGORIES, 'unheard-of']) {
            const choice = await user.json('select', category);
            assert.deepEqual([choice.tool, choice.model, choice.forced], ['claude-code', 'opus', true], category);
        }
        assert.deepEqual((await user.json('show')).force, {enabled: true, tool: 'claude-code', model: 'opus'});
        assert.match((await user.tooling('select', 'worker')).stdout, /^claude-code opus\n[^]*force/);
    });

    test('off and on again, the candidate is remembered', async t => {
        const user = makeUser(t, {tooling: good});
        await user.tooling('force', 'claude-code', 'opus');
        assert.equal((await user.tooling('force', 'off')).code, 0);
        assert.equal((await user.json('select', 'worker')).tool, 'mock');
        assert.equal((await user.json('show')).force.enabled, false);
        assert.equal((await user.tooling('force', 'on')).code, 0);
        assert.equal((await user.json('select', 'worker')).model, 'opus');
    });

    test('keeps all other settings', async t => {
        const user = makeUser(t, {tooling: {...good, force: {enabled: false, tool: 'mock', model: 'm',
            cliPath: '/opt/x', flags: ['-v'], note: 'keep'}}});
        assert.equal((await user.tooling('force', 'on')).code, 0);
        assert.deepEqual(JSON.parse(readFileSync(user.file, 'utf8')).force,
            {enabled: true, tool: 'mock', model: 'm', cliPath: '/opt/x', flags: ['-v'], note: 'keep'});
    });

    test('an unknown tool: exit 2', async t => {
        const user = makeUser(t, {tooling: good});
        refuses(await user.tooling('force', 'claud'), /claud/, /claude-code/);
        refuses(await user.tooling('force', 'off', 'x'), /off/);
        refuses(await user.tooling('force'), /force/);
        assert.equal((await user.json('show')).force.enabled, false);
    });

    test('as JSON', async t => {
        const user = makeUser(t, {tooling: good});
        const {force} = await user.json('force', 'mock', 'm');
        assert.deepEqual(force, {enabled: true, tool: 'mock', model: 'm'});
    });
});

describe('a broken tooling.json', () => {
    const broken = JSON.stringify(good, null, 2).replace('"mock"', '"mok"');

    test('never replaces a valid one', async t => {
        const user = makeUser(t, {tooling: good});
        assert.equal((await user.json('select', 'worker')).tool, 'mock');
        user.configure(broken);
        const end = await user.tooling('select', 'worker', '--json');
        assert.equal(end.code, 0, end.stderr);
        assert.equal(JSON.parse(end.stdout).tool, 'mock', 'the last valid one is in use');
        oneLine(end.stderr);
        assert.match(end.stderr, new RegExp(`tooling\\.json:${lineOf(broken, '"mok"')}:`));
        assert.match(end.stderr, /mok/);
        assert.equal(readFileSync(user.file, 'utf8'), broken, 'the file is unchanged');
        const shown = await user.tooling('show', '--json');
        assert.match(JSON.parse(shown.stdout).fault, /mok/);
    });

    test('without an earlier valid one, no candidate is chosen', async t => {
        const user = makeUser(t, {tooling: broken});
        for (const action of [['select', 'worker'], ['show'], ['simulate'], ['doctor'], ['set-profile', 'own'],
            ['force', 'off']])
            refuses(await user.tooling(...action), /tooling\.json/, /mok/);
        assert.equal(readFileSync(user.file, 'utf8'), broken);
    });

    test('is not changed by the program either', async t => {
        const user = makeUser(t, {tooling: good});
        await user.json('show');
        user.configure(broken);
        refuses(await user.tooling('force', 'mock'), /mok/);
        refuses(await user.tooling('set-profile', 'own'), /mok/);
        assert.equal(readFileSync(user.file, 'utf8'), broken);
    });
});

test('an unusable home is one line and exit 1; commands that do not need it work', async t => {
    const user = makeUser(t);
    const env = {MULTIVERSE_HOME: '/proc/nowhere'};
    for (const args of [['tooling', 'show'], ['tooling', 'select'], ['tooling', 'cooldowns'], ['tooling', 'explain'],
        ['run', '-']]) {
        const end = await user.command(args, {env, input: task()});
        assert.equal(end.code, 1, args.join(' '));
        oneLine(end.stderr);
        assert.match(end.stderr, /\/proc\/nowhere/);
    }
    assert.equal((await user.command(['tooling', 'simulate', '-n', '10'], {env})).code, 0);
    assert.equal((await user.command(['tooling', 'validate'], {env})).code, 0);
    assert.match((await user.command(['tooling', 'doctor'], {env})).stdout, /codex-cli/);
});

test('usage errors name the valid options', async t => {
    const user = makeUser(t);
    refuses(await user.tooling(), /tooling/);
    refuses(await user.tooling('selekt'), /selekt/, /select/);
    refuses(await user.tooling('show', '--jsn'), /--jsn/, /--json/);
    refuses(await user.tooling('show', 'more'), /show/);
    const help = await user.tooling('--help');
    assert.equal(help.code, 0);
    for (const action of ['show', 'validate', 'select', 'simulate', 'set-profile', 'force', 'cooldowns', 'explain',
        'doctor', 'classify'])
        assert.match(help.stdout, new RegExp(`\\b${action}\\b`));
});
