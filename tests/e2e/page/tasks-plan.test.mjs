// A goal becomes tasks: the planner is a real child of the server, its plan is looked at before anything is added.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {axe, connected, LIMIT_MS, shots, until} from '../fixtures/console.mjs';
import {listed, openWindow, placeFor, rowOf} from '../fixtures/console_tasks.mjs';
import {chat, configOf, keys, mock} from '../fixtures/tooling.mjs';
import {metaScript} from '../../standin/meta.mjs';
import {startStandin} from '../../standin/standin.mjs';

const HOUSE = [
    {id: 'ground', title: 'Level the ground', description: 'It is level.', test: 'true'},
    {id: 'walls', title: 'Build <b>walls</b>', description: 'Four of them.', dependencies: ['ground']},
    {id: 'garden', title: 'Plant a garden', description: 'It is green.', dependencies: ['ground']},
    {id: 'roof', title: 'Put up the roof', description: 'It is dry.', dependencies: ['walls', 'garden']},
];

/** The window with a planner: a castle is never planned, a house when it may be: at once, unless wait() was called. */
async function openPlanning(t, before) {
    const planner = (await startStandin(t)).account('planner');
    let mayPlan;
    planner.answers(async ({texts}) => {
        if (texts.includes('castle'))
            return {hang: true};
        if (texts.includes('chatter'))
            return 'I would rather talk.';
        await mayPlan;
        return JSON.stringify({tasks: HOUSE});
    });
    const tooling = configOf({plan: {candidates: [chat(planner)]}, meta: {candidates: [mock('meta', metaScript())]}});
    const opened = await openWindow(t, {place: placeFor(t, {tooling, env: keys(planner)}), hash: '#/tasks?add=goal', before});
    /** A house is not planned until the answer is called. */
    const wait = () => {
        let go;
        mayPlan = new Promise(done => { go = done; });
        return go;
    };
    return {...opened, wait};
}

const dialog = page => page.getByRole('dialog', {name: 'Add tasks'});
const button = (page, name) => dialog(page).getByRole('button', {name});
const plan = page => page.getByRole('listbox', {name: 'Graph of the plan'});
const boxes = page => plan(page).getByRole('option').evaluateAll(all => all.map(n => n.getAttribute('aria-label')));

async function say(page, goal) {
    await dialog(page).getByRole('textbox', {name: 'Goal'}).fill(goal);
    await button(page, 'Plan it').click();
}

