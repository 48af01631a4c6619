// References, adding, removing, moving and disabling components, undo and redo, and conflicting edits.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {axe, shots, until} from '../fixtures/console.mjs';
import {box, component, field, fill, holdChanges, holdLoads, inspected, inspector, isSelected, item, line, openEditor, openZoo, toast, undo} from '../fixtures/editor_page.mjs';
import {lockProject} from '../fixtures/unity.mjs';

const pick = page => page.getByRole('dialog', {name: /^Pick a target for/});
/** Wait for the components first: while they load, the button moves. */
const openAdd = async page => {
    await until(async () => (await inspector(page).getByText('Loading…').count()) === 0, 'all components');
    await inspector(page).getByRole('button', {name: 'Add component'}).click();
};
const redo = page => page.getByRole('button', {name: 'Redo', exact: true});

const ID = {inOut: 1452173844, turretBody: 542028806, zooBody: 732943716, table: 540357616};
const ALERT = 'material: {fileID: 2100000, guid: 0eb80c072a590f6cccb631187f4856d3, type: 2}';
const GOLD = 'material: {fileID: 2100000, guid: 01caf676eb7f96f27b748d36f8b3391d, type: 2}';

describe('references', () => {
    test('to objects, components and assets are picked, cleared and followed', async t => {
        const {page, zoo, edited, info} = await openZoo(t);
        const other = field(zoo, 'other'), body = field(zoo, 'body'), material = field(zoo, 'material');
        const options = pick(page).getByRole('option');
        await edited(async () => {
            await other.getByRole('button', {name: 'Other: Table. Pick another'}).click();
            await pick(page).getByRole('combobox').fill('in/o');
            await options.filter({hasText: 'in/out'}).waitFor();
            await until(async () => (await options.count()) === 1, 'one choice');
            await page.keyboard.press('Enter');
            await pick(page).waitFor({state: 'detached'});
        }, line(`other: {fileID: ${ID.table}}`, `other: {fileID: ${ID.inOut}}`),
        async () => assert.equal((await info('other')).ref_path, '/Names/in\\/out'));
        await other.getByRole('button', {name: 'Other: Table. Pick another'}).waitFor();

        await body.getByRole('button', {name: /Pick another/}).click();
        await until(async () => (await options.locator('.name').allTextContents()).join() === 'Zoo,Turret', 'the objects with a Rigidbody');
        await options.filter({hasText: 'Zoo'}).getByText('current').waitFor();
        await shots(page, 'editor-pick');
        await axe(page);
        await pick(page).getByRole('combobox').fill('nothing <b> like that');
        await pick(page).getByText('Nothing like “nothing <b> like that” with type Rigidbody.').waitFor();
        await pick(page).getByRole('combobox').press('Escape'); // clears the text before it closes the dialog
        await edited(() => options.filter({hasText: 'Turret'}).click(),
            line(`body: {fileID: ${ID.zooBody}}`, `body: {fileID: ${ID.turretBody}}`),
            async () => assert.equal((await info('body')).ref_path, '/Turret'));
        await body.getByRole('button', {name: /^Body: Zoo/}).waitFor();
        await edited(() => body.getByRole('button', {name: 'Clear Body'}).click(),
            line(`body: {fileID: ${ID.zooBody}}`, 'body: {fileID: 0}'),
            () => body.getByRole('button', {name: /None \(Rigidbody\)/}).waitFor());

        await edited(async () => {
            await material.getByRole('button', {name: 'Material: Alert (Material). Pick another'}).click();
            await until(async () => (await options.locator('.name').allTextContents()).join() === 'Alert,Gold', 'only materials');
            await options.filter({hasText: 'Alert'}).getByText('current').waitFor();
            await shots(page, 'editor-pick-asset');
            await axe(page);
            await pick(page).getByRole('combobox').fill('GOLD');
            await until(async () => (await options.count()) === 1, 'one match');
            await page.keyboard.press('Enter');
        }, line(ALERT, GOLD), () => material.getByRole('button', {name: /^Material: Gold/}).waitFor());
        await material.getByRole('button', {name: /^Material: Alert/}).click();
        await edited(() => pick(page).getByRole('button', {name: 'None', exact: true}).click(), line(ALERT, 'material: {fileID: 0}'));

        await other.getByRole('link', {name: 'Go to /Table'}).click();
        await inspected(page).getByText('Table').waitFor();
        await isSelected(page, 'Table');
    });

    test('accept derived classes and dropped objects', async t => {
        const {page, server} = await openEditor(t, {scene: 'MenuScene', object: '/Canvas/Panel/StartButton', component: 3});
        const target = field(component(page, 'Button'), 'm_TargetGraphic');
        const now = async () => (await server.call('get_component_info', {game_object_path: '/Canvas/Panel/StartButton', index: 3,
            fields: ['m_TargetGraphic']})).fields.m_TargetGraphic.ref_path;
        await target.getByRole('button', {name: /Pick another/}).click();
        const options = pick(page).getByRole('option');
        await until(async () => (await options.count()) >= 4, 'images and texts');
        await options.filter({hasText: '/Canvas/Panel/Title'}).filter({hasText: 'Text'}).click();
        await until(async () => (await now()) === '/Canvas/Panel/Title', 'a Text');
        await target.getByRole('button', {name: /Title/}).waitFor();
        await target.scrollIntoViewIfNeeded();
        await item(page, 'Label').dragTo(target.locator('.reference'));
        await until(async () => (await now()) === '/Canvas/Panel/StartButton/Label', 'the dropped object');
        await target.getByRole('button', {name: /Label/}).waitFor();
        // The editor rejects an incompatible object; the error is shown at the field.
        await item(page, 'Menu').dragTo(target.locator('.reference'));
        await target.getByRole('alert').getByText('Nothing was changed.').waitFor();
        assert.equal(await now(), '/Canvas/Panel/StartButton/Label');
        await shots(page, 'editor-refused');
        await axe(page);
        await target.getByRole('button', {name: 'Dismiss'}).click();
        await target.getByRole('alert').waitFor({state: 'detached'});
    });
});

