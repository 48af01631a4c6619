// The tooling window: changed, invalid, unusual and large files, and leaving the window with a draft.
import assert from 'node:assert/strict';
import {mkdirSync, rmdirSync, rmSync, writeFileSync} from 'node:fs';
import {describe, test} from 'node:test';

import {axe, shots, until, watchTasks} from '../fixtures/console.mjs';
import {button, clean, content, cursorBehind, dialog, dirty, JSON_VIEW, namesAre, openTooling, place, right, row, rows, save, status,
    tab, TWO, weight} from '../fixtures/console_tooling.mjs';
import {config, mock} from '../fixtures/tooling.mjs';

/** Replace the text of the editor as if it were pasted. */
async function pasteText(page, text) {
    await content(page).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
}

describe('the file', () => {
    test('is reloaded when it changes on disk, and an invalid one can be corrected', async t => {
        const {page, user, server, onDisk} = await openTooling(t);
        await namesAre(page, ['mock a', 'mock b', 'mock c']);
        user.configure(config([mock('other')]));
        await row(page, 'other').waitFor();
        await page.getByText('tooling.json changed on disk: reloaded.').waitFor();
        user.configure('{\n  "profiles": [,]\n}');
        const alert = page.getByRole('alert');
        await alert.getByText(/The last valid copy is in use\. Line 2, column 16/).waitFor();
        await page.getByText('The draft is not a valid JSON object').waitFor();
        assert.equal((await server.user.json('select', 'worker')).model, 'other');
        await shots(page, 'tooling-wrong');
        await axe(page);
        await alert.getByRole('button', {name: 'Show'}).click();
        await until(async () => (await place(page)).join() === '2,16', 'the cursor at the error');
        await page.keyboard.press('Delete');
        await status(page).getByText(/profile/).first().waitFor(); // a profile is required
        await pasteText(page, JSON.stringify(config([mock('corrected')]), null, 2));
        await right(page);
        await save(page);
        assert.equal(onDisk(), JSON.stringify(config([mock('corrected')]), null, 2));
        assert.equal((await server.user.json('select', 'worker')).model, 'corrected');
        await tab(page, 'Settings').click();
        await page.getByRole('region', {name: 'File'}).getByText('this file').waitFor();
        rmSync(user.file);
        await page.getByText('Built-in default', {exact: true}).waitFor();
    });

    test('an invalid, an unreadable and a non-text file show an error', async t => {
        const {page, user} = await openTooling(t, {tooling: JSON.stringify(TWO).replace('"mock"', '"mok"')});
        await page.getByRole('alert').getByText('there is no valid copy. Correct it: every selection fails.').waitFor();
        await page.getByRole('region', {name: 'File'}).getByText('nothing: every selection fails').waitFor();
        await namesAre(page, ['mok a', 'mock b', 'mock c']);
        await button(page, 'Details of mok a').click();
        await rows(page).first().getByRole('combobox', {name: 'Agent'}).selectOption('mock');
        await save(page);
        await page.getByRole('region', {name: 'File'}).getByText('this file').waitFor();
        writeFileSync(user.file, `\ufeff${JSON.stringify(TWO)}`);
        await page.getByText(/byte order mark/).first().waitFor();
        rmSync(user.file);
        rmSync(`${user.file}.last-good`, {force: true});
        mkdirSync(user.file);
        await page.getByText(/tooling\.json cannot be read, so no agent can be selected/).waitFor();
        await axe(page);
        rmdirSync(user.file);
        user.configure(TWO);
        await row(page, 'a').waitFor();
    });

    test('unusual contents are harmless: duplicates, empty values, markup', async t => {
        const {page} = await openTooling(t, {hash: JSON_VIEW});
        await right(page);
        const checkText = async (text, ...patterns) => {
            await pasteText(page, text);
            await tab(page, 'Settings').click();
            for (const pattern of patterns)
                await page.getByText(pattern).first().waitFor();
            for (const more of await page.getByRole('button', {name: /^Details of/}).all())
                if (await more.getAttribute('aria-expanded') !== 'true')
                    await more.click();
            await tab(page, 'JSON').click();
        };
        await checkText('{"profiles":[]}', 'No profiles. Add one');
        await checkText('[]', 'The draft is not a valid JSON object');
        await checkText('', 'The draft is not a valid JSON object');
        await checkText('{"profiles":[{"id":"x","categories":{"meta":{}}}]}', 'Error in line');
        await checkText('{"profiles":[{"id":"x"},{"id":"x"},{}],"force":{"enabled":true}}', 'No candidates: neither');
        await checkText('{"profiles":[{"id":"x","categories":{"meta":{"candidates":[{"tool":"mock","env":{"A":"1","A":"2"}},' +
            '{"tool":"mock","env":{"A":"1","A":"2"}},{"tool":"mock"},{"tool":"mock"},{},3,null]}}}]}', 'Error in line');
        await checkText('{"profiles":[{"id":"<img src=x onerror=alert(1)>","name":"\\u202e<b>","categories":{"meta":{"strategy":"<i>",' +
            '"candidates":[{"tool":"<b>","model":"<script>","weight":"1","flags":[1,"<u>"],"env":{"<a>":"</a>"}}]}}}]}',
        '<script>', '⟨U+202E⟩<b>');
        // the form can add the first candidate to an empty list
        await pasteText(page, '{"profiles":[{"id":"x","categories":{"meta":{}}}]}');
        await tab(page, 'Settings').click();
        await page.getByRole('combobox', {name: 'Agent of the new candidate'}).selectOption('mock');
        await button(page, 'Add').click();
        await row(page, 'mock').waitFor();
        await save(page);
    });

    test('a file of a megabyte can be edited', async t => {
        const candidates = Array.from({length: 60}, (_, i) => mock(`m${i}`, undefined, {systemPrompt: 'x'.repeat(3300)}));
        const {page, inFile, onDisk} = await openTooling(t, {tooling: config(candidates, {strategy: 'weighted'})});
        assert.ok(onDisk().length > 1_000_000, `${onDisk().length}`);
        await rows(page).nth(59).waitFor();
        const tasks = await watchTasks(t, page);
        await weight(page, 'mock m3').fill('9');
        await dirty(page);
        await tab(page, 'JSON').click();
        await content(page).waitFor();
        await cursorBehind(page, '"activeProfile": "own"');
        await page.keyboard.type('  ');
        await right(page);
        await tasks.areShort('editing');
        await save(page);
        assert.equal(inFile().profiles[0].categories.meta.candidates[3].weight, 9);
    });
});

