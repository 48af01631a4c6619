// The tasks window: list, filters, keyboard, details with attempts and decisions, links, narrow screens.
import assert from 'node:assert/strict';
import path from 'node:path';
import {describe, test} from 'node:test';
import {writeFileSync} from 'node:fs';

import {axe, connected, LIMIT_MS, NARROW, shots, until, watchTasks} from '../fixtures/console.mjs';
import {atStore, detailOf, listed, listOf, namesOf, openWindow, rowOf, rowsOf, stateIs, tabOf} from '../fixtures/console_tasks.mjs';
import {waitsFor} from '../fixtures/store.mjs';
import {configOf, mock, task} from '../fixtures/tooling.mjs';
import {metaScript} from '../../standin/meta.mjs';

const chip = (page, name) => page.getByRole('group', {name: 'Filter by state'}).getByRole('button', {name});
const filter = page => page.getByRole('searchbox', {name: 'Filter tasks'});
const query = page => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.split('?')[1]));
const queried = (page, wants) => until(() => Object.entries(wants).every(([k, v]) => query(page)[k] === v), `${JSON.stringify(wants)} in the address`);

/** The first candidate gets a cooldown of an hour; the worker reports its usage. */
const TOOLING = configOf({
    meta: {fallback: true, candidates: [mock('tired', [{fail: 'rate_limited', after_ms: 3_600_000, repeat: true}]),
        mock('planner', metaScript({workers: ['write it']}))]},
    worker: {candidates: [mock('hand', [{usage: {input_tokens: 12_345, output_tokens: 678}, write: {'a.txt': 'x'}, say: 'done', repeat: true}])]},
});
const FAILS = {test: {command: 'echo it rains in; false'}, runner: {max_loops: 1}};

/** Create tasks in each state except READY and RETRY_WAIT with a real orchestrator, which runs until go(). */
async function createTasks(t, place) {
    const go = path.join(place.user.dir, 'go');
    await place.add({'old-well': [], 'leaky-roof': {...FAILS}, ladder: ['leaky-roof'], barn: []}, '--max-attempts', '1');
    await place.task('cancel', 'barn');
    await place.orchestrate('--until-idle');
    await place.add({fence: {test: {command: waitsFor(go)}}, gate: ['fence'], path: ['gate']}, '--pool', 'garden');
    const program = place.orchestrator('--until-idle', '--pool', 'garden=1');
    await stateIs(place, 'fence', 'RUNNING');
    return {program, go: () => writeFileSync(go, '')};
}

test('the list is empty at first and then follows other processes', async t => {
    const {page, place} = await openWindow(t);
    await page.getByText('No tasks yet.').waitFor();
    await page.getByText('multiverse task add').waitFor();
    await shots(page, 'tasks-empty');
    await axe(page);
    await place.add({first: [], second: ['first']});
    await listed(page, ['first', 'second']);
    await page.getByText('1 task can run, but there is no orchestrator').waitFor();
    assert.deepEqual([await rowOf(page, 'first').locator('.badge').innerText(), await rowOf(page, 'second').locator('.badge').innerText()],
        ['Ready', 'Pending']);
    await rowOf(page, 'second').getByText('waits for one task').waitFor();
    const {code} = await place.orchestrate('--until-idle');
    assert.equal(code, 0);
    await rowOf(page, 'second').getByText('Succeeded').waitFor();
    await rowOf(page, 'first').getByText('mock').waitFor();
    await page.getByText('can run, but there is no orchestrator').waitFor({state: 'hidden'});
    await place.task('rm', 'second');
    await listed(page, ['first']);
    // Closing the dialog restores the focus.
    await place.task('rm', 'first');
    await page.getByText('No tasks yet.').waitFor();
    await page.locator('.state').getByRole('button', {name: 'Add tasks'}).click();
    await page.getByRole('dialog', {name: 'Add tasks'}).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({state: 'hidden'});
    assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), 'Add tasks');
});

