// The activity window: timeline, filters, details and cancellation, compared with the data of the server.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {run} from '../fixtures/cli.mjs';
import {axe, NARROW, openConsole, openPage, settled, shots, startServer, until} from '../fixtures/console.mjs';
import {openFeed} from '../fixtures/feed.mjs';

const LONG = 'fake:steps=1,step=1000000'; // runs until it is cancelled
const list = page => page.getByRole('listbox', {name: 'Requests and jobs'});
const entries = page => list(page).getByRole('option');
const entry = (page, text) => entries(page).filter({hasText: text});
const details = page => page.getByRole('region', {name: 'Details'});
const fact = (page, name) => details(page).locator(`dt:text-is("${name}") + dd`);
const open = async (t, options = {}) => {
    const {server, page} = await openConsole(t, {editor: 'fake', hash: '#/activity', ...options});
    return {server, page, editor: server.editor, feed: await openFeed(t, server)};
};

/** Return the bars of a row from left to right: [{kind, width}]. */
const bars = row => row.locator('.part').evaluateAll(parts => parts.map(p => ({kind: [...p.classList].find(c => /waiting|queued|running|ok|failed|cancelled/.test(c)),
    width: p.getBoundingClientRect().width})));

describe('the timeline', () => {
    test('is empty while only the page has sent requests', async t => {
        const {page, server} = await openConsole(t, {hash: '#/editor'});
        await page.getByRole('treeitem').first().waitFor();
        await page.getByRole('link', {name: 'Activity', exact: true}).click();
        await page.getByText('No activity yet').waitFor();
        await page.getByText('Reads by this page are hidden.').waitFor();
        await server.call('get_scene_hierarchy');
        await page.getByRole('option', {name: /^get_scene_hierarchy e2e/}).waitFor();
    });

    test('shows client, tool, waiting time, duration and outcome', async t => {
        const {server, page, editor, feed} = await open(t);
        await page.getByText('No activity yet').waitFor();
        await shots(page, 'activity-empty');
        const official = await server.connect();
        await official.call('read_console', {message_pattern: 'fine'});
        await server.tool('get_component_info', {game_object_path: '/Nowhere', index: -1}, {client: 'codex'});
        assert.equal((await run(['call', 'read_console', 'message_pattern=shell', '--port', `${server.port}`])).code, 0);
        await editor.hold();
        const late = server.tool('read_console', {message_pattern: 'late', timeout_ms: 1000}, {client: 'claude-code'});
        await entry(page, 'late').filter({hasText: 'running'}).waitFor();
        const behind = server.call('get_scene_hierarchy', {root_path: '/behind'}, {client: 'claude-code'});
        const queued = entry(page, '/behind');
        await queued.filter({hasText: 'queued'}).waitFor();
        await late;
        await editor.release();
        await behind;
        await editor.command('status', {state: 'compiling'});
        const waits = server.call('read_console', {message_pattern: 'waits'}, {client: 'gemini'});
        await entry(page, 'waits').filter({hasText: 'waiting: compiling'}).waitFor();
        assert.deepEqual((await bars(entry(page, 'waits'))).map(b => b.kind), ['waiting']);
        const width = async () => (await bars(entry(page, 'waits')))[0].width, narrow = await width();
        await until(async () => await width() > narrow + 4, 'a visible wait');
        await editor.command('status', {state: 'ready'});
        await waits;
        await entry(page, 'waits').filter({hasText: 'ok'}).waitFor();

        const expected = [['fine', 'e2e', 'ok'], ['/Nowhere', 'codex', 'ERR_INVALID_PARAMS'], ['shell', 'multiverse-call', 'ok'],
            ['late', 'claude-code', 'ERR_REQUEST_TIMEOUT'], ['/behind', 'claude-code', 'ok'], ['waits', 'gemini', 'ok']];
        assert.equal(await entries(page).count(), expected.length);
        for (const [i, [subject, client, words]] of expected.entries()) {
            const told = await feed.entry(e => e.subject === subject && e.ended_at);
            const row = entries(page).nth(i);
            assert.equal(await row.locator('.tool').innerText(), told.tool);
            assert.equal(await row.locator('.subject').innerText(), subject);
            assert.equal(await row.locator('.client').innerText(), told.client);
            assert.ok(told.client.startsWith(client), told.client);
            assert.equal(await row.locator('.words').innerText(), words);
            assert.equal(told.outcome, words);
            const took = told.ended_at - told.received_at;
            assert.equal(await row.locator('.time').innerText(), took < 1 ? '< 1 ms' : took < 1000 ? `${took} ms` : `${(took / 1000).toFixed(1)} s`);
        }
        // The parts of a bar are to scale.
        for (const [subject, kind] of [['/behind', 'queued'], ['waits', 'waiting']]) {
            const told = await feed.entry(e => e.subject === subject && e.ended_at);
            await page.getByRole('searchbox', {name: 'Search'}).fill(subject);
            await until(async () => await entries(page).count() === 1, 'the only row');
            await settled(page);
            const drawn = await bars(entries(page).first());
            assert.deepEqual([drawn[0].kind, drawn.at(-1).kind], [kind, 'ok'], JSON.stringify(drawn));
            const part = kind === 'queued' ? told.started_at - told.queued_at : told.queued_at - told.received_at;
            const whole = drawn.reduce((sum, b) => sum + b.width, 0), share = part / (told.ended_at - told.received_at);
            assert.ok(part > 0 && Math.abs(drawn[0].width / whole - share) < 0.05, `${JSON.stringify(drawn)}: ${share}`);
        }
        await page.getByRole('button', {name: 'Clear filters'}).click();
        assert.equal(await entries(page).count(), expected.length);
        await shots(page, 'activity');
        await axe(page);
    });

    test('is filtered by tool, client, state and text, stored in the address', async t => {
        const {server, page} = await open(t);
        const calls = [['read_console', {message_pattern: 'one'}, 'codex'], ['read_console', {message_pattern: 'two'}, 'claude-code'],
            ['get_scene_hierarchy', {root_path: '/Three'}, 'codex'], ['read_console', {max_entries: -1}, 'claude-code']];
        for (const [tool, args, client] of calls)
            await server.tool(tool, args, {client});
        const seen = n => until(async () => await entries(page).count() === n, `${n} entries`);
        const choose = (name, value) => page.getByRole('combobox', {name, exact: true}).selectOption(value);
        await seen(4);
        await choose('Tool', 'read_console');
        await seen(3);
        await choose('Client', 'claude-code');
        await seen(2);
        await choose('State', 'Failed');
        await seen(1);
        await page.getByRole('status').filter({hasText: '1 entry'}).waitFor();
        const {hash} = new URL(page.url());
        assert.deepEqual(Object.fromEntries(new URLSearchParams(hash.split('?')[1])), {tool: 'read_console', client: 'claude-code', state: 'failed'});
        const other = await openPage(t, server, {hash, size: NARROW});
        await until(async () => await entries(other).count() === 1, 'the same in another tab');
        assert.equal(await other.getByRole('combobox', {name: 'Client'}).inputValue(), 'claude-code');
        await choose('State', 'Cancelled');
        await page.getByText('None of the 4 entries matches').waitFor();
        await axe(page);
        await page.getByRole('button', {name: 'Show all'}).click();
        await seen(4);
        await page.getByRole('searchbox', {name: 'Search'}).fill('three codex');
        await seen(1);
        await page.keyboard.press('Control+a');
        await page.keyboard.type('req-');
        await seen(4);
    });

    test('supports the keyboard, pauses while a person reads, and zooms', async t => {
        const {server, page} = await open(t);
        for (let i = 0; i < 60; i++)
            await server.call('read_console', {message_pattern: `call ${i}`});
        await entry(page, 'call 59').waitFor();
        await list(page).focus();
        await page.keyboard.press('ArrowUp'); // the newest
        await page.getByRole('heading', {name: 'read_console'}).waitFor();
        assert.equal(await fact(page, 'Subject').innerText(), 'call 59');
        await page.keyboard.press('Home');
        await entry(page, /call 0\b/).waitFor();
        assert.equal(await fact(page, 'Subject').innerText(), 'call 0');
        await server.call('read_console', {message_pattern: 'news'});
        const follow = page.getByRole('button', {name: /^Follow \(1 new\)/});
        await follow.waitFor();
        assert.equal(await entry(page, 'news').count(), 0);
        const span = page.getByRole('combobox', {name: 'Visible time'}), before = await span.inputValue();
        await list(page).focus();
        await page.keyboard.press('+');
        await until(async () => await span.inputValue() !== before, 'a shorter visible time');
        await page.keyboard.press('Escape');
        await details(page).waitFor({state: 'detached'});
        await follow.click();
        await entry(page, 'news').waitFor();
    });
});

