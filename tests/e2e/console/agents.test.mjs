// The agents on this machine, as the console shows them; no answer contains a secret.
import assert from 'node:assert/strict';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {atEnd, startServer} from '../fixtures/console.mjs';
import {openFeed} from '../fixtures/feed.mjs';
import {processesWith, until} from '../fixtures/program.mjs';
import {waitsFor} from '../fixtures/store.mjs';
import {config, makeUser, mock, task} from '../fixtures/tooling.mjs';

const fake = version => '#!/bin/sh\n' +
    `case "$*" in --version) echo "${version}";; *) echo "Not logged in" >&2; exit 1;; esac\n`;
const HANGS = '#!/bin/sh\nexec sleep 1000\n';

async function open(t, {tooling, programs, env}) {
    atEnd(t, () => {}); // before that of the user, so that the server ends first
    const user = makeUser(t, {tooling, programs, env});
    const server = await startServer(t, {editor: null, user});
    const ask = async (where, body) => {
        const {status, body: answer} = await server.api(where, body);
        assert.equal(status, 200, JSON.stringify(answer).slice(0, 500));
        return answer;
    };
    /** Wait until no agent is being checked. */
    const settled = () => until(() => ask('tooling/agents'), 'all agents', {is: now => !now.running});
    return {user, server, ask, settled};
}

describe('agents', () => {
    test('each agent of any profile is listed once, as the doctor finds it', async t => {
        const tooling = config([{tool: 'claude-code', model: 'a'}, {tool: 'claude-code', model: 'b'}, {tool: 'codex-cli'},
            {tool: 'claude-code', env: {ANTHROPIC_API_KEY: 'env:WORK_KEY'}}, mock('m')]);
        tooling.profiles.push({id: 'other', categories: {meta: {candidates: [{tool: 'gemini-cli'},
            {tool: 'codex-cli', cliPath: '/nowhere/codex'}]}}});
        tooling.force = {enabled: false, tool: 'cursor-cli'};
        const {ask, settled, user} = await open(t, {tooling, env: {WORK_KEY: 'sk-secret'}, programs: {
            claude: fake('2.1.325 (Claude Code)'), codex: fake('codex-cli 0.166.0')}});
        const first = await ask('tooling/agents');
        assert.deepEqual([first.at, first.running, first.agents], [null, true, []]);
        const from = Date.now() - 1000;
        const {at, agents} = await settled();
        assert.ok(at > from && at <= Date.now());
        assert.deepEqual(agents.map(a => [a.tool, a.cli_path, a.account, a.found, a.usable]), [
            ['claude-code', '', 'login', true, false],
            ['codex-cli', '', 'login', true, false],
            ['claude-code', '', 'WORK_KEY', true, true],
            ['mock', '', 'login', true, true],
            ['cursor-cli', '', 'login', false, false],
            ['gemini-cli', '', 'login', false, false],
            ['codex-cli', '/nowhere/codex', 'login', false, false],
        ]);
        assert.deepEqual([agents[0].path, agents[0].version], [path.join(user.dir, 'bin/claude'), '2.1.325']);
        assert.match(agents[0].signed_in, /^no: run `claude auth login`/);
        assert.match(agents[2].signed_in, /^yes/);
        const said = await user.json('doctor').catch(error => error); // the active profile alone
        const facts = ({found, path: file, version, signed_in, usable}) => [found, file, version, signed_in, usable];
        assert.deepEqual(said.slice(0, 1).map(facts), agents.slice(0, 1).map(facts));
    });

    test('results are kept until a new check; a new agent is checked by itself', async t => {
        const {ask, settled, user} = await open(t, {tooling: config([{tool: 'claude-code'}]),
            programs: {claude: '#!/bin/sh\necho x >> "$HOME/called"\necho 1.0\n', codex: fake('3.4.5')}});
        const calls = () => readFileSync(path.join(user.dir, 'called'), 'utf8').length;
        await settled();
        const once = calls();
        await ask('tooling/agents');
        await settled();
        assert.equal(calls(), once);
        assert.equal((await ask('tooling/agents', {})).running, true);
        await settled();
        assert.equal(calls(), 2 * once);
        user.configure(config([{tool: 'codex-cli'}, {tool: 'claude-code', model: 'another'}]));
        const {agents} = await settled();
        assert.deepEqual(agents.map(a => [a.tool, a.version]), [['codex-cli', '3.4.5'], ['claude-code', '1.0']]);
        assert.equal(calls(), 2 * once);
    });

    test('an agent that hangs delays nothing, not even the end of the server', async t => {
        const {ask, server, user} = await open(t, {
            tooling: config([{tool: 'claude-code'}, {tool: 'codex-cli'}, {tool: 'gemini-cli'}, mock('m'), {tool: 'openai-chat'}]),
            programs: {claude: HANGS, codex: HANGS, gemini: fake('0.61.0')}});
        const feed = await openFeed(t, server);
        const {agents: before} = await feed.last('tooling');
        await ask('tooling/agents');
        await feed.last('tooling', e => e.agents >= before + 3);
        const now = await ask('tooling/agents');
        assert.equal(now.running, true);
        assert.deepEqual(now.agents.map(a => a.tool), ['gemini-cli', 'mock', 'openai-chat']);
        await ask('tooling');
        await ask('tooling/agents', {}); // asked again meanwhile
        await server.end();
        await user.isGone('the end of those that hang');
    });

    test('only some agents are checked at the same time', async t => {
        const tooling = config(Array.from({length: 12}, (_, i) => ({tool: 'codex-cli', cliPath: `../bin/codex${i}`})));
        const programs = Object.fromEntries(Array.from({length: 12}, (_, i) => [`codex${i}`, HANGS]));
        const {ask, user, server} = await open(t, {tooling, programs});
        await ask('tooling/agents');
        const hanging = () => user.processes().filter(pid => {
            try {
                return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep');
            } catch {
                return false;
            }
        }).length;
        await until(() => hanging(), 'three of them', {is: n => n === 3});
        await Promise.all(Array.from({length: 5}, () => ask('tooling')));
        assert.ok(hanging() <= 3);
        await server.end();
    });

    test('an agent whose settings change during the check is checked again', async t => {
        const calledWith = MARK => config([{tool: 'claude-code', env: {MARK}}]);
        const {ask, settled, user} = await open(t, {tooling: calledWith('1.0'), programs: {
            claude: '#!/bin/sh\necho x >> "$HOME/called"\n' + waitsFor('$HOME/go').replaceAll("'", '"') + '\necho "$MARK"\n'}});
        await ask('tooling/agents');
        await until(() => existsSync(path.join(user.dir, 'called')), 'the first look');
        user.configure(calledWith('2.0'));
        await ask('tooling/agents', {});
        writeFileSync(path.join(user.dir, 'go'), '');
        assert.equal((await settled()).agents[0].version, '2.0');
    });

    test('an agent removed during the check is dropped', async t => {
        const {ask, settled, user} = await open(t, {tooling: config([{tool: 'claude-code'}, mock('m')]), programs: {claude: HANGS}});
        await ask('tooling/agents');
        user.configure(config([mock('m')]));
        const {agents} = await settled();
        assert.deepEqual(agents.map(a => a.tool), ['mock']);
        await until(() => user.processes(), 'the end of the one that hung', {is: left => left.length === 1}); // the server is left
    });

    test('programs that write without end, fail or are killed are reported as such', async t => {
        const {settled, ask} = await open(t, {
            tooling: config([{tool: 'claude-code'}, {tool: 'gemini-cli'}, {tool: 'codex-cli'}]),
            programs: {claude: '#!/bin/sh\nyes "<script>alert(1)</script>"\n', gemini: '#!/bin/sh\nexit 3\n',
                codex: '#!/bin/sh\nkill -9 $$\n'}});
        await ask('tooling/agents');
        const {agents} = await settled();
        assert.deepEqual(agents.map(a => [a.found, a.usable]), [[true, false], [true, false], [true, false]]);
    });
});

