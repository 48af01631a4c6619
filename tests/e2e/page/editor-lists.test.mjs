// Lists and structs in the inspector: elements, also nested ones, are added, removed, moved and edited; everything else
// in the file stays unchanged.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {axe, shots, until} from '../fixtures/console.mjs';
import {box, component, field, fill, holdChanges, holdLoads, line, openEditor, openZoo, undo} from '../fixtures/editor_page.mjs';

const button = (within, name) => within.getByRole('button', {name, exact: true});
const focused = (locator, what) => until(() => locator.evaluate(e => e === document.activeElement), what);

test('elements are edited, added, removed and moved', async t => {
    const {page, zoo, edited, info, shows, file} = await openZoo(t);
    const factors = field(zoo, 'factors').first(), words = field(zoo, 'words').first(), numbers = field(zoo, 'numbers').first();
    const values = async name => (await info(name)).value;
    await edited(() => fill(box(field(zoo, 'factors[1]'), 'Element 1'), '1.25'), line('- 1', '- 1.25'),
        async () => assert.deepEqual(await values('factors'), [0.5, 1.25, 2.25]));
    await shows(box(field(zoo, 'factors[1]'), 'Element 1'), '1');

    await edited(() => button(factors, 'Add an element to Factors').click(), {removed: [], added: ['  - 0']},
        () => focused(box(field(zoo, 'factors[3]'), 'Element 3'), 'the focus on the new element'));
    await field(zoo, 'factors[3]').waitFor({state: 'detached'});
    await edited(() => button(factors, 'Remove element 0').click(), {removed: ['  - 0.5'], added: []});
    await shows(box(field(zoo, 'factors[0]'), 'Element 0'), '0.5');
    await edited(() => button(factors, 'Move element 2 up').click(), {removed: ['  - 1'], added: ['  - 1']},
        async () => assert.deepEqual(await values('factors'), [0.5, 2.25, 1]));
    await shows(box(field(zoo, 'factors[2]'), 'Element 2'), '2.25');

    await edited(() => fill(box(field(zoo, 'words[1]'), 'Element 1'), 'two: 2'), line('- ', '- \'two: 2\''),
        async () => assert.deepEqual(await values('words'), ['one', 'two: 2', 'three: 3']));
    await shows(box(field(zoo, 'words[1]'), 'Element 1'), '');
    await edited(() => button(words, 'Move element 0 down').click(), {removed: ['  - one'], added: ['  - one']},
        async () => assert.deepEqual(await values('words'), ['', 'one', 'three: 3']));
    // lists that are written on one line
    await edited(() => fill(box(field(zoo, 'numbers[2]'), 'Element 2'), '-1'),
        line('numbers: 64000000c80000002c010000', 'numbers: 64000000c8000000ffffffff'));
    await shows(box(field(zoo, 'numbers[2]'), 'Element 2'), '300');
    await edited(() => button(numbers, 'Remove element 1').click(), line('numbers: 64000000c80000002c010000', 'numbers: 640000002c010000'));
    await edited(() => field(zoo, 'toggles[1]').getByRole('checkbox').check(), line('toggles: 010001', 'toggles: 010101'));
    await edited(() => field(zoo, 'sizes[0]').getByRole('combobox').selectOption('Medium'), line('sizes: 0104', 'sizes: 0204'));
    await edited(() => fill(box(field(zoo, 'points[1]'), 'Element 1 y'), '9'), line('- {x: 1, y: 2, z: 3}', '- {x: 1, y: 9, z: 3}'));
    await box(field(zoo, 'bytes[0]'), 'Element 0').fill('256');
    await field(zoo, 'bytes[0]').getByText('at most 255').waitFor();
    await page.keyboard.press('Escape');
    await edited(async () => {
        const grip = (await factors.locator('.grip').all())[0];
        await factors.scrollIntoViewIfNeeded();
        await grip.dragTo(factors.locator('[data-element="2"]'));
    }, {removed: ['  - 0.5'], added: ['  - 0.5']}, async () => assert.deepEqual(await values('factors'), [1, 2.25, 0.5]));
    await file.isOriginal();
});

