// The stdio transport, line by line.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {mkdtempSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {describe, test} from 'node:test';

import {
    END_MS, enveloped, everything, inTime, KEY, MODERN, Program, request, slow, startStdio,
    textOf, until, within,
} from '../fixtures/program.mjs';

const MiB = 1024 * 1024;

describe('stdio: messages', () => {
    test('ids are echoed unchanged: 0, negative, large, strings', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        for (const id of [0, -1, 9007199254740991, '', 'a b', '0', 'Ünï☃'])
            assert.deepEqual(await pipe.request('ping', undefined, id),
                {jsonrpc: '2.0', id, result: {}});
    });

    test('an id that is neither a string nor an integer is refused', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        for (const id of [null, 1.5, true, {}, []]) {
            pipe.send({jsonrpc: '2.0', id, method: 'ping'});
            const answer = await pipe.next();
            assert.equal(answer.error.code, -32600, JSON.stringify(id));
            assert.ok(!('id' in answer));
        }
    });

    test('an invalid line gets an error, and the next one works', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        const bad = {
            'garbage': -32700, '{"jsonrpc":"2.0","id":1,"method":"ping"': -32700, '\u0000\u0001': -32700,
            '{"a":1,"a":2}': -32700, '1e': -32700, '"text"': -32600, '17': -32600, 'null': -32600, '{}': -32600,
            '[]': -32600, '[{"jsonrpc":"2.0","id":1,"method":"ping"}]': -32600,
            '{"jsonrpc":"1.0","id":1,"method":"ping"}': -32600, '{"jsonrpc":"2.0","id":1}': -32600,
            '{"jsonrpc":"2.0","id":1,"method":17}': -32600,
            '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}': -32600,
        };
        for (const [line, code] of Object.entries(bad)) {
            pipe.write(line + '\n');
            const answer = await pipe.next();
            assert.equal(answer.error?.code, code, `${line}: ${JSON.stringify(answer)}`);
            assert.ok(answer.error.message.length > 5);
            assert.deepEqual((await pipe.request('ping')).result, {});
        }
    });

    test('invalid UTF-8 is refused, and the next line works', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        for (const bytes of ['ff', 'c080', 'eda080', 'f5808080', 'e28']) {
            pipe.write(Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":5,"method":"'),
                Buffer.from(bytes.padEnd(bytes.length + bytes.length % 2, '0'), 'hex'),
                Buffer.from('"}\n')]));
            assert.ok((await pipe.next()).error);
            assert.deepEqual((await pipe.request('ping')).result, {});
        }
    });

    test('empty lines and CRLF are accepted', async t => {
        const pipe = startStdio(t);
        pipe.write('\n\r\n  \n');
        pipe.write(JSON.stringify(request(1, 'ping')) + '\r\n\r\n');
        assert.deepEqual(await pipe.next(), {jsonrpc: '2.0', id: 1, result: {}});
        assert.equal(pipe.pending.length, 0);
    });

    test('a message may arrive in any pieces', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        const bytes = Buffer.from(
            JSON.stringify(request('ä☃', 'tools/call', {name: 'greet', arguments: {name: 'ö𝄞'}})) + '\n');
        for (let cut = 1; cut < bytes.length; cut++) {
            pipe.child.stdin.write(bytes.subarray(0, cut));
            await new Promise(resolve => setImmediate(resolve));
            pipe.child.stdin.write(bytes.subarray(cut));
            assert.equal(textOf((await pipe.next()).result), 'Hello, ö𝄞!');
        }
    });

    test('progress comes before the result, also for token 0', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        for (const progressToken of [0, 'token']) {
            pipe.pending.length = 0;
            const {result} = await pipe.request('tools/call',
                {name: 'test_tool_with_progress', _meta: {progressToken}});
            assert.match(textOf(result), /successfully/);
            assert.deepEqual(pipe.pending.map(m => [m.method, m.params.progressToken, m.params.progress]),
                [0, 50, 100].map(n => ['notifications/progress', progressToken, n]));
        }
    });

    test('a cancelled call is not answered; cancelling an unknown id has no effect', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        pipe.send(request('w', 'tools/call', {name: 'test_wait', _meta: {progressToken: 1}}));
        await pipe.next(m => m.method === 'notifications/progress');
        for (const params of [{requestId: 'none'}, {requestId: null}, {}, undefined, {requestId: 'w'}])
            pipe.send({jsonrpc: '2.0', method: 'notifications/cancelled', params});
        const open = await pipe.request('tools/call', {name: 'test_open_calls'});
        assert.equal(open.result.structuredContent.open, 0);
        assert.ok(!pipe.pending.some(m => m.id === 'w'));
    });

    test('the id of an open request cannot be used again', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        pipe.send(request('w', 'tools/call', {name: 'test_wait'}));
        assert.equal((await pipe.request('ping', undefined, 'w')).error.code, -32600);
    });

    test('unknown notifications and unexpected responses are ignored', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        pipe.send({jsonrpc: '2.0', method: 'notifications/no/such'});
        pipe.send({jsonrpc: '2.0', id: 77, result: {}});
        pipe.send({jsonrpc: '2.0', id: 'x', error: {code: 1, message: 'm'}});
        assert.deepEqual((await pipe.request('ping')).result, {});
        assert.equal(pipe.pending.length, 0);
    });
});

