// Actions on tasks, verified with the command line.
import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';

import {axe, shots} from '../fixtures/console.mjs';
import {detailOf, hold, listed, openWindow, rowOf, stateIs} from '../fixtures/console_tasks.mjs';
import {waitsFor} from '../fixtures/store.mjs';

const dialog = page => page.getByRole('dialog');
const button = (page, name) => dialog(page).getByRole('button', {name, exact: true});
const selected = page => page.getByRole('group', {name: 'Selected tasks'});
const gone = page => dialog(page).waitFor({state: 'hidden'});

test('cancel, retry and remove work for one task and for many, with effects on dependents', async t => {
    const {page, place} = await openWindow(t, {before: async p => {
        const never = {test: {command: waitsFor(path.join(p.user.dir, 'never'))}};
        await p.add({ground: never, walls: ['ground'], roof: ['walls'], shed: [], tree: [], hedge: []});
    }});
    await listed(page, ['ground', 'walls', 'roof', 'shed', 'tree', 'hedge']);
    const act = (name, action) => rowOf(page, name).click().then(() => detailOf(page).getByRole('button', {name: `${action}…`}).click());

    // A ready task: the dialog lists its dependents, and nothing happens before the confirmation.
    await act('ground', 'Cancel');
    await dialog(page).getByText('2 dependent tasks will be blocked: walls, roof').waitFor();
    await shots(page, 'tasks-confirm');
    await axe(page);
    await button(page, 'Keep').click();
    await gone(page);
    assert.equal((await place.show('ground')).state, 'READY');
    await act('ground', 'Cancel');
    await button(page, 'Cancel the task').click();
    await gone(page);
    await detailOf(page).locator('header').getByText('Cancelled').waitFor();
    await rowOf(page, 'roof').getByText('Blocked').waitFor();
    assert.deepEqual(await place.states(), {ground: 'CANCELLED', walls: 'BLOCKED', roof: 'BLOCKED', shed: 'READY', tree: 'READY', hedge: 'READY'});

    // A retry unblocks the dependents.
    await act('ground', 'Retry');
    await dialog(page).getByText('2 blocked dependent tasks may become pending again').waitFor();
    await button(page, 'Retry the task').click();
    await gone(page);
    await rowOf(page, 'roof').getByText('Pending').waitFor();
    assert.deepEqual([(await place.show('ground')).state, (await place.show('roof')).state], ['READY', 'PENDING']);

    // A task with dependents cannot be removed alone.
    await act('walls', 'Remove');
    await dialog(page).getByText('walls cannot be removed because of dependent tasks: roof').waitFor();
    await button(page, 'Remove the task').click();
    await dialog(page).getByText('0 of 1 task removed, 1 failed:').waitFor();
    await dialog(page).getByText(/needed by roof/).waitFor();
    await button(page, 'Close').last().click();
    await gone(page);
    assert.ok((await place.states()).walls);

    // A running task is stopped, then cancelled.
    const program = place.orchestrator('--workers', '1');
    await stateIs(place, 'ground', 'RUNNING');
    await rowOf(page, 'ground').getByText('Running').waitFor(); // the page shows it, too
    await act('ground', 'Cancel');
    await dialog(page).getByText('It will be stopped first.').waitFor();
    await button(page, 'Cancel the task').click();
    await gone(page);
    await stateIs(place, 'ground', 'CANCELLED');
    await detailOf(page).locator('header').getByText('Cancelled').waitFor();
    assert.equal((await place.show('ground')).attempt_list[0].end, 'cancelled');
    await stateIs(place, 'hedge', 'SUCCEEDED');
    program.child.kill('SIGTERM');
    await program.exit;

    // Several tasks, selected by Shift, checkbox and keyboard; impossible actions are skipped.
    await rowOf(page, 'hedge').getByText('Succeeded').waitFor();
    await detailOf(page).getByRole('button', {name: 'Close the task'}).click();
    await rowOf(page, 'ground').click();
    await detailOf(page).getByRole('button', {name: 'Close the task'}).click();
    await rowOf(page, 'roof').click({modifiers: ['Shift']});
    await rowOf(page, 'hedge').locator('.check').click();
    await selected(page).getByText('4 tasks selected').waitFor();
    await selected(page).getByRole('button', {name: 'Retry…'}).click();
    await dialog(page).getByText('1 other selected task is skipped').waitFor();
    await button(page, 'Cancel').click();
    await gone(page);
    await page.keyboard.press('Delete');
    await dialog(page).getByText('4 tasks will be removed with all attempts and logs. This cannot be undone.').waitFor();
    await button(page, 'Remove 4 tasks').click();
    await gone(page);
    await listed(page, ['shed', 'tree']);
    assert.deepEqual(Object.keys(await place.states()), ['shed', 'tree']);
    await page.getByText('4 tasks removed').waitFor();
    await page.keyboard.press('Control+a');
    await selected(page).getByText('2 tasks selected').waitFor();
    await selected(page).getByRole('button', {name: 'Remove…'}).click();
    // The action completes and is reported although the dialog was closed.
    const {held, go} = await hold(page, '**/api/tasks/remove');
    await button(page, 'Remove 2 tasks').click();
    await held;
    await page.keyboard.press('Escape');
    await gone(page);
    assert.equal((await place.list()).length, 2);
    await go();
    await page.getByText('2 tasks removed').waitFor();
    await page.getByText('No tasks yet.').waitFor();
    assert.deepEqual(await place.list(), []);
});
