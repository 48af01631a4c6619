// Performance of the page: large scenes, a busy feed, download sizes, reconnects.
import assert from 'node:assert/strict';
import net from 'node:net';
import {describe, test} from 'node:test';

import {writeBigScene} from '../fixtures/big_scene.mjs';
import {atEnd, clocked, connected, openConsole, openPage, settled, startServer, stopClock, until, watchTasks} from '../fixtures/console.mjs';
import {placeFor} from '../fixtures/console_tasks.mjs';
import {openFeed} from '../fixtures/feed.mjs';
import {copySample} from '../fixtures/unity.mjs';
import {config, mock} from '../fixtures/tooling.mjs';

const windows = page => page.getByRole('navigation', {name: 'Windows'});
const heading = (page, name) => page.locator('main h1').filter({hasText: name});
const elements = page => page.evaluate(() => document.querySelectorAll('*').length);

// ---- a large scene

test('browsing and searching 10,000 objects causes no long task', async t => {
    const project = copySample(t);
    const {scene, names, count} = writeBigScene(project.dir, {count: 10_000, levels: 8});
    const {server, page} = await openConsole(t, {project, scene, hash: '#/editor'});
    const tree = page.getByRole('tree'), rows = page.getByRole('treeitem'), row = name => page.getByRole('treeitem', {name, exact: true});
    let tasks = await watchTasks(t, page);
    await page.reload();
    await connected(page);
    await rows.first().waitFor();
    await tasks.areShort('opening');

    tasks = await watchTasks(t, page);
    await page.getByRole('button', {name: 'Expand all'}).click();
    await until(() => tree.evaluate((e, n) => e.scrollHeight >= n * 26, count), 'all rows');
    const height = await tree.evaluate(e => e.scrollHeight);
    await tree.hover();
    for (let i = 0; i < 10; i++)
        await page.mouse.wheel(0, height / 12);
    await tree.focus();
    for (const key of ['End', 'PageUp', 'PageUp', 'Home', 'PageDown', 'ArrowDown', 'End'])
        await page.keyboard.press(key);
    await until(async () => await tree.evaluate(e => e.scrollTop + e.clientHeight >= e.scrollHeight - 30), 'the end of the tree');
    assert.ok(await rows.count() < 200);
    assert.ok(await elements(page) < 3000, `${await elements(page)} elements`);
    await page.getByRole('button', {name: 'Collapse all'}).click();
    await settled(page);
    await tasks.areShort('expanding and scrolling');

    tasks = await watchTasks(t, page);
    await page.getByRole('searchbox', {name: /Search objects/}).click();
    await page.keyboard.type('99');
    const found = names.filter(name => name.includes('99')).length;
    const status = page.getByRole('search').getByRole('status');
    await status.filter({hasText: `${found}`}).waitFor(); // "N found", or "M of N"
    await page.keyboard.press('Enter');
    await status.filter({hasText: new RegExp(`^\\d+ of ${found}$`)}).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', {name: /^Missing scripts/}).click();
    await status.filter({hasText: /found|of/}).waitFor();
    await page.getByRole('button', {name: /^Missing scripts/}).click();
    await settled(page);
    await tasks.areShort('searching');

    await page.getByRole('button', {name: 'Collapse all'}).click();
    await tree.focus();
    await page.keyboard.press('Home');
    tasks = await watchTasks(t, page);
    for (let level = 1; level < 6; level++) { // expand the first object of each level
        const active = page.locator('[role="treeitem"][aria-selected="true"]');
        await page.keyboard.press('ArrowRight');
        await page.locator('[role="treeitem"][aria-selected="true"][aria-expanded="true"]').waitFor();
        await page.keyboard.press('ArrowRight');
        await until(async () => Number(await active.getAttribute('aria-level')) === level + 1, `level ${level + 1}`);
    }
    await page.keyboard.press('Alt+ArrowRight'); // the whole subtree
    await page.keyboard.press('*');
    await settled(page);
    await tasks.areShort('by keyboard');
    assert.ok(await row(names[0]).count() <= 1);
    const {root_game_objects: roots} = await server.call('get_scene_hierarchy', {max_depth: 0});
    assert.equal(roots[0].name, names[0]);
});

// ---- a busy feed

