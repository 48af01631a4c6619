// The shell of the page: bar, links, keyboard, themes, narrow screens, lost connections, the token.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {describe, test} from 'node:test';

import {axe, connected, LARGE, NARROW, newUser, neverWider, openConsole, openPage, shots, startServer, stopClock, TOKEN, until} from '../fixtures/console.mjs';
import {chat, config, keys, mock, task} from '../fixtures/tooling.mjs';
import {startStandin} from '../../standin/standin.mjs';
import {meta} from '../../standin/meta.mjs';

const WINDOWS = ['Editor', 'Activity', 'Tasks', 'Tooling'];
const windows = page => page.getByRole('navigation', {name: 'Windows'});
const heading = (page, name) => page.locator('main h1').filter({hasText: name});
const bar = page => page.getByRole('contentinfo');
const entries = page => page.getByRole('listbox', {name: 'Requests and jobs'}).getByRole('option');
const opened = (page, name) => page.waitForURL(new RegExp(`#/${name}`));
const focusIsHeading = page => until(() => page.evaluate(() => document.activeElement?.tagName === 'H1'), 'the focus on the heading');
const banner = page => page.getByRole('alert').getByText('Connection lost');

/** Browser errors of requests while the server is down. */
const refused = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;

describe('windows', () => {
    test('each opens by its link, gets the focus and sets the title', async t => {
        const {page} = await openConsole(t);
        for (const name of ['Activity', 'Tasks', 'Tooling', 'Editor']) {
            await windows(page).getByRole('link', {name}).click();
            await heading(page, name).waitFor({state: 'attached'});
            await focusIsHeading(page);
            assert.equal(new URL(page.url()).hash.split('?')[0], `#/${name.toLowerCase()}`);
            assert.equal(await windows(page).locator('[aria-current="page"]').innerText(), name);
            await page.waitForFunction(n => document.title.includes(n) && document.title.includes('sample-project'), name);
        }
        await page.goBack();
        await heading(page, 'Tooling').waitFor({state: 'attached'});
    });

    test('links open a view, and unknown ones the first window', async t => {
        const {server, page} = await openConsole(t, {hash: '#/tooling?view=json'});
        await heading(page, 'Tooling').waitFor({state: 'attached'});
        await page.goto(`${server.origin}/#/nowhere/at/all?x=%E0%A4%A`);
        await heading(page, 'Editor').waitFor({state: 'attached'});
        await page.goto(`${server.origin}/#/activity?id=req-of-another-day`);
        await page.getByRole('heading', {name: 'Not found'}).waitFor();
    });

    test('a crashed window shows its error and the bar keeps working', async t => {
        const server = await startServer(t);
        const page = await openPage(t, server, {hash: '#/tasks'});
        page.allow(/window crashed/);
        await connected(page);
        await page.route('**/assets/Activity-*.js', route => route.fulfill({contentType: 'text/javascript',
            body: 'export default () => { throw new Error("<b>broken</b>"); };'}));
        await page.reload();
        await windows(page).getByRole('link', {name: 'Activity'}).click();
        await heading(page, 'This window crashed').waitFor();
        await page.getByText('<b>broken</b>').first().waitFor();
        await axe(page);
        await windows(page).getByRole('link', {name: 'Tooling'}).click();
        await heading(page, 'Tooling').waitFor({state: 'attached'});
    });

    test('a window that cannot be loaded shows an error', async t => {
        const server = await startServer(t);
        const page = await openPage(t, server, {hash: '#/tasks'});
        page.allow(/Failed to load resource|ERR_FAILED/);
        await page.route('**/assets/Activity-*.js', route => route.abort());
        await page.goto(`${server.origin}/#/activity`);
        await page.reload();
        await heading(page, 'could not be loaded').waitFor();
    });
});

