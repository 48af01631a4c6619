// The tasks of the console on both stores: the real server, the store of a user of its own.
//
//     eachConsole('a task is listed', async (t, {place, ask}) => {
//         await place.add({a: [], b: ['a']});                    // by the command line (store.mjs)
//         const {tasks} = await ask('tasks');                    // GET /api/tasks, which must be 200
//         await refused(404, 'tasks/99');                        // any other status: the answer
//     }, {tooling: FINE});
//
// The window itself (95..): the store is SQLite, orchestrators are real ones.
//
//     const {page, place} = await openWindow(t, {hash: '#/tasks?view=graph'});
//     await rowOf(page, 'roof').click();
//     await task(page).getByText('Succeeded').waitFor();
import assert from 'node:assert/strict';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, test} from 'node:test';

import {atEnd} from './bridge.mjs';
import {connected, openPage, startServer} from './console.mjs';
import {until} from './lib.mjs';
import {freshDatabase, makePlace, postgres} from './store.mjs';

/** The newest event of this name that fits, of all that came or come. */
export const last = (feed, name, fits = () => true) =>
    until(() => feed.all.findLast(m => m.event === name && fits(m.json))?.json, `the event ${name}`, feed.source);

/** A server for this place: {server, ask, refused}; a body makes it a POST. */
export async function openTasks(t, place, options = {}) {
    const server = await startServer(t, {editor: null, user: place.user, ...options});
    const ask = server.ask.bind(server), refused = server.refused.bind(server);
    return {place, server, ask, refused};
}

/** What ends with the test ends before its user does. */
export function placeFor(t, options) {
    atEnd(t, async () => {});
    return makePlace(t, options);
}

/** The test on SQLite and on PostgreSQL, at the same time: most of it waits. */
export function eachConsole(name, body, options = {}) {
    describe(name, {concurrency: 2}, () => {
        test('SQLite', async t => body(t, await openTasks(t, placeFor(t, options))));
        test('PostgreSQL', async t => {
            const {skip} = postgres();
            if (skip)
                return t.skip(skip);
            return body(t, await openTasks(t, placeFor(t, {...options, url: freshDatabase()})));
        });
    });
}

// ---- the window

/** Server and page on a place: {page, server, place, ask, refused}. before: what is there already. */
export async function openWindow(t, {hash = '#/tasks', tooling, place = placeFor(t, {...(tooling && {tooling})}), before, size} = {}) {
    await before?.(place);
    const all = await openTasks(t, place);
    const page = await openPage(t, all.server, {hash, ...(size && {size})});
    await connected(page);
    return {...all, page};
}

/** Statements at the store itself, in one transaction; fn(db) instead of a text does more. */
export function atStore(place, what) {
    const db = new DatabaseSync(path.join(place.user.home, 'tasks.db'));
    db.exec('PRAGMA busy_timeout = 5000; BEGIN');
    if (typeof what === 'string')
        db.exec(what);
    else
        what(db);
    db.exec('COMMIT');
    db.close();
}

/** The next question to these addresses is on its way when `held` resolves, and goes on to the server with go(). */
export async function hold(page, pattern) {
    let came;
    const held = new Promise(done => { came = done; });
    await page.route(pattern, came, {times: 1});
    return {held, go: async () => (await held).continue()};
}

export const listOf = page => page.getByRole('listbox', {name: 'Tasks'});
export const rowsOf = page => listOf(page).getByRole('option');
export const rowOf = (page, name) => rowsOf(page).filter({has: page.locator('.name').getByText(name, {exact: true})});
export const namesOf = page => rowsOf(page).locator('.name').allInnerTexts();
/** The details of the task that is open. */
export const detailOf = page => page.getByRole('region', {name: 'Task', exact: true});
export const tabOf = (page, name) => detailOf(page).getByRole('tab', {name});

/** Until these are the names in sight, in this order. */
export const listed = (page, names) => until(async () => JSON.stringify(await namesOf(page)) === JSON.stringify(names),
    `the rows ${names}`).catch(async e => assert.deepEqual(await namesOf(page), names, e.message));

/** Until the command line says that the task is in this state. */
export const stateIs = (place, name, state) => until(() => place.show(name), `that ${name} is ${state}`,
    {is: task => task.state === state});
