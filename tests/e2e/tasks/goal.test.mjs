// multiverse task add --goal: a planner's answer becomes tasks after confirmation.
import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {oneLine, refuses, startOnTerminal} from '../fixtures/cli.mjs';
import {until} from '../fixtures/program.mjs';
import {eachStore, makePlace} from '../fixtures/store.mjs';
import {configOf, mock} from '../fixtures/tooling.mjs';
import {metaScript} from '../../standin/meta.mjs';

const DIAMOND = [
    {id: 'ground', title: 'Level the ground', description: 'It is level.', test: 'true'},
    {id: 'walls', title: 'Build walls', description: 'Four of them.', dependencies: ['ground']},
    {id: 'garden', title: 'Plant a garden', description: 'With trees.', dependencies: ['ground'], test: 'true'},
    {id: 'roof', title: 'Put up the roof', description: 'It is dry.', dependencies: ['walls', 'garden'],
        acceptance: ['no rain comes in']},
];
const answer = tasks => ({say: JSON.stringify({tasks})});

/** The planner plays these steps; everybody else reports that everything is done. */
const planner = (...steps) => configOf({plan: {candidates: [mock('planner', steps)]},
    meta: {candidates: [mock('meta', metaScript())]}});
const GOOD = planner(answer(DIAMOND));
const GOAL = ['task', 'add', '--goal', 'A house with a garden'];

describe('with --yes', () => {
    eachStore('the diamond is added, and runs in the right order', async (t, place) => {
        const {code, stdout, stderr} = await place.run(...GOAL, '--yes');
        assert.equal(code, 0, stderr);
        for (const {id, title} of DIAMOND)
            assert.ok(stdout.includes(id) && stdout.includes(title), stdout);
        assert.deepEqual(await place.states(), {ground: 'READY', walls: 'PENDING', garden: 'PENDING', roof: 'PENDING'});
        const roof = await place.show('roof');
        assert.equal(roof.goal, 'A house with a garden');
        assert.deepEqual(roof.needs.map(n => n.name).sort(), ['garden', 'walls']);
        assert.match(roof.spec, /no rain comes in/);
        const end = await place.orchestrate('--until-idle', '--workers', '4');
        assert.equal(end.code, 0, JSON.stringify(end.events));
        const at = (event, task) => end.events.findIndex(e => e.event === event && e.task === task);
        for (const {id, dependencies = []} of DIAMOND)
            for (const need of dependencies)
                assert.ok(at('ended', need) < at('claimed', id), `${need} before ${id}`);
    }, {tooling: GOOD});

    eachStore('as JSON: the tasks, and nothing else', async (t, place) => {
        const {code, stdout, stderr} = await place.run(...GOAL, '--yes', '--json', '--prefix', 'h-', '--pool', 'p');
        assert.equal(code, 0, stderr);
        const rows = JSON.parse(stdout);
        assert.deepEqual(rows.map(r => `${r.name} ${r.state} ${r.pool}`).sort(),
            ['h-garden PENDING p', 'h-ground READY p', 'h-roof PENDING p', 'h-walls PENDING p']);
    }, {tooling: GOOD});

    test('from standard input, for another repo', async t => {
        const place = makePlace(t, {tooling: GOOD});
        mkdirSync(path.join(place.user.dir, 'else'));
        const end = await place.user.command(['task', 'add', '--goal', '-', '--yes', '--repo', '../else'],
            {input: 'A house\nwith a garden\n'});
        assert.equal(end.code, 0, end.stderr);
        const ground = await place.show('ground');
        assert.equal(ground.repo, path.join(place.user.dir, 'else'));
        assert.equal(ground.goal, 'A house\nwith a garden');
    });

    test('names in use: nothing is added, the plan is kept', async t => {
        const place = makePlace(t, {tooling: GOOD});
        await place.add({walls: []});
        const {code, stderr} = await place.run(...GOAL, '--yes');
        assert.equal(code, 2);
        assert.match(stderr, /walls/);
        const [, folder] = stderr.match(/the plan was saved: add it with multiverse task add (\S+)\/\*\.yaml/);
        assert.equal(readdirSync(folder).length, 4);
        assert.deepEqual(Object.keys(await place.states()), ['walls']);
        await place.task('rm', 'walls');
        const files = readdirSync(folder).map(name => path.join(folder, name));
        assert.equal((await place.task('add', ...files)).code, 0);
    });
});

