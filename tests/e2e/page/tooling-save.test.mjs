// The tooling window: the reviewed text is saved, a newer file is never overwritten, and a draft is never lost.
import assert from 'node:assert/strict';
import {mkdirSync, rmdirSync} from 'node:fs';
import {describe, test} from 'node:test';

import {axe, connected, shots, until} from '../fixtures/console.mjs';
import {bar, button, changes, clean, cursorBehind, dialog, dirty, openTooling, review, row, save, sharesAre, slider, tab, TWO,
    weight} from '../fixtures/console_tooling.mjs';

/** Browser errors of requests while the server is down. */
const refused = /net::ERR_(CONNECTION|INCOMPLETE|EMPTY|SOCKET)/;

/** An unusual layout with unknown keys. */
const ODD = `{ "note":"mine" ,
\t"active_profile" : "own",
   "profiles":[
     {"id":"own", "categories":{ "meta":{"strategy":"weighted","cooldown_sec":90,
        "candidates":[ {"tool":"mock","model":"a","weight":1.50e1 , "extra":[1,2 ,{ }]},
                       {"tool":"mock","model":"b","weight":5.0}  ]} }}
   ],  "more": {"n": 12345678901234567890}}
`;

describe('saving', () => {
    test('writes the reviewed text and changes nothing else', async t => {
        const {page, server, onDisk, user} = await openTooling(t, {tooling: ODD});
        await sharesAre(page, ['75 %', '25 %']);
        await weight(page, 'mock b').fill('45');
        const seen = await review(page);
        assert.deepEqual(seen, {gone: ['{"tool":"mock","model":"b","weight":5.0}  ]} }}'],
            fresh: ['{"tool":"mock","model":"b","weight":45}  ]} }}']});
        await shots(page, 'tooling-review');
        await axe(page, {within: 'dialog'});
        await page.keyboard.press('Escape');
        assert.equal(onDisk(), ODD);
        await page.keyboard.press('ControlOrMeta+s');
        await dialog(page, 'Save these changes?').waitFor();
        await page.keyboard.press('ControlOrMeta+s');
        await clean(page);
        const now = ODD.replace('5.0', '45');
        assert.equal(onDisk(), now);
        assert.deepEqual((await server.user.json('select', 'worker')).candidates.map(c => c.weight), [15, 45]);

        // also with \r\n; new members follow the spelling of the others
        user.configure(now.replaceAll('\n', '\r\n'));
        await page.getByText('tooling.json changed on disk: reloaded.').waitFor();
        await page.getByRole('checkbox', {name: 'Fall back to another candidate on failure'}).uncheck();
        await button(page, 'Details of mock b').click();
        await row(page, 'b').getByRole('textbox', {name: 'Program'}).fill('/opt/b');
        await tab(page, 'JSON').click();
        await cursorBehind(page, '"note":"mine');
        await page.keyboard.type('!');
        await save(page);
        const file = onDisk();
        assert.equal(file.replaceAll('\r\n', '').includes('\n'), false);
        const fallback = '"fallback_on_rate_limit":false', program = '"cli_path":"/opt/b"';
        assert.ok(file.includes(fallback) && file.includes(program), file);
        assert.equal(file.replaceAll('\r\n', '\n').replace(new RegExp(`,\\s*${fallback}`), '').replace(new RegExp(`,\\s*${program}`), ''),
            now.replace('mine', 'mine!'));
        assert.equal((await server.user.json('select', 'worker')).fallback, false);
    });

    test('creates a missing file from the default', async t => {
        const {page, onDisk, server} = await openTooling(t, {tooling: null});
        await page.getByText('Built-in default', {exact: true}).waitFor();
        await page.getByRole('region', {name: 'File'}).getByText('The file does not exist yet.').waitFor();
        await slider(page, 'codex-cli gpt-5.2').focus();
        await page.keyboard.press('End');
        const {gone, fresh} = await save(page);
        assert.deepEqual([gone.length, fresh.length], [1, 1]);
        assert.equal(JSON.parse(onDisk()).profiles[0].categories.meta.candidates[0].weight, 100);
        assert.equal((await server.api('tooling')).body.in_use, 'file');
    });

    test('a switch of the profile elsewhere is no conflict', async t => {
        const {page, inFile, user} = await openTooling(t);
        await weight(page, 'mock a').fill('77');
        await dirty(page);
        await bar(page).getByRole('button', {name: /^Profile: Day/}).click();
        await page.getByRole('menuitemradio', {name: 'Night'}).click();
        await bar(page).getByRole('button', {name: /^Profile: Night/}).waitFor();
        assert.equal(inFile().activeProfile, 'night');
        await user.tooling('set-profile', 'day');
        await bar(page).getByRole('button', {name: /^Profile: Day/}).waitFor();
        await dirty(page);
        assert.equal(await page.getByRole('alert').getByText('The file on disk has changed').count(), 0);
        await save(page);
        assert.deepEqual([inFile().activeProfile, inFile().profiles[0].categories.meta.candidates[0].weight], ['day', 77]);
    });

    test('a conflict shows both versions and the person chooses one', async t => {
        const {page, onDisk, user} = await openTooling(t);
        const theirs = {...TWO, activeProfile: 'night', note: '<theirs>'};
        await weight(page, 'mock a').fill('77');
        user.configure(theirs);
        await page.getByRole('alert').getByText('The file on disk has changed').waitFor();
        await button(page, 'Review and save').click();
        const conflict = dialog(page, 'The file was changed on disk');
        await conflict.waitFor();
        const {gone, fresh} = await changes(page);
        assert.deepEqual([gone, fresh], [
            ['"activeProfile": "night",', '"weight": 60', '],', '"note": "<theirs>"'],
            ['"activeProfile": "day",', '"weight": 77', ']']]);
        await shots(page, 'tooling-conflict');
        await axe(page, {within: 'dialog'});
        await button(page, 'Changes on disk').click();
        assert.deepEqual((await changes(page)).fresh, ['"activeProfile": "night",', '],', '"note": "<theirs>"']);
        await button(page, 'Later').click();
        assert.equal(onDisk(), JSON.stringify(theirs, null, 2));
        await button(page, 'Compare').click();
        await conflict.getByRole('button', {name: 'Reload, discard my edits'}).click();
        await clean(page);
        await page.getByRole('button', {name: 'Night'}).getByText('in use').waitFor();
        await button(page, 'Undo').click(); // the edits are not lost
        await dirty(page);
        await page.getByRole('button', {name: /^Day/}).click();
        assert.equal(await weight(page, 'mock a').inputValue(), '77');
        await button(page, 'Redo').click();
        await clean(page);

        // the draft wins after a review
        await weight(page, 'mock a').fill('78');
        user.configure(TWO);
        await button(page, 'Compare').click();
        await conflict.getByRole('button', {name: 'Keep my edits, review again'}).click();
        await dialog(page, 'Save these changes?').waitFor();
        assert.ok((await changes(page)).fresh.includes('"note": "<theirs>"'));
        await dialog(page, 'Save these changes?').getByRole('button', {name: 'Save', exact: true}).click();
        await clean(page);
        assert.equal(JSON.parse(onDisk()).profiles[0].categories.meta.candidates[0].weight, 78);
        assert.equal(JSON.parse(onDisk()).note, '<theirs>');
    });

    test('the server detects a change during the save', async t => {
        const {page, onDisk, user} = await openTooling(t);
        page.allow(/409/);
        await weight(page, 'mock a').fill('77');
        await review(page);
        const theirs = JSON.stringify({...TWO, note: 'x'});
        // the page learns of the change only after the save
        let seen;
        await page.route('**/api/tooling', async route => { await seen; await route.continue(); });
        seen = new Promise(resolve => page.on('response', r => { if (r.url().endsWith('/save')) resolve(); }));
        user.configure(theirs);
        await dialog(page, 'Save these changes?').getByRole('button', {name: 'Save', exact: true}).click();
        await dialog(page, 'The file was changed on disk').waitFor();
        assert.equal(onDisk(), theirs);
        await button(page, 'Later').click();
        await button(page, 'Discard').click();
        await clean(page);
        assert.equal(onDisk(), theirs);
    });

    test('an error of writing is shown and nothing is lost', async t => {
        const {page, onDisk, user} = await openTooling(t);
        page.allow(/503/);
        const before = onDisk();
        mkdirSync(`${user.file}.lock`);
        await weight(page, 'mock a').fill('77');
        await review(page);
        const saving = dialog(page, 'Save these changes?');
        await saving.getByRole('button', {name: 'Save', exact: true}).click();
        await saving.getByRole('alert').getByText(/Saving failed: .*tooling\.json\.lock/).waitFor();
        await axe(page, {within: 'dialog'});
        await page.keyboard.press('Escape');
        await dirty(page);
        assert.equal(onDisk(), before);
        await page.getByRole('button', {name: /^Night/}).click();
        await button(page, 'Discard').click();
        await clean(page);
        await button(page, 'Use Night').click(); // saved immediately: fails, too
        await page.getByText(/tooling\.json\.lock/).waitFor();
        rmdirSync(`${user.file}.lock`);
        await button(page, 'Use Night').click();
        await page.getByText('Profile night is active.').waitFor();
    });

    test('a draft survives a crash of the server and is saved after its restart', async t => {
        const {page, server, onDisk} = await openTooling(t);
        page.allow(refused);
        await weight(page, 'mock a').fill('77');
        await review(page);
        const saving = dialog(page, 'Save these changes?');
        server.signal('SIGSTOP');
        await saving.getByRole('button', {name: 'Save', exact: true}).click();
        await saving.getByRole('button', {name: 'Saving…'}).waitFor();
        await server.kill();
        await saving.getByRole('alert').getByText('Saving failed: The server is not responding.').waitFor();
        await until(() => saving.getByRole('button', {name: 'Save', exact: true}).isDisabled(), 'a disabled button');
        await page.keyboard.press('Escape');
        await page.getByText('your edits are kept, saving is disabled').waitFor();
        await weight(page, 'mock b').fill('3');
        await server.restart();
        await connected(page);
        await page.getByText('your edits are kept, saving is disabled').waitFor({state: 'detached'});
        await save(page);
        assert.deepEqual(JSON.parse(onDisk()).profiles[0].categories.meta.candidates.map(c => c.weight), [77, 3, 10]);
    });
});
