// The feed: what a page receives, how often, and pages that leave, come back or do not read.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {modernCall, NEVER_MS, ok, open, serve} from '../fixtures/bridge.mjs';
import {openFeed, startConsole} from '../fixtures/feed.mjs';
import {enveloped, modernHeaders, openSocket, parseEvents, request, until, within} from '../fixtures/program.mjs';

const MANY = 1000;

/** Send this many modern calls at once on one connection; wait for the last answer. */
async function flood(server, count, name, args) {
    const connection = await openSocket(server);
    const message = request(1, 'tools/call', enveloped({name, arguments: args}));
    const body = JSON.stringify(message);
    const head = Object.entries({Host: `127.0.0.1:${server.port}`, 'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream', 'Content-Length': Buffer.byteLength(body),
        ...modernHeaders(message)}).map(([k, v]) => `${k}: ${v}\r\n`).join('');
    const one = `POST /mcp HTTP/1.1\r\n${head}\r\n${body}`;
    let answers = 0, tail = '';
    connection.socket.removeAllListeners('data');
    const done = new Promise((resolve, reject) => {
        connection.socket.on('data', piece => {
            const text = tail + piece.toString('latin1');
            answers += text.split('HTTP/1.1 200 OK\r\n').length - 1;
            tail = text.slice(-16); // shorter than a whole answer
            if (answers >= count)
                resolve();
        });
        connection.socket.on('close', () => reject(new Error(`closed after ${answers} answers`)));
    });
    for (let sent = 0; sent < count; sent += 100)
        if (!connection.send(one.repeat(Math.min(100, count - sent))))
            await new Promise(resolve => connection.socket.once('drain', resolve));
    await within(done, `${count} answers`, () => `${answers} answers`);
    connection.socket.removeAllListeners('close');
    connection.close();
}

describe('a page', () => {
    test('gets the present state at once', async t => {
        const {server} = await startConsole(t, {editor: false});
        const feed = await openFeed(t, server);
        assert.equal(feed.status, 200);
        assert.equal(feed.headers.get('content-type'), 'text/event-stream');
        const hello = await feed.event('hello'), editor = await feed.event('editor');
        assert.match(hello.run, /^[0-9a-f]{32}$/);
        assert.match(hello.version, /^\d+\.\d+/);
        assert.equal(typeof hello.project, 'string');
        assert.ok(Math.abs(Date.now() - hello.now) < 60_000);
        assert.equal(editor.connected, false);
        assert.equal(editor.wait_reason, 'reconnecting');
        assert.deepEqual([editor.scene_seq, editor.console_seq], [null, null]);
        const {file, rests} = await feed.event('tooling');
        assert.deepEqual([typeof file, typeof rests], ['number', 'number']);
    });

    test('gets a heartbeat when nothing happens', async t => {
        const {server} = await startConsole(t, {editor: false});
        const feed = await openFeed(t, server);
        const {now} = await feed.event('beat');
        assert.ok(Math.abs(Date.now() - now) < 60_000);
    });

    test('sees the editor connect, work, leave and reconnect', async t => {
        const {server, editor, client} = await startConsole(t, {limits: {request_reconnect_wait_ms: NEVER_MS}});
        const feed = await openFeed(t, server);
        await feed.event('editor', e => e.connected && e.editor_state === 'ready');
        await editor.hold();
        const call = client.call('read_console');
        await feed.event('editor', e => e.queue.running?.tool === 'read_console');
        await editor.command('down', {how: 'drop'});
        await feed.event('editor', e => !e.connected);
        const other = client.call('get_scene_hierarchy');
        await feed.entry(e => e.tool === 'get_scene_hierarchy' && e.state === 'waiting_editor_ready' && e.reason === 'reconnecting');
        await editor.command('up');
        await feed.event('editor', e => e.connected);
        await Promise.all([call, other]);
        await feed.entry(e => e.tool === 'get_scene_hierarchy' && e.state === 'succeeded');
    });

    test('gets the counters of the editor', async t => {
        const {server, editor} = await startConsole(t);
        const feed = await openFeed(t, server);
        await editor.send({type: 'editor_status', seq: 1_000_001, state: 'ready', scene_seq: 7});
        assert.equal((await feed.event('editor', e => e.scene_seq === 7)).console_seq, null);
        await editor.send({type: 'editor_status', seq: 1_000_002, state: 'ready', scene_seq: 7, console_seq: 1});
        await feed.event('editor', e => e.scene_seq === 7 && e.console_seq === 1);
    });
});

