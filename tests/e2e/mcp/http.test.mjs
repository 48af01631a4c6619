// Streamable HTTP as specified: status codes, headers, sessions, streams. One server for the file.
import assert from 'node:assert/strict';
import {after, before, describe, test} from 'node:test';

import {
    ACCEPT, MODERN, clientInfo, enveloped, modern, modernHeaders, openSession, openSocket, openStream,
    parseEvents, post, rawPost, request, startHttp, until,
} from '../fixtures/program.mjs';

let server;
before(async () => { server = await startHttp(null); });
after(async () => assert.equal((await server.stop()).code, 0, server.stderr));

const initialize = (version = '2025-11-25') =>
    request(0, 'initialize', {protocolVersion: version, capabilities: {}, clientInfo});
const call = (name, args) => request(1, 'tools/call', {name, arguments: args});
const openCalls = async () => (await modern(server, 'tools/call', {name: 'test_open_calls'}))
    .json.result.structuredContent.open;

/** Check for a JSON-RPC error with a message. */
function isError(answer, status, code) {
    assert.equal(answer.status, status, answer.text ?? answer.body);
    const {error} = answer.json;
    if (code !== undefined)
        assert.equal(error.code, code, error.message);
    assert.ok(error.message.length > 10);
}

describe('origins and hosts', () => {
    for (const origin of ['http://evil.example.com', 'null', 'https://127.0.0.1', 'http://127.0.0.1:1',
        'http://localhost.evil.example.com'])
        test(`a page of ${origin} is refused, even with the right Host`, async () => {
            for (const method of ['POST', 'GET', 'DELETE']) {
                const connection = await openSocket(server);
                connection.send(`${method} /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n` +
                    `Origin: ${origin}\r\nContent-Type: application/json\r\nAccept: ${ACCEPT}\r\n` +
                    'Content-Length: 0\r\n\r\n');
                const answer = await connection.answer();
                assert.equal(answer.status, 403, method);
                assert.ok(JSON.parse(answer.body).error.message);
                connection.close();
            }
        });

    test('a page of the server itself is accepted', async () => {
        for (const host of ['127.0.0.1', 'localhost'])
            assert.equal((await post(server, initialize(), {origin: `http://${host}:${server.port}`}))
                .status, 200);
    });

    test('a foreign Host is refused, the local names are not', async () => {
        const ask = async host => {
            const body = JSON.stringify(initialize());
            const connection = await openSocket(server);
            connection.send(`POST /mcp HTTP/1.1\r\n${host}Content-Type: application/json\r\n` +
                `Accept: ${ACCEPT}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
            const {status} = await connection.answer();
            connection.close();
            return status;
        };
        const {port} = server;
        for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
            assert.equal(await ask(`Host: ${host}\r\n`), 200, host);
        for (const host of ['evil.example.com', `evil.example.com:${port}`, '127.0.0.1:1',
            `127.0.0.1.evil.example.com:${port}`, ''])
            assert.equal(await ask(`Host: ${host}\r\n`), 403, host);
        assert.equal(await ask(''), 400);
        assert.equal(await ask(`Host: 127.0.0.1:${port}\r\nHost: 127.0.0.1:${port}\r\n`), 400);
    });
});

describe('request bodies', () => {
    test('other content types than JSON are refused', async () => {
        for (const type of ['text/plain', 'application/jsonx', 'application/x-www-form-urlencoded', ''])
            isError(await post(server, initialize(), {'content-type': type}), 415);
        for (const type of ['application/json; charset=utf-8', 'Application/JSON'])
            assert.equal((await post(server, initialize(), {'content-type': type})).status, 200, type);
    });

    test('clients must accept JSON and event streams', async () => {
        for (const accept of ['application/json', 'text/event-stream', 'text/html', ''])
            isError(await post(server, initialize(), {accept}), 406);
        for (const accept of ['*/*', 'text/event-stream, application/json', 'application/*, text/*',
            'application/json;q=0.9,text/event-stream;q=0.5'])
            assert.equal((await post(server, initialize(), {accept})).status, 200, accept);
    });

    test('bodies are limited to 4 MiB', async () => {
        const fill = n => JSON.stringify(request(0, 'initialize',
            {protocolVersion: '2025-11-25', capabilities: {}, clientInfo, fill: 'x'.repeat(n)}));
        const over = fill(4 * 1024 * 1024);
        const connection = await openSocket(server);
        connection.send(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n` +
            `Content-Type: application/json\r\nAccept: ${ACCEPT}\r\n` +
            `Content-Length: ${over.length}\r\n\r\n`); // refused by its length, before it is sent
        const refused = await connection.answer();
        assert.equal(refused.status, 413);
        assert.ok(JSON.parse(refused.body).error.message);
        connection.close();
        assert.equal((await post(server, fill(4 * 1024 * 1024 - 300))).status, 200);
    });

    test('a body is one message; batches are refused', async () => {
        isError(await post(server, 'garbage'), 400, -32700);
        isError(await post(server, ''), 400, -32700);
        isError(await post(server, '[]'), 400, -32600);
        isError(await post(server, [initialize()]), 400, -32600);
        isError(await post(server, '"text"'), 400, -32600);
        isError(await post(server, '{"id":1}'), 400, -32600);
        isError(await post(server, Buffer.from('{"jsonrpc":"2.0","id":1,"method":"\xff"}', 'latin1')),
            400, -32700);
    });

    test('other methods and paths are refused', async () => {
        const put = await fetch(server.url, {method: 'PUT', body: '{}'});
        assert.equal(put.status, 405);
        assert.match(put.headers.get('allow'), /POST/);
        assert.equal((await fetch(new URL('/other', server.url))).status, 404);
    });
});

describe('legacy sessions', () => {
    test('the server agrees to the requested revision, or offers its newest legacy one', async () => {
        for (const [asked, got] of [['2025-03-26', '2025-03-26'], ['2025-06-18', '2025-06-18'],
            ['2025-11-25', '2025-11-25'], ['2024-11-05', '2025-11-25'], ['2026-07-28', '2025-11-25'],
            ['unknown', '2025-11-25']]) {
            const answer = await post(server, initialize(asked));
            assert.equal(answer.json.result.protocolVersion, got);
            assert.match(answer.headers.get('mcp-session-id'), /^[\x21-\x7e]{16,}$/);
        }
    });

    test('a failed initialize opens no session', async () => {
        for (const params of [{}, {protocolVersion: 7}, {protocolVersion: '2025-11-25', capabilities: 1}]) {
            const answer = await post(server, request(1, 'initialize', params));
            assert.equal(answer.json.error.code, -32602);
        }
    });

    test('each session has its own id', async () => {
        const ids = await Promise.all(Array.from({length: 20}, async () =>
            (await post(server, initialize())).headers.get('mcp-session-id')));
        assert.equal(new Set(ids).size, 20);
    });

    test('a missing session id is 400, an unknown or ended one is 404', async () => {
        isError(await post(server, request(1, 'tools/list')), 400);
        isError(await post(server, request(1, 'tools/list'), {'mcp-session-id': 'none'}), 404);
        const session = await openSession(server);
        const ended = await fetch(server.url, {method: 'DELETE', headers: session.headers});
        assert.ok(ended.ok);
        isError(await session.request('tools/list'), 404);
        const again = await fetch(server.url, {method: 'DELETE', headers: session.headers});
        assert.equal(again.status, 404);
        assert.equal((await fetch(server.url, {method: 'DELETE'})).status, 400);
    });

    test('the version header may be missing or any legacy revision; an unknown one is refused', async () => {
        const {headers} = await openSession(server);
        const ask = version => post(server, request(1, 'ping'),
            {'mcp-session-id': headers['mcp-session-id'],
                ...(version ? {'mcp-protocol-version': version} : {})});
        for (const version of [undefined, '2025-03-26', '2025-06-18', '2025-11-25'])
            assert.equal((await ask(version)).status, 200, version);
        for (const version of ['1999-01-01', 'nonsense'])
            isError(await ask(version), 400);
    });

    test('unknown methods and tools get normal error responses', async () => {
        const session = await openSession(server);
        isError(await session.request('no/such'), 200, -32601);
        isError(await session.request('server/discover'), 200, -32601);
        isError(await session.request('subscriptions/listen', {notifications: {}}), 200, -32601);
        isError(await session.request('tools/call', {name: 'none'}), 200, -32602);
        isError(await session.request('tools/list', {cursor: 'none'}), 200, -32602);
    });

    test('notifications and responses get 202 without a body', async () => {
        const session = await openSession(server);
        for (const answer of [await session.notify('notifications/initialized'),
            await session.notify('notifications/no/such'), await session.respond(99, {})]) {
            assert.equal(answer.status, 202);
            assert.equal(answer.text, '');
        }
    });

    test('modern headers are ignored in a session', async () => {
        const session = await openSession(server);
        const answer = await post(server, request(1, 'ping'),
            {...session.headers, 'mcp-method': 'tools/call', 'mcp-name': 'other'});
        assert.equal(answer.status, 200);
    });

    test('the tasks extension in a legacy initialize does not enable tasks', async () => {
        const session = await openSession(server,
            {extensions: {'io.modelcontextprotocol/tasks': {}}});
        const answer = await session.request('tools/call',
            {name: 'slow_compute', arguments: {seconds: 0, label: 'x'}});
        assert.equal(answer.json.result.content[0].text, 'Computed x');
    });
});

describe('legacy streams', () => {
    test('a result without earlier messages is JSON, else an event stream with ids', async () => {
        const session = await openSession(server);
        const plain = await session.request('tools/call', {name: 'test_simple_text'});
        assert.match(plain.type, /^application\/json/);
        const streamed = await session.request('tools/call',
            {name: 'test_tool_with_progress', _meta: {progressToken: 0}});
        assert.match(streamed.type, /^text\/event-stream/);
        assert.equal(streamed.headers.get('x-accel-buffering'), 'no');
        const events = parseEvents(streamed.text);
        assert.equal(events[0].data, ''); // an id to resume from, before the first message
        assert.equal(new Set(events.map(event => event.id)).size, events.length);
        assert.deepEqual(streamed.messages.map(m => m.params?.progress ?? m.id), [0, 50, 100, 1]);
    });

    test('clients of older revisions get no event without data', async () => {
        for (const version of ['2025-03-26', '2025-06-18']) {
            const session = await openSession(server, {}, version);
            const {text} = await session.request('tools/call',
                {name: 'test_tool_with_progress', _meta: {progressToken: 'p'}});
            assert.ok(parseEvents(text).every(event => event.data));
        }
    });

    test('a broken stream resumes after the last event', async () => {
        const session = await openSession(server);
        const stream = await session.stream('tools/call',
            {name: 'test_tool_with_progress', _meta: {progressToken: 0}});
        await stream.next(m => m.method === 'notifications/progress');
        await stream.close(); // the call goes on
        const resume = id => openStream(server, null, {...session.headers, 'last-event-id': id});
        const number = (await stream.events[0]?.id ?? '1-0').split('-')[0];
        const rest = await until(async () => { // the server may not have noticed the end yet
            const again = await resume(`${number}-1`);
            if (again.status === 200)
                return again;
            assert.equal(again.status, 409);
            await again.close();
            return undefined;
        }, 'the stream is free', server);
        const seen = [await rest.next(), await rest.next(), await rest.next()];
        assert.deepEqual(seen.map(m => m.params?.progress ?? m.id), [50, 100, 0]);
        await rest.end();
        const finished = await resume(`${number}-2`); // and again after its end
        assert.deepEqual([await finished.next(), await finished.next()], seen.slice(1));
        await finished.end();
    });

    test('resuming from unknown events is refused', async () => {
        const session = await openSession(server);
        const ask = async id => {
            const answer = await openStream(server, null, {...session.headers, 'last-event-id': id});
            await answer.close();
            return answer.status;
        };
        assert.equal(await ask('nonsense'), 400);
        assert.equal(await ask('99-1'), 410); // not 404: the session exists
        assert.equal(await ask('99999999999999999999-1'), 400);
    });

    test('each session has one GET stream, for clients that accept event streams', async () => {
        const session = await openSession(server);
        const get = headers => openStream(server, null, headers);
        const first = await get(session.headers);
        assert.equal(first.status, 200);
        assert.match(first.response.headers.get('content-type'), /^text\/event-stream/);
        const second = await get(session.headers);
        assert.equal(second.status, 409);
        const json = await get({...session.headers, accept: 'application/json'});
        assert.equal(json.status, 406);
        assert.equal((await get({})).status, 400);
        assert.equal((await get({'mcp-session-id': 'none'})).status, 404);
        await first.close();
        await until(async () => { // a new one is accepted when it is gone
            const again = await get(session.headers);
            await again.close();
            return again.status;
        }, 'a second stream', {is: status => status === 200});
    });

    test('list changes are sent once on every session\'s GET stream', async () => {
        const sessions = [await openSession(server), await openSession(server)];
        const streams = await Promise.all(sessions.map(s => openStream(server, null, s.headers)));
        await sessions[0].request('tools/call', {name: 'test_trigger_tool_change'});
        await sessions[0].request('tools/call', {name: 'test_trigger_prompt_change'});
        for (const stream of streams) {
            assert.equal((await stream.next()).method, 'notifications/tools/list_changed');
            assert.equal((await stream.next()).method, 'notifications/prompts/list_changed');
            await stream.close();
        }
    });

    test('the end of a session ends its streams', async () => {
        const session = await openSession(server);
        const notices = await openStream(server, null, session.headers);
        const working = await session.stream('tools/call', {name: 'test_wait', _meta: {progressToken: 1}});
        await working.next();
        await fetch(server.url, {method: 'DELETE', headers: session.headers});
        await notices.end();
        await working.end();
        assert.equal(await openCalls(), 0);
    });

    test('a disconnect does not cancel; a cancel notification ends the call and its stream', async () => {
        const session = await openSession(server);
        const stream = await session.stream('tools/call', {name: 'test_wait', _meta: {progressToken: 1}});
        await stream.next();
        await stream.close();
        await session.request('ping');
        assert.equal(await openCalls(), 1);
        const {status} = await session.notify('notifications/cancelled', {requestId: 0});
        assert.equal(status, 202);
        assert.equal(await openCalls(), 0);

        const other = await session.stream('tools/call', {name: 'test_wait', _meta: {progressToken: 1}});
        await other.next();
        await session.notify('notifications/cancelled', {requestId: 2, reason: 'enough'});
        await other.end();
        assert.ok(other.events.every(event => event.json?.result === undefined));
    });

    test('a long call becomes a stream', async () => {
        const session = await openSession(server);
        const stream = await session.stream('tools/call', {name: 'test_wait'}); // no progress token
        assert.match(stream.response.headers.get('content-type'), /^text\/event-stream/);
        await session.notify('notifications/cancelled', {requestId: 0});
        await stream.end();
    });
});

describe('modern streams', () => {
    const start = async (method, params, id = 1) => {
        const message = request(id, method, enveloped(params));
        return openStream(server, message, modernHeaders(message));
    };

    test('closing the stream cancels the call', async () => {
        const stream = await start('tools/call', {name: 'test_wait', _meta: {progressToken: 'p'}});
        await stream.next();
        assert.equal(stream.response.headers.get('x-accel-buffering'), 'no');
        assert.equal(stream.response.headers.get('mcp-session-id'), null);
        assert.equal(await openCalls(), 1);
        await stream.close();
        await until(() => openCalls(), 'the end of the call', {is: now => now === 0});
    });

    test('closing the connection before the response cancels the call', async () => {
        const message = request(1, 'tools/call', enveloped({name: 'test_wait'}));
        const abort = new AbortController();
        const answer = fetch(server.url, {
            method: 'POST', signal: abort.signal, body: JSON.stringify(message),
            headers: {'content-type': 'application/json', accept: ACCEPT, ...modernHeaders(message)},
        }).catch(error => error);
        await until(() => openCalls(), 'the call', {is: now => now === 1});
        abort.abort();
        await answer;
        await until(() => openCalls(), 'the end of the call', {is: now => now === 0});
    });

    test('events have no ids, and streams cannot be resumed', async () => {
        const {text} = await modern(server, 'tools/call',
            {name: 'test_tool_with_progress', _meta: {progressToken: 0}});
        const events = parseEvents(text);
        assert.ok(events.length === 4 && events.every(event => event.id === undefined && event.json));
    });

    test('log messages are only sent for requests that ask for them', async () => {
        const quiet = await modern(server, 'tools/call', {name: 'test_logging_tool'});
        assert.equal(quiet.messages.length, 1);
        const level = value => modern(server, 'tools/call',
            {name: 'test_logging_tool', _meta: {'io.modelcontextprotocol/logLevel': value}});
        assert.equal((await level('info')).messages.length, 4);
        assert.equal((await level('error')).messages.length, 1);
    });

    for (const id of ['listen:0', 7])
        test(`a subscription sends first the acknowledgement, then only the requested notifications (id ${id})`, async () => {
            const stream = await start('subscriptions/listen',
                {notifications: {promptsListChanged: true, unknownKind: true}}, id);
            assert.match(stream.response.headers.get('content-type'), /^text\/event-stream/);
            const ack = await stream.next();
            assert.equal(ack.method, 'notifications/subscriptions/acknowledged');
            assert.deepEqual(ack.params.notifications, {promptsListChanged: true});
            await modern(server, 'tools/call', {name: 'test_trigger_tool_change'});
            await modern(server, 'tools/call', {name: 'test_trigger_prompt_change'});
            const notice = await stream.next();
            assert.equal(notice.method, 'notifications/prompts/list_changed');
            assert.strictEqual(notice.params._meta['io.modelcontextprotocol/subscriptionId'], id);
            await stream.close();
            await until(() => openCalls(), 'the end of the subscription', {is: now => now === 0});
        });

    test('meaningless subscriptions are refused', async () => {
        for (const notifications of [undefined, 7, [], {resourceSubscriptions: 'x'}, {taskIds: [1]},
            {resourceSubscriptions: Array.from({length: 1000}, (_, i) => `test://${i}`)}])
            isError(await modern(server, 'subscriptions/listen', {notifications}), 200, -32602);
    });

    test('a future version has no GET and no DELETE', async () => {
        for (const method of ['GET', 'DELETE']) {
            const answer = await fetch(server.url,
                {method, headers: {accept: 'text/event-stream', 'mcp-protocol-version': MODERN}});
            assert.equal(answer.status, 405);
            assert.equal(answer.headers.get('allow'), 'POST');
        }
    });
});

test('every duplicate header is refused', async () => {
    const message = request(1, 'tools/call', enveloped({name: 'greet', arguments: {name: 'x'}}));
    const fields = Object.entries(modernHeaders(message));
    assert.equal((await rawPost(server, fields, message)).status, 200);
    for (const field of fields) {
        const answer = await rawPost(server, [...fields, field], message);
        assert.equal(answer.status, 400, field[0]);
        assert.ok(answer.json.error.message);
    }
    const session = await openSession(server);
    const id = ['Mcp-Session-Id', session.id];
    assert.equal((await rawPost(server, [id], request(1, 'ping'))).status, 200);
    assert.equal((await rawPost(server, [id, id], request(1, 'ping'))).status, 400);
});