describe('the bar', () => {
    test('shows the state of the editor and links to its window', async t => {
        const {server, page} = await openConsole(t, {editor: 'fake', hash: '#/tooling'});
        const editor = bar(page).getByRole('link', {name: /^Editor:/});
        await editor.filter({hasText: 'Unity ready'}).waitFor();
        await server.editor.command('status', {scene_dirty: true});
        await bar(page).getByRole('link', {name: /unsaved/}).waitFor();
        await page.waitForFunction(() => document.title.startsWith('* '));
        await server.editor.command('status', {is_playing: true});
        await editor.filter({hasText: 'Unity playing'}).waitFor();
        await server.editor.command('status', {is_playing: false, state: 'compiling'});
        await editor.filter({hasText: 'compiling'}).waitFor();
        await server.editor.command('status', {state: 'ready'});
        await editor.click();
        await opened(page, 'editor');
        await server.editor.command('down');
        await editor.filter({hasText: 'not connected'}).waitFor();
        await server.editor.command('up');
        await editor.filter({hasText: 'Unity ready'}).waitFor();
    });

    test('counts waiting calls and shows the progress of a job', async t => {
        const {server, page} = await openConsole(t, {editor: 'fake', hash: '#/tooling'});
        const queue = bar(page).getByRole('link', {name: /^Queue:/});
        await queue.filter({hasText: '0 waiting'}).waitFor();
        await server.editor.hold();
        const calls = [1, 2, 3].map(() => server.call('read_console'));
        await queue.filter({hasText: '2 waiting'}).waitFor();
        await queue.click();
        await opened(page, 'activity');
        assert.equal(await page.getByRole('combobox', {name: 'State'}).inputValue(), 'open');
        await server.editor.release();
        await Promise.all(calls);
        await queue.filter({hasText: '0 waiting'}).waitFor();

        const {job_id} = await server.call('run_tests', {filter: 'fake:steps=4000,step=20', client_request_id: 'a'});
        const job = bar(page).getByRole('link', {name: /^Running:/});
        await job.filter({hasText: '%'}).waitFor();
        const value = () => job.locator('progress').evaluate(p => p.value);
        const before = await value();
        await until(async () => await value() > before, 'progress');
        await shots(page, 'shell-bar-job');
        await axe(page);
        await job.click();
        await opened(page, `activity\\?id=${job_id}`);
        await server.call('cancel_job', {job_id});
        await job.waitFor({state: 'detached'});
    });

    test('switches the profile and shows force mode and the next cooldown to end', async t => {
        const standin = await startStandin(t);
        const [a, c] = ['a', 'c'].map(name => standin.account(name));
        a.answers({fault: 'billing'});
        c.answers(meta());
        const tooling = config([chat(a), chat(c)]);
        tooling.profiles.push({...structuredClone(tooling.profiles[0]), id: 'other', name: 'The <other> one'});
        const user = newUser(t, {env: keys(a, c), tooling});
        await user.complete(task());
        const {page} = await openConsole(t, {user, hash: '#/activity'});

        const cooldown = bar(page).getByRole('link', {name: /^Next cooldown to end: openai-chat\|KEY_A/});
        await cooldown.waitFor();
        const countdown = async () => (await cooldown.innerText()).match(/[\d:]+:\d\d/)[0].split(':').reduce((m, s) => m * 60 + Number(s), 0);
        const first = await countdown();
        assert.ok(first > 3000 && first <= 3600, `${first} s`);
        await until(async () => await countdown() < first, 'the countdown to decrease');

        await bar(page).getByRole('button', {name: 'Profile: Own'}).click();
        await page.getByRole('menuitemradio', {name: 'Own', checked: true}).waitFor();
        await shots(page, 'shell-bar-menu');
        await axe(page);
        await page.getByRole('menuitemradio', {name: 'The <other> one'}).click();
        await bar(page).getByRole('button', {name: 'Profile: The <other> one'}).waitFor();
        assert.equal(JSON.parse(readFileSync(user.file, 'utf8')).activeProfile, 'other');

        assert.equal(await bar(page).getByRole('link', {name: /Force/}).count(), 0);
        user.configure({...tooling, force: {enabled: true, tool: 'openai-chat', model: 'model-c'}});
        const force = bar(page).getByRole('link', {name: 'Force mode: openai-chat model-c'});
        await force.waitFor();
        await shots(page, 'shell-bar-full');
        await axe(page);
        await force.click();
        await opened(page, 'tooling');

        await user.tooling('cooldowns', 'clear');
        await cooldown.waitFor({state: 'detached'});
    });

    test('works at 420 pixels: every control is visible and large enough', async t => {
        const tooling = {...config([mock('m')]), force: {enabled: true, tool: 'mock', model: 'm'}};
        tooling.profiles[0].name = 'A profile with quite a long name that does not fit anywhere';
        const {server, page} = await openConsole(t, {size: NARROW, tooling, editor: 'fake', hash: '#/activity'});
        await server.editor.hold();
        const calls = [1, 2].map(() => server.call('read_console'));
        await bar(page).getByRole('link', {name: /Force/}).waitFor();
        await bar(page).getByRole('link', {name: /Queue: 1 waiting/}).waitFor();
        for (const control of await bar(page).locator('a, button:not([role])').all()) {
            const box = await control.boundingBox();
            const name = await control.evaluate(e => e.getAttribute('aria-label') ?? e.textContent);
            assert.ok(box && box.width >= 24 && box.height >= 24, `${name}: ${JSON.stringify(box)}`);
            assert.ok(box.x >= 0 && box.x + box.width <= NARROW.width && box.y + box.height <= NARROW.height, `${name}: ${JSON.stringify(box)}`);
        }
        for (const name of WINDOWS) {
            await windows(page).getByRole('link', {name}).click();
            await heading(page, name).waitFor({state: 'attached'});
            await neverWider(page, name);
        }
        await bar(page).getByRole('button', {name: /^Profile: A profile/}).click();
        const menu = await page.getByRole('menu').boundingBox();
        assert.ok(menu.x >= 0 && menu.x + menu.width <= NARROW.width, JSON.stringify(menu));
        await page.keyboard.press('Escape');
        await server.editor.release();
        await Promise.all(calls);
    });
});