test('leaving with a draft offers to keep or discard it', async t => {
    const {page, onDisk} = await openTooling(t);
    const before = onDisk();
    const leaving = dialog(page, 'Leave with unsaved edits?');
    const open = name => page.getByRole('navigation', {name: 'Windows'}).getByRole('link', {name}).click();
    await weight(page, 'mock a').fill('77');
    await open('Tasks');
    await leaving.getByRole('button', {name: 'Stay'}).click();
    await leaving.waitFor({state: 'detached'});
    assert.match(page.url(), /#\/tooling/);
    await open('Tasks');
    await leaving.getByRole('button', {name: 'Keep edits and leave'}).click();
    await page.waitForURL(/#\/tasks/);
    await open('Tooling');
    await dirty(page);
    assert.equal(await weight(page, 'mock a').inputValue(), '77');
    await open('Activity');
    await axe(page, {within: 'dialog'});
    await leaving.getByRole('button', {name: 'Discard and leave'}).click();
    await page.waitForURL(/#\/activity/);
    await open('Tooling');
    await clean(page);
    assert.equal(await weight(page, 'mock a').inputValue(), '60');
    assert.equal(onDisk(), before);
    // closing the tab shows the browser's confirmation, in every window
    await weight(page, 'mock a').fill('78');
    await open('Tasks');
    await leaving.getByRole('button', {name: 'Keep edits and leave'}).click();
    await page.waitForURL(/#\/tasks/);
    let question = '';
    page.once('dialog', d => { question = d.type(); void d.dismiss(); });
    await page.close({runBeforeUnload: true});
    await until(() => question, 'the question');
    assert.equal(question, 'beforeunload');
});