describe('stdio: both eras in one process', () => {
    test('initialize after server/discover works', async t => {
        const pipe = startStdio(t);
        const probe = await pipe.request('server/discover', enveloped(), 'server-discover-probe-1');
        assert.deepEqual(probe.result.supportedVersions, [MODERN]);
        assert.equal(probe.result._meta[`${KEY}serverInfo`].name, 'mcp-everything');
        const opened = await pipe.initialize();
        assert.equal(opened.result.protocolVersion, '2025-11-25');
        assert.equal(textOf((await pipe.request('tools/call', {name: 'test_simple_text'})).result),
            'This is a simple text response for testing.');
    });

    test('modern and legacy requests may be mixed', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        const old = await pipe.request('tools/list');
        const fresh = await pipe.request('tools/list', enveloped());
        assert.equal(old.result.resultType, undefined);
        assert.equal(fresh.result.resultType, 'complete');
        assert.equal(old.result.tools.length, fresh.result.tools.length);
        assert.equal((await pipe.request('ping', enveloped())).error.code, -32601);
        assert.deepEqual((await pipe.request('ping')).result, {});
    });

    test('without initialize, legacy requests except ping are refused; modern ones work', async t => {
        const pipe = startStdio(t);
        assert.match((await pipe.request('tools/list')).error.message, /initialize/);
        assert.deepEqual((await pipe.request('ping')).result, {});
        assert.ok((await pipe.request('tools/list', enveloped())).result.tools.length);
    });

    test('the envelope is checked as with HTTP', async t => {
        const pipe = startStdio(t);
        const version = `${KEY}protocolVersion`;
        const capabilities = `${KEY}clientCapabilities`;
        const code = async meta => (await pipe.request('tools/list', {_meta: meta})).error.code;
        assert.equal(await code({[version]: MODERN}), -32602);
        assert.equal(await code({[version]: 7, [capabilities]: {}}), -32602);
        assert.equal(await code({[version]: MODERN, [capabilities]: []}), -32602);
        assert.equal(await code({[version]: MODERN, [capabilities]: {}, [`${KEY}logLevel`]: 'loud'}), -32602);
        const unknown = await pipe.request('tools/list', enveloped({}, {}, 'v999'));
        assert.equal(unknown.error.code, -32022);
        assert.deepEqual(unknown.error.data, {supported: [MODERN], requested: 'v999'});
    });

    test('the server agrees to the requested revision, or offers its newest legacy one', async t => {
        for (const [asked, got] of [['2025-03-26', '2025-03-26'], ['2025-06-18', '2025-06-18'],
            ['2025-11-25', '2025-11-25'], ['2024-11-05', '2025-11-25'], ['2026-07-28', '2025-11-25'],
            ['nonsense', '2025-11-25']]) {
            const pipe = startStdio(t);
            assert.equal((await pipe.initialize({}, asked)).result.protocolVersion, got, asked);
        }
    });

    test('a subscription on stdio ends when it is cancelled', async t => {
        const pipe = startStdio(t);
        pipe.send(request('listen:0', 'subscriptions/listen',
            enveloped({notifications: {toolsListChanged: true}})));
        const ack = await pipe.next();
        assert.equal(ack.method, 'notifications/subscriptions/acknowledged');
        assert.equal(ack.params._meta[`${KEY}subscriptionId`], 'listen:0');
        await pipe.request('tools/call', enveloped({name: 'test_trigger_tool_change'}));
        assert.equal((await pipe.next()).method, 'notifications/tools/list_changed');
        pipe.send({jsonrpc: '2.0', method: 'notifications/cancelled', params: {requestId: 'listen:0'}});
        await pipe.request('tools/call', enveloped({name: 'test_trigger_tool_change'}));
        const open = await pipe.request('tools/call', enveloped({name: 'test_open_calls'}));
        assert.equal(open.result.structuredContent.open, 0);
        assert.equal(pipe.pending.length, 0);
    });
});

