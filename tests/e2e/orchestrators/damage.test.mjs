// A damaged SQLite file, and a store of a newer version: refused with advice, and left unchanged.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync}
    from 'node:fs';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, test} from 'node:test';

import {Random} from '../../chaos/random.mjs';
import {makeCrew} from '../../orchestrator/crew.mjs';

const sum = file => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Everything next to the store except files that come and go with its use. */
const sums = file => Object.fromEntries(readdirSync(path.dirname(file))
    .filter(name => !/-(wal|shm)$|word|\.lock$/.test(name)).map(name => [name, sum(path.join(path.dirname(file), name))]));

function overwrite(file, from, to, byte) {
    const bytes = readFileSync(file);
    for (let i = from; i < to; i++)
        bytes[i] = byte(i);
    writeFileSync(file, bytes);
}

const noise = seed => {
    const random = new Random(seed);
    return () => random.below(256);
};
const sixtyPercent = file => Math.floor(statSync(file).size * 0.6);

/** Move everything into the main file. */
function checkpoint(file) {
    const db = new DatabaseSync(file);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
}

const DAMAGES = {
    'garbage in its header': file => overwrite(file, 0, 100, noise(1)),
    'garbage in the middle': file => overwrite(file, 8192, sixtyPercent(file), noise(2)),
    // 13: a leaf
    'pages that look valid': file => overwrite(file, 8192, sixtyPercent(file), i => i * 167 + 13 & 255),
    'pages in the wrong place': file => {
        const bytes = readFileSync(file);
        overwrite(file, 8192, sixtyPercent(file), i => bytes[bytes.length - (sixtyPercent(file) >> 12 << 12) + i] ?? 0);
    },
    'half of it': file => truncateSync(file, Math.floor(statSync(file).size / 2 / 512) * 512),
    'nothing but zeros': file => writeFileSync(file, Buffer.alloc(statSync(file).size)),
};

/** 18 tasks, two of which have run, and a copy that an orchestrator made of them all. */
async function makeStore(t) {
    const crew = await makeCrew(t, 'sqlite');
    await crew.add(crew.task('done-1'), crew.task('done-2', {needs: ['done-1']}));
    const one = crew.begin();
    await crew.untilState('done-2', 'SUCCEEDED');
    assert.equal(await crew.stop(one), 0, crew.errors());
    const names = Array.from({length: 16}, (_, i) => `n${i + 1}`);
    const text = 'What there is to do. '.repeat(300);
    await crew.add(...names.map((name, i) => crew.task(name, {text, needs: i % 3 ? [names[i - 1]] : []})));
    rmSync(`${crew.store.file}.copy`);
    await crew.fine('orchestrate', 'pause');
    const other = crew.begin();
    await crew.until(() => existsSync(`${crew.store.file}.copy`), 'a copy');
    assert.equal(await crew.stop(other), 0, crew.errors());
    await crew.fine('orchestrate', 'resume');
    checkpoint(crew.store.file);
    return crew;
}

/** Without readable data there is no repair; the user moves the file away to start again. */
async function refusesRepair(crew, damaged) {
    const {file} = crew.store;
    const refused = await crew.command('task', 'repair');
    assert.equal(refused.code, 1, refused.stdout);
    assert.match(refused.stderr, /nothing in it can be read.*move it away/);
    assert.deepEqual(sums(file), damaged, 'it is unchanged');
    renameSync(file, `${file}.zeros`);
    await crew.add(crew.task('afterwards'));
    assert.equal(await crew.untilIdle(), 0, crew.errors());
}

