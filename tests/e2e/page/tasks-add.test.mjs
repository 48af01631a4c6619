// New tasks by form and as YAML: what is wrong stands where it is wrong, what is added is what the command line shows.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {axe, settled, shots, until} from '../fixtures/console.mjs';
import {detailOf, hold, listed, openWindow, rowOf} from '../fixtures/console_tasks.mjs';

const dialog = page => page.getByRole('dialog', {name: 'Add tasks'});
const field = (page, name) => dialog(page).getByRole('textbox', {name: typeof name === 'string' ? new RegExp(`^${name}`) : name});
const faultOf = async (page, name) => {
    const id = await field(page, name).getAttribute('aria-describedby');
    return page.evaluate(i => document.getElementById(i).textContent, id);
};
const faulted = (page, name, pattern) => until(async () => pattern.test(await faultOf(page, name)), `${pattern} at ${name}`);
const focusIs = (page, locator) => until(async () => locator.evaluate(n => n === document.activeElement), 'the focus');

test('by form: faults at their fields, needs that are picked, and then it is there', async t => {
    const {page, place} = await openWindow(t, {before: p => p.add({ground: [], 'old walls': []})});
    await page.getByRole('button', {name: 'Add tasks'}).click();
    const add = dialog(page).getByRole('button', {name: 'Add task', exact: true});
    await dialog(page).getByRole('tab', {name: 'Form'}).waitFor();
    await focusIs(page, field(page, 'Name'));

    // Empty: told at once, the first wrong field has the focus, nothing is sent.
    await add.click();
    await faulted(page, 'Name', /needs a name/);
    await faulted(page, 'What is wanted', /Say what is wanted/);
    await focusIs(page, field(page, 'Name'));
    await field(page, 'Name').fill('ground');
    await faulted(page, 'Name', /There is a task of this name already \(Ready\)/);
    await field(page, 'Name').fill('roof <img src=x onerror=alert(1)>');
    await faulted(page, 'Name', /^$/);
    await field(page, 'Title').fill('The <b>roof</b> & "all"');
    await field(page, 'What is wanted').fill('A roof:\n  - dry\n  - "quoted"');

    // What only the server knows stands at its field, too.
    await field(page, 'Folder of the repo').fill('not/there');
    await faulted(page, 'Folder of the repo', /not\/there/);
    await shots(page, 'tasks-add-form');
    await axe(page);
    await add.click();
    await focusIs(page, field(page, 'Folder of the repo'));
    await field(page, 'Folder of the repo').fill('');
    await faulted(page, 'Folder of the repo', /^$/);
    await field(page, 'Attempts at most').fill('many');
    await faulted(page, 'Attempts at most', /whole number/);
    await field(page, 'Attempts at most').fill('2');

    // Needs: picked by keyboard, typed, taken back.
    const needs = dialog(page).getByRole('combobox', {name: 'Needs'});
    await needs.fill('wal');
    await dialog(page).getByRole('option', {name: /old walls/}).waitFor();
    await needs.press('ArrowDown');
    await needs.press('Enter');
    await needs.fill('nobody');
    await needs.press('Enter');
    await dialog(page).getByText('There is no task “nobody”.').waitFor();
    await dialog(page).getByRole('button', {name: 'Remove nobody'}).click();
    await dialog(page).getByText('There is no task “nobody”.').waitFor({state: 'hidden'});
    await needs.press('Escape'); // the list of names, not the dialog
    await field(page, 'Test command').fill('make test && true');
    await dialog(page).getByRole('combobox', {name: 'Pool'}).fill('houses');

    // Closed and opened again it is as it was.
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({state: 'hidden'});
    await page.getByRole('button', {name: 'Add tasks'}).click();
    assert.equal(await field(page, 'Title').inputValue(), 'The <b>roof</b> & "all"');
    await dialog(page).getByText('As YAML').click();
    const yaml = await dialog(page).locator('pre').innerText();
    await add.click();
    await dialog(page).waitFor({state: 'hidden'});
    await page.getByText('1 task added').waitFor();
    const made = await place.show('roof <img src=x onerror=alert(1)>');
    assert.deepEqual([made.title, made.pool, made.max_attempts, made.state, made.needs.map(n => n.name), made.repo],
        ['The <b>roof</b> & "all"', 'houses', 2, 'PENDING', ['old walls'], place.user.repo]);
    assert.equal(made.spec.trim(), yaml.trim());
    assert.match(made.spec, /make test && true/);
    // It is shown, as text.
    await detailOf(page).getByRole('heading', {name: 'roof <img src=x onerror=alert(1)>'}).waitFor();
    await rowOf(page, 'roof <img src=x onerror=alert(1)>').getByText('The <b>roof</b> & "all"').waitFor();
    assert.equal(await page.locator('main img').count(), 0);
});