describe('without', () => {
    test('without a terminal: the plan is shown, exit 2 says what to do, nothing is added', async t => {
        const place = makePlace(t, {tooling: GOOD});
        const {code, stdout, stderr} = await place.run(...GOAL);
        assert.equal(code, 2);
        oneLine(stderr);
        assert.match(stderr, /nothing was added.*--yes/);
        for (const {id} of DIAMOND)
            assert.ok(stdout.includes(id));
        assert.deepEqual(await place.list(), []);
        const json = await makePlace(t, {tooling: GOOD}).run(...GOAL, '--json');
        assert.equal(json.code, 2);
        const plan = JSON.parse(json.stdout);
        assert.equal(plan.added, false);
        assert.deepEqual(plan.tasks.map(n => n.name).sort(), ['garden', 'ground', 'roof', 'walls']);
    });

    test('--dry-run shows and checks the plan, and adds nothing', async t => {
        const place = makePlace(t, {tooling: GOOD});
        const {code, stdout} = await place.run(...GOAL, '--dry-run');
        assert.equal(code, 0);
        assert.match(stdout, /4 tasks are valid; nothing was added/);
        assert.deepEqual(await place.list(), []);
    });

    const KEYS = [['y\n', 0, 4], ['yes\n', 0, 4], ['\n', 0, 0], ['n\n', 0, 0], ['\x04', 0, 0], ['\x03', 130, 0]];
    for (const [keys, want, count] of KEYS)
        test(`on a terminal it asks; ${JSON.stringify(keys)} is ${count ? 'yes' : 'no'}`, async t => {
            const place = makePlace(t, {tooling: GOOD});
            const program = startOnTerminal(GOAL, place.terminal());
            await until(() => /add these 4 tasks\? \[y\/N\] $/.test(program.stdout), 'the question', program);
            program.child.stdin.write(keys);
            const {code} = await program.ended('the end');
            assert.equal(code, want, program.stdout);
            assert.equal((await place.list()).length, count);
            if (!count)
                assert.match(program.stdout, /nothing was added/);
        });
});

/** Whether this process plays the agent. */
function isMock(pid) {
    try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('agent-mock');
    } catch {
        return false; // it has ended
    }
}

describe('a planner', () => {
    test('that answers a cycle is told so, and asked again', async t => {
        const circle = [{...DIAMOND[0], dependencies: ['roof']}, ...DIAMOND.slice(1)];
        const place = makePlace(t, {tooling: planner(answer(circle), answer(DIAMOND))});
        const {code, stdout} = await place.run(...GOAL, '--yes');
        assert.equal(code, 0, stdout);
        assert.equal((await place.list()).length, 4);
    });

    test('that answers nonsense three times: exit 1 with the reason', async t => {
        const place = makePlace(t, {tooling: planner({say: 'I would rather talk.', repeat: true})});
        const {code, stderr} = await place.run(...GOAL, '--yes');
        assert.equal(code, 1);
        oneLine(stderr);
        assert.match(stderr, /there is no plan: \S/);
        assert.deepEqual(await place.list(), []);
    });

    test('that is limited, without an alternative: exit 1, and until when', async t => {
        const place = makePlace(t, {tooling: planner({fail: 'rate_limited', after_ms: 600_000, repeat: true})});
        const {code, stderr} = await place.run(...GOAL, '--yes');
        assert.equal(code, 1);
        assert.match(stderr, /there is no plan: .*rate_limited/);
    });

    test('that takes long is stopped by Ctrl-C: 130, no process is left', async t => {
        const place = makePlace(t, {tooling: planner({sleep_ms: 600_000, say: 'x'})});
        const program = place.start(...GOAL, '--yes');
        await until(() => place.user.processes().some(isMock), 'a planner at work', program);
        program.child.kill('SIGINT');
        const {code} = await program.ended('the end');
        assert.equal(code, 130);
        assert.match(program.stderr, /nothing was added/);
        assert.deepEqual(await place.list(), []);
    });
});

describe('usage errors', () => {
    const WRONG = [
        [['task', 'add', '--goal', ''], /--goal must not be empty/],
        [['task', 'add', '--goal', '   '], /the goal is empty/],
        [['task', 'add', '--goal', 'x', '--repo', 'nix'], /--repo nix is not a folder/],
        [['task', 'add', '--goal', 'x', '--tooling', 'nix.json'], /the file nix\.json does not exist/],
        [['task', 'add', '--goal', 'x', '--store', 'ftp://x'], /ftp/],
    ];
    for (const [args, pattern] of WRONG)
        test(`multiverse ${args.join(' ')}`, async t =>
            refuses(await makePlace(t, {tooling: GOOD}).run(...args), pattern));

    test('an endless goal', async t => {
        const place = makePlace(t, {tooling: GOOD});
        refuses(await place.user.command(['task', 'add', '--goal', '-', '--yes'], {input: 'x'.repeat(100_000)}),
            /the goal is longer than 64 KiB/);
    });
});
