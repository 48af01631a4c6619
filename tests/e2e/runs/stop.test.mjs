// Ctrl-C during a run: exit 130, every started process is gone, the note records it. A killed run
// leaves no process behind either.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, test} from 'node:test';

import {inTime, jsonLines, slow, until} from '../fixtures/program.mjs';
import {chat, config, configOf, keys, makeUser, mock, planner, task} from '../fixtures/tooling.mjs';
import {copySample} from '../fixtures/unity.mjs';
import {startStandin} from '../../standin/standin.mjs';
import {metaScript} from '../../standin/meta.mjs';

/** Start a run, wait until `when` holds for it, send the signal; return {code, events}. */
async function stop(user, text, when, signal = 'SIGINT') {
    const program = user.start(['run', '-', '--json'], {input: text});
    await until(() => when(program), 'the moment to stop', program);
    program.child.kill(signal);
    const {code, signal: by} = await program.ended('the end');
    return {code: code ?? by, stdout: program.stdout,
        events: jsonLines(program.stdout)};
}

const atWorker = program => /"event":"try"[^\n]*"category":"worker"/.test(program.stdout);

/** An agent's program that starts a child of its own and prints nothing. */
const agent = trap => `#!/bin/sh
${trap}
sleep 600 &
echo $! > "$HOME/grandchild"
echo $$ > "$HOME/child"
while :; do sleep 600 & wait; done
`;

describe('Ctrl-C', () => {
    for (const signal of ['SIGINT', 'SIGTERM'])
        test(`${signal} while a worker runs`, async t => {
            const user = makeUser(t, {tooling: configOf({meta: planner('x'),
                worker: {candidates: [mock('slow', [{sleep_ms: 600_000, say: 'late'}]), mock('other')]}})});
            const {code, events} = await stop(user, task(), atWorker, signal);
            assert.equal(code, 130);
            assert.deepEqual(user.processes(), [], 'the children are gone');
            assert.equal(events.at(-1).event, 'end');
            assert.equal(events.at(-1).state, 'FAILED');
            assert.deepEqual(events.filter(e => e.event === 'try' && e.category === 'worker').map(e => e.model), ['slow']);
            assert.match(user.note(), /interrupted|stopped/i);
            assert.deepEqual(await user.json('cooldowns'), [], 'a stopped candidate gets no cooldown');
        });

    test('while a meta call waits for its model', async t => {
        const a = (await startStandin(t)).account('a').answers({hang: true});
        const user = makeUser(t, {env: keys(a), tooling: config([chat(a), mock('other')])});
        const {code} = await stop(user, task(), () => a.count === 1);
        assert.equal(code, 130);
        assert.deepEqual(user.processes(), []);
        assert.deepEqual(await user.json('cooldowns'), []);
    });

    test('while the test command runs', async t => {
        const user = makeUser(t, {tooling: config([mock('m', metaScript())])});
        const {code} = await stop(user, task({test: {command: 'sleep 600 & setsid sleep 600 & echo $$ > started; sleep 600'}}), () => {
            try {
                return readFileSync(path.join(user.repo, 'started'), 'utf8').includes('\n');
            } catch {
                return false;
            }
        });
        assert.equal(code, 130);
        assert.deepEqual(user.processes(), []);
        assert.match(user.note(), /interrupted|stopped/i);
    });

    test('while the store is locked', async t => {
        const user = makeUser(t, {tooling: config([mock('m', metaScript())])});
        await user.json('cooldowns'); // makes the file
        const lock = new DatabaseSync(user.store);
        lock.exec('BEGIN IMMEDIATE');
        let began;
        const {code, events} = await stop(user, task(), program => {
            began = Date.now();
            return program.stdout.includes('"event":"ask"');
        });
        inTime(Date.now() - began, 5000, 'the end, although the run would wait 10 s for the store');
        lock.close();
        assert.equal(code, 130);
        assert.deepEqual(user.processes(), []);
        assert.equal(events.at(-1).state, 'FAILED');
    });

    for (const [what, trap] of [['and its own children', ''], ['that ignores it, and its children', "trap '' TERM INT HUP"]])
        test(`an agent ${what} are gone`, async t => {
            const user = makeUser(t, {programs: {claude: agent(trap)}, env: {ANTHROPIC_API_KEY: 'sk-ant-not-real'},
                tooling: configOf({meta: planner('x'), worker: {candidates: [{tool: 'claude-code', model: 'sonnet'}]}})});
            const {code} = await stop(user, task(), () => {
                try {
                    return readFileSync(path.join(user.dir, 'child'), 'utf8').includes('\n');
                } catch {
                    return false;
                }
            });
            assert.equal(code, 130);
            await user.isGone();
        });

    test('a second Ctrl-C is harmless', async t => {
        const user = makeUser(t, {programs: {claude: agent("trap '' TERM INT HUP")}, env: {ANTHROPIC_API_KEY: 'sk-ant-not-real'},
            tooling: configOf({meta: planner('x'), worker: {candidates: [{tool: 'claude-code', model: 'sonnet'}]}})});
        const program = user.start(['run', '-', '--json'], {input: task()});
        await until(() => atWorker(program), 'the worker', program);
        program.child.kill('SIGINT');
        program.child.kill('SIGINT');
        const {code} = await program.ended('the end');
        assert.equal(code, 130);
        await user.isGone('the end of all');
    });
});

