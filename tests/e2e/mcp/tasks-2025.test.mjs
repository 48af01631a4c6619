// The experimental tasks of revision 2025-11-25, message by message.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {KEY, openSession, startHttp, startStdio, textOf, until} from '../fixtures/program.mjs';

const RELATED = `${KEY}related-task`;
const yes = {action: 'accept', content: {confirm: true}};

async function start(t, capabilities = {elicitation: {}}) {
    const server = await startHttp(t);
    const session = await openSession(server, capabilities);
    return {server, session};
}

/** Call tools/call as a task; return the task. */
async function create(session, name, args = {}, task = {ttl: 60_000}) {
    const {json} = await session.request('tools/call', {name, arguments: args, task});
    assert.ok(json.result?.task, JSON.stringify(json));
    return json.result.task;
}

const get = async (session, taskId) => (await session.request('tasks/get', {taskId})).json.result;
const statusIs = (session, taskId, status) => until(() => get(session, taskId), `status ${status}`,
    {is: now => now.status === status});

describe('tasks of 2025-11-25', () => {
    test('tasks are declared, and each tool states whether it can run as one', async t => {
        const {session} = await start(t);
        assert.deepEqual(session.initialized.result.capabilities.tasks,
            {list: {}, cancel: {}, requests: {tools: {call: {}}}});
        const {tools} = (await session.request('tools/list')).json.result;
        const support = Object.fromEntries(tools.map(x => [x.name, x.execution?.taskSupport]));
        assert.equal(support.slow_compute, 'optional');
        assert.equal(support.failing_job, 'required');
        assert.ok([undefined, 'forbidden'].includes(support.greet));
    });

    test('older revisions have no tasks', async t => {
        const server = await startHttp(t);
        const session = await openSession(server, {}, '2025-06-18');
        assert.equal(session.initialized.result.capabilities.tasks, undefined);
        const {tools} = (await session.request('tools/list')).json.result;
        assert.ok(tools.every(tool => tool.execution === undefined));
        const {json} = await session.request('tools/call',
            {name: 'slow_compute', arguments: {seconds: 0, label: 'x'}, task: {ttl: 1000}});
        assert.equal(textOf(json.result), 'Computed x'); // task is ignored
    });

    test('a task is created at once, can be followed, and its result can be fetched repeatedly', async t => {
        const {session} = await start(t);
        const task = await create(session, 'slow_compute', {seconds: 1, label: 'e'});
        assert.equal(task.status, 'working');
        assert.equal(task.ttl, 60_000);
        assert.ok(task.pollInterval > 0);
        assert.ok(Math.abs(Date.parse(task.createdAt) - Date.now()) < 60_000);
        const blocked = await session.request('tasks/result', {taskId: task.taskId});
        assert.equal(textOf(blocked.json.result), 'Computed e');
        assert.deepEqual(blocked.json.result._meta[RELATED], {taskId: task.taskId});
        const now = await get(session, task.taskId);
        assert.equal(now.status, 'completed');
        assert.ok(now.lastUpdatedAt >= task.lastUpdatedAt);
        const again = await session.request('tasks/result', {taskId: task.taskId});
        assert.deepEqual(again.json.result, blocked.json.result);
    });

    test('a tool error is a failed task whose result is the tool result', async t => {
        const {session} = await start(t);
        const {taskId} = await create(session, 'failing_job');
        const {json} = await session.request('tasks/result', {taskId});
        assert.equal(json.result.isError, true);
        assert.equal((await get(session, taskId)).status, 'failed');
    });

    test('a protocol error is a failed task whose result is that error', async t => {
        const {session} = await start(t);
        const {taskId} = await create(session, 'protocol_error_job');
        const {json} = await session.request('tasks/result', {taskId});
        assert.equal(json.error.code, -32603);
        assert.match(json.error.message, /on purpose/);
        assert.equal((await get(session, taskId)).status, 'failed');
    });

    test('a question arrives on the stream of tasks/result and names its task', async t => {
        const {session} = await start(t);
        const {taskId} = await create(session, 'confirm_delete', {filename: 'a.txt'});
        await statusIs(session, taskId, 'input_required');
        const stream = await session.stream('tasks/result', {taskId});
        const question = await stream.next(m => m.method === 'elicitation/create');
        assert.deepEqual(question.params._meta[RELATED], {taskId});
        assert.equal(question.params.message, 'Are you sure?');
        assert.equal((await session.respond(question.id, yes)).status, 202);
        const answer = await stream.next(m => m.result);
        assert.equal(textOf(answer.result), 'Deleted a.txt');
        await stream.end();
        assert.equal((await get(session, taskId)).status, 'completed');
    });

    test('two questions at once are both answered', async t => {
        const {session} = await start(t);
        const {taskId} = await create(session, 'multi_input');
        const stream = await session.stream('tasks/result', {taskId});
        const asked = m => m.method === 'elicitation/create';
        const [first, second] = [await stream.next(asked), await stream.next(asked)];
        assert.notEqual(first.id, second.id);
        await session.respond(second.id, yes);
        assert.equal((await get(session, taskId)).status, 'input_required');
        await session.respond(first.id, yes);
        assert.equal(textOf((await stream.next(m => m.result)).result), 'Both answers are there');
    });

    test('an unanswered question is repeated on the next tasks/result', async t => {
        const {session} = await start(t);
        const {taskId} = await create(session, 'confirm_delete', {filename: 'b.txt'});
        const lost = await session.stream('tasks/result', {taskId});
        await lost.next(m => m.method === 'elicitation/create');
        await lost.close();
        const stream = await session.stream('tasks/result', {taskId});
        const question = await stream.next(m => m.method === 'elicitation/create');
        await session.respond(question.id, yes);
        assert.equal(textOf((await stream.next(m => m.result)).result), 'Deleted b.txt');
    });

    test('a cancel stops the work and ends pending tasks/result calls; a second cancel is an error', async t => {
        const {session} = await start(t);
        const {taskId} = await create(session, 'slow_compute', {seconds: 600, label: 'never'});
        const waiter = session.request('tasks/result', {taskId});
        const {json} = await session.request('tasks/cancel', {taskId});
        assert.equal(json.result.taskId, taskId);
        assert.equal(json.result.status, 'cancelled');
        assert.ok((await waiter).json.error);
        const open = await session.request('tools/call', {name: 'test_open_calls'});
        assert.equal(open.json.result.structuredContent.open, 0);
        assert.equal((await session.request('tasks/cancel', {taskId})).json.error.code, -32602);
        const done = await create(session, 'slow_compute', {seconds: 0, label: 'x'});
        await session.request('tasks/result', {taskId: done.taskId});
        assert.equal((await session.request('tasks/cancel', {taskId: done.taskId})).json.error.code,
            -32602);
    });

    test('a task expires with its ttl', async t => {
        const {session} = await start(t);
        const {taskId} = await create(session, 'slow_compute', {seconds: 0, label: 'x'}, {ttl: 50});
        await until(() => session.request('tasks/get', {taskId}), 'the ttl', {is: ({json}) => json.error?.code === -32602});
    });

    test('tasks/list returns all tasks, in pages', async t => {
        const {session} = await start(t);
        const made = [];
        for (let i = 0; i < 205; i++)
            made.push((await create(session, 'slow_compute', {seconds: 0, label: `${i}`})).taskId);
        const listed = [];
        let pages = 0;
        let cursor;
        do {
            const {json} = await session.request('tasks/list', cursor ? {cursor} : {});
            listed.push(...json.result.tasks.map(task => task.taskId));
            cursor = json.result.nextCursor;
            pages++;
        } while (cursor);
        assert.equal(pages, 2);
        assert.deepEqual(listed.toSorted(), made.toSorted());
        const bad = await session.request('tasks/list', {cursor: 'nonsense'});
        assert.equal(bad.json.error.code, -32602);
    });

    test('a task call of a tool without task support is refused', async t => {
        const {session} = await start(t);
        const call = async params => (await session.request('tools/call', params)).json.error;
        assert.equal((await call({name: 'failing_job'})).code, -32601);
        assert.equal((await call({name: 'greet', task: {}})).code, -32601);
        assert.equal((await call({name: 'slow_compute', task: 1})).code, -32602);
        assert.equal((await call({name: 'slow_compute', task: {ttl: -1}})).code, -32602);
        assert.equal((await session.request('tasks/get', {taskId: 'none'})).json.error.code, -32602);
        assert.equal((await session.request('tasks/get', {})).json.error.code, -32602);
        assert.equal((await session.request('tasks/result', {taskId: 7})).json.error.code, -32602);
        assert.equal((await session.request('tasks/update', {taskId: 'x'})).json.error.code, -32601);
    });

    test('a session cannot see the tasks of another one', async t => {
        const {server, session} = await start(t);
        const other = await openSession(server);
        const {taskId} = await create(session, 'slow_compute', {seconds: 600, label: 'mine'});
        for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
            assert.equal((await other.request(method, {taskId})).json.error.code, -32602, method);
        assert.deepEqual((await other.request('tasks/list')).json.result.tasks, []);
        assert.equal((await get(session, taskId)).status, 'working');
    });

    test('tasks end with their session', async t => {
        const {server, session} = await start(t);
        await create(session, 'slow_compute', {seconds: 600, label: 'gone'});
        const gone = await fetch(server.url, {method: 'DELETE', headers: session.headers});
        assert.equal(gone.status, 204);
        const other = await openSession(server);
        const open = await other.request('tools/call', {name: 'test_open_calls'});
        assert.equal(open.json.result.structuredContent.open, 0);
    });

    test('on stdio a task is created, asks, has a result, and notifies each status', async t => {
        const pipe = startStdio(t);
        await pipe.initialize({elicitation: {}});
        const {result} = await pipe.request('tools/call',
            {name: 'confirm_delete', arguments: {filename: 'c'}, task: {}});
        const {taskId} = result.task;
        pipe.send({jsonrpc: '2.0', id: 'wait', method: 'tasks/result', params: {taskId}});
        const question = await pipe.next(m => m.method === 'elicitation/create');
        assert.deepEqual(question.params._meta[RELATED], {taskId});
        pipe.send({jsonrpc: '2.0', id: question.id, result: yes});
        assert.equal(textOf((await pipe.answer('wait')).result), 'Deleted c');
        const notices = pipe.pending.filter(m => m.method === 'notifications/tasks/status');
        assert.deepEqual(notices.map(n => n.params.status), ['input_required', 'working', 'completed']);
    });
});
