// Tooling in the console: tooling.json, profiles, force mode, available candidates and the others.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {startServer} from '../fixtures/console.mjs';
import {openFeed} from '../fixtures/feed.mjs';
import {CATEGORIES, config, mock} from '../fixtures/tooling.mjs';

const text = value => JSON.stringify(value, null, 2);
const candidate = (model, weight, more = {}) => ({tool: 'mock', model, weight, ...more});
const weighted = (...list) => config(list, {strategy: 'weighted'});
const TWO = {
    activeProfile: 'a',
    profiles: [
        {id: 'a', name: 'First', categories: {
            meta: {strategy: 'weighted', candidates: [candidate('x', 3), candidate('y', 1), candidate('z', 0)]},
            worker: {strategy: 'priority', cooldownSec: 7, fallbackOnRateLimit: false,
                candidates: [{tool: 'codex-cli', model: 'gpt'}, candidate('x', 5), candidate('y', 5)]}}},
        {id: 'b', categories: {meta: {strategy: 'round_robin', candidates: [candidate('x', 1), candidate('y', 9)]}}},
    ],
};

async function open(t, tooling, options = {}) {
    const server = await startServer(t, {editor: null, tooling, ...options});
    const {user} = server;
    const ask = server.ask.bind(server), refused = server.refused.bind(server);
    const onDisk = () => readFileSync(user.file, 'utf8');
    return {server, user, ask, refused, onDisk};
}

const brief = ({model, share, out}) => [model, share, out];

describe('the view', () => {
    test('shows the default without a file', async t => {
        const {ask, user} = await open(t);
        const now = await ask('tooling');
        assert.deepEqual([now.path, now.exists, now.in_use, now.fault], [user.file, false, 'default', null]);
        const parsed = JSON.parse(now.text);
        assert.equal(parsed.activeProfile, now.view.active_profile);
        assert.deepEqual(now.view.profiles.map(p => p.id), parsed.profiles.map(p => p.id));
        assert.deepEqual(now.rests, []);
        assert.deepEqual(now.tools.map(tool => tool.name).toSorted(),
            ['claude-code', 'codex-cli', 'cursor-cli', 'gemini-cli', 'mock', 'openai-chat']);
        assert.ok(now.tools.every(tool => tool.about));
        assert.ok(Math.abs(now.now - Date.now()) < 60_000);
        assert.ok(!existsSync(user.file), 'looking makes no file');
    });

    test('has all profiles and categories, with the shares of available candidates', async t => {
        const {ask} = await open(t, TWO);
        const {view, in_use, exists, text: shown} = await ask('tooling');
        assert.deepEqual([in_use, exists, shown], ['file', true, text(TWO)]);
        assert.deepEqual(view.force, {enabled: false, tool: null, model: ''});
        const [a, b] = view.profiles;
        assert.deepEqual([a.id, a.name, b.id], ['a', 'First', 'b']);
        for (const profile of [a, b])
            assert.deepEqual(Object.keys(profile.categories), CATEGORIES);
        const {meta, worker, plan} = a.categories;
        assert.deepEqual([meta.own, meta.strategy, worker.own, plan.own], [true, 'weighted', true, false]);
        assert.deepEqual({...plan, own: true}, meta);
        assert.deepEqual(meta.candidates.map(brief), [['x', 0.75, null], ['y', 0.25, null], ['z', 0, 'disabled']]);
        assert.deepEqual([worker.strategy, worker.fallback, worker.cooldown_sec], ['priority', false, 7]);
        assert.deepEqual(worker.candidates.map(brief),
            [['gpt', 0, 'unavailable'], ['x', 1, null], ['y', 0, null]]);
        assert.deepEqual(worker.candidates[0].why, 'codex is not in PATH');
        assert.deepEqual(worker.candidates.map(c => c.index), [0, 1, 2]);
        assert.deepEqual(b.categories.meta.candidates.map(brief), [['x', 0.5, null], ['y', 0.5, null]]);
    });

    test('gives the same reasons as the command line for candidates that are out', async t => {
        const {ask, user} = await open(t, TWO, {env: {}});
        const said = await user.json('show');
        const {view} = await ask('tooling');
        const own = view.profiles.find(p => p.id === view.active_profile);
        for (const name of CATEGORIES) {
            const there = said.categories[name], here = own.categories[name];
            assert.deepEqual([here.strategy, here.fallback, here.cooldown_sec],
                [there.strategy, there.fallback_on_rate_limit, there.cooldown_sec]);
            assert.deepEqual(here.candidates.map(c => [c.tool, c.model, c.account, c.out ?? 'ready', c.why]),
                there.candidates.map(c => [c.tool, c.model, c.account, c.state, c.why]));
        }
    });

    test('gives the next candidate the whole share with least recently used', async t => {
        const {ask, user} = await open(t, config([mock('x'), mock('y')], {strategy: 'least_recent'}));
        const shares = async () => (await ask('tooling')).view.profiles[0].categories.meta.candidates.map(c => c.share);
        assert.deepEqual(await shares(), [1, 0]);
        await user.json('select', 'meta');
        assert.deepEqual(await shares(), [0, 1]);
    });

    test('shows warnings with their position', async t => {
        const {ask} = await open(t, text({...TWO, actveProfile: 'b'}));
        const {view: {warnings}, fault} = await ask('tooling');
        assert.equal(fault, null);
        assert.equal(warnings.length, 1);
        assert.match(warnings[0].message, /activeProfile/);
        assert.equal(warnings[0].pointer, '/actveProfile');
        assert.ok(warnings[0].line > 1 && warnings[0].column > 1);
    });
});

