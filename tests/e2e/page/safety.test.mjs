// Protection of the page: other origins, other host names, links, and markup in foreign text.
import assert from 'node:assert/strict';
import {cpSync, mkdirSync, readFileSync} from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {atEnd, axe, connected, LARGE, LIMIT_MS, NARROW, neverWider, openPage, REBOUND, settled, shots, startServer, TOKEN, until} from '../fixtures/console.mjs';
import {openTasks, placeFor} from '../fixtures/console_tasks.mjs';
import {gameObject, HEAD, metaOf, sceneRoots, script, SETTINGS, transform, writeAsset, yamlText} from '../fixtures/documents.mjs';
import {openFeed} from '../fixtures/feed.mjs';
import {config, mock} from '../fixtures/tooling.mjs';
import {Project, sample} from '../fixtures/unity.mjs';
import {metaScript} from '../../standin/meta.mjs';
import {folder} from '../fixtures/bridge.mjs';

const docs = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../docs/console.md');
const KEY = 'io.modelcontextprotocol/';

/** Send a request with exactly these headers, including Host; return {status, headers, text}. */
function raw(server, method, where, headers = {}, body = '') {
    return new Promise((resolve, reject) => {
        const request = http.request({host: '127.0.0.1', port: server.port, method, path: where, agent: false, setHost: false,
            headers: {Host: `127.0.0.1:${server.port}`, ...headers, ...(body && {'Content-Length': Buffer.byteLength(body)})}},
        answer => {
            const text = [];
            const done = () => { resolve({status: answer.statusCode, headers: answer.headers, text: Buffer.concat(text).toString()}); answer.destroy(); };
            if (answer.headers['content-type']?.startsWith('text/event-stream'))
                return done();
            answer.on('data', piece => text.push(piece)).on('end', done).on('error', reject);
        });
        request.on('error', reject).setTimeout(LIMIT_MS, () => request.destroy(new Error(`${method} ${where}: no answer`)));
        request.end(body);
    });
}

/** {directive: [value, ...]} */
const policy = text => Object.fromEntries(text.split(';').map(d => d.trim().split(/\s+/)).map(([name, ...values]) => [name, values]));

/** Return every POST route of the manual: "`POST /api/tasks/cancel`, `retry`, `remove`" are three. */
const changes = () => [...readFileSync(docs, 'utf8').matchAll(/^\| `POST (\/api\/\S+)`((?:, `\w+`)*)/gm)].flatMap(([, first, more]) =>
    [first, ...[...more.matchAll(/`(\w+)`/g)].map(([, name]) => first.replace(/\w+$/, name))]);

// ---- headers

