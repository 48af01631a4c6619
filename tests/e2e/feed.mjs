// The feed of the console as a page reads it, and what a page sends.
//
//     const {server, editor, client} = await startConsole(t);         // as start() of bridge.mjs, with a home of its own
//     const feed = await openFeed(t, server);                         // {status, headers, run, ...}
//     await feed.event('editor', e => e.connected);                   // the next one that fits
//     await feed.entry(e => e.tool === 'read_console' && e.state === 'queued');
//     await feed.last('tooling', e => e.file > 1);                    // the newest of its kind, now or soon
//     feed.entries                                                    // Map: id -> entry, as it is by now
//     const {status, json} = await change(server, '/api/activity/cancel', {id});
import assert from 'node:assert/strict';

import {atEnd, folder, Inbox, start} from './bridge.mjs';
import {readEvents, until, within} from './lib.mjs';

export const originOf = server => `http://127.0.0.1:${server.port}`;

/** The server with a home of its own: what the page shows of the user's is not that of whoever runs the tests. */
export function startConsole(t, options = {}) {
    return start(t, {...options, env: {MULTIVERSE_HOME: folder(t), ...options.env}});
}

export async function openFeed(t, server, {run, activity, tasks, headers = {}} = {}) {
    const query = new URLSearchParams(Object.entries({run, activity, tasks}).filter(([, v]) => v !== undefined));
    const abort = new AbortController();
    const response = await within(fetch(`${originOf(server)}/api/feed?${query}`, {headers, signal: abort.signal}),
        'the head of the feed', () => server.seen?.());
    const feed = {status: response.status, headers: response.headers, entries: new Map(), counts: {}, ended: false};
    if (response.status !== 200) {
        feed.json = await response.json();
        return feed;
    }
    const inbox = new Inbox(() => server.seen?.());
    const take = ({event, json}) => {
        assert.ok(json && typeof json === 'object', event);
        feed.counts[event] = (feed.counts[event] ?? 0) + 1;
        if (event === 'hello')
            feed.run = json.run;
        if (event === 'activity') {
            if (json.reset)
                feed.entries.clear();
            for (const entry of json.entries) {
                assert.ok(entry.seq <= json.seq);
                feed.entries.set(entry.id, entry);
            }
            feed.activity = json.seq;
        }
        inbox.put({event, json});
    };
    const pump = (async () => {
        try {
            await readEvents(response, take);
            inbox.lose(new Error('the feed ended'));
        } catch (error) {
            feed.error = abort.signal.aborted ? undefined : error;
            inbox.lose(abort.signal.aborted ? new Error('the feed was closed') : error);
        } finally {
            feed.ended = true;
        }
    })();
    Object.assign(feed, {
        all: inbox.all, source: inbox,
        async event(name, wants = () => true) {
            return (await inbox.take(m => m.event === name && wants(m.json), `the event ${name}`)).json;
        },
        /** The newest of this name, once it is so. */
        last: (name, wants = () => true) => until(() => inbox.all.findLast(m => m.event === name)?.json,
            `such an event ${name}`, {is: newest => newest && wants(newest), from: inbox}),
        /** An entry that is so by now. */
        entry: wants => until(() => [...feed.entries.values()].find(wants), 'such an entry', inbox),
        end: () => within(pump, 'the end of the feed', () => inbox.seen()),
        async close() {
            abort.abort();
            await pump;
            if (feed.error instanceof assert.AssertionError || feed.error instanceof SyntaxError)
                throw feed.error; // what it sent was wrong; that it ended may be the test's own doing
        },
    });
    atEnd(t, () => feed.close());
    // One that goes on is told of activity only if there is something new.
    await until(() => feed.ended || feed.counts[run === undefined ? 'activity' : 'editor'], 'the first word of the feed',
        () => inbox.seen());
    return feed;
}

/** A POST as the page sends it; `headers` may say otherwise (null: left out). */
export async function change(server, where, body, headers = {}) {
    const all = {origin: originOf(server), 'content-type': 'application/json', ...headers};
    const response = await within(fetch(`${originOf(server)}${where}`, {
        method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: Object.fromEntries(Object.entries(all).filter(([, v]) => v !== null)),
    }), `the answer to POST ${where}`, () => server.seen?.());
    const text = await within(response.text(), `the whole answer to POST ${where}`, () => server.seen?.());
    return {status: response.status, headers: response.headers, text,
        json: text.startsWith('{') ? JSON.parse(text) : undefined};
}

export const cancel = async (server, id) => (await change(server, '/api/activity/cancel', {id})).json;
