// find_component_types and find_assets: both editors return the same, and manage_component accepts
// it.
import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';

import {ok} from '../fixtures/bridge.mjs';
import {copySample, eachEditor, invalid, openProject, refused} from '../fixtures/unity.mjs';

const HEAD = '%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n';
const guid = n => `f1d00000000000000000000000000${String(n).padStart(3, '0')}`;
const script = n => `  m_Script: {fileID: 11500000, guid: ${guid(n)}, type: 3}\n`;
const importer = lines => `TextureImporter:\n${lines.map(line => `  ${line}\n`).join('')}`;

/** A prefab whose root has these documents besides its Transform. */
const prefab = (name, ...components) => `${HEAD}--- !u!1 &10\nGameObject:\n  m_ObjectHideFlags: 0\n  serializedVersion: 6\n` +
    `  m_Component:\n  - component: {fileID: 11}\n${components.map((_, i) => `  - component: {fileID: ${12 + i}}\n`).join('')}` +
    `  m_Layer: 0\n  m_Name: ${name}\n  m_TagString: Untagged\n  m_IsActive: 1\n` +
    '--- !u!4 &11\nTransform:\n  m_ObjectHideFlags: 0\n  m_GameObject: {fileID: 10}\n' +
    '  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}\n  m_LocalPosition: {x: 0, y: 0, z: 0}\n' +
    '  m_LocalScale: {x: 1, y: 1, z: 1}\n  m_Children: []\n  m_Father: {fileID: 0}\n' +
    components.map(([id, name, more = ''], i) => `--- !u!${id} &${12 + i}\n${name}:\n  m_ObjectHideFlags: 0\n` +
        `  m_GameObject: {fileID: 10}\n  m_Enabled: 1\n${more}`).join('');

const doc = (id, file, name, more) => `--- !u!${id} &${file}\n${name}:\n  m_ObjectHideFlags: 0\n${more}`;

const FIELDS = {
    material: 'Material', sprite: 'Sprite', image: 'Texture2D', texture: 'Texture', thing: 'GameObject', collider: 'Collider',
    mesh: 'Mesh', sound: 'AudioClip', motion: 'Motion', data: 'ScriptableObject', gem: 'Find.Gem', any: 'Object', door: 'Find.Door',
};