describe('stdio: sizes', () => {
    test('10 MB of garbage in one line are refused, and the next message works', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        pipe.write('x'.repeat(10_000_000) + '\n');
        assert.equal((await pipe.next()).error.code, -32700);
        assert.deepEqual((await pipe.request('ping')).result, {});
    });

    test('a request of 10 MB is answered', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        const name = 'ü'.repeat(5_000_000);
        const {result} = await pipe.request('tools/call', {name: 'greet', arguments: {name}});
        assert.equal(textOf(result), `Hello, ${name}!`);
    });

    test('a structured result of any size arrives whole and on one line', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        for (const size of [10, 16000, 16384, 70000, 3 * MiB]) {
            const name = ('"\\\n☃x'.repeat(size / 5)).slice(0, size);
            const {result} = await pipe.request('tools/call',
                {name: 'test_structured_content', arguments: {name}});
            assert.equal(result.structuredContent.name, name);
            assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent);
        }
        assert.deepEqual((await pipe.request('ping')).result, {});
    });

    test('a line above the limit is refused once, and the next one works', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        pipe.write(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(40 * MiB)}"}\n`);
        const refused = await pipe.next();
        assert.equal(refused.error.code, -32600);
        assert.match(refused.error.message, /16 MiB/);
        assert.deepEqual((await pipe.request('ping')).result, {});
        assert.equal(pipe.pending.length, 0);
    });

    test('the server stops reading for a client that does not read, which later gets every response', async t => {
        const COUNT = 50_000;
        const program = new Program(['--stdio'], {stdio: ['pipe', 'pipe', 'pipe']});
        t.after(() => program.stop('SIGTERM'));
        const before = program.rss();
        program.child.stdout.pause();
        let text = '';
        for (let i = 0; i < COUNT; i++)
            text += JSON.stringify(request(i, 'tools/call', enveloped({name: 'test_simple_text'}))) + '\n';
        let taken = false;
        // the memory that we hold: about 15 MB
        program.child.stdin.write(text, () => { taken = true; });
        // The responses fill the pipe, then the server's queue; then it stops reading.
        await until(() => program.rss() - before, 'a full queue', {is: grown => grown > 4 * MiB, from: program});
        // There is more to read, but the program sleeps: it has stopped reading.
        await until(() => program.isAsleep(), 'a program that has stopped reading', program);
        const last = program.rss();
        assert.equal(taken, false);
        // The queue holds 8 MiB; the sanitizers' allocator keeps freed memory.
        const limit = (slow > 1 ? 400 : 40) * MiB;
        assert.ok(last - before < limit, `grew by ${((last - before) / MiB).toFixed(1)} MiB`);

        const ids = new Set();
        let rest = '';
        program.child.stdout.setEncoding('utf8').on('data', piece => {
            const lines = (rest + piece).split('\n');
            rest = lines.pop();
            for (const line of lines)
                ids.add(JSON.parse(line).id);
        });
        program.child.stdout.resume();
        await until(() => ids.size, `${COUNT} answers`, {is: n => n === COUNT, from: program});
        assert.ok(program.rss() - before < limit);
    });
});

