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
export const inspector = page => page.getByRole('region', {name: 'Inspector'});
export const inspected = page => inspector(page).locator('#inspected');
export const component = (page, name) => inspector(page).getByRole('region', {name: new RegExp(`^${name}, component`)});
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
