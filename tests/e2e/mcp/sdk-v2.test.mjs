// The official client, SDK v2, in the modern revision over both transports; features it has no call
// for are tested with raw messages.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';

import {
    enveloped, everything, KEY, MODERN, modern, modernHeaders, openStream, request, startHttp,
    startStdio, TASKS, textOf, until, within,
} from '../fixtures/program.mjs';

const ALL = {sampling: {}, elicitation: {}, roots: {}};

async function connect(t, kind, {mode = {pin: MODERN}, capabilities = {}, handlers = {}, ...more} = {}) {
    const client = new Client({name: 'e2e', version: '1'},
        {capabilities, versionNegotiation: {mode}, ...more});
    for (const [method, handler] of Object.entries(handlers))
        if (method.startsWith('notifications/'))
            client.setNotificationHandler(method, handler);
        else
            client.setRequestHandler(method, handler);
    client.errors = [];
    client.onerror = error => client.errors.push(error);
    if (kind === 'http') {
        client.server = await startHttp(t);
        await client.connect(new StreamableHTTPClientTransport(new URL(client.server.url)));
    } else {
        await client.connect(new StdioClientTransport({command: everything, args: ['--stdio']}));
    }
    t.after(() => client.close());
    return client;
}

const call = (client, name, args = {}, options) =>
    client.callTool({name, arguments: args}, options);
const openCalls = async client => (await call(client, 'test_open_calls')).structuredContent.open;

