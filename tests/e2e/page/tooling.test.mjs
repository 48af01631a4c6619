// The tooling window: profiles, force mode, candidates with weights, shares and order.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {axe, NARROW, neverWider, shots, until} from '../fixtures/console.mjs';
import {bar, button, clean, dirty, namesAre, openTooling, row, rows, save, sharesAre, slider, tab, TWO,
    weight} from '../fixtures/console_tooling.mjs';
import {config, mock} from '../fixtures/tooling.mjs';

describe('common settings', () => {
    test('another profile is shown, and activated on request', async t => {
        const {page, server, inFile} = await openTooling(t);
        await namesAre(page, ['mock a', 'mock b', 'mock c']);
        await sharesAre(page, ['60 %', '30 %', '10 %']);
        await shots(page, 'tooling');
        await axe(page);
        await page.getByRole('button', {name: /^Night/}).click();
        await namesAre(page, ['mock owl']);
        assert.equal(inFile().activeProfile, 'day'); // it was only displayed
        await button(page, 'Use Night').click();
        await page.getByText('Profile night is active.').waitFor();
        assert.equal(inFile().activeProfile, 'night');
        assert.equal((await server.user.json('select', 'worker')).profile, 'night');
        await bar(page).getByRole('button', {name: 'Profile: Night'}).waitFor();
        await clean(page);

        // with other edits it is added to them
        await weight(page, 'mock owl').fill('7');
        await page.getByRole('button', {name: /^Day/}).click();
        await page.getByText('Added to your unsaved edits.').first().waitFor();
        await button(page, 'Use Day').click();
        assert.equal(inFile().activeProfile, 'night');
        const {gone, fresh} = await save(page);
        assert.deepEqual([gone, fresh].map(lines => lines.filter(l => l.includes('activeProfile'))),
            [['"activeProfile": "night",'], ['"activeProfile": "day",']]);
        assert.equal((await server.user.json('select', 'meta')).profile, 'day');
        assert.equal(inFile().profiles[1].categories.meta.candidates[0].weight, 7);

        // changes by the command line are shown
        await server.user.tooling('set-profile', 'night');
        await page.getByRole('button', {name: 'Night'}).getByText('in use').waitFor();
    });

    test('profiles are copied, renamed and removed', async t => {
        const {page, inFile, server} = await openTooling(t);
        await page.getByText('Name, copy, remove').click();
        await button(page, 'Copy').click();
        await page.getByRole('textbox', {name: 'Name of day-2'}).fill('Weekend <b>');
        await page.getByRole('button', {name: /^Weekend <b>/}).waitFor();
        await page.getByRole('button', {name: /^Day/}).click();
        await page.getByRole('textbox', {name: 'Name of day', exact: true}).waitFor();
        await button(page, 'Remove').click();
        await save(page);
        const file = inFile();
        assert.deepEqual(file.profiles.map(p => [p.id, p.name]), [['day-2', 'Weekend <b>'], ['night', 'Night']]);
        assert.deepEqual(file.profiles[0].categories, TWO.profiles[0].categories);
        assert.equal(file.activeProfile, 'day-2'); // the active one was removed
        assert.equal((await server.user.json('select', 'worker')).profile, 'day-2');
    });

    test('force mode is enabled with agent and model, changed and disabled', async t => {
        const {page, server, inFile} = await openTooling(t);
        const force = page.getByRole('switch', {name: 'Force mode'});
        const section = page.getByRole('region', {name: 'Force mode'});
        assert.ok(await force.isDisabled()); // no agent is chosen yet
        await section.getByRole('combobox', {name: 'Agent'}).selectOption('mock');
        await section.getByRole('combobox', {name: 'Model'}).fill('the-one');
        await weight(page, 'mock a').fill('61'); // another edit does not change the input
        assert.equal(await section.getByRole('combobox', {name: 'Model'}).inputValue(), 'the-one');
        await button(page, 'Discard').click();
        await force.click();
        await page.getByText('Force mode: mock the-one does all work.', {exact: true}).waitFor();
        assert.deepEqual(inFile().force, {enabled: true, tool: 'mock', model: 'the-one'});
        const choice = await server.user.json('select', 'worker');
        assert.deepEqual([choice.forced, choice.tool, choice.model], [true, 'mock', 'the-one']);
        await bar(page).getByRole('link', {name: 'Force mode: mock the-one'}).waitFor();
        await shots(page, 'tooling-force', {show: section});
        await axe(page);

        await section.getByRole('combobox', {name: 'Model'}).fill('');
        await button(page, 'Apply to force mode').click(); // none: the agent's default
        await until(() => !inFile().force.model, 'no model');
        assert.equal((await server.user.json('select', 'worker')).model, '');
        await clean(page);
        await force.press('Space');
        await bar(page).getByRole('link', {name: /Force mode/}).waitFor({state: 'detached'});
        assert.equal(inFile().force.enabled, false);
        assert.equal((await server.user.json('select', 'worker')).model, 'first');
        await server.user.tooling('force', 'mock', 'by-hand');
        await section.getByText('mock by-hand').waitFor();
        await bar(page).getByRole('link', {name: 'Force mode: mock by-hand'}).waitFor();
    });
});