test('a late new element does not take the focus from a field', async t => {
    const {page, zoo, file} = await openZoo(t);
    const release = await holdChanges(page), real = box(zoo, 'Real');
    await button(field(zoo, 'factors').first(), 'Add an element to Factors').click();
    await real.click();
    await real.fill('12'); // the beginning of 125
    release();
    await field(zoo, 'factors[3]').waitFor();
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.keyboard.press('End');
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await file.changed({removed: ['  real: 1.5'], added: ['  real: 125', '  - 0']});
});

test('references, structs and nested lists are edited', async t => {
    const {page, zoo, edited, info, shows, server} = await openZoo(t);
    const targets = field(zoo, 'targets').first();
    await edited(async () => {
        await field(zoo, 'targets[1]').getByRole('button', {name: /Pick another/}).click();
        const dialog = page.getByRole('dialog', {name: /^Pick a target for/});
        await dialog.getByRole('combobox').fill('/Sun');
        await dialog.getByRole('option', {name: /Sun/}).click();
    }, {removed: ['  - {fileID: 0}'], added: [`  - {fileID: ${await transformOf(server)}}`]},
    async () => assert.equal((await info('targets')).value[1].ref_path, '/Sun'));
    await edited(() => button(targets, 'Add an element to Targets').click(), {removed: [], added: ['  - {fileID: 0}']});

    await edited(() => fill(box(field(zoo, 'best.id'), 'Id'), 'ring'), {removed: ['    id: crown'], added: ['    id: ring']});
    await shows(box(field(zoo, 'best.id'), 'Id'), 'crown');
    const loot = field(zoo, 'loot').first();
    const second = loot.locator('[data-element="1"]');
    await second.getByRole('button', {name: /^Element 1/}).click();
    await edited(() => fill(box(field(zoo, 'loot[1].amount'), 'Amount'), '5'), {removed: ['    amount: 1'], added: ['    amount: 5']});
    await shows(box(field(zoo, 'loot[1].amount'), 'Amount'), '1');
    await edited(() => field(zoo, 'loot[1].rarity').getByRole('combobox').selectOption('Rare'),
        {removed: ['    rarity: 2'], added: ['    rarity: 1']});
    await edited(() => button(loot, 'Add an element to Loot').click(), {removed: [], added: ['  - id: coin', '    amount: 1', '    rarity: 0']});
    await loot.locator('[data-element="2"]').waitFor({state: 'detached'});
    await edited(() => button(loot, 'Move element 0 down').click(),
        {removed: ['  - id: coin', '    amount: 3', '    rarity: 0'], added: ['  - id: coin', '    amount: 3', '    rarity: 0']});

    const chest = field(zoo, 'chest').first();
    const open = async (path, name) => {
        const heading = field(zoo, path).first().getByRole('button', {name}).first();
        if (await heading.getAttribute('aria-expanded') === 'false')
            await heading.click();
    };
    await open('chest.content', /^Content/);
    await open('chest.content[0]', /^Element 0/);
    await edited(() => fill(box(field(zoo, 'chest.content[0].amount'), 'Amount'), '13'), {removed: ['      amount: 12'], added: ['      amount: 13']});
    await open('chest.lock', /^Lock/);
    await open('chest.lock.key', /^Key/);
    await field(zoo, 'chest.lock.key.teeth').getByRole('button', {name: 'Load'}).click(); // omitted because of its depth
    await open('chest.lock.key.teeth', /^Teeth/);
    const teeth = box(field(zoo, 'chest.lock.key.teeth.count'), 'Count');
    await shows(teeth, '5');
    assert.ok(await teeth.isDisabled(), 'too deep to be set');
    await field(zoo, 'chest.lock.key.teeth.count').getByText('read-only').waitFor();
    await server.call('undo', {steps: 50});
    await edited(() => fill(box(field(zoo, 'chest.lock.key.label'), 'Label'), 'shiny'), {removed: ['        label: rusty'], added: ['        label: shiny']});
    await chest.scrollIntoViewIfNeeded();
    await shots(page, 'editor-lists');
    await axe(page);
});