for (const kind of ['stdio', 'http']) {
    describe(`SDK v2, modern, over ${kind}`, () => {
        test('discover returns the server\'s name and capabilities', async t => {
            const client = await connect(t, kind);
            assert.equal(client.getProtocolEra(), 'modern');
            assert.equal(client.getNegotiatedProtocolVersion(), MODERN);
            const found = await client.discover();
            assert.deepEqual(found.supportedVersions, [MODERN]);
            assert.ok(found.capabilities.extensions[TASKS]);
            assert.equal(client.getServerVersion().name, 'mcp-everything');
        });

        test('auto mode finds the modern revision', async t => {
            const client = await connect(t, kind, {mode: 'auto'});
            assert.equal(client.getProtocolEra(), 'modern');
            assert.match(textOf(await call(client, 'test_simple_text')), /simple/);
        });

        test('the legacy mode of the same client works', async t => {
            const client = await connect(t, kind, {mode: 'legacy'});
            assert.equal(client.getProtocolEra(), 'legacy');
            assert.match(textOf(await call(client, 'test_simple_text')), /simple/);
        });

        test('lists, calls, prompts, resources and completions work', async t => {
            const client = await connect(t, kind);
            const {tools} = await client.listTools();
            assert.ok(tools.length >= 38);
            assert.ok(tools.every(tool => tool.execution === undefined)); // the 2025 form of tasks
            assert.ok((await client.listPrompts()).prompts.length >= 5);
            assert.ok((await client.listResources()).resources.length >= 3);
            assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
            assert.equal((await call(client, 'test_error_handling')).isError, true);
            const result = await call(client, 'test_structured_content', {name: 'abc'});
            assert.deepEqual(result.structuredContent, {name: 'abc', bytes: 3});
            const read = await client.readResource({uri: 'test://static-text'});
            assert.match(read.contents[0].text, /static text/);
            const prompt = await client.getPrompt({name: 'test_simple_prompt'});
            assert.equal(prompt.messages.length, 1);
            const {completion} = await client.complete({
                ref: {type: 'ref/prompt', name: 'test_prompt_with_arguments'},
                argument: {name: 'arg1', value: 'part'},
            });
            assert.deepEqual(completion.values, ['party']);
            assert.deepEqual(client.errors, []);
        });

        test('an argument is repeated in a header', async t => {
            const client = await connect(t, kind);
            await client.listTools(); // the client learns here which ones
            for (const region of ['eu-west', ' blanks ', 'Zürich ☃', '=?base64?ZZ?='])
                assert.equal(textOf(await call(client, 'test_custom_header', {region})),
                    `region: ${region}`);
            assert.equal(textOf(await call(client, 'test_custom_header')), 'region: ');
        });

        test('errors have the codes of the revision', async t => {
            const client = await connect(t, kind);
            await assert.rejects(call(client, 'no_such_tool'), {code: -32602});
            await assert.rejects(client.readResource({uri: 'test://none'}), {code: -32602});
            await assert.rejects(call(client, 'test_missing_capability'),
                error => error.code === -32021 && 'sampling' in error.data.requiredCapabilities);
        });

        test('progress comes before the result', async t => {
            const client = await connect(t, kind);
            const progress = [];
            await call(client, 'test_tool_with_progress', {}, {onprogress: p => progress.push(p.progress)});
            assert.deepEqual(progress, [0, 50, 100].slice(0, progress.length));
            assert.ok(progress.length >= 2);
        });

        test('questions are answered in rounds', async t => {
            const asked = [];
            const client = await connect(t, kind, {
                capabilities: ALL,
                handlers: {
                    'elicitation/create': ({params}) => {
                        asked.push(params.message);
                        return {action: 'accept', content: {name: 'Ada', color: 'red', ok: true}};
                    },
                    'sampling/createMessage': () => ({
                        role: 'assistant', model: 'none', content: {type: 'text', text: 'Paris'},
                    }),
                    'roots/list': () => ({roots: [{uri: 'file:///a'}]}),
                },
            });
            const tool = 'test_input_required_result_';
            assert.equal(textOf(await call(client, `${tool}elicitation`)), 'Hello, Ada!');
            assert.match(textOf(await call(client, `${tool}sampling`)), /Paris/);
            assert.match(textOf(await call(client, `${tool}list_roots`)), /1 roots/);
            assert.equal(textOf(await call(client, `${tool}request_state`)), 'state-ok');
            assert.match(textOf(await call(client, `${tool}multiple_inputs`)), /All inputs/);
            asked.length = 0;
            assert.match(textOf(await call(client, `${tool}multi_round`)), /Both rounds/);
            assert.equal(asked.length, 2);
            const prompt = await client.getPrompt({name: 'test_input_required_result_prompt'});
            assert.match(prompt.messages[0].content.text, /Use this context/);
        });

        test('an aborted call ends in the server, and the next one works', async t => {
            const client = await connect(t, kind);
            const abort = new AbortController();
            let started;
            const first = new Promise(resolve => { started = resolve; });
            const waiting = call(client, 'test_wait', {}, {signal: abort.signal, onprogress: started});
            await within(first, 'the first progress');
            assert.equal(await openCalls(client), 1);
            abort.abort('enough');
            await assert.rejects(waiting);
            await until(() => openCalls(client), 'the end of test_wait', {is: now => now === 0});
            assert.match(textOf(await call(client, 'test_simple_text')), /simple/);
        });

        test('a subscription sends the requested notifications, and nothing after it is closed', async t => {
            const seen = [];
            const client = await connect(t, kind, {
                handlers: {
                    'notifications/tools/list_changed': () => seen.push('tools'),
                    'notifications/prompts/list_changed': () => seen.push('prompts'),
                    'notifications/resources/updated': ({params}) => seen.push(params.uri),
                },
            });
            const subscription = await client.listen({
                toolsListChanged: true, resourceSubscriptions: ['test://watched-resource'],
            });
            await call(client, 'test_trigger_prompt_change');
            await call(client, 'test_trigger_tool_change');
            await call(client, 'test_trigger_resource_update');
            await until(() => seen, 'two notifications', {is: all => all.length >= 2});
            assert.deepEqual(seen, ['tools', 'test://watched-resource']);
            assert.equal(await openCalls(client), 1);

            await subscription.close();
            await until(() => openCalls(client), 'the end of the subscription', {is: now => now === 0});
            await call(client, 'test_trigger_tool_change');
            assert.equal(seen.length, 2);
        });

        test('notifications of two subscriptions are distinguishable', async t => {
            const seen = [];
            const client = await connect(t, kind, {
                handlers: {'notifications/tools/list_changed': n =>
                    seen.push(n.params._meta[`${KEY}subscriptionId`])},
            });
            await client.listen({toolsListChanged: true});
            await client.listen({toolsListChanged: true});
            await call(client, 'test_trigger_tool_change');
            await until(() => seen, 'two notifications', {is: all => all.length === 2});
            assert.notEqual(seen[0], seen[1]);
        });

        test('fifty calls at once are all answered', async t => {
            const client = await connect(t, kind);
            const names = Array.from({length: 50}, (_, i) => `name ${i}`);
            const results = await Promise.all(names.map(name => call(client, 'greet', {name})));
            results.forEach((result, i) => assert.equal(textOf(result), `Hello, name ${i}!`));
        });
    });
}

