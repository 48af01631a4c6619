// SIGINT and SIGTERM end the program within two seconds in every situation, and end every stream
// properly.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {
    END_MS, KEY, enveloped, inTime, modernHeaders, openSession, openSocket, openStream, request, startHttp,
    startStdio, until, within,
} from '../fixtures/program.mjs';

async function stopProgram(program, signal) {
    const {code} = await program.stop(signal); // within two seconds: `make timing`
    assert.equal(code, 0, program.stderr);
}

/** What may be open when the signal comes: name -> async (server) => function that checks its
 * end. */
const busy = {
    'nothing': async () => () => {},
    'an idle connection': async server => {
        const connection = await openSocket(server);
        return () => connection.closed();
    },
    'half a request': async server => {
        const connection = await openSocket(server);
        connection.send('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le');
        return () => connection.closed();
    },
    'a legacy call with a stream': async server => {
        const session = await openSession(server);
        const stream = await session.stream('tools/call',
            {name: 'test_wait', _meta: {progressToken: 1}});
        await stream.next();
        return () => stream.end();
    },
    'a legacy call without a stream': async server => {
        const session = await openSession(server);
        const answer = session.request('tools/call', {name: 'test_wait'}).catch(error => error);
        return () => answer;
    },
    'a GET stream': async server => {
        const session = await openSession(server);
        const stream = await openStream(server, null, session.headers);
        assert.equal(stream.status, 200);
        return () => stream.end();
    },
    'a modern call with a stream': async server => {
        const message = request(1, 'tools/call',
            enveloped({name: 'test_wait', _meta: {progressToken: 1}}));
        const stream = await openStream(server, message, modernHeaders(message));
        await stream.next();
        return () => stream.end();
    },
    'a subscription': async server => {
        const message = request('listen:0', 'subscriptions/listen',
            enveloped({notifications: {toolsListChanged: true}}));
        const stream = await openStream(server, message, modernHeaders(message));
        await stream.next();
        // a graceful end: the result of the request, then the end of the stream
        return async () => {
            const end = await stream.next(m => m.id === 'listen:0');
            assert.equal(end.result.resultType, 'complete');
            assert.equal(end.result._meta[`${KEY}subscriptionId`], 'listen:0');
            await stream.end();
        };
    },
    'a task': async server => {
        const session = await openSession(server);
        const {json} = await session.request('tools/call',
            {name: 'slow_compute', arguments: {seconds: 600}, task: {}});
        assert.equal(json.result.task.status, 'working');
        return () => {};
    },
    'a question without an answer yet': async server => {
        const session = await openSession(server, {elicitation: {}});
        const stream = await session.stream('tools/call',
            {name: 'test_elicitation', arguments: {message: '?'}});
        await stream.next(m => m.method === 'elicitation/create');
        return () => stream.end();
    },
};

for (const signal of ['SIGINT', 'SIGTERM']) {
    describe(`${signal} over HTTP`, () => {
        for (const [what, open] of Object.entries(busy))
            test(`with ${what} open`, async t => {
                const server = await startHttp(t);
                const check = await open(server);
                await Promise.all([check(), stopProgram(server, signal)]);
            });

        test('with everything open at once', async t => {
            const server = await startHttp(t);
            const checks = [];
            for (const open of Object.values(busy))
                checks.push(await open(server));
            await Promise.all([...checks.map(check => check()), stopProgram(server, signal)]);
        });
    });

    describe(`${signal} over stdio`, () => {
        test('idle, before and after initialize', async t => {
            const pipe = startStdio(t);
            await pipe.request('ping');
            await stopProgram(pipe, signal);
            const opened = startStdio(t);
            await opened.initialize();
            await stopProgram(opened, signal);
        });

        test('with a call in flight', async t => {
            const pipe = startStdio(t);
            await pipe.initialize();
            pipe.send(request('w', 'tools/call', {name: 'test_wait', _meta: {progressToken: 1}}));
            await pipe.next(m => m.method === 'notifications/progress');
            await stopProgram(pipe, signal);
        });

        test('with an open subscription: its result ends it', async t => {
            const pipe = startStdio(t);
            pipe.send(request('listen:0', 'subscriptions/listen',
                enveloped({notifications: {toolsListChanged: true}})));
            await pipe.next();
            const end = pipe.answer('listen:0');
            await stopProgram(pipe, signal);
            assert.equal((await end).result.resultType, 'complete');
        });

        test('with a client that does not read', async t => {
            const pipe = startStdio(t);
            await pipe.initialize();
            pipe.child.stdout.pause();
            const name = 'x'.repeat(1_000_000);
            for (let i = 0; i < 10; i++)
                pipe.send(request(`r${i}`, 'tools/call', {name: 'greet', arguments: {name}}));
            const exit = new Promise(resolve => pipe.child.once('exit', resolve));
            pipe.child.kill(signal);
            const start = performance.now();
            assert.equal(await within(exit, 'its end', () => pipe.seen()), 0);
            inTime(performance.now() - start, END_MS, 'its end');
            pipe.child.stdout.destroy();
        });
    });
}

test('both transports in one process end together', async t => {
    const pipe = startStdio(t, ['--port', '0']);
    await pipe.initialize();
    await until(() => pipe.stderr.includes('listening on'), 'the port', pipe);
    await stopProgram(pipe, 'SIGTERM');
});

test('a second signal only makes it faster', async () => {
    const server = await startHttp(null);
    const session = await openSession(server);
    const stream = await openStream(server, null, session.headers);
    server.child.kill('SIGINT');
    await stopProgram(server, 'SIGINT');
    await stream.end();
});
