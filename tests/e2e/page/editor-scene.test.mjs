// The editor window: scenes, unsaved changes, changes by others, reconnects of the editor.
import assert from 'node:assert/strict';
import {cpSync, rmSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';

import {writeBigScene} from '../fixtures/big_scene.mjs';
import {open as openFakeEditor} from '../fixtures/bridge.mjs';
import {axe, connected, openConsole, settled, shots, until} from '../fixtures/console.mjs';
import {box, component, field, inspected, inspector, isSelected, item, items, line, names, openEditor, search, searched, toast, tree} from '../fixtures/editor_page.mjs';
import {copySample} from '../fixtures/unity.mjs';

describe('scenes', () => {
    test('are opened after unsaved changes are saved or discarded', async t => {
        const {server, page, file} = await openEditor(t, {scene: 'GameScene', object: '/Player', args: ['--save', 'manual']});
        const button = page.getByRole('button', {name: /^Scene .*: open another/});
        const dialog = page.getByRole('dialog', {name: 'Open scene'});
        const ask = page.getByRole('dialog', {name: 'Unsaved changes'});
        const choose = async name => {
            await button.click();
            await dialog.getByRole('combobox').fill(name);
            await dialog.getByRole('option', {name: new RegExp(name)}).first().waitFor();
            await until(async () => (await dialog.getByRole('option').count()) === 1, 'one scene');
            await page.keyboard.press('Enter');
        };
        const active = async () => (await server.call('get_editor_state')).active_scene;
        const edit = () => server.call('manage_component', {action: 'update', game_object_path: '/Player', index: 0,
            fields: {localPosition: {x: 7}}});
        await edit();
        await page.getByText('unsaved').waitFor();
        await page.waitForFunction(() => document.title.startsWith('* '));
        await choose('Patrol');
        await ask.getByText('Assets/Scenes/GameScene.unity has unsaved changes').waitFor();
        await shots(page, 'editor-unsaved');
        await axe(page);
        await ask.getByRole('button', {name: 'Cancel'}).click();
        assert.equal(await active(), 'Assets/Scenes/GameScene.unity');
        await dialog.getByRole('option').first().click();
        await ask.getByRole('button', {name: 'Discard changes'}).click();
        await dialog.waitFor({state: 'detached'});
        await item(page, 'Waypoints').waitFor();
        assert.equal(await active(), 'Assets/Scenes/PatrolScene.unity');
        await file.isOriginal();
        await page.getByRole('button', {name: 'Scene PatrolScene: open another'}).waitFor();
        await page.getByText('unsaved').waitFor({state: 'detached'});

        await choose('Game');
        await item(page, 'SpawnPoints').waitFor();
        await edit();
        await page.getByText('unsaved').waitFor();
        await choose('Patrol');
        await ask.getByRole('button', {name: 'Save and open'}).click();
        await item(page, 'Waypoints').waitFor();
        assert.equal((await file.project.diff(file.path)).added.length, 1);

        await button.click();
        await dialog.getByRole('option').first().waitFor();
        await until(async () => (await dialog.getByRole('option').count()) === 5, 'all scenes');
        await dialog.getByRole('option', {name: /PatrolScene.* current/}).waitFor();
        await shots(page, 'editor-scenes');
        await axe(page);
        await dialog.getByRole('combobox').fill('a.b(c');
        await dialog.getByText('No scene matches.').waitFor(); // the text is not a pattern
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        await dialog.waitFor({state: 'detached'});

        const scenes = path.join(server.project.dir, 'Assets/Scenes');
        for (const n of [10, 2])
            cpSync(path.join(scenes, 'MenuScene.unity'), path.join(scenes, `Level ${n}.unity`));
        await button.click();
        await dialog.getByRole('combobox').fill('Level');
        await until(async () => (await dialog.getByRole('option').allTextContents()).map(o => parseInt(o.replace('Level ', ''))).join() === '2,10',
            'the numeric order');
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        await dialog.waitFor({state: 'detached'});
        rmSync(scenes, {recursive: true});
        await button.click();
        await dialog.getByText('The project has no scenes.').waitFor();
    });

    test('are saved with a message', async t => {
        const {server, page, file} = await openEditor(t, {scene: 'GameScene', object: '/Player', args: ['--save', 'manual']});
        await server.call('manage_component', {action: 'update', game_object_path: '/Player', index: 0,
            fields: {localPosition: {x: 7}}});
        await page.getByText('unsaved').waitFor();
        file.project.isOriginal('GameScene');
        await page.getByRole('button', {name: 'Save', exact: true}).click();
        await toast(page, /^Saved: [\d,]+ bytes/).waitFor();
        await page.getByText('unsaved').waitFor({state: 'detached'});
        assert.equal(file.project.diff(file.path).added.length, 1);
        await page.getByRole('button', {name: 'Save', exact: true}).click();
        await toast(page, 'No changes to save.').waitFor();
        await box(page, 'Local Position y').fill('3'); // Ctrl+S also saves the input of the focused field
        await page.keyboard.press('Control+s');
        await until(() => file.project.diff(file.path).added.join() === '  m_LocalPosition: {x: 7, y: 3, z: 0}', 'the input');
        await page.getByText('unsaved').waitFor({state: 'detached'});
    });

    test('can be opened as soon as the project has one', async t => {
        const project = copySample(t);
        const texts = {scene: project.read('Assets/Scenes/GameScene.unity'), meta: project.read('Assets/Scenes/GameScene.unity.meta')};
        for (const name of ['Game', 'Patrol', 'Arena', 'Workshop', 'Menu']) {
            project.remove(`Assets/Scenes/${name}Scene.unity`);
            project.remove(`Assets/Scenes/${name}Scene.unity.meta`);
        }
        const {page} = await openConsole(t, {hash: '#/editor', project});
        await page.getByText('No scene is open.').waitFor();
        await shots(page, 'editor-no-scene');
        await axe(page);
        project.write('Assets/Scenes/GameScene.unity', texts.scene);
        project.write('Assets/Scenes/GameScene.unity.meta', texts.meta);
        await page.getByRole('button', {name: 'Open scene'}).click();
        await page.getByRole('option', {name: /GameScene/}).click();
        await item(page, 'Player').waitFor();
    });
});

describe('live updates', () => {
    test('show changes of another client at once', async t => {
        const {server, page} = await openEditor(t, {scene: 'GameScene', object: '/Enemy'});
        const components = inspector(page).locator('[data-component]');
        const before = await components.count();
        await server.call('manage_component', {action: 'add', game_object_path: '/Enemy', component_type: 'AudioSource'}, {client: 'other'});
        await inspector(page).getByRole('region', {name: /^AudioSource, component/}).waitFor();
        assert.equal(await components.count(), before + 1);
        await server.call('undo', {}, {client: 'other'});
        await until(async () => (await components.count()) === before, 'the removed component');
        await server.call('open_scene', {path: 'Assets/Scenes/PatrolScene.unity'}, {client: 'other'});
        await item(page, 'Waypoints').waitFor();
        await page.getByRole('button', {name: 'Scene PatrolScene: open another'}).waitFor();
    });

    test('follow changes of the file and keep the selection', async t => {
        const {server, page, file} = await openEditor(t, {scene: 'GameScene', object: '/Enemy'});
        const text = file.project.read(file.path);
        file.project.write(file.path, text.replace('m_Name: Enemy', 'm_Name: Foe <i>'));
        await item(page, 'Foe <i>').waitFor();
        await isSelected(page, 'Foe <i>'); // the selection follows the object
        await page.waitForURL(/path=%2FFoe/);
        await inspector(page).getByText('/Foe <i>', {exact: true}).waitFor();
        file.project.write(file.path, text.replace(/(m_Name: Player[^]*?m_IsActive: )1/, '$10'));
        await tree(page).getByRole('treeitem', {name: /^Player inactive/}).waitFor();
        await isSelected(page, 'Enemy');
        assert.equal((await server.call('get_editor_state')).active_scene, file.path);
    });

    test('keep the search and the scroll position', async t => {
        const project = copySample(t);
        const {scene, count, kinds} = writeBigScene(project.dir, {count: 2000, levels: 3});
        const {server, page} = await openConsole(t, {hash: '#/editor', project, scene});
        const other = (action, more) => server.call('manage_component', {action, game_object_path: '/Node 0', ...more}, {client: 'other'});
        const missing = kinds.filter(kind => kind === 'missing').length;
        await items(page).first().waitFor();
        await page.getByRole('button', {name: 'Expand all'}).click();
        await until(async () => (await tree(page).evaluate(e => e.scrollHeight)) === count * 26, 'the expanded tree');
        await tree(page).evaluate(e => { e.scrollTop = 26_000; });
        await settled(page);
        const seen = await names(page);
        await page.getByRole('button', {name: `Missing scripts ${missing}`}).waitFor();
        await other('remove', {index: 2, component_type: 'Missing Script'});
        await page.getByRole('button', {name: `Missing scripts ${missing - 1}`}).waitFor(); // the scene was reloaded
        await settled(page);
        assert.equal(await tree(page).evaluate(e => e.scrollTop), 26_000);
        assert.deepEqual(await names(page), seen);

        await search(page).fill('t:light');
        await searched(page).getByText('No match').waitFor();
        await other('add', {component_type: 'Light'});
        await until(async () => (await names(page)).join() === 'Node 0', 'the new light');
        await server.call('undo', {}, {client: 'other'});
        await searched(page).getByText('No match').waitFor();
        assert.equal(await search(page).inputValue(), 't:light');
    });
});

describe('an editor', () => {
    test('may connect later, disconnect and reconnect', async t => {
        const {server, page} = await openConsole(t, {hash: '#/editor', editor: null, args: ['--no-headless'],
            config: {reconnect_initial_ms: 10, reconnect_max_ms: 10, reconnect_jitter: 0}});
        await page.getByRole('heading', {name: 'No editor is connected'}).waitFor();
        await shots(page, 'editor-none');
        await axe(page);
        const editor = await openFakeEditor(t, server, ['--tools',
            'get_scene_hierarchy,get_component_info,manage_component,read_console,control_play_mode']);
        await editor.command('mode', {payload: 'h20'});
        await items(page).first().waitFor();
        await page.getByRole('heading', {name: 'No editor is connected'}).waitFor({state: 'detached'});
        await tree(page).focus();
        await page.keyboard.press('Home');
        await inspected(page).waitFor();

        await editor.command('compile', {ms: 3_600_000});
        await page.getByRole('status').getByText('The editor is compiling scripts').waitFor();
        await editor.command('status', {state: 'ready'});
        await page.getByRole('status').getByText('The editor is compiling scripts').waitFor({state: 'detached'});

        await editor.command('status', {is_playing: true});
        await inspector(page).getByText(/Read-only in play mode/).waitFor();
        await page.getByRole('button', {name: 'Stop'}).click();
        await editor.receives('control_play_mode', m => m.params.action === 'stop');
        assert.equal(await page.getByRole('button', {name: 'Undo'}).count(), 0, 'the editor has no such tool');
        await editor.command('status', {is_playing: false});
        await inspector(page).getByText(/Read-only in play mode/).waitFor({state: 'detached'});

        await editor.command('down');
        await page.getByText('The editor is disconnected. The page shows the last known state.').waitFor();
        await items(page).first().waitFor(); // the last known state stays visible
        assert.ok(await page.getByRole('button', {name: 'Add component'}).isDisabled());
        await shots(page, 'editor-gone');
        await axe(page);
        await editor.command('up');
        await page.getByText('The editor is disconnected. The page shows the last known state.').waitFor({state: 'detached'});
        await until(async () => page.getByRole('button', {name: 'Add component'}).isEnabled(), 'an enabled control');
    });
});

test('input survives a restart of the server', async t => {
    const {server, page, file} = await openEditor(t, {scene: 'GameScene', object: '/Player', component: 1});
    page.allow(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET/);
    const mass = box(component(page, 'Rigidbody'), 'Mass');
    await mass.fill('5.5');
    await server.end();
    await page.locator('[data-connection="lost"]').waitFor({state: 'attached'});
    await until(() => mass.isDisabled(), 'a disabled field');
    assert.equal(await mass.inputValue(), '5.5');
    await server.restart();
    await connected(page);
    await until(() => mass.isEnabled(), 'an enabled control');
    await field(inspector(page), 'mass').getByText('not saved: Enter saves it, Escape discards it').waitFor();
    assert.equal(await mass.inputValue(), '5.5');
    file.project.isOriginal('GameScene');
    await mass.press('Enter');
    await file.changed(line('m_Mass: 1', 'm_Mass: 5.5'));
    await field(inspector(page), 'mass').getByText('not saved').waitFor({state: 'detached'});
});

test('the selection is visible with forced colours', async t => {
    const {page} = await openEditor(t, {scene: 'GameScene', object: '/Player'});
    await page.emulateMedia({forcedColors: 'active'});
    const background = what => what.evaluate(e => getComputedStyle(e).backgroundColor);
    const others = await background(item(page, 'Enemy'));
    await until(async () => (await background(item(page, 'Player'))) !== others, 'the highlighted row');
    const windows = page.getByRole('contentinfo').getByRole('link');
    const [here, there] = [windows.filter({hasText: 'Editor'}).first(), windows.filter({hasText: 'Tasks'})];
    assert.notEqual(await background(here), await background(there));
    await axe(page);
});