describe('tasks, extension of 2026-07-28', () => {
    const capabilities = {extensions: {[TASKS]: {}}, elicitation: {}};

    /** The same four functions over either transport. */
    async function start(t, kind) {
        if (kind === 'stdio') {
            const pipe = startStdio(t);
            return (method, params, caps = capabilities) => pipe.request(method, enveloped(params, caps));
        }
        const server = await startHttp(t);
        const ask = async (method, params, caps = capabilities) =>
            (await modern(server, method, params, {capabilities: caps})).json;
        ask.server = server;
        return ask;
    }

    const create = async (ask, name, args = {}) => {
        const {result} = await ask('tools/call', {name, arguments: args});
        assert.equal(result.resultType, 'task', JSON.stringify(result));
        return result;
    };
    const get = async (ask, taskId) => (await ask('tasks/get', {taskId})).result;

    for (const kind of ['stdio', 'http']) {
        test(`a task works, can be followed, and has a result (${kind})`, async t => {
            const ask = await start(t, kind);
            const task = await create(ask, 'slow_compute', {seconds: 1, label: 'pi'});
            assert.equal(task.status, 'working');
            assert.ok(task.ttlMs > 0 && task.pollIntervalMs > 0 && Date.parse(task.createdAt) > 0);
            assert.equal((await get(ask, task.taskId)).status, 'working');
            const done = await until(async () => {
                const now = await get(ask, task.taskId);
                assert.equal(now.resultType, 'complete');
                return now;
            }, 'the end of the task', {is: now => now.status !== 'working'});
            assert.equal(done.status, 'completed');
            assert.equal(textOf(done.result), 'Computed pi');
        });

        test(`a cancelled task stops its work (${kind})`, async t => {
            const ask = await start(t, kind);
            const {taskId} = await create(ask, 'slow_compute', {seconds: 600, label: 'never'});
            const open = async () => (await ask('tools/call', {name: 'test_open_calls'}))
                .result.structuredContent.open;
            assert.equal(await open(), 1);
            const {result} = await ask('tasks/cancel', {taskId});
            assert.equal(result.resultType, 'complete');
            assert.equal(result.taskId, undefined);
            assert.equal((await get(ask, taskId)).status, 'cancelled');
            assert.equal(await open(), 0);
            // a second cancel has the same result
            assert.ok((await ask('tasks/cancel', {taskId})).result);
        });

        test(`a task asks, takes partial answers and continues (${kind})`, async t => {
            const ask = await start(t, kind);
            const {taskId} = await create(ask, 'multi_input');
            const waiting = await get(ask, taskId);
            assert.equal(waiting.status, 'input_required');
            assert.deepEqual(Object.keys(waiting.inputRequests), ['first', 'second']);
            const yes = {action: 'accept', content: {confirm: true}};
            await ask('tasks/update', {taskId, inputResponses: {first: yes, unknown: yes}});
            assert.deepEqual(Object.keys((await get(ask, taskId)).inputRequests), ['second']);
            await ask('tasks/update', {taskId, inputResponses: {second: 17}}); // not a valid answer
            assert.equal((await get(ask, taskId)).status, 'input_required');
            await ask('tasks/update', {taskId, inputResponses: {second: yes}});
            const done = await get(ask, taskId);
            assert.equal(done.status, 'completed');
            assert.equal(textOf(done.result), 'Both answers are there');
        });

        test(`errors of tasks (${kind})`, async t => {
            const ask = await start(t, kind);
            assert.equal((await ask('tasks/get', {taskId: 'none'})).error.code, -32602);
            assert.equal((await ask('tasks/get', {})).error.code, -32602);
            assert.equal((await ask('tasks/update', {taskId: 'none', inputResponses: {}})).error.code,
                -32602);
            assert.equal((await ask('tasks/cancel', {taskId: 'none'})).error.code, -32602);
            assert.equal((await ask('tasks/get', {taskId: 'none'}, {})).error.code, -32021);
            const required = await ask('tools/call', {name: 'failing_job'}, {});
            assert.equal(required.error.code, -32021);
            assert.ok(required.error.data.requiredCapabilities.extensions[TASKS]);
            const {taskId} = await create(ask, 'failing_job');
            const failed = await until(() => get(ask, taskId), 'the end of failing_job', {is: now => now.status !== 'working'});
            assert.equal(failed.status, 'completed'); // a tool error is a result
            assert.equal(failed.result.isError, true);
            const broken = await create(ask, 'protocol_error_job');
            const error = await until(() => get(ask, broken.taskId), 'the end of protocol_error_job',
                {is: now => now.status !== 'working'});
            assert.equal(error.status, 'failed');
            assert.equal(error.error.code, -32603);
            assert.equal(error.result, undefined);
        });
    }

    test('a subscription follows a task to its end', async t => {
        const ask = await start(t, 'http');
        const {taskId} = await create(ask, 'confirm_delete', {filename: 'a.txt'});
        const message = request('listen:1', 'subscriptions/listen',
            enveloped({notifications: {taskIds: [taskId]}}, capabilities));
        const stream = await openStream(ask.server, message, modernHeaders(message));
        t.after(() => stream.close());
        const ack = await stream.next();
        assert.equal(ack.method, 'notifications/subscriptions/acknowledged');
        assert.deepEqual(ack.params.notifications.taskIds, [taskId]);
        await ask('tasks/update',
            {taskId, inputResponses: {confirm: {action: 'accept', content: {confirm: true}}}});
        const states = [];
        while (states.at(-1)?.status !== 'completed') {
            const {method, params} = await stream.next();
            assert.equal(method, 'notifications/tasks');
            assert.equal(params._meta[`${KEY}subscriptionId`], 'listen:1');
            assert.equal(params.taskId, taskId);
            states.push(params);
        }
        assert.deepEqual(states.map(s => s.status), ['working', 'completed']);
        assert.equal(textOf(states[1].result), 'Deleted a.txt');
    });

    test('the task parameter of 2025 is ignored', async t => {
        const ask = await start(t, 'http');
        const {result} = await ask('tools/call', {name: 'greet', arguments: {name: 'x'}, task: {ttl: 5}});
        assert.equal(result.resultType, 'complete');
    });
});
