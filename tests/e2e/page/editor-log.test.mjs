// The console of the editor, and test runs.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {axe, LARGE, NARROW, openConsole, shots, until, watchTasks} from '../fixtures/console.mjs';
import {box, component, fill, openEditor} from '../fixtures/editor_page.mjs';
import {openLogEditor} from '../fixtures/log_editor.mjs';

const NASTY = '<img src=x onerror="document.title=1">\u202e\u0007 & </script>';
const drawer = page => page.getByRole('region', {name: 'Console', exact: true});
const open = async page => {
    await page.getByRole('button', {name: /^Console/}).click();
    await drawer(page).waitFor();
};
const lines = page => drawer(page).getByRole('listbox', {name: 'Console lines'});
const rows = page => lines(page).getByRole('option');
const texts = page => rows(page).locator('.grow').allTextContents();
const has = (page, want) => until(async () => JSON.stringify(await texts(page)) === JSON.stringify(want), `lines: ${want.join(' | ')}`);
const filter = page => drawer(page).getByRole('searchbox');
const chip = (page, name) => drawer(page).getByRole('button', {name});

/** Open a page with an editor that has these console entries. */
async function openLog(t, ...entries) {
    const {server, page} = await openConsole(t, {hash: '#/editor', editor: null, args: ['--no-headless']});
    const editor = await openLogEditor(t, server);
    editor.log(...entries);
    await open(page);
    return {server, page, editor};
}

describe('the console', () => {
    test('shows lines by type with details and displays hostile text safely', async t => {
        const {page, editor} = await openLog(t, {type: 'log', message: 'first'}, {type: 'warning', message: 'careful\nsecond line'},
            {type: 'error', message: NASTY, stack_trace: 'Foo.Bar () (at Assets/<b>.cs:3)\nBaz ()', file: 'Assets/<b>.cs', line: 3},
            {type: 'exception', message: 'NullReferenceException'});
        await has(page, ['first', 'careful …', '<img src=x onerror="document.title=1">⟨U+202E⟩␇ & </script>', 'NullReferenceException']);
        assert.equal(await page.locator('img').count(), 0);
        for (const name of [/^Logs 1$/, /^Warnings 1$/, /^Errors 1$/, /^Exceptions 1$/])
            await chip(page, name).waitFor();
        assert.equal(await chip(page, /^Asserts/).count(), 0, 'a type without lines');

        await rows(page).nth(2).click();
        const details = drawer(page).getByRole('region', {name: 'Details of the line'});
        await details.getByText('Assets/<b>.cs:3', {exact: true}).waitFor();
        await details.getByText('Baz ()').waitFor();
        await shots(page, 'editor-console');
        await axe(page);
        await page.setViewportSize(NARROW);
        await page.getByRole('tab', {name: /^Console 2 errors/}).click();
        await details.getByText('Baz ()').waitFor(); // the selection survives a change of the layout
        await shots(page, 'editor-console-pane');
        await axe(page);
        await page.setViewportSize(LARGE);
        await page.getByRole('tablist').waitFor({state: 'detached'});
        await lines(page).focus();
        await page.keyboard.press('ArrowUp');
        await details.getByText('careful').waitFor();
        assert.equal(await details.locator('p').first().textContent(), 'careful\nsecond line');
        await page.keyboard.press('End');
        await details.getByText('NullReferenceException').waitFor();
        await page.keyboard.press('Escape');
        await details.waitFor({state: 'detached'});

        await chip(page, /^Errors/).click();
        await chip(page, /^Exceptions/).click();
        await has(page, ['first', 'careful …']);
        assert.equal(await chip(page, /^Errors/).getAttribute('aria-pressed'), 'false');
        await chip(page, /^Logs/).click();
        await chip(page, /^Warnings/).click();
        await drawer(page).getByText('All lines are hidden by the type filter.').waitFor();
        for (const name of [/^Errors/, /^Exceptions/, /^Logs/, /^Warnings/])
            await chip(page, name).click();
        assert.equal((await texts(page)).length, 4);

        editor.log({type: 'log', message: 'again'}, {type: 'log', message: 'again'}, {type: 'log', message: 'again'});
        await until(async () => (await rows(page).count()) === 5, 'one line for three');
        await rows(page).last().getByText('3', {exact: true}).waitFor();
        await chip(page, 'Collapse').click();
        await until(async () => (await rows(page).count()) === 7, 'separate lines');
    });

    test('filters by the pattern of the tool, also new lines', async t => {
        const {page, editor} = await openLog(t, ...['Alpha 1', 'beta 2', 'alpha 22', 'a.b'].map(message => ({type: 'log', message})));
        await has(page, ['Alpha 1', 'beta 2', 'alpha 22', 'a.b']);
        await filter(page).fill('^alpha \\d$');
        await has(page, ['Alpha 1']);
        await chip(page, /^Logs 1$/).waitFor();
        await filter(page).fill('alpha');
        await has(page, ['Alpha 1', 'alpha 22']);
        editor.log({type: 'log', message: 'ALPHA 3'}, {type: 'error', message: 'gamma'});
        await has(page, ['Alpha 1', 'alpha 22', 'ALPHA 3']);
        await filter(page).fill('no such');
        await drawer(page).getByText('No line matches the filter.').waitFor();
        await filter(page).fill('(unclosed');
        await drawer(page).getByRole('alert').getByText(/message_pattern/).waitFor();
        assert.equal(await filter(page).getAttribute('aria-invalid'), 'true');
        await shots(page, 'editor-console-pattern');
        await axe(page);
        await filter(page).press('Escape');
        await has(page, ['Alpha 1', 'beta 2', 'alpha 22', 'a.b', 'ALPHA 3', 'gamma']);
        assert.equal(await drawer(page).getByRole('alert').count(), 0);

        await chip(page, 'Clear').click();
        await drawer(page).getByText('No new lines since the console was cleared.').waitFor();
        editor.log({type: 'log', message: 'after'});
        await has(page, ['after']);
        await filter(page).fill('a');
        await has(page, ['after']); // cleared lines stay hidden
        await filter(page).fill('');
        await chip(page, 'Show earlier').click();
        await until(async () => (await texts(page)).length === 7, 'all lines');
        await drawer(page).getByRole('button', {name: 'Close the console'}).click();
        await page.getByRole('button', {name: /^Console 1 errors 0 warnings 6 logs after/}).waitFor();
    });

    test('follows or pauses with thousands of lines without a long task', async t => {
        const many = (from, count) => Array.from({length: count}, (_, i) => ({type: i % 10 ? 'log' : 'warning', message: `line ${from + i}`}));
        const {page, editor} = await openLog(t, ...many(0, 4000));
        await rows(page).filter({hasText: 'line 3999'}).waitFor();
        await chip(page, /^Logs 3,600$/).waitFor();
        assert.ok(await rows(page).count() < 60, 'only visible rows are rendered');
        const tasks = await watchTasks(t, page);
        await lines(page).evaluate(e => { e.scrollTop = 26 * 1000; });
        await until(async () => (await chip(page, 'Follow').getAttribute('aria-pressed')) === 'false', 'a paused list');
        await rows(page).getByText('line 1000', {exact: true}).waitFor();
        for (let i = 0; i < 10; i++) {
            editor.log(...many(4000 + i * 100, 100));
            await chip(page, `Logs ${(3600 + 90 * (i + 1)).toLocaleString('en')}`).waitFor();
        }
        await rows(page).getByText('line 1000', {exact: true}).waitFor(); // the position is kept
        await chip(page, 'Follow').click();
        await rows(page).filter({hasText: 'line 4999'}).waitFor();
        editor.log({type: 'log', message: 'the newest'});
        await rows(page).filter({hasText: 'the newest'}).waitFor(); // visible, because it follows
        await lines(page).focus();
        await page.keyboard.press('Home');
        await tasks.areShort('thousands of lines');
    });

    test('shows an edit as a line at once', async t => {
        const {page, server} = await openEditor(t, {scene: 'GameScene', object: '/Player', component: 1});
        await page.getByRole('button', {name: /^Console 0 errors 0 warnings 0 logs/}).waitFor();
        await fill(box(component(page, 'Rigidbody'), 'Mass'), '3');
        const bar = page.getByRole('button', {name: /^Console 0 errors 0 warnings 1 logs/});
        await bar.waitFor();
        await bar.click();
        const [entry] = (await server.call('read_console')).entries;
        await has(page, [entry.message]);
        await server.call('open_scene', {path: 'Assets/Scenes/WorkshopScene.unity'});
        await rows(page).filter({hasText: 'The script of component 1 on /Ghost is missing'}).waitFor();
        await filter(page).fill('[');
        await drawer(page).getByRole('alert').waitFor(); // the error of PCRE2
        await page.reload();
        await drawer(page).waitFor(); // the drawer stays open
    });
});