describe('an invalid file', () => {
    const BROKEN = '{\n  "activeProfile": "a",\n  "profiles": [,]\n}';

    test('leaves the last valid one in use, is reported with its position, and can be repaired', async t => {
        const {ask, user, onDisk} = await open(t, TWO);
        await ask('tooling');
        writeFileSync(user.file, BROKEN);
        const now = await ask('tooling');
        assert.deepEqual([now.in_use, now.exists, now.text], ['last_good', true, BROKEN]);
        assert.deepEqual([now.fault.line, now.fault.column], [3, 16]);
        assert.equal(now.view.profiles.length, 2);
        assert.deepEqual(await ask('tooling/save', {text: text(TWO), seen: BROKEN}), {text: text(TWO)});
        assert.equal(onDisk(), text(TWO));
        assert.deepEqual([(await ask('tooling')).in_use, (await ask('tooling')).fault], ['file', null]);
    });

    test('leaves nothing in use without a valid one, and can be repaired', async t => {
        const {ask, refused, user} = await open(t, BROKEN);
        const now = await ask('tooling');
        assert.deepEqual([now.in_use, now.view, now.text, now.exists], [null, null, BROKEN, true]);
        assert.equal(now.fault.line, 3);
        const {error} = await refused(400, 'tooling/profile', {id: 'a'});
        assert.equal(error.line, 3);
        await refused(400, 'tooling/simulate', {category: 'meta', n: 10});
        assert.deepEqual((await ask('tooling/agents')).agents, []);
        assert.equal(readFileSync(user.file, 'utf8'), BROKEN);
        await ask('tooling/save', {text: text(TWO), seen: BROKEN});
        assert.equal((await ask('tooling')).in_use, 'file');
    });

    test('with invalid UTF-8 is shown with replacement characters and can be overwritten', async t => {
        const {ask, refused, user, onDisk} = await open(t, TWO);
        const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from('"}')]);
        writeFileSync(user.file, bytes);
        const now = await ask('tooling');
        assert.match(now.text, /^\{"a":"\ufffd+"\}$/);
        assert.ok(now.fault);
        await refused(409, 'tooling/save', {text: text(TWO), seen: now.text + ' '});
        assert.deepEqual(readFileSync(user.file), bytes);
        await ask('tooling/save', {text: text(TWO), seen: now.text});
        assert.equal(onDisk(), text(TWO));
    });

    test('that cannot be read is reported and not changed', async t => {
        const {ask, server, user} = await open(t);
        mkdirSync(user.file, {recursive: true});
        const now = await ask('tooling');
        assert.deepEqual([now.text, now.in_use, now.view, now.exists], [null, null, null, true]);
        assert.match(now.fault.message, /tooling\.json/);
        for (const [where, body] of [['save', {text: text(TWO), seen: ''}], ['profile', {id: 'a'}],
            ['force', {enabled: false}]])
            assert.ok((await server.api(`tooling/${where}`, body)).status >= 400, where);
        assert.deepEqual(readdirSync(user.file), []);
        rmSync(user.file, {recursive: true});
        assert.equal((await ask('tooling')).in_use, 'default');
    });

    test('that is a pipe blocks nothing', async t => {
        const {ask, user, server} = await open(t);
        mkdirSync(path.dirname(user.file), {recursive: true});
        execFileSync('mkfifo', [user.file]);
        const now = await ask('tooling');
        assert.ok(now.fault);
        assert.ok((await server.api('tooling/save', {text: text(TWO), seen: ''})).status >= 400);
    });
});