test('only the text of the file itself contains keys', async t => {
    const SECRETS = ['sk-in-the-file', 'sk-of-the-server', 'sk-in-a-flag-file', 'tok-in-toolspecific'];
    const spy = '#!/bin/sh\ntr "\\0" " " < /proc/$PPID/cmdline >> "$HOME/parents"\necho 1.2.3\n';
    const tooling = config([
        {tool: 'claude-code', model: 'a', env: {ANTHROPIC_API_KEY: SECRETS[0], OTHER: SECRETS[0]}},
        {tool: 'codex-cli', model: 'b', env: {OPENAI_API_KEY: 'env:SERVER_KEY'}},
        {tool: 'openai-chat', model: 'c', env: {OPENAI_API_KEY: SECRETS[2]}, toolSpecific: {base_url: 'http://127.0.0.1:1/v1'}},
        mock('m', [{fail: 'auth', message: `refused ${SECRETS[1]}`}], {env: {MOCK_API_KEY: 'env:SERVER_KEY'}, weight: 5})]);
    const {ask, settled, server, user} = await open(t, {tooling, env: {SERVER_KEY: SECRETS[1]},
        programs: {claude: spy, codex: spy}});
    const feed = await openFeed(t, server);
    await user.run(task());
    const {text, ...now} = await ask('tooling');
    assert.ok(text.includes(SECRETS[0]), 'the file is shown as it is');
    await ask('tooling/agents');
    const answers = [now, await settled(), await ask('tooling/decisions'), await ask('tooling/check', {text}),
        await ask('tooling/simulate', {category: 'worker', n: 10}), feed.all, server.program.stderr,
        (await server.api('tooling/save', {text: text.replace('"tool": "claude-code"', '"tool": "claud-code"'), seen: text})).body,
        readFileSync(path.join(user.dir, 'parents'), 'utf8')];
    for (const answer of answers)
        for (const secret of SECRETS)
            assert.ok(!JSON.stringify(answer).includes(secret), `${secret} in ${JSON.stringify(answer).slice(0, 2000)}`);
    assert.match(answers.at(-1), /agent-doctor/);
    for (const pid of processesWith(`HOME=${user.dir}`))
        for (const secret of SECRETS)
            assert.ok(!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(secret));
});