describe('keys', () => {
    test('Alt with a digit and g with a letter open windows', async t => {
        const {page} = await openConsole(t, {hash: '#/editor'});
        for (const [combination, name] of [['Alt+2', 'Activity'], ['Alt+4', 'Tooling'], ['Alt+3', 'Tasks'], ['Alt+1', 'Editor']]) {
            await page.keyboard.press(combination);
            await heading(page, name).waitFor({state: 'attached'});
        }
        for (const [letter, name] of [['a', 'Activity'], ['t', 'Tasks'], ['s', 'Tooling'], ['e', 'Editor']]) {
            await page.keyboard.press('g');
            await page.keyboard.press(letter);
            await heading(page, name).waitFor({state: 'attached'});
        }
    });

    test('are ignored while typing, and single letters can be turned off', async t => {
        const {page} = await openConsole(t, {hash: '#/activity'});
        const field = page.getByRole('searchbox', {name: 'Search'});
        await field.click();
        await page.keyboard.type('gt?ge');
        await page.keyboard.press('Alt+4');
        assert.equal(await field.inputValue(), 'gt?ge');
        assert.match(page.url(), /#\/activity/);
        assert.equal(await page.getByRole('dialog').count(), 0);
        await field.fill('');

        await heading(page, 'Activity').click();
        await page.keyboard.press('?');
        const dialog = page.getByRole('dialog', {name: 'Keyboard shortcuts'});
        await dialog.waitFor();
        await axe(page);
        await dialog.getByRole('checkbox').uncheck();
        await page.keyboard.press('Escape');
        await dialog.waitFor({state: 'detached'});
        await page.keyboard.press('g');
        await page.keyboard.press('t');
        await page.keyboard.press('?');
        await page.keyboard.press('Alt+2');
        assert.equal(await page.getByRole('dialog').count(), 0);
        assert.match(page.url(), /#\/activity/);
        await page.reload();
        await connected(page);
        await page.keyboard.press('?');
        assert.equal(await page.getByRole('dialog').count(), 0, 'the setting is saved');
        await bar(page).getByRole('button', {name: 'Keyboard shortcuts'}).click();
        await page.getByRole('checkbox', {name: /letter/}).check();
        await page.getByRole('button', {name: 'Close'}).click();
        assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Keyboard shortcuts', 'the focus is restored');
    });

    test('Tab reaches the skip link, the window and the whole bar', async t => {
        const {page} = await openConsole(t, {hash: '#/activity'});
        await page.keyboard.press('Tab');
        const skip = page.getByRole('link', {name: 'Skip to content'});
        assert.ok(await skip.evaluate(e => e === document.activeElement));
        assert.ok((await skip.boundingBox()).y >= 0, 'it is visible while it has the focus');
        await page.keyboard.press('Enter');
        assert.ok(await page.evaluate(() => document.activeElement?.id === 'main'));
        const seen = new Set();
        for (let i = 0; i < 60; i++) {
            await page.keyboard.press('Tab');
            const name = await page.evaluate(() => document.activeElement?.closest('footer') &&
                (document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent?.trim()));
            if (name)
                seen.add(name.split(':')[0]);
            else if (seen.size)
                break;
        }
        for (const name of [...WINDOWS, 'Queue', 'Profile', 'Connection', 'Theme', 'Keyboard shortcuts'])
            assert.ok(seen.has(name), `${name} in ${[...seen].join(', ')}`);
    });

    test('menus support arrows, letters and Escape', async t => {
        const {page} = await openConsole(t, {hash: '#/activity'});
        const button = bar(page).getByRole('button', {name: 'Theme: auto'});
        await button.focus();
        await page.keyboard.press('Enter');
        const at = () => page.evaluate(() => document.activeElement?.textContent?.trim());
        await until(async () => await at() === 'System', 'the focus on the current choice');
        await page.keyboard.press('ArrowDown');
        assert.equal(await at(), 'Dark');
        await page.keyboard.press('End');
        assert.equal(await at(), 'Light');
        await page.keyboard.press('ArrowDown');
        assert.equal(await at(), 'System');
        await page.keyboard.press('d');
        assert.equal(await at(), 'Dark');
        await page.keyboard.press('Escape');
        await page.getByRole('menu').waitFor({state: 'hidden'});
        assert.ok(await button.evaluate(e => e === document.activeElement));
    });
});

test('the theme is saved and applied before the first paint', async t => {
    const {page} = await openConsole(t, {hash: '#/activity', theme: 'light'});
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    await page.emulateMedia({colorScheme: 'dark'});
    const dark = await background();
    assert.notEqual(light, dark);
    const choose = async title => {
        await bar(page).getByRole('button', {name: /^Theme/}).click();
        await page.getByRole('menuitemradio', {name: title}).click();
    };
    await choose('Light');
    assert.equal(await background(), light);
    // The theme is applied although no other script of the page has run.
    await page.route('**/assets/*.js', route => route.abort());
    page.allow(/Failed to load resource|ERR_FAILED/);
    await page.reload();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
    await page.unroute('**/assets/*.js');
    await page.reload();
    await connected(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
    await choose('System');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined);
});

describe('the connection', () => {
    test('a killed server is noticed at once and reconnected after its restart', async t => {
        const {server, page} = await openConsole(t, {hash: '#/activity'});
        page.allow(refused);
        await server.call('list_scenes');
        const row = entries(page).filter({hasText: 'list_scenes'});
        await row.waitFor();
        await server.kill();
        await banner(page).waitFor();
        await row.waitFor(); // the last known state stays visible
        await bar(page).getByRole('button', {name: 'Connection: Lost'}).waitFor();
        await page.waitForFunction(() => document.title.startsWith('offline'));
        await shots(page, 'shell-lost');
        await axe(page);
        await server.restart();
        await connected(page);
        await banner(page).waitFor({state: 'detached'});
        await row.waitFor({state: 'detached'}); // the new process does not have the entry
        await server.call('get_scene_hierarchy');
        await entries(page).filter({hasText: 'get_scene_hierarchy'}).waitFor();
        assert.equal(await page.getByText('A new version of this page is available').count(), 0, 'the page is the same');
    });

    test('"Retry now" reconnects immediately', async t => {
        const server = await startServer(t);
        const page = await openPage(t, server, {hash: '#/activity', prepare: p => p.clock.install()});
        page.allow(refused);
        await connected(page);
        await stopClock(page); // prevents automatic retries
        await server.kill();
        await banner(page).waitFor();
        await server.restart();
        await page.getByRole('button', {name: 'Retry now'}).click();
        await connected(page);
    });

    test('a reload is offered when the server has another page', async t => {
        const {server, page} = await openConsole(t, {hash: '#/activity'});
        page.allow(refused);
        await server.kill();
        await banner(page).waitFor();
        await page.route(`${server.origin}/`, async route => route.fulfill({contentType: 'text/html',
            body: '<!doctype html><script type="module" src="./assets/index-of-another.js"></script>'}));
        await server.restart();
        await page.getByText('A new version of this page is available').waitFor();
        await axe(page);
        await page.unroute(`${server.origin}/`);
        await page.getByRole('button', {name: 'Reload'}).click();
        await page.getByText('A new version of this page is available').waitFor({state: 'detached'});
        await connected(page);
    });
});

describe('the token', () => {
    test('in the fragment is removed from the address, never sent, and kept for the tab', async t => {
        const {server, page} = await openConsole(t, {token: TOKEN, hash: '#/activity'});
        assert.equal(new URL(page.url()).hash, '#/activity');
        const urls = [];
        page.on('request', request => urls.push(request.url()));
        await page.reload();
        await connected(page);
        assert.ok(urls.length > 3 && urls.every(url => !url.includes(TOKEN)), urls.join('\n'));
        assert.equal(await page.evaluate(() => Object.keys(localStorage).length), 0);
        const other = await openPage(t, server, {hash: '#/activity'});
        other.allow(/401/);
        await heading(other, 'Token required').waitFor();
    });

    test('is requested if missing, and an invalid one is rejected', async t => {
        const server = await startServer(t, {token: TOKEN});
        const page = await openPage(t, server, {hash: '#/tooling'});
        page.allow(/401/);
        await heading(page, 'Token required').waitFor();
        await shots(page, 'shell-token');
        await axe(page);
        const field = page.getByLabel('Token', {exact: true});
        for (const invalid of ['wrong', 'ключ', 'two words']) {
            await field.fill(invalid);
            await page.keyboard.press('Enter');
            await page.getByRole('alert').getByText(/rejected|ASCII/).waitFor();
        }
        await field.fill(` ${TOKEN} `);
        await page.keyboard.press('Enter');
        await heading(page, 'Tooling').waitFor({state: 'attached'});
        await connected(page);
    });

    test('a link with a token replaces an invalid token in the same tab', async t => {
        const server = await startServer(t, {token: TOKEN});
        const page = await openPage(t, server, {hash: '#token=wrong&/tooling'});
        page.allow(/401/);
        await heading(page, 'Token required').waitFor();
        await page.evaluate(token => { location.hash = `#token=${token}&/activity`; }, TOKEN);
        await connected(page);
        await heading(page, 'Activity').waitFor({state: 'attached'});
        assert.equal(new URL(page.url()).hash, '#/activity');
    });
});

test('every window passes axe in both themes and fits wide and narrow screens', async t => {
    const {page} = await openConsole(t, {size: LARGE});
    for (const name of WINDOWS) {
        await windows(page).getByRole('link', {name}).click();
        await heading(page, name).waitFor({state: 'attached'});
        await shots(page, `shell-${name.toLowerCase()}`);
        await axe(page);
    }
});

test('axe reports a low contrast in either theme and an unlabelled field', async t => {
    const {page} = await openConsole(t, {hash: '#/activity'});
    const link = page.getByRole('navigation', {name: 'Windows'}).getByRole('link', {name: 'Tasks'});
    await axe(page);
    for (const [theme, colour] of [['dark', '#222'], ['light', '#eee']]) {
        await link.evaluate((e, to) => { e.style.color = to; }, colour);
        await assert.rejects(axe(page), error => error.message.includes(`${theme} color-contrast`));
    }
    await link.evaluate(e => { e.style.color = ''; });
    await page.evaluate(() => document.querySelector('main').append(document.createElement('input')));
    await assert.rejects(axe(page), /dark label:/);
});
