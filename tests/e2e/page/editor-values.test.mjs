// The inspector: values with parts, curves, and read-only fields. As in editor-inspector, each edit changes only its
// lines in the file, and undo restores it.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {axe, shots, until} from '../fixtures/console.mjs';
import {box, component, field, fill, inspector, item, line, openZoo, undo} from '../fixtures/editor_page.mjs';

test('vectors, rotations, rectangles and bounds are edited by part', async t => {
    const {page, zoo, edited, shows, info} = await openZoo(t);
    for (const [label, typed, before, after] of [
        ['Point y', '2.5', 'point: {x: 1, y: 2}', 'point: {x: 1, y: 2.5}'],
        ['Position z', '-3', 'position: {x: 1, y: 2, z: 3}', 'position: {x: 1, y: 2, z: -3}'],
        ['Four w', '0', 'four: {x: 1, y: 2, z: 3, w: 4}', 'four: {x: 1, y: 2, z: 3, w: 0}'],
        ['Voxel y', '8', 'voxel: {x: 3, y: 7, z: -1}', 'voxel: {x: 3, y: 8, z: -1}'],
        ['Area width', '99.5', '  width: 100', '  width: 99.5'], ['Tile height', '5', '  height: 4', '  height: 5'],
        ['Extent center y', '7', '  m_Center: {x: 0, y: 1, z: 0}', '  m_Center: {x: 0, y: 7, z: 0}'],
        ['Extent size x', '4', '  m_Extent: {x: 0.5, y: 1, z: 0.5}', '  m_Extent: {x: 2, y: 1, z: 0.5}'],
        ['Region size z', '9', '  m_Size: {x: 1, y: 1, z: 1}', '  m_Size: {x: 1, y: 1, z: 9}'],
        ['Rotation y in degrees', '90', 'rotation: {x: 0, y: 0, z: 0, w: 1}', 'rotation: {x: 0, y: 0.70710677, z: 0, w: 0.70710677}'],
    ]) {
        const input = box(zoo, label), was = await input.inputValue();
        await edited(() => fill(input, typed), line(before, after), () => shows(input, typed));
        await shows(input, was);
    }
    await box(zoo, 'Voxel y').fill('1.5');
    await field(zoo, 'voxel').getByText('enter a whole number').waitFor();
    await page.keyboard.press('Escape');
    const rotation = field(zoo, 'rotation');
    await rotation.getByRole('button', {name: /quaternion/i}).click();
    await edited(() => fill(box(zoo, 'Rotation w'), '0.5'), line('rotation: {x: 0, y: 0, z: 0, w: 1}', 'rotation: {x: 0, y: 0, z: 0, w: 0.5}'));
    await rotation.getByRole('button', {name: /angles/i}).click();
    await shows(box(zoo, 'Rotation y in degrees'), '0');
    assert.deepEqual((await info('rotation')).value, {x: 0, y: 0, z: 0, w: 1});
});

test('colours are edited by picker and numbers, including HDR', async t => {
    const {page, zoo, edited, shows, info, file} = await openZoo(t);
    const tint = field(zoo, 'tint'), picker = tint.getByLabel('Tint, picker');
    assert.equal(await picker.inputValue(), '#ff8040');
    await edited(() => picker.fill('#00ff80'), line('tint: {r: 1, g: 0.5, b: 0.25, a: 1}', 'tint: {r: 0, g: 1, b: 0.5019608, a: 1}'));
    await shows(box(tint, 'Tint g'), '0.5');
    await edited(() => fill(box(tint, 'Tint a'), '0,25'), line('tint: {r: 1, g: 0.5, b: 0.25, a: 1}', 'tint: {r: 1, g: 0.5, b: 0.25, a: 0.25}'));
    await shows(box(tint, 'Tint a'), '1');
    await fill(box(tint, 'Tint r'), '4');
    await tint.getByText('HDR × 4').waitFor();
    await picker.fill('#ffffff'); // the intensity is kept
    await until(async () => JSON.stringify((await info('tint')).value) === '{"r":4,"g":4,"b":4,"a":1}', 'white with intensity 4');
    await shots(page, 'editor-colour');
    await undo(page).click();
    await until(async () => (await info('tint')).value.g === 0.5, 'the first undo');
    await undo(page).click();
    await file.isOriginal();
    await fill(box(tint, 'Tint a'), '0.25'); // the alpha value is kept by other edits
    await until(async () => (await info('tint')).value.a === 0.25, 'the alpha value');
    await fill(box(tint, 'Tint g'), '0.75');
    await file.changed(line('tint: {r: 1, g: 0.5, b: 0.25, a: 1}', 'tint: {r: 1, g: 0.75, b: 0.25, a: 0.25}'));
    await picker.fill('#ffffff');
    await file.changed(line('tint: {r: 1, g: 0.5, b: 0.25, a: 1}', 'tint: {r: 1, g: 1, b: 1, a: 0.25}'));
    for (const left of [0.75, 0.5, 0.5]) {
        await undo(page).click();
        await until(async () => (await info('tint')).value.g === left, 'the undo');
    }
    await file.isOriginal();
    const bytes = field(zoo, 'tint32');
    await edited(() => bytes.getByLabel('Tint32, picker').fill('#ff0000'), {removed: ['    rgba: 4294934592'], added: ['    rgba: 4278190335']});
    await box(bytes, 'Tint32 r').fill('1.5');
    await bytes.getByText('at most 1').waitFor();
    await box(bytes, 'Tint32 r').press('Escape');
    await item(page, 'Main Camera').click(); // a label that starts with an abbreviation
    await box(component(page, 'Camera'), 'FOV Axis Mode').waitFor();
});

