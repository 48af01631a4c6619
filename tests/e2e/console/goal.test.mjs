// A goal of the page: a child of the server asks the planner, the plan comes in the feed.
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {eachConsole, last, openTasks, placeFor} from '../fixtures/console_tasks.mjs';
import {openFeed} from '../fixtures/feed.mjs';
import {until} from '../fixtures/program.mjs';
import {configOf, mock} from '../fixtures/tooling.mjs';
import {metaScript} from '../../standin/meta.mjs';

const HOUSE = [
    {id: 'ground', title: 'Level the ground', description: 'It is level.', test: 'true'},
    {id: 'walls', title: 'Build <b>walls</b>', description: 'Four of them.', dependencies: ['ground']},
    {id: 'roof', title: 'Put up the roof', description: 'It is dry.', dependencies: ['walls', 'ground']},
];
const answer = tasks => ({say: JSON.stringify({tasks})});
const planner = (...steps) => configOf({plan: {candidates: [mock('planner', steps)]},
    meta: {candidates: [mock('meta', metaScript())]}});
const GOOD = {tooling: planner(answer(HOUSE))};
const NEVER = {tooling: planner({sleep_ms: 600_000, say: 'too late', repeat: true})};
const GOAL = {goal: 'A house\nwith a "roof"', repo: '.'};
const SECRET = 'the-goal-that-nobody-else-may-read';

const end = (feed, id) => last(feed, 'goal', g => g.id === id && g.state !== 'running');
/** Return the processes of this user whose command line contains this. */
const running = (place, part) => place.user.processes().filter(pid => {
    try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(part);
    } catch {
        return false; // it has ended
    }
});
const agents = place => running(place, 'agent-mock');