// path: [guid, text, end of the .meta]
const FILES = {
    'Assets/Find/Picker.cs': [1, `using UnityEngine;\nnamespace Find {\npublic class Picker : MonoBehaviour {\n${
        Object.entries(FIELDS).map(([name, type]) => `    public ${type} ${name};\n`).join('')}}\n}\n`],
    'Assets/Find/Gem.cs': [2, 'namespace Find { public class Gem : UnityEngine.ScriptableObject { public int carats; } }\n'],
    'Assets/Find/Ruby.cs': [3, 'namespace Find { public class Ruby : Gem { } }\n'],
    'Assets/Find/Door.cs': [4, 'using UnityEngine;\nnamespace Find { public class Door : MonoBehaviour, IOpen { } }\n'],
    'Assets/Find/IOpen.cs': [5, 'namespace Find { public interface IOpen { } }\n'],
    'Assets/Find/Gate.cs': [6, 'namespace Find { public class Gate : Door { class Inner : Door { } }\n    public class Other : Door { } }\n'],
    'Assets/Find/Maker.cs': [7, 'namespace Find { public abstract class Maker : UnityEngine.MonoBehaviour { } }\n'],
    'Assets/Find/Any.cs': [8, 'namespace Find { public class Any<T> : UnityEngine.MonoBehaviour { } }\n'],
    'Assets/Find/Editor/Tool.cs': [9, 'namespace Find { public class Tool : UnityEngine.MonoBehaviour { } }\n'],
    'Assets/Find/one.png': [20, 'PNG', importer(['spriteMode: 1', 'textureType: 8'])],
    'Assets/Find/plain.png': [21, 'PNG', importer(['spriteMode: 0'])],
    'Assets/Find/Sheet.png': [22, 'PNG', importer(['internalIDToNameTable:', '- first:', '    213: 71', '  second: walk_1',
        '- first:', '    213: 72', '  second: walk_0', 'spriteMode: 2', 'textureType: 8', 'spriteSheet:', '  sprites:',
        '  - name: walk_1', '    internalID: 71', '  - name: walk_0', '    internalID: 72'])],
    'Assets/Find/old.png': [23, 'PNG', importer(['fileIDToRecycleName:', '  21300000: left', '  21300002: right', 'spriteMode: 2'])],
    'Assets/Find/man.fbx': [24, 'FBX', 'ModelImporter:\n  internalIDToNameTable:\n  - first:\n      43: 91\n    second: Body\n' +
        '  - first:\n      43: 92\n    second: Arm\n  - first:\n      74: 93\n    second: Run\n'],
    'Assets/Find/beep.wav': [25, 'RIFF', 'AudioImporter:\n  forceToMono: 0\n'],
    'Assets/Find/Blue.mat': [26, `${HEAD}${doc(21, 2100000, 'Material', '  m_Name: Blue\n')}`],
    'Assets/Find/Bag.asset': [27, HEAD + doc(114, 11400000, 'MonoBehaviour', `${script(2)}  m_Name: Bag\n  carats: 1\n`) +
        doc(114, 5, 'MonoBehaviour', `${script(3)}  m_Name: Zoe\n  carats: 2\n`) +
        doc(114, 6, 'MonoBehaviour', `${script(3)}  m_Name: Ann\n  carats: 3\n`)],
    'Assets/Find/Box.prefab': [28, prefab('Box', [65, 'BoxCollider'], [135, 'SphereCollider'])],
    'Assets/Find/Way.prefab': [29, prefab('Way', [114, 'MonoBehaviour', script(6)])],
    'Assets/Find/Bare.prefab': [30, prefab('Bare')],
    'Assets/Find/notes.unknown': [31, 'nothing'],
};

function projectWithAssets(t) {
    const project = copySample(t);
    for (const [file, [n, text, more = '']] of Object.entries(FILES)) {
        mkdirSync(path.dirname(project.at(file)), {recursive: true});
        writeFileSync(project.at(file), text);
        writeFileSync(project.at(`${file}.meta`), `fileFormatVersion: 2\nguid: ${guid(n)}\n${more}`);
    }
    for (const [i, folder] of ['Assets/Find', 'Assets/Find/Editor'].entries())
        writeFileSync(project.at(`${folder}.meta`), `fileFormatVersion: 2\nguid: ${guid(100 + i)}\nfolderAsset: yes\n`);
    return project;
}

/** The item that find_assets returns; `name` is needed where several sub-assets are possible. */
function item(file, type, {name, shown = name ?? path.basename(file).replace(/\.\w+$/, '')} = {}) {
    const asset = `Assets/Find/${file}`;
    return {path: asset, name: shown, type: type.includes('.') ? type : `UnityEngine.${type}`,
        guid: guid(FILES[asset][0]), set: {$asset: asset, ...(name === undefined ? {} : {name})}};
}
const page = (key, list, total = list.length, from = 0) => ({[key]: list, count: list.length, total_count: total,
    truncated: from + list.length < total, ...(from + list.length < total ? {next_offset: from + list.length} : {})});
const type = (name, more = {}) => ({type: `Find.${name}`, name, namespace: 'Find', script: `Assets/Find/${name}.cs`, can_add: true, ...more});
const engine = (name, can_add = true) => ({type: `UnityEngine.${name}`, name, namespace: 'UnityEngine', script: null, can_add});