describe('details', () => {
    test('open by link, explain failures, and link a job with its request', async t => {
        const {server, page, feed} = await open(t);
        await server.tool('get_component_info', {game_object_path: '/Nowhere', index: -1}, {client: 'codex'});
        const wrong = await feed.entry(e => e.subject === '/Nowhere');
        await page.goto(`${server.origin}/#/activity?id=${wrong.id}`);
        await details(page).getByText(wrong.message).waitFor();
        await details(page).getByText('Nothing was changed. It is safe to retry.').waitFor();
        for (const [name, value] of [['Client', 'codex 1'], ['Outcome', 'ERR_INVALID_PARAMS'], ['Guarantee', 'not_executed'], ['Id', wrong.id]])
            assert.equal((await fact(page, name).innerText()).trim(), value);
        assert.equal(await entries(page).locator('[aria-selected="true"]').or(page.locator('[role="option"][aria-selected="true"]')).count(), 1);
        await shots(page, 'activity-details');
        await axe(page);

        const {job_id} = await server.call('run_tests', {filter: 'fake:steps=4,failed=1', wait_ms: 10_000});
        const job = await feed.entry(e => e.id === job_id && e.ended_at);
        await page.goto(`${server.origin}/#/activity?id=${job_id}`);
        await details(page).getByText('Fake.Tests.Test_0', {exact: true}).waitFor();
        const {result: {summary, failed_tests: [failed]}} = await server.call('get_job_status', {job_id});
        for (const name of ['total', 'passed', 'failed'])
            await details(page).getByRole('listitem').filter({hasText: new RegExp(`^${summary[name]} ${name}$`)}).waitFor();
        await details(page).getByText(failed.message).first().waitFor();
        await details(page).getByRole('link', {name: job.other_id}).click();
        await page.waitForURL(new RegExp(`id=${job.other_id}`));
        await details(page).getByRole('link', {name: job_id}).click();
        await page.waitForURL(new RegExp(`id=${job_id}`));
        await page.goBack();
        await page.goto(`${server.origin}/#/activity?id=req-of-yesterday`);
        await page.getByRole('heading', {name: 'Not found'}).waitFor();
        await axe(page);
    });

    test('show progress and result of a test run started by the page', async t => {
        const {server, page, feed} = await open(t);
        await page.getByRole('button', {name: 'Run tests'}).click();
        const dialog = page.getByRole('dialog', {name: 'Run tests'});
        await dialog.getByLabel('Filter').fill('fake:steps=200,step=20,failed=2');
        await axe(page);
        await dialog.getByRole('button', {name: 'Run'}).click();
        const progress = details(page).getByRole('progressbar', {name: 'Progress'});
        await progress.waitFor();
        await until(async () => await progress.evaluate(p => p.value) > 0.02, 'some progress');
        const first = await progress.evaluate(p => p.value);
        await details(page).getByText(/\d+ of 200, /).waitFor();
        await shots(page, 'activity-job');
        await until(async () => await progress.evaluate(p => p.value).catch(() => 1) > first, 'more progress');
        const job = await feed.entry(e => e.kind === 'job');
        assert.ok(job.client.startsWith('multiverse-console'));
        assert.deepEqual(server.editor.received().at(-1).params, {filter: 'fake:steps=200,step=20,failed=2', mode: 'edit'});
        await details(page).getByText('198').first().waitFor();
        const {state, result} = await server.call('get_job_status', {job_id: job.id});
        assert.deepEqual([state, result.summary.passed, result.summary.failed], ['succeeded', 198, 2]);
        await details(page).getByRole('listitem').filter({hasText: '2 failed'}).waitFor();
    });
});

