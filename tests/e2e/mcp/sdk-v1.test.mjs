// The official client, SDK v1 (legacy revisions), uses every feature over both transports.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {isDeepStrictEqual} from 'node:util';

import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';

import {everything, startHttp, textOf, until, within} from '../fixtures/program.mjs';

const ALL = {sampling: {}, elicitation: {}, roots: {listChanged: true}};

/** A connected client; onRequest: schema -> handler, onNotice: schema -> handler. */
async function connect(t, kind, {capabilities = {}, onRequest = [], onNotice = []} = {}) {
    const client = new Client({name: 'e2e', version: '1'}, {capabilities});
    for (const [schema, handler] of onRequest)
        client.setRequestHandler(schema, handler);
    for (const [schema, handler] of onNotice)
        client.setNotificationHandler(schema, handler);
    client.errors = [];
    client.onerror = error => client.errors.push(error);
    if (kind === 'http') {
        const server = await startHttp(t);
        client.server = server;
        await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
    } else {
        const transport = new StdioClientTransport({command: everything, args: ['--stdio']});
        await client.connect(transport);
    }
    t.after(() => client.close());
    return client;
}

const call = (client, name, args = {}, options) =>
    client.callTool({name, arguments: args}, undefined, options);
const openCalls = async client => (await call(client, 'test_open_calls')).structuredContent.open;

/** Collects items and resolves when there are enough. */
function collector(count) {
    const seen = [];
    let enough;
    const done = new Promise(resolve => { enough = resolve; });
    return {
        seen,
        add(item) {
            seen.push(item);
            if (seen.length >= count)
                enough(seen);
        },
        done: () => within(done, `${count} notices`, () => seen),
    };
}

