// serve with the bridge: the token, attached clients, the log.
import assert from 'node:assert/strict';
import {mkdirSync, realpathSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import {describe, test} from 'node:test';

import {ToolListChangedNotificationSchema} from '@modelcontextprotocol/sdk/types.js';
import {
    connect, fails, folder, launch, ok, open, readConsole, serve, start,
} from '../fixtures/bridge.mjs';
import {oneLine, refuses, run} from '../fixtures/cli.mjs';
import {modern, until, within} from '../fixtures/program.mjs';

describe('a server with a token', () => {
    const TOKEN = '0123456789abcdef-token';

    async function guarded(t) {
        const cwd = folder(t);
        writeFileSync(path.join(cwd, 'tok'), `${TOKEN}\nsecond line\n`, {mode: 0o600});
        writeFileSync(path.join(cwd, 'wrong'), 'fedcba9876543210\n', {mode: 0o600});
        return serve(t, {cwd, limits: {token_file: 'tok'}, stdio: true});
    }
    const tokenFile = (server, name = 'tok') => ['--token-file', path.join(server.cwd, name)];

    test('answers no request without it, on any path', async t => {
        const server = await guarded(t);
        for (const at of ['/mcp', '/unity', '/api/server', '/api/stdio', '/nowhere'])
            for (const authorization of [undefined, 'Bearer fedcba9876543210', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`]) {
                const {status, headers} = await fetch(`http://127.0.0.1:${server.port}${at}`,
                    {headers: authorization ? {authorization} : {}});
                assert.equal(status, 401, `${at} ${authorization}`);
                assert.match(headers.get('www-authenticate') ?? '', /^Bearer/);
            }
        const {status} = await modern(server, 'tools/list');
        assert.equal(status, 401);
    });

    test('accepts clients and editors that have it', async t => {
        const server = await guarded(t);
        await open(t, server, tokenFile(server));
        ok(await (await connect(t, server, {token: TOKEN})).call('read_console'));
        // its own pipes need no token
        ok(await (await connect(t, server, {program: server})).call('read_console'));
    });

    for (const [what, name] of [['without', null], ['with a wrong', 'wrong']])
        test(`refuses an editor ${what} token`, async t => {
            const server = await guarded(t);
            const editor = await open(t, server, ['--no-reconnect', ...(name ? tokenFile(server, name) : [])],
                {connects: false});
            assert.equal((await editor.event('closed')).was_open, false);
            const client = await connect(t, server, {token: TOKEN});
            assert.equal((await client.state()).connected, false);
        });

    test('lets clients attach only with the token', async t => {
        const server = await guarded(t);
        await open(t, server, tokenFile(server));
        const args = ['serve', '--stdio', '--port', `${server.port}`];
        const bare = folder(t);
        const project = ['--project', server.cwd];
        refuses(await run([...args, ...project], {cwd: bare}), /requires a token.*--token-file/);
        refuses(await run([...args, ...project, ...tokenFile(server, 'wrong')], {cwd: bare}), /token/);
        const attached = launch(t,
            {cwd: bare, limits: null, port: server.port, stdio: true, args: [...project, ...tokenFile(server)]});
        ok(await (await connect(t, server, {program: attached})).call('read_console'));
    });
});

describe('a second serve --stdio', () => {
    const startAttached = (t, server, more = {}) =>
        launch(t, {cwd: server.cwd, limits: null, port: server.port, stdio: true, ...more});

    test("uses the first one's editor, queue and jobs", async t => {
        const {server, editor, client} = await start(t, {stdio: true});
        const attached = startAttached(t, server);
        const other = await connect(t, server, {program: attached});
        await editor.hold();
        const calls = [client.call(...readConsole('a')), other.call(...readConsole('b'))];
        await other.waiting(1);
        calls.push(client.call(...readConsole('c')));
        await other.waiting(2);
        await editor.release();
        (await Promise.all(calls)).forEach(ok);
        assert.equal(editor.received().length, 3);
        const {job_id} = ok(await other.call('run_tests', {filter: 'fake:steps=1,step=1000000'}));
        assert.equal((await client.status(job_id)).state, 'running');
        assert.equal(ok(await client.call('cancel_job', {job_id})).status, 'cancel_requested');
        assert.equal((await other.ended(job_id)).state, 'cancelled');
        assert.equal(server.log.filter(l => l.event === 'listening').length, 1);
        assert.equal(attached.stderr, '');
    });

    test('passes large results and notifications', async t => {
        const {server, editor} = await start(t);
        let changed = 0;
        const other = await connect(t, server,
            {program: startAttached(t, server), onNotice: [[ToolListChangedNotificationSchema, () => { changed++; }]]});
        const {entries} = ok(await other.call(...readConsole('fake:huge=1000000')));
        assert.equal(entries[0].message.length, 1_000_000);
        await editor.command('capability', {tools: ['read_console']});
        await until(() => changed, 'list_changed');
    });

    test('ends when its client disconnects; the server stays', async t => {
        const {server, client} = await start(t);
        const attached = startAttached(t, server);
        const other = await connect(t, server, {program: attached});
        ok(await other.call('read_console'));
        attached.child.stdin.end();
        assert.equal((await attached.stop(null)).code, 0);
        const third = await connect(t, server, {program: startAttached(t, server)});
        ok(await third.call('read_console'));
        ok(await client.call('read_console'));
    });

    test('ends on SIGTERM; the server stays', async t => {
        const {server, client} = await start(t);
        const attached = startAttached(t, server);
        await connect(t, server, {program: attached});
        assert.equal((await attached.stop('SIGTERM')).code, 0);
        ok(await client.call('read_console'));
    });

    test('reports in one line that its server has gone', async t => {
        const {server} = await start(t);
        const attached = startAttached(t, server, {text: true});
        attached.ends = 1;
        await connect(t, server, {program: attached});
        server.ends = 'SIGKILL';
        server.child.kill('SIGKILL');
        assert.equal((await attached.stop(null)).code, 1);
        oneLine(attached.stderr);
        assert.match(attached.stderr, /has stopped: start `multiverse serve` again/);
    });

    test('of the project that the editor has open attaches, whatever project the server was started in', async t => {
        const {server} = await start(t, {editor: false});
        const project = folder(t);
        await open(t, server, ['--project', realpathSync(project)]);
        const attached = startAttached(t, server, {cwd: project});
        ok(await (await connect(t, server, {program: attached})).call('read_console'));
    });

    test('of another project is told to use another port', async t => {
        const {server} = await start(t);
        const cwd = folder(t);
        mkdirSync(path.join(cwd, 'Assets'));
        mkdirSync(path.join(cwd, 'ProjectSettings'));
        refuses(await run(['serve', '--stdio', '--port', `${server.port}`], {cwd}),
            /is for another project/, /--port N/, new RegExp(realpathSync(server.cwd)));
    });

    for (const [what, make] of [
        ['speaks HTTP', () => http.createServer((_, response) => response.end('<h1>hello</h1>'))],
        ['speaks JSON', () => http.createServer((_, response) => response.end('{"name":"other"}'))],
        ['answers 404', () => http.createServer((_, response) => { response.statusCode = 404; response.end('{}'); })],
        ['speaks no HTTP', () => net.createServer(socket => socket.on('error', () => {}).end('220 mail\r\n'))],
        ['hangs up', () => net.createServer(socket => socket.destroy())],
    ])
        test(`on the port of a program that ${what}`, async t => {
            const program = make().listen(0, '127.0.0.1');
            await within(new Promise(resolve => program.once('listening', resolve)), 'a port');
            t.after(() => program.close());
            const port = `${program.address().port}`;
            refuses(await run(['serve', '--stdio', '--port', port], {cwd: folder(t)}),
                /in use by another program/, /--port N/);
            refuses(await run(['serve', '--port', port], {cwd: folder(t)}), /--port N/);
        });
});

describe('the log', () => {
    test('as JSON: one object per line, with the fields of a request', async t => {
        const {server, editor, client} = await start(t);
        ok(await client.call('read_console', {client_request_id: 'mine'}));
        fails(await client.call(...readConsole('fake:error=ERR_X')), 'ERR_UNITY_EXECUTION');
        const {job_id} = ok(await client.call('run_tests', {filter: 'fake:steps=1,step=1', wait_ms: 20_000}));
        ok(await client.call('get_job_status', {job_id, client_request_id: 'poll'}));
        fails(await client.call('cancel_job', {job_id: 'x'}), 'ERR_JOB_NOT_FOUND');
        ok(await client.call('get_editor_state', {}));
        fails(await client.call('read_console', {max_entries: -1, client_request_id: 'wrong'}), 'ERR_INVALID_PARAMS');
        await editor.command('status', {state: 'compiling'});
        await server.logged('editor state', {from: 'ready', to: 'compiling'});
        const requests = server.log.filter(l => l.event === 'request').map(({time, ms, request_id, ...rest}) => {
            assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
            assert.ok(Number.isInteger(ms) && ms >= 0);
            assert.match(request_id, /^req-\w{6}-\d+$/);
            return rest;
        });
        const line = (tool, state, outcome, more = {}) =>
            ({level: 'info', event: 'request', tool, state, outcome, ...more});
        assert.deepEqual(requests, [
            line('read_console', 'succeeded', 'ok', {client_request_id: 'mine'}),
            line('read_console', 'failed', 'ERR_UNITY_EXECUTION'),
            line('run_tests', 'succeeded', 'ok', {job_id}),
            line('get_job_status', 'succeeded', 'ok', {job_id, client_request_id: 'poll'}),
            line('cancel_job', 'failed', 'ERR_JOB_NOT_FOUND', {job_id: 'x'}),
            line('get_editor_state', 'succeeded', 'ok'),
            line('read_console', 'failed', 'ERR_INVALID_PARAMS', {client_request_id: 'wrong'}),
        ]);
        const ids = server.log.filter(l => l.event === 'request').map(l => l.request_id);
        assert.equal(new Set(ids).size, ids.length);
        const {ms, time, ...job} = await server.logged('job', {job_id});
        assert.deepEqual(job, {level: 'info', event: 'job', job_id, tool: 'run_tests', state: 'succeeded', outcome: 'ok'});
        assert.equal((await server.logged('server state', {to: 'ready'})).from, 'waiting_editor');
        assert.ok(server.log.every(l => l.level && l.event && !l.line), 'nothing else is on stderr');
        for (const text of server.stderr.split('\n').filter(Boolean)) { // each key once
            const keys = [...text.matchAll(/[{,]"(\w+)":/g)].map(match => match[1]);
            assert.equal(new Set(keys).size, keys.length, text);
        }
    });

    test('for people: one line per event', async t => {
        const server = await serve(t, {text: true});
        await open(t, server);
        const client = await connect(t, server);
        ok(await client.call('read_console', {client_request_id: 'two words'}));
        const pattern = new RegExp('^\\d\\d:\\d\\d:\\d\\d\\.\\d{3} info  request request_id=req-\\w{6}-1 ' +
            'tool=read_console state=succeeded outcome=ok ms=\\d+ client_request_id="two words"$', 'm');
        await until(() => pattern.test(server.stderr), 'the line of the request', server);
        fails(await client.call(...readConsole('fake:noresult')), 'ERR_INVALID_RESPONSE');
        await until(() => / warn {2}request .*outcome=ERR_INVALID_RESPONSE /.test(server.stderr), 'a warning', server);
        assert.match(server.stderr, / info {2}editor connected editor=unity instance=fake-editor project=\/projects\/Fake state=ready$/m);
        assert.match(server.stderr, new RegExp(`claude mcp add --transport http multiverse ${server.url}$`, 'm'));
        assert.ok(!server.stderr.includes('\u001b'));
    });

    test('input of a client or an editor cannot fake a line', async t => {
        const server = await serve(t, {text: true});
        const editor = await open(t, server);
        const client = await connect(t, server);
        const evil = 'a\n12:00:00.000 error faked\u001b[31m\u2028x';
        ok(await client.call('read_console', {client_request_id: evil}));
        await editor.send({type: 'error', error: {code: evil, message: evil}});
        await until(() => /error from the editor/.test(server.stderr), 'the line of the error', server);
        assert.doesNotMatch(server.stderr, /^12:00:00\.000/m);
        assert.ok(!/[\u001b\u2028]/.test(server.stderr));
    });

    test('--log-level omits lower levels', async t => {
        const server = launch(t, {text: true, stdio: true, args: ['--log-level', 'warn']});
        const client = await connect(t, server, {program: server});
        assert.equal((await client.state()).connected, false);
        assert.equal(server.stderr, '');
    });

    test('only messages go to standard output', async t => {
        const {server, client} = await start(t, {stdio: true});
        let text = '';
        server.child.stdout.on('data', piece => { text += piece; });
        ok(await client.call('read_console'));
        fails(await client.call('get_job_status', {job_id: 'x'}), 'ERR_JOB_NOT_FOUND');
        for (const line of text.split('\n').filter(Boolean))
            assert.equal(JSON.parse(line).jsonrpc, '2.0');
    });
});