describe('components', () => {
    test('are added by search, moved, disabled, and removed after confirmation', async t => {
        const {page, server, file} = await openEditor(t, {scene: 'GameScene', object: '/Enemy'});
        const types = async () => (await server.call('get_scene_hierarchy', {root_path: '/Enemy', max_depth: 0})).root_game_objects[0].components
            .map(type => type.split('.').at(-1));
        const before = await types();
        const dialog = page.getByRole('dialog', {name: 'Add component'});
        await openAdd(page);
        await dialog.getByRole('option').first().waitFor();
        await shots(page, 'editor-add');
        await axe(page);
        await dialog.getByRole('combobox').fill('box collider'); // Unity's spelling
        await until(async () => (await dialog.getByRole('option').locator('.name').allTextContents()).join() === 'BoxCollider,BoxCollider2D', 'matches without the space');
        await dialog.getByRole('combobox').fill('turr');
        await until(async () => (await dialog.getByRole('option').locator('.name').allTextContents()).join() === 'Turret', 'the script');
        await page.keyboard.press('Enter');
        await dialog.waitFor({state: 'detached'});
        await toast(page, /^Turret added/).waitFor();
        const after = await types();
        assert.equal(after.at(-1), 'Turret');
        const turret = component(page, 'Turret');
        await until(() => turret.locator('h3 button').evaluate(e => e === document.activeElement), 'the focus on the new component');
        await box(turret, 'Range').waitFor();

        await turret.getByRole('button', {name: 'Move Turret up'}).click();
        await until(async () => (await types()).at(-2) === 'Turret', 'the new position');
        await inspector(page).getByRole('region', {name: `Turret, component ${after.length - 2}`}).waitFor();
        await turret.getByRole('checkbox', {name: 'Enabled'}).uncheck();
        await until(async () => (await server.call('get_component_info', {game_object_path: '/Enemy', index: after.length - 2}))
            .fields.m_Enabled === false, 'a disabled component');
        assert.match(file.project.diff(file.path).added.join('\n'), /m_Enabled: 0/);

        await turret.getByRole('button', {name: 'Remove Turret'}).click();
        const ask = page.getByRole('dialog', {name: 'Remove Turret?'});
        await ask.getByText('/Enemy', {exact: false}).waitFor();
        await until(() => ask.getByRole('button', {name: 'Cancel'}).evaluate(e => e === document.activeElement), 'the focus on Cancel');
        await axe(page);
        await page.keyboard.press('Escape');
        await ask.waitFor({state: 'detached'});
        await turret.getByRole('button', {name: 'Remove Turret'}).click();
        await ask.getByRole('button', {name: 'Remove', exact: true}).click();
        await turret.waitFor({state: 'detached'});
        assert.deepEqual(await types(), after.filter(type => type !== 'Turret'));
        for (let i = 0; i < 4; i++)
            await undo(page).click();
        await file.isOriginal();
        await until(async () => (await types()).join() === before.join(), 'the original components');
        await inspector(page).getByText(`${before.length} components`).waitFor();
    });

    test('a late response does not navigate back', async t => {
        const {page, file} = await openEditor(t, {scene: 'GameScene', object: '/Enemy'});
        const release = await holdChanges(page), dialog = page.getByRole('dialog', {name: 'Add component'});
        await openAdd(page);
        await dialog.getByRole('combobox').fill('turr');
        await until(async () => (await dialog.getByRole('option').locator('.name').allTextContents()).join() === 'Turret', 'the script');
        await page.keyboard.press('Enter');
        await dialog.getByText('Adding…').waitFor();
        await dialog.getByRole('button', {name: 'Cancel'}).click();
        await item(page, 'Main Camera').click();
        await until(async () => (await inspected(page).textContent()) === 'Main Camera', 'another object');
        release();
        await toast(page, /^Turret added/).waitFor();
        assert.ok(file.project.diff(file.path).added.length > 0);
        assert.equal(await inspected(page).textContent(), 'Main Camera');
        assert.doesNotMatch(page.url(), /Enemy|component=/);
    });

    test('errors of adding and removing are shown at their place', async t => {
        const {page} = await openEditor(t, {scene: 'WorkshopScene', object: '/Score'});
        const dialog = page.getByRole('dialog', {name: 'Add component'});
        await openAdd(page);
        await dialog.getByRole('combobox').fill('ScoreKeeper');
        await dialog.getByRole('option', {name: /^ScoreKeeper/}).click();
        await dialog.getByRole('alert').getByText('Nothing was changed.').waitFor(); // only one is allowed
        await axe(page);
        await page.getByRole('button', {name: 'Close', exact: true}).click();
        await item(page, 'Turret').click();
        await component(page, 'Rigidbody').getByRole('button', {name: 'Remove Rigidbody'}).click(); // Turret requires it
        await page.getByRole('dialog').getByRole('button', {name: 'Remove', exact: true}).click();
        await component(page, 'Rigidbody').getByRole('alert').getByText('Nothing was changed.').waitFor();
    });

    test('a missing script is shown and can be removed', async t => {
        const {page, server, file} = await openEditor(t, {scene: 'WorkshopScene', object: '/Ghost'});
        const missing = component(page, 'Missing script');
        await missing.getByText('The script of this component is missing').waitFor();
        await shots(page, 'editor-missing');
        await axe(page);
        await missing.getByRole('button', {name: 'Remove Missing script'}).click();
        await page.getByRole('dialog', {name: 'Remove Missing script?'}).getByRole('button', {name: 'Remove', exact: true}).click();
        await missing.waitFor({state: 'detached'});
        await page.getByRole('treeitem', {name: 'Ghost', exact: true}).waitFor();
        assert.deepEqual((await server.call('get_scene_hierarchy', {root_path: '/Ghost', max_depth: 0})).root_game_objects[0].components,
            ['UnityEngine.Transform', 'UnityEngine.BoxCollider']);
        await undo(page).click();
        await file.isOriginal();
        await page.getByRole('treeitem', {name: /^Ghost missing script/}).waitFor();
    });

    test('an edit of a prefab instance is an override, and a project open in Unity is read-only', async t => {
        const {page, file} = await openEditor(t, {scene: 'ArenaScene', object: '/Crate'});
        const collider = component(page, 'BoxCollider');
        await fill(box(collider, 'Size y'), '5');
        await until(() => file.project.diff(file.path).added.some(l => l.includes('propertyPath: m_Size.y')), 'an override');
        const {removed, added} = file.project.diff(file.path);
        assert.deepEqual(removed, []);
        assert.equal(added.length, 4);
        await undo(page).click();
        await file.isOriginal();

        const release = await lockProject(t, file.project);
        await item(page, 'Watcher').click();
        const guard = component(page, 'Guard'), radius = box(guard, 'Patrol Radius');
        await guard.getByText(/Unity/).first().waitFor(); // the reason
        assert.ok(await radius.isDisabled());
        await shots(page, 'editor-locked');
        await axe(page);
        await release();
        await page.getByRole('button', {name: 'Reload the scene'}).click();
        await until(() => radius.isEnabled(), 'an enabled field');
    });
});

