// multiverse call with a small server that plays /mcp: what it sends, and how it handles each
// response.
import assert from 'node:assert/strict';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import {test} from 'node:test';
import {folder, oneLine, refuses, run, runOnTerminal, start} from '../fixtures/cli.mjs';
import {KEY, MODERN, within} from '../fixtures/program.mjs';

const RESULT = {state: 'ready', list: [1, 2], text: 'ä'};
const answer = result => ({jsonrpc: '2.0', id: 1, result: {resultType: 'complete', content: [], ...result}});

/** Play /mcp: `act(response, message)` responds; all requests are recorded. */
async function play(t, act = (response, message) => json(response, answer({structuredContent: RESULT}))) {
    const requests = [];
    const server = http.createServer(async (request, response) => {
        let text = '';
        for await (const piece of request.setEncoding('utf8'))
            text += piece;
        requests.push({method: request.method, url: request.url, headers: request.headers, text});
        act(response, text && JSON.parse(text), request);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => { server.closeAllConnections(); server.close(); });
    const {port} = server.address();
    const cwd = folder(t);
    const call = (...args) => run(['call', '--port', String(port), ...args], {cwd});
    return {server, port, cwd, requests, call};
}

function json(response, message, status = 200) {
    response.writeHead(status, {'content-type': 'application/json'});
    response.end(typeof message === 'string' ? message : JSON.stringify(message));
}

const event = message => `data: ${JSON.stringify(message)}\n\n`;
const progress = (n, total, message) =>
    ({jsonrpc: '2.0', method: 'notifications/progress', params: {progressToken: 1, progress: n, total, message}});

test('a call is one modern request, and its result is one line of JSON', async t => {
    const p = await play(t);
    const {code, stdout, stderr} = await p.call('read_console', 'max_entries=5', 'message_pattern=5');
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.equal(stdout, JSON.stringify(RESULT) + '\n');
    assert.equal(p.requests.length, 1);
    const [{method, url, headers, text}] = p.requests;
    assert.equal(`${method} ${url}`, 'POST /mcp');
    assert.equal(headers.host, `127.0.0.1:${p.port}`);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers.accept, 'application/json, text/event-stream');
    assert.equal(headers['mcp-protocol-version'], MODERN);
    assert.equal(headers['mcp-method'], 'tools/call');
    assert.equal(headers['mcp-name'], 'read_console');
    assert.equal(headers.authorization, undefined);
    const message = JSON.parse(text);
    assert.equal(message.jsonrpc, '2.0');
    assert.equal(message.method, 'tools/call');
    assert.equal(message.params.name, 'read_console');
    assert.deepEqual(message.params.arguments, {max_entries: 5, message_pattern: '5'});
    const {_meta} = message.params;
    assert.equal(_meta[`${KEY}protocolVersion`], MODERN);
    assert.deepEqual(_meta[`${KEY}clientCapabilities`], {});
    assert.equal(_meta[`${KEY}clientInfo`].name, 'multiverse-call');
});

const ARGUMENTS = [
    [[], '', {}],
    [['{"a": 1}'], '', {a: 1}],
    [[' {"a": "="} '], '', {a: '='}],
    [['@args.json'], '', {from: 'file'}],
    [['-'], '{"from": "stdin"}', {from: 'stdin'}],
    [['job_id=123', 'wait_ms=5'], '', {job_id: '123', wait_ms: 5}],
    [['job_id:=123'], '', {job_id: 123}],
    [['a.b=1', 'a.c=x'], '', {a: {b: 1, c: 'x'}}],
    [['--', 'job_id=-1'], '', {job_id: '-1'}],
];
for (const [args, input, want] of ARGUMENTS)
    test(`arguments ${JSON.stringify(args.join(' '))}`, async t => {
        const p = await play(t);
        writeFileSync(path.join(p.cwd, 'args.json'), '{"from": "file"}\n');
        const {code, stderr} = await run(['call', '-p', String(p.port), 'get_job_status', ...args], {cwd: p.cwd, input});
        assert.equal(code, 0, stderr);
        assert.deepEqual(JSON.parse(p.requests[0].text).params.arguments, want);
    });

