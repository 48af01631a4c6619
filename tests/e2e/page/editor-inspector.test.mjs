// The inspector: numbers, texts and enums. Each edit changes only its lines in the scene file, and undo restores the
// file byte for byte. (editor-values: vectors, colours, curves.)
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {axe, shots, until} from '../fixtures/console.mjs';
import {box, component, field, fill, line, openEditor, openZoo, undo} from '../fixtures/editor_page.mjs';

describe('numbers', () => {
    test('are typed, stepped and dragged in all sizes', async t => {
        const {page, zoo, file, edited, info, shows} = await openZoo(t);
        const flag = zoo.getByRole('checkbox', {name: 'Flag', exact: true});
        await edited(() => flag.uncheck(), line('flag: 1', 'flag: 0'));
        await until(() => flag.isChecked(), 'checked again');

        for (const [name, before, typed, after] of [['small', 200, '255', 255], ['signedSmall', -5, '-128', -128],
            ['unsignedTiny', 60000, '1e3', 1000], ['whole', -42, '2147483647', 2147483647],
            ['unsignedWhole', 4000000000, '4294967295', 4294967295],
            ['wide', 1234567890123, '-9223372036854775808', '-9223372036854775808'],
            ['unsignedWide', '18000000000000000000', '18446744073709551615', '18446744073709551615']]) {
            const label = name.replace(/[A-Z]/, c => ` ${c}`).replace(/^./, c => c.toUpperCase());
            await shows(box(zoo, label), String(before)); // all digits of 64 bits
            await edited(() => fill(box(zoo, label), typed), line(`${name}: ${before}`, `${name}: ${after}`),
                () => shows(box(zoo, label), String(after)));
            await shows(box(zoo, label), String(before));
        }
        const real = box(zoo, 'Real');
        for (const [typed, written] of [['2.25', '2.25'], ['0,5', '0.5'], ['  -1e-3 ', '-0.001'], ['.5', '0.5'],
            ['NaN', 'NaN'], ['-inf', '-Infinity'], ['3.14159265358979', '3.1415927']]) {
            await edited(() => fill(real, typed), line('real: 1.5', `real: ${written}`));
            await shows(real, '1.5');
        }
        await edited(() => fill(real, '7', 'Tab'), line('real: 1.5', 'real: 7')); // leaving the field saves
        await shows(real, '1.5');
        await edited(async () => {
            await real.focus();
            for (const key of ['ArrowUp', 'ArrowUp', 'Shift+ArrowUp', 'ArrowDown'])
                await page.keyboard.press(key);
            await page.keyboard.press('Enter');
        }, line('real: 1.5', 'real: 12.5'));
        await shows(real, '1.5');
        await edited(async () => {
            const label = zoo.locator('label', {hasText: /^Real$/});
            const at = await label.boundingBox();
            await page.mouse.move(at.x + 10, at.y + 10);
            await page.mouse.down();
            await page.mouse.move(at.x + 40, at.y + 10, {steps: 5});
            await page.mouse.up();
        }, line('real: 1.5', 'real: 2.4'));
        await shows(real, '1.5');
        assert.equal(await info('real'), 1.5);
        file.project.isOriginal('WorkshopScene');
    });

    test('invalid numbers show an error and are not saved', async t => {
        const {page, zoo, file, shows} = await openZoo(t);
        const small = box(zoo, 'Small'), real = box(zoo, 'Real');
        const hint = text => field(zoo, 'small').getByRole('status').getByText(text, {exact: true});
        for (const [typed, error] of [['256', 'at most 255'], ['-1', 'at least 0'], ['1.5', 'enter a whole number'],
            ['', 'enter a whole number'], ['<b>', 'enter a whole number'], ['9'.repeat(400), 'at most 255']]) {
            await small.fill(typed);
            await hint(error).waitFor();
            assert.equal(await small.getAttribute('aria-invalid'), 'true');
            await small.press('Enter');
        }
        assert.equal(await small.inputValue(), '9'.repeat(400), 'the input can be corrected');
        await shots(page, 'editor-wrong-number');
        await axe(page, {within: '[data-field="small"]'}); // the other fields: editor-values, editor-lists
        await small.press('Escape');
        await shows(small, '200');
        for (const [typed, error] of [['1,000,000', 'enter a number'], ['1e999', 'number too large'], ['0x10', 'enter a number']]) {
            await real.fill(typed);
            await field(zoo, 'real').getByRole('status').getByText(error).waitFor();
        }
        await real.press('Tab'); // leaving with invalid input restores the value
        await shows(real, '1.5');
        // the limit of a [Min(0)] attribute
        const best = field(zoo, 'best.amount');
        await box(best, 'Amount').fill('-1');
        await best.getByText('at least 0').waitFor();
        await page.keyboard.press('Escape');
        await file.isOriginal();
    });

    test('a range has a slider', async t => {
        const {page, file} = await openEditor(t, {scene: 'ArenaScene', object: '/Watcher'});
        const slider = component(page, 'Guard').getByRole('slider', {name: 'Health, slider'});
        await slider.waitFor();
        const name = await slider.evaluate(e => e.closest('[data-field]').dataset.field);
        const before = await slider.inputValue();
        await slider.focus();
        await page.keyboard.press('End');
        await until(() => file.project.diff(file.path).added.length === 1, 'the saved value');
        const most = await slider.getAttribute('max');
        assert.deepEqual(file.project.diff(file.path), {removed: [`  ${name}: ${before}`], added: [`  ${name}: ${most}`]});
        await undo(page).click();
        await file.isOriginal();
    });
});

