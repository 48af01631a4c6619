// The graph of the tasks: layout, keyboard, pointer, filters and live updates.
import assert from 'node:assert/strict';
import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {test} from 'node:test';

import {axe, LIMIT_MS, NARROW, settled, shots, until, watchTasks} from '../fixtures/console.mjs';
import {detailOf, openWindow, stateIs} from '../fixtures/console_tasks.mjs';
import {waitsFor} from '../fixtures/store.mjs';
import {task} from '../fixtures/tooling.mjs';

const graphOf = page => page.getByRole('listbox', {name: 'Dependency graph'});
const boxes = page => graphOf(page).getByRole('option');
const box = (page, name) => boxes(page).and(page.locator(`[aria-label^="${name},"]`));
const lines = page => page.locator('.canvas path.line');
const query = page => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.split('?')[1]));
/** Wait until the page has applied the address: a key before that would start from the previous box. */
const openIs = async (page, id) => {
    await until(() => query(page).task === String(id), `task ${id} in the address`);
    await graphOf(page).locator(`[aria-selected="true"][id$="-${id}"]`).waitFor({state: 'attached'});
};
const zoom = async page => parseInt(await page.locator('.zoom [role=status]').innerText(), 10);
const placeOf = async (page, name) => (await box(page, name).boundingBox());
/** The places of a box and of the graph, once nothing moves any more: the details beside it may still be loading. */
const restingPlaces = async (page, name) => {
    let last;
    return until(async () => {
        await settled(page);
        const places = [await placeOf(page, name), await graphOf(page).boundingBox()];
        const isSame = JSON.stringify(places) === JSON.stringify(last);
        last = places;
        return isSame && places;
    }, `that ${name} rests`, () => last);
};
const named = async page => (await boxes(page).evaluateAll(all => all.map(n => n.getAttribute('aria-label').split(',')[0]))).toSorted();
const drawn = (page, names) => until(async () => (await named(page)).join() === names.toSorted().join(), `the boxes ${names}`);

