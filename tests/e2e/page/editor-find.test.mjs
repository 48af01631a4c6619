// The page offers the results of find_component_types and find_assets: classes, sprites of a sheet, and components of
// the scene and of prefabs for a field of their base class.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {test} from 'node:test';

import {until} from '../fixtures/console.mjs';
import {component, field, inspector, openEditor} from '../fixtures/editor_page.mjs';
import {copySample} from '../fixtures/unity.mjs';

const GUID = 'f1d0000000000000000000000000000';
const FILES = {
    'Assets/Scripts/Chooser.cs': ['1', 'using UnityEngine;\nnamespace MyGame { public class Chooser : MonoBehaviour {\n' +
        '    public Sprite icon;\n    public Collider wall;\n} }\n'],
    'Assets/Sheet.png': ['2', 'PNG', 'TextureImporter:\n  internalIDToNameTable:\n  - first:\n      213: 71\n    second: walk_0\n' +
        '  - first:\n      213: 72\n    second: <b>run</b>\n  spriteMode: 2\n'],
};

const dialog = (page, name) => page.getByRole('dialog', {name});
const options = within => within.getByRole('option');

test('a component is added by search and its fields offer compatible targets', async t => {
    const project = copySample(t);
    for (const [file, [digit, text, more = '']] of Object.entries(FILES)) {
        writeFileSync(project.at(file), text);
        writeFileSync(project.at(`${file}.meta`), `fileFormatVersion: 2\nguid: ${GUID}${digit}\n${more}`);
    }
    const {page, server} = await openEditor(t, {project, scene: 'WorkshopScene', object: '/Turret'});
    const info = async name => (await server.call('get_component_info', {game_object_path: '/Turret',
        index: (await server.call('get_scene_hierarchy', {root_path: '/Turret', max_depth: 0}))
            .root_game_objects[0].components.indexOf('MyGame.Chooser')})).fields[name];

    await inspector(page).getByRole('button', {name: 'Add component'}).click();
    const add = dialog(page, 'Add component');
    await add.getByRole('combobox').fill('CHOOS');
    await until(async () => (await options(add).count()) === 1, 'one class');
    assert.match(await options(add).first().textContent(), /Chooser.*Assets\/Scripts\/Chooser\.cs/);
    await page.keyboard.press('Enter');
    const chooser = component(page, 'Chooser');
    await chooser.waitFor();

    await field(chooser, 'icon').getByRole('button', {name: /None \(Sprite\)/}).click();
    const icons = dialog(page, /^Pick a target for/);
    await until(async () => (await options(icons).count()) === 2, 'two sprites');
    await icons.getByRole('combobox').fill('run');
    await until(async () => (await options(icons).count()) === 1, 'one sprite');
    await options(icons).first().click();
    await until(async () => (await info('icon'))?.value === '<b>run</b> (Sprite)', 'the sprite of that name');
    assert.ok(project.read('Assets/Scenes/WorkshopScene.unity').includes(`  icon: {fileID: 72, guid: ${GUID}2, type: 3}`));

    await field(chooser, 'wall').getByRole('button', {name: /None \(Collider\)/}).click();
    const walls = dialog(page, /^Pick a target for/);
    const {types} = await server.call('find_component_types', {base: 'Collider', max_results: 1000});
    const {root_game_objects: roots} = await server.call('get_scene_hierarchy', {max_depth: 50});
    const all = function* (nodes) {
        for (const node of nodes)
            yield* [node, ...all(Array.isArray(node.children) ? node.children : [])];
    };
    const fitting = [...all(roots)].flatMap(node => node.components.filter(c => types.some(({type}) => type === c)));
    assert.ok(fitting.length > 0);
    await until(async () => (await options(walls).count()) === fitting.length, 'the colliders of the scene');
    await walls.getByRole('tab', {name: 'Assets'}).click();
    await options(walls).filter({hasText: 'Crate.prefab'}).click();
    await until(async () => (await info('wall'))?.asset_path === 'Assets/Prefabs/Crate.prefab', 'the collider of the prefab');
});
