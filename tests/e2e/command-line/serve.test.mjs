// multiverse call with a real multiverse serve; and the errors of a serve that cannot start.
import assert from 'node:assert/strict';
import {chmodSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {folder, oneLine, refuses, run, start, startServe} from '../fixtures/cli.mjs';
import {request, until} from '../fixtures/program.mjs';

const waiting = async server => JSON.parse((await server.call('get_editor_state')).stdout).queue.waiting;

test('a server\'s tool can be called from the shell', async t => {
    const server = await startServe(t);
    const {code, stdout, stderr} = await server.call('get_editor_state');
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    const state = JSON.parse(stdout);
    assert.equal(state.server_state, 'waiting_editor');
    assert.equal(state.connected, false);
});

test('a text argument that looks like a number stays text', async t => {
    const server = await startServe(t);
    const {code, stdout, stderr} = await server.call('get_job_status', 'job_id=5');
    assert.equal(code, 1);
    assert.equal(JSON.parse(stdout).code, 'ERR_JOB_NOT_FOUND');
    oneLine(stderr);
    assert.match(stderr, /^multiverse: ERR_JOB_NOT_FOUND: .*"5".* \(not_executed; next: check_job_id\)\n$/);
});

test('a wrong argument is reported in one line', async t => {
    const server = await startServe(t);
    const {code, stderr} = await server.call('read_console', 'max_entries=99999');
    assert.equal(code, 1);
    assert.match(stderr, /^multiverse: ERR_INVALID_PARAMS: max_entries .* 2000, not 99999 \(not_executed; next: fix_arguments\)\n$/);
});

test('Ctrl-C removes a waiting call from the queue', async t => {
    const server = await startServe(t);
    const call = start(['call', '-p', String(server.port), 'read_console'], {cwd: server.cwd});
    await until(() => waiting(server), 'a call that waits for the editor', {is: now => now === 1});
    const {code} = await call.stop('SIGINT');
    assert.equal(code, 130);
    await until(() => waiting(server), 'a queue without the call', {is: now => now === 0});
});

test('--timeout-ms also removes it', async t => {
    const server = await startServe(t);
    const {code, stderr} = await server.call('read_console', '--timeout-ms', '100');
    assert.equal(code, 1);
    assert.match(stderr, /no answer after 100 ms: the server was asked to cancel it, but it may have run/);
    await until(() => waiting(server), 'a queue without the call', {is: now => now === 0});
});

test('an attached client that leaves takes its open call with it, and the server goes on', async t => {
    const server = await startServe(t);
    const clientInfo = {name: 'e2e', version: '1'};
    const lines = [
        request(1, 'initialize', {protocolVersion: '2025-11-25', capabilities: {}, clientInfo}),
        {jsonrpc: '2.0', method: 'notifications/initialized'},
        request(2, 'tools/call', {name: 'read_console', arguments: {}}),
    ];
    const attached = start(['serve', '--stdio', '--port', String(server.port)],
        {cwd: server.cwd, input: lines.map(line => JSON.stringify(line) + '\n').join('')});
    await until(() => waiting(server), 'a call that waits for the editor', {is: now => now === 1});
    assert.equal((await attached.exit).code, 0);
    await until(() => waiting(server), 'a queue without the call', {is: now => now === 0});
    assert.equal((await server.call('get_editor_state')).code, 0);
});

test('a server that stops responds to waiting calls', async t => {
    const server = await startServe(t);
    const call = start(['call', '-p', String(server.port), 'read_console'], {cwd: server.cwd});
    await until(() => waiting(server), 'a call that waits for the editor', {is: now => now === 1});
    server.child.kill('SIGTERM');
    const {code} = await call.ended('a response');
    assert.equal(code, 1);
    await server.ended('the end of the server');
    assert.equal(JSON.parse(call.stdout).code, 'ERR_EDITOR_NOT_READY');
});

test('a server with a token requires it', async t => {
    const cwd = folder(t);
    writeFileSync(path.join(cwd, 'tok'), '0123456789abcdef\n', {mode: 0o600});
    writeFileSync(path.join(cwd, 'wrong'), 'fedcba9876543210\n', {mode: 0o600});
    const server = await startServe(t, ['--token-file', 'tok'], {cwd});
    refuses(await server.call('get_editor_state'), /the server requires a token: give it with --token-file/);
    refuses(await server.call('get_editor_state', '-t', 'wrong'), /the server rejects the token/);
    assert.equal((await server.call('get_editor_state', '-t', 'tok')).code, 0);
});

test('a token file that others can read causes a warning', async t => {
    const cwd = folder(t);
    writeFileSync(path.join(cwd, 'tok'), '0123456789abcdef\n');
    chmodSync(path.join(cwd, 'tok'), 0o644);
    const server = await startServe(t, ['--token-file', 'tok'], {cwd});
    await until(() => /warn .*token file.*tok/.test(server.stderr), 'a warning', server);
});

test('an unknown key of the file causes a warning with the nearest known one', async t => {
    const cwd = folder(t);
    writeFileSync(path.join(cwd, 'multiverse.json'), '{"schema_version": 1, "queue_max_sice": 5}');
    const server = await startServe(t, [], {cwd});
    await until(() => /warn .*queue_max_sice.*queue_max_size/.test(server.stderr), 'a warning', server);
    assert.equal(JSON.parse((await server.call('get_editor_state')).stdout).queue.capacity, 32);
});

test('a setting of the file takes effect', async t => {
    const cwd = folder(t);
    assert.equal((await run(['config', 'set', 'queue_max_size', '5'], {cwd})).code, 0);
    const server = await startServe(t, [], {cwd});
    assert.equal(JSON.parse((await server.call('get_editor_state')).stdout).queue.capacity, 5);
});

for (const [text, pattern] of [
    [undefined, /the token file: cannot read tok: No such file/],
    ['', /tok: the first line is empty/],
    ['short', /tok: the token must have 16 to 1024 characters, not 5/],
    ['0123456789abcdef\u00e4', /tok: the token must be visible ASCII/],
])
    test(`serve with the token ${JSON.stringify(text)}`, async t => {
        const cwd = folder(t);
        if (text !== undefined)
            writeFileSync(path.join(cwd, 'tok'), text, {mode: 0o600});
        refuses(await run(['serve', '--port', '0', '--token-file', 'tok'], {cwd}), pattern);
    });

test('serve refuses a port in use, an impossible store and a missing project', async t => {
    const server = await startServe(t);
    refuses(await run(['serve', '--port', String(server.port)], {cwd: server.cwd}), /--port N/);
    refuses(await run(['serve', '--port', '0', '--store', 'mysql://x'], {cwd: server.cwd}), /cannot use the store mysql:\/\/x/);
    refuses(await run(['serve', '--port', '0', '--project', 'nix'], {cwd: server.cwd}), /nix/);
});
