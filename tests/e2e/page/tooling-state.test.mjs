// The tooling window: availability, cooldowns, simulation and decisions.
import assert from 'node:assert/strict';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {axe, shots, until} from '../fixtures/console.mjs';
import {bar, button, openTooling, profile, row, sharesAre, tab, weight} from '../fixtures/console_tooling.mjs';
import {config, mock, task} from '../fixtures/tooling.mjs';
import {metaScript} from '../../standin/meta.mjs';

const HOUR = 3_600_000;

/** Return the decisions of the command line. */
const explained = async user => (await user.tooling('explain', '-n', '50', '--json')).stdout.split('\n').filter(Boolean)
    .map(line => JSON.parse(line));

describe('availability', () => {
    const fake = version => '#!/bin/sh\n' +
        `case "$*" in --version) echo "${version}";; *) echo "Not logged in" >&2; exit 1;; esac\n`;

    test('shows path, version and login of each agent, and checks again on request', async t => {
        const tooling = config([{tool: 'claude-code', model: 'sonnet', weight: 30},
            {tool: 'claude-code', model: 'work', env: {ANTHROPIC_API_KEY: 'env:WORK_KEY'}, weight: 30},
            {tool: 'codex-cli', model: 'gpt', weight: 20}, {tool: 'openai-chat', model: 'chat', weight: 10},
            mock('m', undefined, {weight: 10})],
        {strategy: 'weighted'});
        const {page, user} = await openTooling(t, {tooling, env: {WORK_KEY: 'sk-secret'},
            programs: {claude: fake('2.1.325 (Claude Code)')}});
        const claude = path.join(user.dir, 'bin/claude');
        await row(page, 'work').getByText(`${claude} · 2.1.325`).waitFor();
        await row(page, 'work').getByText('key present').waitFor();
        await row(page, 'sonnet').getByText(/Available, but: run `claude auth login`/).waitFor();
        await row(page, 'gpt').getByText('unavailable').waitFor();
        await row(page, 'chat').getByText('unavailable').waitFor();
        await row(page, 'chat').getByText('set OPENAI_API_KEY').waitFor();
        await row(page, 'm').getByText('built in').waitFor();
        await sharesAre(page, ['43 %', '43 %', '0 %', '0 %', '14 %']);
        await row(page, 'gpt').getByText('usually 20 %').waitFor();
        await button(page, 'Details of claude-code work').click();
        const found = row(page, 'work').locator('.found');
        assert.match(await found.innerText(), new RegExp(`Found ${claude}[^]*Version 2\\.1\\.325[^]*Signed in yes`));
        await shots(page, 'tooling-agents', {show: row(page, 'm')});
        await axe(page);
        writeFileSync(path.join(user.dir, 'bin/codex'), fake('codex-cli 0.166.0'), {mode: 0o755});
        writeFileSync(claude, fake('3.0.0 (Claude Code)'), {mode: 0o755});
        await button(page, 'Check again').first().click();
        await row(page, 'gpt').getByText(`${path.join(user.dir, 'bin/codex')} · 0.166.0`).waitFor();
        await row(page, 'work').getByText(`${claude} · 3.0.0`).waitFor();
        await row(page, 'gpt').getByText('unavailable').waitFor({state: 'detached'});
        await sharesAre(page, ['33 %', '33 %', '22 %', '0 %', '11 %']);
    });

    test('shows cooldowns with reason and end, and clears one or all', async t => {
        const reason = 'the limit of <b>this</b> week';
        const tooling = {activeProfile: 'own', profiles: [profile('own', {
            meta: {strategy: 'priority', candidates: [mock('planner', metaScript({workers: ['do it']}))]},
            worker: {strategy: 'weighted', candidates: ['one', 'two', 'three'].map((model, i) =>
                mock(model, i < 2 ? [{fail: i ? 'rate_limited' : 'usage_limited', after_ms: HOUR * (i + 1), message: reason}] : undefined,
                    {env: {MOCK_API_KEY: `env:KEY_${i}`}, weight: [1e9, 1e6, 1][i]}))}})]};
        const {page, server, user} = await openTooling(t, {tooling, env: {KEY_0: 'k0', KEY_1: 'k1', KEY_2: 'k2'},
            hash: '#/tooling?category=worker'});
        await page.getByText('No cooldowns.').waitFor();
        await user.complete(task()); // one and two fail, three succeeds
        await row(page, 'one').getByText(/^cooldown (1:00:00|59:\d\d)$/).waitFor();
        await row(page, 'two').getByText(/^cooldown (2:00:00|1:59:\d\d)$/).waitFor();
        await row(page, 'one').getByText('usage_limited').waitFor();
        await row(page, 'one').getByText(reason).waitFor();
        await sharesAre(page, ['0 %', '0 %', '100 %']);
        const shown = await row(page, 'one').getByText(/^cooldown/).innerText();
        await until(async () => await row(page, 'one').getByText(/^cooldown/).innerText() !== shown, 'the countdown');
        await bar(page).getByRole('link', {name: /^Next cooldown to end: ?mock\|KEY_0\|\*/}).waitFor();
        await shots(page, 'tooling-rests', {show: page.getByRole('region', {name: 'Cooldowns'}).getByText('rate_limited').first()});
        await axe(page);
        await row(page, 'one').getByRole('button', {name: 'Clear the cooldown of mock one'}).click();
        await row(page, 'one').getByText('ready').waitFor();
        await page.getByText('1 cooldown cleared.').waitFor();
        assert.deepEqual(Object.keys(await user.cooldowns()), ['mock|KEY_1|two']);
        await page.getByRole('region', {name: 'Cooldowns'}).getByRole('button', {name: 'Clear the cooldown of mock|KEY_1|two'}).click();
        await page.getByText('No cooldowns.').waitFor();
        assert.deepEqual(await user.cooldowns(), {});

        // a cooldown that ends by itself disappears
        await user.complete(task());
        await row(page, 'one').getByText(/^cooldown/).waitFor();
        user.passTime(HOUR - 5000); // the feed does not report it
        await page.reload();
        await row(page, 'one').getByText('ready').waitFor();
        await button(page, 'Clear all').click();
        await page.getByText('No cooldowns.').waitFor();
        assert.deepEqual(await user.cooldowns(), {});
        assert.equal((await server.user.json('select', 'worker', '--seed', '1')).model, 'one');
    });
});

