// The shell of the page: the bar, links, keys, themes, narrow screens, a connection that is lost, the token.
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

/** What the browser says of requests that find nobody. */
const refused = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;

describe('windows', () => {
    test('each opens by its link, takes the focus, and names the tab', async t => {
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

    test('links lead to a place in a window, and unknown ones to the first window', async t => {
        const {server, page} = await openConsole(t, {hash: '#/tooling?view=json'});
        await heading(page, 'Tooling').waitFor({state: 'attached'});
        await page.goto(`${server.origin}/#/nowhere/at/all?x=%E0%A4%A`);
        await heading(page, 'Editor').waitFor({state: 'attached'});
        await page.goto(`${server.origin}/#/activity?id=req-of-another-day`);
        await page.getByRole('heading', {name: 'Not here any more'}).waitFor();
    });

    test('one that fails says so in its place, and the bar goes on', async t => {
        const server = await startServer(t);
        const page = await openPage(t, server, {hash: '#/tasks'});
        page.allow(/a window failed/);
        await connected(page);
        await page.route('**/assets/Activity-*.js', route => route.fulfill({contentType: 'text/javascript',
            body: 'export default () => { throw new Error("<b>broken</b>"); };'}));
        await page.reload();
        await windows(page).getByRole('link', {name: 'Activity'}).click();
        await heading(page, 'This window has failed').waitFor();
        await page.getByText('<b>broken</b>').first().waitFor();
        await axe(page);
        await windows(page).getByRole('link', {name: 'Tooling'}).click();
        await heading(page, 'Tooling').waitFor({state: 'attached'});
    });

    test('one that cannot be fetched says so', async t => {
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
    test('says what the editor does, and opens the window of each of its parts', async t => {
        const {server, page} = await openConsole(t, {editor: 'fake', hash: '#/tooling'});
        const editor = bar(page).getByRole('link', {name: /^Editor:/});
        await editor.filter({hasText: 'Unity ready'}).waitFor();
        await server.editor.command('status', {scene_dirty: true});
        await bar(page).getByRole('link', {name: /not saved/}).waitFor();
        await page.waitForFunction(() => document.title.startsWith('* '));
        await server.editor.command('status', {is_playing: true});
        await editor.filter({hasText: 'Unity playing'}).waitFor();
        await server.editor.command('status', {is_playing: false, state: 'compiling'});
        await editor.filter({hasText: 'compiling'}).waitFor();
        await server.editor.command('status', {state: 'ready'});
        await editor.click();
        await opened(page, 'editor');
        await server.editor.command('down');
        await editor.filter({hasText: 'no editor'}).waitFor();
        await server.editor.command('up');
        await editor.filter({hasText: 'Unity ready'}).waitFor();
    });

    test('counts what waits, and shows how far a job is', async t => {
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

    test('switches the profile, shows force mode and the next end of a rest', async t => {
        const standin = await startStandin(t);
        const [a, c] = ['a', 'c'].map(name => standin.account(name));
        a.answers({fault: 'billing'});
        c.answers(meta());
        const tooling = config([chat(a), chat(c)]);
        tooling.profiles.push({...structuredClone(tooling.profiles[0]), id: 'other', name: 'The <other> one'});
        const user = newUser(t, {env: keys(a, c), tooling});
        await user.complete(task());
        const {page} = await openConsole(t, {user, hash: '#/activity'});

        const rest = bar(page).getByRole('link', {name: /^Next end of a rest: openai-chat\|KEY_A/});
        await rest.waitFor();
        const countdown = async () => (await rest.innerText()).match(/[\d:]+:\d\d/)[0].split(':').reduce((m, s) => m * 60 + Number(s), 0);
        const first = await countdown();
        assert.ok(first > 3000 && first <= 3600, `${first} s`);
        await until(async () => await countdown() < first, 'a countdown that counts down');

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
        await rest.waitFor({state: 'detached'});
    });

    test('is whole at 420 pixels: everything is in sight, large enough, and works', async t => {
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
    test('Alt with a number, and g with a letter, open windows', async t => {
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

    test('none while somebody types; the list of them, which turns letters off', async t => {
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
        const dialog = page.getByRole('dialog', {name: 'Keys'});
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
        assert.equal(await page.getByRole('dialog').count(), 0, 'it is remembered');
        await bar(page).getByRole('button', {name: 'Keys'}).click();
        await page.getByRole('checkbox', {name: /letters/}).check();
        await page.getByRole('button', {name: 'Close'}).click();
        assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Keys', 'focus is where it was');
    });

    test('Tab leads over the skip link to the window, and through the whole bar', async t => {
        const {page} = await openConsole(t, {hash: '#/activity'});
        await page.keyboard.press('Tab');
        const skip = page.getByRole('link', {name: 'Skip to the window'});
        assert.ok(await skip.evaluate(e => e === document.activeElement));
        assert.ok((await skip.boundingBox()).y >= 0, 'it is seen when it has the focus');
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
        for (const name of [...WINDOWS, 'Queue', 'Profile', 'Connection', 'Theme', 'Keys'])
            assert.ok(seen.has(name), `${name} in ${[...seen].join(', ')}`);
    });

    test('menus as one is used to: arrows, letters, Escape', async t => {
        const {page} = await openConsole(t, {hash: '#/activity'});
        const button = bar(page).getByRole('button', {name: 'Theme: auto'});
        await button.focus();
        await page.keyboard.press('Enter');
        const at = () => page.evaluate(() => document.activeElement?.textContent?.trim());
        await until(async () => await at() === 'As the system', 'the chosen one has the focus');
        await page.keyboard.press('ArrowDown');
        assert.equal(await at(), 'Dark');
        await page.keyboard.press('End');
        assert.equal(await at(), 'Light');
        await page.keyboard.press('ArrowDown');
        assert.equal(await at(), 'As the system');
        await page.keyboard.press('d');
        assert.equal(await at(), 'Dark');
        await page.keyboard.press('Escape');
        await page.getByRole('menu').waitFor({state: 'hidden'});
        assert.ok(await button.evaluate(e => e === document.activeElement));
    });
});

test('themes: the system\'s, dark, light; kept, and there before the page is drawn', async t => {
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
    // Nothing of the page's own script has run yet, and the theme is there.
    await page.route('**/assets/*.js', route => route.abort());
    page.allow(/Failed to load resource|ERR_FAILED/);
    await page.reload();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
    await page.unroute('**/assets/*.js');
    await page.reload();
    await connected(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
    await choose('As the system');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined);
});

describe('the connection', () => {
    test('a server that is killed is missed at once, and found again when it is back', async t => {
        const {server, page} = await openConsole(t, {hash: '#/activity'});
        page.allow(refused);
        await server.call('list_scenes');
        const row = entries(page).filter({hasText: 'list_scenes'});
        await row.waitFor();
        await server.kill();
        await banner(page).waitFor();
        await row.waitFor(); // what was known stays in sight
        await bar(page).getByRole('button', {name: 'Connection: Lost'}).waitFor();
        await page.waitForFunction(() => document.title.startsWith('offline'));
        await shots(page, 'shell-lost');
        await axe(page);
        await server.restart();
        await connected(page);
        await banner(page).waitFor({state: 'detached'});
        await row.waitFor({state: 'detached'}); // another run knows nothing of it
        await server.call('get_scene_hierarchy');
        await entries(page).filter({hasText: 'get_scene_hierarchy'}).waitFor();
        assert.equal(await page.getByText('The server was replaced').count(), 0, 'it is the same page');
    });

    test('"Try now" tries now', async t => {
        const server = await startServer(t);
        const page = await openPage(t, server, {hash: '#/activity', prepare: p => p.clock.install()});
        page.allow(refused);
        await connected(page);
        await stopClock(page); // it would not try again by itself
        await server.kill();
        await banner(page).waitFor();
        await server.restart();
        await page.getByRole('button', {name: 'Try now'}).click();
        await connected(page);
    });

    test('a server with another page offers a reload', async t => {
        const {server, page} = await openConsole(t, {hash: '#/activity'});
        page.allow(refused);
        await server.kill();
        await banner(page).waitFor();
        await page.route(`${server.origin}/`, async route => route.fulfill({contentType: 'text/html',
            body: '<!doctype html><script type="module" src="./assets/index-of-another.js"></script>'}));
        await server.restart();
        await page.getByText('The server was replaced').waitFor();
        await axe(page);
        await page.unroute(`${server.origin}/`);
        await page.getByRole('button', {name: 'Reload'}).click();
        await page.getByText('The server was replaced').waitFor({state: 'detached'});
        await connected(page);
    });
});

describe('the token', () => {
    test('in the fragment: taken, never sent, not left in the address, kept for this tab', async t => {
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
        await heading(other, 'A token is needed').waitFor();
    });

    test('without it the page asks for it; a wrong one is said to be wrong', async t => {
        const server = await startServer(t, {token: TOKEN});
        const page = await openPage(t, server, {hash: '#/tooling'});
        page.allow(/401/);
        await heading(page, 'A token is needed').waitFor();
        await shots(page, 'shell-token');
        await axe(page);
        const field = page.getByLabel('Token', {exact: true});
        for (const wrong of ['wrong', 'ключ', 'two words']) {
            await field.fill(wrong);
            await page.keyboard.press('Enter');
            await page.getByRole('alert').getByText(/not accepted|ASCII/).waitFor();
        }
        await field.fill(` ${TOKEN} `);
        await page.keyboard.press('Enter');
        await heading(page, 'Tooling').waitFor({state: 'attached'});
        await connected(page);
    });

    test('a link with a token that is opened in the same tab replaces a wrong one', async t => {
        const server = await startServer(t, {token: TOKEN});
        const page = await openPage(t, server, {hash: '#token=wrong&/tooling'});
        page.allow(/401/);
        await heading(page, 'A token is needed').waitFor();
        await page.evaluate(token => { location.hash = `#token=${token}&/activity`; }, TOKEN);
        await connected(page);
        await heading(page, 'Activity').waitFor({state: 'attached'});
        assert.equal(new URL(page.url()).hash, '#/activity');
    });
});

test('every window, dark and light, wide and narrow: screenshots, and axe has nothing to say', async t => {
    const {page} = await openConsole(t, {size: LARGE});
    for (const name of WINDOWS) {
        await windows(page).getByRole('link', {name}).click();
        await heading(page, name).waitFor({state: 'attached'});
        await shots(page, `shell-${name.toLowerCase()}`);
        await axe(page);
    }
});

test('what axe has passed once it finds when it is wrong: a colour in either theme, a field without a name', async t => {
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