describe('candidates', () => {
    test('weights are set by slider, keys and number, and shares follow at once', async t => {
        const {page, server, inFile} = await openTooling(t);
        await slider(page, 'mock a').focus();
        await page.keyboard.press('ArrowLeft');
        assert.equal(await weight(page, 'mock a').inputValue(), '59');
        await page.keyboard.press('Home');
        assert.equal(await weight(page, 'mock a').inputValue(), '0');
        await sharesAre(page, ['0 %', '75 %', '25 %']);
        await row(page, 'a').getByText('disabled', {exact: true}).waitFor();
        const box = await slider(page, 'mock a').boundingBox();
        const y = box.y + box.height / 2, x = part => box.x + 8 + part * (box.width - 16);
        await page.mouse.move(x(0), y);
        await page.mouse.down();
        await page.mouse.move(x(0.2), y, {steps: 4});
        await page.mouse.move(x(0.4), y, {steps: 4});
        await page.mouse.up();
        const dragged = Number(await weight(page, 'mock a').inputValue());
        assert.ok(Math.abs(dragged - 40) <= 3, `${dragged}`);
        await weight(page, 'mock a').fill('60.5');
        await weight(page, 'mock b').fill('');
        await weight(page, 'mock b').blur();
        assert.equal(await weight(page, 'mock b').inputValue(), '30'); // an empty field is not a weight
        await weight(page, 'mock b').fill('-4');
        await weight(page, 'mock b').blur();
        assert.equal(await weight(page, 'mock b').inputValue(), '30');
        await page.getByRole('checkbox', {name: 'Enable mock c'}).uncheck();
        await sharesAre(page, ['67 %', '33 %', '0 %']);
        await save(page);
        assert.deepEqual(inFile().profiles[0].categories.meta.candidates.map(c => c.weight), [60.5, 30, 0]);
        const {candidates} = await server.user.json('select', 'meta');
        assert.deepEqual(candidates.map(c => [c.model, c.weight, c.out]), [['a', 60.5, 'in'], ['b', 30, 'in'], ['c', 0, 'disabled']]);
        await page.getByRole('checkbox', {name: 'Enable mock c'}).check();
        assert.equal(await weight(page, 'mock c').inputValue(), '10'); // its previous weight
        // without an enabled candidate there is an error
        for (const who of ['a', 'b', 'c'])
            await page.getByRole('checkbox', {name: `Enable mock ${who}`}).uncheck();
        await sharesAre(page, ['0 %', '0 %', '0 %']);
        await page.getByRole('status').filter({hasText: 'Error in line'}).waitFor();
        await page.getByText('No candidate is available now').waitFor();
        await button(page, 'Discard').click();
        await clean(page);
    });

    test('sliders adapt to large and fractional weights', async t => {
        const tooling = config([mock('a', undefined, {weight: 0.5}), mock('b', undefined, {weight: 0.25}),
            mock('c', undefined, {weight: 0.25})], {strategy: 'weighted'});
        tooling.profiles[0].categories.worker.candidates = [mock('x', undefined, {weight: 750_000_000}), mock('y', undefined, {weight: 1}),
            mock('z', undefined, {weight: 250_000_000})];
        const {page, inFile} = await openTooling(t, {tooling});
        await sharesAre(page, ['50 %', '25 %', '25 %']);
        assert.equal(await slider(page, 'mock a').getAttribute('max'), '0.5');
        await slider(page, 'mock b').focus();
        await page.keyboard.press('ArrowRight');
        assert.equal(await weight(page, 'mock b').inputValue(), '0.255');
        await tab(page, 'worker').click();
        await sharesAre(page, ['75 %', '< 0.1 %', '25 %']);
        await slider(page, 'mock z').focus();
        await page.keyboard.press('End');
        await save(page);
        const {meta, worker} = inFile().profiles[0].categories;
        assert.deepEqual(meta.candidates.map(c => c.weight), [0.5, 0.255, 0.25]);
        assert.deepEqual(worker.candidates.map(c => c.weight), [750_000_000, 1, 1_000_000_000]);
    });

    test('are added, edited and removed, and a category gets its own settings', async t => {
        const {page, server, inFile, onDisk} = await openTooling(t, {hash: '#/tooling?category=plan', env: {WORK_KEY: 'sk-of-work'}});
        await page.getByText('This category uses the settings of meta').waitFor();
        assert.ok(await slider(page, 'mock a').isDisabled());
        await button(page, 'Add own settings').click();
        await page.getByRole('combobox', {name: 'Agent of the new candidate'}).selectOption('mock');
        await page.getByRole('combobox', {name: 'Model of the new candidate'}).fill('planner');
        await button(page, 'Add').first().click();
        await namesAre(page, ['mock a', 'mock b', 'mock c', 'mock planner']);
        await button(page, 'Remove mock a').click();
        await button(page, 'Remove mock b').click();
        await button(page, 'Remove mock c').click();
        await namesAre(page, ['mock planner']);
        assert.equal(await button(page, 'Remove mock planner').getAttribute('aria-disabled'), 'true');
        await button(page, 'Details of mock planner').click();
        const more = rows(page).first();
        await more.getByRole('combobox', {name: 'Model'}).fill('planner-2');
        await more.getByRole('textbox', {name: 'Program'}).fill('/opt/mock');
        await more.getByRole('button', {name: 'Add argument', exact: true}).click();
        await more.getByRole('textbox', {name: 'Argument 1'}).fill('--fast');
        await more.getByRole('textbox', {name: 'System prompt'}).fill('Be brief.\nBe "kind".');
        const name = more.getByRole('textbox', {name: 'Name of the new variable'});
        const value = more.getByRole('textbox', {name: 'Value of the new variable'});
        await name.fill('MOCK_API_KEY');
        await value.fill('env:WORK_KEY');
        await value.press('Enter');
        await name.fill('MODE');
        await value.fill('a=b');
        await more.getByRole('button', {name: 'Add', exact: true}).click();
        await row(page, 'planner-2').getByText('WORK_KEY').first().waitFor(); // the account is named after the variable
        await save(page);
        const {plan} = inFile().profiles[0].categories;
        assert.equal(plan.strategy, 'weighted');
        const {weight: share, ...rest} = plan.candidates[0];
        assert.ok(share > 0);
        assert.deepEqual(rest, {tool: 'mock', model: 'planner-2', cliPath: '/opt/mock', flags: ['--fast'],
            systemPrompt: 'Be brief.\nBe "kind".', env: {MOCK_API_KEY: 'env:WORK_KEY', MODE: 'a=b'}});
        assert.doesNotMatch(onDisk(), /sk-of-work/);
        assert.doesNotMatch(await page.content(), /sk-of-work/);
        const said = await server.user.json('select', 'plan');
        assert.deepEqual([said.used, said.candidates[0].account], ['plan', 'WORK_KEY']);
        // then it uses meta's settings again
        await button(page, 'Use the settings of meta').click();
        await save(page);
        assert.equal(inFile().profiles[0].categories.plan, undefined);
        assert.equal((await server.user.json('select', 'plan')).used, 'meta');
    });

    test('a secret in the file is masked until requested', async t => {
        const tooling = config([mock('a', undefined, {env: {MOCK_API_KEY: 'sk-in-the-file-0123456789', PLAIN: 'hello'}})]);
        const {page, inFile} = await openTooling(t, {tooling});
        await button(page, 'Details of mock a').click();
        const value = page.getByLabel('Value of MOCK_API_KEY', {exact: true});
        assert.equal(await value.getAttribute('type'), 'password');
        assert.equal(await page.getByLabel('Value of PLAIN', {exact: true}).getAttribute('type'), 'text');
        assert.doesNotMatch(await page.locator('body').innerText(), /sk-in-the-file/);
        await shots(page, 'tooling-details', {show: button(page, 'Show in JSON')});
        await axe(page);
        await button(page, 'Show the value of MOCK_API_KEY').click();
        assert.equal(await value.getAttribute('type'), 'text');
        await button(page, 'Hide the value of MOCK_API_KEY').click();
        await value.fill('sk-another-0123456789');
        await button(page, 'Review and save').click();
        await page.getByRole('dialog').getByText('••••••••').first().waitFor();
        assert.doesNotMatch(await page.locator('body').innerText(), /sk-(in-the-file|another)/);
        await page.getByRole('dialog').getByRole('button', {name: 'Save', exact: true}).click();
        await clean(page);
        assert.equal(inFile().profiles[0].categories.meta.candidates[0].env.MOCK_API_KEY, 'sk-another-0123456789');
        await page.getByLabel('Name of variable PLAIN').fill('PLAINER');
        await page.getByLabel('Name of variable PLAIN').press('Tab');
        await button(page, 'Remove variable MOCK_API_KEY').click();
        await save(page);
        assert.deepEqual(inFile().profiles[0].categories.meta.candidates[0].env, {PLAINER: 'hello'});
    });

    test('a revealed secret does not reveal one of another candidate', async t => {
        const tooling = config([mock('a', undefined, {env: {MOCK_API_KEY: 'sk-of-a-0123456789'}}),
            mock('b', undefined, {env: {MOCK_API_KEY: 'sk-of-b-0123456789'}})]);
        const {page} = await openTooling(t, {tooling});
        const types = () => page.getByLabel('Value of MOCK_API_KEY', {exact: true}).evaluateAll(all => all.map(e => e.type));
        await button(page, 'Details of mock a').click();
        await button(page, 'Details of mock b').click();
        await button(page, 'Show the value of MOCK_API_KEY').first().click();
        assert.deepEqual(await types(), ['text', 'password']);
        await button(page, 'Move mock a down').click();
        await namesAre(page, ['mock b', 'mock a']);
        assert.deepEqual(await types(), ['password', 'text']);
        await page.keyboard.press('Control+z');
        await namesAre(page, ['mock a', 'mock b']);
        assert.deepEqual((await types()).filter(type => type === 'text'), []);
        await button(page, 'Show the value of MOCK_API_KEY').first().click();
        await button(page, 'Remove mock a').click();
        await namesAre(page, ['mock b']);
        assert.deepEqual((await types()).filter(type => type === 'text'), []);
    });

    test('order, strategy, fallback and cooldown are changed', async t => {
        const {page, server, inFile} = await openTooling(t, {hash: '#/tooling?category=worker'});
        await sharesAre(page, ['100 %', '0 %', '0 %']);
        const grip = who => page.getByRole('button', {name: new RegExp(`^Move mock ${who}, number`)});
        const from = await grip('first').boundingBox(), to = await grip('third').boundingBox();
        await page.mouse.move(from.x + 10, from.y + 10);
        await page.mouse.down();
        await page.mouse.move(to.x + 10, to.y - 20, {steps: 5});
        await page.mouse.move(to.x + 10, to.y + 12, {steps: 3});
        await page.mouse.up();
        await namesAre(page, ['mock second', 'mock third', 'mock first']);
        await page.mouse.move(from.x + 10, from.y + 10);
        await page.mouse.down();
        await page.mouse.move(to.x + 10, to.y + 12, {steps: 5});
        await page.keyboard.press('Escape'); // cancels the drag
        await page.mouse.up();
        await namesAre(page, ['mock second', 'mock third', 'mock first']);
        await grip('third').focus();
        await page.keyboard.press('ArrowUp');
        await namesAre(page, ['mock third', 'mock second', 'mock first']);
        assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^Move mock third, number 1 of 3/);
        await page.keyboard.press('ArrowUp'); // it is already first
        await button(page, 'Move mock first up').click();
        await save(page);
        assert.deepEqual(inFile().profiles[0].categories.worker.candidates.map(c => c.model), ['third', 'first', 'second']);
        assert.equal((await server.user.json('select', 'worker')).model, 'third');

        await page.getByRole('combobox', {name: 'Strategy'}).selectOption('round_robin');
        await sharesAre(page, ['33 %', '33 %', '33 %']);
        await page.getByRole('checkbox', {name: 'Fall back to another candidate on failure'}).uncheck();
        await page.getByRole('spinbutton', {name: 'Cooldown of at least'}).fill('45');
        await save(page);
        const {strategy, fallbackOnRateLimit, cooldownSec} = inFile().profiles[0].categories.worker;
        assert.deepEqual([strategy, fallbackOnRateLimit, cooldownSec], ['round_robin', false, 45]);
        const models = [];
        while (models.length < 4)
            models.push((await server.user.json('select', 'worker')).model);
        assert.deepEqual([models[0], new Set(models.slice(0, 3)).size], [models[3], 3]);
    });
});

