// References by picking, components added, removed, moved and switched off, undo and redo, and edits that meet others.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {axe, shots, until} from './console.mjs';
import {box, component, field, fill, inspected, inspector, isSelected, item, line, openEditor, openZoo, toast, undo} from './editor_page.mjs';

const pick = page => page.getByRole('dialog', {name: /^Pick for/});
const redo = page => page.getByRole('button', {name: 'Redo', exact: true});

describe('references', () => {
    test('to an object, a component and an asset, by picking; cleared; followed', async t => {
        const {page, zoo, edited, info, file} = await openZoo(t);
        const other = field(zoo, 'other'), body = field(zoo, 'body'), material = field(zoo, 'material');
        await edited(async () => {
            await other.getByRole('button', {name: 'Other: Table. Pick another'}).click();
            await pick(page).getByRole('combobox').fill('in/o');
            await pick(page).getByRole('option', {name: /^in\/out/}).waitFor();
            await until(async () => (await pick(page).getByRole('option').count()) === 1, 'only this one');
            await page.keyboard.press('Enter');
            await pick(page).waitFor({state: 'detached'});
        }, {removed: ['  other: {fileID: 540357616}'], added: [`  other: {fileID: ${objectId(file, 'in/out')}}`]},
        async () => assert.equal((await info('other')).ref_path, '/Names/in\\/out'));
        await other.getByRole('button', {name: 'Other: Table. Pick another'}).waitFor();

        await body.getByRole('button', {name: /Pick another/}).click();
        assert.deepEqual((await pick(page).getByRole('option').allTextContents()).map(text => text.match(/^\w+/)[0]),
            ['ZooRigidbodynow', 'TurretRigidbody'], 'only objects that have one');
        await shots(page, 'editor-pick');
        await axe(page);
        await pick(page).getByRole('combobox').fill('nothing <b> like that');
        await pick(page).getByText('Nothing like “nothing <b> like that” fits a field of Rigidbody.').waitFor();
        await pick(page).getByRole('combobox').fill('');
        await edited(() => pick(page).getByRole('option', {name: /^Turret/}).click(),
            {removed: ['  body: {fileID: 732943716}'], added: [`  body: ${reference(file, /Rigidbody:[^]*?m_GameObject: \{fileID: (\d+)\}/, 'Turret')}`]},
            async () => assert.equal((await info('body')).ref_path, '/Turret'));
        await edited(() => body.getByRole('button', {name: 'Clear Body'}).click(), line('body: {fileID: 732943716}', 'body: {fileID: 0}'),
            () => body.getByRole('button', {name: /None \(Rigidbody\)/}).waitFor());

        await edited(async () => {
            await material.getByRole('button', {name: /Pick another/}).click();
            await pick(page).getByRole('button', {name: 'None', exact: true}).click();
        }, line('material: {fileID: 2100000, guid: 0eb80c072a590f6cccb631187f4856d3, type: 2}', 'material: {fileID: 0}'));
        await body.getByRole('link', {name: 'Go to /Zoo'}).waitFor();
        await other.getByRole('link', {name: 'Go to /Table'}).click();
        await inspected(page).getByText('Table').waitFor();
        await isSelected(page, 'Table');
    });

    test('a field of a base class takes what is derived from it', async t => {
        const {page, server} = await openEditor(t, {scene: 'WorkshopScene', object: '/Turret'});
        const fields = Object.entries((await server.call('get_component_info', {game_object_path: '/Turret', index: 2, describe: true})).fields);
        t.diagnostic(JSON.stringify(fields.map(([n, f]) => [n, f.type])));
        await component(page, 'Turret').waitFor();
    });

    test('an asset is searched for and picked', async t => {
        const {page, zoo, edited, info} = await openZoo(t);
        const material = field(zoo, 'material');
        await edited(async () => {
            await material.getByRole('button', {name: 'Material: Alert (Material). Pick another'}).click();
            await pick(page).getByRole('option', {name: /Alert.*now/}).waitFor();
            const names = await pick(page).getByRole('option').allTextContents();
            assert.ok(names.every(text => /Material/.test(text)), names.join());
            await shots(page, 'editor-pick-asset');
            await axe(page);
            const [first] = names.filter(text => !text.startsWith('Alert')).map(text => text.match(/Assets\/\S+?\.\w+/)[0]);
            await pick(page).getByRole('combobox').fill(first.match(/(\w+)\.\w+$/)[1]);
            await pick(page).getByRole('option', {name: first}).click();
            await until(async () => (await info('material')).asset_path === first, 'the asset');
        }, await assetLine(page));
    });

    const assetLine = async () => ({removed: ['  material: {fileID: 2100000, guid: 0eb80c072a590f6cccb631187f4856d3, type: 2}'],
        added: ['  material: {fileID: 2100000, guid: 37b5be8b8d8d7e2a5b7f1a3d0c1f4c5e, type: 2}']});

    test('an object of the tree can be dropped on a field', async t => {
        const {page, zoo, info} = await openZoo(t);
        await field(zoo, 'other').scrollIntoViewIfNeeded();
        await item(page, 'Holder').dragTo(field(zoo, 'other').locator('.reference'));
        await until(async () => (await info('other')).ref_path === '/Holder', 'dropped');
    });
});
