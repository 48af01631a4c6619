// The log of an attempt: live updates, search, colours, hostile text, a million lines.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

import {axe, LIMIT_MS, NARROW, shots, until, watchTasks} from '../fixtures/console.mjs';
import {atStore, detailOf, openWindow, stateIs, tabOf} from '../fixtures/console_tasks.mjs';
import {configOf, mock} from '../fixtures/tooling.mjs';
import {metaScript} from '../../standin/meta.mjs';

const STEPS = 90;
/** A run with output during the whole test: many rounds with some lines each. */
const TALKS = configOf({
    meta: {candidates: [mock('planner', metaScript({workers: Array.from({length: STEPS}, (_, i) => `round ${i + 1} of many`)}))]},
    worker: {candidates: [mock('hand', [{sleep_ms: 150, say: 'done', repeat: true}])]},
});

const logOf = page => detailOf(page).getByRole('log');
const field = page => page.getByRole('searchbox', {name: 'Search the log'});
const follows = page => page.getByRole('button', {name: /^Follow/});
const isFollowing = (page, yes) => until(async () => await follows(page).getAttribute('aria-pressed') === String(yes), `following: ${yes}`);
const linesIn = page => logOf(page).locator('.line .text').allInnerTexts();
const count = page => page.locator('.log .count').innerText();
const counted = (page, text) => until(async () => await count(page) === text, `"${text}"`).catch(async e => assert.equal(await count(page), text, e.message));
/** Return the text of the visible rows. */
const seen = page => logOf(page).evaluate(box => [...box.querySelectorAll('.line')].filter(l => {
    const r = l.getBoundingClientRect(), b = box.getBoundingClientRect();
    return r.top >= b.top - 1 && r.bottom <= b.bottom + 1;
}).map(l => l.querySelector('.text').textContent));
const current = page => logOf(page).locator('mark.current').first().innerText();

test('a live log is followed until the person scrolls up, and can be searched and downloaded', async t => {
    const {page, place} = await openWindow(t, {tooling: TALKS, hash: '#/tasks?task=1&tab=log', before: p => p.add({talk: {runner: {max_loops: 100}}})});
    await page.getByText('No log yet').waitFor();
    const program = place.orchestrator();
    await logOf(page).getByText('worker 3 of 100').first().waitFor({timeout: LIMIT_MS});
    await isFollowing(page, true);
    const lines = () => page.locator('.log .foot').innerText().then(text => Number(text.match(/([\d,]+) lines?/)[1].replace(',', '')));
    const rows = async () => Math.floor((await logOf(page).boundingBox()).height / 20);
    await until(async () => await lines() > await rows() + 20, 'more than fits', LIMIT_MS);
    const last = async () => (await seen(page)).at(-1);
    const before = await last();
    await until(async () => await last() !== before, 'new lines at the end');

    // Scrolling up keeps the position despite new lines; scrolling to the end follows again.
    await logOf(page).hover();
    await page.mouse.wheel(0, -200);
    await isFollowing(page, false);
    const [first] = await seen(page), had = await lines();
    await until(async () => await lines() > had + 20, 'more lines', LIMIT_MS);
    assert.equal((await seen(page))[0], first);
    await logOf(page).focus();
    await page.keyboard.press('End');
    await isFollowing(page, true);
    await page.mouse.wheel(0, -200);
    await isFollowing(page, false);
    await follows(page).click();
    await isFollowing(page, true);
    await until(async () => logOf(page).evaluate(b => b.scrollTop + b.clientHeight >= b.scrollHeight - 20), 'the end');

    // The download equals the log of the command line.
    await page.getByRole('button', {name: 'Cancel…'}).click();
    await page.getByRole('dialog').getByRole('button', {name: 'Cancel the task', exact: true}).click();
    await stateIs(place, 'talk', 'CANCELLED');
    await detailOf(page).locator('header').getByText('Cancelled').waitFor();
    const text = (await place.task('logs', 'talk')).stdout;
    const total = text.trimEnd().split('\n').length;
    await page.getByText(`${total.toLocaleString('en-GB')} lines`, {exact: true}).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'Download'}).click()]);
    assert.equal(download.suggestedFilename(), 'talk-attempt-1.log');
    assert.equal(readFileSync(await download.path(), 'utf8'), text);

    // Search: count, next and previous with wrap-around, case, regular expressions, errors.
    const rounds = text.match(/worker \d+ of/g).length;
    await field(page).fill('WORKER ');
    await until(async () => (await count(page)).endsWith(`of ${rounds}`), `${rounds} matches`);
    assert.equal(text.match(/worker /g).length, rounds);
    await page.getByRole('button', {name: 'Match case'}).click();
    await counted(page, 'no match');
    await field(page).fill('worker ');
    await until(async () => (await count(page)).endsWith(`of ${rounds}`), 'the matches');
    await page.getByRole('button', {name: 'Regular expression'}).click();
    await field(page).fill('^.*worker (1|2) of');
    await until(async () => (await count(page)).endsWith('of 2'), 'two');
    const start = await count(page);
    await field(page).press('Enter');
    await until(async () => await count(page) !== start, 'the next one');
    await field(page).press('Shift+Enter');
    await counted(page, start);
    await page.getByRole('button', {name: 'Next match'}).click();
    await page.getByRole('button', {name: 'Next match'}).click();
    await counted(page, start);
    assert.match(await current(page), /worker (1|2) of/);
    assert.ok((await seen(page)).some(l => /worker (1|2) of/.test(l)));
    await isFollowing(page, false);
    await field(page).fill('(');
    await page.locator('.log .count .bad').waitFor();
    await field(page).press('Escape');
    assert.equal(await field(page).inputValue(), '');
    await page.getByRole('button', {name: 'Regular expression'}).click();
    await logOf(page).focus();
    await page.keyboard.press('Control+f');
    assert.equal(await page.evaluate(() => document.activeElement.type), 'search');
    await field(page).fill('PLANNING');
    await counted(page, '1 of 1');
    await page.getByRole('button', {name: 'Times'}).click();
    assert.match(await logOf(page).locator('.at').first().innerText(), /^\d\d:\d\d:\d\d\.\d\d\d$/);
    await page.getByRole('button', {name: 'Wrap'}).click();
    await page.reload();
    await logOf(page).waitFor();
    assert.deepEqual([await page.getByRole('button', {name: 'Wrap'}).getAttribute('aria-pressed'),
        await page.getByRole('button', {name: 'Times'}).getAttribute('aria-pressed')], ['false', 'true']);
    await page.getByRole('button', {name: 'Wrap'}).click();

    // Each attempt has its own log, selected in the address.
    await place.task('retry', 'talk');
    await stateIs(place, 'talk', 'RUNNING');
    await page.getByLabel('Attempt', {exact: true}).waitFor();
    assert.deepEqual((await page.getByLabel('Attempt', {exact: true}).innerText()).trim().split('\n').map(l => l.trim()), ['2: running', '1: cancelled']);
    await page.getByLabel('Attempt', {exact: true}).selectOption('1');
    await until(() => page.url().includes('attempt=1'), 'the attempt in the address');
    await page.getByText(`${total.toLocaleString('en-GB')} lines`, {exact: true}).waitFor();
    await shots(page, 'tasks-log');
    await axe(page);
    await place.task('cancel', 'talk');
    await stateIs(place, 'talk', 'CANCELLED');
    program.child.kill('SIGTERM');
    await program.exit;
});

