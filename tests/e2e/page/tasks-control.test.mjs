// Pause, resume and stop from the page; recovery of the store and of the server.
import assert from 'node:assert/strict';
import {copyFileSync, readdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {test} from 'node:test';

import {axe, connected, LIMIT_MS, NARROW, shots, until} from '../fixtures/console.mjs';
import {detailOf, listed, openWindow, rowOf, rowsOf, stateIs} from '../fixtures/console_tasks.mjs';
import {waitsFor} from '../fixtures/store.mjs';

const dialog = page => page.getByRole('dialog');
const button = (page, name) => dialog(page).getByRole('button', {name, exact: true});
const gone = page => dialog(page).waitFor({state: 'hidden'});
const status = async place => JSON.parse((await place.run('orchestrate', 'status', '--json')).stdout);

test('all orchestrators are paused, resumed and stopped', async t => {
    let go;
    const {page, place} = await openWindow(t, {before: p => {
        go = path.join(p.user.dir, 'go');
        return p.add({long: {test: {command: waitsFor(go)}}, later: []});
    }});
    const program = place.orchestrator('--workers', '1');
    await stateIs(place, 'long', 'RUNNING');
    await page.getByRole('button', {name: '1 orchestrator, 1 of 1 worker busy'}).click();
    await page.getByRole('cell', {name: String(program.pid)}).waitFor();
    await page.getByText('tasks.db').waitFor();
    await page.getByRole('button', {name: 'Pause', exact: true}).click();
    await page.getByText('Paused: 1 task can run after Resume.').waitFor();
    assert.equal((await status(place)).state, 'PAUSED');
    assert.deepEqual(await place.states(), {long: 'RUNNING', later: 'READY'});
    await shots(page, 'tasks-paused');
    await axe(page);
    await page.getByRole('button', {name: 'Stop…'}).click();
    await dialog(page).getByText('1 running task will become ready again').waitFor();
    await button(page, 'Keep running').click();
    await gone(page);
    assert.equal((await place.show('long')).state, 'RUNNING');
    await page.getByRole('button', {name: 'Stop…'}).click();
    await button(page, 'Stop').click();
    await stateIs(place, 'long', 'READY');
    await rowOf(page, 'long').getByText('Ready').waitFor();
    assert.equal((await place.show('long')).counted, 0);
    writeFileSync(go, '');
    await page.getByRole('button', {name: 'Resume'}).click();
    await stateIs(place, 'later', 'SUCCEEDED');
    await rowOf(page, 'later').getByText('Succeeded').waitFor();
    await rowOf(page, 'long').getByText('Succeeded').waitFor();
    // The page follows changes by another process.
    await place.run('orchestrate', 'pause');
    await page.locator('.status').getByText('Paused').waitFor();
    await place.run('orchestrate', 'resume');
    await page.getByRole('button', {name: 'Pause', exact: true}).waitFor();
    program.child.kill('SIGTERM');
    await program.exit;
    await page.getByRole('button', {name: 'No orchestrator'}).waitFor({timeout: LIMIT_MS});
});

test('the page recovers from a damaged store and a restarted server', async t => {
    const {page, place, server} = await openWindow(t, {before: p => p.add({a: [], b: ['a']}), hash: '#/tasks?task=1'});
    page.allow(/503|ERR_|Failed to load/);
    const file = path.join(place.user.home, 'tasks.db');
    await listed(page, ['a', 'b']);
    // Replace the store with a file that is not a database.
    const copy = path.join(place.user.dir, 'copy.db');
    const damage = () => {
        const db = new DatabaseSync(file);
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        db.close();
        copyFileSync(file, copy);
        for (const name of readdirSync(place.user.home).filter(n => n.startsWith('tasks.db')))
            rmSync(path.join(place.user.home, name));
        writeFileSync(file, 'this is no store at all, and it is longer than a header '.repeat(100));
    };
    damage();
    await rowOf(page, 'b').click();
    await page.getByText('The task store is unavailable').waitFor({timeout: LIMIT_MS});
    await listed(page, ['a', 'b']); // the last known state stays visible
    await detailOf(page).getByRole('button', {name: 'Cancel…'}).click();
    await button(page, 'Cancel the task').click();
    await dialog(page).getByRole('alert').waitFor();
    await button(page, 'Close').last().click();
    await shots(page, 'tasks-store-error');
    await axe(page);
    renameSync(copy, file);
    await page.getByText('The task store is unavailable').waitFor({state: 'hidden', timeout: LIMIT_MS});
    await place.add({c: []});
    await listed(page, ['a', 'b', 'c']);
    assert.equal((await place.show('b')).state, 'PENDING', 'a rejected action is not executed later');
    await rowOf(page, 'c').click();
    await detailOf(page).getByRole('heading', {name: 'c', exact: true}).waitFor();

    // The server is killed and restarted.
    await server.kill();
    await page.getByRole('alert').getByText('Connection lost').waitFor();
    await until(() => detailOf(page).getByRole('button', {name: 'Cancel…'}).isDisabled(), 'disabled actions');
    await place.add({d: []});
    await server.restart();
    await page.getByRole('alert').getByText('Connection lost').waitFor({state: 'hidden', timeout: LIMIT_MS});
    await listed(page, ['a', 'b', 'c', 'd']);
    await place.add({e: []});
    await listed(page, ['a', 'b', 'c', 'd', 'e']);

    // The server is restarted while the store is damaged.
    damage();
    await page.getByText('The task store is unavailable').waitFor({timeout: LIMIT_MS});
    await server.kill();
    await page.getByRole('alert').getByText('Connection lost').waitFor();
    await server.restart();
    await page.getByRole('alert').getByText('Connection lost').waitFor({state: 'hidden', timeout: LIMIT_MS});
    await connected(page);
    await page.getByText('The task store is unavailable').waitFor({timeout: LIMIT_MS});
    await listed(page, ['a', 'b', 'c', 'd', 'e']);
    renameSync(copy, file);
    await page.getByText('The task store is unavailable').waitFor({state: 'hidden', timeout: LIMIT_MS});
    await place.add({f: []});
    await listed(page, ['a', 'b', 'c', 'd', 'e', 'f']);
    await page.setViewportSize(NARROW);
    await detailOf(page).getByRole('button', {name: '‹ Tasks'}).click();
    await until(async () => await rowsOf(page).count() === 6, 'the list');
});