describe('simulate', () => {
    /** Return the displayed results: [{who, weight, share, count}]. */
    const drawn = async page => (await page.getByRole('region', {name: 'Simulate'}).getByRole('listitem').allInnerTexts()).map(text => {
        const [, who, weighs, share, count] = /^(\S+ \S+) weight ([\d.]+) share ([<\d. ]+) % selected ([\d,]+)/
            .exec(text.replaceAll(/\s+/g, ' '));
        return {who, weight: Number(weighs), share, count: Number(count.replaceAll(',', ''))};
    });

    test('shows 10,000 selections as bars and repeats them with the same seed', async t => {
        const {page, server, inFile} = await openTooling(t);
        const region = page.getByRole('region', {name: 'Simulate'});
        await region.getByRole('button', {name: 'Run'}).click();
        await region.getByText('10,000 selections by weighted, seed').waitFor();
        const first = await drawn(page);
        assert.deepEqual(first.map(d => [d.who, d.weight, d.share]), [['mock a', 60, '60'], ['mock b', 30, '30'], ['mock c', 10, '10']]);
        assert.equal(first.reduce((n, d) => n + d.count, 0), 10_000);
        for (const {count, weight: w} of first)
            assert.ok(Math.abs(count - 100 * w) < 300, `${count} of ${w} %`);
        const seed = Number(await region.locator('.seed').innerText());
        const {body} = await server.api('tooling/simulate', {category: 'meta', n: 10_000, seed});
        assert.deepEqual(body.counts.map(c => c.count), first.map(d => d.count));
        // bars are proportional
        const widths = await region.locator('.bar.drawn').evaluateAll(all => all.map(e => e.getBoundingClientRect().width));
        assert.ok(widths[0] > widths[1] && widths[1] > widths[2] && widths[2] > 0, `${widths}`);
        await shots(page, 'tooling-simulate', {show: region.getByRole('listitem').last()});
        await axe(page);

        await region.locator('.seed').click();
        assert.equal(await region.getByLabel('Seed').inputValue(), String(seed));
        await region.getByRole('combobox', {name: 'Selections'}).selectOption('1000');
        await region.getByRole('button', {name: 'Run'}).click();
        await region.getByText('1,000 selections by weighted').waitFor();
        const again = await server.api('tooling/simulate', {category: 'meta', n: 1000, seed});
        assert.deepEqual((await drawn(page)).map(d => d.count), again.body.counts.map(c => c.count));
        await region.getByLabel('Seed').fill('1.5');
        await region.getByText('Seed must be a whole number').waitFor();
        assert.ok(await region.getByRole('button', {name: 'Run'}).isDisabled());
        await region.getByLabel('Seed').fill('7');

        // it uses the unsaved draft and records nothing
        await weight(page, 'mock a').fill('0');
        await region.getByText('outdated').waitFor();
        await region.getByRole('button', {name: 'Run'}).click();
        await region.getByText('outdated').waitFor({state: 'detached'});
        const last = await drawn(page);
        assert.deepEqual(last.map(d => d.share), ['0', '75', '25']);
        assert.deepEqual([last[0].count, last.reduce((n, d) => n + d.count, 0)], [0, 1000]);
        assert.equal(inFile().profiles[0].categories.meta.candidates[0].weight, 60);
        assert.deepEqual(await explained(server.user), []);

        await page.goto(`${server.origin}/#/tooling?category=worker`);
        await tab(page, 'worker').waitFor();
        await region.getByRole('button', {name: 'Run'}).click();
        await region.getByText('by priority').waitFor();
        assert.deepEqual((await drawn(page)).map(d => d.count), [10_000, 0, 0]);
    });

    test('reports that no candidate is available', async t => {
        const {page} = await openTooling(t, {tooling: config([{tool: 'codex-cli', model: 'gpt'}])});
        const region = page.getByRole('region', {name: 'Simulate'});
        await page.getByText('No candidate is available now').waitFor();
        await region.getByRole('button', {name: 'Run'}).click();
        await region.getByText('no candidate available').waitFor();
        assert.deepEqual((await drawn(page)).map(d => d.count), [0]);
    });
});