describe('a page that was away', () => {
    test('gets only what is new', async t => {
        const {server, client} = await startConsole(t);
        ok(await client.call('read_console', {message_pattern: 'before'}));
        const first = await openFeed(t, server);
        await first.entry(e => e.subject === 'before' && e.state === 'succeeded');
        await first.close();
        ok(await client.call('read_console', {message_pattern: 'meanwhile'}));
        const second = await openFeed(t, server, {run: first.run, activity: first.activity, tasks: -1});
        await second.entry(e => e.subject === 'meanwhile' && e.state === 'succeeded');
        assert.equal(second.run, first.run);
        assert.ok(![...second.entries.values()].some(e => e.subject === 'before'));
        assert.ok(second.all.every(m => m.event !== 'activity' || m.json.reset === false));
    });

    test('starts again with another server', async t => {
        const {server, client} = await startConsole(t);
        ok(await client.call('read_console'));
        const feed = await openFeed(t, server, {run: '0123456789abcdef0123456789abcdef', activity: 1});
        assert.equal((await feed.event('activity')).reset, true);
        assert.notEqual(feed.run, '0123456789abcdef0123456789abcdef');
    });

    test('starts again if it missed too much', async t => {
        const {server} = await startConsole(t, {editor: false});
        const first = await openFeed(t, server);
        await flood(server, 1, 'get_editor_state', {});
        const seen = await first.event('activity', a => a.entries.length > 0);
        await first.close();
        await flood(server, 2100, 'get_editor_state', {});
        const second = await openFeed(t, server, {run: first.run, activity: seen.seq});
        const {reset, entries} = await second.event('activity');
        assert.equal(reset, true);
        assert.equal(entries.length, 2000);
    });
});