describe('stdio: files and ends', () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'multiverse-e2e-'));
    test.after(() => rmSync(dir, {recursive: true}));

    test('input may be a file, and so may output', async t => {
        const messages = [
            request(0, 'initialize', {protocolVersion: '2025-11-25', capabilities: {}}),
            {jsonrpc: '2.0', method: 'notifications/initialized'},
            request('a', 'tools/list'),
            request('b', 'tools/call', {name: 'test_simple_text'}),
        ];
        const [input, output] = [path.join(dir, 'in'), path.join(dir, 'out')];
        // no newline at the end
        writeFileSync(input, messages.map(m => JSON.stringify(m)).join('\n'));
        const child = spawn(everything, ['--stdio'],
            {stdio: [openSync(input, 'r'), openSync(output, 'w'), 'inherit']});
        const start = performance.now();
        const code = await within(new Promise(resolve => child.once('exit', resolve)), 'the end');
        assert.equal(code, 0);
        inTime(performance.now() - start, END_MS, 'the end');
        const answers = readFileSync(output, 'utf8').trimEnd().split('\n').map(line => JSON.parse(line));
        assert.deepEqual(answers.map(answer => answer.id), [0, 'a', 'b']);
        assert.ok(answers.every(answer => answer.result));
    });

    test('a last line without a newline is answered', async t => {
        const pipe = startStdio(t);
        pipe.child.stdin.end(JSON.stringify(request('last', 'ping')));
        assert.deepEqual((await pipe.answer('last')).result, {});
        assert.equal((await pipe.stop(null)).code, 0);
        assert.equal(pipe.rest(), '');
    });

    test('the end of input ends the program, at once when nothing is open', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        pipe.child.stdin.end();
        assert.equal((await pipe.stop(null)).code, 0);
        assert.equal(pipe.stderr, '');
    });

    test('running calls are still answered after the end of input', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        // a quarter second
        pipe.send(request('p', 'tools/call', {name: 'test_tool_with_progress'}));
        pipe.child.stdin.end();
        assert.match(textOf((await pipe.answer('p')).result), /successfully/);
        assert.equal((await pipe.stop(null)).code, 0);
    });

    test('a call that never ends does not delay the exit after the end of input', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        pipe.send(request('w', 'tools/call', {name: 'test_wait', _meta: {progressToken: 0}}));
        await pipe.next(m => m.method === 'notifications/progress');
        pipe.child.stdin.end();
        assert.equal((await pipe.stop(null)).code, 0);
    });

    test('the program ends when the client disconnects', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        pipe.child.stdout.destroy();
        pipe.send(request('p', 'ping'));
        pipe.send(request('q', 'ping'));
        assert.equal((await pipe.stop(null)).code, 0);
    });

    test('a large response is flushed completely before the exit', async t => {
        const pipe = startStdio(t);
        await pipe.initialize();
        const name = 'x'.repeat(4 * MiB);
        pipe.send(request('big', 'tools/call', {name: 'greet', arguments: {name}}));
        pipe.child.stdin.end();
        assert.equal(textOf((await pipe.answer('big')).result).length, 4 * MiB + 8);
        assert.equal((await pipe.stop(null)).code, 0);
    });
});
