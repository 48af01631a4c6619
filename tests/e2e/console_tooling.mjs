// The Tooling window as a person uses it: what is in it by role and name, and what the file then says.
//
//     const {page, server, onDisk, shares} = await openTooling(t, {tooling: TWO, hash: '#/tooling?category=worker'});
//     await weight(page, 'mock a').fill('70');
//     assert.deepEqual(await shares(page), ['70 %', '30 %']);
//     await save(page);                                       // Review and save, Save
//     onDisk()                                                // the text of tooling.json
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';

import {newUser, openConsole, until} from './console.mjs';
import {mock} from './tooling.mjs';

/** A profile whose categories are given: {meta: {candidates}, ...}. */
export const profile = (id, categories, name = id[0].toUpperCase() + id.slice(1)) => ({id, name, categories});

/** Two profiles. Day has settings for meta and worker, night for meta alone. */
export const TWO = {
    activeProfile: 'day',
    profiles: [
        profile('day', {
            meta: {strategy: 'weighted', candidates: [mock('a', undefined, {weight: 60}), mock('b', undefined, {weight: 30}),
                mock('c', undefined, {weight: 10})]},
            worker: {strategy: 'priority', candidates: [mock('first'), mock('second'), mock('third')]},
        }),
        profile('night', {meta: {strategy: 'weighted', candidates: [mock('owl')]}}),
    ],
};

/** The server, and the page on this window; `programs` are in the PATH of its user. */
export async function openTooling(t, {tooling = TWO, programs, env, hash = '#/tooling', ...options} = {}) {
    const user = newUser(t, {tooling, programs, env});
    const {server, page} = await openConsole(t, {editor: null, user, hash, ...options});
    await page.getByRole('tablist', {name: 'Views'}).waitFor();
    return {server, page, user, onDisk: () => readFileSync(user.file, 'utf8'), inFile: () => JSON.parse(readFileSync(user.file, 'utf8'))};
}

export const row = (page, who) => page.locator('#category ol > li').filter({has: page.getByText(who, {exact: true})});
export const rows = page => page.locator('#category ol > li');
export const names = async page => (await rows(page).locator('.names').allInnerTexts()).map(text => text.replace(/\s+/g, ' '));
export const shares = async page => (await rows(page).locator('.number').allInnerTexts());
export const slider = (page, who) => page.getByRole('slider', {name: `Weight of ${who}`, exact: true});
export const weight = (page, who) => page.getByRole('spinbutton', {name: `Weight of ${who} as a number`});
export const dialog = (page, name) => page.getByRole('dialog', {name});
export const tab = (page, name) => page.getByRole('tab', {name});
export const button = (page, name) => page.getByRole('button', {name, exact: true});
export const bar = page => page.getByRole('contentinfo');
export const dirty = page => page.getByText('Unsaved edits', {exact: true}).waitFor();
export const clean = page => page.getByRole('status').getByText('Saved', {exact: true}).waitFor();

/** What is asked for comes to be this. */
async function comesToBe(ask, wanted) {
    let seen;
    await until(async () => {
        seen = await ask();
        return JSON.stringify(seen) === JSON.stringify(wanted);
    }, `${wanted}`).catch(() => assert.deepEqual(seen, wanted));
}
export const sharesAre = (page, wanted) => comesToBe(() => shares(page), wanted);
export const namesAre = (page, wanted) => comesToBe(() => names(page), wanted);

/** Opens what saving would change: {gone, fresh}, lists of lines. */
export async function review(page) {
    await button(page, 'Review and save').click();
    await dialog(page, 'Save these changes?').waitFor();
    return changes(page);
}

/** The lines of the difference that is shown. */
export async function changes(page) {
    const lines = kind => page.locator(`dialog .line.${kind} .text`).evaluateAll(all =>
        all.map(e => [...e.childNodes].filter(n => n.nodeType === Node.TEXT_NODE).map(n => n.data).join('').trim()));
    return {gone: await lines('gone'), fresh: await lines('new')};
}

/** Reviews and saves; the window is clean then. */
export async function save(page) {
    const seen = await review(page);
    await dialog(page, 'Save these changes?').getByRole('button', {name: 'Save', exact: true}).click();
    await dialog(page, 'Save these changes?').waitFor({state: 'detached'});
    await clean(page);
    return seen;
}

/* ---- the JSON view */

export const content = page => page.getByRole('textbox', {name: 'tooling.json'});

/** Puts the cursor behind the first place where this stands in what is seen of the text. */
export async function cursorBehind(page, text) {
    await content(page).evaluate(async (node, wanted) => {
        const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
        const nodes = [];
        while (walker.nextNode())
            nodes.push(walker.currentNode);
        for (const line of node.querySelectorAll('.cm-line')) {
            const at = line.textContent.indexOf(wanted);
            if (at < 0)
                continue;
            let left = at + wanted.length;
            for (const n of nodes.filter(x => line.contains(x))) {
                if (left <= n.data.length) {
                    node.focus();
                    (node.getRootNode().getSelection?.() ?? getSelection()).collapse(n, left);
                    // the editor hears of it before the next frame
                    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                    return;
                }
                left -= n.data.length;
            }
        }
        throw new Error(`${wanted} is not seen`);
    }, text);
}

export const JSON_VIEW = '#/tooling?view=json';
/** The lines that are seen, and a few more. */
export const shownText = page => content(page).locator('.cm-line').evaluateAll(lines => lines.map(l => l.textContent).join('\n'));
/** It begins with this, as far as it is seen. */
export const textIs = (page, wanted) => until(async () => {
    const seen = await shownText(page);
    return seen.length > 500 && wanted.startsWith(seen);
}, `the text ${wanted.slice(0, 300)}`);
export const status = page => page.locator('.json .status');
export const right = page => status(page).getByText('This is right.').waitFor();
export const place = async page => (await status(page).locator('.place').innerText()).match(/\d+/g).map(Number);