describe('every response', () => {
    test('of the page and its data has the security headers', async t => {
        const server = await startServer(t);
        const page = await openPage(t, server, {hash: '#/editor'});
        const answers = [];
        page.on('response', answer => answers.push(answer));
        await page.reload();
        await connected(page);
        for (const hash of ['#/activity', '#/tasks?view=graph', '#/tooling', '#/tooling?view=json']) {
            await page.goto(`${server.origin}/${hash}`);
            await page.waitForLoadState('load');
        }
        await page.locator('.cm-content').waitFor();
        const of = part => answers.filter(a => new URL(a.url()).pathname.startsWith(part));
        assert.ok(of('/assets/').length > 8 && of('/api/').length > 3, answers.map(a => a.url()).join('\n'));
        for (const answer of answers) {
            const {pathname} = new URL(answer.url()), headers = await answer.allHeaders();
            if (pathname === '/mcp')
                continue; // tested in mcp/http
            const csp = policy(headers['content-security-policy'] ?? '');
            assert.deepEqual(csp['default-src'], ['\'none\''], pathname);
            assert.deepEqual(csp['frame-ancestors'], ['\'none\''], pathname);
            assert.deepEqual(csp['base-uri'], ['\'none\''], pathname);
            assert.deepEqual(csp['form-action'], ['\'none\''], pathname);
            for (const name of ['script-src', 'style-src', 'connect-src', 'font-src', 'worker-src'])
                assert.ok((csp[name] ?? ['\'self\'']).every(v => v === '\'self\''), `${pathname}: ${name} ${csp[name]}`);
            assert.ok((csp['img-src'] ?? []).every(v => ['\'self\'', 'data:'].includes(v)), pathname);
            assert.doesNotMatch(headers['content-security-policy'], /unsafe|\*|https?:|blob:/);
            assert.equal(headers['x-content-type-options'], 'nosniff', pathname);
            assert.equal(headers['referrer-policy'], 'no-referrer', pathname);
            assert.equal(headers['cross-origin-resource-policy'], 'same-origin', pathname);
            assert.equal(headers['access-control-allow-origin'], undefined, pathname);
            assert.equal(headers['set-cookie'], undefined, pathname);
            if (pathname === '/')
                assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
        }
        const html = await (await server.fetch('/')).text();
        assert.equal([...html.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)].filter(([, given, text]) =>
            text.trim() || !/\bsrc="\.?\//.test(given)).length, 0, html);
        assert.doesNotMatch(html, /<style|\bstyle=|\bon\w+=|javascript:|https?:\/\//i);
    });

    test('of an error has the same security headers', async t => {
        const server = await startServer(t, {editor: null});
        for (const [method, where, headers, status] of [['GET', '/', {Host: 'evil.example'}, 403], ['GET', '/', {Origin: 'http://evil.example'}, 403],
            ['GET', '/nothing', {}, 404], ['POST', '/', {}, 405], ['GET', '/api/nothing', {}, 404], ['GET', '/api/tasks/add', {}, 405]]) {
            const answer = await raw(server, method, where, headers);
            assert.equal(answer.status, status, `${method} ${where}`);
            assert.match(answer.headers['content-security-policy'] ?? '', /default-src 'none'.*frame-ancestors 'none'/, `${method} ${where}`);
            assert.equal(answer.headers['x-content-type-options'], 'nosniff', `${method} ${where}`);
            assert.equal(answer.headers['access-control-allow-origin'], undefined);
            assert.doesNotMatch(answer.headers['content-type'] ?? '', /html/);
        }
    });
});

// ---- names and origins

describe('access', () => {
    test('is limited to the same hosts and origins as /mcp for page, files, data and feed', async t => {
        const server = await startServer(t, {editor: null}), {port} = server;
        const html = await (await server.fetch('/')).text();
        const asset = html.match(/src="\.?(\/assets\/[^"]+\.js)"/)[1];
        const routes = ['/', '/index.html', asset, '/theme.js', '/icon.svg', '/api/tooling', '/api/tasks', '/api/feed', '/api/nothing'];
        const ping = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'ping'});
        const mcp = async headers => (await raw(server, 'POST', '/mcp', {'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers}, ping)).status === 403;
        const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`, `127.0.0.1.:${port}`,
            'evil.example', `evil.example:${port}`, `${REBOUND}:${port}`, `127.0.0.1.nip.io:${port}`, `localhost.evil.example:${port}`, `0.0.0.0:${port}`, `127.1:${port}`, `2130706433:${port}`, ''];
        const origins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`, 'null', '', `https://127.0.0.1:${port}`,
            `http://127.0.0.1:${port + 1}`, 'http://127.0.0.1', 'http://evil.example', `http://${REBOUND}:${port}`, `http://127.0.0.1:${port}.evil.example`,
            `http://evil.example#127.0.0.1:${port}`, 'chrome-extension://abcdefghijklmnop', 'file://'];
        let refused = 0;
        for (const given of [...hosts.map(Host => ({Host})), ...origins.map(Origin => ({Origin}))]) {
            const expected = await mcp(given);
            refused += expected;
            for (const route of routes) {
                const {status} = await raw(server, 'GET', route, given);
                assert.equal(status === 403, expected, `${route} ${JSON.stringify(given)}: ${status}`);
            }
        }
        assert.equal(refused, hosts.length - 4 + origins.length - 3);
    });

    test('a change requires a JSON POST with our origin on every route of the manual', async t => {
        const server = await startServer(t, {editor: null});
        const all = changes(), json = {'Content-Type': 'application/json'}, Origin = server.origin;
        const asked = new Set([...readFileSync(docs, 'utf8').matchAll(/^\| `GET (\/api\/[^`?]+)/gm)].map(([, route]) => route));
        assert.ok(all.length >= 15 && all.includes('/api/tasks/remove') && all.includes('/api/tooling/save'), all.join(' '));
        for (const route of all) {
            const post = async (headers, body = '{"what":"nothing"}') => (await raw(server, 'POST', route, headers, body)).status;
            if (!asked.has(route)) // some routes accept both
                assert.equal((await raw(server, 'GET', `${route}?id=1&action=stop`, {Origin})).status, 405, route);
            for (const method of ['PUT', 'PATCH', 'DELETE'])
                assert.equal((await raw(server, method, route, {Origin, ...json}, '{}')).status, 405, `${method} ${route}`);
            assert.equal(await post(json), 403, `${route} without an Origin`);
            assert.equal(await post({...json, Origin: 'null'}), 403, route);
            assert.equal(await post({...json, Origin: `http://127.0.0.1:${server.port + 1}`}), 403, route);
            assert.equal(await post({...json, Origin, 'Sec-Fetch-Site': 'same-site'}), 403, route);
            for (const type of ['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp', ''])
                assert.equal(await post({Origin, ...(type && {'Content-Type': type})}), 415, `${route} ${type}`);
            const {status, headers} = await raw(server, 'OPTIONS', route, {Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST',
                'Access-Control-Request-Headers': 'content-type'});
            assert.equal(status, 403, route);
            assert.equal(headers['access-control-allow-origin'], undefined);
        }
    });

    test('a rebound DNS name gets no access', async t => {
        const server = await startServer(t, {editor: null});
        // The page was loaded before the name was rebound, so our policy does not apply to it.
        const page = await openPage(t, {origin: `http://${REBOUND}:${server.port}`}, {bypassCSP: true});
        page.allow(/403/);
        assert.equal(await page.locator('script, #app').count(), 0);
        assert.equal(await page.evaluate(async () => (await fetch('/api/tooling')).status), 403);
        assert.equal(await page.evaluate(async () => (await fetch('/api/tooling/force', {method: 'POST', body: '{"enabled":true,"tool":"mock"}',
            headers: {'content-type': 'application/json'}})).status), 403);
        assert.equal((await server.api('tooling')).body.view.force.enabled, false);
    });
});

