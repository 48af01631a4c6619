// When a scene is written: --save auto and manual, changes from outside, Unity's lock, an
// unwritable folder. Whatever goes wrong, the file is the old one or the new one, and the result
// says which.
import assert from 'node:assert/strict';
import {
    chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {atEnd, folder, ok} from '../fixtures/bridge.mjs';
import {until} from '../fixtures/program.mjs';
import {copySample, documents, lockProject, openProject, refused, sample, scenePath} from '../fixtures/unity.mjs';

const GAME = scenePath('GameScene');
const mass = async client => (await client.info('/Player', 1)).fields.mass;
const state = async client => ok(await client.call('get_editor_state'));
const setMass = value => ({action: 'update', game_object_path: '/Player', index: 1, fields: {mass: value}});
const MANUAL = {args: ['--save', 'manual']};

test('with --save auto every edit is on disk before its response', async t => {
    const {client, project} = await openProject(t, {args: ['--save', 'auto']});
    await client.update('/Player', 1, {mass: 3});
    assert.deepEqual(project.diff(GAME), {removed: ['  m_Mass: 1'], added: ['  m_Mass: 3']});
    assert.deepEqual(ok(await client.call('save_scene')), {scene_path: GAME, saved: false, bytes: 0});
    assert.equal((await state(client)).scene_dirty, false);
    await client.undo();
    project.isOriginal('GameScene');
});

test('reading changes no file', async t => {
    const {client, project} = await openProject(t);
    for (const name of ['GameScene', 'PatrolScene', 'ArenaScene', 'WorkshopScene', 'MenuScene']) {
        await client.openScene(name);
        await client.hierarchy({max_depth: 50});
    }
    const list = dir => readdirSync(dir, {recursive: true}).sort();
    assert.deepEqual(list(project.dir), list(sample));
    for (const name of list(sample))
        if (statSync(path.join(sample, name)).isFile())
            assert.deepEqual(project.diff(name), {removed: [], added: []}, name);
});

test('a save keeps the permissions and leaves no other file behind', async t => {
    const {client, project} = await openProject(t);
    chmodSync(project.at(GAME), 0o640);
    const before = readdirSync(project.at('Assets/Scenes')).sort();
    await client.update('/Player', 1, {mass: 3});
    assert.equal(statSync(project.at(GAME)).mode & 0o777, 0o640);
    assert.deepEqual(readdirSync(project.at('Assets/Scenes')).sort(), before);
});

test('CR LF line ends are kept', async t => {
    const project = copySample(t);
    const crlf = project.read(GAME).replaceAll('\n', '\r\n');
    project.write(GAME, crlf);
    const {client} = await openProject(t, {project});
    await client.update('/Player', 1, {mass: 3});
    await client.add('/Enemy', 'BoxCollider');
    const text = project.read(GAME);
    assert.equal(text.match(/\n/g).length, text.match(/\r\n/g).length);
    assert.ok(text.includes('  m_Mass: 3\r\n'));
    await client.undo(2);
    assert.equal(project.read(GAME), crlf);
});

test('with --save manual the file changes on save_scene', async t => {
    const {client, project} = await openProject(t, MANUAL);
    await client.update('/Player', 1, {mass: 3});
    project.isOriginal('GameScene');
    assert.equal(await mass(client), 3);
    await until(() => state(client), 'a changed scene', {is: now => now.scene_dirty === true});

    await t.test('no other scene is opened over unsaved changes', async () => {
        refused(await client.call('open_scene', {path: scenePath('PatrolScene')}), 'ERR_UNSAVED_CHANGES');
        assert.equal(await mass(client), 3);
    });

    await t.test('save_scene writes it, once', async () => {
        const saved = ok(await client.call('save_scene'));
        assert.deepEqual(saved, {scene_path: GAME, saved: true, bytes: statSync(project.at(GAME)).size});
        assert.deepEqual(project.diff(GAME), {removed: ['  m_Mass: 1'], added: ['  m_Mass: 3']});
        assert.deepEqual(ok(await client.call('save_scene')), {scene_path: GAME, saved: false, bytes: 0});
        await until(() => state(client), 'an unchanged scene', {is: now => now.scene_dirty === false});
    });

    await t.test('undo is a change too', async () => {
        await client.undo();
        assert.equal(await mass(client), 1);
        assert.ok(project.read(GAME).includes('  m_Mass: 3\n'));
        ok(await client.call('save_scene'));
        project.isOriginal('GameScene');
    });

    await t.test('discard_changes drops unsaved changes', async () => {
        await client.update('/Player', 1, {mass: 9});
        assert.deepEqual(await client.openScene('PatrolScene', {discard_changes: true}), {
            scene_name: 'PatrolScene', scene_path: scenePath('PatrolScene'), previous_scene_path: GAME,
        });
        await client.openScene('GameScene');
        assert.equal(await mass(client), 1);
        project.isOriginal('GameScene');
    });

    await t.test('reopening the same scene discards its unsaved changes', async () => {
        await client.update('/Player', 1, {mass: 9});
        refused(await client.call('open_scene', {path: GAME}), 'ERR_UNSAVED_CHANGES');
        await client.openScene('GameScene', {discard_changes: true});
        assert.equal(await mass(client), 1);
    });
});

test('a missing scene is refused, and the open one stays', async t => {
    const {client} = await openProject(t);
    for (const path of ['Assets/Scenes/Nowhere.unity', 'Assets/Materials/Alert.mat', '../outside.unity', ''])
        refused(await client.call('open_scene', {path}), 'ERR_SCENE_NOT_FOUND');
    assert.equal((await client.hierarchy()).scene_path, GAME);
});

/** Let another program change Player's mass. */
function changeOutside(project, value) {
    const text = project.read(GAME), all = documents(text);
    const player = all.find(d => d.lines.includes('  m_Name: Player'));
    const body = all.find(d => d.classId === 54 && d.lines.includes(`  m_GameObject: {fileID: ${player.id}}`));
    const at = text.indexOf(`--- !u!54 &${body.id}\n`);
    project.write(GAME, text.slice(0, at) + text.slice(at).replace(/ {2}m_Mass: .*/, `  m_Mass: ${value}`));
}

test('a change from outside', async t => {
    await t.test('is loaded while nothing is unsaved', async t => {
        const {client, project} = await openProject(t);
        assert.equal(await mass(client), 1);
        changeOutside(project, 4);
        assert.equal(await mass(client), 4);
        await client.update('/Player', 1, {useGravity: false});
        const {added} = project.diff(GAME);
        assert.deepEqual(added, ['  m_Mass: 4', '  m_UseGravity: 0']); // not overwritten
    });

    await t.test('is never overwritten by unsaved changes', async t => {
        const {client, project} = await openProject(t, MANUAL);
        await client.update('/Player', 1, {mass: 3});
        changeOutside(project, 4);
        refused(await client.call('save_scene'), 'ERR_CONFLICT');
        refused(await client.manage(setMass(5)), 'ERR_CONFLICT');
        assert.deepEqual(project.diff(GAME).added, ['  m_Mass: 4']);
        assert.equal(await mass(client), 3); // reading works
        await client.openScene('GameScene', {discard_changes: true});
        assert.equal(await mass(client), 4);
    });

    await t.test('clears the history: undo would restore a state that never existed', async t => {
        const {client, project} = await openProject(t);
        await client.update('/Player', 1, {mass: 3});
        changeOutside(project, 4);
        assert.equal(await mass(client), 4);
        assert.deepEqual(ok(await client.call('undo')).undone, []);
        assert.deepEqual(project.diff(GAME).added, ['  m_Mass: 4']);
    });

    await t.test('that breaks the file is reported with its line, and can be repaired', async t => {
        const {client, project} = await openProject(t);
        const good = project.read(GAME);
        project.write(GAME, good.replace('  m_Mass: 1\n', '  m_Mass: {x: 1\n'));
        const broken = await client.call('get_component_info', {game_object_path: '/Player', index: 1});
        if (broken.isError)
            assert.match(broken.structuredContent.details.message, /GameScene\.unity/);
        project.write(GAME, good);
        assert.equal(await mass(client), 1);
    });
});

test('undone edits can be redone until the next edit', async t => {
    const {client, project} = await openProject(t);
    await client.update('/Player', 1, {mass: 2});
    await client.add('/Enemy', 'BoxCollider');
    const both = project.read(GAME);
    const answer = ok(await client.call('undo', {steps: 5}));
    assert.deepEqual(answer.undone.map(step => step.tool), ['manage_component', 'manage_component']);
    assert.deepEqual([answer.remaining_undo, answer.remaining_redo], [0, 2]);
    project.isOriginal('GameScene');
    assert.deepEqual(ok(await client.call('redo')).remaining_redo, 1);
    ok(await client.call('redo'));
    assert.equal(project.read(GAME), both);
    await client.undo();
    await client.update('/Player', 1, {mass: 6});
    const nothing = ok(await client.call('redo'));
    assert.deepEqual([nothing.undone, nothing.remaining_redo], [[], 0]);
});

// ---- Unity has the project open

for (const how of ['flock', 'lockf'])
    test(`while Unity has the project open (${how}) it can be read, but not written`, async t => {
        const {client, project} = await openProject(t);
        await client.update('/Player', 1, {mass: 3});
        const before = project.read(GAME);
        const release = await lockProject(t, project, how);
        assert.equal(await mass(client), 3);
        await client.hierarchy();
        refused(await client.manage(setMass(5)), 'ERR_PROJECT_LOCKED');
        refused(await client.call('undo'), 'ERR_PROJECT_LOCKED');
        assert.equal(project.read(GAME), before);
        await release();
        await client.update('/Player', 1, {mass: 5});
        await client.undo(2);
        project.isOriginal('GameScene');
    });

test('a lock file without a lock is ignored', async t => {
    const {client, project} = await openProject(t);
    mkdirSync(project.at('Temp'));
    writeFileSync(project.at('Temp/UnityLockfile'), '');
    await client.update('/Player', 1, {mass: 3});
    assert.ok(project.read(GAME).includes('  m_Mass: 3\n'));
});

// ---- unwritable files

test('an unwritable folder: a clear error, the old file, and the old scene', {
    skip: process.getuid() === 0 && 'root can write everywhere',
}, async t => {
    const {client, project} = await openProject(t);
    chmodSync(project.at('Assets/Scenes'), 0o555);
    atEnd(t, async () => chmodSync(project.at('Assets/Scenes'), 0o755));
    const error = refused(await client.manage(setMass(3)), 'ERR_IO');
    assert.match(error.details.message, /GameScene\.unity|Assets\/Scenes/);
    project.isOriginal('GameScene');
    assert.equal(await mass(client), 1);
    chmodSync(project.at('Assets/Scenes'), 0o755);
    await client.update('/Player', 1, {mass: 3});
    assert.equal(await mass(client), 3);
});

test('a scene outside of the project (through a symbolic link) is not written', async t => {
    const project = copySample(t), elsewhere = folder(t);
    const text = project.read(GAME), target = path.join(elsewhere, 'Other.unity');
    writeFileSync(target, text);
    symlinkSync(target, project.at('Assets/Scenes/Linked.unity'));
    const {client} = await openProject(t, {project});
    const opened = await client.call('open_scene', {path: 'Assets/Scenes/Linked.unity'});
    if (!opened.isError)
        refused(await client.manage(setMass(3)), 'ERR_OUTSIDE_PROJECT');
    assert.equal(readFileSync(target, 'utf8'), text);
    assert.deepEqual(readdirSync(elsewhere), ['Other.unity']);
});

test('a scene of a package that Unity has downloaded is shown, but not written', async t => {
    const project = copySample(t), text = project.read(GAME);
    const file = 'Library/PackageCache/com.example.far@1.0.0/Far.unity';
    mkdirSync(path.dirname(project.at(file)), {recursive: true});
    writeFileSync(project.at(file), text);
    const {client} = await openProject(t, {project});
    for (const scene of ['Packages/com.example.far/Far.unity', file]) {
        await client.openScene(scene);
        assert.equal(await mass(client), 1);
        const error = refused(await client.manage(setMass(3)), 'ERR_PACKAGE_READ_ONLY');
        assert.match(error.details.message, /copy the package/);
    }
    assert.equal(project.read(file), text);
});

test('a call sees every change made before it', async t => {
    const {client, project} = await openProject(t);
    const scenes = async () => (await client.call('list_scenes')).structuredContent.scenes;
    const isListed = async file => (await scenes()).some(s => s.path === file);
    mkdirSync(project.at('Near/v1.2'), {recursive: true});
    writeFileSync(project.at('Near/package.json'), '{"name": "com.example.near"}');
    writeFileSync(project.at('Near/v1.2/Near.unity'), project.read(GAME));
    const manifest = JSON.parse(project.read('Packages/manifest.json'));
    manifest.dependencies['com.example.near'] = 'file:../Near';
    project.write('Packages/manifest.json', JSON.stringify(manifest));
    assert.ok(await isListed('Packages/com.example.near/v1.2/Near.unity'));
    renameSync(project.at('Near/v1.2'), project.at('Near/v1.3'));
    assert.ok(await isListed('Packages/com.example.near/v1.3/Near.unity'));
    assert.ok(!await isListed('Packages/com.example.near/v1.2/Near.unity'));

    assert.ok((await scenes()).find(s => s.path === GAME).in_build);
    project.remove('ProjectSettings/EditorBuildSettings.asset');
    assert.ok(!(await scenes()).find(s => s.path === GAME).in_build);
});