const EXPECTED = {
    Material: [item('Blue.mat', 'Material')],
    Sprite: [item('Sheet.png', 'Sprite', {name: 'walk_0'}), item('Sheet.png', 'Sprite', {name: 'walk_1'}),
        item('old.png', 'Sprite', {name: 'left'}), item('old.png', 'Sprite', {name: 'right'}), item('one.png', 'Sprite')],
    Texture2D: ['Sheet.png', 'old.png', 'one.png', 'plain.png'].map(file => item(file, 'Texture2D')),
    Texture: ['Sheet.png', 'old.png', 'one.png', 'plain.png'].map(file => item(file, 'Texture2D')),
    GameObject: ['Bare.prefab', 'Box.prefab', 'Way.prefab', 'man.fbx'].map(file => item(file, 'GameObject')),
    Collider: [item('Box.prefab', 'BoxCollider')],
    SphereCollider: [item('Box.prefab', 'SphereCollider')],
    Transform: ['Bare.prefab', 'Box.prefab', 'Way.prefab'].map(file => item(file, 'Transform')),
    Mesh: [item('man.fbx', 'Mesh', {name: 'Arm'}), item('man.fbx', 'Mesh', {name: 'Body'})],
    Motion: [item('man.fbx', 'AnimationClip', {name: 'Run'})],
    AudioClip: [item('beep.wav', 'AudioClip')],
    ScriptableObject: [item('Bag.asset', 'Find.Gem'), item('Bag.asset', 'Find.Ruby', {name: 'Ann'}),
        item('Bag.asset', 'Find.Ruby', {name: 'Zoe'})],
    'Find.Gem': [item('Bag.asset', 'Find.Gem'), item('Bag.asset', 'Find.Ruby', {name: 'Ann'}),
        item('Bag.asset', 'Find.Ruby', {name: 'Zoe'})],
    Ruby: [item('Bag.asset', 'Find.Ruby', {name: 'Ann'}), item('Bag.asset', 'Find.Ruby', {shown: 'Zoe'})],
    'Find.Door': [item('Way.prefab', 'Find.Gate')],
};

