// multiverse run --result FILE: the outcome for the program that started the run; the end event of
// --json has the same.
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {until} from '../fixtures/program.mjs';
import {config, configOf, makeUser, mock, planner, task} from '../fixtures/tooling.mjs';
import {metaScript} from '../../standin/meta.mjs';

const HOUR = 3_600_000;

/** A user and the path of their result file. */
function open(t, tooling, more) {
    const user = makeUser(t, {tooling, ...more});
    const file = path.join(user.dir, 'result.json');
    return {user, file, read: () => JSON.parse(readFileSync(file, 'utf8'))};
}

const workingConfig = worker => configOf({meta: planner('do it'), worker: {candidates: [mock('w', worker)]}});

test('a complete run: who did it, what it cost, which files changed', async t => {
    const {user, file, read} = open(t, workingConfig([{write: {'a.txt': 'x\n'}, say: 'done',
        usage: {input_tokens: 1_000_000, output_tokens: 5}}]));
    const {events} = await user.complete(task({test: {command: 'cat a.txt'}}), {args: ['--result', file]});
    const {run, transcripts, input_tokens: input, output_tokens: output, ...rest} = read();
    assert.deepEqual(rest, {version: 1, task: 'T-1', state: 'COMPLETE', stopped: false, outcome: 'ok', nobody: false,
        until: null, why: '', tool: 'mock', model: 'w', cost_usd: 0, worker_runs: 1,
        files: [{path: 'a.txt', change: 'added'}]});
    assert.ok(input > 1_000_000 && output > 5);
    assert.equal(transcripts, path.join(user.home, 'runs', run));
    assert.ok(existsSync(transcripts));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const end = events.at(-1);
    for (const name of ['run', 'task', 'stopped', 'outcome', 'nobody', 'until', 'tool', 'model', 'worker_runs', 'files',
        'transcripts', 'state', 'input_tokens', 'output_tokens'])
        assert.deepEqual(end[name], read()[name], name);
    assert.equal(end.text, '');
});

test('a run that does not reach its goal is unmet', async t => {
    const {user, file, read} = open(t, configOf({meta: planner('one', 'two', 'three'),
        worker: {candidates: [mock('w', [{say: 'done', repeat: true}])]}}));
    const {code, events} = await user.run(task({runner: {max_loops: 2}}), {args: ['--result', file]});
    assert.equal(code, 1);
    const result = read();
    assert.deepEqual([result.state, result.outcome, result.nobody, result.worker_runs], ['FAILED', 'unmet', false, 2]);
    assert.match(result.why, /max_loops/);
    assert.equal(events.at(-1).text, result.why);
});

test('no candidate available: until when, or that waiting does not help', async t => {
    const resets = new Date(Math.ceil(Date.now() / 1000) * 1000 + HOUR).toISOString();
    const {user, file, read} = open(t, workingConfig([{fail: 'usage_limited', until: resets}]));
    const first = await user.run(task(), {args: ['--result', file]});
    assert.equal(first.code, 1);
    for (const said of [read(), first.events.at(-1)])
        assert.deepEqual([said.outcome, said.nobody, said.until, said.tool, said.model],
            ['usage_limited', true, resets, 'mock', 'w']);

    const second = await user.run(task({id: 'T-2'}), {args: ['--result', file]});
    assert.equal(second.code, 1);
    const {outcome, nobody, until: back, worker_runs: runs, files, task: id} = read();
    assert.deepEqual([outcome, nobody, Date.parse(back), runs, files, id],
        ['usage_limited', true, Date.parse(resets), 0, [], 'T-2'],
        'the account is cooling down: no candidate is asked for the plan either');

    user.configure(config([{tool: 'codex-cli', cliPath: '/no/where'}]));
    assert.equal((await user.run(task(), {args: ['--result', file]})).code, 1);
    assert.deepEqual([read().outcome, read().nobody, read().until], ['launch', true, null]);
    user.configure(workingConfig([{fail: 'auth'}]));
    await user.command(['tooling', 'cooldowns', 'clear']);
    assert.equal((await user.run(task(), {args: ['--result', file]})).code, 1);
    assert.deepEqual([read().outcome, read().nobody, read().until], ['auth', true, null]);
});

describe('a run ended from outside', () => {
    async function begin(t) {
        const {user, file, read} = open(t, workingConfig([{write: {'a.txt': 'x'}, say: 'x'}]));
        const flag = path.join(user.dir, 'at-test');
        writeFileSync(file, JSON.stringify({version: 1, state: 'COMPLETE', why: 'of an earlier run'}));
        const program = user.start(['run', '-', '--result', file],
            {input: task({test: {command: `touch ${flag}; sleep 600`}})});
        await until(() => existsSync(flag), 'the test to run', program);
        return {user, file, read, program};
    }

    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
        test(`by ${signal} reports that it was stopped`, async t => {
            const {read, program} = await begin(t);
            program.child.kill(signal);
            assert.equal((await program.ended('its end')).code, 130);
            const result = read();
            assert.deepEqual([result.state, result.stopped, result.outcome, result.nobody, result.why],
                ['FAILED', true, 'killed', false, 'interrupted']);
            assert.deepEqual(result.files, [{path: 'a.txt', change: 'added'}]);
        });

    test('by SIGKILL writes nothing, and the earlier result is removed', async t => {
        const {file, program} = await begin(t);
        program.child.kill('SIGKILL');
        assert.equal((await program.ended('its end')).signal, 'SIGKILL');
        assert.equal(existsSync(file), false);
    });
});

test('a run that never began gives the reason', async t => {
    const {user, file, read} = open(t, workingConfig([{say: 'x'}]));
    assert.equal((await user.run('{version: 1, task: {}}', {args: ['--result', file]})).code, 2);
    assert.deepEqual([read().state, read().outcome, read().nobody], ['FAILED', 'request', false]);
    assert.match(read().why, /prd is missing/);
    mkdirSync(user.store, {recursive: true});
    assert.equal((await user.run(task(), {args: ['--result', file]})).code, 1);
    assert.deepEqual([read().state, read().outcome, read().nobody], ['FAILED', 'store', false]);
    assert.match(read().why, /state\.db/);
});

test('a result that cannot be written is reported; the outcome stays the same', async t => {
    const {user} = open(t, config([mock('m', metaScript())]));
    const file = path.join(user.dir, 'no/result.json');
    const {code, stderr} = await user.run(task(), {args: ['--result', file]});
    assert.equal(code, 0);
    assert.match(stderr, /the result of the run could not be written: .*no\/result\.json/);
    const pipe = await user.run(task(), {args: ['--result', '/dev/null']});
    assert.equal(pipe.code, 0);
    assert.match(pipe.stderr, /could not be written/);
});

test('keys are masked', async t => {
    const {user, file, read} = open(t, workingConfig([{write: {'of-sk-very-secret.txt': 'x'}, fail: 'request',
        message: 'refused for sk-very-secret'}, {fail: 'auth', message: 'no such key: sk-very-secret'}]),
    {env: {MOCK_API_KEY: 'sk-very-secret'}});
    await user.run(task(), {args: ['--result', file]});
    assert.doesNotMatch(readFileSync(file, 'utf8'), /very-secret/);
    assert.ok(read().files.some(f => f.path === 'of-****.txt'), JSON.stringify(read()));
});