const WRONG = [
    [[], '', /call needs an argument: multiverse call TOOL/],
    [['get_editor_sate'], '', /unknown tool get_editor_sate: did you mean get_editor_state\?/],
    [['zzzzzz'], '', /unknown tool zzzzzz: multiverse tools lists the tools/],
    [['get_job_status', 'x'], '', /"x" is not KEY=VALUE/],
    [['get_job_status', '{"a": }'], '', /the arguments: not JSON at byte 7: /],
    [['get_job_status', '{}', 'a=1'], '', /one JSON object, @FILE or - alone, or KEY=VALUE pairs; "a=1" is one argument too many/],
    [['get_job_status', '@nix.json'], '', /cannot read nix\.json: No such file/],
    [['get_job_status', '@list.json'], '', /list\.json: must be an object \{\.\.\.\}, not an array/],
    [['get_job_status', '-'], '{', /standard input: not JSON at byte 2: /],
    [['get_job_status', '-'], '', /standard input: not JSON at byte 1: /],
    [['get_job_status', 'a=1', 'a=2'], '', /the argument a is given twice/],
    [['get_job_status', 'a:=x'], '', /the value of a is not JSON/],
    [['get_job_status', '--url', 'https://127.0.0.1:1/mcp'], '', /--url must be http:\/\/127\.0\.0\.1:PORT\/mcp/],
    [['get_job_status', '--url', 'http://example.com/mcp'], '', /--url must be http:\/\/127\.0\.0\.1:PORT\/mcp/],
    [['get_job_status', '--url', 'http://127.0.0.1:1/', '--port', '1'], '', /--url or --port, not both/],
    [['get_job_status', '--port', '0'], '', /port 0 is not the port of a server: .* --port N/],
    [['get_job_status', '--timeout-ms', '0'], '', /--timeout-ms must be a number from 1 to 86400000/],
];
for (const [args, input, pattern] of WRONG)
    test(`usage error: multiverse call ${JSON.stringify(args.join(' '))}`, async t => {
        const cwd = folder(t);
        writeFileSync(path.join(cwd, 'list.json'), '[]');
        refuses(await run(['call', ...args], {cwd, input}), pattern);
    });

test('the server\'s address comes from --url, --port or the configuration file', async t => {
    const p = await play(t);
    writeFileSync(path.join(p.cwd, 'multiverse.json'), JSON.stringify({schema_version: 1, port: p.port}));
    assert.equal((await run(['call', 'get_editor_state'], {cwd: p.cwd})).code, 0);
    const url = `http://localhost:${p.port}/other?x=1`;
    assert.equal((await run(['call', 'get_editor_state', '--url', url], {cwd: p.cwd})).code, 0);
    assert.deepEqual(p.requests.map(r => r.url), ['/mcp', '/other?x=1']);
});

test('a failed tool call prints its error as the result and one line, and exits with 1', async t => {
    const error = {
        code: 'ERR_QUEUE_FULL', message: '32 calls\nwait', retryable: true,
        details: {execution_guarantee: 'not_executed', recovery_action: 'retry_later'},
    };
    const p = await play(t, response => json(response, answer({structuredContent: error, isError: true})));
    const {code, stdout, stderr} = await p.call('get_editor_state');
    assert.equal(code, 1);
    assert.deepEqual(JSON.parse(stdout), error);
    assert.equal(stderr, 'multiverse: ERR_QUEUE_FULL: 32 calls\\nwait (not_executed; next: retry_later)\n');
});

