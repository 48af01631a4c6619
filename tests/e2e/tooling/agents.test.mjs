// multiverse tooling doctor and classify: which agents are installed, and how runs ended.
import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {refuses} from '../fixtures/cli.mjs';
import {config, makeUser} from '../fixtures/tooling.mjs';
import {jsonLines} from '../fixtures/program.mjs';

describe('doctor', () => {
    // Programs that print their version, record their arguments, and fail on every other request.
    const fake = version => '#!/bin/sh\n' +
        'echo "$(basename "$0") $*" >> "$HOME/called"\n' +
        `case "$*" in *version*|*-V*|-v) echo "${version}";; *) echo "Not logged in" >&2; exit 1;; esac\n`;

    test('finds each agent, its version and its account, and calls no model', async t => {
        const user = makeUser(t, {
            programs: {claude: fake('2.1.325 (Claude Code)'), codex: fake('codex-cli 0.166.0'), gemini: fake('0.61.0')},
            env: {ANTHROPIC_API_KEY: 'sk-ant-doctor-secret', OPENAI_API_KEY: 'sk-doctor-secret'},
            tooling: config([{tool: 'claude-code', model: 'sonnet'}, {tool: 'gemini-cli', model: 'pro'},
                {tool: 'cursor-cli', model: 'x'}, {tool: 'openai-chat', model: 'gpt'},
                {tool: 'claude-code', cliPath: '/nowhere/claude'}, {tool: 'mock'}]),
        });
        const end = await user.tooling('doctor', '--json');
        assert.doesNotMatch(end.stdout + end.stderr, /secret/);
        assert.equal(end.code, 0, end.stderr);
        const [claude, gemini, cursor, chat, nowhere, mock] = JSON.parse(end.stdout);
        assert.deepEqual([claude.tool, claude.found, claude.usable, claude.account],
            ['claude-code', true, true, 'ANTHROPIC_API_KEY']);
        assert.equal(claude.path, path.join(user.dir, 'bin/claude'));
        assert.match(claude.version, /2\.1\.325/);
        assert.match(claude.signed_in, /^yes.*ANTHROPIC_API_KEY/);
        assert.deepEqual([gemini.found, gemini.usable], [true, false]);
        assert.match(gemini.version, /0\.61\.0/);
        assert.match(gemini.signed_in, /^no/);
        assert.deepEqual([cursor.found, cursor.usable, cursor.version], [false, false, null]);
        assert.deepEqual([chat.usable, chat.account], [true, 'OPENAI_API_KEY']);
        assert.deepEqual([nowhere.found, nowhere.usable], [false, false]);
        assert.equal(mock.usable, true);
        assert.deepEqual(claude.categories, ['meta', 'plan', 'task', 'execution', 'worker']);
        const table = await user.tooling('doctor');
        assert.equal(table.code, 0);
        assert.match(table.stdout, /claude-code +\S*bin\/claude +\S*2\.1\.325.*ANTHROPIC_API_KEY +yes/);
        assert.match(table.stdout, /cursor-cli +no/);
        const called = readFileSync(path.join(user.dir, 'called'), 'utf8');
        assert.doesNotMatch(called, /exec|-p\b|--print|stream-json/, called);
    });

    test('a category without a usable candidate is exit 1 and named', async t => {
        const user = makeUser(t, {tooling: config([{tool: 'codex-cli', model: 'gpt'}])});
        const end = await user.tooling('doctor');
        assert.equal(end.code, 1);
        assert.match(end.stderr, /worker/);
        assert.match(end.stdout, /codex-cli +no/);
    });

    test('an agent that hangs, fails or writes endlessly does not block doctor', async t => {
        const user = makeUser(t, {
            programs: {claude: '#!/bin/sh\nyes a-very-long-version\n', gemini: '#!/bin/sh\nexit 3\n',
                codex: '#!/bin/sh\nkill -9 $$\n'},
            tooling: config([{tool: 'claude-code'}, {tool: 'gemini-cli'}, {tool: 'codex-cli'}, {tool: 'mock'}]),
        });
        const end = await user.tooling('doctor', '--json');
        assert.equal(end.code, 0, end.stderr);
        assert.deepEqual(JSON.parse(end.stdout).map(p => p.found), [true, true, true, true]);
    });
});

// Records as the agents write them, recognized by their structure; the texts in them are
// misleading.
const MISLEADING = 'HTTP 429 Too Many Requests: rate limit, usage limit reached|1760000000, RESOURCE_EXHAUSTED, overloaded_error, ' +
    'invalid api key, session 0a4290b1-4290-4429-8429-000000000429';
