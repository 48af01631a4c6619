// A save under faults: killed at every system call, a full disk, an unwritable folder. In every
// case the scene file is the old or the new one, and readable.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {chmodSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import {build} from '../fixtures/program.mjs';
import {sample} from '../fixtures/unity.mjs';

const multiverse = path.join(build, 'multiverse');
const killAt = path.join(build, 'tests/fault/kill-at');
const fault = path.join(build, 'tests/fault/fault.so');
const sanitized = process.env.MULTIVERSE_SANITIZED === '1'; // its start alone is thousands of calls
const scenePath = 'Assets/Scenes/GameScene.unity';

const EDIT = ['call', 'manage_component', JSON.stringify({
    action: 'update', game_object_path: '/Player', index: 1, fields: {mass: 2.5}})];

function project(t) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'multiverse-fault-'));
    t.after(() => rmSync(dir, {recursive: true, force: true}));
    cpSync(sample, dir, {recursive: true});
    return dir;
}

function edit(dir, {before = [], env = {}} = {}) {
    const argv = [...before, multiverse, ...EDIT, '--project', dir, '--scene', scenePath];
    return spawnSync(argv[0], argv.slice(1), {env: {...process.env, ...env}, encoding: 'utf8', timeout: 60_000});
}

/** The scene before and after the edit. */
function both(t) {
    const dir = project(t), file = path.join(dir, scenePath), old = readFileSync(file, 'utf8');
    const done = edit(dir);
    assert.equal(done.status, 0, done.stderr);
    const fresh = readFileSync(file, 'utf8');
    assert.notEqual(fresh, old);
    writeFileSync(file, old);
    return {dir, file, old, fresh};
}

test('killed at every system call, the scene is the old or the new one', {skip: sanitized, timeout: 300_000}, t => {
    const {dir, file, old, fresh} = both(t);
    const counted = edit(dir, {before: [killAt, '0']});
    const calls = Number(counted.stdout.trim().split('\n').at(-1));
    assert.ok(calls > 50, counted.stdout + counted.stderr);
    let olds = 0, news = 0;
    for (let n = 1; n <= calls + 5; n++) {
        writeFileSync(file, old);
        const ran = edit(dir, {before: [killAt, String(n)]});
        assert.ok(ran.status === 0 || ran.status === 3, `${ran.status} ${ran.stderr}`);
        const now = readFileSync(file, 'utf8');
        assert.ok(now === old || now === fresh, `killed at call ${n}: the scene is neither the old nor the new one`);
        if (now === old)
            olds++;
        else
            news++;
    }
    assert.ok(olds > 10 && news > 0, `${olds} times the old one, ${news} times the new one`);
    t.diagnostic(`${calls} system calls: ${olds} times the old scene, ${news} times the new one`);
    const checked = spawnSync(multiverse, ['call', 'get_scene_hierarchy', '--project', dir, '--scene', scenePath],
                              {encoding: 'utf8'});
    assert.equal(checked.status, 0, checked.stderr);
});

for (const [name, words] of [['write:ENOSPC', /No space left/i], ['short:ENOSPC', /No space left/i], ['open:EROFS', /Read-only/i],
                             ['fsync:EIO', /Input\/output/i], ['rename:EACCES', /Permission denied/i]])
    test(`${name}: a clear error, the old file, not executed`, {skip: sanitized}, t => {
        const {dir, file, old} = both(t);
        const folder = path.dirname(file), before = readdirSync(folder).sort();
        const ran = edit(dir, {env: {LD_PRELOAD: fault, FAULT: name}});
        assert.equal(ran.status, 1, ran.stdout + ran.stderr);
        assert.match(ran.stdout + ran.stderr, words);
        assert.match(ran.stdout + ran.stderr, /not_executed/);
        assert.equal(readFileSync(file, 'utf8'), old);
        assert.deepEqual(readdirSync(folder).sort(), before, 'no temporary file is left');
    });

test('sync:EIO: the new file is there, and the error does not claim otherwise', {skip: sanitized}, t => {
    const {dir, file, fresh} = both(t);
    const ran = edit(dir, {env: {LD_PRELOAD: fault, FAULT: 'sync:EIO'}});
    assert.equal(ran.status, 1, ran.stdout + ran.stderr);
    assert.match(ran.stdout + ran.stderr, /ERR_IO/);
    assert.doesNotMatch(ran.stdout + ran.stderr, /not_executed/);
    assert.equal(readFileSync(file, 'utf8'), fresh);
});

test('an unwritable folder: a clear error, the old file', {skip: process.getuid() === 0}, t => {
    const {dir, file, old} = both(t);
    chmodSync(path.dirname(file), 0o555);
    t.after(() => chmodSync(path.dirname(file), 0o755));
    const ran = edit(dir);
    assert.equal(ran.status, 1);
    assert.match(ran.stdout + ran.stderr, /Permission denied/i);
    assert.equal(readFileSync(file, 'utf8'), old);
});