// ---- another origin

/** Run in a page of another origin: try to read and to change data; return what could be read. */
async function attack({target, posts, gets, asset}) {
    const read = [], tries = [];
    const note = (what, text) => { if (text) read.push(`${what}: ${String(text).slice(0, 80)}`); };
    const attempt = (what, run) => { tries.push(what); return Promise.resolve().then(run).then(text => note(what, text), () => {}); };
    const element = (name, set) => new Promise(done => {
        const e = document.createElement(name);
        e.onload = () => done(`${name} loaded`);
        e.onerror = () => done('');
        Object.assign(e, set);
        document.body.append(e);
    });
    const frame = name => { const f = document.createElement('iframe'); f.name = name; document.body.append(f); return f; };
    const form = (where, enctype, fields) => new Promise(done => {
        const name = `f${Math.random()}`, f = frame(name), e = document.createElement('form');
        Object.assign(e, {method: 'post', action: target + where, enctype, target: name});
        for (const [key, value] of Object.entries(fields)) {
            const input = document.createElement('input');
            Object.assign(input, {type: 'hidden', name: key, value});
            e.append(input);
        }
        document.body.append(e);
        f.onload = () => { try { done(f.contentDocument?.body?.innerText ?? ''); } catch { done(''); } };
        e.submit();
    });
    const all = [];
    for (const where of gets) {
        for (const init of [{}, {mode: 'no-cors'}, {credentials: 'include'}, {mode: 'no-cors', credentials: 'include', cache: 'force-cache'}, {headers: {'x-own': '1'}}])
            all.push(attempt(`fetch ${where} ${JSON.stringify(init)}`, async () => {
                const stop = new AbortController();
                const answer = await fetch(target + where, {...init, signal: stop.signal});
                const first = await answer.body?.getReader().read(); // a stream never ends
                stop.abort();
                return first?.value && new TextDecoder().decode(first.value);
            }));
        all.push(attempt(`script ${where}`, () => element('script', {src: target + where})));
        all.push(attempt(`module ${where}`, () => element('script', {type: 'module', src: target + where})));
        all.push(attempt(`img ${where}`, () => element('img', {src: target + where})));
        all.push(attempt(`style ${where}`, () => element('link', {rel: 'stylesheet', href: target + where})));
        all.push(attempt(`XHR ${where}`, () => new Promise(done => {
            const x = new XMLHttpRequest();
            x.onloadend = () => done(x.responseText);
            x.open('GET', target + where);
            x.send();
        })));
        all.push(attempt(`iframe ${where}`, async () => {
            const f = frame('');
            await new Promise(done => { f.onload = done; f.src = target + where; });
            return f.contentDocument?.body?.innerText;
        }));
    }
    all.push(attempt('import', () => import(target + asset).then(() => 'a module')));
    all.push(attempt('EventSource', () => new Promise(done => {
        const source = new EventSource(`${target}/api/feed`);
        source.onopen = source.onmessage = () => done('a feed');
        source.addEventListener('hello', e => done(e.data));
        source.onerror = () => { source.close(); done(''); };
    })));
    for (const where of ['/unity', '/mcp', '/api/feed', '/'])
        all.push(attempt(`WebSocket ${where}`, () => new Promise(done => {
            const socket = new WebSocket(target.replace('http', 'ws') + where);
            socket.onopen = () => done('a socket');
            socket.onerror = socket.onclose = () => done('');
        })));
    for (const [where, body] of posts) {
        const text = JSON.stringify(body);
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json'])
            for (const mode of ['cors', 'no-cors'])
                all.push(attempt(`POST ${where} ${type} ${mode}`, async () =>
                    (await fetch(target + where, {method: 'POST', mode, body: text, headers: {'content-type': type}, credentials: 'include'})).text()));
        all.push(attempt(`POST ${where} as bytes`, async () => (await fetch(target + where, {method: 'POST', mode: 'no-cors', body: new Blob([text])})).text()));
        all.push(attempt(`beacon ${where}`, () => { navigator.sendBeacon(target + where, text); }));
        all.push(attempt(`beacon ${where} json`, () => { navigator.sendBeacon(target + where, new Blob([text], {type: 'application/json'})); }));
        // A form body that is JSON except for its "=".
        all.push(attempt(`form ${where} text/plain`, () => form(where, 'text/plain', {[`${text.slice(0, -1)},"x":"`]: '"}'})));
        all.push(attempt(`form ${where} urlencoded`, () => form(where, 'application/x-www-form-urlencoded', body)));
        all.push(attempt(`form ${where} multipart`, () => form(where, 'multipart/form-data', body)));
        all.push(attempt(`GET ${where}`, () => element('img', {src: `${target}${where}?${new URLSearchParams(body)}`})));
    }
    await Promise.all(all);
    return {read, tries: tries.length};
}