test('the graph shows dependencies and supports keyboard, pointer, updates, filters and narrow screens', async t => {
    let go;
    const {page, place, server} = await openWindow(t, {hash: '#/tasks?view=graph', before: async p => {
        go = path.join(p.user.dir, 'go');
        await p.add({ground: {title: 'Level the ground', test: {command: waitsFor(go)}}, walls: ['ground'],
            garden: ['ground'], roof: {needs: ['walls', 'garden'], title: '<b>Roof</b> & a rather long title that does not fit into its box'},
            shed: []});
    }});
    const ids = Object.fromEntries((await place.list()).map(r => [r.name, r.id]));
    await drawn(page, Object.keys(ids));
    assert.equal(await lines(page).count(), 4);
    await page.getByText('5 tasks', {exact: true}).waitFor();
    const at = {};
    for (const name of Object.keys(ids))
        at[name] = await placeOf(page, name);
    assert.ok(at.ground.y + at.ground.height < at.walls.y && at.walls.y === at.garden.y && at.garden.y + at.garden.height < at.roof.y);
    assert.equal(await box(page, 'walls').getAttribute('aria-label'), 'walls, Task walls, Pending, depends on ground');
    await page.locator('svg').getByText('<b>Roof</b>', {exact: false}).waitFor();

    // Arrow keys move along the lines, Enter moves to the task.
    await page.getByRole('link', {name: 'Graph'}).focus();
    await graphOf(page).focus();
    await page.keyboard.press('ArrowDown');
    await openIs(page, ids.ground);
    await page.keyboard.press('ArrowDown');
    await until(() => [ids.walls, ids.garden].map(String).includes(query(page).task), 'a dependent');
    await openIs(page, query(page).task);
    await page.keyboard.press('ArrowDown');
    await openIs(page, ids.roof);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Dependency graph');
    assert.equal(await page.evaluate(() => document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).getAttribute('aria-selected')), 'true');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await openIs(page, ids.ground);
    await page.keyboard.press('Enter');
    await until(() => page.evaluate(() => document.activeElement.tagName === 'H2'), 'the focus in the task');

    // A click opens, a drag pans, wheel and buttons zoom.
    await box(page, 'shed').click();
    await openIs(page, ids.shed);
    await detailOf(page).getByRole('heading', {name: 'shed'}).waitFor();
    await page.getByRole('button', {name: 'Fit: show all'}).click();
    const before = await zoom(page);
    await page.getByRole('button', {name: 'Zoom in'}).click();
    await page.getByRole('button', {name: 'Zoom in'}).click();
    assert.ok(await zoom(page) > before * 1.4);
    await page.getByRole('button', {name: 'Zoom out'}).click();
    const [still, frame] = await restingPlaces(page, 'ground');
    const [x, y] = [frame.x + 12, frame.y + 12];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 30, {steps: 4});
    await page.mouse.up();
    const moved = await placeOf(page, 'ground');
    assert.ok(Math.abs(moved.x - still.x - 40) < 2 && Math.abs(moved.y - still.y - 30) < 2, `${JSON.stringify([still, moved])}`);
    const small = await zoom(page);
    await page.mouse.wheel(0, 300);
    await until(async () => await zoom(page) < small, 'a smaller scale');
    await graphOf(page).focus();
    await page.keyboard.press('0');
    assert.equal(await zoom(page), before);
    await openIs(page, ids.shed); // no other task was opened

    // States are updated without a new layout.
    await page.goto(`${server.origin}/#/tasks?view=graph&task=${ids.walls}`);
    const program = place.orchestrator('--until-idle');
    await until(async () => /Running/.test(await box(page, 'ground').getAttribute('aria-label')), 'that it runs', LIMIT_MS);
    await shots(page, 'tasks-graph-detail');
    writeFileSync(go, '');
    await stateIs(place, 'roof', 'SUCCEEDED');
    await until(async () => /Succeeded/.test(await box(page, 'roof').getAttribute('aria-label')), 'that all is done');
    await program.exit;

    // New tasks of another process appear; related tasks; filtered tasks.
    await place.add({path: ['garden'], tree: []});
    await drawn(page, [...Object.keys(ids), 'path', 'tree'].filter(n => n !== 'shed'));
    await page.getByRole('combobox', {name: /^Show/}).selectOption({label: 'related to walls'});
    await drawn(page, ['ground', 'walls', 'roof']);
    assert.equal(query(page).of, String(ids.walls));
    await page.reload();
    await drawn(page, ['ground', 'walls', 'roof']);
    await place.add({window: ['walls'], stone: []});
    await drawn(page, ['ground', 'walls', 'roof', 'window']);
    await place.task('rm', 'window', 'stone');
    await drawn(page, ['ground', 'walls', 'roof']);
    await page.getByRole('combobox', {name: /^Show/}).selectOption('list');
    await page.getByRole('searchbox', {name: 'Filter tasks'}).fill('shed');
    await drawn(page, ['shed']);
    await place.task('rm', 'shed');
    await page.getByText('No task matches the filters.').waitFor();
    await page.getByRole('button', {name: /^Show all/}).click();
    await drawn(page, ['ground', 'walls', 'garden', 'roof', 'path', 'tree']);
    await page.goto(`${server.origin}/#/tasks?view=graph&of=list`);
    await shots(page, 'tasks-graph');
    await axe(page);

    // On a narrow screen the graph fits and a tap opens the task.
    await page.setViewportSize(NARROW);
    await page.goto(`${server.origin}/#/tasks?view=graph&of=${ids.walls}`);
    await drawn(page, ['ground', 'walls', 'roof']);
    await settled(page);
    for (const name of ['ground', 'walls', 'roof']) {
        const r = await placeOf(page, name);
        assert.ok(r.x >= 0 && r.x + r.width <= NARROW.width, `${name}: ${JSON.stringify(r)}`);
    }
    await box(page, 'roof').click();
    await detailOf(page).getByRole('heading', {name: 'roof'}).waitFor();
    await graphOf(page).waitFor({state: 'hidden'});
    await page.goBack();
    await graphOf(page).waitFor();
});

test('a graph of 2,000 boxes causes no long task', async t => {
    const {page, ask, place} = await openWindow(t);
    await ask('tasks/add', {tasks: Array.from({length: 2100}, (_, i) => ({yaml: task({id: `t${i}`, title: `Number ${i}`,
        repo: place.user.repo, dependencies: i % 20 ? [`t${i - 1}`, ...(i % 3 === 0 && i % 20 > 4 ? [`t${i - 4}`] : [])] : []})}))});
    await page.getByRole('button', {name: 'All 2,100'}).waitFor();
    const tasks = await watchTasks(t, page);
    await page.getByRole('link', {name: 'Graph'}).click();
    await page.getByText('100 more not shown').waitFor();
    await graphOf(page).focus();
    for (const key of ['ArrowDown', 'ArrowDown', '+', '+', '+', '+', '+', 'Shift+ArrowRight', 'ArrowDown', '0'])
        await page.keyboard.press(key);
    await page.mouse.move(400, 500);
    await page.mouse.wheel(0, -400);
    await page.mouse.wheel(0, -400);
    await settled(page);
    await tasks.areShort('2,000 boxes');
});