describe('check', () => {
    test('of a valid text shows its candidates', async t => {
        const {ask, onDisk} = await open(t, TWO);
        const other = weighted(candidate('p', 1), candidate('q', 1));
        const {fault, view} = await ask('tooling/check', {text: text(other)});
        assert.equal(fault, null);
        assert.deepEqual(view.profiles[0].categories.worker.candidates.map(brief), [['p', 0.5, null], ['q', 0.5, null]]);
        assert.equal(onDisk(), text(TWO));
    });

    const wrong = [
        ['no JSON', '{\n "a": 1,\n}', /./, '', 3],
        ['an unknown tool', text(weighted({tool: 'claud-code'})), /claude-code/, '/profiles/0/categories/meta/candidates/0/tool'],
        ['a negative cooldown', text(config([mock('a')], {cooldownSec: -1})), /./, '/profiles/0/categories/meta/cooldownSec'],
        ['no profiles', '{"profiles":[]}', /profile/, '/profiles', 1],
        ['an option that the tool does not take', text(weighted({tool: 'mock', toolSpecific: {scrpt: 1}})), /scrpt/,
            '/profiles/0/categories/meta/candidates/0'],
        ['an empty text', '', /./, '', 1],
        ['a deep text', '['.repeat(5000), /deep/, ''],
    ];
    for (const [what, bad, message, pointer, line] of wrong)
        test(`${what} is an error with its position, and is not saved`, async t => {
            const {ask, refused, onDisk} = await open(t, TWO);
            const {fault} = await ask('tooling/check', {text: bad});
            assert.match(fault.message, message);
            assert.equal(fault.pointer, pointer);
            assert.ok(fault.line >= 1 && fault.column >= 1);
            if (line)
                assert.equal(fault.line, line);
            const {error} = await refused(bad.startsWith('[') ? 413 : 400, 'tooling/save', {text: bad, seen: text(TWO)});
            assert.match(error.message, message);
            if (error.line)
                assert.deepEqual([error.line, error.column, error.pointer], [fault.line, fault.column, fault.pointer]);
            assert.equal(onDisk(), text(TWO));
        });
});

describe('save', () => {
    test('sets what the next choice uses', async t => {
        const {ask, user, onDisk} = await open(t, TWO);
        assert.equal((await user.json('select', 'meta', '--seed', '1')).profile, 'a');
        const next = weighted(candidate('only', 1));
        assert.deepEqual(await ask('tooling/save', {text: text(next), seen: text(TWO)}), {text: text(next)});
        assert.equal(onDisk(), text(next));
        const choice = await user.json('select', 'worker');
        assert.deepEqual([choice.profile, choice.model], ['own', 'only']);
    });

    test('makes the first file, private, from the default or from nothing', async t => {
        for (const seen of [undefined, '']) {
            const {ask, refused, user} = await open(t);
            const {text: shown} = await ask('tooling');
            await refused(409, 'tooling/save', {text: text(TWO), seen: 'something else'});
            assert.ok(!existsSync(user.file));
            await ask('tooling/save', {text: text(TWO), seen: seen ?? shown});
            assert.equal(readFileSync(user.file, 'utf8'), text(TWO));
        }
    });

    test('shows a change of another process instead of overwriting it', async t => {
        const {refused, user, onDisk} = await open(t, TWO);
        const theirs = text({...TWO, activeProfile: 'b'});
        writeFileSync(user.file, theirs);
        const {error, text: there, exists} = await refused(409, 'tooling/save', {text: text(TWO) + '\n', seen: text(TWO)});
        assert.equal(error.code, 'ERR_CONFLICT');
        assert.deepEqual([there, exists], [theirs, true]);
        assert.equal(onDisk(), theirs);
        rmSync(user.file);
        const gone = await refused(409, 'tooling/save', {text: text(TWO), seen: theirs});
        assert.equal(gone.exists, false);
        assert.ok(JSON.parse(gone.text).profiles);
        assert.ok(!existsSync(user.file));
    });

    test('lets one of many concurrent savers win and refuses the others', async t => {
        const {server, onDisk} = await open(t, TWO);
        const texts = Array.from({length: 10}, (_, i) => text({...TWO, note: i}));
        const answers = await Promise.all(texts.map(mine =>
            server.api('tooling/save', {text: mine, seen: text(TWO)})));
        assert.deepEqual(answers.map(a => a.status).toSorted(), [200, ...Array(9).fill(409)]);
        const winner = answers.findIndex(a => a.status === 200);
        assert.equal(onDisk(), texts[winner]);
        for (const {status, body} of answers)
            if (status === 409)
                assert.equal(body.text, texts[winner]);
    });

    test('refuses missing members and wrong types', async t => {
        const {refused, onDisk} = await open(t, TWO);
        for (const body of [{}, {text: text(TWO)}, {seen: ''}, {text: 7, seen: ''}, {text: text(TWO), seen: null}])
            await refused(400, 'tooling/save', body);
        for (const where of ['check', 'profile', 'force', 'clear', 'simulate'])
            await refused(400, `tooling/${where}`, {});
        assert.equal(onDisk(), text(TWO));
    });

    test('reports a file that cannot be written, and loses nothing', async t => {
        const {server, user, onDisk} = await open(t, TWO);
        mkdirSync(`${user.file}.lock`); // the lock cannot be taken
        for (const [where, body] of [['save', {text: text(TWO) + '\n', seen: text(TWO)}], ['profile', {id: 'b'}]]) {
            const {status, body: answer} = await server.api(`tooling/${where}`, body);
            assert.equal(status, 503, JSON.stringify(answer));
            assert.match(answer.error.message, /tooling\.json\.lock/);
        }
        assert.equal(onDisk(), text(TWO));
    });
});

