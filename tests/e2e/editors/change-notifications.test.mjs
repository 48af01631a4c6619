// Both editors notify the server of changes to their scene and console (docs/spec/10-bridge.md, 3).
// The page reads them as scene_seq and console_seq of the feed.
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
    let checks = 0;
    /** The numbers after everything so far has been reported. */
    const settle = async () => {
        // the package collects changes and reports both numbers together, so a new line flushes all
        if (unity) {
            await unity.command('log', {type: 'log', message: 'quiet'});
            const {cursor} = ok(await client.call('read_console'));
            return feed.last('editor', e => e.console_seq >= Number(cursor.split('-')[1]));
        }
        ok(await client.call('list_scenes')); // makes the editor check for changed files
        const {last_editor_status_seq: seq} = await client.state();
        await until(() => client.state(), 'one more heartbeat', {is: now => now.last_editor_status_seq > seq});
        const message_pattern = `quiet ${++checks}`;
        ok(await client.call('read_console', {message_pattern}));
        // the feed keeps the order
        await feed.entry(e => e.ended_at && JSON.stringify(e).includes(message_pattern));
        return newest();
    };
    /** Check that an action increases this number. */
    const assertGrows = async (key, what, run) => {
        const before = (await settle())[key];
        await run();
        await feed.last('editor', e => e[key] > before).catch(e => assert.fail(`${what}: ${e.message}`));
    };
    return {...opened, feed, settle, assertGrows};
}

eachEditor('the feed reports changes of the scene by any client', async (t, editor) => {
    const {server, client, assertGrows, settle} = await open(t, editor);
    const other = await connect(t, server);
    const update = mass => ({action: 'update', game_object_path: '/Player', index: 1, fields: {mass}});
    await assertGrows('scene_seq', 'an update', async () => ok(await other.call('manage_component', update(7))));
    await assertGrows('scene_seq', 'undo', async () => ok(await other.call('undo')));
    await assertGrows('scene_seq', 'redo', async () => ok(await other.call('redo')));
    await assertGrows('scene_seq', 'a component', async () => ok(await other.call('manage_component',
        {action: 'add', game_object_path: '/Enemy', component_type: 'BoxCollider'})));
    await assertGrows('scene_seq', 'another scene', () => client.openScene('MenuScene', {discard_changes: true}));
    const before = await settle();
    await client.hierarchy();
    ok(await client.call('list_scenes'));
    const after = await settle();
    assert.equal(after.scene_seq, before.scene_seq, 'reading changes nothing');
});

eachEditor('the feed reports files that another program changes', async (t, editor) => {
    const {client, project, unity, assertGrows, settle} = await open(t, editor, {scene: 'ArenaScene'});
    // Unity checks for changed files when it gets the focus
    const refresh = () => unity?.command('refresh');
    const prefab = 'Assets/Prefabs/Crate.prefab';
    await assertGrows('scene_seq', 'a prefab', async () => {
        project.write(prefab, project.read(prefab).replace(/m_Name: Crate$/m, 'm_Name: Crate2'));
        await refresh();
    });
    // Unity asks its user about a changed scene, and a new script means another domain
    if (editor === 'headless') {
        await assertGrows('scene_seq', 'a script', async () => {
            const script = 'Assets/Scripts/FieldZoo.cs';
            project.write(script, project.read(script).replace('public class FieldZoo', '/* */ public class FieldZoo'));
        });
        await assertGrows('scene_seq', 'the scene', async () => {
            const scene = 'Assets/Scenes/ArenaScene.unity';
            project.write(scene, project.read(scene).replace('m_Name: Sun', 'm_Name: Moon'));
        });
        const {scene_seq} = await settle();
        assert.ok((await client.hierarchy()).root_game_objects.some(o => o.name === 'Moon'));
        assert.equal((await settle()).scene_seq, scene_seq, 'it was reported already');
        const other = 'Assets/Scenes/GameScene.unity';
        project.write(other, project.read(other).replace('m_Name: Player', 'm_Name: Player2'));
        assert.equal((await settle()).scene_seq, scene_seq, 'changes of a closed scene are not reported');
    }
});

eachEditor('the feed reports new lines of the console, many at once', async (t, editor) => {
    const BEAT_MS = 500;
    const {client, feed, unity, assertGrows} = await open(t, editor, {config: {editor_status_interval_ms: BEAT_MS}});
    const addLine = unity ? message => unity.command('log', {type: 'warning', message})
        // it warns about missing scripts
        : () => client.openScene('WorkshopScene', {discard_changes: true});
    await assertGrows('console_seq', 'a line', () => addLine('from the game'));
    const started = Date.now(), before = (await client.state()).last_editor_status_seq;
    if (unity) {
        await unity.command('log', {type: 'log', message: 'line {n}', count: 2000});
    } else {
        for (let i = 0; i < 100; i++)
            await client.update('/Zoo', 2, {real: i});
    }
    const {cursor} = ok(await client.call('read_console'));
    await feed.last('editor', e => `${e.console_seq}` === cursor.split('-')[1]);
    const reports = (await client.state()).last_editor_status_seq - before, ms = Date.now() - started;
    assert.ok(reports <= ms / 50 + ms / BEAT_MS + 2, `${reports} times in ${ms} ms`); // and the heartbeat
});

test('package: the numbers continue after a domain reload, and edits by the user count', async t => {
    if (process.env.MULTIVERSE_EDITORS && !process.env.MULTIVERSE_EDITORS.includes('package'))
        return t.skip('no mono');
    const {feed, unity, assertGrows, settle} = await open(t, 'package');
    await assertGrows('scene_seq', 'a field in the Inspector', () =>
        unity.command('edit', {path: '/Player', component: 1, field: 'm_Mass', value: 4}));
    await assertGrows('scene_seq', 'undo', () => unity.command('undo'));
    await assertGrows('scene_seq', 'a name', () =>
        unity.command('hierarchy', {action: 'rename', path: '/Enemy', name: 'Foe'}));
    const before = await settle(), from = feed.all.length;
    await unity.reload();
    await settle();
    const events = feed.all.slice(from).filter(m => m.event === 'editor').map(m => m.json);
    assert.ok(events.at(-1).scene_seq > before.scene_seq);
    let last = before;
    for (const now of events) {
        assert.ok(now.scene_seq >= last.scene_seq && now.console_seq >= last.console_seq,
            `${last.scene_seq} ${last.console_seq}, then ${now.scene_seq} ${now.console_seq}`);
        last = now;
    }
});