describe('undo and redo', () => {
    test('restore the file byte for byte, and text fields have their own undo', async t => {
        const {page, zoo, file, shows} = await openZoo(t);
        await fill(box(zoo, 'Whole'), '1');
        await file.changed(line('whole: -42', 'whole: 1'));
        await zoo.getByRole('checkbox', {name: 'Flag', exact: true}).uncheck();
        await file.changed({removed: ['  flag: 1', '  whole: -42'], added: ['  flag: 0', '  whole: 1']});
        await zoo.locator('h3 button').focus();
        await page.keyboard.press('Control+z');
        await file.changed(line('whole: -42', 'whole: 1'));
        await page.keyboard.press('Control+z');
        await file.isOriginal();
        await shows(box(zoo, 'Whole'), '-42');
        await page.keyboard.press('Control+Shift+z');
        await file.changed(line('whole: -42', 'whole: 1'));
        await page.keyboard.press('Control+y');
        await file.changed({removed: ['  flag: 1', '  whole: -42'], added: ['  flag: 0', '  whole: 1']});
        await undo(page).click();
        await redo(page).click();
        await undo(page).click();
        await undo(page).click();
        await file.isOriginal();
        await undo(page).click();
        await toast(page, 'Nothing to undo.').waitFor();

        const text = box(zoo, 'Text');
        await text.click();
        await page.keyboard.type('abc');
        await page.keyboard.press('Control+z');
        await until(async () => !(await text.inputValue()).includes('abc'), 'the undo of the browser');
        await page.keyboard.press('Escape');
        file.project.isOriginal('WorkshopScene');
        await redo(page).click();
        await file.changed(line('whole: -42', 'whole: 1'));
    });
});

