// The editor window of the console as a person uses it: the tree, the inspector, what is in the file then.
//
//     const {page, server, file} = await openEditor(t, {scene: 'WorkshopScene', object: '/Zoo'});
//     await fill(control(page, 'real', 'Real'), '2.5');
//     await file.changed({removed: ['  real: 1.5'], added: ['  real: 2.5']});
import assert from 'node:assert/strict';

import {openConsole, until} from './console.mjs';
import {scenePath} from './unity.mjs';

export const tree = page => page.getByRole('tree', {name: 'Objects of the scene'});
export const items = page => tree(page).getByRole('treeitem');
/** The row of an object, by how it begins: marks follow the name. */
export const item = (page, name) => items(page).filter({has: page.locator('.name').getByText(name, {exact: true})});
export const names = page => items(page).locator('.name').allTextContents();
export const selectedItem = page => tree(page).getByRole('treeitem', {selected: true});
export const isSelected = (page, name) => until(
    async () => (await selectedItem(page).locator('.name').allTextContents()).join() === name, `${name} is selected`);
export const search = page => page.getByRole('searchbox', {name: /Search objects/});
/** What the search says: "3 found", "1 of 3". */
export const searched = page => page.getByRole('search', {name: 'Objects'}).getByRole('status');
export const inspector = page => page.locator('section[aria-label="Inspector"]');
export const inspected = page => inspector(page).locator('#inspected');
export const component = (page, name) => inspector(page).locator(`section[aria-label^="${name}, component"]`);
/** The row of a field by its path in the words of the tools, loot[2].amount; `within` a component. */
export const field = (within, path) => within.locator(`[data-field="${path}"]`);
export const toast = (page, text) => page.getByText(text);

/** Server and page on a scene, with an object selected; file: what is in the scene's file. */
export async function openEditor(t, {scene = 'WorkshopScene', object, component: index, ...options} = {}) {
    const query = object === undefined ? '' : `?${new URLSearchParams({path: object, ...(index === undefined ? {} : {component: index})})}`;
    const {server, page} = await openConsole(t, {hash: `#/editor${query}`, scene, ...options});
    if (object !== undefined)
        await inspected(page).waitFor();
    else
        await items(page).first().waitFor();
    return {server, page, file: new SceneFile(server.project, scene)};
}

class SceneFile {
    constructor(project, scene) {
        Object.assign(this, {project, scene, path: scenePath(scene)});
    }

    /** Differs from the sample by just these lines, soon. */
    async changed(want) {
        let found;
        await until(() => {
            found = this.project.diff(this.path);
            return JSON.stringify(found) === JSON.stringify(want);
        }, 'the lines in the file').catch(() => assert.deepEqual(found, want));
    }

    /** Byte for byte the sample, soon. */
    async isOriginal() {
        await until(() => {
            const {removed, added} = this.project.diff(this.path);
            return removed.length + added.length === 0;
        }, 'the file as it was').catch(() => {});
        this.project.isOriginal(this.scene);
    }
}

/** Types as a person does, with Enter at the end. */
export async function fill(input, text, key = 'Enter') {
    await input.click();
    await input.fill(text);
    await input.press(key);
}

export const box = (within, name) => within.getByRole('textbox', {name, exact: true});
export const undo = page => page.getByRole('button', {name: 'Undo', exact: true});
/** One line of a field that became another. */
export const line = (before, after) => ({removed: [`  ${before}`], added: [`  ${after}`]});

/** FieldZoo of /Zoo, and `edited`: does it, looks at the file, undoes it with the button, looks again. */
export async function openZoo(t, options = {}) {
    const opened = await openEditor(t, {scene: 'WorkshopScene', object: '/Zoo', component: 2, ...options});
    const {page, file, server} = opened, zoo = component(page, 'FieldZoo');
    await box(zoo, 'Real').waitFor();
    const edited = async (act, want, shows = async () => {}) => {
        await act();
        await file.changed(want);
        await shows();
        await undo(page).click();
        await file.isOriginal();
    };
    const info = async name => (await server.call('get_component_info', {game_object_path: '/Zoo', index: 2, fields: [name]})).fields[name];
    const shows = (input, value) => until(async () => (await input.inputValue()) === value, `${value} in the field`);
    return {...opened, zoo, edited, info, shows};
}

/** Whole components are not read until the answer is called: the page does not learn of what others do meanwhile. */
export async function holdReadings(page) {
    const held = [];
    await page.route('**/mcp', async route => {
        const {params} = JSON.parse(route.request().postData());
        if (params.name === 'get_component_info' && !params.arguments.fields)
            await new Promise(done => held.push(done));
        await route.continue();
    });
    return () => held.splice(0).forEach(done => done());
}

/** Changes of components do not reach the server until the answer is called, as if the editor compiled. */
export async function holdChanges(page) {
    let go;
    const held = new Promise(done => { go = done; });
    await page.route('**/mcp', async route => {
        if (JSON.parse(route.request().postData()).params.name === 'manage_component')
            await held;
        await route.continue();
    });
    return go;
}