/** Clients that call a tool repeatedly, up to `rate` calls per second: {answered(), pause(), go(), stop()}. */
function stress(t, server, {clients = 8, rate = 1500} = {}) {
    const body = n => JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'get_editor_state', arguments: {},
        _meta: {'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': {name: `agent-${n}`, version: '1'},
            'io.modelcontextprotocol/clientCapabilities': {}}}});
    let answered = 0, isPaused = false;
    const ends = Array.from({length: clients}, (_, n) => {
        const text = body(n), ask = Buffer.from(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Type: application/json\r\n` +
            'Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: get_editor_state\r\n' +
            `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
        const socket = net.connect(server.port, '127.0.0.1');
        atEnd(t, async () => socket.destroy());
        let mine = 0, sent = 0;
        socket.setNoDelay(true).on('data', piece => {
            const more = piece.toString('latin1').split('HTTP/1.1 200').length - 1;
            mine += more;
            answered += more;
        }).on('error', () => {});
        let last = Date.now(), due = 0;
        const timer = setInterval(() => {
            const now = Date.now();
            due += (now - last) / 1000 * rate / clients;
            last = now;
            for (; due >= 1 && !isPaused && sent - mine < 64; due--, sent++)
                socket.write(ask);
            due = Math.min(due, 1);
        }, 5);
        atEnd(t, async () => clearInterval(timer));
        return async () => {
            clearInterval(timer);
            await until(() => mine === sent, 'the last answers');
        };
    });
    return {answered: () => answered, pause: () => { isPaused = true; }, go: () => { isPaused = false; },
        stop: () => Promise.all(ends.map(end => end()))};
}

async function heap(page) {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const {usedSize} = await session.send('Runtime.getHeapUsage');
    await session.detach();
    return usedSize;
}

test('thousands of events neither block the page nor leak memory', async t => {
    const {server, page} = await openConsole(t, {editor: 'fake', hash: '#/activity'});
    const feed = await openFeed(t, server);
    const load = stress(t, server);
    const entries = page.getByRole('listbox', {name: 'Requests and jobs'}).getByRole('option');
    await entries.filter({hasText: 'agent-'}).first().waitFor();
    await until(() => load.answered() > 3500, 'more entries than are kept');
    const before = await heap(page);

    const tasks = await watchTasks(t, page);
    const from = feed.activity, began = Date.now(), clicks = [];
    for (const name of ['Tooling', 'Tasks', 'Editor', 'Activity']) {
        const at = Date.now();
        await windows(page).getByRole('link', {name}).click();
        await heading(page, name).waitFor({state: 'attached'});
        clicks.push(Date.now() - at);
    }
    await page.getByRole('combobox', {name: 'Client'}).selectOption('agent-3');
    await page.getByRole('searchbox', {name: 'Search'}).fill('get_editor');
    await entries.last().click(); // rows move under the pointer, but the click hits one
    load.pause(); // otherwise this entry would soon be dropped
    await page.getByRole('heading', {name: 'get_editor_state'}).waitFor();
    load.go();
    await page.getByRole('button', {name: 'Close the details'}).click();
    await page.getByRole('button', {name: 'Clear filters'}).click();
    await page.getByRole('listbox', {name: 'Requests and jobs'}).press('f');
    await page.getByText('Following', {exact: true}).waitFor();
    await until(() => feed.activity - from > 3000, 'three thousand more events');
    const rate = (feed.activity - from) / (Date.now() - began) * 1000;
    t.diagnostic(`${Math.round(rate)} events a second`);
    clocked(t, 'a thousand events', 1e6 / rate, 1000);
    await tasks.areShort('under load');
    clocked(t, 'a window after the click on its link', Math.min(...clicks), 1000);
    assert.ok(await elements(page) < 3000, `${await elements(page)} elements`);
    await until(() => load.answered() > 9000, 'many more entries');
    const grown = (await heap(page) - before) / 1e6;
    t.diagnostic(`the heap has grown by ${grown.toFixed(1)} MB`);
    assert.ok(grown < 15, `the heap has grown by ${grown} MB`);
    await load.stop();
    // The page shows the newest entry.
    const [newest] = [...feed.entries.values()].sort((a, b) => b.received_at - a.received_at);
    await server.call('read_console', {message_pattern: 'the very last'});
    await entries.filter({hasText: 'the very last'}).waitFor();
    assert.ok(newest.client.startsWith('agent-'));
    assert.equal(await page.locator('[data-connection="open"]').count(), 1);
});

// ---- download sizes

test('each window loads less than 300 KB of JavaScript, and only the JSON view loads CodeMirror', async t => {
    const server = await startServer(t);
    const isCodeMirror = text => text.includes('cm-content') && text.includes('cm-scroller');
    for (const name of ['editor', 'activity', 'tasks', 'tooling']) {
        const scripts = [];
        const page = await openPage(t, server, {hash: `#/${name}`, prepare: p => p.on('response', answer => {
            if (/\.js$/.test(new URL(answer.url()).pathname))
                scripts.push(answer);
        })});
        await connected(page);
        // The other windows are loaded when the browser is idle; they count as well.
        await until(() => ['Editor', 'Activity', 'Tasks', 'Tooling'].every(w => scripts.some(s => s.url().includes(`/${w}-`))), 'all windows');
        let sum = 0;
        for (const answer of scripts) {
            const {responseBodySize: bytes} = await answer.request().sizes();
            assert.ok(bytes > 0, `${answer.url()}: ${JSON.stringify(await answer.request().sizes())}`);
            assert.equal((await answer.allHeaders())['content-encoding'], 'gzip', answer.url());
            assert.ok(!isCodeMirror(await answer.text()), `${answer.url()} is CodeMirror`);
            sum += bytes;
        }
        t.diagnostic(`${name}: ${scripts.length} scripts, ${(sum / 1000).toFixed(1)} KB`);
        assert.ok(sum <= 300_000, `${name}: ${sum} bytes`);
        if (name === 'tooling') {
            const count = scripts.length;
            await page.getByRole('tab', {name: 'JSON'}).click();
            await page.locator('.cm-content').waitFor();
            assert.ok((await Promise.all(scripts.slice(count).map(s => s.text()))).some(isCodeMirror));
        }
        await page.context().close();
    }
});