test('the list shows states, filters and sorts, and the details show everything about a task', async t => {
    let at;
    const {page, place, server} = await openWindow(t, {tooling: TOOLING, before: async p => { at = await createTasks(t, p); }});
    const all = await place.list();
    await listed(page, all.map(r => r.name));

    // Counts and rows equal the output of the command line.
    const LABELS = {PENDING: 'Pending', RUNNING: 'Running', BLOCKED: 'Blocked', SUCCEEDED: 'Succeeded', CANCELLED: 'Cancelled', READY: 'Ready'};
    for (const [state, label] of Object.entries(LABELS)) {
        const names = all.filter(r => r.state === state).map(r => r.name);
        assert.equal((await chip(page, label).innerText()).replace(/\s+/g, ' ').trim(), `${label} ${names.length}`);
        for (const name of names)
            assert.equal(await rowOf(page, name).locator('.badge').innerText(), label);
    }
    await rowOf(page, 'ladder').getByText('needs leaky-roof, which is').waitFor();
    await page.getByText('1 orchestrator, 1 of').waitFor();
    await shots(page, 'tasks-list');
    await axe(page);

    // Filters can be combined and are stored in the address.
    await chip(page, 'Blocked').click();
    await listed(page, ['leaky-roof', 'ladder']);
    await chip(page, 'Cancelled').click();
    await listed(page, ['leaky-roof', 'ladder', 'barn']);
    await queried(page, {state: 'BLOCKED,CANCELLED'});
    await page.getByText('3 of 7').waitFor();
    await filter(page).fill('leaky needs');
    await listed(page, ['ladder']);
    await filter(page).fill('no such task');
    await page.getByText('No task matches the filters.').waitFor();
    await page.getByRole('button', {name: 'Show all 7'}).click();
    await listed(page, all.map(r => r.name));
    await filter(page).fill('#2');
    await listed(page, ['leaky-roof']);
    await page.getByRole('button', {name: 'Clear', exact: true}).click();
    await page.getByLabel('Pool').selectOption('garden');
    await listed(page, ['fence', 'gate', 'path']);
    await page.getByLabel('Pool').selectOption('');
    await page.getByLabel('Sort by').selectOption('name');
    await listed(page, all.map(r => r.name).toSorted());
    await page.getByRole('button', {name: 'Reverse order'}).click();
    await listed(page, all.map(r => r.name).toSorted().reverse());
    await page.getByLabel('Sort by').selectOption('state');
    await until(async () => (await namesOf(page))[0] === 'fence', 'the running task first');
    await page.reload();
    await connected(page);
    await until(async () => (await namesOf(page))[0] === 'fence', 'the same order after a reload');
    await page.getByLabel('Sort by').selectOption('entry');

    // Enter moves the focus from the list to the task.
    await filter(page).press('ArrowDown');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await queried(page, {task: String(all[0].id)});
    const detail = detailOf(page);
    await detail.getByRole('heading', {name: 'old-well'}).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H2');
    const shown = await place.show('old-well');
    const [attempt] = shown.attempt_list;
    assert.ok(attempt.input_tokens >= 12_345 && attempt.files.length === 1, JSON.stringify(attempt));
    await detail.getByText(`${attempt.input_tokens.toLocaleString('en-GB')} tokens in, ${attempt.output_tokens.toLocaleString('en-GB')} out`).waitFor();
    await detail.locator('.attempts').getByText('succeeded').waitFor();
    await detail.locator('.attempts').getByText(`${attempt.tool} ${attempt.model}`).waitFor();
    atStore(place, `UPDATE attempt SET cost_usd = 1.5 WHERE task = ${shown.id}`);
    await detail.getByText('1 file changed').click();
    await detail.getByText('a.txt').waitFor();
    await detail.getByText('No other task').first().waitFor();

    // Decisions show why a candidate was not available.
    await tabOf(page, 'Decisions').click();
    await detail.getByRole('heading', {name: 'Attempt 1'}).waitFor();
    const {decisions} = await (await server.fetch(`/api/tasks/${shown.id}`)).json();
    assert.equal(await detail.locator('details').count(), decisions.length);
    const out = decisions.flatMap(d => d.candidates).find(c => c.out && c.model === 'tired');
    await detail.getByText(out.why, {exact: false}).first().waitFor();
    await shots(page, 'tasks-decisions');
    await axe(page);
    await tabOf(page, 'Spec').click();
    assert.equal(await detail.getByLabel('Task YAML').innerText(), shown.spec);

    // Links lead to dependencies and attempts.
    await rowOf(page, 'ladder').click();
    await tabOf(page, 'Overview').click();
    await detail.getByText('$1.50').waitFor({state: 'hidden'});
    await detail.getByRole('link', {name: 'leaky-roof'}).click();
    await detail.getByRole('heading', {name: 'leaky-roof'}).waitFor();
    await detail.getByText('Reason:').waitFor();
    await detail.getByRole('link', {name: 'Log of attempt 1'}).click();
    await queried(page, {tab: 'log', attempt: '1'});
    await detail.getByText('it rains in').first().waitFor();
    await page.goto(`${server.origin}/#/tasks?task=${shown.id}`);
    await detail.getByText('$1.50').waitFor();
    await shots(page, 'tasks-detail');
    await axe(page);
    await page.goto(`${server.origin}/#/tasks?task=4711`);
    await detail.getByText('Task #4711 does not exist').waitFor();
    page.allow(/404/);
    await page.goto(`${server.origin}/#/tasks?task=2&attempt=1`);
    await detail.getByText('it rains in').first().waitFor();

    // The details follow a running task to its end.
    await page.goto(`${server.origin}/#/tasks?task=5`);
    await detail.getByText('Running for').waitFor();
    await detail.getByText('running', {exact: true}).waitFor();
    at.go();
    await detail.locator('header').getByText('Succeeded').waitFor({timeout: LIMIT_MS});
    await detail.locator('.attempts').getByText('succeeded').waitFor();
    await at.program.exit;
    await rowOf(page, 'path').getByText('Succeeded').waitFor();

    // On a narrow screen list and details are shown one at a time.
    await page.setViewportSize(NARROW);
    await page.goto(`${server.origin}/#/tasks`);
    await rowOf(page, 'gate').click();
    await detail.getByRole('heading', {name: 'gate'}).waitFor();
    await listOf(page).waitFor({state: 'hidden'});
    await page.getByRole('button', {name: '‹ Tasks'}).click();
    await listOf(page).waitFor();
    await axe(page);
});