describe('conflicting edits', () => {
    test('consecutive edits of the page are all saved', async t => {
        const {page, zoo, file, shows} = await openZoo(t);
        await box(zoo, 'Whole').click();
        await page.keyboard.type('7');
        await page.keyboard.press('Tab');
        await page.keyboard.type('8'); // Start, while Whole is being saved
        await page.keyboard.press('Enter');
        await page.keyboard.type('9');
        await page.keyboard.press('Enter');
        await file.changed({removed: ['  whole: -42', '  start: 0'], added: ['  whole: 7', '  start: 9']});
        await shows(box(zoo, 'Whole'), '7');
        await shows(box(zoo, 'Start'), '9');
        for (const part of ['x', 'y', 'z'])
            await fill(box(zoo, `Position ${part}`), '5', 'Tab');
        await until(() => file.project.read(file.path).includes('  position: {x: 5, y: 5, z: 5}'), 'all three parts');
    });

    test('input survives a failed save and can be saved later', async t => {
        const {page, zoo, file, info} = await openZoo(t);
        const text = box(zoo, 'Text'), x = box(zoo, 'Position x');
        await text.fill('one\ntwo');
        const release = await lockProject(t, file.project);
        await page.keyboard.press('Control+Enter');
        await field(zoo, 'text').getByText('ERR_PROJECT_LOCKED').waitFor();
        await field(zoo, 'text').getByText('not saved: Ctrl+Enter saves it, Escape discards it').waitFor();
        assert.equal(await text.inputValue(), 'one\ntwo');
        file.project.isOriginal('WorkshopScene');
        await release();
        await page.getByRole('button', {name: 'Reload the scene'}).click();
        await until(() => text.isEnabled(), 'an enabled field');
        assert.equal(await text.inputValue(), 'one\ntwo');
        await text.press('Control+Enter');
        await until(async () => (await info('text')) === 'one\ntwo', 'saved');
        await field(zoo, 'text').getByText('not saved').waitFor({state: 'detached'});

        // Two parts are being saved: the error of the first is shown and its input kept.
        let fail;
        const failing = new Promise(done => { fail = done; });
        await page.route('**/mcp', async route => {
            const sent = route.request().postData(), invalid = sent.replace('"position":{"x":5', '"position":{"x":"five"'); // the server rejects it
            if (invalid !== sent)
                await failing;
            await route.continue({postData: invalid});
        });
        await fill(x, '5', 'Tab');
        await fill(box(zoo, 'Position y'), '6');
        fail();
        const has = position => until(() => file.project.read(file.path).includes(`  position: ${position}`), position);
        await has('{x: 1, y: 6, z: 3}');
        await until(async () => (await x.inputValue()) === '5' && await field(zoo, 'position').getByText('not saved: Enter').isVisible(), 'the input of the first part');
        await field(zoo, 'position').locator('.error').waitFor();
        assert.ok(file.project.read(file.path).includes('  position: {x: 1, y: 6, z: 3}'));
        await page.unroute('**/mcp');
        await x.press('Enter');
        await has('{x: 5, y: 6, z: 3}');
    });

    test('a change by another client neither overwrites input nor is overwritten unseen', async t => {
        const {page, server, zoo, info, shows} = await openZoo(t);
        const set = fields => server.call('manage_component', {action: 'update', game_object_path: '/Zoo', index: 2, fields}, {client: 'other'});
        const real = box(zoo, 'Real'), text = box(zoo, 'Text');
        await real.fill('2.5');
        await set({real: 9, whole: 5});
        await shows(box(zoo, 'Whole'), '5'); // the page has loaded it
        assert.equal(await real.inputValue(), '2.5');
        const hint = field(zoo, 'real').getByRole('status').getByText('changed to 9: Enter saves your value, Escape discards it');
        await hint.waitFor();
        await shots(page, 'editor-meanwhile');
        await axe(page, {within: '[data-field="real"]'});
        await page.keyboard.press('Tab'); // leaving the field does not decide
        assert.equal(await real.inputValue(), '2.5');
        assert.equal(await info('real'), 9);
        await real.press('Escape');
        await shows(real, '9');
        await real.fill('2.5');
        await set({real: 10});
        await field(zoo, 'real').getByText(/^changed to 10/).waitFor();
        await real.press('Enter');
        await until(async () => (await info('real')) === 2.5, 'the own value');

        await text.fill('mine');
        await set({text: 'theirs <b>'});
        await field(zoo, 'text').getByText('changed to “theirs <b>”').waitFor();
        await text.blur();
        assert.equal(await info('text'), 'theirs <b>');
        await text.press('Escape');
        await shows(text, 'theirs <b>');

        // A value saved as a whole (a curve) does not overwrite unseen changes.
        const fade = field(zoo, 'fade');
        await fade.getByRole('button', {name: 'Fade: 2 keys'}).click();
        const release = await holdLoads(page);
        await set({fade: {keys: [{time: 0, value: 3}, {time: 1, value: 4}]}});
        await fill(box(fade, 'value of key 1'), '0.5');
        await until(async () => { release(); return fade.getByText('The value has changed meanwhile.').isVisible(); }, 'the conflict');
        await page.unroute('**/mcp');
        assert.deepEqual((await server.call('get_component_info', {game_object_path: '/Zoo', index: 2, describe: true, fields: ['fade']}))
            .fields.fade.value.keys.map(key => key.value), [3, 4]);
        await shows(box(fade, 'value of key 1'), '4');
    });
});