test('planned, looked at, changed, added; then it runs in the right order', async t => {
    const {page, place, wait} = await openPlanning(t, p => p.add({walls: []}));
    await shots(page, 'tasks-add-goal');
    await axe(page);

    // One that takes too long is cancelled; one without a plan says why, and the text is as it was.
    await say(page, 'A castle with towers');
    await dialog(page).getByText('Planning…').waitFor();
    await button(page, 'Cancel planning').click();
    await dialog(page).getByText('Planning was cancelled. Nothing was added.').waitFor();
    await button(page, 'Change the goal').click();
    assert.equal(await dialog(page).getByRole('textbox', {name: 'Goal'}).inputValue(), 'A castle with towers');
    await say(page, 'Some chatter');
    await dialog(page).getByText('There is no plan:').waitFor({timeout: LIMIT_MS});
    await button(page, 'Change the goal').click();

    // One that comes while the dialog is closed: a button leads to it, also after a reload.
    const go = wait();
    await say(page, 'A house with a garden');
    await dialog(page).getByText('Planning…').waitFor();
    await button(page, 'Close, go on planning').click();
    go();
    await page.getByRole('button', {name: 'Plan is ready'}).waitFor({timeout: LIMIT_MS});
    await page.reload();
    await connected(page);
    await page.getByRole('button', {name: 'Plan is ready'}).click();
    await dialog(page).getByText('4 tasks').first().waitFor();
    await until(async () => (await boxes(page)).length === 4, 'the boxes of the plan');
    assert.deepEqual(await boxes(page), ['ground, Level the ground, needs nothing', 'walls, Build <b>walls</b>, needs ground',
        'garden, Plant a garden, needs ground', 'roof, Put up the roof, needs walls, garden']);
    assert.equal(await dialog(page).locator('.canvas path.line').count(), 4);

    // A name that is taken must be changed; who needs it follows.
    await dialog(page).getByText('There is a task of this name already.').waitFor();
    assert.ok(await button(page, 'Add 4 tasks').isDisabled());
    const name = dialog(page).getByRole('textbox', {name: 'Name of walls'});
    await name.fill('ground');
    await dialog(page).getByText('Another task of this plan has this name.').first().waitFor();
    await name.fill('stone walls');
    await dialog(page).getByText('there is a task walls already').waitFor({state: 'hidden'});
    await dialog(page).getByText('needs stone walls, garden').waitFor();
    await until(async () => (await boxes(page)).includes('roof, Put up the roof, needs stone walls, garden'), 'the new name in the graph');

    // One is left out, and taken in again.
    await dialog(page).getByRole('checkbox', {name: 'Add garden'}).uncheck();
    await dialog(page).getByText('roof does not wait for garden then.').waitFor();
    await until(async () => (await boxes(page)).length === 3, 'three boxes');
    await button(page, 'Add 3 tasks').waitFor();
    // What was changed is still so when it is looked at later.
    await dialog(page).getByRole('textbox', {name: 'Pool'}).fill('houses');
    await button(page, 'Later').click();
    await dialog(page).waitFor({state: 'hidden'});
    await page.getByRole('button', {name: 'Plan is ready'}).click();
    await button(page, 'Add 3 tasks').waitFor();
    assert.equal(await name.inputValue(), 'stone walls');
    assert.equal(await dialog(page).getByRole('textbox', {name: 'Pool'}).inputValue(), 'houses');
    assert.ok(!await dialog(page).getByRole('checkbox', {name: 'Add garden'}).isChecked());
    await dialog(page).getByRole('checkbox', {name: 'Add garden'}).check();
    await until(async () => (await boxes(page)).length === 4, 'four boxes');
    // The same can be said of two, while they have one name.
    const garden = dialog(page).getByRole('textbox', {name: 'Name of garden'});
    await garden.fill('stone walls');
    await dialog(page).getByRole('checkbox', {name: 'Add ground'}).uncheck();
    await until(async () => await dialog(page).getByText('stone walls does not wait for ground then.').count() === 2, 'both sentences');
    await dialog(page).getByRole('checkbox', {name: 'Add ground'}).check();
    await garden.fill('garden');
    await until(async () => (await boxes(page)).includes('garden, Plant a garden, needs ground'), 'the garden');
    // A box shows the text of its task.
    await plan(page).getByRole('option', {name: /^roof/}).click();
    await dialog(page).locator('pre').getByText('It is dry.').waitFor();
    await shots(page, 'tasks-plan');
    await axe(page);
    // It is laid out when something changes, not again and again.
    let asked = 0;
    page.on('request', r => { asked += r.url().endsWith('/api/tasks/graph') ? 1 : 0; });
    await name.fill('stone-walls');
    await until(async () => (await boxes(page)).some(b => b.startsWith('stone-walls')), 'its name');
    assert.deepEqual((await place.list()).map(r => r.name), ['walls'], 'nothing was added yet');
    assert.ok(asked <= 2, `${asked} questions`);

    await button(page, 'Add 4 tasks').click();
    await dialog(page).waitFor({state: 'hidden'});
    await listed(page, ['walls', 'ground', 'stone-walls', 'garden', 'roof']);
    const rows = await place.list();
    assert.deepEqual(rows.slice(1).map(r => [r.name, r.state, r.goal, r.pool]), [['ground', 'READY'], ['stone-walls', 'PENDING'], ['garden', 'PENDING'],
        ['roof', 'PENDING']].map(r => [...r, 'A house with a garden', 'houses']));
    assert.deepEqual((await place.show('roof')).needs.map(n => n.name).toSorted(), ['garden', 'stone-walls']);
    assert.equal(await page.getByRole('button', {name: 'Plan is ready'}).count(), 0);

    const {code, events} = await place.orchestrate('--until-idle', '--workers', '4');
    assert.equal(code, 0);
    const at = (event, task) => events.findIndex(e => e.event === event && e.task === task);
    for (const [task, need] of [['stone-walls', 'ground'], ['garden', 'ground'], ['roof', 'stone-walls'], ['roof', 'garden']])
        assert.ok(at('ended', need) >= 0 && at('ended', need) < at('claimed', task), `${need} before ${task}`);
    await rowOf(page, 'roof').getByText('Succeeded').waitFor();
});

test('a planner ends with its server: the page says so, and the goal can be asked for again', async t => {
    const {page, server, place} = await openPlanning(t);
    page.allow(/ERR_|Failed to load/);
    await say(page, 'A castle');
    await dialog(page).getByText('Planning…').waitFor();
    await server.kill();
    await server.restart();
    await dialog(page).getByText('There is no plan: the server does not know of it any more').waitFor({timeout: LIMIT_MS});
    await button(page, 'Change the goal').click();
    await say(page, 'A house');
    await button(page, 'Add 4 tasks').waitFor({timeout: LIMIT_MS});
    assert.deepEqual(await place.list(), []);
});