const lines = (...events) => events.map(event => JSON.stringify(event)).join('\n') + '\n';
const RECORDS = [
    {id: 'claude-fine', tool: 'claude-code', exit_code: 0, outcome: 'ok', stdout: lines(
        {type: 'system', subtype: 'init', model: 'sonnet', session_id: 'x-429-x'},
        {type: 'assistant', message: {content: [{type: 'text', text: MISLEADING}]}},
        {type: 'result', subtype: 'success', is_error: false, result: MISLEADING})},
    {id: 'claude-window', tool: 'claude-code', exit_code: 1, outcome: 'usage_limited', until: 1_894_804_958, stdout: lines(
        {type: 'rate_limit_event', rate_limit_info: {status: 'rejected', resetsAt: 1_894_804_958, rateLimitType: 'five_hour'}},
        {type: 'assistant', error: 'rate_limit', message: {model: '<synthetic>', content: [{type: 'text', text: 'x'}]}},
        {type: 'result', subtype: 'success', is_error: true, api_error_status: 429, result: 'x'})},
    {id: 'claude-529', tool: 'claude-code', exit_code: 1, outcome: 'overloaded', stdout: lines(
        {type: 'assistant', error: 'server_error', message: {model: '<synthetic>', content: [{type: 'text', text: 'x'}]}},
        {type: 'result', subtype: 'success', is_error: true, api_error_status: 529, result: 'x'})},
    {id: 'codex-recovered', tool: 'codex-cli', exit_code: 0, outcome: 'ok', stdout: lines(
        {type: 'thread.started', thread_id: 't'}, {type: 'turn.started'},
        {type: 'error', message: 'Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests)'},
        {type: 'item.completed', item: {id: 'i', type: 'agent_message', text: MISLEADING}},
        {type: 'turn.completed', usage: {input_tokens: 429, output_tokens: 529}})},
    {id: 'codex-limit', tool: 'codex-cli', exit_code: 1, outcome: 'rate_limited', stdout: lines(
        {type: 'thread.started', thread_id: 't'}, {type: 'turn.started'},
        {type: 'turn.failed', error: {message: 'exceeded retry limit, last status: 429 Too Many Requests'}})},
    {id: 'codex-quota', tool: 'codex-cli', exit_code: 1, outcome: 'billing', stdout: lines(
        {type: 'thread.started', thread_id: 't'}, {type: 'turn.started'},
        {type: 'turn.failed', error: {message: 'Quota exceeded. Check your plan and billing details.'}})},
    {id: 'gemini-day', tool: 'gemini-cli', exit_code: 173, outcome: 'usage_limited', stdout: lines(
        {type: 'init', session_id: 's', model: 'm'},
        {type: 'result', status: 'error', error: {type: 'unknown',
            message: '[API Error: You have exhausted your daily quota on this model.]'}})},
    {id: 'gemini-gone', tool: 'gemini-cli', exit_code: 0, outcome: 'incomplete', stdout: lines(
        {type: 'init', session_id: 's', model: 'm'}, {type: 'message', role: 'assistant', content: MISLEADING, delta: true})},
    {id: 'claude-stopped', tool: 'claude-code', exit_code: 143, killed: true, outcome: 'killed', stdout: lines(
        {type: 'system', subtype: 'init', model: 'sonnet'})},
];

describe('classify', () => {
    const input = RECORDS.map(({outcome, until, ...record}) => JSON.stringify({argv: [], stderr: '', ...record})).join('\n');
    test('writes one line of JSON per record: id, outcome, until, evidence', async t => {
        const user = makeUser(t);
        const {code, stdout, stderr} = await user.command(['tooling', 'classify'], {input});
        assert.deepEqual([code, stderr], [0, '']);
        const got = jsonLines(stdout);
        assert.equal(stdout.split('\n').length, RECORDS.length + 1, 'writes one line per record and nothing else');
        assert.deepEqual(got.map(r => [r.id, r.outcome]), RECORDS.map(r => [r.id, r.outcome]));
        got.forEach((r, i) => {
            assert.deepEqual(Object.keys(r).slice(0, 4), ['id', 'outcome', 'until', 'evidence']);
            if (RECORDS[i].until)
                assert.equal(Date.parse(r.until), RECORDS[i].until * 1000, JSON.stringify(r));
            assert.ok(r.evidence.length > 3, JSON.stringify(r));
            assert.doesNotMatch(r.evidence, /0a4290b1|reached\|/);
        });
    });

    test('reads a file, or - for standard input', async t => {
        const user = makeUser(t);
        const file = path.join(user.dir, 'runs.jsonl');
        writeFileSync(file, `${input}\n\n`);
        const whole = await user.tooling('classify', file);
        assert.equal(whole.code, 0, whole.stderr);
        assert.equal((await user.command(['tooling', 'classify', '-'], {input})).stdout, whole.stdout);
        refuses(await user.tooling('classify', path.join(user.dir, 'none.jsonl')), /none\.jsonl/);
    });

    test('an invalid line is reported with its number and the reason; the others are classified; exit 1', async t => {
        const user = makeUser(t);
        const [first, second] = input.split('\n');
        const bad = ['{no json', '{"id": "x", "tool": "emacs", "exit_code": 0, "stdout": "", "stderr": ""}', '[1]'];
        const {code, stdout, stderr} = await user.command(['tooling', 'classify'],
            {input: [first, ...bad, second].join('\n')});
        assert.equal(code, 1);
        assert.deepEqual(jsonLines(stdout).map(r => r.id), [RECORDS[0].id, RECORDS[1].id]);
        assert.match(stderr, /^multiverse: line 2: .*\nmultiverse: line 3: .*emacs.*\nmultiverse: line 4: .*\n$/);
        assert.deepEqual(await user.command(['tooling', 'classify'], {input: ''}), {code: 0, stdout: '', stderr: ''});
    });
});