test('a page of another origin can neither read nor change anything', async t => {
    const tooling = config([mock('m', metaScript())]);
    tooling.profiles.push({...structuredClone(tooling.profiles[0]), id: 'other', name: 'Other'});
    const place = placeFor(t, {tooling});
    const project = copyTo(t, 'sample-project');
    const server = await startServer(t, {user: place.user, project, scene: 'GameScene',
        config: {tests: {command: ['sh', '-c', 'sleep 1000 & wait']}}});
    await place.add({waits: []});
    const {body: {tasks: [{id: task}]}} = await server.api('tasks');
    const {job_id} = await server.call('run_tests', {});
    await until(async () => (await server.call('get_job_status', {job_id})).state === 'running', 'a running job');

    const evil = http.createServer((_, answer) => answer.writeHead(200, {'content-type': 'text/html'})
        .end('<!doctype html><title>evil</title><body><button onclick="opened = window.open(this.dataset.to)">Click me</button>'));
    await new Promise(done => evil.listen(0, done));
    atEnd(t, () => new Promise(done => { evil.closeAllConnections(); evil.close(done); }));
    const seen = readFileSync(place.user.file, 'utf8'), scene = project.read('Assets/Scenes/GameScene.unity');
    const asset = (await (await server.fetch('/')).text()).match(/src="\.?(\/assets\/[^"]+\.js)"/)[1];
    const rpc = {jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'manage_component', arguments: {action: 'update', game_object_path: '/Player', index: 1,
        fields: {mass: 66}}, _meta: {[`${KEY}protocolVersion`]: '2026-07-28', [`${KEY}clientInfo`]: {name: 'evil', version: '1'}, [`${KEY}clientCapabilities`]: {}}}};
    const posts = [['/api/tooling/save', {text: '{}', seen}], ['/api/tooling/profile', {id: 'other'}], ['/api/tooling/force', {enabled: true, tool: 'mock', model: 'm'}],
        ['/api/tasks/add', {tasks: [{form: {name: 'evil', title: 'evil', repo: '.', prd: 'x'}}]}], ['/api/tasks/cancel', {ids: [task]}],
        ['/api/tasks/remove', {ids: [task]}], ['/api/tasks/goal', {goal: 'evil'}], ['/api/orchestrate', {action: 'pause'}],
        ['/api/activity/cancel', {id: job_id}], ['/mcp', rpc]];
    const gets = ['/', '/api/tooling', '/api/tasks', '/api/feed', '/icon.svg', '/theme.js', asset];
    const state = async () => {
        const {tasks, control} = (await server.api('tasks')).body;
        const feed = await openFeed(t, server);
        const entries = [...feed.entries.values()].filter(e => !['get_job_status', 'get_editor_state'].includes(e.tool));
        await feed.close();
        return {tasks, control, tooling: readFileSync(place.user.file, 'utf8'), scene: project.read('Assets/Scenes/GameScene.unity'),
            job: (await server.call('get_job_status', {job_id})).state, entries: entries.map(e => [e.id, e.tool, e.client, e.state])};
    };
    const before = await state();

    // Another port of the same host is the same site, another name is another site.
    for (const host of ['127.0.0.1', 'localhost']) {
        const page = await openPage(t, {origin: `http://${host}:${evil.address().port}`});
        page.allow(/^/);
        const open = new Set();
        page.on('request', request => open.add(request));
        for (const end of ['requestfinished', 'requestfailed'])
            page.on(end, request => open.delete(request));
        const {read, tries} = await page.evaluate(attack, {target: server.origin, posts, gets, asset});
        t.diagnostic(`${host}: ${tries} attempts`);
        assert.ok(tries > 150);
        assert.deepEqual(read, []);
        await until(() => open.size === 0, 'the end of all requests');
        assert.deepEqual(await state(), before);
        assert.equal(page.frames().filter(f => f.url().startsWith(server.origin) && f !== page.mainFrame()).length, 0, 'no frame shows the page');

        // A window that it opens shows the page to the person, but the opener cannot access it.
        await page.getByRole('button').evaluate((b, to) => { b.dataset.to = to; }, `${server.origin}/#/tasks?add=goal&goal=evil`);
        const [popup] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('button').click()]);
        await connected(popup);
        assert.equal(await page.evaluate(() => { try { return globalThis.opened.document?.title ?? null; } catch { return null; } }), null);
        assert.ok(await page.evaluate(() => { try { globalThis.opened.postMessage('{"event":"hello"}', '*'); globalThis.opened.location = 'about:blank'; } catch {} return globalThis.opened.closed; }), 'the opener has no access');
        await connected(popup);
        assert.deepEqual(await state(), before);
        await page.context().close();
    }

    // The same attempts succeed from our own page, so they are effective.
    const {page} = await ownPage(t, server);
    const {read} = await page.evaluate(attack, {target: server.origin, posts: [['/api/tooling/profile', {id: 'other'}], ['/api/activity/cancel', {id: job_id}]], gets: ['/api/tooling'], asset});
    assert.ok(read.some(r => r.startsWith('fetch /api/tooling')) && read.some(r => r.startsWith('EventSource')), read.join('\n'));
    assert.equal(JSON.parse(readFileSync(place.user.file, 'utf8')).activeProfile, 'other');
    await until(async () => (await server.call('get_job_status', {job_id})).state === 'cancelled', 'the job cancelled');
    assert.equal(project.read('Assets/Scenes/GameScene.unity'), scene);
});

