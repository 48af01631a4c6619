// The page in many tabs of one browser, which opens at most six connections to a server; a stream occupies one.
import {test} from 'node:test';

import {connected, LIMIT_MS, openPage, startServer} from '../fixtures/console.mjs';
import {scenePath} from '../fixtures/unity.mjs';

/** Simulate that a tab is shown or hidden. */
const setVisible = (page, is) => page.evaluate(visible => {
    Object.defineProperty(document, 'hidden', {value: !visible, configurable: true});
    document.dispatchEvent(new Event('visibilitychange'));
}, is);

test('the visible one of eight tabs works', {timeout: 8 * LIMIT_MS}, async t => {
    const server = await startServer(t, {scene: 'GameScene'});
    const first = await openPage(t, server, {hash: '#/editor'});
    const tabs = [first];
    const works = async page => {
        await connected(page);
        await page.getByRole('treeitem', {name: /^Player/}).first().click();
        await page.getByRole('heading', {name: /Player/}).first().waitFor();
    };
    await works(first);
    while (tabs.length < 8) {
        await setVisible(tabs.at(-1), false);
        const page = await first.context().newPage();
        await page.goto(`${server.origin}/#/editor`);
        tabs.push(page);
        await works(page);
    }
    // A tab that becomes visible again receives the changes since.
    await setVisible(tabs.at(-1), false);
    await server.call('open_scene', {path: scenePath('WorkshopScene')});
    await setVisible(first, true);
    await connected(first);
    await first.getByRole('treeitem', {name: /^Ghost missing script/}).waitFor();
});
