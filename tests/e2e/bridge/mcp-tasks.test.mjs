// run_tests as an MCP task, in both eras. In the modern one the task is the job and has its id; the
// older one creates the task before there is a job, so it has an id of its own.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {isError, LONG_JOB, ok, open as openEditor, start} from '../fixtures/bridge.mjs';
import {enveloped, KEY, modern, modernHeaders, openSession, openStream, request, TASKS, until} from '../fixtures/program.mjs';

const RESULT = {
    summary: {total: 1, passed: 1, failed: 0, skipped: 0, inconclusive: 0, duration_ms: 1},
    failed_tests: [], skipped_tests: [], truncated: false,
};
const capabilities = {extensions: {[TASKS]: {}}};

/** The same steps with the messages of each revision. */
const eras = {
    '2025-11-25': async server => {
        const session = await openSession(server);
        const ask = async (method, params) => (await session.request(method, params)).json;
        return {
            ask,
            async create(args) {
                const {result} = await ask('tools/call', {name: 'run_tests', arguments: args, task: {ttl: 600_000}});
                assert.ok(result.task, JSON.stringify(result));
                return result.task;
            },
            get: async taskId => (await ask('tasks/get', {taskId})).result,
            async result(taskId) {
                const {result} = await ask('tasks/result', {taskId});
                assert.deepEqual(result._meta[`${KEY}related-task`], {taskId});
                return result;
            },
            failed: 'failed',
            sameId: false,
        };
    },
    '2026-07-28': async server => {
        const ask = async (method, params) => (await modern(server, method, params, {capabilities})).json;
        const get = async taskId => (await ask('tasks/get', {taskId})).result;
        return {
            ask, get,
            async create(args) {
                const {result} = await ask('tools/call', {name: 'run_tests', arguments: args});
                assert.equal(result.resultType, 'task', JSON.stringify(result));
                return result;
            },
            result: async taskId => (await until(() => get(taskId), 'the end of the task',
                {is: task => task.status !== 'working'})).result,
            failed: 'completed', // a tool error is a result
            sameId: true,
        };
    },
};

