// multiverse task: add, list, show, draw, cancel, retry and remove tasks.
import assert from 'node:assert/strict';
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {failsInOneLine, oneLine, refuses} from '../fixtures/cli.mjs';
import {eachStore, makePlace, waitsFor} from '../fixtures/store.mjs';

const DIAMOND = {a: [], b: ['a'], c: ['a'], d: ['b', 'c']};
const FAILS = {test: {command: 'false'}, runner: {max_loops: 1}};

describe('adding', () => {
    eachStore('a diamond: all tasks are added, the first one is ready', async (t, place) => {
        const rows = await place.add(DIAMOND);
        assert.deepEqual(rows.map(r => [r.id, r.name, r.state, r.open_needs]),
            [[1, 'a', 'READY', 0], [2, 'b', 'PENDING', 1], [3, 'c', 'PENDING', 1], [4, 'd', 'PENDING', 2]]);
        const d = await place.show('d');
        assert.deepEqual(d.needs.map(n => [n.name, n.state]), [['b', 'PENDING'], ['c', 'PENDING']]);
        assert.deepEqual((await place.show('#1')).needed_by.map(n => n.name), ['b', 'c']);
    });

    eachStore('the order of the files does not matter', async (t, place) => {
        await place.add({d: ['b', 'c'], c: ['a'], b: ['a'], a: []});
        assert.deepEqual(await place.states(), {d: 'PENDING', c: 'PENDING', b: 'PENDING', a: 'READY'});
    });

    eachStore('a batch may depend on existing tasks', async (t, place) => {
        await place.add({a: []});
        await place.add({b: ['a']});
        assert.equal((await place.show('b')).open_needs, 1);
    });

    eachStore('a cycle is named, and nothing is added', async (t, place) => {
        const files = [place.file('a', ['c']), place.file('b', ['a']), place.file('c', ['b']), place.file('free')];
        refuses(await place.task('add', ...files), /a -> c -> b -> a|b -> a -> c -> b|c -> b -> a -> c/);
        assert.deepEqual(await place.list(), []);
    });

    eachStore('a task that depends on itself', async (t, place) => {
        refuses(await place.task('add', place.file('a', ['a'])), /a -> a/);
        assert.deepEqual(await place.list(), []);
    });

    eachStore('an unknown dependency is named with the nearest name', async (t, place) => {
        await place.add({'build-menu': []});
        refuses(await place.task('add', place.file('x', ['build-men'])), /build-men/, /build-menu/);
        refuses(await place.task('add', place.file('x', ['zzz'])), /x.*zzz/);
        assert.equal((await place.list()).length, 1);
    });

    eachStore('a name that is in use', async (t, place) => {
        await place.add({a: []});
        refuses(await place.task('add', place.file('b'), place.file('a')), /\ba\b/, /READY/);
        assert.deepEqual(Object.keys(await place.states()), ['a']);
    });

    test('a name in two files: both are named', async t => {
        const place = makePlace(t);
        const one = place.file('a');
        const two = path.join(place.files, 'other.yaml');
        writeFileSync(two, readFileSync(one));
        refuses(await place.task('add', one, two), /other\.yaml: duplicate name a, also in .*a\.yaml/);
        assert.deepEqual(await place.list(), []);
    });

    test('a duplicate file', async t => {
        const place = makePlace(t);
        const file = place.file('a');
        refuses(await place.task('add', file, file), /a\.yaml is given twice/);
        refuses(await place.user.command(['task', 'add', '-', '-'],
            {input: '{version: 1, task: {id: a, prd: x}}'}), /standard input can be read only once/);
        assert.deepEqual(await place.list(), []);
    });

    test('tasks that are too large to run are refused, accepted ones run', async t => {
        const place = makePlace(t);
        const file = path.join(place.files, 'long.yaml');
        writeFileSync(file, 'version: 1\ntask: {repo: ../repo, prd: {path: prd.md}}\n');
        writeFileSync(path.join(place.files, 'prd.md'), 'one more line\n'.repeat(70000));
        refuses(await place.task('add', file), /long\.yaml: with its prd the task has .* bytes, at most 983040/);
        writeFileSync(path.join(place.files, 'prd.md'), 'one more line\n'.repeat(49000));
        assert.equal((await place.task('add', file)).code, 0);
        assert.equal((await place.orchestrate('--until-idle')).code, 0);
    });

    test('an invalid file is named with line and column, and nothing is added', async t => {
        const place = makePlace(t);
        const wrong = path.join(place.files, 'wrong.yaml');
        writeFileSync(wrong, 'version: 1\ntask:\n  id: w\n  prd: {text: x}\n  dependencies: maybe\n');
        refuses(await place.task('add', place.file('a'), wrong),
            /ERR_CONFIG_VALIDATION: .*wrong\.yaml:5:\d+: \/task\/dependencies/);
        refuses(await place.task('add', path.join(place.files, 'nix.yaml')), /nix\.yaml.*No such file/);
        refuses(await place.task('add', place.files), /tasks/);
        assert.deepEqual(await place.list(), []);
    });

    test('the stored task is complete: the prd included, the repo absolute, dependencies by name', async t => {
        const place = makePlace(t);
        const file = path.join(place.files, 'by-path.yaml');
        writeFileSync(path.join(place.files, 'prd.md'), 'Make it *shine*.\n');
        writeFileSync(file, 'version: 1\ntask:\n  repo: ../repo\n  prd: {path: prd.md}\n');
        assert.equal((await place.task('add', file)).code, 0);
        const {spec, repo, name, title} = await place.show('by-path');
        assert.deepEqual([name, title, repo], ['by-path', 'by-path', place.user.repo]);
        assert.match(spec, /Make it \*shine\*/);
        assert.doesNotMatch(spec, /prd\.md|tooling/);
    });

    test('from standard input', async t => {
        const place = makePlace(t);
        const end = await place.user.command(['task', 'add', '-'],
            {input: '{version: 1, task: {id: from-stdin, prd: hello.txt says hello}}'});
        assert.equal(end.code, 0, end.stderr);
        assert.match(end.stdout, /from-stdin +READY/);
        refuses(await place.user.command(['task', 'add', '-'], {input: ''}), /standard input:1:1: it is empty/);
    });

    eachStore('--dry-run checks everything and adds nothing', async (t, place) => {
        const files = Object.entries(DIAMOND).map(([name, needs]) => place.file(name, needs));
        const {code, stdout} = await place.task('add', '--dry-run', ...files);
        assert.equal(code, 0);
        assert.match(stdout, /4 tasks are valid; nothing was added/);
        assert.deepEqual(await place.list(), []);
        refuses(await place.task('add', '--dry-run', place.file('x', ['nix'])), /nix/);
    });

    eachStore('pool and attempts are stored', async (t, place) => {
        await place.add({a: []}, '--pool', 'unity', '--max-attempts', '7');
        const a = await place.show('a');
        assert.deepEqual([a.pool, a.max_attempts], ['unity', 7]);
        await place.add({b: []});
        const b = await place.show('b');
        assert.deepEqual([b.pool, b.max_attempts], ['default', null]);
        assert.deepEqual((await place.list('--pool', 'unity')).map(r => r.name), ['a']);
    });

    test('a secret in the file causes a warning, without the secret', async t => {
        const place = makePlace(t);
        const env = {API_TOKEN: 'sk-very-secret-1', OTHER_KEY: 'env:MINE'};
        const tooling = {active_profile: 'p', profiles: [{id: 'p', name: 'P', categories: {
            meta: {candidates: [{tool: 'mock', model: 'm', env: {MOCK_API_KEY: 'sk-very-secret-2'}}]}}}]};
        const file = place.file('a', [], {runner: {worker: {env}, tooling}});
        const {code, stderr} = await place.task('add', file);
        assert.equal(code, 0, stderr);
        assert.match(stderr, /API_TOKEN will be stored in plain text/);
        assert.match(stderr, /MOCK_API_KEY will be stored in plain text/);
        assert.doesNotMatch(stderr, /very-secret|OTHER_KEY/);
    });

    test('500 files at once', async t => {
        const place = makePlace(t);
        const graph = Object.fromEntries(Array.from({length: 500}, (_, i) => [`t${i}`, i ? [`t${i - 1}`] : []]));
        assert.equal((await place.add(graph)).length, 500);
    });
});

