// A goal becomes tasks: the planner is a real child process of the server, and its plan is reviewed before it is added.
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

/** Open the window with a planner: "castle" never finishes, "chatter" fails, others get a plan after wait()'s callback. */
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
    /** Delay planning until the returned function is called. */
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

async function submitGoal(page, goal) {
    await dialog(page).getByRole('textbox', {name: 'Goal'}).fill(goal);
    await button(page, /^Plan$/).click();
}

test('a plan is reviewed, changed and added, and runs in the right order', async t => {
    const {page, place, wait} = await openPlanning(t, p => p.add({walls: []}));
    await shots(page, 'tasks-add-goal');
    await axe(page);

    // Planning can be cancelled, a failure shows its reason, and the goal can be edited.
    await submitGoal(page, 'A castle with towers');
    await dialog(page).getByText('Planning…').waitFor();
    await button(page, 'Cancel planning').click();
    await dialog(page).getByText('Planning was cancelled. Nothing was added.').waitFor();
    await button(page, 'Edit goal').click();
    assert.equal(await dialog(page).getByRole('textbox', {name: 'Goal'}).inputValue(), 'A castle with towers');
    await submitGoal(page, 'Some chatter');
    await dialog(page).getByText('Planning failed:').waitFor({timeout: LIMIT_MS});
    await button(page, 'Edit goal').click();

    // A button opens a plan that is ready while the dialog is closed, also after a reload.
    const go = wait();
    await submitGoal(page, 'A house with a garden');
    await dialog(page).getByText('Planning…').waitFor();
    await button(page, 'Close, continue planning').click();
    go();
    await page.getByRole('button', {name: 'Plan ready'}).waitFor({timeout: LIMIT_MS});
    await page.reload();
    await connected(page);
    await page.getByRole('button', {name: 'Plan ready'}).click();
    await dialog(page).getByText('4 tasks').first().waitFor();
    await until(async () => (await boxes(page)).length === 4, 'the boxes of the plan');
    assert.deepEqual(await boxes(page), ['ground, Level the ground, no dependencies', 'walls, Build <b>walls</b>, depends on ground',
        'garden, Plant a garden, depends on ground', 'roof, Put up the roof, depends on walls, garden']);
    assert.equal(await dialog(page).locator('.canvas path.line').count(), 4);

    // An existing name must be changed; dependents follow the new name.
    await dialog(page).getByText('A task with this name exists.').waitFor();
    assert.ok(await button(page, 'Add 4 tasks').isDisabled());
    const name = dialog(page).getByRole('textbox', {name: 'Name of walls'});
    await name.fill('ground');
    await dialog(page).getByText('Another task of the plan has this name.').first().waitFor();
    await name.fill('stone walls');
    await dialog(page).getByText('A task with this name exists.').waitFor({state: 'hidden'});
    await dialog(page).getByText('depends on stone walls, garden').waitFor();
    await until(async () => (await boxes(page)).includes('roof, Put up the roof, depends on stone walls, garden'), 'the new name in the graph');

    // A task is excluded and included again.
    await dialog(page).getByRole('checkbox', {name: 'Add garden'}).uncheck();
    await dialog(page).getByText('roof will not wait for garden.').waitFor();
    await until(async () => (await boxes(page)).length === 3, 'three boxes');
    await button(page, 'Add 3 tasks').waitFor();
    // Changes survive closing the dialog.
    await dialog(page).getByRole('textbox', {name: 'Pool'}).fill('houses');
    await button(page, 'Later').click();
    await dialog(page).waitFor({state: 'hidden'});
    await page.getByRole('button', {name: 'Plan ready'}).click();
    await button(page, 'Add 3 tasks').waitFor();
    assert.equal(await name.inputValue(), 'stone walls');
    assert.equal(await dialog(page).getByRole('textbox', {name: 'Pool'}).inputValue(), 'houses');
    assert.ok(!await dialog(page).getByRole('checkbox', {name: 'Add garden'}).isChecked());
    await dialog(page).getByRole('checkbox', {name: 'Add garden'}).check();
    await until(async () => (await boxes(page)).length === 4, 'four boxes');
    // Two tasks with the same name cause the same sentence twice.
    const garden = dialog(page).getByRole('textbox', {name: 'Name of garden'});
    await garden.fill('stone walls');
    await dialog(page).getByRole('checkbox', {name: 'Add ground'}).uncheck();
    await until(async () => await dialog(page).getByText('stone walls will not wait for ground.').count() === 2, 'both sentences');
    await dialog(page).getByRole('checkbox', {name: 'Add ground'}).check();
    await garden.fill('garden');
    await until(async () => (await boxes(page)).includes('garden, Plant a garden, depends on ground'), 'the garden');
    // A click on a box shows the YAML of its task.
    await plan(page).getByRole('option', {name: /^roof/}).click();
    await dialog(page).locator('pre').getByText('It is dry.').waitFor();
    await shots(page, 'tasks-plan');
    await axe(page);
    // A change causes one layout, not many.
    let layouts = 0;
    page.on('request', r => { layouts += r.url().endsWith('/api/tasks/graph') ? 1 : 0; });
    await name.fill('stone-walls');
    await until(async () => (await boxes(page)).some(b => b.startsWith('stone-walls')), 'its name');
    assert.deepEqual((await place.list()).map(r => r.name), ['walls'], 'nothing is added yet');
    assert.ok(layouts <= 2, `${layouts} layouts`);

    await button(page, 'Add 4 tasks').click();
    await dialog(page).waitFor({state: 'hidden'});
    await listed(page, ['walls', 'ground', 'stone-walls', 'garden', 'roof']);
    const rows = await place.list();
    assert.deepEqual(rows.slice(1).map(r => [r.name, r.state, r.goal, r.pool]), [['ground', 'READY'], ['stone-walls', 'PENDING'], ['garden', 'PENDING'],
        ['roof', 'PENDING']].map(r => [...r, 'A house with a garden', 'houses']));
    assert.deepEqual((await place.show('roof')).needs.map(n => n.name).toSorted(), ['garden', 'stone-walls']);
    assert.equal(await page.getByRole('button', {name: 'Plan ready'}).count(), 0);

    const {code, events} = await place.orchestrate('--until-idle', '--workers', '4');
    assert.equal(code, 0);
    const at = (event, task) => events.findIndex(e => e.event === event && e.task === task);
    for (const [task, need] of [['stone-walls', 'ground'], ['garden', 'ground'], ['roof', 'stone-walls'], ['roof', 'garden']])
        assert.ok(at('ended', need) >= 0 && at('ended', need) < at('claimed', task), `${need} before ${task}`);
    await rowOf(page, 'roof').getByText('Succeeded').waitFor();
});

test('a planner ends with its server, and the goal can be submitted again', async t => {
    const {page, server, place} = await openPlanning(t);
    page.allow(/ERR_|Failed to load/);
    await submitGoal(page, 'A castle');
    await dialog(page).getByText('Planning…').waitFor();
    await server.kill();
    await server.restart();
    await dialog(page).getByText('Planning failed: the server no longer has this goal').waitFor({timeout: LIMIT_MS});
    await button(page, 'Edit goal').click();
    await submitGoal(page, 'A house');
    await button(page, 'Add 4 tasks').waitFor({timeout: LIMIT_MS});
    assert.deepEqual(await place.list(), []);
});