for (const kind of ['stdio', 'http']) {
    describe(`SDK v1 over ${kind}`, {concurrency: false}, () => {
        test('initialize returns the server\'s name and capabilities', async t => {
            const client = await connect(t, kind);
            assert.equal(client.getServerVersion().name, 'mcp-everything');
            assert.ok(client.getInstructions().length > 0);
            const can = client.getServerCapabilities();
            for (const key of ['tools', 'prompts', 'resources', 'logging', 'completions', 'tasks'])
                assert.ok(can[key], key);
            assert.deepEqual(await client.ping(), {});
            assert.deepEqual(client.errors, []);
        });

        test('all lists are complete, without duplicates', async t => {
            const client = await connect(t, kind);
            const {tools} = await client.listTools();
            assert.ok(tools.length >= 38, `${tools.length} tools`);
            assert.equal(new Set(tools.map(tool => tool.name)).size, tools.length);
            assert.ok(tools.every(tool => tool.description && tool.inputSchema.type === 'object'));
            const {prompts} = await client.listPrompts();
            assert.ok(prompts.some(p => p.name === 'test_prompt_with_arguments' &&
                p.arguments.length === 2));
            const {resources} = await client.listResources();
            assert.ok(resources.some(r => r.uri === 'test://static-text'));
            const {resourceTemplates} = await client.listResourceTemplates();
            assert.equal(resourceTemplates[0].uriTemplate, 'test://template/{id}/data');
        });

        test('an invented cursor is refused', async t => {
            const client = await connect(t, kind);
            await assert.rejects(client.listTools({cursor: 'made up'}), {code: -32602});
        });

        test('calls, prompts and resources are answered', async t => {
            const client = await connect(t, kind);
            assert.match(textOf(await call(client, 'test_simple_text')), /simple text/);
            assert.equal((await call(client, 'test_error_handling')).isError, true);
            const prompt = await client.getPrompt(
                {name: 'test_prompt_with_arguments', arguments: {arg1: 'one', arg2: 'tw"ö'}});
            assert.match(prompt.messages[0].content.text, /arg1='one', arg2='tw"ö'/);
            const read = await client.readResource({uri: 'test://template/äß/data'});
            assert.match(read.contents[0].text, /äß/);
            const binary = await client.readResource({uri: 'test://static-binary'});
            assert.equal(Buffer.from(binary.contents[0].blob, 'base64').subarray(1, 4).toString(), 'PNG');
        });

        test('errors have the right codes and name the cause', async t => {
            const client = await connect(t, kind);
            await assert.rejects(call(client, 'no_such_tool'), {code: -32602, message: /no_such_tool/});
            await assert.rejects(client.getPrompt({name: 'none'}), {code: -32602, message: /none/});
            await assert.rejects(client.readResource({uri: 'test://none'}),
                {code: -32002, message: /test:\/\/none/, data: {uri: 'test://none'}});
            await assert.rejects(client.request({method: 'no/such'}, types.EmptyResultSchema),
                {code: -32601});
        });

        test('structured content satisfies the output schema', async t => {
            const client = await connect(t, kind);
            await client.listTools(); // the client validates from here on
            const result = await call(client, 'test_structured_content', {name: 'Ünity'});
            assert.deepEqual(result.structuredContent, {name: 'Ünity', bytes: 6});
            assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent);
        });

        test('progress increases, has the token, and comes before the result', async t => {
            const client = await connect(t, kind);
            const progress = [];
            const result = await call(client, 'test_tool_with_progress', {},
                {onprogress: p => progress.push(p)});
            assert.match(textOf(result), /successfully/);
            // The client itself drops progress that arrives in one piece with the result.
            assert.deepEqual(progress.map(p => p.progress), [0, 50, 100].slice(0, progress.length));
            assert.ok(progress.length >= 2);
            assert.ok(progress.every(p => p.total === 100 && p.message));
        });

        test('an aborted call ends in the server, and the next one works', async t => {
            const client = await connect(t, kind);
            const abort = new AbortController();
            const started = collector(1);
            const waiting = call(client, 'test_wait', {},
                {signal: abort.signal, onprogress: p => started.add(p)});
            await started.done();
            assert.equal(await openCalls(client), 1);
            abort.abort('enough');
            await assert.rejects(waiting);
            await until(() => openCalls(client), 'the end of test_wait', {is: now => now === 0});
            assert.match(textOf(await call(client, 'test_simple_text')), /simple/);
        });

        test('log messages are sent from the chosen level on', async t => {
            const logs = collector(3);
            const client = await connect(t, kind, {
                onNotice: [[types.LoggingMessageNotificationSchema, n => logs.add(n.params)]],
            });
            await client.setLoggingLevel('error');
            await call(client, 'test_tool_with_logging');
            assert.equal(logs.seen.length, 0);
            await client.setLoggingLevel('debug');
            await call(client, 'test_tool_with_logging');
            assert.deepEqual((await logs.done()).map(l => l.level), ['info', 'info', 'info']);
            await assert.rejects(client.setLoggingLevel('loud'));
        });

        test('the server can ask the client: sampling, elicitation, roots', async t => {
            const asked = [];
            const client = await connect(t, kind, {
                capabilities: ALL,
                onRequest: [
                    [types.CreateMessageRequestSchema, ({params}) => {
                        asked.push(params.messages[0].content.text);
                        return {
                            role: 'assistant', model: 'none', stopReason: 'endTurn',
                            content: {type: 'text', text: 'Paris'},
                        };
                    }],
                    [types.ElicitRequestSchema, ({params}) => {
                        asked.push(params.message);
                        return {action: 'accept', content: {username: 'u', email: 'u@example.com'}};
                    }],
                    [types.ListRootsRequestSchema, () => ({
                        roots: [{uri: 'file:///a', name: 'a'}, {uri: 'file:///b', name: 'b'}],
                    })],
                ],
            });
            assert.match(textOf(await call(client, 'test_sampling', {prompt: 'Capital?'})), /Paris/);
            assert.match(textOf(await call(client, 'test_elicitation', {message: 'Who?'})),
                /action=accept.*u@example.com/);
            assert.match(textOf(await call(client, 'test_input_required_result_list_roots')), /2 roots/);
            assert.deepEqual(asked, ['Capital?', 'Who?']);
        });

        test('three questions at once and two rounds work', async t => {
            const client = await connect(t, kind, {
                capabilities: ALL,
                onRequest: [
                    [types.CreateMessageRequestSchema, () => ({
                        role: 'assistant', model: 'none', content: {type: 'text', text: 'hi'},
                    })],
                    [types.ElicitRequestSchema, () => ({action: 'accept', content: {name: 'n'}})],
                    [types.ListRootsRequestSchema, () => ({roots: []})],
                ],
            });
            assert.match(textOf(await call(client, 'test_input_required_result_multiple_inputs')),
                /All inputs/);
            assert.match(textOf(await call(client, 'test_input_required_result_multi_round')),
                /Both rounds/);
        });

        test('a declining user and a failing client are reported to the tool', async t => {
            let answer = () => ({action: 'decline'});
            const client = await connect(t, kind, {
                capabilities: ALL,
                onRequest: [[types.ElicitRequestSchema, () => answer()]],
            });
            assert.match(textOf(await call(client, 'test_elicitation', {message: '?'})), /action=decline/);
            answer = () => { throw new Error('no window'); };
            const failed = await call(client, 'test_elicitation', {message: '?'});
            assert.equal(failed.isError, true);
            assert.match(textOf(failed), /no window/);
        });

        test('the server does not ask a client without the capability', async t => {
            const client = await connect(t, kind);
            const result = await call(client, 'test_elicitation', {message: '?'}).catch(error => error);
            assert.match(result.message ?? textOf(result), /elicitation/);
        });

        test('completions', async t => {
            const client = await connect(t, kind);
            const {completion} = await client.complete({
                ref: {type: 'ref/prompt', name: 'test_prompt_with_arguments'},
                argument: {name: 'arg1', value: 'par'},
            });
            assert.deepEqual(completion, {values: ['paris', 'park', 'party'], total: 3, hasMore: false});
        });

        test('changes of lists and of subscribed resources are notified', async t => {
            const notices = collector(3);
            const client = await connect(t, kind, {
                onNotice: [
                    [types.ToolListChangedNotificationSchema, () => notices.add('tools')],
                    [types.PromptListChangedNotificationSchema, () => notices.add('prompts')],
                    [types.ResourceUpdatedNotificationSchema, n => notices.add(n.params.uri)],
                ],
            });
            if (kind === 'http') // the client opens its GET stream after it is connected
                await until(async () => {
                    await call(client, 'test_trigger_prompt_change');
                    return notices.seen.includes('prompts');
                }, 'the stream of notifications');
            const wanted = ['tools', 'prompts', 'test://watched-resource'];
            await client.subscribeResource({uri: 'test://watched-resource'});
            await call(client, 'test_trigger_tool_change');
            await call(client, 'test_trigger_prompt_change');
            await call(client, 'test_trigger_resource_update');
            await until(() => notices.seen.slice(-3), 'three notifications', {is: last => isDeepStrictEqual(last, wanted)});
            assert.ok((await client.listTools()).tools.some(tool => tool.name === 'test_dynamic_tool'));
            assert.equal(textOf(await call(client, 'test_dynamic_tool')), 'I come and go');

            notices.seen.length = 0;
            await client.unsubscribeResource({uri: 'test://watched-resource'});
            await call(client, 'test_trigger_resource_update');
            await call(client, 'test_trigger_tool_change');
            await until(() => notices.seen.length, 'one more notification');
            assert.deepEqual(notices.seen, ['tools']); // and none of the resource before it
        });

        test('fifty calls at once are all answered', async t => {
            const client = await connect(t, kind);
            const names = Array.from({length: 50}, (_, i) => `name ${i}`);
            const results = await Promise.all(names.map((name, i) => i % 5
                ? call(client, 'greet', {name})
                : call(client, 'test_tool_with_progress')));
            results.forEach((result, i) =>
                assert.equal(textOf(result), i % 5 ? `Hello, name ${i}!`
                    : 'Tool with progress executed successfully'));
        });

        test('the 65th open request is refused with a message, and the 64 continue', async t => {
            const client = await connect(t, kind);
            const abort = new AbortController();
            const started = collector(64);
            const open = Array.from({length: 64}, () => call(client, 'test_wait', {},
                {signal: abort.signal, onprogress: () => started.add(1), resetTimeoutOnProgress: true})
                .catch(error => error));
            await started.done();
            await assert.rejects(call(client, 'test_simple_text'), {message: /64 requests are open/});
            abort.abort('enough');
            await Promise.all(open);
            await until(() => call(client, 'test_simple_text').then(() => true, () => false),
                'a call after the flood');
        });
    });
}