test('a failed request is retried', async t => {
    const {page, place} = await openWindow(t);
    await place.add({a: []});
    await listed(page, ['a']);
    let failed = 0;
    await page.route('**/api/tasks/rows*', route => { failed++; return route.abort(); }, {times: 1});
    page.allow(/ERR_FAILED/);
    await place.add({b: []});
    await listed(page, ['a', 'b']);
    assert.equal(failed, 1);
    await page.getByText('The server is not responding.').waitFor({state: 'hidden'});
});

describe('many', () => {
    const COUNT = 2000;

    test('2,000 tasks render only visible rows and cause no long task', async t => {
        const {page, ask, place} = await openWindow(t, {hash: '#/editor'});
        await ask('tasks/add', {tasks: Array.from({length: COUNT}, (_, i) => ({yaml: task({id: `t${i}`, title: `Number ${i}`,
            repo: place.user.repo, dependencies: i % 10 ? [`t${i - 1}`] : []})}))});
        const tasks = await watchTasks(t, page);
        await page.getByRole('navigation', {name: 'Windows'}).getByRole('link', {name: 'Tasks'}).click();
        await page.getByRole('button', {name: `All ${COUNT.toLocaleString('en-GB')}`}).waitFor();
        assert.ok(await rowsOf(page).count() < 100);
        assert.equal(await rowsOf(page).first().getAttribute('aria-setsize'), String(COUNT));
        await listOf(page).focus();
        await page.keyboard.press('End');
        await rowOf(page, `t${COUNT - 1}`).waitFor();
        await page.keyboard.press('PageUp');
        await page.keyboard.press('Home');
        await rowOf(page, 't0').waitFor();
        await filter(page).pressSequentially('t1999');
        await listed(page, ['t1999']);
        await filter(page).fill('');
        await page.getByLabel('Sort by').selectOption('name');
        await page.getByLabel('Sort by').selectOption('state');
        await rowOf(page, 't10').waitFor();
        // All tasks change at once.
        const ids = (await ask(`tasks?most=${COUNT}`)).tasks.filter(r => r.state === 'READY').map(r => r.id);
        await ask('tasks/cancel', {ids});
        await until(async () => /1,800/.test(await chip(page, 'Blocked').innerText()), 'the new counts');
        await tasks.areShort('2,000 tasks');
    });
});
