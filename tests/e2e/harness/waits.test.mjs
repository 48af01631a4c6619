// The waits of the tests themselves: when they fail, and with which messages.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import path from 'node:path';
import {describe, test} from 'node:test';

import {Inbox, onLines} from '../fixtures/bridge.mjs';
import {Program} from '../fixtures/program.mjs';
import {Source, until, within} from '../../waits.mjs';

const waits = path.join(import.meta.dirname, '../../waits.mjs');
const shell = text => new Program(['-c', text], {file: '/bin/sh'});
const never = new Promise(() => {});

describe('a lost source', () => {
    test('fails the pending waits', async () => {
        const source = new Source();
        source.seen = () => 'a last word';
        const waiting = assert.rejects(within(never, 'an event', source), error => {
            assert.match(error.message, /^an event: it broke\nlast seen: a last word$/);
            assert.match(error.stack, /waits\.test\.mjs/); // the line of the test that waited
            assert.equal(error.cause.message, 'it broke');
            return true;
        });
        source.lose(new Error('it broke'));
        await waiting;
    });

    test('fails later waits', async () => {
        const source = new Source();
        source.lose(new Error('it broke'));
        await assert.rejects(within(never, 'an event', source), /an event: it broke/);
        await assert.rejects(until(() => false, 'an event', source), /an event: it broke/);
        await assert.rejects(until(() => 3, 'an event', {is: n => n > 3, from: source}), /it broke\nlast seen: 3$/);
    });

    test('an event before the end counts', async () => {
        const source = new Source();
        source.lose(new Error('it broke'));
        assert.equal(await within(Promise.resolve(1), 'an event', source), 1);
        assert.equal(await until(() => 2, 'an event', source), 2);
    });
});

describe('a program that has ended', () => {
    test('fails a wait for its output and shows what it wrote', async () => {
        const program = shell('echo a reason >&2; exit 3');
        await assert.rejects(until(() => false, 'a line', program), /a line: sh ended with 3\n[^]*a reason/);
        assert.deepEqual(await program.ended(), {code: 3, signal: null});
    });

    test('fails a wait for a message', async () => {
        const program = shell('echo "{\\"a\\":1}"; kill -9 $$');
        const inbox = new Inbox(program);
        onLines(program, program.child.stdout, line => inbox.put(JSON.parse(line)));
        assert.deepEqual(await inbox.take(m => m.a === 1, 'a message'), {a: 1});
        await assert.rejects(inbox.take(m => m.a === 2, 'another'), /another: sh ended with SIGKILL[^]*\{"a":1\}/);
    });
});

describe('the limit of the file', () => {
    const run = text => spawnSync(process.execPath, ['--input-type=module', '-e',
        `import {until, within} from ${JSON.stringify(waits)}; setInterval(() => {}, 1000); ${text}`],
    {encoding: 'utf8', env: {...process.env, LIMIT_S: '0.5'}});

    test('fails every wait and shows what it saw last', () => {
        const {status, stderr} = run(`
            const all = await Promise.allSettled([
                within(new Promise(() => {}), 'an answer', () => 'half of it'),
                until(() => 'QUEUED', 'that it runs', {is: s => s === 'RUNNING'}),
            ]);
            all.push(...await Promise.allSettled([within(new Promise(() => {}), 'one more')]));
            console.error(all.map(({reason}) => reason.message).join('; '));
            process.exit(7);`);
        assert.equal(status, 7, stderr);
        assert.match(stderr, /still waiting for an answer\nlast seen: half of it\n/);
        assert.match(stderr, /an answer: not within the 0.5 s of the whole file\nlast seen: half of it; that it runs: .*\nlast seen: QUEUED; one more: /);
    });

    test('fails a file that waits without these functions', () => {
        const {status, stderr} = run('await new Promise(() => {});');
        assert.equal(status, 1, stderr);
        assert.match(stderr, /takes longer than 0.5 s/);
    });
});