test('curves and gradients are drawn and edited by their keys', async t => {
    const {page, zoo, edited, file, info} = await openZoo(t);
    const fade = field(zoo, 'fade');
    await fade.getByRole('button', {name: 'Fade: 2 keys'}).click();
    await edited(() => fill(box(fade, 'value of key 1'), '0.5'), {removed: ['      value: 1'], added: ['      value: 0.5']});
    await until(async () => (await box(fade, 'value of key 1').inputValue()) === '1', 'the original value');
    await fade.getByRole('button', {name: 'Add a key to Keys of Fade'}).click();
    await fade.getByRole('button', {name: 'Fade: 3 keys'}).waitFor();
    await until(() => file.project.diff(file.path).added.length === 9, 'only the new key');
    assert.equal(file.project.diff(file.path).removed.length, 0);
    await fade.getByRole('button', {name: 'Remove key 2 of Keys'}).click();
    await file.isOriginal();

    const ramp = field(zoo, 'ramp');
    await ramp.getByRole('button', {name: 'Ramp: 4 keys'}).click();
    await edited(() => ramp.getByLabel('Colour of key 0, picker').fill('#00ff00'),
        {removed: ['    key0: {r: 1, g: 0, b: 0, a: 1}'], added: ['    key0: {r: 0, g: 1, b: 0, a: 1}']});
    await until(async () => (await ramp.getByLabel('Colour of key 0, picker').inputValue()) === '#ff0000', 'red again');
    await edited(() => fill(box(ramp, 'alpha of key 1'), '0.5'),
        {removed: ['    key1: {r: 0, g: 0, b: 1, a: 1}'], added: ['    key1: {r: 0, g: 0, b: 1, a: 0.5}']});
    assert.equal((await info('ramp')).type, 'UnityEngine.Gradient');
    await ramp.scrollIntoViewIfNeeded();
    await shots(page, 'editor-curve');
    await axe(page);
});

test('hidden, reference and read-only fields cannot be edited', async t => {
    const {page, zoo} = await openZoo(t);
    assert.equal(await field(zoo, 'hidden').count(), 0);
    await zoo.getByText('1 hidden field').waitFor();
    const move = field(zoo, 'move').first();
    await move.getByText(/SerializeReference/).first().waitFor();
    await move.getByText('WalkMove').waitFor();
    assert.ok(await box(move, 'Speed').isDisabled());
    assert.ok(await field(zoo, 'moves').first().getByRole('button', {name: /Add an element/}).isDisabled());
    await zoo.getByRole('searchbox', {name: 'Filter fields of FieldZoo'}).fill('tin');
    const fields = () => zoo.locator('[data-field]').evaluateAll(rows => rows.map(r => r.dataset.field).join());
    await until(async () => (await fields()) === 'tiny,unsignedTiny,tint,tint32', 'filtered');
    await zoo.getByRole('searchbox', {name: 'Filter fields of FieldZoo'}).fill('unsigned w');
    await until(async () => (await fields()) === 'unsignedWhole,unsignedWide', 'matches by label');
    assert.equal(await inspector(page).getByText('Loading…').count(), 0);
});
