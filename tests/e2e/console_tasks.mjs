// The tasks of the console on both stores: the real server, the store of a user of its own.
//
//     eachConsole('a task is listed', async (t, {place, ask}) => {
//         await place.add({a: [], b: ['a']});                    // by the command line (store.mjs)
//         const {tasks} = await ask('tasks');                    // GET /api/tasks, which must be 200
//         await refused(404, 'tasks/99');                        // any other status: the answer
//     }, {tooling: FINE});
import {test} from 'node:test';

import {atEnd} from './bridge.mjs';
import {startServer} from './console.mjs';
import {LIMIT_MS, until} from './lib.mjs';
import {freshDatabase, makePlace, postgres} from './store.mjs';

/** The newest event of this name that fits, of all that came or come. */
export const last = (feed, name, fits = () => true, ms = LIMIT_MS) =>
    until(() => feed.all.findLast(m => m.event === name && fits(m.json))?.json, `the event ${name}`, ms);

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

/** The test on SQLite and on PostgreSQL. */
export function eachConsole(name, body, options = {}) {
    test(`${name} (SQLite)`, async t => body(t, await openTasks(t, placeFor(t, options))));
    test(`${name} (PostgreSQL)`, async t => {
        const {skip} = postgres();
        if (skip)
            return t.skip(skip);
        return body(t, await openTasks(t, placeFor(t, {...options, url: freshDatabase()})));
    });
}