for (const [revision, open] of Object.entries(eras))
    describe(`a task of ${revision}`, () => {
        test('follows its job: progress, end, result', async t => {
            const {server, editor, client} = await start(t);
            const tasks = await open(server);
            const {taskId, status} = await tasks.create({filter: LONG_JOB});
            assert.equal(status, 'working');
            const {job_id} = await editor.receives('run_tests');
            assert.equal(taskId === job_id, tasks.sameId);
            assert.equal((await client.status(job_id)).state, 'running');
            await editor.command('push_job', {job_id, state: 'running', progress: {done: 1, total: 2, current: 'A.One'}});
            await until(() => tasks.get(taskId), 'its progress', {is: now => now.statusMessage === 'A.One'});
            await editor.command('push_job', {job_id, state: 'succeeded', result: RESULT});
            const result = await tasks.result(taskId);
            assert.deepEqual(ok(result), await client.status(job_id));
            assert.deepEqual(result.structuredContent.result, RESULT);
            assert.equal((await tasks.get(taskId)).status, 'completed');
        });

        test('is created at once when it has to queue', async t => {
            const {server, editor, client} = await start(t);
            const tasks = await open(server);
            const first = await tasks.create({filter: LONG_JOB});
            await editor.receives('run_tests');
            const second = await tasks.create({filter: 'fake:steps=1,step=1'});
            assert.equal(second.status, 'working');
            await client.waiting(1);
            await tasks.ask('tasks/cancel', {taskId: first.taskId});
            assert.equal(ok(await tasks.result(second.taskId)).state, 'succeeded');
        });

        test('is created while no editor is connected', async t => {
            const {server, client} = await start(t, {editor: false});
            const tasks = await open(server);
            const task = tasks.create({filter: 'fake:steps=1,step=1'});
            await client.waiting(1);
            await openEditor(t, server);
            assert.equal(ok(await tasks.result((await task).taskId)).state, 'succeeded');
        });

        test('of a failed job has the job as its result, as an error', async t => {
            const {server} = await start(t);
            const tasks = await open(server);
            const {taskId} = await tasks.create({filter: 'fake:fail'});
            const result = await tasks.result(taskId);
            assert.equal(result.isError, true);
            assert.equal(result.structuredContent.state, 'failed');
            isError(result.structuredContent.error, 'ERR_UNITY_EXECUTION');
            assert.equal((await tasks.get(taskId)).status, tasks.failed);
        });

        test('cancels its job when it is cancelled', async t => {
            const {server, editor, client} = await start(t);
            const tasks = await open(server);
            const {taskId} = await tasks.create({filter: LONG_JOB});
            const {job_id} = await editor.receives('run_tests');
            await until(() => client.state(), 'acceptance', {is: now => now.queue.running === null});
            assert.ok((await tasks.ask('tasks/cancel', {taskId})).result);
            assert.equal((await tasks.get(taskId)).status, 'cancelled');
            assert.equal((await editor.message('cancel')).target_job_id, job_id);
            assert.equal((await client.ended(job_id)).state, 'cancelled');
        });

        test('that is cancelled in the queue is never sent', async t => {
            const {server, editor, client} = await start(t);
            const tasks = await open(server);
            const first = await tasks.create({filter: LONG_JOB});
            await editor.receives('run_tests');
            const second = await tasks.create({filter: 'second'});
            await client.waiting(1);
            await tasks.ask('tasks/cancel', {taskId: second.taskId});
            await client.waiting(0);
            assert.equal((await tasks.get(second.taskId)).status, 'cancelled');
            await tasks.ask('tasks/cancel', {taskId: first.taskId});
            ok(await client.call('read_console'));
            assert.deepEqual(editor.received().map(l => l.params.filter), [LONG_JOB, undefined]);
        });

        test('ends when cancel_job cancels its job', async t => {
            const {server, editor, client} = await start(t);
            const tasks = await open(server);
            const {taskId} = await tasks.create({filter: LONG_JOB});
            const {job_id} = await editor.receives('run_tests');
            ok(await client.call('cancel_job', {job_id}));
            const result = await tasks.result(taskId);
            assert.equal(result.isError, true);
            assert.equal(result.structuredContent.state, 'cancelled');
        });

        test('ends when the editor rejects it', async t => {
            const {server, editor} = await start(t);
            const tasks = await open(server);
            const answer = revision === '2025-11-25'
                ? await tasks.result((await tasks.create({filter: 'fake:reject'})).taskId)
                : (await tasks.ask('tools/call', {name: 'run_tests', arguments: {filter: 'fake:reject'}})).result;
            assert.equal(answer.isError, true);
            isError(answer.structuredContent, 'ERR_UNITY_EXECUTION');
            assert.equal(editor.received().length, 1);
        });

        test('continues when the editor disconnects and reconnects', async t => {
            const {server, editor} = await start(t);
            const tasks = await open(server);
            const {taskId} = await tasks.create({filter: 'fake:steps=2,step=100'});
            await editor.receives('run_tests');
            await editor.command('drop', {how: 'rst', downMs: 20});
            assert.equal(ok(await tasks.result(taskId)).state, 'succeeded');
        });
    });

test('a modern client that subscribes to the task is notified of its end', async t => {
    const {server, editor} = await start(t);
    const tasks = await eras['2026-07-28'](server);
    const {taskId} = await tasks.create({filter: LONG_JOB});
    const message = request('listen', 'subscriptions/listen',
        enveloped({notifications: {taskIds: [taskId]}}, capabilities));
    const stream = await openStream(server, message, modernHeaders(message));
    await stream.next();
    await editor.command('push_job', {job_id: taskId, state: 'succeeded', result: RESULT});
    const notice = await stream.next(m => m.method === 'notifications/tasks' && m.params.status === 'completed');
    assert.equal(notice.params.taskId, taskId);
    await stream.close();
});

test('only run_tests can be a task', async t => {
    const {server, client} = await start(t);
    const {tools} = await client.listTools();
    for (const tool of tools)
        assert.equal(tool.execution?.taskSupport ?? 'forbidden', tool.name === 'run_tests' ? 'optional' : 'forbidden');
    const session = await openSession(server);
    const {json} = await session.request('tools/call', {name: 'read_console', arguments: {}, task: {}});
    assert.equal(json.error.code, -32601);
    const {json: plain} = await modern(server, 'tools/call', {name: 'read_console'}, {capabilities});
    assert.equal(plain.result.resultType, 'complete');
});