test('a run whose output nobody reads is stopped', async t => {
    const user = makeUser(t, {tooling: configOf({meta: planner('x', 'y', 'z'), worker: {candidates: [mock('w')]}})});
    const program = user.start(['run', '-', '--json'], {input: task()});
    await until(() => program.stdout, 'its first lines', program);
    program.child.stdout.destroy();
    assert.equal((await program.ended('the end')).code, 130);
    assert.match(program.stderr, /standard output/);
    assert.match(user.note(), /interrupted/);
    assert.deepEqual(user.processes(), []);
});

describe('a killed run', () => {
    const exists = (user, name) => () => {
        try {
            return readFileSync(path.join(user.dir, name), 'utf8').includes('\n');
        } catch {
            return false;
        }
    };

    for (const [what, trap] of [['its agent', ''], ['an agent that ignores it', "trap '' TERM INT HUP"]])
        test(`takes ${what} along`, async t => {
            const user = makeUser(t, {programs: {claude: agent(trap)}, env: {ANTHROPIC_API_KEY: 'sk-ant-not-real'},
                tooling: configOf({meta: planner('x'), worker: {candidates: [{tool: 'claude-code', model: 'sonnet'}]}})});
            assert.equal((await stop(user, task(), exists(user, 'child'), 'SIGKILL')).code, 'SIGKILL');
            await user.isGone();
        });

    test('takes its test command and its project\'s server with it', async t => {
        const project = copySample(t);
        const user = makeUser(t, {tooling: config([mock('m', metaScript())])});
        const text = task({repo: project.dir, runner: {mcp: 'auto'},
            test: {command: 'setsid sleep 600 & echo $$ > "$HOME/started"; sleep 600'}});
        assert.equal((await stop(user, text, exists(user, 'started'), 'SIGKILL')).code, 'SIGKILL');
        await user.isGone();
    });

    test('closing the terminal has the effect of Ctrl-C', async t => {
        const user = makeUser(t, {tooling: configOf({meta: planner('x'),
            worker: {candidates: [mock('slow', [{sleep_ms: 600_000, say: 'late'}])]}})});
        assert.equal((await stop(user, task(), atWorker, 'SIGHUP')).code, 130);
        assert.deepEqual(user.processes(), []);
        assert.match(user.note(), /interrupted|stopped/i);
    });
});

test('processes that an agent leaves behind at its normal end are killed, too', async t => {
    const leaves = '#!/bin/sh\nsleep 600 >/dev/null 2>&1 </dev/null &\necho \'{"type":"result","subtype":"success",' +
        '"is_error":false,"result":"done"}\'\n';
    const user = makeUser(t, {programs: {claude: leaves}, env: {ANTHROPIC_API_KEY: 'sk-ant-not-real'},
        tooling: configOf({meta: planner('x'), worker: {candidates: [{tool: 'claude-code', model: 'sonnet'}]}})});
    await user.complete(task());
    assert.deepEqual(user.processes(), []);
});