test('a tool that fails with text only', async t => {
    const content = [{type: 'text', text: 'no such thing'}];
    const p = await play(t, response => json(response, answer({content, isError: true})));
    const {code, stderr} = await p.call('get_editor_state');
    assert.equal(code, 1);
    assert.equal(stderr, 'multiverse: the tool failed: no such thing\n');
});

test('a protocol error is one line and exit 1', async t => {
    const error = {code: -32602, message: 'Unknown tool: x'};
    const p = await play(t, response => json(response, {jsonrpc: '2.0', id: 1, error}, 400));
    const {code, stdout, stderr} = await p.call('get_editor_state');
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.equal(stderr, 'multiverse: the server refused the call: Unknown tool: x\n');
    assert.deepEqual(JSON.parse((await p.call('--raw', 'get_editor_state')).stdout).error, error);
});

test('--raw prints the whole message', async t => {
    const p = await play(t);
    const {code, stdout} = await p.call('get_editor_state', '--raw');
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), answer({structuredContent: RESULT}));
});

test('a response may be an event stream with notifications and comments, in any pieces', async t => {
    const text = `: hello\r\n\r\nid: 7\r\n${event(progress(1, 2, 'half'))}: beat\n\n` +
        event(answer({structuredContent: RESULT}));
    const p = await play(t, response => {
        response.writeHead(200, {'content-type': 'text/event-stream'});
        for (const byte of Buffer.from(text))
            response.write(Buffer.of(byte));
        // The stream stays open: the client leaves once it has its response.
    });
    const {code, stdout, stderr} = await p.call('get_editor_state');
    assert.equal(code, 0, stderr);
    assert.equal(stderr, ''); // no terminal, no progress
    assert.equal(stdout, JSON.stringify(RESULT) + '\n');
    assert.equal(JSON.parse(p.requests[0].text).params._meta.progressToken, undefined);
});

test('on a terminal, progress is on one line and the result is indented', async t => {
    const p = await play(t, (response, message) => {
        assert.equal(message.params._meta.progressToken, 1);
        response.writeHead(200, {'content-type': 'text/event-stream'});
        response.write(event(progress(3, 10, 'running\u001b[2J tests')) + event(progress(4)));
        response.end(event(answer({structuredContent: RESULT})));
    });
    const {code, stdout} = await runOnTerminal(['call', 'get_editor_state', '-p', String(p.port)], {cwd: p.cwd});
    assert.equal(code, 0, stdout);
    assert.equal(stdout, '\r\u001b[K3 of 10: running\\u001b[2J tests\r\u001b[K4\r\u001b[K' +
        JSON.stringify(RESULT, null, 2).replaceAll('\n', '\r\n') + '\r\n');
});

test('a large response arrives completely', async t => {
    const big = {text: 'x'.repeat(8 << 20)};
    const p = await play(t, response => json(response, answer({structuredContent: big})));
    const {code, stdout} = await p.call('get_editor_state');
    assert.equal(code, 0);
    assert.equal(stdout.length, JSON.stringify(big).length + 1);
});

// ---- no response

test('without a server, the error says how to start one', async t => {
    const listener = net.createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const {port} = listener.address();
    listener.close();
    await once(listener, 'close');
    refuses(await run(['call', 'get_editor_state', '--port', String(port)], {cwd: folder(t)}),
        new RegExp(`no server is running on port ${port}: start one with \`multiverse serve\``));
});

test('a server that requires a token is reported', async t => {
    const token = '0123456789abcdef';
    const p = await play(t, (response, message, request) =>
        request.headers.authorization === `Bearer ${token}`
            ? json(response, answer({structuredContent: RESULT}))
            : json(response, {jsonrpc: '2.0', error: {code: -32000, message: 'Unauthorized'}}, 401));
    refuses(await p.call('get_editor_state'), /the server requires a token: give it with --token-file F/);
    const file = path.join(p.cwd, 'tok');
    writeFileSync(file, 'another-token-that-is-wrong\n', {mode: 0o600});
    refuses(await p.call('get_editor_state', '--token-file', 'tok'), /the server rejects the token/);
    writeFileSync(file, `${token}\n`, {mode: 0o600});
    assert.equal((await p.call('get_editor_state', '--token-file', 'tok')).code, 0);
    writeFileSync(path.join(p.cwd, 'multiverse.json'), '{"schema_version": 1, "token_file": "tok"}');
    assert.equal((await p.call('get_editor_state')).code, 0);
});