async function ownPage(t, server) {
    const page = await openPage(t, server, {hash: '#/activity'});
    page.allow(/^/); // its policy blocks forms, data scripts and sockets
    await connected(page);
    return {page};
}

function copyTo(t, name) {
    const dir = path.join(folder(t), name);
    mkdirSync(dir);
    cpSync(sample, dir, {recursive: true});
    return new Project(dir);
}

// ---- the token

test('the token is only sent in a header to this server', async t => {
    const server = await startServer(t, {token: TOKEN});
    for (const where of ['/', '/index.html', '/theme.js', '/icon.svg'])
        assert.equal((await raw(server, 'GET', where)).status, 200, where);
    const html = (await raw(server, 'GET', '/')).text;
    for (const [, asset] of html.matchAll(/="\.?(\/assets\/[^"]+)"/g))
        assert.equal((await raw(server, 'GET', asset)).status, 200, asset);
    for (const where of ['/api/feed', '/api/tooling', '/api/tasks', '/api/tasks/1', '/api/nothing', '/mcp'])
        for (const headers of [{}, {Authorization: `Bearer ${TOKEN}x`}, {Authorization: TOKEN}, {Cookie: `token=${TOKEN}`}])
            assert.equal((await raw(server, 'GET', `${where}?token=${TOKEN}`, headers)).status, 401, where);
    for (const where of changes())
        assert.equal((await raw(server, 'POST', where, {Origin: server.origin, 'Content-Type': 'application/json'}, '{}')).status, 401, where);

    const page = await openPage(t, server);
    page.allow(/401/);
    await page.getByRole('heading', {name: 'Token required'}).waitFor(); // it sent requests without a token
    const requests = [];
    page.on('request', request => requests.push(request));
    await page.goto(`${server.origin}/#token=${TOKEN}&/tooling`);
    await page.reload();
    await connected(page);
    assert.equal(new URL(page.url()).hash, '#/tooling');
    await page.goBack().catch(() => {});
    assert.ok(!page.url().includes(TOKEN), 'not in the history');
    await connected(page);
    assert.ok(requests.length > 5);
    for (const request of requests) {
        const headers = await request.allHeaders(), {pathname} = new URL(request.url());
        assert.ok(!request.url().includes(TOKEN), request.url());
        assert.ok(!headers.referer, headers.referer);
        assert.equal(headers.authorization, /^\/(api|mcp)/.test(pathname) ? `Bearer ${TOKEN}` : undefined, pathname);
    }
    assert.deepEqual(await page.evaluate(token => [JSON.stringify({...localStorage}).includes(token), document.cookie, document.documentElement.outerHTML.includes(token)], TOKEN),
        [false, '', false]);
    assert.ok(!server.program.stderr.includes(TOKEN));

    // Another tab has no token; an invalid one is rejected.
    const other = await openPage(t, server, {hash: '#token=wrong&/tooling'});
    other.allow(/401/);
    await other.getByRole('heading', {name: 'Token required'}).waitFor();
    await other.getByText('rejected the token of this tab').waitFor();
    assert.equal(new URL(other.url()).hash, '#/tooling');
});

