// The console and a store that is down, damaged, newer, or back: the server works on and notifies the page.
import assert from 'node:assert/strict';
import {closeSync, copyFileSync, openSync, readdirSync, renameSync, rmSync, writeFileSync, writeSync} from 'node:fs';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {test} from 'node:test';

import {last, openTasks, placeFor} from '../fixtures/console_tasks.mjs';
import {openFeed} from '../fixtures/feed.mjs';
import {until} from '../fixtures/program.mjs';
import {freshDatabase, postgres, controlServer} from '../fixtures/store.mjs';

const FORM = {name: 'late', title: 'late', repo: '.', prd: 'x'};

/** Requests about tasks get 503 at once; all others work. */
async function isGone({ask, refused}, pattern) {
    const questions = [['tasks'], ['tasks/1'], ['tasks/1/log'], ['tasks/graph'], ['tasks/rows?ids=1'],
        ['tasks/cancel', {ids: [1]}], ['orchestrate', {action: 'pause'}], ['tasks/add', {tasks: [{form: FORM}]}]];
    for (const [where, body] of questions)
        assert.match((await refused(503, where, body)).error.message, pattern);
    assert.equal((await ask('tasks/check', {form: FORM})).fault, null);
}

const comesBack = ({server}) => until(() => server.api('tasks'), 'the store', {is: now => now.status === 200});

test('a server that stops and comes back is used again', async t => {
    const {skip, folder} = postgres();
    if (skip)
        return t.skip(skip);
    const all = await openTasks(t, placeFor(t, {url: freshDatabase()}));
    const {ask, server, place} = all;
    await place.add({a: []});
    assert.equal((await ask('tasks')).tasks.length, 1);
    const feed = await openFeed(t, server);
    const before = await last(feed, 'tasks');
    assert.equal(before.trouble, null);
    controlServer('stop', folder);
    try {
        const told = await last(feed, 'tasks', e => e.trouble);
        assert.deepEqual([told.reset, told.changed], [false, []]);
        await isGone(all, /./);
        const other = await openFeed(t, server);
        assert.ok((await last(other, 'tasks')).trouble);
    } finally {
        controlServer('start', folder);
    }
    const back = await last(feed, 'tasks', e => e.reset && !e.trouble && e.control > before.control);
    assert.ok(back.after >= before.after);
    await comesBack(all);
    // Refused requests were not carried out later.
    assert.deepEqual((await ask('tasks')).tasks.map(r => [r.name, r.state]), [['a', 'READY']]);
    assert.equal((await ask('tasks')).control.mode, 'RUNNING');
    await place.add({b: []});
    await last(feed, 'tasks', e => e.changed.includes(2));
});

test('a server that is down at first is used when it is up', async t => {
    const url = 'postgresql://nobody:very-secret@127.0.0.1:1/none?password=very-secret&connect_timeout=2';
    const place = placeFor(t, {url});
    const all = await openTasks(t, place);
    const feed = await openFeed(t, all.server);
    await isGone(all, /127\.0\.0\.1/);
    const told = await last(feed, 'tasks', e => e.trouble);
    assert.equal(told.after, null);
    const said = JSON.stringify(feed.all) + JSON.stringify((await all.server.api('tasks')).body) +
        all.server.program.stderr;
    assert.ok(!said.includes('very-secret'));
});

test('no answer contains the password', async t => {
    const {skip} = postgres();
    if (skip)
        return t.skip(skip);
    const url = freshDatabase();
    const withPassword = `${url}${url.includes('?') ? '&' : '?'}password=very-secret`;
    const {server, ask} = await openTasks(t, placeFor(t, {url: withPassword}));
    const feed = await openFeed(t, server);
    const {store} = await ask('tasks');
    assert.match(store, /^postgresql:/);
    await last(feed, 'tasks');
    assert.ok(!(store + JSON.stringify(feed.all) + server.program.stderr).includes('very-secret'));
});

test('a damaged file is refused and used again after its repair', async t => {
    const place = placeFor(t, {});
    await place.add({a: [], b: ['a']});
    const file = path.join(place.user.home, 'tasks.db'), copy = path.join(place.user.dir, 'copy.db');
    const db = new DatabaseSync(file);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    copyFileSync(file, copy);
    for (const name of readdirSync(place.user.home).filter(n => /^tasks\.db-(wal|shm)$/.test(n)))
        rmSync(path.join(place.user.home, name));
    writeFileSync(file, 'this is no database at all, and it is long enough to be looked at '.repeat(100));
    const all = await openTasks(t, place);
    const feed = await openFeed(t, all.server);
    await isGone(all, /./);
    const {trouble} = await last(feed, 'tasks', e => e.trouble);
    assert.ok(trouble);
    const whole = `${file}.whole`;
    copyFileSync(copy, whole);
    renameSync(whole, file);
    await comesBack(all);
    await last(feed, 'tasks', e => !e.trouble && e.reset); // by itself
    assert.equal((await all.ask('tasks')).tasks.length, 2);
});

test('a file of a newer version is refused', async t => {
    const place = placeFor(t, {});
    await place.add({a: []});
    const db = new DatabaseSync(path.join(place.user.home, 'tasks.db'));
    db.exec('PRAGMA user_version = 999');
    db.close();
    const all = await openTasks(t, place);
    await isGone(all, /newer/);
    const fd = openSync(path.join(place.user.home, 'tasks.db'), 'r+');
    writeSync(fd, Buffer.from([0, 0, 0, 1]), 0, 4, 60); // the version, as it was
    closeSync(fd);
    await comesBack(all);
});

test('a file that is replaced while it is open is opened again', async t => {
    const place = placeFor(t, {});
    await place.add({a: [], b: []});
    const all = await openTasks(t, place);
    assert.equal((await all.ask('tasks')).tasks.length, 2);
    const feed = await openFeed(t, all.server);
    await last(feed, 'tasks');
    for (const name of readdirSync(place.user.home).filter(n => n.startsWith('tasks.db')))
        rmSync(path.join(place.user.home, name));
    await place.add({other: []});
    await until(() => all.server.api('tasks'), 'the tasks of the new file',
        {is: ({status, body}) => status === 200 && body.tasks.map(r => r.name).join() === 'other'});
    await place.add({another: []});
    await last(feed, 'tasks', e => e.changed.includes(2) || e.reset);
});

test('a store that is locked for long does not block the server', async t => {
    const place = placeFor(t, {});
    await place.add({a: []});
    const all = await openTasks(t, place);
    await all.ask('tasks');
    const db = new DatabaseSync(path.join(place.user.home, 'tasks.db'));
    db.exec('BEGIN IMMEDIATE');
    // Readers do not wait for writers.
    assert.equal((await all.ask('tasks')).tasks.length, 1);
    const change = all.server.api('tasks/cancel', {ids: [1]});
    assert.equal((await change).status, 503);
    db.exec('COMMIT');
    db.close();
    await comesBack(all);
    assert.equal((await all.ask('tasks')).tasks[0].state, 'READY', 'it was refused');
});
