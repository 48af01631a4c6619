// A limit that one machine finds applies to all that share a store: users with separate homes and
// one PostgreSQL.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {failsInOneLine} from '../fixtures/cli.mjs';
import {freshDatabase, postgres} from '../fixtures/store.mjs';
import {chat, config, keys, makeUser, task} from '../fixtures/tooling.mjs';
import {startStandin} from '../../standin/standin.mjs';
import {meta} from '../../standin/meta.mjs';

const KEY = 'openai-chat|KEY_A|model-a';

/** Two users who share only their agents: a is limited, c does everything. */
async function twoUsers(t, env) {
    const standin = await startStandin(t);
    const [a, c] = ['a', 'c'].map(name => standin.account(name));
    a.answers({fault: 'rate_limited', retryAfter: 600});
    c.answers(meta());
    const [first, second] = [0, 1].map(() =>
        makeUser(t, {env: {...keys(a, c), ...env}, tooling: config([chat(a), chat(c)])}));
    return {a, c, first, second};
}

describe('two homes, one PostgreSQL', {skip: postgres().skip}, () => {
    test('a limit found by one user applies to the other', async t => {
        const {a, c, first, second} = await twoUsers(t, {MULTIVERSE_STORE: freshDatabase()});
        await first.complete(task());
        assert.deepEqual([a.count, c.count], [1, 3]);
        assert.deepEqual(Object.keys(await second.cooldowns()), [KEY]);
        await second.complete(task());
        assert.deepEqual([a.count, c.count], [1, 6], 'a was not asked again');
        assert.match(JSON.stringify(await second.json('explain')), /rate_limited/);
        for (const user of [first, second])
            assert.ok(!existsSync(user.store), 'the home has no trace of it');
    });

    test('--store is the same as the variable, and takes precedence', async t => {
        const url = freshDatabase();
        const {a, c, first, second} = await twoUsers(t, {MULTIVERSE_STORE: 'postgresql://nobody@127.0.0.1:1/nowhere'});
        await first.complete(task(), {args: ['--store', url]});
        assert.deepEqual([a.count, c.count], [1, 3]);
        const {stdout} = await second.tooling('cooldowns', '--json', '-S', url);
        assert.deepEqual(JSON.parse(stdout).map(rest => rest.key), [KEY]);
        await second.complete(task(), {args: [`--store=${url}`]});
        assert.deepEqual([a.count, c.count], [1, 6]);
        failsInOneLine(await second.tooling('cooldowns'), /cannot use postgresql:\/\/nobody@127\.0\.0\.1:1\/nowhere: .*refused/);
    });

    test('clearing a cooldown clears it for both', async t => {
        const {a, first, second} = await twoUsers(t, {MULTIVERSE_STORE: freshDatabase()});
        await first.complete(task());
        assert.equal((await second.tooling('cooldowns', 'clear')).code, 0);
        assert.deepEqual(await first.cooldowns(), {});
        await first.complete(task());
        assert.equal(a.count, 2);
    });

    test('a password is never printed, and no agent gets the variable', async t => {
        const url = freshDatabase().replace('postgres@', 'postgres:very-secret-word@');
        const {first} = await twoUsers(t, {MULTIVERSE_STORE: url});
        const end = await first.complete(task({test: {command: 'echo "store: $MULTIVERSE_STORE"; env'}}));
        assert.doesNotMatch(end.stdout + end.stderr, /very-secret-word|MULTIVERSE_STORE/);
        const dump = execFileSync('pg_dump', ['--data-only', url], {encoding: 'utf8'});
        assert.match(dump, /KEY_A/);
        assert.doesNotMatch(dump, /very-secret-word|sk-secret/);
        assert.ok(first.files().some(([, bytes]) => bytes.includes('store: \n')), 'the test\'s output is kept');
        for (const [name, bytes] of first.files())
            assert.ok(!bytes.includes('very-secret-word'), path.basename(name));
        failsInOneLine(await first.command(['tooling', 'show'], {env: {MULTIVERSE_STORE: url.replace('%2f', '%2fnowhere%2f')}}),
            /^(?!.*very-secret-word)multiverse: cannot use postgresql:\/\/postgres@/);
    });
});

test('two homes with a common store folder share limits in the same way', async t => {
    const {a, c, first, second} = await twoUsers(t, {});
    const folder = path.join(first.dir, 'shared/');
    await first.complete(task(), {args: ['--store', folder]});
    await second.complete(task(), {args: ['--store', `sqlite:${folder}`]});
    assert.deepEqual([a.count, c.count], [1, 6]);
    assert.ok(existsSync(path.join(folder, 'state.db')));
});