// ---- a hostile project

const IMG = '<img src=x onerror=hacked=1>';
const EVIL = `${IMG}</script><script>hacked=2</script><a href="javascript:hacked=3">x</a>{{7*7}}\${7*7}<svg onload=hacked=4> &lt;b&gt;\u202Etxt.exe\u2066\u0007\u001b[31mred\u001b]0;title\u0007 \u2028 \u200f\ufeff`;
const LONG = `${IMG}${'W'.repeat(10_000)}`;
// eslint-disable-next-line no-control-regex
const LINE = EVIL.replace(/[\0-\x1f]/g, ''); // for fields that reject control characters
const BROKEN = `\ud800${IMG}`; // a lone surrogate

/** Write a scene with all these names; one object has a script with a text and a reference. */
function writeHostile(project) {
    const names = [EVIL, LONG, BROKEN, `nul\0${IMG}`, IMG, '', '\u202e\u202e\u202e'];
    const guid = 'e1100000000000000000000000000001';
    const roots = names.map((_, n) => 101 + 10 * n);
    const objects = names.map((name, n) => gameObject(100 + 10 * n, [101 + 10 * n, ...(name === IMG ? [199] : [])], name) + transform(101 + 10 * n, 100 + 10 * n));
    writeAsset(project.dir, `Assets/Scripts/${IMG}/Evil.cs`, metaOf(guid, 'MonoImporter'),
        `using UnityEngine;\npublic class Evil : MonoBehaviour { public string text; public GameObject other; public string[] list; }\n`);
    writeAsset(project.dir, `Assets/Scenes/${IMG}.unity`, metaOf('e1100000000000000000000000000002'), HEAD + SETTINGS + objects.join('') +
        script(199, 140, guid, `  text: ${yamlText(EVIL)}\n  other: {fileID: 100}\n  list:\n  - ${yamlText(EVIL)}\n  - ${yamlText(LONG)}\n`) + sceneRoots(roots));
    writeAsset(project.dir, `Assets/Scenes/broken${IMG}.unity`, metaOf('e1100000000000000000000000000003'), 'no scene\n');
    return `Assets/Scenes/${IMG}.unity`;
}