// ---- reconnects

describe('the connection', () => {
    const banner = page => page.getByRole('alert').getByText('Connection lost');
    const gone = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_NETWORK/;

    test('a killed server is noticed at once, and the data is updated after its restart', async t => {
        const tooling = config([mock('m')]);
        const place = placeFor(t, {tooling}), project = copySample(t);
        const server = await startServer(t, {user: place.user, project});
        const page = await openPage(t, server, {hash: '#/editor', prepare: p => p.clock.install()});
        page.allow(gone);
        await connected(page);
        await page.evaluate(() => { globalThis.mark = 1; });
        const {active_scene: scene} = await server.call('get_editor_state');
        const steps = [
            ['Editor', async () => project.write(scene, project.read(scene).replace('m_Name: Player', 'm_Name: Renamed')),
                () => page.getByRole('treeitem', {name: 'Renamed'})],
            ['Tooling', async () => place.user.configure({...tooling, profiles: [{...tooling.profiles[0], name: 'Meanwhile'}]}),
                () => page.getByRole('main').getByText('Meanwhile')],
            ['Tasks', () => place.add({meanwhile: []}), () => page.getByRole('option', {name: /meanwhile/})],
        ];
        for (const [name, change, shown] of steps) {
            await windows(page).getByRole('link', {name}).click();
            await heading(page, name).waitFor({state: 'attached'});
            if (name === 'Editor')
                await page.getByRole('treeitem', {name: 'Player'}).waitFor();
            await stopClock(page); // no timer can notice it
            const killed = Date.now();
            await server.kill();
            await banner(page).waitFor();
            clocked(t, `${name}: the banner after the kill`, Date.now() - killed, 1500);
            await page.clock.resume();
            await change();
            await server.restart();
            await shown().first().waitFor();
            await banner(page).waitFor({state: 'detached'});
        }
        assert.equal(await page.evaluate(() => globalThis.mark), 1, 'the page was not reloaded');
    });

    test('an idle connection is kept, a hanging server is noticed, and the page reconnects', async t => {
        const SILENCE_MS = 5500; // after this time without data the page reports a lost connection
        const server = await startServer(t), asked = [];
        const page = await openPage(t, server, {hash: '#/activity', prepare: async p => {
            p.on('request', request => asked.push(request.url()));
            await p.clock.install();
            await p.addInitScript(() => { // counts reads of the feed
                globalThis.reads = 0;
                const {read} = ReadableStreamDefaultReader.prototype;
                ReadableStreamDefaultReader.prototype.read = async function () {
                    const part = await read.call(this);
                    globalThis.reads++;
                    return part;
                };
            });
        }});
        page.allow(gone);
        await connected(page);
        let lost = 0;
        await page.exposeFunction('lostIt', () => { lost++; });
        await page.evaluate(() => new MutationObserver(() => {
            if (document.querySelector('[data-connection]').dataset.connection !== 'open')
                globalThis.lostIt();
        }).observe(document.querySelector('[data-connection]'), {attributes: true}));
        await until(() => ['Editor', 'Activity', 'Tasks', 'Tooling'].every(w => asked.some(url => url.includes(`/${w}-`))), 'the end of the initial requests');
        await stopClock(page);
        const beat = async () => {
            const before = await page.evaluate(() => globalThis.reads);
            await page.waitForFunction(n => globalThis.reads > n, before);
        };
        await beat();
        asked.length = 0;
        for (let i = 0; i < 2; i++) { // each time a beat arrives just before the limit
            await page.clock.runFor(SILENCE_MS - 100);
            await beat();
        }
        assert.equal(lost, 0);
        assert.deepEqual(asked, [], 'there are no requests');

        server.signal('SIGSTOP');
        try {
            await page.clock.runFor(SILENCE_MS - 100);
            assert.equal(lost, 0);
            await until(async () => { // a beat may still have been in transit
                await page.clock.runFor(SILENCE_MS);
                return banner(page).isVisible();
            }, 'the banner');
        } finally {
            server.signal('SIGCONT');
        }
        await page.clock.resume();
        await connected(page);
        await server.call('list_scenes');
        await page.getByRole('listbox', {name: 'Requests and jobs'}).getByRole('option').filter({hasText: 'list_scenes'}).waitFor();
    });
});
