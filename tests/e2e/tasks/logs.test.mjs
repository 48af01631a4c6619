// multiverse task logs: the output of attempts, complete and while it is written.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {refuses} from '../fixtures/cli.mjs';
import {jsonLines, until} from '../fixtures/program.mjs';
import {eachStore, freshDatabase, catchesSignal, makePlace, postgres, controlServer, waitsFor} from '../fixtures/store.mjs';
import {configOf} from '../fixtures/tooling.mjs';
import {metaScript} from '../../standin/meta.mjs';

/** The first attempt fails, the second succeeds. */
const ONCE = configOf({meta: {candidates: [{tool: 'mock', model: 'm', toolSpecific: {
    script: [{fail: 'request', message: 'not today'}, ...metaScript()], state: 'mock-state.json'}}]}});
const ended = async program => {
    const {code, signal} = await program.ended('the end of logs -f');
    return code ?? signal;
};

eachStore('all pieces in order, as text and as JSON', async (t, place) => {
    await place.add({a: []});
    assert.equal((await place.orchestrate('--until-idle')).code, 0);
    const {code, stdout} = await place.task('logs', 'a');
    assert.equal(code, 0);
    for (const pattern of [/PLANNING/, /COMPLETE/])
        assert.match(stdout, pattern);
    const pieces = jsonLines((await place.task('logs', 'a', '--json')).stdout);
    assert.deepEqual(pieces.map(p => p.seq), pieces.map((_, i) => i + 1));
    assert.ok(pieces.every(p => p.task === 'a' && p.attempt === 1 && !Number.isNaN(Date.parse(p.at))));
    assert.equal(pieces.map(p => p.text).join(''), stdout);
});

eachStore('a task that was not started has no log, which is not an error', async (t, place) => {
    await place.add({a: []});
    const {code, stdout, stderr} = await place.task('logs', 'a');
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, /a has not been started yet: it is READY/);
    refuses(await place.task('logs', 'a', '--attempt', '1'), /a has.*0 attempts.*attempt 1 does not exist/);
});

eachStore('of each attempt', async (t, place) => {
    await place.add({a: []});
    assert.equal((await place.orchestrate('--until-idle')).code, 0);
    assert.match((await place.task('logs', 'a', '--attempt', '1')).stdout, /not today/);
    assert.match((await place.task('logs', 'a', '-n', '2')).stdout, /COMPLETE/);
    assert.equal((await place.task('logs', 'a')).stdout, (await place.task('logs', 'a', '-n', '2')).stdout);
    refuses(await place.task('logs', 'a', '--attempt', '3'), /2 attempts: attempt 3 does not exist/);
}, {tooling: ONCE});

eachStore('-f shows everything from before the first attempt to the end of the last one', async (t, place) => {
    await place.add({a: []});
    const follower = place.start('task', 'logs', 'a', '-f', '--json');
    assert.equal((await place.orchestrate('--until-idle')).code, 0);
    assert.equal(await ended(follower), 0, follower.stderr);
    const pieces = jsonLines(follower.stdout);
    for (const attempt of [1, 2]) {
        const stored = jsonLines((await place.task('logs', 'a', '--json', '--attempt', String(attempt))).stdout);
        assert.ok(stored.length > 0);
        assert.deepEqual(pieces.filter(p => p.attempt === attempt), stored);
    }
}, {tooling: ONCE});

eachStore('-f shows output while it is written', async (t, place) => {
    const go = path.join(place.user.dir, 'go');
    await place.add({a: {test: {command: waitsFor(go)}}});
    const program = place.orchestrator('--until-idle');
    const follower = place.start('task', 'logs', 'a', '--follow');
    await until(() => /VALIDATING/.test(follower.stdout), 'the log of a running task', follower);
    assert.equal(follower.child.exitCode, null);
    writeFileSync(go, '');
    assert.equal(await ended(follower), 0);
    assert.match(follower.stdout, /COMPLETE/);
    assert.equal((await program.ended()).code, 0);
    assert.equal(follower.stdout, (await place.task('logs', 'a')).stdout);
});

eachStore('-f of an ended task ends at once; of a BLOCKED one, too', async (t, place) => {
    await place.add({a: {test: {command: 'false'}, runner: {max_loops: 1}}, b: ['a'], c: []}, '--max-attempts', '1');
    assert.equal((await place.orchestrate('--until-idle')).code, 1);
    for (const name of ['a', 'b', 'c'])
        assert.equal((await place.task('logs', '-f', name)).code, 0);
});

eachStore('Ctrl-C ends -f with 130', async (t, place) => {
    await place.add({a: []});
    const follower = place.start('task', 'logs', 'a', '-f');
    await until(() => catchesSignal(follower.pid, 'SIGINT'), 'a program that handles Ctrl-C', follower);
    follower.child.kill('SIGINT');
    assert.equal(await ended(follower), 130);
});

eachStore('-f ends when its reader is gone, even if no more is written', async (t, place) => {
    const go = path.join(place.user.dir, 'go');
    await place.add({a: {test: {command: waitsFor(go)}}});
    const program = place.orchestrator('--until-idle');
    const follower = place.start('task', 'logs', 'a', '-f');
    await until(() => /VALIDATING/.test(follower.stdout), 'the log of a running task', follower);
    follower.child.stdout.destroy();
    assert.equal(await ended(follower), 1);
    writeFileSync(go, '');
    assert.equal((await program.ended()).code, 0);
});

test('-f continues after the server was down', async t => {
    const {skip, folder} = postgres();
    if (skip)
        return t.skip(skip);
    const place = makePlace(t, {url: freshDatabase()});
    await place.add({a: []});
    const follower = place.start('task', 'logs', 'a', '-f');
    await until(() => catchesSignal(follower.pid, 'SIGINT'), 'a program that follows', follower);
    controlServer('kill', folder);
    await until(() => /; retrying/.test(follower.stderr), 'a message that the server is down', follower);
    controlServer('start', folder);
    await until(() => /the store is back/.test(follower.stderr), 'a message that the server is back', follower);
    assert.equal((await place.orchestrate('--until-idle')).code, 0);
    assert.equal(await ended(follower), 0, follower.stderr);
    assert.equal(follower.stdout, (await place.task('logs', 'a')).stdout);
    assert.match(follower.stdout, /COMPLETE/);
});

test('control characters are escaped on a terminal, and unchanged in a pipe', async t => {
    const place = makePlace(t);
    const command = "printf 'x\\033[2Jy\\n'; exit 1";
    await place.add({a: {test: {command}, runner: {max_loops: 1}}}, '--max-attempts', '1');
    await place.orchestrate('--until-idle');
    const shown = await place.onTerminal(['task', 'logs', 'a']);
    assert.equal(shown.code, 0);
    assert.match(shown.stdout, /test: exit 1/);
    assert.doesNotMatch(shown.stdout, /\x1b\[2J/);
    const followed = await place.onTerminal(['task', 'logs', '-f', 'a']);
    assert.match(followed.stdout, /--- attempt 1\r\n[\s\S]*--- a is BLOCKED: \S/);
});
