// A key in the environment is used, but appears nowhere: output, notes, logs, transcripts, store,
// ps.
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {chat, config, configOf, keyName, makeUser, mock, planner, task} from '../fixtures/tooling.mjs';
import {copySample} from '../fixtures/unity.mjs';
import {startStandin} from '../../standin/standin.mjs';
import {meta, metaScript, work} from '../../standin/meta.mjs';

const SECRET = 'sk-Zq7"x/+%9-never-to-be-seen';
/** The value, and its forms in JSON, in a URL, in base64 (its whole groups of three bytes, at any
 * offset). */
const FORMS = [SECRET, JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET),
    ...[0, 1, 2].map(n => Buffer.from(SECRET).subarray(n, n + 24).toString('base64'))];

function nowhereIn(bytes, where) {
    for (const form of FORMS)
        assert.equal(bytes.includes(form), false, `${form} is in ${where}`);
}

/** Search the user's files, except those they wrote themselves, and everything printed. */
function findSecret(user, ...outputs) {
    outputs.forEach((text, i) => nowhereIn(text, `output ${i}: ${text}`));
    for (const [name, bytes] of user.files())
        if (!name.includes('config/tooling.json'))
            nowhereIn(bytes, name);
}

/** Record the command lines of the user's processes repeatedly until stopped. */
function watchCommandLines(user) {
    const seen = new Set();
    let on = true;
    const watching = (async () => {
        while (on) {
            for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
                try {
                    if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`HOME=${user.dir}`))
                        seen.add(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
                } catch {
                    // it has ended
                }
            }
            await new Promise(resolve => setImmediate(resolve));
        }
    })();
    return async () => {
        on = false;
        await watching;
        return [...seen];
    };
}

// The start of an agent's program: it records its command line, that of its parent, and its input.
const AGENT = '#!/bin/sh\ncat /proc/$$/cmdline /proc/$PPID/cmdline > "$HOME/cmdlines"\ncat > "$HOME/stdin"\n';
const commandLines = user => readFileSync(path.join(user.dir, 'cmdlines'), 'utf8');