/** Assert that foreign text is only displayed as text, without invisible or bidirectional characters. */
async function assertIsText(page, where) {
    await settled(page);
    const found = await page.evaluate(() => {
        const problems = [];
        if (globalThis.hacked !== undefined)
            problems.push(`hacked: ${globalThis.hacked}`);
        for (const e of document.querySelectorAll('img, iframe, object, embed, base, form[action], meta[http-equiv], a[href^="javascript"], svg[onload], svg script'))
            problems.push(e.outerHTML.slice(0, 200));
        for (const e of document.querySelectorAll('script'))
            if (!e.src.startsWith(location.origin) || e.textContent)
                problems.push(e.outerHTML.slice(0, 200));
        // eslint-disable-next-line no-control-regex
        const unseen = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
        const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
        for (let n = walk.currentNode; n; n = walk.nextNode()) {
            if (n.nodeType === Node.TEXT_NODE) {
                if (unseen.test(n.data) && !n.parentElement.closest('.cm-editor'))
                    problems.push(`text ${JSON.stringify(n.data.slice(0, 300))} in ${n.parentElement.outerHTML.slice(0, 100)}`);
                continue;
            }
            for (const a of n.attributes) {
                if (/^on/.test(a.name))
                    problems.push(`${a.name} of ${n.outerHTML.slice(0, 100)}`);
                if (['title', 'aria-label', 'placeholder', 'alt', 'aria-valuetext', 'label'].includes(a.name) && unseen.test(a.value))
                    problems.push(`${a.name} ${JSON.stringify(a.value.slice(0, 200))}`);
            }
        }
        return problems;
    });
    assert.deepEqual(found, [], where);
}