const transformOf = async server => {
    const text = server.project.read('Assets/Scenes/WorkshopScene.unity');
    return text.match(/m_Component:\n {2}- component: \{fileID: (\d+)\}[^-]*?(?:- component[^-]*?)*m_Name: Sun\n/)[1];
};

test('a long list is loaded and edited by pages', async t => {
    const {page, server, zoo, info, file} = await openZoo(t);
    const set = factors => server.call('manage_component', {action: 'update', game_object_path: '/Zoo', index: 2, fields: {factors}}, {client: 'other'});
    await set(Array.from({length: 200}, (_, i) => i));
    const factors = field(zoo, 'factors').first();
    await factors.getByText('0 to 63 of 200 elements').waitFor();
    await button(factors, 'Later elements').click();
    await factors.getByText('64 to 127 of 200 elements').waitFor();
    await fill(box(field(zoo, 'factors[100]'), 'Element 100'), '0.5');
    await until(() => file.project.read(file.path).includes('  - 99\n  - 0.5\n  - 101\n'), 'the changed element');
    assert.equal(await box(field(zoo, 'factors[100]'), 'Element 100').inputValue(), '0.5');
    await factors.getByText('64 to 127 of 200 elements').waitFor(); // the page is kept
    await factors.getByRole('spinbutton').fill('199');
    await factors.getByRole('spinbutton').press('Enter');
    await factors.getByText('192 to 199 of 200 elements').waitFor();
    await button(factors, 'Remove element 199').click();
    await factors.getByText('192 to 198 of 199 elements').waitFor();
    await button(factors, 'Add an element to Factors').click();
    await until(async () => (await info('factors'))._total_count === 200, 'the new element');
    // Another client shortens the list while its end is shown.
    await set([1, 2, 3]);
    await field(zoo, 'factors[2]').waitFor();
    await until(async () => (await factors.locator('[data-element]').count()) === 3, 'three');
    // A changed list is not overwritten.
    const release = await holdLoads(page);
    await set([7, 8, 9, 10]);
    await button(factors, 'Remove element 0').click();
    await until(async () => { release(); return factors.getByText('The value has changed meanwhile.').isVisible(); }, 'the conflict');
    await page.unroute('**/mcp');
    assert.deepEqual((await info('factors')).value, [7, 8, 9, 10]);
    // Neither by an edit of an element, which would drop the appended one.
    await until(async () => (await factors.locator('[data-element]').count()) === 4, 'four');
    const releaseAgain = await holdLoads(page);
    await set([7, 8, 9, 10, 11]);
    await fill(box(field(zoo, 'factors[1]'), 'Element 1'), '80');
    await until(async () => { releaseAgain(); return field(zoo, 'factors[1]').getByText('The value has changed meanwhile.').isVisible(); }, 'the conflict');
    await page.unroute('**/mcp');
    assert.deepEqual((await info('factors')).value, [7, 8, 9, 10, 11]);
    await page.keyboard.press('Escape');
    await server.call('undo', {steps: 50});
    await file.isOriginal();
});

test('an edited element of a prefab instance is an override', async t => {
    const {page, file} = await openEditor(t, {scene: 'ArenaScene', object: '/Crate'});
    const first = field(component(page, 'MeshRenderer'), 'materials[0]');
    await first.getByRole('button', {name: /Pick another/}).click();
    const dialog = page.getByRole('dialog', {name: /^Pick a target for/});
    await dialog.getByRole('combobox').fill('alert');
    await dialog.getByRole('option', {name: /Alert/}).click();
    await until(() => file.project.diff(file.path).added.some(l => l.includes('m_Materials.Array.data[0]')), 'an override');
    assert.deepEqual(file.project.diff(file.path).removed, []);
    await undo(page).click();
    await file.isOriginal();
});