const FOREIGN = [
    ['a page', response => { response.writeHead(404, {'content-type': 'text/html'}); response.end('<h1>no</h1>'); }],
    ['nothing', response => response.writeHead(204).end()],
    ['other JSON', response => json(response, {hello: 1})],
    ['broken JSON', response => json(response, '{"jsonrpc":"2.0",')],
    ['a notification instead of a response is an error', response => json(response, progress(1))],
    ['events that are not messages are an error', response => {
        response.writeHead(200, {'content-type': 'text/event-stream'});
        response.end('data: hello\n\n');
    }],
];
for (const [what, act] of FOREIGN)
    test(`a foreign server is reported: ${what}`, async t => {
        const p = await play(t, act);
        refuses(await p.call('get_editor_state'), new RegExp(`the program on port ${p.port} is not a multiverse server`));
    });

test('a server that does not speak HTTP', async t => {
    const listener = net.createServer(socket => socket.on('error', () => {}).end('220 mail\r\n')).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    t.after(() => listener.close());
    const {code, stderr} = await run(['call', 'get_editor_state', '-p', String(listener.address().port)], {cwd: folder(t)});
    oneLine(stderr);
    assert.notEqual(code, 0);
});

for (const [what, act] of [
    ['before its response', response => response.destroy()],
    ['in the middle', response => {
        response.writeHead(200, {'content-type': 'application/json', 'content-length': 1000});
        response.write('{', () => response.destroy());
    }],
    ['with a stream without a response', response => {
        response.writeHead(200, {'content-type': 'text/event-stream'});
        response.end(event(progress(1)));
    }],
])
    test(`a server that disconnects ${what}`, async t => {
        const p = await play(t, act);
        const {code, stdout, stderr} = await p.call('get_editor_state');
        assert.equal(code, 1);
        assert.equal(stdout, '');
        oneLine(stderr);
        assert.match(stderr, /the connection ended before the answer .*: the call may have run, check before you repeat it/);
    });

// ---- cancel

/** A server that never responds: {gone} resolves when its client has disconnected. */
function hanging(first) {
    let asked, left;
    const waits = {
        begun: new Promise(resolve => { asked = resolve; }),
        gone: new Promise(resolve => { left = resolve; }),
    };
    waits.act = response => {
        response.on('close', left);
        if (first) {
            response.writeHead(200, {'content-type': 'text/event-stream'});
            response.write(first);
        }
        asked();
    };
    return waits;
}

for (const [what, first] of [['before the response begins', null], ['in a stream', event(progress(1))]])
    test(`Ctrl-C ${what} disconnects and exits with 130`, async t => {
        const h = hanging(first);
        const p = await play(t, h.act);
        const program = start(['call', 'get_editor_state', '-p', String(p.port)], {cwd: p.cwd});
        await within(h.begun, 'the request');
        const {code} = await program.stop('SIGINT');
        assert.equal(code, 130);
        oneLine(program.stderr);
        assert.match(program.stderr, /interrupted: the server was asked to cancel the call, but it may have run/);
        await within(h.gone, 'the end of the connection');
    });

test('--timeout-ms disconnects and exits with 1', async t => {
    const h = hanging();
    const p = await play(t, h.act);
    const {code, stderr} = await p.call('get_editor_state', '--timeout-ms', '50');
    assert.equal(code, 1);
    assert.equal(stderr, 'multiverse: no answer after 50 ms: the server was asked to cancel it, but it may have run; check before you repeat it\n');
});
