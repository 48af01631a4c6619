// New tasks by form and as YAML: errors are shown at their place, and the command line shows the added tasks.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {axe, settled, shots, until} from '../fixtures/console.mjs';
import {detailOf, hold, listed, openWindow, rowOf} from '../fixtures/console_tasks.mjs';

const dialog = page => page.getByRole('dialog', {name: 'Add tasks'});
const field = (page, name) => dialog(page).getByRole('textbox', {name: typeof name === 'string' ? new RegExp(`^${name}`) : name});
const errorOf = async (page, name) => {
    const id = await field(page, name).getAttribute('aria-describedby');
    return page.evaluate(i => document.getElementById(i).textContent, id);
};
const hasError = (page, name, pattern) => until(async () => pattern.test(await errorOf(page, name)), `${pattern} at ${name}`);
const focusIs = (page, locator) => until(async () => locator.evaluate(n => n === document.activeElement), 'the focus');

test('the form shows errors at their fields and adds a task with dependencies', async t => {
    const {page, place} = await openWindow(t, {before: p => p.add({ground: [], 'old walls': []})});
    await page.getByRole('button', {name: 'Add tasks'}).click();
    const add = dialog(page).getByRole('button', {name: 'Add task', exact: true});
    await dialog(page).getByRole('tab', {name: 'Form'}).waitFor();
    await focusIs(page, field(page, 'Name'));

    // An empty form shows errors, focuses the first invalid field and sends nothing.
    await add.click();
    await hasError(page, 'Name', /Enter a name/);
    await hasError(page, 'Requirements', /Enter the requirements/);
    await focusIs(page, field(page, 'Name'));
    await field(page, 'Name').fill('ground');
    await hasError(page, 'Name', /A task with this name exists \(Ready\)/);
    await field(page, 'Name').fill('roof <img src=x onerror=alert(1)>');
    await hasError(page, 'Name', /^$/);
    await field(page, 'Title').fill('The <b>roof</b> & "all"');
    await field(page, 'Requirements').fill('A roof:\n  - dry\n  - "quoted"');

    // Errors of the server are shown at their fields, too.
    await field(page, 'Repository folder').fill('not/there');
    await hasError(page, 'Repository folder', /not\/there/);
    await shots(page, 'tasks-add-form');
    await axe(page);
    await add.click();
    await focusIs(page, field(page, 'Repository folder'));
    await field(page, 'Repository folder').fill('');
    await hasError(page, 'Repository folder', /^$/);
    await field(page, 'Maximum attempts').fill('many');
    await hasError(page, 'Maximum attempts', /whole number/);
    await field(page, 'Maximum attempts').fill('2');

    // Dependencies are picked by keyboard, typed and removed.
    const needs = dialog(page).getByRole('combobox', {name: 'Depends on'});
    await needs.fill('wal');
    await dialog(page).getByRole('option', {name: /old walls/}).waitFor();
    await needs.press('ArrowDown');
    await needs.press('Enter');
    await needs.fill('nobody');
    await needs.press('Enter');
    await dialog(page).getByText('No such task: “nobody”.').waitFor();
    await dialog(page).getByRole('button', {name: 'Remove nobody'}).click();
    await dialog(page).getByText('No such task: “nobody”.').waitFor({state: 'hidden'});
    await needs.press('Escape'); // closes the list, not the dialog
    await field(page, 'Test command').fill('make test && true');
    await dialog(page).getByRole('combobox', {name: 'Pool'}).fill('houses');

    // The input survives closing the dialog.
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
    // It is displayed as text.
    await detailOf(page).getByRole('heading', {name: 'roof <img src=x onerror=alert(1)>'}).waitFor();
    await rowOf(page, 'roof <img src=x onerror=alert(1)>').getByText('The <b>roof</b> & "all"').waitFor();
    assert.equal(await page.locator('main img').count(), 0);
});

test('YAML shows errors and warnings at their lines and accepts several documents and files', async t => {
    const {page, place} = await openWindow(t, {hash: '#/tasks?add=yaml', before: p => p.add({ground: []})});
    const text = field(page, /Task YAML/);
    const add = dialog(page).getByRole('button', {name: /^Add /});
    await dialog(page).getByRole('button', {name: 'Insert example'}).click();
    await dialog(page).getByText('“roof” depends on “walls”, which does not exist').waitFor();
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
    await dialog(page).getByText('2 tasks valid: walls, roof').waitFor();
    assert.ok(await text.evaluate(n => n.value.includes('prd: It is dry.')));

    // An existing name and a duplicate name are errors.
    const good = await text.inputValue();
    await text.fill(good.replace('id: roof', 'id: ground'));
    await dialog(page).getByText('a task “ground” exists').waitFor();
    await text.fill(good.replace('id: roof', 'id: walls'));
    await dialog(page).getByText('duplicate name “walls”: first used in line 1').waitFor();
    await text.fill(good);
    await dialog(page).getByText('2 tasks valid').waitFor();

    // Files are appended, also one without a newline at its end.
    const files = ['chimney', 'smoke'].map(name => path.join(place.user.dir, `${name}.yaml`));
    writeFileSync(files[0], 'version: 1\ntask: {id: chimney, prd: It smokes., dependencies: [roof]}');
    writeFileSync(files[1], 'version: 1\ntask: {id: smoke, prd: It is grey.}');
    await dialog(page).locator('input[type=file]').setInputFiles(files);
    await dialog(page).getByText('4 tasks valid: walls, roof, chimney, smoke').waitFor();
    // The shortcut is disabled together with the button.
    await field(page, 'Maximum attempts').fill('many');
    await until(() => add.isDisabled(), 'a disabled button');
    let sent = 0;
    page.on('request', r => { sent += r.url().endsWith('/api/tasks/add') ? 1 : 0; });
    await text.press('Control+Enter');
    await settled(page);
    assert.equal(sent, 0);
    await field(page, 'Maximum attempts').fill('');
    assert.equal((await place.list()).length, 1, 'nothing is added yet');
    await add.click();
    await dialog(page).waitFor({state: 'hidden'});
    await listed(page, ['ground', 'walls', 'roof', 'chimney', 'smoke']);
    assert.deepEqual((await place.list()).map(r => [r.name, r.state]), [['ground', 'READY'], ['walls', 'READY'], ['roof', 'PENDING'], ['chimney', 'PENDING'], ['smoke', 'READY']]);
    assert.deepEqual((await place.show('roof')).needs.map(n => n.name).toSorted(), ['ground', 'walls']);
    assert.match((await place.show('roof')).spec, /It is dry/);
    await page.getByRole('group', {name: 'Selected tasks'}).getByText('4 tasks selected').waitFor();

    // A response after the dialog was closed does not navigate.
    await rowOf(page, 'walls').click();
    await detailOf(page).getByRole('heading', {name: 'walls'}).waitFor();
    await page.getByRole('button', {name: 'Add tasks'}).click();
    await dialog(page).getByRole('tab', {name: 'YAML'}).click();
    await text.fill('version: 1\ntask: {id: late, prd: It comes late.}\n');
    await dialog(page).getByText('1 task valid: late').waitFor();
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
