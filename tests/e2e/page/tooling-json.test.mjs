// The tooling window: the JSON editor, which shares one draft with the form.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {axe, shots, until} from '../fixtures/console.mjs';
import {button, clean, content, cursorBehind, dialog, dirty, JSON_VIEW, openTooling, place, right, rows, save, sharesAre, shownText,
    status, tab, textIs, TWO, weight} from '../fixtures/console_tooling.mjs';
import {config, mock} from '../fixtures/tooling.mjs';

describe('the editor', () => {
    test('an error is shown at its place with mark, message and line', async t => {
        const {page, server} = await openTooling(t, {hash: JSON_VIEW});
        await right(page);
        const text = JSON.stringify(TWO, null, 2);
        await textIs(page, text);
        await shots(page, 'tooling-json');
        await axe(page);

        // a syntax error is found in the page
        await cursorBehind(page, '"model": "b"');
        const [line, column] = await place(page);
        assert.equal(text.split('\n')[line - 1].slice(0, column - 1).trim(), '"model": "b"');
        await page.keyboard.press('Delete'); // the comma
        await status(page).getByRole('button', {name: `${line + 1}:`}).getByText('expected a comma').waitFor();
        await content(page).locator('.cm-lintRange-error').first().waitFor();
        await page.locator('.cm-lint-marker-error').first().waitFor();
        await page.keyboard.type(',');
        await right(page);
        await clean(page);

        // an unknown agent is reported by the server
        await cursorBehind(page, '"tool": "mo');
        await page.keyboard.press('Delete');
        const invalid = text.replace('"tool": "mock"', '"tool": "mok"');
        const {body: {fault}} = await server.api('tooling/check', {text: invalid});
        assert.match(fault.pointer, /candidates\/0\/tool$/);
        await status(page).getByText(`${fault.line}:${fault.column} `).waitFor();
        assert.ok((await status(page).innerText()).includes(fault.message));
        const mark = content(page).locator('.cm-lintRange-error');
        assert.equal((await mark.allInnerTexts()).join(''), '"mok"');
        await page.keyboard.press('Escape');
        await mark.first().hover();
        await page.locator('.cm-tooltip-lint').getByText(fault.message).waitFor();
        await shots(page, 'tooling-json-fault');
        await axe(page);

        // the form shows the error and links to it; saving is disabled
        await tab(page, 'Settings').click();
        await rows(page).first().getByText(fault.message).waitFor();
        await button(page, 'Review and save').click();
        await dialog(page, 'Save these changes?').getByRole('alert').getByText(fault.message).waitFor();
        assert.ok(await dialog(page, 'Save these changes?').getByRole('button', {name: 'Save', exact: true}).isDisabled());
        await dialog(page, 'Save these changes?').getByRole('button', {name: 'Show'}).click();
        await until(async () => (await place(page)).join() === `${fault.line},${fault.column}`, 'the cursor at the error');
        assert.ok(await content(page).evaluate(e => e.getRootNode().activeElement === e));
        await page.keyboard.press('ControlOrMeta+z');
        await right(page);
        await clean(page);
        // a warning does not prevent saving
        await cursorBehind(page, '"strategy": "weighted",');
        await page.keyboard.insertText(' "colour": 3,');
        await status(page).getByText(/1 warning: 9:\d+ colour: this key is unknown/).waitFor();
        await content(page).locator('.cm-lintRange-warning').first().waitFor();
        await save(page);
    });

    test('keys, values, models and agents are suggested and explained', async t => {
        const {page, inFile} = await openTooling(t, {hash: JSON_VIEW});
        await right(page);
        const options = async () => (await page.locator('.cm-tooltip-autocomplete li').allInnerTexts()).map(o => o.trim());
        await cursorBehind(page, '"strategy": "weighted');
        await page.keyboard.press('ControlOrMeta+Space');
        await until(async () => (await options()).length > 0, 'suggestions');
        assert.deepEqual(await options(), ['weighted']);
        for (let i = 0; i < 'weighted'.length; i++)
            await page.keyboard.press('Backspace');
        await page.keyboard.press('ControlOrMeta+Space');
        await until(async () => (await options()).length === 4, 'all strategies');
        assert.deepEqual((await options()).sort(), ['least_recent', 'priority', 'round_robin', 'weighted']);
        await page.keyboard.type('rou');
        await until(async () => (await options()).join() === 'round_robin', 'one suggestion');
        await page.keyboard.press('Enter');
        await cursorBehind(page, '"strategy": "round_robin",');
        await page.keyboard.press('Enter');
        await page.keyboard.type('"cool');
        await until(async () => (await options()).join() === 'cooldownSec', 'the key');
        await page.locator('.cm-completionInfo').getByText('Minimum cooldown after a limit').waitFor();
        // The list ignores keys right after it appears; skip this time.
        await page.evaluate(() => { const {now} = Date; Date.now = () => now() + 1000; });
        await page.keyboard.press('Tab');
        await until(async () => (await shownText(page)).includes('"cooldownSec": 120'), 'the key with a value');
        await page.keyboard.type(',');
        await right(page);
        // present keys are not suggested again; a candidate has its own keys
        await cursorBehind(page, '"model": "a",');
        await page.keyboard.press('Enter');
        await page.keyboard.press('ControlOrMeta+Space');
        await until(async () => (await options()).length > 3, 'keys of a candidate');
        assert.deepEqual((await options()).sort(), ['cliPath', 'env', 'flags', 'systemPrompt', 'toolSpecific']);
        await page.keyboard.press('Escape');
        await page.keyboard.press('Backspace');
        await page.keyboard.type(' "flags": ["--x"],');
        await right(page);
        // the meaning of a key is shown under the pointer and at the cursor
        await content(page).getByText('"strategy"').first().hover();
        await page.locator('.cm-hint').getByText('How one of the candidates is selected.').waitFor();
        await page.mouse.move(5, 5);
        await cursorBehind(page, '"activeProfile": "da');
        await status(page).getByText(/activeProfile Id of the active profile.*day, night/).waitFor();
        await save(page);
        const {meta} = inFile().profiles[0].categories;
        assert.deepEqual([meta.strategy, meta.cooldownSec, meta.candidates[0].flags], ['round_robin', 120, ['--x']]);
    });

    test('form and JSON share one draft with one undo history', async t => {
        const {page, onDisk} = await openTooling(t, {hash: '#/tooling'});
        const before = onDisk();
        await weight(page, 'mock a').fill('61');
        await tab(page, 'JSON').click();
        await until(async () => (await shownText(page)).includes('"weight": 61'), 'the edit of the form in the JSON');
        await cursorBehind(page, '"weight": 30');
        await page.keyboard.press('Backspace');
        await page.keyboard.type('3');
        await right(page);
        await tab(page, 'Settings').click();
        assert.equal(await weight(page, 'mock b').inputValue(), '33');
        await page.getByRole('checkbox', {name: 'Enable mock c'}).uncheck();
        await sharesAre(page, ['65 %', '35 %', '0 %']);
        await button(page, 'Undo').click();
        assert.ok(await page.getByRole('checkbox', {name: 'Enable mock c'}).isChecked());
        await tab(page, 'Settings').press('ControlOrMeta+z'); // consecutive typing is one or two steps
        await until(async () => {
            if (await weight(page, 'mock b').inputValue() === '30')
                return true;
            await page.keyboard.press('ControlOrMeta+z');
        }, 'the original weight');
        assert.equal(await weight(page, 'mock a').inputValue(), '61');
        await tab(page, 'JSON').click();
        await content(page).click();
        await page.keyboard.press('ControlOrMeta+z');
        await textIs(page, before);
        await clean(page);
        assert.ok(await button(page, 'Undo').isDisabled());
        for (let i = 0; await button(page, 'Redo').isEnabled(); i++) {
            assert.ok(i < 6);
            await page.keyboard.press('ControlOrMeta+Shift+Z');
        }
        await tab(page, 'Settings').click();
        assert.deepEqual([await weight(page, 'mock a').inputValue(), await weight(page, 'mock b').inputValue(),
            await page.getByRole('checkbox', {name: 'Enable mock c'}).isChecked()], ['61', '33', false]);
        await tab(page, 'JSON').click();
        await content(page).click();
        await page.keyboard.press('Escape'); // then Tab leaves the editor
        await page.keyboard.press('Tab');
        assert.ok(await content(page).evaluate(e => e.getRootNode().activeElement !== e));
        await button(page, 'Discard').click();
        await clean(page);
        await button(page, 'Undo').click(); // discarding can be undone
        await dirty(page);
        assert.equal(onDisk(), before);
    });

    test('secrets in the file are masked until requested', async t => {
        const {page} = await openTooling(t, {hash: JSON_VIEW,
            tooling: config([mock('a', undefined, {env: {MOCK_API_KEY: 'sk-in-the-file-0123456789', PLAIN: 'hello'}})])});
        await content(page).locator('.cm-secret').first().waitFor();
        assert.equal(await content(page).locator('.cm-secret').first().evaluate(e => getComputedStyle(e).webkitTextSecurity), 'disc');
        await button(page, 'Show secrets').click();
        await content(page).locator('.cm-secret').first().waitFor({state: 'detached'});
        await button(page, 'Hide secrets').click();
        await content(page).locator('.cm-secret').first().waitFor();
    });
});