describe('project tests', () => {
    test('run with a filter and show progress and failures', async t => {
        const {server, page} = await openConsole(t, {hash: '#/editor', editor: 'fake'});
        const button = page.getByRole('button', {name: /^Tests/});
        await button.click();
        const dialog = page.getByRole('dialog', {name: 'Tests'});
        await shots(page, 'editor-tests');
        await axe(page);
        await dialog.getByLabel('Filter').fill('fake:steps=40,step=100,failed=2');
        await dialog.getByRole('button', {name: 'Run tests'}).click();
        await dialog.getByRole('status').getByText(/^[1-9]\d* of 40 tests/).waitFor();
        await dialog.getByRole('progressbar').waitFor();
        await dialog.getByRole('button', {name: 'Close', exact: true}).last().click();
        await page.getByRole('button', {name: /^Tests \d+\/40/}).waitFor(); // it continues and shows its progress
        await page.getByRole('button', {name: /^Tests/}).click();
        await dialog.getByText('2 failed').waitFor();
        const {job} = await server.call('get_editor_state');
        assert.equal(job, null);
        await dialog.locator('details summary').first().click();
        await shots(page, 'editor-tests-failed');
        await axe(page);
    });

    test('can be cancelled, and errors are shown', async t => {
        const {server, page} = await openConsole(t, {hash: '#/editor', editor: 'fake'});
        await page.getByRole('button', {name: 'Tests'}).click();
        const dialog = page.getByRole('dialog', {name: 'Tests'});
        await dialog.getByLabel('Filter').fill('fake:steps=100000,step=50');
        await dialog.getByLabel('Filter').press('Enter');
        await dialog.getByRole('button', {name: 'Cancel run'}).click();
        await dialog.getByText('The test run was cancelled.').waitFor();
        await until(async () => (await server.call('get_editor_state')).job === null, 'no job');
        for (const [filter, text] of [['fake:reject', /ERR_/], ['fake:fail', 'The test run failed.']]) {
            await dialog.getByLabel('Filter').fill(filter);
            await dialog.getByRole('button', {name: 'Run tests'}).click();
            await dialog.getByText(text).first().waitFor();
        }
        await axe(page);
    });
});
