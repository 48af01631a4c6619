// The shell of the page: the bar, links, keys, themes, narrow screens, a connection that is lost.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {axe, openConsole, shots} from './console.mjs';

test('every window opens by its link, on wide and narrow screens, in both themes', async t => {
    const {page} = await openConsole(t);
    for (const name of ['Editor', 'Activity', 'Tasks', 'Tooling']) {
        await page.getByRole('navigation', {name: 'Windows'}).getByRole('link', {name}).click();
        await page.getByRole('heading', {level: 1, name}).waitFor();
        assert.equal(new URL(page.url()).hash, `#/${name.toLowerCase()}`);
        await shots(page, `shell-${name.toLowerCase()}`);
        await axe(page);
    }
});