eachEditor('find_component_types lists types that can be added, and the types that a class accepts', async (t, editor) => {
    const {client} = await openProject(t, {editor, project: projectWithAssets(t)});
    const find = async args => ok(await client.call('find_component_types', args));

    const own = [type('Door'), type('Gate'), type('Picker')];
    assert.deepEqual(await find({query: 'FIND.'}), page('types', own));
    assert.deepEqual(await find({query: 'find.', max_results: 2}), page('types', own.slice(0, 2), 3));
    assert.deepEqual(await find({query: 'find.', max_results: 2, offset: 2}), page('types', own.slice(2), 3, 2));
    assert.deepEqual(await find({query: 'find.', offset: 9}), page('types', [], 3, 9));
    assert.deepEqual(await find({query: 'find.*'}), page('types', []));
    assert.deepEqual(await find({base: 'Find.Door'}), page('types', own.slice(0, 2)));
    assert.deepEqual(await find({base: 'IOpen'}), page('types', own.slice(0, 2)));
    assert.deepEqual(await find({base: 'Transform'}), page('types', [engine('RectTransform', false), engine('Transform', false)]));
    assert.deepEqual(await find({base: 'UnityEngine.Collider', query: 'box'}), page('types', [engine('BoxCollider')]));
    assert.deepEqual(await find({base: 'Material'}), page('types', []));
    const all = await find({query: '', max_results: 1000});
    assert.deepEqual(all, await find({max_results: 1000}));
    const names = all.types.map(one => one.name);
    assert.deepEqual(names, [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    assert.ok(names.includes('Rigidbody') && names.includes('Button') && names.includes('EnemyChaser'));
    assert.ok(!names.includes('Transform') && !names.includes('Collider') && !names.includes('MonoBehaviour'));

    assert.match(refused(await client.call('find_component_types', {base: 'Colider'}), 'ERR_TYPE_NOT_FOUND').details.message,
        /no class Colider.*leave base out/);
    assert.deepEqual(refused(await client.call('find_component_types', {base: 'Marker'}), 'ERR_TYPE_AMBIGUOUS')
        .details.plugin_details.candidates, ['MyGame.Audio.Marker', 'MyGame.Map.Marker']);
    invalid(await client.call('find_component_types', {max_results: 0}));
    invalid(await client.call('find_component_types', {offset: -1}));

    for (const one of own) {
        const answer = await client.add('/Player', one.type);
        assert.equal(answer.component_type, one.type);
    }
});

eachEditor('find_assets lists for a class the assets that a field of it accepts', async (t, editor) => {
    const {client, project, disk} = await openProject(t, {editor, project: projectWithAssets(t)});
    const find = async args => ok(await client.call('find_assets', {folder: 'Assets/Find', ...args}));

    for (const [name, want] of Object.entries(EXPECTED))
        assert.deepEqual(await find({type: name}), page('assets', want), name);
    const everything = await find({max_results: 1000});
    assert.deepEqual(everything, await find({type: 'UnityEngine.Object', max_results: 1000, query: ''}));
    assert.deepEqual(everything.assets.map(one => one.path), Object.keys(FILES).filter(file => !file.endsWith('.unknown')).sort());
    assert.deepEqual(everything.assets.find(one => one.path.endsWith('Bag.asset')), item('Bag.asset', 'Find.Gem'));

    const sprites = EXPECTED.Sprite;
    assert.deepEqual(await find({type: 'Sprite', query: 'WALK'}), page('assets', sprites.slice(0, 2)));
    assert.deepEqual(await find({type: 'Sprite', query: 'find/old'}), page('assets', sprites.slice(2, 4)));
    assert.deepEqual(await find({type: 'Sprite', max_results: 3}), page('assets', sprites.slice(0, 3), 5));
    assert.deepEqual(await find({type: 'Sprite', offset: 3}), page('assets', sprites.slice(3), 5, 3));
    assert.deepEqual(await find({type: 'Sprite', offset: 50}), page('assets', [], 5, 50));
    assert.deepEqual(await find({type: 'Sprite', query: '.'}), page('assets', sprites));
    assert.deepEqual(await find({type: 'Sprite', query: 'nothing like it'}), page('assets', []));
    const materials = ok(await client.call('find_assets', {type: 'Material'}));
    assert.deepEqual(materials.assets.map(one => one.path),
        ['Assets/Find/Blue.mat', 'Assets/Materials/Alert.mat', 'Assets/Materials/Gold.mat']);

    assert.match(refused(await client.call('find_assets', {type: 'Materiel'}), 'ERR_TYPE_NOT_FOUND').details.message,
        /no class Materiel.*without type all assets/);
    assert.match(refused(await client.call('find_assets', {type: 'UnityEngine.Vector3'}), 'ERR_TYPE_NOT_FOUND').details.message,
        /not a class of assets/);
    refused(await client.call('find_assets', {type: 'Marker'}), 'ERR_TYPE_AMBIGUOUS');
    refused(await client.call('find_assets', {folder: 'Assets/Nowhere'}), 'ERR_INVALID_PARAMS');
    invalid(await client.call('find_assets', {max_results: 1001}));

    // Assign each of them to a field of its class.
    const {index} = await client.add('/Player', 'Find.Picker');
    for (const [field, name] of Object.entries(FIELDS)) {
        const {assets} = await find({type: name});
        assert.ok(assets.length > 0, name);
        for (const one of assets) {
            await client.update('/Player', index, {[field]: one.set});
            const {fields} = await client.info('/Player', index, {fields: [field]});
            assert.equal(fields[field].asset_path, one.path, JSON.stringify([one, fields]));
            if (!/prefab|fbx/.test(one.path))
                assert.ok(fields[field].value.startsWith(`${one.name} (`), JSON.stringify([one, fields]));
        }
    }
    await disk.check(() => {
        const file = project.read('Assets/Scenes/GameScene.unity');
        assert.ok(file.includes(`  material: {fileID: 2100000, guid: ${guid(26)}, type: 2}`));
        assert.ok(file.includes(`  sprite: {fileID: 21300000, guid: ${guid(20)}, type: 3}`));
    });
});