describe('usage errors', () => {
    const WRONG = [
        [['task'], /task needs an argument: multiverse task ACTION/],
        [['task', 'lsit'], /task: unknown action lsit: did you mean list\?/],
        [['task', 'add'], /task add needs files or a goal/],
        [['task', 'add', 'x.yaml', '--goal', 'y'], /files or --goal, not both/],
        [['task', 'add', 'x.yaml', '--yes'], /--yes needs --goal/],
        [['task', 'add', 'x.yaml', '--max-attempts', '0'], /--max-attempts must be a number from 1 to 1000/],
        [['task', 'list', 'x'], /task list does not take the argument "x"/],
        [['task', 'list', '--state', 'RUNING'], /unknown state RUNING: did you mean RUNNING\?/],
        [['task', 'list', '--state', 'x,y'], /unknown state "x": use PENDING, READY/],
        [['task', 'list', '--svg'], /task list does not take --svg/],
        [['task', 'show'], /task show needs an argument: multiverse task show NAME/],
        [['task', 'show', 'nix'], /nix/],
        [['task', 'show', '#99'], /99/],
        [['task', 'logs', 'nix'], /nix/],
        [['task', 'logs', 'x', '--attempt', '0'], /--attempt must be a number from 1/],
        [['task', 'cancel', 'nix'], /nix/],
        [['task', 'retry', 'nix'], /nix/],
        [['task', 'rm', 'nix'], /nix/],
        [['task', 'graph', '--svg', '--json'], /--svg or --json, not both/],
        [['task', 'graph', 'nix'], /nix/],
        [['task', 'list', '--store', 'mysql://x/y'], /mysql/],
        [['task', 'list', '--store', ''], /--store must not be empty/],
    ];
    for (const [args, pattern] of WRONG)
        test(`multiverse ${args.join(' ')}`, async t => refuses(await makePlace(t).run(...args), pattern));

    eachStore('an unknown name suggests the nearest one', async (t, place) => {
        await place.add({'build-menu': []});
        for (const action of ['show', 'logs', 'cancel', 'retry', 'rm', 'graph'])
            refuses(await place.task(action, 'build-meny'), /build-meny/, /build-menu/);
    });

    test('a named store file must exist, except for add', async t => {
        const place = makePlace(t);
        for (const args of [['list'], ['show', 'x'], ['cancel', 'x'], ['graph'], ['logs', 'x', '-f']])
            refuses(await place.task(...args, '--store', 'typo/x.db'), /the store .*typo\/x\.db does not exist: .*multiverse task add/);
        refuses(await place.run('orchestrate', 'status', '--store', 'postgresql:'), /cannot use the store postgresql:/);
        assert.deepEqual(readdirSync(place.user.repo), []);
        const file = path.join(place.user.dir, 'other/x.db');
        assert.equal((await place.task('add', place.file('a'), '--store', file)).code, 0);
        assert.ok(existsSync(file));
        assert.equal((await place.list('--store', file)).length, 1);
        assert.deepEqual(await place.list(), []);
    });

    test('an unreachable store: exit 1, no password in the message', async t => {
        const place = makePlace(t);
        const url = 'postgresql://me:sehr-geheim@127.0.0.1:1/nix';
        const {code, stderr, stdout} = await place.user.command(['task', 'list'], {env: {MULTIVERSE_STORE: url}});
        assert.equal(code, 1, stderr);
        oneLine(stderr);
        assert.doesNotMatch(stderr + stdout, /geheim/);
        assert.match(stderr, /127\.0\.0\.1/);
        const told = await place.task('list', '--store', url);
        assert.match(told.stderr, /warning: .*a password on a command line.*MULTIVERSE_STORE/);
        assert.doesNotMatch(told.stderr, /geheim/);
    });
});