describe('cancel', () => {
    test('of a running job asks for confirmation and notifies the client', async t => {
        const {server, page} = await open(t);
        const {job_id} = await server.call('run_tests', {filter: LONG}, {client: 'codex'});
        await entry(page, 'job').first().click();
        await details(page).getByRole('button', {name: 'Cancel'}).click();
        const dialog = page.getByRole('dialog', {name: 'Cancel run_tests?'});
        await dialog.getByText('codex 1 is notified').waitFor();
        await shots(page, 'activity-cancel');
        await axe(page);
        await dialog.getByRole('button', {name: 'Keep running'}).click();
        await dialog.waitFor({state: 'detached'});
        assert.equal((await server.call('get_job_status', {job_id})).state, 'running');
        await details(page).getByRole('button', {name: 'Cancel'}).click();
        await dialog.getByRole('button', {name: 'Cancel job'}).click();
        await until(async () => (await server.call('get_job_status', {job_id})).state === 'cancelled', 'the end of the job');
        await server.editor.message('cancel');
        await details(page).getByText('cancelled', {exact: true}).first().waitFor();
        await details(page).getByRole('button', {name: 'Cancel'}).waitFor({state: 'detached'});
    });

    test('of a waiting job works by keyboard and never reaches the editor', async t => {
        const {server, page} = await open(t);
        const [first, second] = [await server.call('run_tests', {filter: LONG}), await server.call('run_tests', {filter: `${LONG},echo=second`})];
        await entry(page, 'second').filter({hasText: 'job'}).filter({hasText: 'queued'}).waitFor();
        await list(page).focus();
        await page.keyboard.press('End'); // a job is below its request
        await until(async () => (await fact(page, 'Id').innerText()).trim() === second.job_id, 'the second job');
        for (let i = 0; i < 10; i++) {
            await page.keyboard.press('Tab');
            if (await page.evaluate(() => document.activeElement?.textContent?.trim() === 'Cancel'))
                break;
        }
        await page.keyboard.press('Enter'); // it has not started, so there is no confirmation
        await until(async () => (await server.call('get_job_status', {job_id: second.job_id})).state === 'cancelled', 'the end of the second job');
        assert.equal((await server.call('get_job_status', {job_id: first.job_id})).state, 'running');
        assert.equal(server.editor.received().length, 1);
        await details(page).getByText('cancelled', {exact: true}).first().waitFor();
        await server.call('cancel_job', {job_id: first.job_id});
    });

    test('of a call is possible only while it waits', async t => {
        const {server, page, editor} = await open(t);
        await editor.hold();
        const running = server.tool('read_console', {message_pattern: 'running'}), waiting = server.tool('read_console', {message_pattern: 'behind'});
        await entry(page, 'behind').filter({hasText: 'queued'}).waitFor();
        await entry(page, /running.*running/s).click();
        await details(page).getByText('Ran', {exact: true}).waitFor();
        assert.equal(await details(page).getByRole('button', {name: 'Cancel'}).count(), 0);
        await entry(page, 'behind').click();
        await details(page).getByRole('button', {name: 'Cancel'}).click();
        const {isError, structuredContent: error} = await waiting;
        assert.equal(isError, true);
        assert.match(error.message, /cancelled before it was sent/);
        assert.equal(error.details.execution_guarantee, 'not_executed');
        await details(page).getByText('Nothing was changed').waitFor();
        assert.equal(await details(page).getByRole('button', {name: 'Cancel'}).count(), 0);
        await editor.release();
        assert.ok(!(await running).isError);
        assert.deepEqual(editor.received().map(l => l.params.message_pattern), ['running']);
    });

    test('of an entry that ended meanwhile shows an error', async t => {
        const server = await startServer(t, {editor: 'fake'});
        const page = await openPage(t, server, {hash: '#/activity', size: NARROW});
        page.allow(/409/);
        await server.editor.hold();
        const running = server.tool('read_console', {message_pattern: 'first'}), waiting = server.tool('read_console', {message_pattern: 'second'});
        await entry(page, 'queued').click();
        const button = details(page).getByRole('button', {name: 'Cancel'});
        await button.waitFor();
        // The request is delivered after the call has ended.
        await page.route('**/api/activity/cancel', async route => {
            await server.editor.release();
            await Promise.all([running, waiting]);
            await route.continue();
        });
        await button.click();
        await page.getByText('It can no longer be cancelled').waitFor();
        await details(page).getByText('ok', {exact: true}).first().waitFor();
    });
});
