// multiverse run with the mock agent: Task YAML, note, events, exit code.
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {refuses, runOnTerminal} from '../fixtures/cli.mjs';
import {jsonLines, until} from '../fixtures/program.mjs';
import {config, configOf, makeUser, mock, planner, task} from '../fixtures/tooling.mjs';
import {assess, complete, metaScript, plan, whenAsked, work} from '../../standin/meta.mjs';

/** The worker plays the second script, everybody else the first one. */
const playedBy = (script, worker = [{say: 'done', repeat: true}]) =>
    configOf({meta: {candidates: [mock('planner', script)]}, worker: {candidates: [mock('worker', worker)]}});

const FINE = () => playedBy(metaScript({workers: ['write a.txt']}), [{write: {'a.txt': 'hello\n'}, say: 'a.txt is there'}]);

const states = events => events.filter(e => e.event === 'state').map(e => e.state);

describe('a task that succeeds', () => {
    test('is planned, worked on, assessed and tested; the note records it', async t => {
        const user = makeUser(t, {tooling: FINE()});
        const {events} = await user.complete(task({title: 'Write a', test: {command: 'grep -q hello a.txt'}}));
        assert.deepEqual(states(events), ['PENDING', 'PLANNING', 'RUNNING', 'VALIDATING', 'COMPLETE'].slice(
            events[0].state === 'PENDING' ? 0 : 1));
        assert.equal(readFileSync(path.join(user.repo, 'a.txt'), 'utf8'), 'hello\n');
        const note = user.note();
        for (const pattern of [/Write a/, /COMPLETE/, /AC-1/, /it works/, /mock worker/, /a\.txt/, /a\.txt is there/])
            assert.match(note, pattern);
        assert.deepEqual(await user.json('cooldowns'), []);
    });

    test('as JSON: one event per line, each with its time and state', async t => {
        const user = makeUser(t, {tooling: FINE()});
        const {events, stderr} = await user.complete(task({test: {command: 'cat a.txt'}}));
        assert.equal(stderr, '');
        for (const event of events) {
            assert.ok(!Number.isNaN(Date.parse(event.time)), JSON.stringify(event));
            assert.ok(['PENDING', 'PLANNING', 'RUNNING', 'VALIDATING', 'COMPLETE'].includes(event.state));
            assert.ok(event.elapsed_ms >= 0 && event.max_loops === 10);
        }
        const of = name => events.filter(e => e.event === name);
        assert.deepEqual(of('ask').map(e => e.text),
            ['plan_task', 'next_action', 'next_action', 'completion_assessment']);
        assert.deepEqual(of('try').map(e => [e.category, e.tool, e.model, e.try]), [
            ['task', 'mock', 'planner', 1], ['execution', 'mock', 'planner', 1], ['worker', 'mock', 'worker', 1],
            ['execution', 'mock', 'planner', 1], ['execution', 'mock', 'planner', 1]]);
        assert.deepEqual(of('outcome').map(e => e.outcome), ['ok', 'ok', 'ok', 'ok', 'ok']);
        assert.match(of('plan')[0].text, /AC-1.*it works/);
        assert.match(of('changes')[0].text, /a\.txt/);
        assert.deepEqual(of('test').map(e => e.code), [0]);
        assert.match(of('note').at(-1).text, /\.agent-runner\/task-T-1\.md$/);
        assert.deepEqual(events.filter(e => e.event === 'end').map(e => [e.state, e.text]), [['COMPLETE', '']]);
        assert.equal(events.at(-1).event, 'end');
    });

    test('in a pipe: plain lines', async t => {
        const user = makeUser(t, {tooling: FINE()});
        const {code, stdout, stderr} = await user.command(['run', '-'], {input: task({test: {command: 'true'}})});
        assert.equal(code, 0, stderr);
        assert.doesNotMatch(stdout, /[\x1b\r]/);
        assert.ok(stdout.split('\n').slice(0, -1).every(line => /^\[\d\d:\d\d\] |^ {8}/.test(line)), stdout);
        for (const pattern of [/PLANNING/, /plan_task/, /worker 1 of 10: mock worker/, /AC-1/, /a\.txt/, /test: exit 0/,
            /note: .*task-T-1\.md/, /COMPLETE/, /run_worker: there is work/, /1 of 1 criteria passed: looked at it/])
            assert.match(stdout, pattern);
        assert.doesNotMatch(stdout, /"type"/, 'no raw response of a model');
    });

    test('an agent that is not signed in is reported afterwards with what to do', async t => {
        const user = makeUser(t, {tooling: config([mock('out', [{fail: 'auth'}]),
            mock('in', metaScript(), {env: {MOCK_API_KEY: 'x'}})])});
        const {code, stdout} = await user.command(['run', '-'], {input: task()});
        assert.equal(code, 0, stdout);
        assert.match(stdout, /mock out: auth, cooldown until .*\n {8}.*cooldowns clear\n/);
    });

    test('on a terminal: a status line with state, loop, tool and model, time, tokens', async t => {
        const user = makeUser(t, {tooling: playedBy(metaScript({workers: ['x']}),
            [{usage: {input_tokens: 1234, output_tokens: 4321}, write: {'a.txt': 'x'}, say: 'x'}])});
        const file = path.join(user.dir, 'task.json');
        writeFileSync(file, task({repo: 'repo', test: {command: 'true'}}));
        const {code, stdout} = await runOnTerminal(['run', file],
            {env: {...user.env, TERM: 'xterm', COLUMNS: '200'}, cwd: user.repo});
        assert.equal(code, 0, stdout);
        assert.match(stdout, /\r\x1b\[K/, 'the status is redrawn');
        assert.match(stdout, /00:\d\d RUNNING, loop 1 of 10, [56]\d\d\d tokens, mock worker/);
        const end = stdout.slice(stdout.lastIndexOf('COMPLETE'));
        assert.doesNotMatch(end.slice(end.indexOf('\n')), /loop/, 'no status line is left behind');
    });

    test('the repo is relative to the file, or, from standard input, to the working directory', async t => {
        const user = makeUser(t, {tooling: FINE()});
        mkdirSync(path.join(user.dir, 'x/inner'), {recursive: true});
        writeFileSync(path.join(user.dir, 'x/task.yaml'),
            'version: 1\ntask:\n  id: in file\n  repo: inner\n  prd:\n    path: prd.md\nrunner: {mcp: off}\n');
        writeFileSync(path.join(user.dir, 'x/prd.md'), 'Say hello.\n');
        const end = await user.command(['run', '../x/task.yaml', '--json']);
        assert.equal(end.code, 0, end.stderr + end.stdout);
        assert.ok(existsSync(path.join(user.dir, 'x/inner/a.txt')));
        assert.ok(existsSync(path.join(user.dir, 'x/inner/.agent-runner/task-in_file.md')));
        assert.equal(existsSync(path.join(user.repo, 'a.txt')), false);
        await user.complete(task());
        assert.ok(existsSync(path.join(user.repo, 'a.txt')));
    });

    test('the task\'s tooling takes precedence over the user\'s, --tooling over both', async t => {
        const user = makeUser(t, {tooling: playedBy([{fail: 'auth'}])});
        const own = {active_profile: 'p', profiles: [{id: 'p', name: 'P', categories: {
            meta: {candidates: [mock('of-task', metaScript())]}}}]};
        const first = await user.complete(task({runner: {tooling: own}}));
        assert.equal(first.events.find(e => e.event === 'try').model, 'of-task');
        const file = path.join(user.dir, 'other.json');
        writeFileSync(file, JSON.stringify(config([mock('of-file', metaScript())])));
        const second = await user.complete(task({runner: {tooling: own}}), {args: ['--tooling', file]});
        assert.equal(second.events.find(e => e.event === 'try').model, 'of-file');
    });

    test('without tooling, runner.meta and runner.worker are the candidates', async t => {
        const user = makeUser(t);
        const {code, events} = await user.run(task({runner: {meta: {kind: 'mock', model: 'm'},
            worker: {kind: 'mock', model: 'w'}}}));
        assert.equal(code, 1, 'a mock without a script answers ok, which is not a valid answer');
        assert.deepEqual(events.filter(e => e.event === 'try').map(e => [e.tool, e.model]),
            [['mock', 'm'], ['mock', 'm'], ['mock', 'm']]);
    });

    test('transcripts are kept, readable by the user only', async t => {
        const user = makeUser(t, {tooling: FINE()});
        await user.complete(task());
        const [run, ...more] = readdirSync(path.join(user.home, 'runs'));
        assert.deepEqual(more, []);
        const dir = path.join(user.home, 'runs', run);
        assert.equal(statSync(dir).mode & 0o777, 0o700);
        const files = user.files(dir);
        assert.ok(files.some(([name, bytes]) => /worker-mock\S*\.out$/.test(name) && bytes.includes('a.txt is there')),
            files.map(([name]) => name).join(' '));
        for (const [name] of files)
            assert.equal(statSync(path.join(user.dir, name)).mode & 0o077, 0, name);
    });
});

describe('a task that fails', () => {
    const failing = async (t, tooling, text = task()) => {
        const user = makeUser(t, {tooling});
        const end = await user.run(text);
        assert.equal(end.code, 1, end.stderr + end.stdout);
        assert.equal(end.events.at(-1).event, 'end');
        assert.equal(end.events.at(-1).state, 'FAILED');
        assert.match(user.note(), /FAILED/);
        return {user, ...end, why: end.events.at(-1).text};
    };

    test('when all loops are used', async t => {
        const {why, events, user} = await failing(t, playedBy([{...whenAsked('plan_task'), say: plan()},
            {...whenAsked('next_action'), say: work('go on'), repeat: true}]), task({runner: {max_loops: 3}}));
        assert.match(why, /3/);
        assert.equal(events.filter(e => e.event === 'try' && e.category === 'worker').length, 3);
        assert.match(user.note(), /3/);
    });

    test('when three answers are invalid; each repair prompt names the error', async t => {
        const {why, events} = await failing(t, playedBy([
            {say: 'I would rather not.'}, {...whenAsked('I would rather not.'), say: '{"acceptance_criteria": []}'},
            {say: '{"acceptance_criteria": 7}'}, {say: plan()}]));
        assert.match(why, /plan_task/);
        assert.equal(events.filter(e => e.event === 'try').length, 3);
    });

    test('when an agent reports an invalid request: no other candidate is asked', async t => {
        const {why, events, user} = await failing(t, config([mock('a', [{fail: 'request', message: 'too long'}]),
            mock('b', metaScript())]));
        assert.match(why, /request|too long/);
        assert.deepEqual(events.filter(e => e.event === 'try').map(e => e.model), ['a']);
        assert.deepEqual(await user.json('cooldowns'), []);
    });

    test('when the test never passes', async t => {
        const text = task({test: {command: 'echo the test says no; exit 3'}, runner: {max_loops: 2}});
        const lazy = await failing(t, playedBy(metaScript()), text);
        assert.match(lazy.why, /complete/);
        const {events, user} = await failing(t, playedBy([{...whenAsked('plan_task'), say: plan()},
            {...whenAsked('completion_assessment'), say: assess(), repeat: true},
            {...whenAsked('next_action'), say: work('one')}, {...whenAsked('next_action'), say: complete()},
            {...whenAsked('next_action'), say: work('two')}, {...whenAsked('next_action'), say: complete()},
            {...whenAsked('next_action'), say: work('three')}]), text);
        assert.deepEqual(events.filter(e => e.event === 'test').map(e => e.code), [3, 3]);
        assert.match(user.note(), /the test says no/);
    });

});

describe('imperfect answers', () => {
    test('are requested again, and then accepted', async t => {
        const user = makeUser(t, {tooling: playedBy([
            {...whenAsked('plan_task'), say: 'Let me think.'}, {...whenAsked('plan_task'), say: '{"acceptance_criteria":[]}'},
            {...whenAsked('plan_task'), say: `Here it is:\n\`\`\`json\n${plan(['one', 'two'])}\n\`\`\`\nAnything else?`},
            {...whenAsked('next_action'), say: 'decision:\n  action: mark_complete\n  reason: yaml is fine\n'},
            {...whenAsked('completion_assessment'), say: JSON.stringify({type: 'completion_assessment', version: 1,
                payload: {allCriteriaSatisfied: true, byCriterion: [{id: 'AC-1', status: 'passed'},
                    {id: 'AC-2', status: 'passed'}]}})}])});
        const {events} = await user.complete(task());
        assert.equal(events.filter(e => e.event === 'try' && e.category === 'task').length, 3);
        assert.match(user.note(), /AC-2/);
    });

    test('an unmet criterion starts another loop', async t => {
        const user = makeUser(t, {tooling: playedBy([{...whenAsked('plan_task'), say: plan(['one', 'two'])},
            {...whenAsked('completion_assessment'), say: assess([true, false])},
            {...whenAsked('completion_assessment'), say: assess([true, true])},
            {...whenAsked('next_action'), say: complete()},
            {...whenAsked('next_action'), say: work('the second one')},
            {...whenAsked('next_action'), say: complete()}])});
        const {events} = await user.complete(task());
        assert.deepEqual(states(events).slice(-5), ['RUNNING', 'VALIDATING', 'RUNNING', 'VALIDATING', 'COMPLETE']);
    });

    test('a test may fail first and pass later', async t => {
        const user = makeUser(t, {tooling: playedBy([{...whenAsked('plan_task'), say: plan()},
            {...whenAsked('completion_assessment'), say: assess(), repeat: true},
            {...whenAsked('next_action'), say: work('begin')}, {...whenAsked('next_action'), say: complete()},
            {when: {prompt_has: 'no file yet'}, say: work('mend it')}, {...whenAsked('next_action'), say: complete()}],
        [{say: 'begun'}, {write: {'a.txt': 'x'}, say: 'mended'}])});
        const {events} = await user.complete(task({test: {command: 'test -f a.txt || { echo no file yet; exit 1; }'}}));
        assert.deepEqual(events.filter(e => e.event === 'test').map(e => e.code), [1, 0]);
        assert.match(user.note(), /mended/);
    });

    test('a worker that exceeds its time is stopped, no other one is tried, and the planner is told', async t => {
        const user = makeUser(t, {tooling: configOf({meta: {candidates: [mock('planner', [
            {...whenAsked('plan_task'), say: plan()}, {...whenAsked('completion_assessment'), say: assess()},
            {when: {prompt_has: 'budget'}, say: complete()}, {...whenAsked('next_action'), say: work('hurry')}])]},
        worker: {candidates: [mock('slow', [{sleep_ms: 600_000, say: 'late'}]), mock('other')]}})});
        const {events} = await user.complete(task({runner: {worker: {max_run_time_sec: 1}}}));
        assert.deepEqual(events.filter(e => e.event === 'outcome' && e.category === 'worker')
            .map(e => [e.model, e.outcome]), [['slow', 'budget']]);
        assert.deepEqual(user.processes(), []);
        assert.deepEqual(await user.json('cooldowns'), []);
    });

    test('the worker is called as next_action says, but the candidate stays the same', async t => {
        const user = makeUser(t, {tooling: configOf({meta: {candidates: [mock('planner', [
            {...whenAsked('plan_task'), say: plan()}, {...whenAsked('completion_assessment'), say: assess()},
            {...whenAsked('next_action'), say: work('say the name', {worker_type: 'codex-cli', model: 'of-call',
                env: {FROM_CALL: 'call', BOTH: 'call'}})},
            {...whenAsked('next_action'), say: complete()}])]},
        worker: {candidates: [mock('of-candidate', [{say_env: 'BOTH'}], {env: {BOTH: 'candidate'}})]}})});
        const {events} = await user.complete(task({runner: {worker: {env: {BOTH: 'task'}}}}));
        const worker = events.find(e => e.event === 'try' && e.category === 'worker');
        assert.deepEqual([worker.tool, worker.model], ['mock', 'of-candidate']);
        assert.match(user.note(), /\bcandidate\b/);
    });
});

test('control characters in models\' texts do not reach the terminal', async t => {
    const evil = 'x\u001b[2J\u009b31m\n\u0007';
    const user = makeUser(t, {tooling: configOf({meta: {candidates: [mock('planner', [
        {...whenAsked('plan_task'), say: plan([evil])}, {...whenAsked('completion_assessment'), say: assess()},
        {...whenAsked('next_action'), say: work(evil, {worker_type: 'mock', model: evil})},
        {...whenAsked('next_action'), say: complete()}])]},
    worker: {candidates: [{tool: 'mock', toolSpecific: {script: [{say: evil, write: {[evil]: 'x'}}]}}]}})});
    const end = await user.command(['run', '-'], {input: task()});
    assert.equal(end.code, 0, end.stderr);
    const said = [end.stdout, end.stderr, user.note(), (await user.tooling('explain', '-n', '20')).stdout];
    assert.ok(said.join('').includes('31m'), 'it is reported');
    for (const text of said)
        assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

describe('a tooling.json that changes during a run', () => {
    const told = (program, pattern) => program.stdout.split('\n').some(line => /"event":"warning"/.test(line) && pattern.test(line));

    test('applies from the next call on; an invalid one does not', async t => {
        const first = playedBy(metaScript({workers: ['x']}));
        const second = configOf({meta: {candidates: [mock('other', [{...whenAsked('next_action'), say: complete()},
            {...whenAsked('completion_assessment'), say: assess()}])]}});
        const user = makeUser(t, {tooling: first});
        const at = name => path.join(user.repo, name);
        // The first call waits for the file `go`, and fails.
        const command = 'test -e go && exit 0; touch started; while ! test -e go; do sleep 0.05; done; exit 1';
        const program = user.start(['run', '-', '--json'], {input: task({test: {command}})});
        await until(() => existsSync(at('started')), 'the test command', program);

        user.configure('{"profiles": [\n  }');
        await until(() => told(program, /tooling\.json:2:3: .*stays in use/), 'the error', program);
        user.configure(first);
        await until(() => told(program, /valid again/), 'that it is valid again', program);
        user.configure(second);
        await until(() => told(program, /was changed/), 'that it was changed', program);
        writeFileSync(at('go'), '');

        const {code} = await program.ended('the end');
        assert.equal(code, 0, program.stdout);
        const tries = jsonLines(program.stdout).filter(e => e.event === 'try');
        assert.deepEqual(tries.map(e => e.model).slice(-3), ['planner', 'other', 'other']);
    });
});

describe('an invalid task: exit 2, one line with the place, nothing ran', () => {
    const rows = [
        ['no YAML', 'version: 1\ntask:\n  prd: {text: x\n', [/:\d+:\d+:/]],
        ['no version', 'task: {prd: {text: x}}\n', [/version/]],
        ['another version', 'version: 2\ntask: {prd: {text: x}}\n', [/:1:10:/, /version/]],
        ['no prd', 'version: 1\ntask: {title: x}\n', [/prd/]],
        ['a wrong type', 'version: 1\ntask:\n  prd: {text: x}\nrunner:\n  max_loops: many\n', [/:5:14:/, /max_loops/]],
        ['too many loops', 'version: 1\ntask: {prd: {text: x}}\nrunner: {max_loops: 100000}\n', [/:3:\d+:/, /max_loops/, /100/]],
        ['an unknown sandbox', 'version: 1\ntask: {prd: {text: x}}\nrunner:\n  sandbox: bwarp\n', [/:4:12:/, /bwrap/]],
        ['an unknown tool', 'version: 1\ntask: {prd: {text: x}}\nrunner:\n  worker:\n    kind: codex\n',
            [/:5:11:/, /codex-cli/]],
        ['an invalid tooling', 'version: 1\ntask: {prd: {text: x}}\nrunner:\n  tooling:\n    profiles:\n    - id: a\n' +
            '      categories:\n        wroker: {candidates: [{tool: mock}]}\n', [/:8:\d+:/, /worker/]],
        ['a missing prd', 'version: 1\ntask: {prd: {path: none.md}}\n', [/none\.md/]],
        ['a missing repo', 'version: 1\ntask: {repo: none, prd: {text: x}}\n', [/none/]],
    ];
    for (const [name, text, patterns] of rows)
        test(name, async t => {
            const user = makeUser(t, {tooling: FINE()});
            refuses(await user.command(['run', '-'], {input: text}), ...patterns);
            writeFileSync(path.join(user.repo, 'task.yaml'), text);
            refuses(await user.command(['run', 'task.yaml']), /task\.yaml/, ...patterns);
            assert.equal(existsSync(path.join(user.repo, '.agent-runner')), false);
            assert.match((await user.tooling('explain')).stdout, /no decisions yet/);
        });

    test('a missing file, a folder, an unknown option', async t => {
        const user = makeUser(t);
        refuses(await user.command(['run', 'none.yaml']), /none\.yaml/);
        refuses(await user.command(['run']), /run/);
        refuses(await user.command(['run', '-', '--mcp', 'on']), /mcp/, /auto/);
        refuses(await user.command(['run', '-', '--tooling', 'none.json'], {input: task()}), /none\.json/);
    });

    test('an invalid tooling.json', async t => {
        const user = makeUser(t, {tooling: '{"profiles": [\n{"id": 7}]}'});
        refuses(await user.command(['run', '-'], {input: task()}), /tooling\.json:2:/);
    });

    test('a key that is not in the environment: the candidate is unavailable, and explain gives the reason', async t => {
        const user = makeUser(t, {tooling: config([mock('a', metaScript(), {env: {SOME: 'env:NOT_THERE'}}),
            mock('b', metaScript())])});
        const {events} = await user.complete(task());
        assert.ok(events.every(e => e.model !== 'a'), 'another candidate does the work');
        assert.match((await user.tooling('explain')).stdout, /mock +a .*NOT_THERE/);
    });
});
