// The scene tree: keyboard, search, marks, ten thousand objects, links.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {writeBigScene} from '../fixtures/big_scene.mjs';
import {axe, openConsole, settled, shots, until, watchTasks} from '../fixtures/console.mjs';
import {inspected, inspector, isSelected, item, items, names, openEditor, search, searched, selectedItem, tree} from '../fixtures/editor_page.mjs';
import {copySample} from '../fixtures/unity.mjs';

describe('the tree', () => {
    test('shows the scene with its marks and supports the keyboard', async t => {
        const {page} = await openEditor(t, {scene: 'WorkshopScene'});
        const all = await names(page);
        assert.deepEqual(all.slice(0, 4), ['Main Camera', 'Sun', 'Table', 'Zoo']);
        for (const name of ['in/out', 'café', 'Rock: big', 'Button #2', 'Level6'])
            assert.ok(all.includes(name), name);
        await tree(page).getByRole('treeitem', {name: /^Ghost missing script/}).waitFor();
        await tree(page).getByRole('treeitem', {name: /^Switched off inactive/}).waitFor();
        await tree(page).getByRole('treeitem', {name: /^Inside inactive/}).waitFor(); // an ancestor is inactive
        const twins = tree(page).getByRole('treeitem', {name: 'Twin', exact: true});
        assert.deepEqual(await twins.evaluateAll(rows => rows.map(r => [r.ariaLevel, r.ariaPosInSet, r.ariaSetSize])),
            [['2', '1', '3'], ['2', '2', '3'], ['2', '3', '3']]);

        const at = name => isSelected(page, name);
        await tree(page).focus();
        await page.keyboard.press('Home');
        await at('Main Camera');
        for (const name of ['Sun', 'Table', 'Zoo'])
            await page.keyboard.press('ArrowDown').then(() => at(name));
        await page.keyboard.press('ArrowUp');
        await at('Table');
        await inspected(page).getByText('Table').waitFor();
        await page.keyboard.press('End');
        await at('Level6');
        await page.keyboard.press('ArrowLeft');
        await at('Level5');
        await page.keyboard.press('Home');
        await page.keyboard.type('tw');
        await at('Twins');
        const twinsRow = item(page, 'Twins');
        assert.equal(await twinsRow.getAttribute('aria-expanded'), 'true');
        await page.keyboard.press('ArrowLeft');
        await twins.first().waitFor({state: 'detached'});
        assert.equal(await twinsRow.getAttribute('aria-expanded'), 'false');
        await page.keyboard.press('ArrowRight');
        await twins.first().waitFor();
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowDown');
        await page.waitForURL(/path=%2FTwins%2FTwin%5B1%5D/);
        assert.equal(await selectedItem(page).count(), 1, 'one of three equal names');
        assert.equal(await tree(page).getAttribute('aria-activedescendant'), await selectedItem(page).getAttribute('id'));
        await page.keyboard.press('Enter');
        await until(() => inspected(page).evaluate(e => e === document.activeElement), 'the focus in the inspector');
        await inspector(page).getByText('/Twins/Twin[1]', {exact: true}).waitFor();
        await inspector(page).getByRole('region', {name: 'BoxCollider, component 1'}).waitFor();

        await item(page, 'in/out').click();
        await inspector(page).getByText('/Names/in\\/out', {exact: true}).waitFor();
        await page.goBack(); // a click adds a history entry
        await inspected(page).getByText('Twin').waitFor();
        await item(page, 'Level1').locator('[data-twist]').click();
        await item(page, 'Level2').waitFor({state: 'detached'});
        await page.getByRole('button', {name: 'Collapse all'}).click();
        await until(async () => (await items(page).count()) === 12, 'only root objects');
        await page.getByRole('button', {name: 'Expand all'}).click();
        await item(page, 'Level6').waitFor();
        await shots(page, 'editor-tree');
        await axe(page);
    });

    test('only prefab roots are marked with their asset', async t => {
        const {page} = await openEditor(t, {scene: 'ArenaScene'});
        await tree(page).getByRole('treeitem', {name: /^Golden crate prefab Assets\/Prefabs\/CrateGold\.prefab/}).click();
        await inspector(page).getByText('Instance of Assets/Prefabs/CrateGold.prefab').waitFor();
        await page.getByRole('button', {name: /^Prefabs/}).click();
        await searched(page).getByText('2 of 8', {exact: true}).waitFor();
        const marked = await items(page).filter({hasText: 'prefab Assets/'}).locator('.name').allTextContents();
        assert.deepEqual(marked.sort(), ['Crate', 'CrateStack', 'CrateStackLocked', 'Golden crate', 'Lower', 'Lower', 'Upper', 'Upper']);
        await page.getByRole('button', {name: /^Prefabs/, pressed: true}).click();
        await item(page, 'Watcher').waitFor();
    });

    test('search finds names and components and can be cleared', async t => {
        const {page} = await openEditor(t, {scene: 'WorkshopScene'});
        const before = await names(page);
        await search(page).fill('level');
        await until(async () => (await searched(page).textContent()) === '6 found', '6 found');
        assert.deepEqual(await names(page), ['Level1', 'Level2', 'Level3', 'Level4', 'Level5', 'Level6']);
        await search(page).press('Enter');
        await isSelected(page, 'Level1');
        await search(page).press('Enter');
        await isSelected(page, 'Level2');
        assert.equal(await searched(page).textContent(), '2 of 6');
        await search(page).press('Shift+Enter');
        await search(page).press('Shift+Enter');
        await isSelected(page, 'Level6');
        await search(page).fill('t:boxcollider');
        await until(async () => (await names(page)).join() === 'Table,Ghost,Twins,Twin', 'objects with a BoxCollider');
        await search(page).fill('t:boxcollider wi');
        await until(async () => (await names(page)).join() === 'Twins,Twin', 'matches of both words');
        await search(page).fill('<b>nothing');
        await searched(page).getByText('No match').waitFor();
        await page.getByText('No object matches.').waitFor();
        assert.equal(await items(page).count(), 0);
        await search(page).press('Escape');
        await until(async () => (await names(page)).join() === before.join(), 'all objects');
        assert.equal(await search(page).inputValue(), '');
        await page.getByRole('button', {name: /^Missing scripts 1/}).click();
        await until(async () => (await names(page)).join() === 'Ghost', 'only Ghost');
        await search(page).press('ArrowDown');
        await page.keyboard.press('Home');
        await isSelected(page, 'Ghost');
        await inspector(page).getByText('The script of this component is missing').waitFor();
    });

    test('10,000 objects render only visible rows and cause no long task', async t => {
        const project = copySample(t);
        const {scene, count, kinds} = writeBigScene(project.dir);
        const {page} = await openConsole(t, {hash: '#/editor', project, scene});
        await items(page).first().waitFor();
        const tasks = await watchTasks(t, page);
        await page.getByRole('button', {name: 'Expand all'}).click();
        await until(async () => (await tree(page).evaluate(e => e.scrollHeight)) === count * 26, 'the height of all rows');
        assert.ok(await items(page).count() < 100, 'rows in the document');
        await tree(page).focus();
        for (const [key, n] of [['End', count - 1], ['PageUp', null], ['Home', 0]]) {
            await page.keyboard.press(key);
            if (n !== null)
                await isSelected(page, n ? (await names(page)).at(-1) : 'Node 0');
        }
        await page.getByText(`Missing scripts ${kinds.filter(k => k === 'missing').length.toLocaleString('en')}`).waitFor();
        await page.getByText(`Prefabs ${kinds.filter(k => k === 'lost' || k === 'instance').length}`).waitFor();
        await search(page).fill('node 777');
        await until(async () => (await searched(page).textContent()) === '11 found', '777, and 7770 to 7779');
        await search(page).press('Enter');
        await isSelected(page, 'Node 777');
        await search(page).fill('');
        await isSelected(page, 'Node 777'); // and it is visible
        await page.getByRole('button', {name: /^Missing scripts/}).click();
        await searched(page).getByText(/found|of/).waitFor();
        await page.getByRole('button', {name: /^Missing scripts/, pressed: true}).click();
        for (let y = 0; y < count * 26; y += 26_000) {
            await tree(page).evaluate((e, top) => { e.scrollTop = top; }, y);
            await settled(page);
        }
        await tasks.areShort('10,000 objects');
        await shots(page, 'editor-big');
    });

    test('a link opens an object and its component, and an unknown path shows a message', async t => {
        const {page} = await openEditor(t, {scene: 'WorkshopScene', object: '/Level1/Level2/Level3/Level4/Level5/Level6'});
        await isSelected(page, 'Level6');
        await page.evaluate(() => { location.hash = '#/editor?path=%2FTable&component=5'; });
        await inspected(page).getByText('Table').waitFor();
        const sixth = inspector(page).getByRole('region', {name: 'AudioSource, component 5'});
        await sixth.locator('[data-field="volume"]').waitFor(); // expanded because of the link
        assert.ok(await sixth.evaluate(e => e.getBoundingClientRect().top < innerHeight - 40), 'it is visible');
        await page.evaluate(() => { location.hash = '#/editor?path=%2FNobody%2F%3Cb%3E'; });
        await inspector(page).getByText('No object at /Nobody/<b>').waitFor();
        await shots(page, 'editor-no-object');
        await axe(page);
    });
});
