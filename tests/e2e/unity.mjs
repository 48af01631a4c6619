// A Unity project in an editor, on a copy of the sample project: without Unity (the server's own headless editor), or
// in the package as it runs in the stand-in editor under mono.
//
//     eachEditor('a field is set', async (t, editor) => {           // one test for each kind of editor
//         const {client, disk} = await openProject(t, {editor, scene: 'WorkshopScene'});
//         await client.update('/Zoo', 2, {real: 2.5});              // manage_component, must succeed
//         disk.changed('WorkshopScene', {removed: [...], added: [...]});   // lines of the file
//         refused(await client.manage({...}), 'ERR_OBJECT_NOT_FOUND');
//         await client.undo();
//         await disk.isOriginal('WorkshopScene');
//     });
//
// The headless editor saves each edit, so its file is the truth. A live one saves when it is told to: there `disk`
// compares what the editors show. MULTIVERSE_EDITORS=headless leaves the other one out.
// The client is the official one, on the server's pipes; every answer is held against its schema.
import assert from 'node:assert/strict';
import {cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {answerOf, differences} from '../editors/answers.mjs';
import {known} from '../editors/differences.mjs';
import {atEnd, fails, folder, ok, start} from './bridge.mjs';
import {run} from './cli.mjs';
import {Program, until} from './lib.mjs';
import {openPackage} from './package.mjs';

export const sample = path.resolve(path.dirname(fileURLToPath(import.meta.url)),
    '../../examples/sample-project');

export const scenePath = name => name.includes('/') ? name : `Assets/Scenes/${name}.unity`;

/** Files of a copy of the sample; paths are those of assets. */
export class Project {
    constructor(dir) {
        this.dir = dir;
    }

    at(file) {
        return path.join(this.dir, file);
    }

    has(file) {
        return existsSync(this.at(file));
    }

    read(file) {
        return readFileSync(this.at(file), 'utf8');
    }

    /** As a program that saves does it: the whole file at once. */
    write(file, text) {
        writeFileSync(this.at(`${file}.tmp~`), text);
        renameSync(this.at(`${file}.tmp~`), this.at(file));
    }

    remove(file) {
        rmSync(this.at(file), {recursive: true});
    }

    /** What differs from the sample, or from `before`: {removed, added}, lines in order. */
    diff(file, before = readFileSync(path.join(sample, file), 'utf8')) {
        return diff(before, this.read(file));
    }

    /** Every file is as in the sample again; how many were not. */
    restore() {
        const changed = readdirSync(sample, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile())
            .map(entry => path.relative(sample, path.join(entry.parentPath, entry.name)))
            .filter(file => !this.has(file) || !readFileSync(this.at(file)).equals(readFileSync(path.join(sample, file))));
        for (const file of changed)
            this.write(file, readFileSync(path.join(sample, file)));
        return changed.length;
    }

    /** The scene's file is byte for byte what the sample has. */
    isOriginal(scene) {
        const file = scenePath(scene);
        if (!readFileSync(this.at(file)).equals(readFileSync(path.join(sample, file))))
            assert.fail(`${file} differs: ${JSON.stringify(this.diff(file), null, 1)}`);
    }
}

export function copySample(t) {
    const dir = path.join(folder(t), 'sample-project');
    cpSync(sample, dir, {recursive: true});
    return new Project(dir);
}

// ---- Unity has the project open

const HOLD = `
import fcntl, sys
f = open(sys.argv[1], 'w')
getattr(fcntl, sys.argv[2])(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
print('held', flush=True)
sys.stdin.read()
`;

/** Another process holds Temp/UnityLockfile, as Unity does; answers how to let it go. */
export async function lockProject(t, project, how = 'flock') {
    mkdirSync(project.at('Temp'), {recursive: true});
    const holder = new Program(['-c', HOLD, project.at('Temp/UnityLockfile'), how], {file: 'python3'});
    let out = '';
    holder.child.stdout.on('data', piece => { out += piece; });
    const release = async () => {
        holder.child.stdin.end();
        await holder.stop(null);
    };
    atEnd(t, release);
    await until(() => out.includes('held'), 'a lock that is held', holder);
    return release;
}

// ---- editors

const EDITORS = (process.env.MULTIVERSE_EDITORS ?? 'headless,package').split(',');

/** The same test for every kind of editor. */
export function eachEditor(name, run) {
    for (const editor of EDITORS)
        test(`${editor}: ${name}`, t => run(t, editor));
}

/** What tests want of a client of an editor. */
function equip(client) {
    client.manage = args => client.call('manage_component', args);
    client.update = async (game_object_path, index, fields) =>
        ok(await client.manage({action: 'update', game_object_path, index, fields}));
    client.add = async (game_object_path, component_type, more = {}) =>
        ok(await client.manage({action: 'add', game_object_path, component_type, ...more}));
    client.remove = async (game_object_path, index) =>
        ok(await client.manage({action: 'remove', game_object_path, index}));
    client.info = async (game_object_path, index, more = {}) =>
        ok(await client.call('get_component_info', {game_object_path, index, ...more}));
    client.hierarchy = async (args = {}) => ok(await client.call('get_scene_hierarchy', args));
    /** Full type names of the components of an object. */
    client.components = async root_path =>
        (await client.hierarchy({root_path, max_depth: 0})).root_game_objects[0].components;
    client.openScene = async (name, more = {}) =>
        ok(await client.call('open_scene', {path: scenePath(name), ...more}));
    client.undo = async (steps = 1) => {
        const answer = ok(await client.call('undo', {steps}));
        assert.equal(answer.undone.length, steps, JSON.stringify(answer));
        return answer;
    };
    /** The test of one change; the next one starts from the same scene, also if this one fails. */
    client.trying = async run => {
        try {
            await run();
        } finally {
            await client.call('undo', {steps: 50});
        }
    };
}

/** Server, editor and client; `config` goes into multiverse.json, `scene` is opened. */
export async function openProject(t, {editor = 'headless', project = copySample(t), args = [],
    config = {}, scene, env} = {}) {
    const isHeadless = editor === 'headless';
    const {server, client} = await start(t, {editor: false, stdio: true, limits: config, env,
        args: [...(isHeadless ? ['--project', project.dir] : []), ...args]});
    equip(client);
    const unity = isHeadless ? null : await openPackage(t, server, client, project);
    const disk = isHeadless ? new SavedAtOnce(project) : new SavedLater(t, client, project);
    if (scene || !isHeadless) // Unity begins with the scene that was open last, and this project is new to it
        await client.openScene(scene ?? 'GameScene', {discard_changes: true});
    return {server, client, project, disk, unity};
}

// ---- an editor for all tests of a file

/** What a test is to openProject(), but until the end of the file. */
const wholeFile = {endings: [], after: run => wholeFile.endings.push(run), diagnostic: text => console.error(text)};
let live; // a live editor, which is slow to start
let reference; // a client of the headless one, to compare with

after(async () => {
    for (const end of wholeFile.endings.reverse())
        await end();
});

/** As openProject(), for tests that change nothing but the scene and its file: the live editor is started once for all
 * of them, and each finds the files and the scene as they are in the sample. */
export async function openShared(t, {editor, scene}) {
    if (editor === 'headless')
        return openProject(t, {editor, scene});
    live ??= await openProject(wholeFile, {editor}).then(all => ({...all, call: all.client.call}));
    const {client, project, unity, call} = live;
    client.call = call;
    if (project.restore())
        await unity.tell('refresh');
    await client.openScene(scene, {discard_changes: true});
    return {...live, disk: new SavedLater(wholeFile, client, project)};
}

// ---- what is in the files

/** Of the headless editor: each edit is in the file when it is answered. */
class SavedAtOnce {
    constructor(project) {
        this.project = project;
    }

    /** Checks of files that this editor has written. */
    check(run) {
        return run();
    }

    changed(scene, want) {
        assert.deepEqual(this.project.diff(scenePath(scene)), want);
    }

    async isOriginal(scene) {
        this.project.isOriginal(scene);
    }

    /** What another program reads in the file is what this editor shows. */
    async shows() {}
}

/** Of a live editor: the file changes when it is told to. What is shown is compared with what the headless editor
 * shows of the sample: the tree, and all components of the objects that the test has named. */
class SavedLater {
    constructor(t, client, project) {
        Object.assign(this, {t, client, project, named: new Set()});
        const {call} = client;
        client.call = (tool, args, options) => {
            if (tool === 'manage_component')
                this.named.add(args.game_object_path);
            return call(tool, args, options);
        };
    }

    check() {}

    changed() {}

    async isOriginal(scene) {
        reference ??= (await openProject(wholeFile)).client;
        this.reference = reference;
        await this.reference.openScene(scene, {discard_changes: true});
        const whole = {max_depth: 50, max_game_objects: 10_000};
        const want = await this.reference.hierarchy(whole);
        assert.deepEqual(await this.client.hierarchy(whole), want);
        for (const {path, components} of everyNode(want.root_game_objects))
            for (const index of this.named.has(path) ? components.keys() : [])
                await this.showsTheSame(scene, 'get_component_info', {game_object_path: path, index});
    }

    /** What a live editor shows in another way (tests/editors/differences.mjs) is the same, too. */
    async showsTheSame(scene, tool, args) {
        const [a, b] = await Promise.all([this.reference, this.client].map(client => client.call(tool, args)))
            .then(results => results.map(result => answerOf(result, this.project.dir)));
        const place = {tool, args, scene: scenePath(scene), folder: sample, answers: [a, b]};
        assert.deepEqual(differences(a, b).filter(one => !known({...place, ...one})), []);
    }

    /** Saved, and read by the headless editor. */
    async shows(scene, game_object_path, index, fields) {
        ok(await this.client.call('save_scene'));
        const args = {game_object_path, index, fields: Object.keys(fields)};
        const {code, stdout, stderr} = await run(['call', 'get_component_info', JSON.stringify(args),
            '--project', this.project.dir, '--scene', scenePath(scene)]);
        assert.equal(code, 0, stderr);
        assert.deepEqual(JSON.parse(stdout).fields, fields);
    }
}

function* everyNode(nodes) {
    for (const node of nodes) {
        yield node;
        if (Array.isArray(node.children))
            yield* everyNode(node.children);
    }
}

// ---- answers

/** The editor has refused it with this code and has changed nothing; the error. */
export function refused(result, code) {
    assert.equal(result.isError, true, JSON.stringify(result.structuredContent));
    const error = result.structuredContent;
    assert.deepEqual(JSON.parse(result.content[0].text), error);
    assert.equal(error.code, 'ERR_UNITY_EXECUTION', JSON.stringify(error));
    assert.equal(error.details.plugin_error_code, code, JSON.stringify(error));
    assert.ok(error.details.message.length > 10, JSON.stringify(error));
    assert.equal(error.details.execution_guarantee, 'not_executed', JSON.stringify(error));
    return error;
}

/** The server has refused it by the tool's schema. */
export const invalid = result => fails(result, 'ERR_INVALID_PARAMS');

/** Everything `want` names is so in `got`; arrays must be whole. */
export function holds(got, want, where = '') {
    if (want === null || typeof want !== 'object') {
        assert.equal(got, want, where);
        return;
    }
    assert.ok(got !== null && typeof got === 'object', `${where} is ${JSON.stringify(got)}`);
    if (Array.isArray(want))
        assert.equal(got.length, want.length, `${where}: ${JSON.stringify(got)}`);
    for (const key of Object.keys(want))
        holds(got[key], want[key], `${where}.${key}`);
}

/** Longest common subsequence of lines: what was removed and what was added. */
export function diff(before, after) {
    let a = before.split('\n'), b = after.split('\n'), head = 0;
    while (head < a.length && head < b.length && a[head] === b[head])
        head++;
    let tail = 0;
    while (tail < a.length - head && tail < b.length - head &&
        a[a.length - 1 - tail] === b[b.length - 1 - tail])
        tail++;
    a = a.slice(head, a.length - tail);
    b = b.slice(head, b.length - tail);
    const width = b.length + 1, length = new Uint32Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; i--)
        for (let j = b.length - 1; j >= 0; j--)
            length[i * width + j] = a[i] === b[j] ? length[(i + 1) * width + j + 1] + 1
                : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
    const removed = [], added = [];
    let i = 0, j = 0;
    while (i < a.length || j < b.length)
        if (i < a.length && j < b.length && a[i] === b[j])
            i++, j++;
        else if (j >= b.length || (i < a.length && length[(i + 1) * width + j] >= length[i * width + j + 1]))
            removed.push(a[i++]);
        else
            added.push(b[j++]);
    return {removed, added};
}

/** The documents of a file: [{classId, id, stripped, lines}], the first two lines left out. */
export function documents(text) {
    const list = [];
    for (const line of text.split('\n')) {
        const m = line.match(/^--- !u!(\d+) &(-?\d+)( stripped)?$/);
        if (m)
            list.push({classId: Number(m[1]), id: m[2], stripped: Boolean(m[3]), lines: []});
        else
            list.at(-1)?.lines.push(line);
    }
    return list;
}

/** Keys of a document's own level, serializedVersion aside. */
export const keys = document => document.lines
    .map(line => line.match(/^ {2}([^ -][^:]*):/)?.[1]).filter(key => key && key !== 'serializedVersion');