describe('many events', () => {
    test('are merged: an entry that changed often is sent once', async t => {
        const {server, client} = await startConsole(t);
        const feed = await openFeed(t, server);
        const start = performance.now();
        for (let left = MANY; left; left -= 20) // twenty at a time: as many as wait at most, and some
            await Promise.all(Array.from({length: 20}, () => client.call('read_console').then(ok)));
        await until(() => [...feed.entries.values()].filter(e => e.tool === 'read_console' && e.ended_at).length,
            'all of them', {is: n => n === MANY, from: feed.source});
        const most = (performance.now() - start) / 50 + 5;
        assert.ok(feed.counts.activity <= most, `${feed.counts.activity} events, at most ${most}`);
        assert.ok(feed.counts.editor <= most, `${feed.counts.editor} events, at most ${most}`);
        const told = feed.all.filter(m => m.event === 'activity').reduce((n, m) => n + m.json.entries.length, 0);
        assert.ok(told < 4 * MANY, `${told} entries sent`); // each changes four times
        for (const e of feed.entries.values())
            assert.deepEqual([e.outcome, e.can_cancel], ['ok', false]);
    });

    test('reach all pages in the same form', async t => {
        const {server} = await startConsole(t, {editor: false});
        const feeds = await Promise.all(Array.from({length: 10}, () => openFeed(t, server)));
        await flood(server, MANY, 'get_editor_state', {});
        for (const feed of feeds)
            await until(() => feed.entries.size, 'all of them', {is: n => n === MANY, from: feed.source});
        const [first, ...others] = feeds.map(feed => JSON.stringify([...feed.entries].sort()));
        for (const other of others)
            assert.equal(other, first);
    });

    test('are not queued: a page that does not read costs no memory and then gets the newest', async t => {
        const {server} = await startConsole(t, {editor: false});
        const feed = await openFeed(t, server);
        const slowOne = await openSocket(server);
        slowOne.socket.pause();
        slowOne.send(`GET /api/feed HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
        const long = {message_pattern: 'x'.repeat(160), max_entries: -1}; // refused: long in the feed, and quick
        await flood(server, 3000, 'read_console', long);
        const before = server.rss();
        for (let i = 0; i < 10; i++)
            await flood(server, 3000, 'read_console', long);
        const grown = server.rss() - before;
        if (process.env.MULTIVERSE_SANITIZED !== '1') // what is freed stays with the sanitizer for a while
            assert.ok(grown < 24 << 20, `${grown} bytes more`);
        await flood(server, 1, 'get_editor_state', {});
        await feed.entry(e => e.tool === 'get_editor_state');
        slowOne.socket.resume();
        await until(() => slowOne.received().includes('get_editor_state'), 'the newest, at last', slowOne.source);
        const heard = slowOne.received().length;
        assert.ok(heard < 20 << 20, `${heard} bytes`); // of 30,000 entries of a kilobyte
        slowOne.close();
    });

    test('reach other pages while one hangs', async t => {
        const {server} = await startConsole(t, {editor: false});
        const hung = await Promise.all([1, 2, 3].map(() => openSocket(server)));
        for (const {socket, send} of hung) {
            socket.pause();
            send(`GET /api/feed HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
        }
        const feed = await openFeed(t, server);
        await flood(server, 5000, 'get_editor_state', {});
        await modernCall(server, 'get_editor_state');
        await until(() => feed.activity, 'the last one', {is: n => n >= 10_002, from: feed.source});
        hung.forEach(one => one.close());
    });
});

describe('pages', () => {
    test('are at most thirty-two; closing one makes room', async t => {
        const {server} = await startConsole(t, {editor: false});
        const feeds = await Promise.all(Array.from({length: 32}, () => openFeed(t, server)));
        assert.ok(feeds.every(feed => feed.status === 200));
        const one = await openFeed(t, server);
        assert.equal(one.status, 503);
        assert.match(one.json.error.message, /32 pages/);
        await feeds[0].close();
        await until(() => openFeed(t, server), 'room', {is: now => now.status === 200});
    });

    test('that come and go leave nothing', async t => {
        const {server} = await startConsole(t, {editor: false});
        for (let i = 0; i < 100; i++)
            await (await openFeed(t, server)).close();
        const feed = await openFeed(t, server);
        assert.equal(feed.status, 200);
        await flood(server, 10, 'get_editor_state', {});
        await until(() => feed.entries.size, 'what happens now', {is: n => n === 10, from: feed.source});
    });

    test('with an invalid position get 400', async t => {
        const server = await serve(t);
        for (const activity of ['-1', 'x', '1.5', '99999999999999999999'])
            assert.equal((await openFeed(t, server, {activity})).status, 400, activity);
        for (const tasks of ['-2', 'x'])
            assert.equal((await openFeed(t, server, {tasks})).status, 400, tasks);
    });
});

test('the feed is a standard event stream', async t => {
    const {server} = await startConsole(t, {editor: false});
    const raw = await openSocket(server);
    raw.send(`GET /api/feed HTTP/1.0\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`); // without chunks
    const text = await until(() => {
        const all = raw.received().toString();
        return all.includes('event: tooling') && all.endsWith('\n\n') && all;
    }, 'the first events', raw.source);
    const events = parseEvents(text.slice(text.indexOf('\r\n\r\n') + 4));
    assert.deepEqual(events.slice(0, 4).map(e => e.event), ['hello', 'editor', 'activity', 'tooling']);
    raw.close();
    await open(t, server); // the server still works
});