test('a hostile project is displayed as text in every window', async t => {
    const tooling = config([mock(EVIL, metaScript(), {weight: 3}), mock(LONG, metaScript())]);
    tooling.profiles[0].name = EVIL;
    tooling.profiles.push({...structuredClone(tooling.profiles[0]), id: IMG, name: LONG});
    const place = placeFor(t, {tooling});
    const project = copyTo(t, `${IMG}\u202e`);
    const scene = writeHostile(project);
    const {server, ask} = await openTasks(t, place, {editor: 'headless', project});
    for (const [name, title] of [[IMG, LINE], ['long', LONG.slice(0, 256)]])
        await ask('tasks/add', {tasks: [{form: {name, title, repo: place.user.repo, prd: `${EVIL}\n${LONG}`, needs: name === 'long' ? [IMG] : [],
            test_command: `printf '%b' '<script>hacked=5</script>${IMG}\\033[31m\\007 \\377\\376 \\r\\n\\342\\200\\256 turned\\n'; false`, max_loops: 1}}], max_attempts: 1, goal: EVIL});
    await place.orchestrate('--until-idle');
    await server.call('open_scene', {path: scene});
    await server.tool('open_scene', {path: `Assets/Scenes/broken${IMG}.unity`}, {client: EVIL});
    await server.call('get_scene_hierarchy', {}, {client: LONG});
    await server.tool('get_component_info', {game_object_path: EVIL, index: 0}, {client: IMG});

    const page = await openPage(t, server, {hash: '#/editor'});
    await connected(page);
    const shown = page.getByText('<img src=x onerror=hacked=1>');
    const checkView = async (name, hash, ready, shoot = true) => {
        await page.goto(`${server.origin}/${hash}`);
        await ready.first().waitFor();
        await shown.first().waitFor();
        if (shoot)
            await shots(page, `hostile-${name}`);
        else
            for (const size of [NARROW, LARGE]) {
                await page.setViewportSize(size);
                await settled(page);
                await neverWider(page, `${name} ${size.width}`);
            }
        await assertIsText(page, name);
        await axe(page);
    };
    const {body: {tasks: [{id}]}} = await server.api('tasks');
    await checkView('editor', `#/editor?${new URLSearchParams({path: `/${IMG}`})}`, page.getByRole('region', {name: /^Evil, component/}));
    assert.equal(await page.getByRole('treeitem').count(), 7);
    await page.getByRole('button', {name: /open.*scene|scene/i}).first().click();
    await page.getByRole('dialog').waitFor();
    await assertIsText(page, 'the scene dialog');
    await page.keyboard.press('Escape');
    const entry = page.getByRole('listbox', {name: 'Requests and jobs'}).getByRole('option').filter({hasText: 'get_component_info'});
    await page.goto(`${server.origin}/#/activity`);
    await entry.last().click();
    await checkView('activity', `#${new URL(page.url()).hash.slice(1)}`, page.getByRole('region', {name: 'Details'}));
    await checkView('tasks', `#/tasks?task=${id}`, page.getByRole('tab', {name: 'Overview'}));
    await checkView('tasks-log', `#/tasks?task=${id}&tab=log`, page.getByText('<script>hacked=5</script>'));
    await checkView('tasks-decisions', `#/tasks?task=${id}&tab=decisions`, page.getByRole('tabpanel'), false);
    await checkView('tasks-graph', '#/tasks?view=graph', page.getByRole('heading', {name: 'Tasks'}), false);
    await checkView('tooling', '#/tooling', page.getByRole('heading', {name: 'Tooling'}));
    await checkView('tooling-json', '#/tooling?view=json', page.locator('.cm-content'), false);
    await checkView('tooling-decisions', '#/tooling?view=decisions', page.getByRole('heading', {name: 'Tooling'}), false);
    assert.match(await page.title(), /<img src=x onerror=hacked=1>/);
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
});
