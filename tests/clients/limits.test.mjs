// Limits with the real agents: A is limited with a reset time, B is overloaded, C works. Each agent
// plays each role once, for decisions (meta calls) and for work (worker runs on the sample
// project).
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {until} from '../e2e/fixtures/program.mjs';
import {configOf, keyName, keyOf, keys, makeUser, mock, planner, task} from '../e2e/fixtures/tooling.mjs';
import {copySample, scenePath} from '../e2e/fixtures/unity.mjs';
import {gate, startStandin} from '../standin/standin.mjs';
import {meta, metaScript} from '../standin/meta.mjs';
import {agents, missing, skipWithoutAgents} from './agents.mjs';

skipWithoutAgents();

const HOUR = 3_600;
const GAME = scenePath('GameScene');

// How each agent becomes a candidate that uses an account of the stand-in, and its cooldown when it
// is limited: `scope` is what cools down, `exact` whether the reset is a time (Gemini gives a
// duration in words).
const tools = {
    claude: {
        tool: 'claude-code', model: 'claude-sonnet-4-5', exact: true, scope: 'account',
        // Subscription windows are reported to signed-in users, not to keys.
        candidate: (account, part) => ({env: {ANTHROPIC_BASE_URL: account.url,
            [part === 'A' ? 'CLAUDE_CODE_OAUTH_TOKEN' : 'ANTHROPIC_API_KEY']: `env:${keyName(account)}`}}),
        key: request => request.headers['x-api-key'] ?? request.headers.authorization?.replace('Bearer ', ''),
    },
    codex: {
        tool: 'codex-cli', model: 'gpt-5.2-codex', exact: true, scope: 'account',
        // A provider defined by the user, or the usual one at another address.
        candidate: (account, part) => ({
            env: {CODEX_API_KEY: `env:${keyName(account)}`},
            flags: part === 'C' ? ['-c', `openai_base_url="${account.url}/v1"`] : ['-c', 'model_provider="own"',
                '-c', `model_providers.own={name="own",base_url="${account.url}/v1",wire_api="responses",` +
                    'env_key="CODEX_API_KEY"}'],
        }),
        key: request => request.headers.authorization?.replace('Bearer ', ''),
    },
    gemini: {
        tool: 'gemini-cli', model: 'gemini-2.5-flash', exact: false, scope: 'model',
        candidate: account => ({env: {GOOGLE_GEMINI_BASE_URL: account.url, GEMINI_API_KEY: `env:${keyName(account)}`}}),
        key: request => request.headers['x-goog-api-key'],
    },
};

const PARTS = [['claude', 'codex', 'gemini'], ['codex', 'gemini', 'claude'], ['gemini', 'claude', 'codex']];
const cooldownKey = (name, account) => tools[name].scope === 'account' ? `${tools[name].tool}|${keyName(account)}|*`
    : `${tools[name].tool}|${keyName(account)}|${tools[name].model}`;

const script = ([file, ...args]) => `#!/bin/sh\nexec ${[file, ...args].map(word => `'${word}'`).join(' ')} "$@"\n`;