test('terminal output is displayed safely and a million lines cause no long task', async t => {
    const COUNT = 1_000_000, PER_PIECE = 2500;
    const {page, place, server} = await openWindow(t, {before: async p => {
        await p.add({a: [], b: []});
        await p.orchestrate('--until-idle');
        atStore(p, db => {
            db.exec('DELETE FROM log');
            const put = db.prepare('INSERT INTO log (task, number, seq, at, text) VALUES (?, 1, ?, ?, ?)');
            put.run(1, 1, 1000, 'plain\n\u001b[31;1mred\u001b[0m <img src=x onerror=alert(1)>\n\u001b]0;title\u0007bell\u0007 \u202eturned\nhalf of a cod');
            put.run(1, 2, 1000, 'e: \u001b[3');
            put.run(1, 3, 1000, '2mgreen\u001b[m\r\nover\rwritten\n\u001b[2Jcleared\n');
            for (let i = 0; i < COUNT; i += PER_PIECE)
                put.run(2, i / PER_PIECE + 1, 1000, Array.from({length: PER_PIECE},
                    (_, k) => (i + k + 1) % 300_000 ? `${i + k + 1} lines, one more` : `${i + k + 1} needle`).join('\n') + '\n');
        });
    }, hash: '#/tasks?task=1&attempt=1'});
    await logOf(page).getByText('plain').waitFor();
    const told = (await linesIn(page)).map(l => l.replaceAll('\u00a0', ' '));
    assert.deepEqual(told, ['plain', 'red <img src=x onerror=alert(1)>', 'bell\u2407 ⟨U+202E⟩turned', 'half of a code: green', 'over', 'written', 'cleared']);
    assert.match(await logOf(page).getByText('red', {exact: true}).getAttribute('class'), /c2.* b/);
    assert.match(await logOf(page).getByText('green', {exact: true}).getAttribute('class'), /c3/);
    assert.equal(await logOf(page).locator('img').count(), 0);
    await axe(page, {within: '.log'});

    const tasks = await watchTasks(t, page);
    await page.goto(`${server.origin}/#/tasks?task=2&attempt=1`);
    const began = performance.now();
    await page.getByText('1,000,000 lines', {exact: true}).waitFor({timeout: 6 * LIMIT_MS});
    t.diagnostic(`read in ${Math.round(performance.now() - began)} ms`);
    assert.equal((await seen(page)).at(-1), '1000000 lines, one more');
    assert.ok(await logOf(page).locator('.line').count() < 200);
    await field(page).fill('needle');
    await until(async () => (await count(page)).endsWith('of 1') || (await count(page)).endsWith('of 2'), 'the needles');
    await page.getByRole('button', {name: 'Previous match'}).click();
    await until(async () => (await seen(page)).some(l => /00000 needle/.test(l)), 'a visible match');
    await logOf(page).focus();
    await page.keyboard.press('Home');
    await isFollowing(page, false);
    await page.keyboard.press('End');
    await until(async () => (await seen(page)).at(-1) === '1000000 lines, one more', 'the end');
    await tasks.areShort('a million lines');
    await page.setViewportSize(NARROW);
    await page.getByRole('button', {name: '‹ Task'}).click();
    await tabOf(page, 'Log').waitFor();
});