describe('decisions', () => {
    test('appear automatically with the reason for each candidate', async t => {
        const tooling = {activeProfile: 'own', profiles: [profile('own', {
            meta: {strategy: 'priority', candidates: [mock('planner', metaScript({workers: ['do it']}))]},
            worker: {strategy: 'priority', candidates: [
                mock('tired', [{fail: 'usage_limited', after_ms: HOUR, message: 'come <i>later</i>'}], {env: {MOCK_API_KEY: 'env:KEY_A'}}),
                {tool: 'codex-cli', model: 'gpt'}, mock('off', undefined, {weight: 0}), mock('fit')]}})]};
        const {page, user} = await openTooling(t, {tooling, env: {KEY_A: 'k'}, hash: '#/tooling?view=decisions'});
        await page.getByText('No decisions yet.').waitFor();
        await user.complete(task({id: 'T-9'}));
        await user.json('select', 'worker');
        const said = await explained(user);
        await page.getByRole('status').getByText(`${said.length} decisions`).waitFor();
        await page.getByRole('combobox', {name: 'Category'}).selectOption('worker');
        await page.waitForURL(/category=worker/);
        const list = page.locator('.decisions > ul > li');
        await until(async () => await list.count() === said.filter(d => d.category === 'worker').length, 'the decisions of worker');
        const newest = list.first();
        await newest.locator('summary').click();
        const reasons = (await newest.locator('ol > li').allInnerTexts()).map(text => text.replace(/\s+/g, ' '));
        assert.match(reasons[0], /^mock tired KEY_A, weight 1 in cooldown .*usage_limited/);
        assert.match(reasons[1], /^codex-cli gpt .*unavailable .*codex/);
        assert.match(reasons[2], /^mock off .*weight 0 disabled/);
        assert.match(reasons[3], /^mock fit .*chosen/);
        await list.last().locator('summary').click(); // the failed one
        await list.last().getByText('available', {exact: true}).waitFor(); // the next candidate
        await list.last().getByText('usage_limited').first().waitFor();
        await list.last().getByText('come <i>later</i>').waitFor();
        await shots(page, 'tooling-decisions');
        await axe(page);
    });
});

describe('an unavailable store', () => {
    test('is reported, the file can still be saved, and the page recovers', async t => {
        const {page, user, server} = await openTooling(t);
        page.allow(/503/);
        await sharesAre(page, ['60 %', '30 %', '10 %']);
        rmSync(user.store, {force: true});
        for (const end of ['-wal', '-shm'])
            rmSync(user.store + end, {force: true});
        mkdirSync(user.store);
        await weight(page, 'mock a').fill('20');
        await page.getByRole('status').getByText(/state\.db/).first().waitFor();
        await page.getByRole('region', {name: 'Simulate'}).getByRole('button', {name: 'Run'}).click();
        await page.getByRole('alert').getByText(/state\.db/).waitFor();
        await button(page, 'Review and save').click();
        await page.getByRole('dialog').getByRole('button', {name: 'Save', exact: true}).click();
        await page.getByText('Saved. The next selection uses it.').waitFor();
        await tab(page, 'Decisions').click();
        await page.getByRole('alert').getByText(/state\.db/).waitFor();
        await page.reload();
        await page.getByText('The settings could not be loaded.').waitFor();
        await page.getByRole('alert').getByText(/state\.db/).waitFor();
        await axe(page);
        rmSync(user.store, {recursive: true});
        await button(page, 'Retry').click();
        await tab(page, 'Settings').click();
        await sharesAre(page, ['33 %', '50 %', '17 %']);
        assert.equal((await server.user.json('select', 'meta')).candidates[0].weight, 20);
    });
});
