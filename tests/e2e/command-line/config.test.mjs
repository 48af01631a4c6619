// multiverse config edits multiverse.json.
import assert from 'node:assert/strict';
import {existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {folder, oneLine, refuses, run} from '../fixtures/cli.mjs';

function place(t) {
    const cwd = folder(t);
    const file = path.join(cwd, 'multiverse.json');
    return {
        cwd, file,
        config: (...args) => run(['config', ...args], {cwd}),
        text: () => readFileSync(file, 'utf8'),
        async ok(...args) {
            const {code, stdout, stderr} = await run(['config', ...args], {cwd});
            assert.equal(code, 0, stderr);
            assert.equal(stderr, '');
            return stdout;
        },
    };
}

test('list shows value, default, origin and meaning', async t => {
    const p = place(t);
    writeFileSync(p.file, '{"schema_version": 1, "queue_max_size": 64, "token_file": "tok"}');
    const list = await p.ok();
    assert.equal(await p.ok('list'), list);
    assert.match(list, /^KEY +VALUE +DEFAULT +FROM +MEANING$/m);
    assert.match(list, /^port +48091 +48091 +default +port of the server/m);
    assert.match(list, /^queue_max_size +64 +32 +file +calls that can wait/m);
    assert.match(list, /^token_file +tok +- +file /m);
    assert.match(list, /read from multiverse\.json\n$/);
});

test('set, get and unset work', async t => {
    const p = place(t);
    assert.equal(await p.ok('get', 'port'), '48091\n');
    assert.equal(await p.ok('set', 'port', '49000'), '');
    assert.deepEqual(JSON.parse(p.text()), {schema_version: 1, port: 49000});
    assert.equal(await p.ok('get', 'port'), '49000\n');
    await p.ok('set', 'log_format', 'json');
    await p.ok('set', 'reconnect_jitter', '0.5');
    assert.deepEqual(JSON.parse(p.text()),
        {schema_version: 1, port: 49000, log_format: 'json', reconnect_jitter: 0.5});
    await p.ok('unset', 'port');
    assert.equal(await p.ok('get', 'port'), '48091\n');
    assert.deepEqual(JSON.parse(p.text()), {schema_version: 1, log_format: 'json', reconnect_jitter: 0.5});
});

test('no file is created while every setting has its default', async t => {
    const p = place(t);
    await p.ok('set', 'port', '48091');
    await p.ok('unset', 'log_level');
    assert.deepEqual(readdirSync(p.cwd), []);
});

test('unknown settings stay, with their order and layout, and cause a warning', async t => {
    const p = place(t);
    writeFileSync(p.file, '{\n    "mine": [1,  2],\n    "schema_version": 1,\n    "prot": 5\n}\n');
    const {code, stderr} = await p.config('set', 'port', '5');
    assert.equal(code, 0);
    assert.match(stderr, /^multiverse: warning: .*unknown key "mine" is ignored\n/);
    assert.match(stderr, /unknown key "prot" is ignored; did you mean "port"\?\n$/);
    assert.equal(p.text(),
        '{\n    "mine": [1,  2],\n    "schema_version": 1,\n    "prot": 5,\n    "port": 5\n}\n');
});

test('another file can be used, even one that does not exist yet', async t => {
    const p = place(t);
    await p.ok('set', 'port', '7', '--config', 'other.json');
    assert.equal(await p.ok('get', 'port', '-c', 'other.json'), '7\n');
    assert.equal(await p.ok('get', 'port'), '48091\n');
    assert.deepEqual(readdirSync(p.cwd), ['other.json']);
});

test('settings that contradict each other are refused, and nothing is written', async t => {
    const p = place(t);
    refuses(await p.config('set', 'editor_status_interval_ms', '20000'),
        /stale_connection_timeout_ms \(15000\) must be longer than editor_status_interval_ms/);
    assert.ok(!existsSync(p.file));
    await p.ok('set', 'stale_connection_timeout_ms', '30000');
    await p.ok('set', 'editor_status_interval_ms', '20000');
    const before = p.text();
    refuses(await p.config('unset', 'stale_connection_timeout_ms'), /must be longer/);
    assert.equal(p.text(), before);
});

test('a file is replaced atomically: a reader sees the old or the new one, complete', async t => {
    const p = place(t);
    await p.ok('set', 'port', '1000');
    let writing = true, seen = 0;
    const writer = (async () => {
        for (let port = 1001; port <= 1020; port++)
            await p.ok('set', 'port', String(port));
        writing = false;
    })();
    while (writing) {
        const {port} = JSON.parse(p.text());
        assert.ok(port >= 1000 && port <= 1020);
        seen++;
        await new Promise(resolve => setImmediate(resolve));
    }
    await writer;
    assert.ok(seen > 0);
    assert.equal(JSON.parse(p.text()).port, 1020);
    assert.deepEqual(readdirSync(p.cwd), ['multiverse.json']); // no temporary file is left
});

test('a symbolic link to the file stays a link', async t => {
    const p = place(t);
    writeFileSync(path.join(p.cwd, 'real.json'), '{"schema_version": 1}');
    symlinkSync('real.json', p.file);
    await p.ok('set', 'port', '5');
    assert.equal(JSON.parse(readFileSync(path.join(p.cwd, 'real.json'), 'utf8')).port, 5);
});

test('a missing folder is one line and exit 1', async t => {
    const p = place(t);
    const {code, stderr} = await p.config('set', 'port', '5', '--config', 'nix/multiverse.json');
    assert.equal(code, 1);
    oneLine(stderr);
    assert.match(stderr, /cannot write nix\/multiverse\.json: No such file or directory/);
});