test('links open categories and views, arrow keys move between tabs, and narrow screens fit', async t => {
    const {page, server} = await openTooling(t, {hash: '#/tooling?category=worker&profile=day'});
    assert.equal(await tab(page, 'worker').getAttribute('aria-selected'), 'true');
    await namesAre(page, ['mock first', 'mock second', 'mock third']);
    await tab(page, 'worker').press('ArrowLeft');
    await page.waitForURL(/category=execution/);
    assert.equal(await page.evaluate(() => document.activeElement.textContent.trim().slice(0, 9)), 'execution');
    await page.keyboard.press('Home');
    await page.waitForURL(/category=meta/);
    await tab(page, 'Settings').press('ArrowRight');
    await page.waitForURL(/view=json/);
    await page.getByRole('textbox', {name: 'tooling.json'}).waitFor();
    await page.goto(`${server.origin}/#/tooling?view=decisions`);
    await page.getByText('No decisions yet.').waitFor();
    await page.goto(`${server.origin}/#/tooling?category=nonsense&view=nonsense&profile=nonsense`);
    await namesAre(page, ['mock a', 'mock b', 'mock c']);
    await page.setViewportSize(NARROW);
    await neverWider(page);
    await weight(page, 'mock a').fill('50');
    await dirty(page);
    await save(page);
    await neverWider(page);
});