/** A user with the agents in PATH, and no network except loopback. */
function makeAgentUser(t, accounts, tooling) {
    const names = {claude: 'claude', codex: 'codex', gemini: 'gemini'};
    const user = makeUser(t, {tooling, programs: Object.fromEntries(Object.entries(names)
        .map(([name, file]) => [file, script(agents[name].program)])),
    env: {...keys(...accounts), TERM: 'dumb', HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9',
        NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost'}});
    user.env.PATH = `${path.join(user.dir, 'bin')}:${path.dirname(process.execPath)}:/usr/bin:/bin`;
    return user;
}

/** The number of conversations: requests after a tool's result belong to the same run. */
const begun = account => account.requests.filter(request => request.results.length === 0).length;

const WORK = {calls: [
    {tool: 'manage_component', args: {action: 'update', game_object_path: '/Player', index: 1, fields: {mass: 2.5}}},
    {tool: 'save_scene'},
    {write: 'Assets/Data/by-c.txt', text: 'done by C\n'},
], text: 'The player is heavier.'};

// Both kinds of calls: the category of the three, the replies of A and C, the other roles.
const kinds = {
    'meta calls': {
        tooling: candidates => configOf({meta: {candidates}, worker: {candidates: [mock('w')]}}),
        a: fault => fault, c: () => meta(), asked: 3,
    },
    'worker runs': {
        tooling: candidates => configOf({meta: planner('make the player heavier'),
            worker: {candidates}}),
        // A has begun when its limit is reached.
        a: fault => request => request.results.length ? fault
            : {calls: [{write: 'Assets/Data/left-by-a.txt', text: 'begun by A\n'}]},
        c: () => WORK, asked: 1,
    },
};

async function open(t, kind, names) {
    const standin = await startStandin(t);
    const [a, b, c] = ['a', 'b', 'c'].map(name => standin.account(name));
    const resetsAt = Math.floor(Date.now() / 1000) + 2 * HOUR;
    a.answers(kinds[kind].a({fault: 'usage_limited', resetsAt}));
    b.answers({fault: 'overloaded'});
    c.answers(kinds[kind].c());
    const candidates = [a, b, c].map((account, i) => ({tool: tools[names[i]].tool, model: tools[names[i]].model,
        ...tools[names[i]].candidate(account, 'ABC'[i])}));
    const project = copySample(t);
    const user = makeAgentUser(t, [a, b, c], kinds[kind].tooling(candidates));
    const run = (id, more = {}) => user.complete(task({id, repo: project.dir, ...more,
        runner: {mcp: kind === 'worker runs' ? 'auto' : 'off'}}));
    return {a, b, c, resetsAt, project, user, run};
}

const tried = ({events}) => events.filter(e => e.event === 'outcome' && e.tool !== 'mock').map(e => [e.tool, e.outcome]);

function checkCooldowns(cooldowns, names, {a, resetsAt}, {from, to}) {
    const [nameA, nameB] = names;
    const limited = cooldowns[cooldownKey(nameA, a)], overloaded = cooldowns[`${tools[nameB].tool}|*|${tools[nameB].model}`];
    assert.equal(limited?.outcome, 'usage_limited', JSON.stringify(cooldowns));
    assert.equal(overloaded?.outcome, 'overloaded', JSON.stringify(cooldowns));
    const off = Math.abs(Date.parse(limited.until) - resetsAt * 1000);
    assert.ok(tools[nameA].exact ? off === 0 : off < to - from + 2_000, JSON.stringify(limited));
    const short = Date.parse(overloaded.until);
    assert.ok(short >= from + 30_000 && short <= to + 30_000, JSON.stringify(overloaded));
    assert.equal(Object.keys(cooldowns).length, 2, JSON.stringify(cooldowns));
}

for (const [kind, {c: answer, asked}] of Object.entries(kinds))
    describe(kind, () => {
        for (const names of PARTS) {
            const [nameA, nameB, nameC] = names;
            const title = names.map((name, i) => `${'ABC'[i]} ${agents[name].title}`).join(', ');
            const why = names.map(name => missing(agents[name])).find(Boolean);
            test(title, {skip: why}, async t => {
                const parts = await open(t, kind, names);
                const {a, b, c, project, user, run} = parts;
                const works = kind === 'worker runs';

                const from = Date.now();
                const first = await run('T-1', works ? {test: {command: `grep -q 'm_Mass: 2.5' ${GAME}`}} : {});
                const to = Date.now();
                t.diagnostic(`on C after ${((to - from) / 1000).toFixed(1)} s`);
                assert.deepEqual(tried(first).slice(0, 3), [[tools[nameA].tool, 'usage_limited'],
                    [tools[nameB].tool, 'overloaded'], [tools[nameC].tool, 'ok']]);
                assert.deepEqual([begun(a), begun(b), begun(c)], [1, 1, asked]);
                assert.equal(tools[nameC].key(c.requests[0]), keyOf(c));
                checkCooldowns(await user.cooldowns(), names, parts, {from, to});
                if (works)
                    checkWork(project, c);

                await run('T-2');
                assert.equal(begun(a), 1, 'a second process does not try A');
                assert.equal(begun(c), 2 * asked);
                user.passTime(HOUR * 1000 / 2);
                const {candidates: [later]} = await user.json('select', works ? 'worker' : 'task', '--dry-run');
                assert.equal(later.out, 'resting', 'half an hour later it is still known');
                user.passTime(8 * 24 * HOUR * 1000);

                const held = gate(), play = answer();
                a.answers(async request => {
                    await held.opened;
                    return typeof play === 'function' ? play(request) : play;
                });
                const probe = run('T-3');
                await until(() => begun(a), 'the probe', {is: n => n === 2});
                c.answers(answer());
                await run('T-4');
                assert.equal(begun(a), 2, 'no other run uses it during the probe');
                held.open();
                await probe;
                assert.equal(begun(a), 1 + asked);
                assert.equal((await user.cooldowns())[cooldownKey(nameA, a)], undefined, 'A is available again');
            });
        }
    });

/** Check what A left behind, what C did, and that C was informed. */
function checkWork(project, c) {
    assert.ok(project.diff(GAME).added.includes('  m_Mass: 2.5'), JSON.stringify(project.diff(GAME)));
    assert.equal(project.read('Assets/Data/by-c.txt'), 'done by C\n');
    assert.equal(project.read('Assets/Data/left-by-a.txt'), 'begun by A\n');
    assert.match(c.requests[0].texts, /left-by-a\.txt/);
    const [changed] = c.requests.at(-1).results;
    assert.match(changed, /mass/);
    const note = readFileSync(path.join(project.dir, '.agent-runner/task-T-1.md'), 'utf8');
    for (const pattern of [/COMPLETE/, /left-by-a\.txt/, /The player is heavier/])
        assert.match(note, pattern);
}

describe('a nearly reached limit', () => {
    for (const name of ['claude', 'codex'])
        test(`${agents[name].title} reports it on a successful run, and the next call uses another candidate`,
            {skip: missing(agents[name])}, async t => {
                const a = (await startStandin(t)).account('a');
                const play = meta(), resetsAt = Math.floor(Date.now() / 1000) + HOUR;
                a.answers(request => ({text: play(request), near: {used: 0.95, resetsAt}}));
                const user = makeAgentUser(t, [a], configOf({meta: {candidates: [
                    {tool: tools[name].tool, model: tools[name].model, ...tools[name].candidate(a, 'A')},
                    mock('m', metaScript())]}}));
                const {events} = await user.complete(task());
                assert.deepEqual(events.filter(e => e.event === 'try').map(e => e.tool),
                    [tools[name].tool, 'mock', 'mock']);
                assert.deepEqual(await user.json('cooldowns'), []);
            });
});

describe('the user\'s own settings', () => {
    for (const name of Object.keys(tools))
        test(`of ${agents[name].title} are unchanged`, {skip: missing(agents[name])}, async t => {
            const a = (await startStandin(t)).account('a').answers(WORK);
            const project = copySample(t);
            const user = makeAgentUser(t, [a], configOf({meta: planner('x'),
                worker: {candidates: [{tool: tools[name].tool, model: tools[name].model, ...tools[name].candidate(a, 'C')}]}}));
            await user.complete(task({repo: project.dir, runner: {mcp: 'auto'}}));
            const settings = ['.codex/config.toml', '.claude.json', '.claude/settings.json', '.gemini/settings.json']
                .map(file => path.join(user.dir, file)).filter(existsSync);
            for (const file of settings)
                assert.doesNotMatch(readFileSync(file, 'utf8'), /127\.0\.0\.1:\d+\/mcp|mcpServers": ?\{ ?"multiverse|^trust_level/m, file);
            assert.equal(existsSync(path.join(project.dir, '.gemini')), false);
            assert.equal(existsSync(path.join(project.dir, '.mcp.json')), false);
        });
});

describe('doctor', () => {
    test('knows the installed agents, their versions and accounts', async t => {
        const user = makeAgentUser(t, [], undefined);
        user.env.ANTHROPIC_API_KEY = 'sk-ant-doctor-secret';
        const nameOf = patient => Object.keys(tools).find(key => tools[key].tool === patient.tool);
        // It waits for an agent for some seconds only; on a busy machine it is asked again.
        const patients = await until(async () => {
            const end = await user.command(['tooling', 'doctor', '--json']);
            assert.doesNotMatch(end.stdout + end.stderr, /secret/);
            const all = JSON.parse(end.stdout).filter(p => nameOf(p) && !missing(agents[nameOf(p)]));
            return all.every(p => /\d+\.\d+\.\d+/.test(p.version)) && all;
        }, 'the versions of all');
        assert.ok(patients.length > 0);
        for (const patient of patients) {
            assert.equal(patient.found, true, JSON.stringify(patient));
            assert.equal(patient.usable, nameOf(patient) === 'claude', JSON.stringify(patient));
        }
    });
});