describe('a key in the environment', () => {
    test('openai-chat uses it for the request, and it appears nowhere else', async t => {
        const standin = await startStandin(t);
        const [a, b] = ['a', 'b'].map(name => standin.account(name));
        // Providers repeat keys in their messages, and models repeat their prompts.
        a.answers({status: 401, body: {error: {message: `Incorrect API key provided: ${SECRET}`, code: 'invalid_api_key'}}});
        b.answers(meta({workers: ['work'], worker: `Your key is ${SECRET}, by the way.`}));
        const user = makeUser(t, {env: {[keyName(a)]: SECRET, [keyName(b)]: SECRET},
            tooling: config([chat(a), chat(b)])});
        const stop = watchCommandLines(user);
        const json = await user.complete(task());
        const plain = await user.command(['run', '-'], {input: task({id: 'T-2'})});
        const lines = await stop();
        assert.equal(a.requests[0].headers.authorization, `Bearer ${SECRET}`);
        assert.equal(b.requests[0].headers.authorization, `Bearer ${SECRET}`);
        assert.match(json.stdout + user.note(), /Your key is [^s]/, 'masked, not dropped');
        assert.ok(lines.length > 0);
        nowhereIn(lines.join('\n'), 'a command line');
        const asked = [];
        for (const args of [['show'], ['show', '--json'], ['cooldowns'], ['cooldowns', '--json'], ['explain', '-n', '50'],
            ['explain', '-n', '50', '--json'], ['doctor'], ['doctor', '--json'], ['select'], ['select', '--json'],
            ['validate'], ['simulate', '--json']])
            asked.push(await user.tooling(...args));
        findSecret(user, json.stdout, json.stderr, plain.stdout, plain.stderr,
            ...asked.flatMap(end => [end.stdout, end.stderr]));
    });

    test('a mock that prints it, writes it into an error, and gets it by worker_call', async t => {
        const user = makeUser(t, {env: {MY_API_KEY: SECRET, OTHER_TOKEN: SECRET}, tooling: configOf({
            meta: {candidates: [mock('m', [...metaScript({workers: ['x']}).slice(0, 1),
                {when: {prompt_has: 'next_action'}, say: work('x', {env: {CALL_KEY: 'env:OTHER_TOKEN'}})},
                ...metaScript().slice(1)])]},
            worker: {candidates: [mock('a', [{fail: 'server', message: SECRET}], {env: {SOME: 'env:MY_API_KEY'}}),
                mock('b', [{say_env: 'SOME'}], {env: {SOME: 'env:MY_API_KEY'}})]}})});
        const stop = watchCommandLines(user);
        const end = await user.complete(task({test: {command: 'echo "$MY_API_KEY"'},
            runner: {worker: {env: {FROM_TASK: 'env:MY_API_KEY'}}}}));
        nowhereIn((await stop()).join('\n'), 'a command line');
        findSecret(user, end.stdout, end.stderr);
    });

    test('the CLIs get it in their environment, not in their arguments', async t => {
        // An agent that prints its arguments and its key, as a careless one might.
        const program = `${AGENT}echo "args: $* key: $ANTHROPIC_API_KEY" >&2\n` +
            'key=$(printf %s "$ANTHROPIC_API_KEY" | sed \'s/"/\\\\"/g\')\n' +
            'echo \'{"type":"result","subtype":"success","is_error":false,"result":"\'"$key"\'"}\'\n';
        const user = makeUser(t, {programs: {claude: program}, env: {WORK_KEY: SECRET}, tooling: configOf({
            meta: planner('x'),
            worker: {candidates: [{tool: 'claude-code', model: 'sonnet', env: {ANTHROPIC_API_KEY: 'env:WORK_KEY'}}]}})});
        const stop = watchCommandLines(user);
        const project = copySample(t);
        const end = await user.complete(task({repo: project.dir, runner: {mcp: 'auto'}}));
        nowhereIn((await stop()).join('\n'), 'a command line');
        assert.match(commandLines(user), /claude/);
        nowhereIn(commandLines(user), 'the command line of the agent, or of its parent');
        findSecret(user, end.stdout, end.stderr, user.note('T-1', project.dir));
        assert.ok(user.files().some(([name, bytes]) => /claude\S*\.err$/.test(name) && bytes.includes('args: ')));
    });

    test('in tooling.json itself it causes a warning without the value', async t => {
        const user = makeUser(t, {tooling: config([mock('m', metaScript(), {env: {MOCK_API_KEY: SECRET}})])});
        const {stdout, stderr} = await user.tooling('validate', '--json');
        assert.match(stdout, /MOCK_API_KEY.*env:/);
        nowhereIn(stdout + stderr, 'the warning');
        const end = await user.complete(task());
        findSecret(user, end.stdout, end.stderr);
    });
});

test('the prompt is not on a command line', async t => {
    const program = `${AGENT}echo '{"type":"result","subtype":"success","is_error":false,"result":"done"}'\n`;
    const user = makeUser(t, {programs: {claude: program}, env: {ANTHROPIC_API_KEY: 'sk-ant-x-y-z'},
        tooling: configOf({meta: planner('a prompt that nobody shall see'),
            worker: {candidates: [{tool: 'claude-code', model: 'sonnet'}]}})});
    const stop = watchCommandLines(user);
    await user.complete(task({prd: {text: 'a plan that nobody shall see'}}));
    assert.match(commandLines(user), /claude[^]*multiverse/);
    assert.doesNotMatch((await stop()).join('\n') + commandLines(user), /nobody shall see/);
    assert.ok(user.files().some(([name, bytes]) => name === 'stdin' && bytes.includes('a prompt that nobody shall see')));
});
