// Access to the console, byte by byte: Host, Origin, token, methods, types. docs/console.md.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {folder, serve} from '../fixtures/bridge.mjs';
import {run} from '../fixtures/cli.mjs';
import {change, openFeed, originOf} from '../fixtures/feed.mjs';
import {openSocket, until} from '../fixtures/program.mjs';

const home = t => ({env: {MULTIVERSE_HOME: folder(t)}});

/** Send one request with exactly these lines; return the status. */
async function status(server, line, fields = {}, body = '') {
    const connection = await openSocket(server);
    const all = {Host: `127.0.0.1:${server.port}`, ...(body && {'Content-Length': Buffer.byteLength(body)}), ...fields};
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join('');
    connection.send(`${line} HTTP/1.1\r\n${lines}\r\n${body}`);
    try {
        return await until(() => {
            const m = connection.received().toString('latin1').match(/^HTTP\/1\.1 (\d+) /);
            return m && Number(m[1]);
        }, 'a status line', connection.source);
    } finally {
        connection.close();
    }
}

const ROUTES = ['GET /', 'GET /api/feed', 'GET /api/nothing'];
const POSTS = ['/api/activity/cancel'];
const JSON_TYPE = {'Content-Type': 'application/json'};

describe('without a token', () => {
    test('only loopback names and the page\'s own Origin are accepted', async t => {
        const server = await serve(t, home(t));
        for (const route of ROUTES) {
            for (const host of ['evil.example', `evil.example:${server.port}`, '127.0.0.1', `127.0.0.1:${server.port}.`,
                `127.0.0.2:${server.port}`, `localhost:${server.port + 1}`])
                assert.equal(await status(server, route, {Host: host}), 403, `${route} ${host}`);
            for (const origin of ['null', 'http://evil.example', `https://127.0.0.1:${server.port}`,
                `http://127.0.0.1:${server.port + 1}`, `http://127.0.0.1:${server.port}.evil.example`])
                assert.equal(await status(server, route, {Origin: origin}), 403, `${route} ${origin}`);
            for (const host of [`localhost:${server.port}`, `[::1]:${server.port}`])
                assert.notEqual(await status(server, route, {Host: host}), 403, `${route} ${host}`);
        }
    });

    test('a change needs a POST, the page\'s own Origin and JSON', async t => {
        const server = await serve(t, home(t));
        const Origin = originOf(server), body = '{"id":"req-1"}';
        for (const route of POSTS) {
            const post = (fields, text = body) => status(server, `POST ${route}`, fields, text);
            assert.equal(await status(server, `GET ${route}`), 405);
            assert.equal(await status(server, `HEAD ${route}`), 405);
            assert.equal(await status(server, `PUT ${route}`, {Origin, ...JSON_TYPE}, body), 405);
            assert.equal(await status(server, `DELETE ${route}`, {Origin}), 405);
            assert.equal(await post({...JSON_TYPE}), 403);
            assert.equal(await post({Origin: 'null', ...JSON_TYPE}), 403);
            assert.equal(await post({Origin: 'http://evil.example', ...JSON_TYPE}), 403);
            assert.equal(await post({Origin: `http://127.0.0.1:${server.port + 1}`, ...JSON_TYPE}), 403);
            assert.equal(await post({Origin, 'Content-Type': 'text/plain'}), 415);
            assert.equal(await post({Origin}), 415);
            assert.equal(await post({Origin, ...JSON_TYPE}, '[1]'), 400);
            assert.equal(await post({Origin, ...JSON_TYPE}, '{"id":'), 400);
            assert.equal(await post({Origin, ...JSON_TYPE, 'Content-Length': 100_000_000}), 413);
            assert.equal(await post({Origin, ...JSON_TYPE, 'Sec-Fetch-Site': 'cross-site'}), 403);
        }
        assert.equal(await status(server, 'POST /api/feed', {Origin, ...JSON_TYPE}, '{}'), 405);
    });

    test('deeply nested JSON is refused', async t => {
        const server = await serve(t, home(t));
        for (const depth of [30, 100, 126, 127, 128, 5000])
            for (const [where, around] of [['tasks/check', v => `{"form":{"name":"a","test_command":${v}}}`],
                ['tasks/add', v => `{"tasks":[{"form":{"name":"a","test_command":${v}}}]}`],
                ['tooling/check', v => `{"text":${v}}`], ['tooling/check', v => JSON.stringify({text: v})]]) {
                const body = around('['.repeat(depth) + ']'.repeat(depth));
                const got = await status(server, `POST /api/${where}`, {Origin: originOf(server), ...JSON_TYPE}, body);
                assert.ok([200, 400].includes(got), `${where} ${depth}: ${got}`);
            }
        assert.equal(await status(server, 'GET /'), 200);
    });

    test('headers keep other sites from reading, framing, sniffing and caching answers', async t => {
        const server = await serve(t, home(t));
        const feed = await openFeed(t, server);
        const answers = [feed, await change(server, '/api/activity/cancel', {id: 'x'}),
            await change(server, '/api/activity/cancel', {id: 'x'}, {origin: null}),
            await fetch(`${originOf(server)}/api/nothing`)];
        for (const {headers} of answers) {
            assert.match(headers.get('content-security-policy'), /^default-src 'none';.*frame-ancestors 'none'/);
            assert.equal(headers.get('x-content-type-options'), 'nosniff');
            assert.equal(headers.get('referrer-policy'), 'no-referrer');
            assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
            assert.match(headers.get('cache-control'), /no-store|no-cache/);
            assert.equal(headers.get('access-control-allow-origin'), null);
        }
        assert.equal(await status(server, 'OPTIONS /api/activity/cancel', {
            Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST'}), 403);
    });
});

describe('with a token', () => {
    test('the page is public, its data needs the token', async t => {
        const file = path.join(folder(t), 'token'), token = 'a-token-of-thirty-two-characters';
        writeFileSync(file, `${token}\n`, {mode: 0o600});
        const server = await serve(t, {args: ['--token-file', file], ...home(t)});
        const Authorization = `Bearer ${token}`;
        assert.equal(await status(server, 'GET /'), 200);
        assert.equal(await status(server, 'GET /', {Host: 'evil.example'}), 403);
        for (const route of ['GET /api/feed', 'GET /api/nothing', 'GET /nothing', 'GET /api/tooling', 'POST /']) {
            assert.equal(await status(server, route), 401, route);
            assert.equal(await status(server, route, {Authorization: 'Bearer wrong'}), 401, route);
        }
        assert.equal(await status(server, `GET /api/feed?token=${token}`), 401); // never in an address
        assert.equal((await change(server, '/api/activity/cancel', {id: 'x'})).status, 401);
        assert.equal(await status(server, 'GET /api/feed', {Authorization}), 200);
        assert.equal(await status(server, 'GET /api/feed', {Authorization, Origin: 'http://evil.example'}), 403);
        assert.equal((await change(server, '/api/activity/cancel', {id: 'x'}, {authorization: Authorization})).status, 400);
    });

    test('the printed address works and does not contain the token', async t => {
        const file = path.join(folder(t), 'token'), token = 'a-token-of-thirty-two-characters';
        writeFileSync(file, `${token}\n`, {mode: 0o600});
        const server = await serve(t, {text: true, args: ['--token-file', file], ...home(t)});
        await until(() => server.stderr.includes(`at http://127.0.0.1:${server.port}/ (it asks for the token`), 'the address', server);
        assert.ok(!server.stderr.includes(token));
    });
});

describe('serve', () => {
    test('prints the address of the page', async t => {
        const server = await serve(t, {text: true, ...home(t)});
        await until(() => server.stderr.includes(`http://127.0.0.1:${server.port}/\n`), 'the address', server);
        const answer = await fetch(originOf(server));
        assert.equal(answer.status, 200);
        assert.ok((await answer.text()).length > 0);
    });

    test('--no-console serves no page', async t => {
        const server = await serve(t, {text: true, args: ['--no-console'], ...home(t)});
        for (const where of ['/', '/api/feed', '/api/tooling', '/api/tasks'])
            assert.equal(await status(server, `GET ${where}`), 404, where);
        assert.equal(await status(server, 'GET /api/server'), 200);
        assert.ok(!server.stderr.includes(`http://127.0.0.1:${server.port}/\n`));
        assert.match((await run(['serve', '--help'])).stdout, /--no-console/);
    });

    test('ends at once while pages are open', async t => {
        const server = await serve(t, home(t));
        const feeds = await Promise.all([1, 2, 3].map(() => openFeed(t, server)));
        await server.stop(); // fails if it takes two seconds
        await Promise.all(feeds.map(feed => feed.end()));
    });
});