test('as YAML: a fault at its line, several documents, files, warnings', async t => {
    const {page, place} = await openWindow(t, {hash: '#/tasks?add=yaml', before: p => p.add({ground: []})});
    const text = field(page, /Task YAML/);
    const add = dialog(page).getByRole('button', {name: /^Add /});
    await dialog(page).getByRole('button', {name: 'Insert an example'}).click();
    await dialog(page).getByText('“roof” needs “walls”, which is neither here nor in the store').waitFor();
    assert.ok(await add.isDisabled());
    await text.fill('version: 1\ntask:\n  id: walls\n  prd: Four.\n  titel: Walls\n---\nversion: 1\ntask:\n  id: roof\n  dependencies: [walls, ground]\n  prd: 7\n');
    const place1 = dialog(page).getByRole('button', {name: 'Line 11, column 8'});
    await place1.waitFor();
    await dialog(page).getByText('/task/prd: must be text').waitFor();
    await dialog(page).getByText(/titel.* did you mean "title"/).waitFor();
    await dialog(page).getByRole('button', {name: 'Line 5, column 10'}).waitFor();
    await shots(page, 'tasks-add-yaml');
    await axe(page);
    await place1.click();
    await settled(page);
    assert.deepEqual(await text.evaluate(n => [n === document.activeElement, n.value.slice(n.selectionStart, n.selectionEnd)]), [true, '7']);
    await page.keyboard.type('It is dry.');
    await dialog(page).getByText('2 tasks are right: walls, roof').waitFor();
    assert.ok(await text.evaluate(n => n.value.includes('prd: It is dry.')));

    // A name that is taken, one that is there twice.
    const good = await text.inputValue();
    await text.fill(good.replace('id: roof', 'id: ground'));
    await dialog(page).getByText('there is a task “ground” already').waitFor();
    await text.fill(good.replace('id: roof', 'id: walls'));
    await dialog(page).getByText('“walls” is there twice: also in line 1').waitFor();
    await text.fill(good);
    await dialog(page).getByText('2 tasks are right').waitFor();

    // Files come behind what is typed, also one that does not end with a newline.
    const files = ['chimney', 'smoke'].map(name => path.join(place.user.dir, `${name}.yaml`));
    writeFileSync(files[0], 'version: 1\ntask: {id: chimney, prd: It smokes., dependencies: [roof]}');
    writeFileSync(files[1], 'version: 1\ntask: {id: smoke, prd: It is grey.}');
    await dialog(page).locator('input[type=file]').setInputFiles(files);
    await dialog(page).getByText('4 tasks are right: walls, roof, chimney, smoke').waitFor();
    // The key does what the button would do, which is nothing now.
    await field(page, 'Attempts at most').fill('many');
    await until(() => add.isDisabled(), 'that they cannot be added');
    let sent = 0;
    page.on('request', r => { sent += r.url().endsWith('/api/tasks/add') ? 1 : 0; });
    await text.press('Control+Enter');
    await settled(page);
    assert.equal(sent, 0);
    await field(page, 'Attempts at most').fill('');
    assert.equal((await place.list()).length, 1, 'nothing was added yet');
    await add.click();
    await dialog(page).waitFor({state: 'hidden'});
    await listed(page, ['ground', 'walls', 'roof', 'chimney', 'smoke']);
    assert.deepEqual((await place.list()).map(r => [r.name, r.state]), [['ground', 'READY'], ['walls', 'READY'], ['roof', 'PENDING'], ['chimney', 'PENDING'], ['smoke', 'READY']]);
    assert.deepEqual((await place.show('roof')).needs.map(n => n.name).toSorted(), ['ground', 'walls']);
    assert.match((await place.show('roof')).spec, /It is dry/);
    await page.getByRole('group', {name: 'Selected tasks'}).getByText('4 tasks selected').waitFor();

    // An answer that comes when the dialog is closed leads nobody away.
    await rowOf(page, 'walls').click();
    await detailOf(page).getByRole('heading', {name: 'walls'}).waitFor();
    await page.getByRole('button', {name: 'Add tasks'}).click();
    await dialog(page).getByRole('tab', {name: 'YAML'}).click();
    await text.fill('version: 1\ntask: {id: late, prd: It comes late.}\n');
    await dialog(page).getByText('1 task is right: late').waitFor();
    const {held, go} = await hold(page, '**/api/tasks/add');
    await add.click();
    await held;
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({state: 'hidden'});
    await go();
    await page.getByText('1 task added').waitFor();
    await listed(page, ['ground', 'walls', 'roof', 'chimney', 'smoke', 'late']);
    await detailOf(page).getByRole('heading', {name: 'walls'}).waitFor();
});