describe('profile and force mode', () => {
    test('another profile is active for the next choice; the other text stays', async t => {
        const {ask, refused, user, onDisk} = await open(t, text(TWO).replace('{', '{ "mine": [1,2],'));
        assert.deepEqual(await ask('tooling/profile', {id: 'b'}), {});
        assert.equal((await user.json('select', 'meta')).profile, 'b');
        assert.equal((await ask('tooling')).view.active_profile, 'b');
        assert.match(onDisk(), /^\{ "mine": \[1,2\],/);
        const {error} = await refused(400, 'tooling/profile', {id: '<b>'});
        assert.match(error.message, /a, b/);
        assert.equal((await ask('tooling')).view.active_profile, 'b');
    });

    test('force mode on, another model, off', async t => {
        const {ask, refused, user} = await open(t, TWO);
        await refused(400, 'tooling/force', {enabled: true}); // no tool is set yet
        await refused(400, 'tooling/force', {enabled: true, tool: 'claud'});
        await ask('tooling/force', {enabled: true, tool: 'mock', model: 'only "this"'});
        assert.deepEqual((await ask('tooling')).view.force, {enabled: true, tool: 'mock', model: 'only "this"'});
        const choice = await user.json('select', 'worker');
        assert.deepEqual([choice.forced, choice.model], [true, 'only "this"']);
        // the view still shows what the profile would do
        const {view} = await ask('tooling');
        assert.deepEqual(view.profiles[0].categories.meta.candidates.map(c => c.share), [0.75, 0.25, 0]);
        await ask('tooling/force', {enabled: false});
        assert.equal((await user.json('select', 'worker')).forced, false);
        assert.deepEqual((await ask('tooling')).view.force, {enabled: false, tool: 'mock', model: 'only "this"'});
    });

    test('a change of another process is kept', async t => {
        const {server, user} = await open(t, TWO);
        await Promise.all(Array.from({length: 12}, (_, i) => i % 3 === 0 ? server.api('tooling/profile', {id: 'b'})
            : i % 3 === 1 ? server.api('tooling/force', {enabled: true, tool: 'mock', model: `m${i}`})
                : user.tooling('set-profile', 'b')));
        const {activeProfile, force, profiles} = JSON.parse(readFileSync(user.file, 'utf8'));
        assert.equal(activeProfile, 'b');
        assert.equal(force.tool, 'mock');
        assert.deepEqual(profiles, TWO.profiles);
    });
});

describe('a watched file', () => {
    test('that an editor replaces is notified once; its neighbours are not', async t => {
        const {server, ask, user} = await open(t, TWO);
        const feed = await openFeed(t, server);
        const first = await feed.last('tooling', e => e.file > 0); // the server has read it
        const dir = path.dirname(user.file);
        writeFileSync(path.join(dir, 'neighbour.json'), '{}');
        writeFileSync(path.join(dir, 'tooling.json.swp'), 'x');
        writeFileSync(`${user.file}.new`, text({...TWO, activeProfile: 'b'}));
        renameSync(`${user.file}.new`, user.file);
        const next = await feed.last('tooling', e => e.file > first.file);
        assert.equal(next.file, first.file + 1);
        assert.equal((await ask('tooling')).view.active_profile, 'b');
        rmSync(user.file);
        const gone = await feed.last('tooling', e => e.file > next.file);
        assert.equal(gone.file, next.file + 1);
        await ask('tooling/save', {text: text(TWO), seen: ''});
        await feed.last('tooling', e => e.file > gone.file);
    });

    test('whose change another process reverts at once is notified', async t => {
        const {server, ask, user} = await open(t, TWO);
        const feed = await openFeed(t, server);
        const {file} = await feed.last('tooling', e => e.file > 0);
        await ask('tooling/profile', {id: 'b'});
        writeFileSync(user.file, text(TWO)); // before the server has read the file
        await feed.last('tooling', e => e.file > file);
    });

    test('may be made later, in a folder that does not exist yet', async t => {
        const {server, user} = await open(t);
        const feed = await openFeed(t, server);
        const {file} = await feed.last('tooling', e => e.file > 0);
        user.configure(TWO);
        await feed.last('tooling', e => e.file > file);
    });

    test('is notified to two pages, and to one that is opened later', async t => {
        const {server, ask} = await open(t, TWO);
        const one = await openFeed(t, server), other = await openFeed(t, server);
        const {file} = await one.last('tooling', e => e.file > 0);
        await ask('tooling/profile', {id: 'b'});
        await Promise.all([one, other].map(feed => feed.last('tooling', e => e.file > file)));
        await one.close();
        await other.close();
        await ask('tooling/profile', {id: 'a'});
        const late = await openFeed(t, server);
        const again = await late.last('tooling', e => e.file > file + 1); // not read in between
        await ask('tooling/profile', {id: 'b'});
        await late.last('tooling', e => e.file > again.file);
    });
});

describe('a file named on the command line', () => {
    const NASTY = ['<img src=x onerror=alert(1)>', '"\'`&{{7*7}}', '\u202e\u0001\u001b[31m\u007f', '\ud83d\ude00'.repeat(50),
        'x'.repeat(20_000), '</script><script>'];

    test('is shown as it is', async t => {
        const profiles = NASTY.map(name => ({id: name, name, categories: {
            meta: {candidates: [{tool: 'mock', model: name, cliPath: name}]}}}));
        const {ask, refused} = await open(t, {activeProfile: NASTY[0], profiles});
        const {view, fault} = await ask('tooling');
        assert.equal(fault, null);
        assert.deepEqual(view.profiles.map(p => p.id), NASTY);
        assert.deepEqual(view.profiles.map(p => p.name), NASTY);
        assert.deepEqual(view.profiles.map(p => p.categories.worker.candidates[0].model), NASTY);
        for (const id of NASTY) {
            await ask('tooling/profile', {id});
            assert.equal((await ask('tooling')).view.active_profile, id);
        }
        await refused(400, 'tooling/profile', {id: 'y'.repeat(100_000)});
    });

    test('a large file is shown and saved; too large a one is refused', async t => {
        const {ask, server, onDisk} = await open(t, TWO);
        const large = text({...TWO, note: 'n'.repeat(3 << 20)});
        await ask('tooling/save', {text: large, seen: text(TWO)});
        assert.equal((await ask('tooling')).text, large);
        assert.equal((await server.api('tooling/check', {text: ' '.repeat(5 << 20)})).status, 413);
        assert.equal(onDisk(), large);
    });
});

test('many concurrent requests are all answered', async t => {
    const {ask} = await open(t, TWO);
    const answers = await Promise.all(Array.from({length: 40}, (_, i) => [
        () => ask('tooling'), () => ask('tooling/check', {text: text(TWO)}), () => ask('tooling/decisions'),
        () => ask('tooling/simulate', {category: 'meta', n: 1000}), () => ask('tooling/agents')][i % 5]()));
    for (const [i, answer] of answers.entries())
        assert.ok([answer.view, answer.view, answer.decisions, answer.counts, answer.agents][i % 5], `${i}`);
});

test('a stopping server answers pending requests or refuses them', async t => {
    const {server} = await open(t, TWO);
    const asked = Array.from({length: 30}, () => server.api('tooling').then(({status}) => status, () => 'cut'));
    await server.end();
    for (const status of await Promise.all(asked))
        assert.ok([200, 503, 'cut'].includes(status), `${status}`);
});
