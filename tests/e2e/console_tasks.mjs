// The tasks of the console on both stores: the real server, the store of a user of its own.
//
//     eachConsole('a task is listed', async (t, {place, ask}) => {
//         await place.add({a: [], b: ['a']});                    // by the command line (store.mjs)
//         const {tasks} = await ask('tasks');                    // GET /api/tasks, which must be 200
//         await refused(404, 'tasks/99');                        // any other status: the answer
//     }, {tooling: FINE});
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {atEnd} from './bridge.mjs';
import {startServer} from './console.mjs';
import {freshDatabase, makePlace, postgres} from './store.mjs';

/** A server for this place: {server, ask, refused}; a body makes it a POST. */
export async function openTasks(t, place, options = {}) {
    const server = await startServer(t, {editor: null, user: place.user, ...options});
    const ask = async (where, body) => {
        const {status, body: answer} = await server.api(where, body);
        assert.equal(status, 200, `${where}: ${status} ${JSON.stringify(answer).slice(0, 500)}`);
        return answer;
    };
    const refused = async (status, where, body) => {
        const {status: got, body: answer} = await server.api(where, body);
        assert.equal(got, status, `${where}: ${JSON.stringify(answer).slice(0, 500)}`);
        assert.ok(answer.error.message && answer.error.code, JSON.stringify(answer));
        return answer;
    };
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
