// A worker with the tools of this program: mcp auto, on a copy of the sample project.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {start} from '../fixtures/cli.mjs';
import {modern, until} from '../fixtures/program.mjs';
import {configOf, makeUser, mock, planner, task} from '../fixtures/tooling.mjs';
import {copySample, scenePath} from '../fixtures/unity.mjs';

const GAME = scenePath('GameScene');
const CHANGE = {tool: 'manage_component',
    arguments: {action: 'update', game_object_path: '/Player', index: 1, fields: {mass: 2.5}}};
const HEAVIER = {call: [CHANGE, {tool: 'save_scene', arguments: {}}], say: 'heavier now'};
const CHANGED = {removed: ['  m_Mass: 1'], added: ['  m_Mass: 2.5']};
const test_ = {command: `grep -q 'm_Mass: 2.5' ${GAME}`};

const tooling = worker => configOf({meta: planner('make the player heavier'), worker: {candidates: [mock('worker', worker)]}});

/** Start the server of a project in the user's environment; it stops with the test. */
async function serve(t, user, project, args = []) {
    const program = start(['serve', '--port', '0', '--project', project.dir, ...args], {cwd: project.dir, env: user.env});
    const [, url, port] = await until(() => program.stderr.match(/(http:\/\/127\.0\.0\.1:(\d+)\/mcp)/),
        'a listening server', program);
    program.stopped = () => program.stop();
    t.after(() => program.stopped());
    return Object.assign(program, {url, port: Number(port)});
}

describe('mcp auto', () => {
    test('starts a headless server for the run; the worker changes a component; the test confirms it', async t => {
        const project = copySample(t);
        const user = makeUser(t, {tooling: tooling([HEAVIER])});
        const {events, stderr} = await user.complete(task({repo: project.dir, test: test_, runner: {mcp: 'auto'}}));
        assert.deepEqual(project.diff(GAME), CHANGED);
        assert.deepEqual(events.filter(e => e.event === 'test').map(e => e.code), [0]);
        assert.ok(events.some(e => e.event === 'step' && /manage_component/.test(e.text)), JSON.stringify(events));
        assert.match(events.find(e => e.event === 'changes').text, /GameScene\.unity/);
        assert.match(user.note('T-1', project.dir), /heavier now/);
        assert.match(user.note('T-1', project.dir), /GameScene\.unity/);
        assert.equal(stderr, '');
        assert.deepEqual(user.processes(), [], 'no process is left');
        assert.deepEqual(user.files().map(([file]) => file).filter(file => file.endsWith('token')), []);
    });

    test('a worker that cannot connect is reported, a failing server of the user\'s own is not', async t => {
        const project = copySample(t);
        const gemini = model => ({tool: 'gemini-cli', model, env: {GEMINI_API_KEY: 'gk-not-real'}});
        const broken = '#!/bin/sh\ncat >/dev/null\necho "MCP issues detected. Run /mcp list for status." >&2\n' +
            'echo \'{"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: x]"}}\'\nexit 247\n';
        const user = makeUser(t, {programs: {gemini: broken}, tooling: configOf({
            meta: {candidates: [gemini('asked'), ...planner('x').candidates]},
            worker: {candidates: [gemini('working'), mock('w')]}})});
        const {events} = await user.complete(task({repo: project.dir, runner: {mcp: 'auto'}}));
        const told = events.filter(e => e.event === 'outcome' && e.tool === 'gemini-cli' ||
            e.event === 'warning' && /MCP server/.test(e.text)).map(e => e.model ?? e.event);
        assert.deepEqual(told, ['asked', 'working', 'warning']);
    });

    test('uses a running server, and leaves it running', async t => {
        const project = copySample(t);
        const user = makeUser(t, {tooling: tooling([HEAVIER])});
        const server = await serve(t, user, project);
        writeFileSync(project.at('multiverse.json'), JSON.stringify({schema_version: 1, port: server.port}));
        await user.complete(task({repo: project.dir, test: test_, runner: {mcp: 'auto'}}));
        assert.deepEqual(user.processes(), [server.pid], 'the running one, and no other');
        const {json} = await modern(server, 'tools/call', {name: 'undo', arguments: {steps: 1}});
        assert.equal(json.result.structuredContent.undone.length, 1, 'that server did the work');
        await server.stopped();
        assert.ok(project.diff(GAME).removed.length === 0, 'and it could undo it');
    });

    test('a server of another project on that port is not used', async t => {
        const [project, other] = [copySample(t), copySample(t)];
        const user = makeUser(t, {tooling: tooling([HEAVIER])});
        const server = await serve(t, user, other);
        writeFileSync(project.at('multiverse.json'), JSON.stringify({schema_version: 1, port: server.port}));
        await user.complete(task({repo: project.dir, test: test_, runner: {mcp: 'auto'}}));
        assert.deepEqual(project.diff(GAME), CHANGED);
        other.isOriginal('GameScene');
        await server.stopped();
    });

    test('a server with a token is used with it', async t => {
        const project = copySample(t);
        const user = makeUser(t, {tooling: tooling([HEAVIER])});
        const token = path.join(user.dir, 'token');
        writeFileSync(token, 'a-token-of-some-length-1234', {mode: 0o600});
        const server = await serve(t, user, project, ['--token-file', token]);
        writeFileSync(project.at('multiverse.json'),
            JSON.stringify({schema_version: 1, port: server.port, token_file: token}));
        const {stdout} = await user.complete(task({repo: project.dir, test: test_, runner: {mcp: 'auto'}}));
        assert.doesNotMatch(stdout, /a-token-of-some-length/);
        assert.deepEqual(user.processes(), [server.pid]);
        await server.stopped();
    });

    test('a call that the editor refuses is reported as a failure of the worker', async t => {
        const project = copySample(t);
        const wrong = {...CHANGE, arguments: {...CHANGE.arguments, game_object_path: '/Nobody'}};
        const user = makeUser(t, {tooling: tooling([{call: wrong, say: 'not reached'}])});
        const {code, events} = await user.run(task({repo: project.dir, runner: {mcp: 'auto'}}));
        assert.equal(code, 1);
        assert.equal(events.find(e => e.event === 'outcome' && e.category === 'worker').outcome, 'incomplete');
        project.isOriginal('GameScene');
    });

    test('a repo that is not a Unity project gets no server and no message', async t => {
        const user = makeUser(t, {tooling: tooling([{say: 'fine'}])});
        const {stderr} = await user.complete(task({runner: {mcp: 'auto'}}));
        assert.equal(stderr, '');
    });

    test('the task or the command line can switch it off', async t => {
        const project = copySample(t);
        const user = makeUser(t, {tooling: tooling([{call: CHANGE, say: 'not reached'}])});
        assert.equal((await user.run(task({repo: project.dir, runner: {mcp: 'off'}}))).code, 1);
        assert.equal((await user.run(task({repo: project.dir, runner: {mcp: 'auto'}}), {args: ['--mcp', 'off']})).code, 1);
        project.isOriginal('GameScene');
    });

    test('server and worker of a killed run end with it', async t => {
        const project = copySample(t);
        const user = makeUser(t, {tooling: tooling([{sleep_ms: 600_000, say: 'late'}])});
        const program = user.start(['run', '-', '--json'], {input: task({repo: project.dir, runner: {mcp: 'auto'}})});
        await until(() => /"category":"worker"/.test(program.stdout) && user.processes().length >= 3,
            'run, server and worker', program);
        program.child.kill('SIGKILL');
        await program.exit;
        await user.isGone('the end of server and worker');
    });
});
