// The command line on a Unity project: `call TOOL --project DIR` without a server, and
// `project check DIR`.
import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {folder} from '../fixtures/bridge.mjs';
import {refuses, run} from '../fixtures/cli.mjs';
import {copySample, sample, scenePath} from '../fixtures/unity.mjs';

const GAME = scenePath('GameScene');
const call = async (project, ...args) => {
    const {code, stdout, stderr} = await run(['call', ...args, '--project', project.dir]);
    return {code, stderr, answer: stdout ? JSON.parse(stdout) : null};
};
const good = async (project, ...args) => {
    const {code, stderr, answer} = await call(project, ...args);
    assert.equal(code, 0, stderr);
    return answer;
};

test('one call works without a server', async t => {
    const project = copySample(t);
    const hierarchy = await good(project, 'get_scene_hierarchy');
    assert.deepEqual([hierarchy.scene_path, hierarchy.total_game_objects], [GAME, 6]);
    const info = await good(project, 'get_component_info', 'game_object_path=/Player', 'index=1');
    assert.equal(info.component_type, 'UnityEngine.Rigidbody');
    project.isOriginal('GameScene');
});

test('--scene opens another scene', async t => {
    const project = copySample(t);
    const answer = await good(project, 'get_scene_hierarchy', '--scene', scenePath('MenuScene'), 'max_depth=0');
    assert.equal(answer.scene_name, 'MenuScene');
    const {code, stderr} = await call(project, 'get_scene_hierarchy', '--scene', 'Assets/Nowhere.unity');
    assert.notEqual(code, 0);
    assert.match(stderr, /Nowhere\.unity/);
});

test('an edit is saved before the program exits', async t => {
    const project = copySample(t);
    const answer = await good(project, 'manage_component',
        JSON.stringify({action: 'update', game_object_path: '/Player', index: 1, fields: {mass: 2.5}}));
    assert.deepEqual(answer.fields_set, ['mass']);
    assert.deepEqual(project.diff(GAME), {removed: ['  m_Mass: 1'], added: ['  m_Mass: 2.5']});
});

test('an error is one line and exit 1, and the result is the error', async t => {
    const project = copySample(t);
    const {code, stderr, answer} = await call(project, 'get_component_info', 'game_object_path=/Nobody', 'index=0');
    assert.equal(code, 1);
    assert.match(stderr, /^multiverse: [^\n]*ERR_OBJECT_NOT_FOUND[^\n]*\n$/);
    assert.ok(JSON.stringify(answer).includes('ERR_OBJECT_NOT_FOUND'));
    const wrong = await call(project, 'get_scene_hierarchy', 'max_depth=99');
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /max_depth/);
});

test('a folder that is not a Unity project is refused', async t => {
    const cwd = folder(t);
    const {code, stderr} = await run(['call', 'get_scene_hierarchy', '--project', cwd]);
    assert.notEqual(code, 0);
    assert.match(stderr, /Unity project|Assets/);
});

// ---- project check

const NAMES = ['files', 'bytes', 'documents', 'not_identical', 'unreadable', 'missing_scripts', 'broken_references',
    'duplicate_guids'];
const check = async dir => {
    const {code, stdout, stderr} = await run(['project', 'check', dir, '--json']);
    assert.ok(stdout, stderr);
    const report = JSON.parse(stdout);
    for (const name of NAMES)
        assert.equal(typeof report[name], 'number', name);
    return {code, report};
};

test('project check: the sample has one missing script and no other finding', async () => {
    const {code, report} = await check(sample);
    assert.equal(code, 1);
    const {files, bytes, documents, not_identical, unreadable, missing_scripts, broken_references, duplicate_guids} = report;
    assert.deepEqual({not_identical, unreadable, missing_scripts, broken_references, duplicate_guids},
        {not_identical: 0, unreadable: 0, missing_scripts: 1, broken_references: 0, duplicate_guids: 0},
        JSON.stringify(report.findings, null, 1));
    assert.ok(files > 10 && bytes > 10_000 && documents > 100, JSON.stringify({files, bytes, documents}));
    const [finding] = report.findings;
    assert.match(finding.file, /WorkshopScene\.unity$/);
    assert.ok(finding.line > 1, JSON.stringify(finding));
});

test('project check: exit 0 without findings', async t => {
    const project = copySample(t);
    project.remove('Assets/Scenes/WorkshopScene.unity');
    project.remove('Assets/Scenes/WorkshopScene.unity.meta');
    const {code, report} = await check(project.dir);
    assert.equal(code, 0, JSON.stringify(report.findings));
    assert.deepEqual(report.findings, []);
});

test('project check: every kind of damage is found, with file and line', async t => {
    const project = copySample(t);
    project.remove('Assets/Scenes/WorkshopScene.unity');
    project.remove('Assets/Scenes/WorkshopScene.unity.meta');
    const DAMAGE = [
        ['missing_scripts', GAME, text => text, () => project.remove('Assets/Scripts/EnemyChaser.cs.meta')],
        ['broken_references', GAME, text => text.replace(/m_Father: \{fileID: [1-9]\d*\}/, 'm_Father: {fileID: 12345}')],
        ['duplicate_guids', 'Assets/Materials/Gold.mat.meta', () => project.read('Assets/Materials/Alert.mat.meta')],
        ['unreadable', 'Assets/Prefabs/Crate.prefab', () => 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'],
    ];
    for (const [kind, file, edit, also] of DAMAGE)
        await t.test(kind, async () => {
            const before = project.read(file), meta = project.read('Assets/Scripts/EnemyChaser.cs.meta');
            project.write(file, edit(before));
            also?.();
            const {code, report} = await check(project.dir);
            assert.equal(code, 1);
            assert.ok(report[kind] >= 1, JSON.stringify(report));
            assert.ok(report.findings.length >= 1, kind);
            assert.ok(report.findings.every(f => f.file && f.message), JSON.stringify(report.findings));
            project.write(file, before);
            project.write('Assets/Scripts/EnemyChaser.cs.meta', meta);
        });
});

test('project check: output for people', async () => {
    const {code, stdout} = await run(['project', 'check', sample]);
    assert.equal(code, 1);
    assert.match(stdout, /WorkshopScene\.unity/);
    for (const name of ['missing', 'files'])
        assert.match(stdout, new RegExp(name, 'i'));
});

test('project check: usage errors', async t => {
    const cwd = folder(t);
    mkdirSync(path.join(cwd, 'empty'));
    writeFileSync(path.join(cwd, 'file'), '');
    for (const dir of ['empty', 'nowhere', 'file'])
        refuses(await run(['project', 'check', dir], {cwd}), new RegExp(dir));
});