test('texts of one or several lines with any characters are saved', async t => {
    const {page, zoo, file, edited, info, shows} = await openZoo(t);
    const text = box(zoo, 'Text'), note = box(zoo, 'Note');
    await edited(() => fill(text, 'yes: "it" is #1'), line('text: plain text', 'text: \'yes: "it" is #1\''));
    await shows(text, 'plain text');
    await edited(() => fill(text, '', 'Tab'), line('text: plain text', 'text: '));
    await shows(text, 'plain text');
    await edited(() => fill(text, '<img src=x onerror=alert(1)>'), line('text: plain text', 'text: <img src=x onerror=alert(1)>'));
    await shows(text, 'plain text');
    await edited(() => fill(text, 'żółć 🎮'), line('text: plain text', 'text: "\\u017C\\xF3\\u0142\\u0107 \\U0001F3AE"'));
    await shows(text, 'plain text');
    await note.fill('first');
    await note.press('Enter');
    await page.keyboard.type('second');
    await note.press('Control+Enter');
    await until(async () => (await info('note')) === 'first\nsecond', 'two lines');
    await undo(page).click();
    await file.isOriginal();
    await shows(note, 'a note: with a colon');
    await note.fill('something else');
    await note.press('Escape');
    await shows(note, 'a note: with a colon');
    await page.keyboard.press('Tab');
    file.project.isOriginal('WorkshopScene');
});

test('enums, flags and layer masks are edited', async t => {
    const {page, zoo, edited, file} = await openZoo(t);
    const size = zoo.getByRole('combobox', {name: 'Size', exact: true});
    await edited(() => size.selectOption('Large'), line('size: 2', 'size: 4'));
    await until(async () => (await size.locator('option:checked').textContent()) === 'Medium', 'Medium again');

    const sides = field(zoo, 'sides'), summary = sides.locator('summary');
    assert.equal(await summary.textContent(), 'Left, Top');
    await summary.click();
    const flag = name => sides.getByRole('checkbox', {name, exact: true});
    await edited(() => flag('Bottom').check(), line('sides: 5', 'sides: 13'));
    await until(async () => (await summary.textContent()) === 'Left, Top', 'the original value');
    await edited(() => flag('Upright').check(), line('sides: 5', 'sides: 7'),
        () => until(() => flag('Right').isChecked(), 'both bits of Upright'));
    await until(async () => (await summary.textContent()) === 'Left, Top', 'the original value');
    await edited(() => flag('None').check(), line('sides: 5', 'sides: 0'));
    await until(async () => (await summary.textContent()) === 'Left, Top', 'the original value');

    const mask = field(zoo, 'mask');
    await mask.locator('summary').click();
    await edited(() => mask.getByRole('checkbox', {name: 'Water'}).check(), {removed: ['    m_Bits: 256'], added: ['    m_Bits: 272']});
    await until(async () => (await mask.locator('summary').textContent()) === 'Player', 'only Player');
    await file.isOriginal();
    await shots(page, 'editor-flags');
    await axe(page, {within: '[data-field="sides"], [data-field="mask"]'});
});
