// The end of the server: everybody gets a truthful response, within two seconds.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {
    atEnd, connect, fails, isError, launch, LONG_JOB, modernCall, NEVER_MS, ok, open, pipe,
    readConsole, serve, start,
} from '../fixtures/bridge.mjs';
import {ACCEPT, openSession, openSocket, request, until, within} from '../fixtures/program.mjs';

async function stopServer(server, signal = 'SIGTERM') {
    const {code} = await server.stop(signal); // within two seconds: `make timing`
    assert.equal(code, 0, server.stderr);
}

for (const signal of ['SIGTERM', 'SIGINT'])
    describe(signal, () => {
        test('stops when idle', async t => {
            const server = await serve(t);
            await stopServer(server, signal);
            assert.deepEqual(server.log.filter(l => l.event === 'server state').map(l => [l.from, l.to]),
                [['booting', 'waiting_editor'], ['waiting_editor', 'stopping'], ['stopping', 'stopped']]);
        });

        test('calls that wait for an editor: ERR_EDITOR_NOT_READY, for all kinds of clients', async t => {
            const server = await serve(t, {stdio: true, limits: {request_reconnect_wait_ms: NEVER_MS}});
            const local = await connect(t, server, {program: server}), remote = await connect(t, server);
            const attached = launch(t, {cwd: server.cwd, limits: null, port: server.port, stdio: true});
            attached.ends = 1; // its server is gone
            const third = await connect(t, server, {program: attached});
            const calls = [local, remote, third].map(client => client.call('read_console'));
            calls.push(modernCall(server, 'read_console'), remote.call('run_tests'));
            await remote.waiting(5);
            await stopServer(server, signal);
            for (const call of calls)
                assert.match(fails(await within(call, 'a response'), 'ERR_EDITOR_NOT_READY').message, /stopping/);
            await attached.stop(null);
            assert.match(attached.stderr, /^multiverse: the server on port \d+ has stopped/m);
        });

        test('running: ERR_RECONNECT_TIMEOUT; queued: ERR_EDITOR_NOT_READY, never sent', async t => {
            const {server, editor, client} = await start(t, {editor: ['--no-reconnect']});
            await editor.hold();
            const running = client.call(...readConsole('a'));
            const {request_id} = await editor.receives('read_console');
            const queued = [client.call(...readConsole('b')), modernCall(server, ...readConsole('c'))];
            await client.waiting(2);
            await stopServer(server, signal);
            assert.equal(fails(await running, 'ERR_RECONNECT_TIMEOUT').details.request_id, request_id);
            for (const call of queued)
                fails(await call, 'ERR_EDITOR_NOT_READY');
            assert.equal(editor.received().length, 1);
            const {code, reason} = await editor.event('closed');
            assert.deepEqual([code, reason], [1001, 'the server is stopping']);
            const line = await server.logged('request', {request_id});
            assert.deepEqual([line.level, line.outcome], ['warn', 'ERR_RECONNECT_TIMEOUT']);
        });

        test('jobs: waiting clients are told how they ended', async t => {
            const {server, client} = await start(t, {editor: ['--no-reconnect']});
            const running = ok(await client.call('run_tests', {filter: LONG_JOB}));
            const queued = ok(await client.call('run_tests', {filter: LONG_JOB}));
            const polls = [running, queued].map(job => client.status(job.job_id, {wait_ms: 20_000}));
            const waits = client.call('run_tests', {filter: LONG_JOB, wait_ms: 20_000});
            await client.waiting(2);
            // they were sent before this call
            await until(() => client.state(), 'both polls', {is: now => now.uptime_ms});
            await stopServer(server, signal);
            const [first, second] = await Promise.all(polls);
            assert.deepEqual([first.state, second.state], ['failed', 'failed']);
            isError(first.error, 'ERR_RECONNECT_TIMEOUT');
            isError(second.error, 'ERR_EDITOR_NOT_READY');
            const third = ok(await waits);
            assert.equal(third.state, 'failed');
            isError(third.error, 'ERR_EDITOR_NOT_READY');
        });
    });