describe('reading', () => {
    test('an empty list shows how to begin', async t => {
        const place = makePlace(t);
        const {code, stdout} = await place.task('list');
        assert.equal(code, 0);
        assert.match(stdout, /no tasks yet: add one with multiverse task add/);
        assert.equal((await place.task('list', '--json')).stdout, '[]\n');
        assert.match((await place.task('graph')).stdout, /no tasks yet/);
        assert.deepEqual(await place.json('graph'), {tasks: [], edges: []});
    });

    eachStore('a list: number, name, state, attempts, since, title', async (t, place) => {
        await place.add(DIAMOND);
        const {stdout} = await place.task('list');
        const lines = stdout.trimEnd().split('\n');
        assert.match(lines[0], /^#  NAME  STATE    ATTEMPTS  SINCE +TITLE$/);
        assert.match(lines[1], /^1  a     READY           0  \d+ s ago +Task a$/);
        assert.match(lines[4], /^4  d     PENDING         0  \d+ s ago +Task d$/);
        assert.deepEqual((await place.list('--state', 'ready')).map(r => r.name), ['a']);
        assert.deepEqual((await place.list('--state', 'RETRY-WAIT,PENDING')).map(r => r.name), ['b', 'c', 'd']);
        assert.match((await place.task('list', '--state', 'FAILED')).stdout, /no task matches/);
    });

    eachStore('an ended task with its attempts', async (t, place) => {
        await place.add({a: {test: {command: 'echo hello >made.txt'}}, b: ['a']});
        const {code, events} = await place.orchestrate('--until-idle');
        assert.equal(code, 0, JSON.stringify(events));
        const a = await place.show('a');
        assert.equal(a.state, 'SUCCEEDED');
        assert.equal(a.attempt_list.length, 1);
        const [first] = a.attempt_list;
        assert.deepEqual([first.number, first.outcome, first.exit_code], [1, 'ok', 0]);
        assert.ok(first.log_pieces > 0 && first.started_at && first.ended_at && first.host && first.run);
        const {stdout} = await place.task('show', 'a');
        assert.match(stdout, /^task +#1 a: Task a\nstate +SUCCEEDED\n/);
        assert.match(stdout, /needed by b SUCCEEDED/);
        assert.match(stdout, /ATTEMPT +END +OUTCOME +TOOL +MODEL +IN +OUT +COST +TOOK +FILES +HOST\n/);
        assert.match(stdout, /^ +1 +succeeded +ok /m);
    });

    eachStore('a task that needs a person shows the reason and what to do', async (t, place) => {
        await place.add({a: FAILS, b: ['a'], c: ['b']}, '--max-attempts', '1');
        const {code} = await place.orchestrate('--until-idle');
        assert.equal(code, 1);
        assert.deepEqual(await place.states(), {a: 'BLOCKED', b: 'BLOCKED', c: 'BLOCKED'});
        const {stdout} = await place.task('show', 'a');
        assert.match(stdout, /^why +\S/m);
        assert.match(stdout, /multiverse task logs a\n.*multiverse task retry a/);
        const b = await place.task('show', 'b');
        assert.match(b.stdout, /^why .*\ba\b/m);
        assert.match(b.stdout, /multiverse task graph b/);
    });

    eachStore('the graph: as text, as SVG, as JSON; of one task', async (t, place) => {
        await place.add({...DIAMOND, lonely: []});
        const {stdout} = await place.task('graph');
        for (const name of ['a', 'b', 'c', 'd', 'lonely', 'READY', 'PENDING'])
            assert.ok(stdout.includes(name), stdout);
        const svg = (await place.task('graph', '--svg')).stdout;
        assert.match(svg, /^<(\?xml|svg)/);
        assert.match(svg, /<\/svg>\s*$/);
        const all = await place.json('graph');
        assert.deepEqual(all.edges.map(e => `${e.task}-${e.needs}`).sort(), ['b-a', 'c-a', 'd-b', 'd-c']);
        assert.equal(all.tasks.length, 5);
        const ofB = await place.json('graph', 'b');
        assert.deepEqual(ofB.tasks.map(n => n.name), ['a', 'b', 'd']);
        assert.deepEqual(ofB.edges.map(e => `${e.task}-${e.needs}`).sort(), ['b-a', 'd-b']);
        assert.deepEqual((await place.json('graph', 'lonely')).tasks.map(n => n.name), ['lonely']);
    });

    test('suggested commands are quoted for the shell, whatever the name is', async t => {
        const place = makePlace(t);
        const words = {'two words': "'two words'", "it's": "'it'\\''s'", 'a-b.c': 'a-b.c', '--help': '-- --help'};
        for (const [name, word] of Object.entries(words)) {
            await place.add({[name]: []});
            await place.task('cancel', '--', name);
            const {stdout} = await place.task('show', '--', name);
            assert.ok(stdout.endsWith(`multiverse task retry ${word}\n`), stdout);
        }
    });

    test('on a terminal a title cannot move the cursor', async t => {
        const place = makePlace(t);
        await place.add({a: {title: 'un\u202eder'}});
        const {stdout} = await place.onTerminal(['task', 'list']);
        assert.match(stdout, /un\\u202eder/);
    });
});

describe('changing', () => {
    eachStore('cancel: dependent tasks are blocked, and name the cancelled one', async (t, place) => {
        await place.add(DIAMOND);
        const {code, stdout} = await place.task('cancel', 'b');
        assert.equal(code, 0);
        assert.match(stdout, /^b: CANCELLED, it was PENDING; 1 dependent task is BLOCKED now\n$/);
        assert.deepEqual(await place.states(), {a: 'READY', b: 'CANCELLED', c: 'PENDING', d: 'BLOCKED'});
        assert.match((await place.show('d')).why, /\bb\b/);
    });

    eachStore('retry: it and the tasks that waited for it go on', async (t, place) => {
        await place.add(DIAMOND);
        await place.task('cancel', 'a');
        assert.deepEqual(await place.states(), {a: 'CANCELLED', b: 'BLOCKED', c: 'BLOCKED', d: 'BLOCKED'});
        const [change] = await place.json('retry', 'a');
        assert.deepEqual(change, {id: 1, name: 'a', before: 'CANCELLED', after: 'READY', asked_to_stop: false,
            others_changed: 3});
        assert.deepEqual(await place.states(), {a: 'READY', b: 'PENDING', c: 'PENDING', d: 'PENDING'});
        assert.equal((await place.orchestrate('--until-idle', '--workers', '4')).code, 0);
    });

    eachStore('retry of several tasks, some of which are released by others', async (t, place) => {
        await place.add(DIAMOND);
        await place.task('cancel', 'a');
        const {code, stderr} = await place.task('retry', 'a', 'b', 'd');
        assert.equal(code, 0, stderr);
        assert.deepEqual(await place.states(), {a: 'READY', b: 'PENDING', c: 'PENDING', d: 'PENDING'});
    });

    eachStore('impossible changes are refused, and nothing is changed', async (t, place) => {
        await place.add(DIAMOND);
        failsInOneLine(await place.task('retry', 'a'), /\ba\b/, /READY/);
        await place.task('cancel', 'b');
        failsInOneLine(await place.task('cancel', 'a', 'b'), /\bb\b/, /CANCELLED/);
        assert.equal((await place.show('a')).state, 'READY');
        refuses(await place.task('cancel', 'a', 'nix'), /nix/);
        assert.equal((await place.show('a')).state, 'READY');
        failsInOneLine(await place.task('rm', 'a'), /\ba\b/, /\b[bc]\b/);
        assert.equal((await place.list()).length, 4);
    });

    eachStore('rm works in any order of names', async (t, place) => {
        await place.add(DIAMOND);
        failsInOneLine(await place.task('rm', 'a', 'b', 'c'), /\bd\b/);
        const {code, stdout, stderr} = await place.task('rm', 'a', 'd', 'b', '#3', 'a');
        assert.equal(code, 0, stderr);
        assert.match(stdout, /^a: removed, it was READY\nd: removed/);
        assert.deepEqual(await place.list(), []);
        await place.add({a: []});
    });

    eachStore('a running task is stopped, and CANCELLED when its processes are gone', async (t, place) => {
        await place.add({a: {test: {command: waitsFor(path.join(place.user.dir, 'never'))}}, b: ['a']});
        const program = place.orchestrator('--until-idle');
        await program.event('claimed', 'a');
        failsInOneLine(await place.task('rm', 'a'), /runs|RUNNING/);
        const [change] = await place.json('cancel', 'a');
        assert.deepEqual([change.before, change.asked_to_stop], ['RUNNING', true]);
        assert.equal((await program.exit).code, 1);
        assert.deepEqual(await place.states(), {a: 'CANCELLED', b: 'BLOCKED'});
    });
});