describe('SDK v1: what only HTTP has', () => {
    test('a stream that the server closed is resumed with Last-Event-ID', async t => {
        const client = await connect(t, 'http');
        const result = await call(client, 'test_reconnection');
        assert.match(textOf(result), /new stream/);
    });

    test('an ended session is 404, and a new one can be opened', async t => {
        const server = await startHttp(t);
        const transport = new StreamableHTTPClientTransport(new URL(server.url));
        const client = new Client({name: 'e2e', version: '1'});
        await client.connect(transport);
        const {sessionId} = transport;
        assert.match(sessionId, /^[\x21-\x7e]{16,}$/);
        await transport.terminateSession();
        await client.close();

        const again = await fetch(server.url, {
            method: 'POST',
            headers: {
                'content-type': 'application/json', accept: 'application/json, text/event-stream',
                'mcp-session-id': sessionId,
            },
            body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/list'}),
        });
        assert.equal(again.status, 404);
        assert.match((await again.json()).error.message, /session/);

        const next = new Client({name: 'e2e', version: '1'});
        await next.connect(new StreamableHTTPClientTransport(new URL(server.url)));
        assert.match(textOf(await call(next, 'test_simple_text')), /simple/);
        await next.close();
    });

    test('two clients do not see each other', async t => {
        const first = await connect(t, 'http');
        const second = new Client({name: 'other', version: '1'});
        const logs = [];
        second.setNotificationHandler(types.LoggingMessageNotificationSchema, n => logs.push(n));
        await second.connect(new StreamableHTTPClientTransport(new URL(first.server.url)));
        t.after(() => second.close());
        await first.setLoggingLevel('debug');
        await call(first, 'test_tool_with_logging');
        await call(second, 'test_simple_text');
        assert.equal(logs.length, 0);
    });
});
