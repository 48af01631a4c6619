// Tasks on a full or unwritable disk: it is reported, nothing is lost, and work continues when
// there is space.
import assert from 'node:assert/strict';
import {mkdirSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {makeCrew, mock, script, tooling, workScript} from '../../orchestrator/crew.mjs';
import {openDisk} from '../../orchestrator/disk.mjs';
import {probe} from '../../orchestrator/world.mjs';

/** A crew whose store, or whose home, is on a disk of 2 MB. */
async function crewOn(t, what, options) {
    const crew = await makeCrew(t, 'sqlite', options);
    const folder = what === 'store' ? path.dirname(crew.store.file) : crew.homes[0];
    const disk = await openDisk(t, folder, '2m');
    if (!disk)
        return {};
    crew.prefix = disk.prefix;
    return {crew, disk};
}

/** An agent that prints so much that its log needs space. */
const talker = (crew, name, ms) => tooling({meta: [mock(`planner-${name}`, workScript())],
    worker: [{tool: 'claude-code', model: 'talker', cli_path: probe,
        env: {PROBE: `${crew.folder} ${name} 400 150 ${ms} -`}}]});

describe('a full disk under the store', () => {
    test('adding tasks: none is added, and the reason is reported', async t => {
        const {crew, disk} = await crewOn(t, 'store');
        if (!crew)
            return;
        await crew.add(crew.task('first'));
        disk.fill();
        const files = Array.from({length: 300}, (_, i) => crew.task(`n${i}`));
        const refused = await crew.command('task', 'add', ...files);
        assert.equal(refused.code, 1, refused.stderr);
        assert.match(refused.stderr, /full|no space/i);
        disk.free();
        assert.deepEqual(await crew.states(), {first: 'READY'});
        await crew.add(...files);
        assert.equal(Object.keys(await crew.states()).length, 301);
    });

    test('running tasks continue; their output waits in memory and is stored afterwards', async t => {
        const {crew, disk} = await crewOn(t, 'store');
        if (!crew)
            return;
        await crew.add(...['a', 'b', 'c', 'd'].map(name => crew.task(name, {settings: talker(crew, name, 1000)})));
        const one = crew.begin();
        await crew.until(() => crew.record('a').length, 'the agent of a');
        disk.fill();
        await crew.until(() => crew.events().some(e => e.event === 'trouble'), 'a "trouble" event');
        assert.match(crew.events().find(e => e.event === 'trouble').text, /full|no space/i);
        await crew.until(() => crew.record('a').some(l => l.what === 'end'), 'the end of the agent of a');
        disk.free();
        await crew.until(() => crew.events().some(e => e.event === 'back'), 'a "back" event');
        for (const name of ['a', 'b', 'c', 'd']) {
            const row = await crew.untilState(name, 'SUCCEEDED');
            assert.deepEqual(row.attempt_list.map(a => a.end), ['succeeded']);
            const said = (await crew.log(name)).match(/said \S+ \d+ of/g);
            assert.deepEqual(said, Array.from({length: 400}, (_, i) => `said ${name} ${i + 1} of`));
        }
        assert.equal(await crew.stop(one), 0, crew.errors());
        crew.assertOrder();
    });
});

describe('a full disk under the home', () => {
    test('an attempt that cannot start does not count; it runs once there is space', async t => {
        const {crew, disk} = await crewOn(t, 'home', {args: ['--retry-base', '1']});
        if (!crew)
            return;
        await crew.add('--max-attempts', '1', crew.task('a'));
        disk.fill();
        const one = crew.begin();
        const row = await crew.untilState('a', 'RETRY_WAIT');
        assert.match(row.why, /full|no space/i);
        assert.equal(row.counted, 0);
        assert.equal(crew.starts('a'), 0);
        disk.free();
        await crew.untilState('a', 'SUCCEEDED');
        assert.equal(crew.starts('a'), 1);
        assert.equal(await crew.stop(one), 0, crew.errors());
    });
});

describe('a read-only store', () => {
    test('can be read; changes are refused with the reason', async t => {
        const {crew, disk} = await crewOn(t, 'store');
        if (!crew)
            return;
        await crew.add(crew.task('a'));
        disk.freeze();
        const refused = await crew.command('task', 'add', crew.task('b'));
        assert.equal(refused.code, 1, refused.stderr);
        assert.match(refused.stderr, /read-only|readonly|cannot be written/i);
        const list = await crew.command('task', 'list');
        assert.match(list.stdout + list.stderr, /\ba\b.*READY|read-only|readonly|cannot be written/i);
        disk.thaw();
        assert.equal(await crew.untilIdle(), 0, crew.errors());
        assert.deepEqual(await crew.states(), {a: 'SUCCEEDED'});
    });
});