test('a second signal changes nothing', async t => {
    const {server, editor, client} = await start(t, {editor: ['--no-reconnect']});
    await editor.hold();
    const call = client.call('read_console').catch(error => error);
    await editor.receives('read_console');
    server.child.kill('SIGTERM');
    server.child.kill('SIGTERM');
    await stopServer(server, 'SIGINT');
    await call;
});

describe('the server stops within two seconds with', () => {
    test('an editor that ignores the close', async t => {
        const {server, editor, client} = await start(t, {editor: ['--no-reconnect']});
        await editor.hold();
        const call = client.call('read_console');
        await editor.receives('read_console');
        editor.child.kill('SIGSTOP');
        atEnd(t, async () => editor.child.kill('SIGCONT'));
        await stopServer(server);
        fails(await call, 'ERR_RECONNECT_TIMEOUT');
        editor.child.kill('SIGCONT');
    });

    test('a client that does not read its response', async t => {
        const {server, editor} = await start(t, {editor: ['--no-reconnect']});
        const session = await openSession(server);
        const connection = await openSocket(server);
        connection.socket.pause();
        const headers = Object.entries(session.headers).map(([key, value]) => `${key}: ${value}\r\n`).join('');
        const [name, args] = readConsole('fake:huge=1000000');
        for (let i = 0; i < 10; i++) {
            const body = JSON.stringify(request(i, 'tools/call', {name, arguments: args}));
            connection.send(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Type: application/json\r\n` +
                `Accept: ${ACCEPT}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
        }
        await editor.receives('read_console');
        await stopServer(server);
        connection.close();
    });

    for (const what of ['on stdio', 'of an attached serve'])
        test(`a client ${what} that does not read`, async t => {
            const server = await serve(t, {stdio: true});
            const editor = await open(t, server, ['--no-reconnect']);
            const program = what === 'on stdio' ? server
                : launch(t, {cwd: server.cwd, limits: null, port: server.port, stdio: true});
            if (program !== server)
                program.ends = 1;
            const client = await pipe(program);
            program.child.stdout.pause();
            for (let i = 0; i < 30; i++) // more than the buffers between client and server
                client.tool(...readConsole('fake:huge=1000000'));
            await until(() => editor.executed() >= 20, 'answers');
            await stopServer(server);
            program.child.stdout.resume();
            assert.equal((await program.stop(null)).code, program.ends ?? 0);
        });
});

describe('the end of standard input', () => {
    test('ends a server whose client has no open request', async t => {
        const {server, editor} = await start(t, {stdio: true, editor: ['--no-reconnect']});
        server.child.stdin.end();
        await stopServer(server, null);
        assert.equal((await editor.event('closed')).code, 1001);
    });

    test('fast calls are still answered', async t => {
        const server = await serve(t, {stdio: true});
        const editor = await open(t, server, ['--no-reconnect']);
        const client = await pipe(server);
        await editor.hold();
        const id = client.tool('read_console');
        server.child.stdin.end();
        await editor.receives('read_console');
        await editor.release();
        ok((await client.answer(id)).result);
        await stopServer(server, null);
    });

    test('slow calls end with the server, and with a truthful response', async t => {
        const server = await serve(t, {stdio: true});
        const editor = await open(t, server, ['--no-reconnect']);
        const client = await pipe(server);
        await editor.hold();
        const ids = ['a', 'b'].map(name => client.tool(...readConsole(name)));
        await editor.receives('read_console');
        server.child.stdin.end();
        await stopServer(server, null);
        fails((await client.answer(ids[0])).result, 'ERR_RECONNECT_TIMEOUT');
        fails((await client.answer(ids[1])).result, 'ERR_EDITOR_NOT_READY');
    });

    test('is ignored without --stdio', async t => {
        const {server, client} = await start(t);
        server.child.stdin.end();
        ok(await client.call('read_console'));
    });
});

test('the port is free again at once, and the editor finds the next server', async t => {
    const {server, editor, client} = await start(t);
    ok(await client.call('read_console'));
    const {port} = server;
    await stopServer(server);
    const next = await serve(t, {port});
    await editor.event('connected', m => m.attempt > 1);
    ok(await (await connect(t, next)).call('read_console'));
    assert.deepEqual(editor.messages('resume'), []); // jobs and calls end with the server
});
