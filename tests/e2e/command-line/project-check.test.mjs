// multiverse project check: numbers, findings, exit codes, for people and for programs.
import assert from 'node:assert/strict';
import {cpSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

import {folder, refuses, run, runOnTerminal} from '../fixtures/cli.mjs';
import {sample} from '../fixtures/unity.mjs';

const HEAD = '%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n';
const MATERIAL = `${HEAD}--- !u!21 &2100000\nMaterial:\n  m_Name: M\n`;
const NAMES = ['files', 'bytes', 'documents', 'not_identical', 'unreadable', 'missing_scripts',
    'broken_references', 'duplicate_guids', 'binary', 'unresolved_references', 'findings'];

const guid = n => n.toString(16).padStart(32, '0');

/** A project with these files in Assets; each has its own GUID, counted from 1. */
function project(t, files) {
    const dir = folder(t);
    mkdirSync(path.join(dir, 'Assets'));
    Object.entries(files).forEach(([name, text], i) => {
        writeFileSync(path.join(dir, 'Assets', name), text);
        writeFileSync(path.join(dir, 'Assets', `${name}.meta`), `fileFormatVersion: 2\nguid: ${guid(i + 1)}\n`);
    });
    return dir;
}

test('a sound project has no findings', async t => {
    const dir = project(t, {'A.mat': MATERIAL, 'B.png': 'x'});
    const {code, stdout, stderr} = await run(['project', 'check', dir, '--json']);
    assert.deepEqual([code, stderr], [0, '']);
    const report = JSON.parse(stdout);
    assert.deepEqual(Object.keys(report), NAMES);
    const bytes = readFileSync(path.join(dir, 'Assets/A.mat')).length + 2 * `fileFormatVersion: 2\nguid: ${guid(1)}\n`.length;
    assert.deepEqual(report, {files: 3, bytes, documents: 1, not_identical: 0, unreadable: 0, missing_scripts: 0,
        broken_references: 0, duplicate_guids: 0, binary: 0, unresolved_references: 0, findings: []});
    const text = await run(['project', 'check'], {cwd: dir});
    assert.equal(text.code, 0);
    assert.match(text.stdout, /^files +3$/m);
    assert.match(text.stdout, /^broken references +0$/m);
});

test('every kind of finding has its file and line', async t => {
    const dir = project(t, {
        'A.mat': `${MATERIAL}  m_Texture: {fileID: 2800000, guid: ${guid(99)}, type: 3}\n`,
        'B.asset': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
        'C.asset': Buffer.from([0, 1, 2, 3]),
        'D.unity': `${HEAD}--- !u!1 &10\nGameObject:\n  m_Component:\n  - component: {fileID: 11}\n  m_Name: A\n` +
            '--- !u!114 &11\nMonoBehaviour:\n  m_GameObject: {fileID: 10}\n  m_Script: {fileID: 11500000, ' +
            `guid: ${guid(98)}, type: 3}\n  target: {fileID: 77}\n`,
        'E.png': 'x',
    });
    writeFileSync(path.join(dir, 'Assets/E.png.meta'), `fileFormatVersion: 2\nguid: ${guid(1)}\n`);
    const {code, stdout} = await run(['project', 'check', dir, '--json']);
    assert.equal(code, 1);
    const {findings, ...counts} = JSON.parse(stdout);
    assert.deepEqual(findings.map(({kind, file, line}) => [kind, file, line]), [
        ['unreadable', 'Assets/B.asset', 1],
        ['missing_script', 'Assets/D.unity', 11],
        ['broken_reference', 'Assets/A.mat', 6],
        ['broken_reference', 'Assets/D.unity', 12],
        ['duplicate_guid', 'Assets/E.png.meta', 2],
    ]);
    for (const finding of findings)
        assert.deepEqual(Object.keys(finding), ['kind', 'file', 'line', 'message']);
    assert.match(findings[0].message, /Git LFS/);
    assert.deepEqual([counts.unreadable, counts.missing_scripts, counts.broken_references, counts.duplicate_guids,
        counts.binary], [1, 1, 2, 1, 1]);
    const text = await run(['project', 'check', dir]);
    assert.equal(text.code, 1);
    assert.match(text.stdout, /\nmissing scripts:\n {2}Assets\/D\.unity:11: /);
    assert.match(text.stdout, /^binary +1 /m);
});

test('only the first fifty findings are shown', async t => {
    const references = Array.from({length: 60}, (_, i) => `  r${i}: {fileID: ${1000 + i}}\n`).join('');
    const dir = project(t, {'A.mat': MATERIAL + references});
    const {stdout} = await run(['project', 'check', dir]);
    assert.equal(stdout.match(/^ {2}Assets\//mg).length, 50);
    assert.match(stdout, /\nand 10 more; --json shows them all\n$/);
    assert.equal(JSON.parse((await run(['project', 'check', dir, '--json'])).stdout).findings.length, 60);
});

test('packages that are not on disk cause no findings', async t => {
    const dir = project(t, {'A.mat': `${MATERIAL}  m_Texture: {fileID: 2800000, guid: ${guid(99)}, type: 3}\n`});
    mkdirSync(path.join(dir, 'Packages'));
    writeFileSync(path.join(dir, 'Packages/manifest.json'), '{"dependencies": {"com.example.far": "1.0.0"}}');
    const {code, stdout} = await run(['project', 'check', dir, '--json']);
    const {unresolved_references: unresolved, findings} = JSON.parse(stdout);
    assert.deepEqual([code, unresolved, findings], [0, 1, []]);
});

test('the sample project has one missing script, on purpose', async t => {
    const dir = folder(t);
    cpSync(sample, dir, {recursive: true});
    const {code, stdout} = await run(['project', 'check', dir, '--json']);
    const report = JSON.parse(stdout);
    assert.equal(code, 1);
    assert.deepEqual(report.findings.map(finding => finding.kind), ['missing_script']);
    assert.equal(report.not_identical + report.unreadable, 0);
});

test('a progress bar appears only on a terminal', async t => {
    const dir = project(t, {'A.mat': MATERIAL});
    const {code, stdout} = await runOnTerminal(['project', 'check', dir]);
    assert.equal(code, 0);
    assert.match(stdout, /\r\[#+\] 100 % {2}2 of 2 files\r\u001b\[K/);
    assert.equal((await run(['project', 'check', dir])).stderr, '');
});

test('folders that cannot be checked are errors', async t => {
    const dir = folder(t);
    refuses(await run(['project', 'check', dir]), /no Unity project at .*Assets/);
    refuses(await run(['project', 'chek']), /project: unknown action chek/);
    refuses(await run(['project']), /project/);
    refuses(await run(['project', 'check', dir, 'more']), /does not take the argument "more"/);
});