describe('a plan', () => {
    eachConsole('comes in the feed, and can be added as it is', async (t, {ask, server, place}) => {
        const feed = await openFeed(t, server);
        const {id} = await ask('tasks/goal', GOAL);
        const done = await end(feed, id);
        assert.deepEqual([done.state, done.message], ['done', '']);
        assert.deepEqual(done.tasks.map(({name, title, needs}) => ({name, title, needs})), HOUSE.map(
            ({id: name, title, dependencies = []}) => ({name, title, needs: dependencies})));
        assert.deepEqual((await place.list()), [], 'nothing was added yet');
        for (const {yaml, name} of done.tasks) {
            const checked = await ask('tasks/check', {yaml});
            assert.deepEqual([checked.fault, checked.name], [null, name]);
        }
        await ask('tasks/add', {tasks: done.tasks.map(({yaml}) => ({yaml})), goal: GOAL.goal});
        const roof = await place.show('roof');
        assert.deepEqual([roof.state, roof.goal, roof.repo], ['PENDING', GOAL.goal, place.user.repo]);
        // A page that is opened later gets it, too.
        const other = await openFeed(t, server);
        assert.deepEqual(await last(other, 'goal', g => g.id === id), done);
    }, GOOD);

    eachConsole('of names that are taken is a plan all the same', async (t, {ask, server, place}) => {
        await place.add({walls: []});
        const feed = await openFeed(t, server);
        const done = await end(feed, (await ask('tasks/goal', GOAL)).id);
        assert.deepEqual([done.state, done.tasks.length], ['done', 3]);
        assert.match(done.message, /there is a task walls already/);
        const prefixed = await end(feed, (await ask('tasks/goal', {...GOAL, prefix: 'h-', repo: place.user.repo})).id);
        assert.deepEqual([prefixed.message, prefixed.tasks[2].name, prefixed.tasks[2].needs],
            ['', 'h-roof', ['h-walls', 'h-ground']]);
    }, {tooling: planner({...answer(HOUSE), repeat: true})});

    test('is for the served project, or for a folder relative to it', async t => {
        const {ask, server, place} = await openTasks(t, placeFor(t, {tooling: planner({...answer(HOUSE), repeat: true})}));
        const feed = await openFeed(t, server);
        mkdirSync(path.join(place.user.repo, 'sub dir'));
        const repoOf = async goal => (await end(feed, (await ask('tasks/goal', goal)).id)).tasks[0].yaml.match(/repo: (.*)/)[1];
        assert.equal(await repoOf({goal: 'x'}), place.user.repo);
        assert.match(await repoOf({goal: 'x', repo: 'sub dir'}), /\/repo\/sub dir"?$/);
        const wrong = await end(feed, (await ask('tasks/goal', {goal: 'x', repo: 'not/there'})).id);
        assert.deepEqual([wrong.state, wrong.tasks], ['failed', []]);
        assert.match(wrong.message, /not\/there is not a folder/);
        const odd = await end(feed, (await ask('tasks/goal', {goal: 'x', prefix: '--yes'})).id);
        assert.equal(odd.state, 'failed');
        assert.deepEqual(await place.list(), []);
    });
});

describe('no plan', () => {
    eachConsole('a planner that talks: why', async (t, {ask, server}) => {
        const feed = await openFeed(t, server);
        const failed = await end(feed, (await ask('tasks/goal', GOAL)).id);
        assert.deepEqual([failed.state, failed.tasks], ['failed', []]);
        assert.match(failed.message, /^there is no plan: \S/);
    }, {tooling: planner({say: 'I would rather talk.', repeat: true})});

    test('invalid requests are refused', async t => {
        const {refused} = await openTasks(t, placeFor(t, GOOD));
        await refused(400, 'tasks/goal', {});
        await refused(400, 'tasks/goal', {goal: ' \n '});
        await refused(400, 'tasks/goal', {goal: 7});
        await refused(400, 'tasks/goal', {goal: 'x\0y'});
        await refused(400, 'tasks/goal', {goal: 'x', repo: 7});
        await refused(413, 'tasks/goal', {goal: 'x'.repeat(65537)});
        await refused(413, 'tasks/goal', {goal: 'x', repo: 'x'.repeat(5000)});
        await refused(404, 'tasks/goal/cancel', {id: 'none'});
        await refused(400, 'tasks/goal/cancel', {});
    });

    test('a cancelled plan ends with all its processes', async t => {
        const {ask, refused, server, place} = await openTasks(t, placeFor(t, NEVER));
        const feed = await openFeed(t, server);
        const {id} = await ask('tasks/goal', {goal: SECRET});
        const begun = await last(feed, 'goal', g => g.id === id);
        assert.deepEqual([begun.state, begun.tasks], ['running', []]);
        await until(() => agents(place).length > 0, 'the planner at work');
        assert.deepEqual(running(place, SECRET), [], 'a command line is seen by everybody');
        assert.deepEqual(await ask('tasks/goal/cancel', {id}), {});
        const over = await end(feed, id);
        assert.deepEqual([over.state, over.message, over.tasks], ['cancelled', '', []]);
        await until(() => place.user.processes(), 'that only the server is left', {is: left => left.length === 1});
        await refused(409, 'tasks/goal/cancel', {id});
    });

    test('at most four are made at the same time', async t => {
        const {ask, refused, server, place} = await openTasks(t, placeFor(t, NEVER));
        const feed = await openFeed(t, server);
        const ids = [];
        for (let i = 0; i < 4; i++)
            ids.push((await ask('tasks/goal', {goal: `number ${i}`})).id);
        const {error} = await refused(409, 'tasks/goal', {goal: 'one too many'});
        assert.equal(error.code, 'ERR_QUEUE_FULL');
        await ask('tasks/goal/cancel', {id: ids[0]});
        await end(feed, ids[0]);
        await ask('tasks/goal', {goal: 'another'});
        assert.ok(place);
    });
});

describe('a planning process', () => {
    /** Return the planning child of the server. */
    const child = place => running(place, '--dry-run')[0];

    test('that hangs is ended, and the goal fails', async t => {
        const {ask, server, place} = await openTasks(t, placeFor(t, NEVER), {args: ['--goal-silence', '1']});
        const feed = await openFeed(t, server);
        const {id} = await ask('tasks/goal', GOAL);
        // A slow machine may have ended it already: then there is nothing to stop.
        await until(() => child(place) || feed.all.some(m => m.event === 'goal' && m.json.state === 'failed'),
            'the planning process');
        if (child(place))
            process.kill(child(place), 'SIGSTOP');
        const failed = await end(feed, id);
        assert.deepEqual([failed.state, failed.tasks], ['failed', []]);
        assert.match(failed.message, /reported nothing for 1 s and was ended: ask again/);
        await until(() => place.user.processes().length === 1, 'that only the server is left');
        const next = await ask('tasks/goal', GOAL);
        assert.ok(next.id, 'there is room for another');
    });

    test('that works longer reports progress and is not ended', async t => {
        const slow = planner({...answer(HOUSE), sleep_ms: 10_000});
        const {ask, server} = await openTasks(t, placeFor(t, {tooling: slow}), {args: ['--goal-silence', '8']});
        const feed = await openFeed(t, server);
        const {id} = await ask('tasks/goal', GOAL);
        const done = await end(feed, id);
        assert.deepEqual([done.state, done.message], ['done', '']);
        assert.ok(feed.all.some(m => m.event === 'goal' && / \(\d+ s\)$/.test(m.json.message)),
            'it has reported');
    });
});

describe('the end of the server', () => {
    for (const [how, signal] of [['in order', 'SIGTERM'], ['killed', 'SIGKILL']])
        test(`${how}: no process of a goal outlives it`, async t => {
            const {ask, server, place} = await openTasks(t, placeFor(t, NEVER));
            await ask('tasks/goal', GOAL);
            await until(() => agents(place).length > 0, 'the planner at work');
            if (signal === 'SIGKILL')
                await server.kill();
            else
                await server.end();
            await place.user.isGone('that nothing is left');
        });
});

test('--json writes the plan to standard output and progress to standard error', async t => {
    const place = placeFor(t, GOOD);
    const {code, stdout, stderr} = await place.user.command(['task', 'add', '--goal', '-', '--dry-run', '--json'],
        {input: 'A house'});
    assert.equal(code, 0);
    const plan = JSON.parse(stdout);
    assert.deepEqual([plan.added, plan.tasks.length], [false, 3]);
    assert.match(stderr, /asking mock planner/);
    assert.ok(existsSync(plan.files) && readdirSync(plan.files).length === 3);
    writeFileSync(path.join(place.user.dir, 'spec.yaml'), plan.tasks[0].spec);
    assert.equal((await place.task('add', path.join(place.user.dir, 'spec.yaml'))).code, 0);
});