describe('a damaged file', {concurrency: 2}, () => {
    for (const [name, damage] of Object.entries(DAMAGES))
        for (const withCopy of [true, false])
            test(`${name}, ${withCopy ? 'with' : 'without'} a copy: refused, left alone, repaired`, async t => {
                const crew = await makeStore(t);
                const {file} = crew.store;
                if (!withCopy)
                    rmSync(`${file}.copy`);
                const before = Object.keys(await crew.states()).length;
                assert.equal(before, 18);
                damage(file);
                const damaged = sums(file);
                const refused = await crew.command('task', 'list');
                assert.equal(refused.code, 1, refused.stdout);
                assert.match(refused.stderr, /damaged/);
                assert.match(refused.stderr, /task repair/);
                const orchestrator = crew.begin(['--until-idle'], 1);
                assert.equal(await crew.ended(orchestrator, 'an orchestrator that refuses'), 1, crew.errors(1));
                assert.match(crew.read('orchestrator1.out') + crew.errors(1), /task repair/);
                assert.deepEqual(sums(file), damaged, 'it is unchanged');
                if (name === 'nothing but zeros' && !withCopy)
                    return refusesRepair(crew, damaged);
                const repaired = await crew.json('task', 'repair');
                assert.equal(repaired.damaged, true);
                assert.equal(sum(repaired.aside), damaged[path.basename(file)], 'the damaged one is kept');
                const states = await crew.states();
                if (withCopy)
                    assert.equal(Object.keys(states).length, 18, JSON.stringify(states));
                const again = await crew.json('task', 'repair');
                assert.equal(again.damaged, false);
                await crew.fine('orchestrate', 'resume'); // the copy may be of the pause
                await crew.add(crew.task('afterwards'));
                const code = await crew.untilIdle(['--workers', '4']);
                const ends = await crew.states();
                assert.equal(ends.afterwards, 'SUCCEEDED');
                if (withCopy)
                    assert.deepEqual([code, Object.values(ends).filter(s => s !== 'SUCCEEDED')], [0, []], crew.errors());
                assert.equal(crew.starts('done-1'), withCopy || states['done-1'] ? 1 : crew.starts('done-1'));
                crew.assertOrder();
                return undefined;
            });

    test('a sound file is not touched; a file in use is not repaired', async t => {
        const crew = await makeCrew(t, 'sqlite');
        await crew.add(crew.task('a', {ms: 600_000}));
        assert.equal((await crew.json('task', 'repair')).damaged, false);
        const one = crew.begin();
        await crew.until(() => crew.starts('a'), 'the test of a');
        const refused = await crew.command('task', 'repair');
        assert.equal(refused.code, 1, refused.stdout);
        assert.match(refused.stderr, /in use|open|busy/);
        await crew.halt(one);
    });
});

describe('a store of a newer version', () => {
    const refuse = async crew => {
        for (const args of [['task', 'list'], ['task', 'add', crew.task('b')], ['orchestrate', 'status'],
            ['task', 'repair']]) {
            if (args[1] === 'repair' && crew.store.name !== 'sqlite')
                continue;
            const end = await crew.command(...args);
            assert.equal(end.code, 1, `${args[1]}: ${end.stdout}${end.stderr}`);
            assert.match(end.stderr, /newer/, args[1]);
        }
        const one = crew.begin(['--until-idle']);
        assert.equal(await crew.ended(one, 'an orchestrator that refuses'), 1);
        assert.match(crew.read('orchestrator0.out') + crew.errors(), /newer/);
    };

    test('SQLite: refused, and no byte is changed', async t => {
        const crew = await makeCrew(t, 'sqlite');
        await crew.add(crew.task('a'));
        const {file} = crew.store;
        const db = new DatabaseSync(file);
        const {user_version: version} = db.prepare('PRAGMA user_version').get();
        db.exec(`PRAGMA user_version = ${version + 1}; CREATE TABLE from_the_future (x); PRAGMA wal_checkpoint(TRUNCATE)`);
        db.close();
        const before = sum(file);
        await refuse(crew);
        assert.equal(sum(file), before);
        const back = new DatabaseSync(file);
        back.exec(`DROP TABLE from_the_future; PRAGMA user_version = ${version}`);
        back.close();
        assert.equal(await crew.untilIdle(), 0, crew.errors());
        assert.deepEqual(await crew.states(), {a: 'SUCCEEDED'});
    });

    test('PostgreSQL: refused, and nothing is changed', async t => {
        const crew = await makeCrew(t, 'postgresql');
        if (!crew)
            return;
        await crew.add(crew.task('a'));
        const dump = () => JSON.stringify(['version', 'task', 'attempt', 'event'].map(table =>
            crew.store.query(`SELECT * FROM multiverse.${table}`)));
        crew.store.change("UPDATE multiverse.version SET version = version + 1 WHERE name = 'tasks'");
        const before = dump();
        await refuse(crew);
        assert.equal(dump(), before);
        crew.store.change("UPDATE multiverse.version SET version = version - 1 WHERE name = 'tasks'");
        assert.equal(await crew.untilIdle(), 0, crew.errors());
        assert.deepEqual(await crew.states(), {a: 'SUCCEEDED'});
    });
});
