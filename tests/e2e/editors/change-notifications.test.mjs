// What both editors tell when their scene or their console has something new (docs/spec/10-bridge.md, 3), as the page
// hears it: scene_seq and console_seq of the feed.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {connect, folder, ok} from '../fixtures/bridge.mjs';
import {openFeed} from '../fixtures/feed.mjs';
import {until} from '../fixtures/program.mjs';
import {eachEditor, openProject} from '../fixtures/unity.mjs';

async function open(t, editor, options = {}) {
    const opened = await openProject(t, {editor, env: {MULTIVERSE_HOME: folder(t)}, config: {editor_status_interval_ms: 20},
        ...options});
    const {client, unity} = opened;
    const feed = await openFeed(t, opened.server);
    const newest = () => feed.all.findLast(m => m.event === 'editor').json;
    await feed.last('editor', e => e.connected && e.scene_seq !== null && e.console_seq !== null);
    let looks = 0;
    /** The numbers, when all that has happened so far has been told. */
    const quiet = async () => {
        if (unity) { // it gathers news; both numbers are told together, so that a new line brings all
            await unity.command('log', {type: 'log', message: 'quiet'});
            const {cursor} = ok(await client.call('read_console'));
            return feed.last('editor', e => e.console_seq >= Number(cursor.split('-')[1]));
        }
        ok(await client.call('list_scenes')); // looks at the files that have changed
        const {last_editor_status_seq: seq} = await client.state();
        await until(() => client.state(), 'one more heartbeat', {is: now => now.last_editor_status_seq > seq});
        const message_pattern = `quiet ${++looks}`;
        ok(await client.call('read_console', {message_pattern}));
        await feed.entry(e => e.ended_at && JSON.stringify(e).includes(message_pattern)); // the feed keeps the order
        return newest();
    };
    /** What is done makes this number grow. */
    const grows = async (key, what, run) => {
        const before = (await quiet())[key];
        await run();
        await feed.last('editor', e => e[key] > before).catch(e => assert.fail(`${what}: ${e.message}`));
    };
    return {...opened, feed, quiet, grows};
}

eachEditor('the feed tells of a scene that any client changes', async (t, editor) => {
    const {server, client, grows, quiet} = await open(t, editor);
    const other = await connect(t, server);
    const update = mass => ({action: 'update', game_object_path: '/Player', index: 1, fields: {mass}});
    await grows('scene_seq', 'an update', async () => ok(await other.call('manage_component', update(7))));
    await grows('scene_seq', 'undo', async () => ok(await other.call('undo')));
    await grows('scene_seq', 'redo', async () => ok(await other.call('redo')));
    await grows('scene_seq', 'a component', async () => ok(await other.call('manage_component',
        {action: 'add', game_object_path: '/Enemy', component_type: 'BoxCollider'})));
    await grows('scene_seq', 'another scene', () => client.openScene('MenuScene', {discard_changes: true}));
    const before = await quiet();
    await client.hierarchy();
    ok(await client.call('list_scenes'));
    const after = await quiet();
    assert.equal(after.scene_seq, before.scene_seq, 'who only looks changes nothing');
});

eachEditor('the feed tells of files that another program changes', async (t, editor) => {
    const {client, project, unity, grows, quiet} = await open(t, editor, {scene: 'ArenaScene'});
    const refresh = () => unity?.command('refresh'); // Unity looks when it gets the focus
    const prefab = 'Assets/Prefabs/Crate.prefab';
    await grows('scene_seq', 'a prefab', async () => {
        project.write(prefab, project.read(prefab).replace(/m_Name: Crate$/m, 'm_Name: Crate2'));
        await refresh();
    });
    if (editor === 'headless') { // Unity asks its user about a scene, and compiles scripts: that is another domain
        await grows('scene_seq', 'a script', async () => {
            const script = 'Assets/Scripts/FieldZoo.cs';
            project.write(script, project.read(script).replace('public class FieldZoo', '/* */ public class FieldZoo'));
        });
        await grows('scene_seq', 'the scene', async () => {
            const scene = 'Assets/Scenes/ArenaScene.unity';
            project.write(scene, project.read(scene).replace('m_Name: Sun', 'm_Name: Moon'));
        });
        const {scene_seq} = await quiet();
        assert.ok((await client.hierarchy()).root_game_objects.some(o => o.name === 'Moon'));
        assert.equal((await quiet()).scene_seq, scene_seq, 'it was told already');
        const other = 'Assets/Scenes/GameScene.unity';
        project.write(other, project.read(other).replace('m_Name: Player', 'm_Name: Player2'));
        assert.equal((await quiet()).scene_seq, scene_seq, 'a scene that is not open is not this one');
    }
});

eachEditor('the feed tells of new lines in the console, many at once', async (t, editor) => {
    const BEAT_MS = 500;
    const {client, feed, unity, grows} = await open(t, editor, {config: {editor_status_interval_ms: BEAT_MS}});
    const say = unity ? message => unity.command('log', {type: 'warning', message})
        : () => client.openScene('WorkshopScene', {discard_changes: true}); // it says what is missing in it
    await grows('console_seq', 'a line', () => say('from the game'));
    const started = Date.now(), before = (await client.state()).last_editor_status_seq;
    if (unity) {
        await unity.command('log', {type: 'log', message: 'line {n}', count: 2000});
    } else {
        for (let i = 0; i < 100; i++)
            await client.update('/Zoo', 2, {real: i});
    }
    const {cursor} = ok(await client.call('read_console'));
    await feed.last('editor', e => `${e.console_seq}` === cursor.split('-')[1]);
    const said = (await client.state()).last_editor_status_seq - before, ms = Date.now() - started;
    assert.ok(said <= ms / 50 + ms / BEAT_MS + 2, `${said} times in ${ms} ms`); // and the heartbeat
});

test('package: the numbers go on behind a domain reload, and a user counts', async t => {
    if (process.env.MULTIVERSE_EDITORS && !process.env.MULTIVERSE_EDITORS.includes('package'))
        return t.skip('no mono');
    const {feed, unity, grows, quiet} = await open(t, 'package');
    await grows('scene_seq', 'a field in the Inspector', () =>
        unity.command('edit', {path: '/Player', component: 1, field: 'm_Mass', value: 4}));
    await grows('scene_seq', 'undo', () => unity.command('undo'));
    await grows('scene_seq', 'a name', () =>
        unity.command('hierarchy', {action: 'rename', path: '/Enemy', name: 'Foe'}));
    const before = await quiet(), from = feed.all.length;
    await unity.reload();
    await quiet();
    const told = feed.all.slice(from).filter(m => m.event === 'editor').map(m => m.json);
    assert.ok(told.at(-1).scene_seq > before.scene_seq);
    let last = before;
    for (const now of told) {
        assert.ok(now.scene_seq >= last.scene_seq && now.console_seq >= last.console_seq,
            `${last.scene_seq} ${last.console_seq}, then ${now.scene_seq} ${now.console_seq}`);
        last = now;
    }
});
