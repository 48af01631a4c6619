// Every error of the document on scene editing (3.5, 4.6, 5.6): an error of the editor arrives as
// ERR_UNITY_EXECUTION with the editor's own code in details.plugin_error_code, and nothing has
// changed. Arguments that a tool's schema forbids never reach the editor: the server itself
// responds with ERR_INVALID_PARAMS.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {fails, start} from '../fixtures/bridge.mjs';
import {eachEditor, invalid, openShared, refused} from '../fixtures/unity.mjs';

const SCENE = 'WorkshopScene';
const at = (game_object_path, action, more) => ['manage_component', {action, game_object_path, ...more}];
const add = (component_type, more, path = '/Table') => at(path, 'add', {component_type, ...more});
const update = (fields, path = '/Zoo', index = 2) => at(path, 'update', {index, fields});
const info = (game_object_path, index) => ['get_component_info', {game_object_path, index}];

// /Table: Transform, MeshFilter, MeshRenderer, BoxCollider, AudioSource, AudioSource;
// /Ghost: Transform, null, BoxCollider
const REFUSED = {
    ERR_OBJECT_NOT_FOUND: [
        ['get_scene_hierarchy', {root_path: '/Nobody'}],
        ['get_scene_hierarchy', {root_path: '/Twins/Twin[3]'}],
        info('/Table/Nobody', 0),
        info('', 0),
        add('Rigidbody', {}, '/Nobody'),
        at('/table', 'remove', {index: 1}), // names are compared exactly
        at('/Nobody', 'update', {index: 0, fields: {}}),
        at('/Nobody', 'move', {index: 1, new_index: 2}),
    ],
    ERR_COMPONENT_INDEX_OUT_OF_RANGE: [
        info('/Table', 6),
        info('/Table', 4294967296),
        add('Rigidbody', {index: 7}),
        update({}, '/Table', 6),
        at('/Table', 'remove', {index: 6}),
        at('/Table', 'move', {index: 6, new_index: 1}),
        at('/Table', 'move', {index: 1, new_index: 6}),
    ],
    ERR_MISSING_SCRIPT: [
        info('/Ghost', 1),
        update({fear: 4}, '/Ghost', 1),
        at('/Ghost', 'remove', {index: 1}),
        at('/Ghost', 'move', {index: 1, new_index: 2}),
    ],
    ERR_COMPONENT_TYPE_NOT_FOUND: [
        add('NoSuchComponent'),
        add('MyGame.NoSuchComponent'),
        add('UnityEngine.Marker'),
        add('MyGame.Holder'), // generic: its name is different
        add(''),
    ],
    ERR_COMPONENT_TYPE_AMBIGUOUS: [add('Marker')],
    ERR_INVALID_COMPONENT_TYPE: [
        add('MyGame.ScoreTable'), // a plain class
        add('LootTable'), // a ScriptableObject
        add('EnemyStats'), // a struct
        add('ChaseMode'), // an enum
        add('Character'), // abstract
        add('SceneNotes'), // in an Editor folder
        add('Transform'), // there is one already
        add('RectTransform'),
        add('ScoreKeeper', {}, '/Score'), // [DisallowMultipleComponent]
        add('MeshFilter'), // Unity allows one
        add('SpriteRenderer'), // incompatible with a MeshFilter
        add('Renderer'), // abstract, built in
    ],
    ERR_REFERENCE_NOT_FOUND: [
        update({other: {$ref: '/Nobody'}}),
        update({body: {$ref: '/Table'}}), // no Rigidbody there
        update({link: {$ref: '/Table', component: 'Light'}}),
        update({link: {$ref: '/Table', component: 'NoSuchComponent'}}),
        update({material: {$asset: 'Assets/Materials/None.mat'}}),
        update({material: {$asset: 'Assets/Prefabs/Crate.prefab'}}), // no Material
        update({material: {$asset: 'guid:00112233445566778899aabbccddeeff'}}),
        update({targets: [{$ref: '/Table'}, {$ref: '/Nobody'}]}),
        update({flag: false, other: {$ref: '/Nobody'}}), // no part of it is applied
        add('EnemyChaser', {fields: {waypoints: [{$ref: '/Nobody', component: 'Transform'}]}}),
    ],
    ERR_COMPONENT_DEPENDENCY: [at('/Turret', 'remove', {index: 1})],
    ERR_INVALID_PARAMS: [
        at('/Table', 'remove', {index: 0}),
        at('/Table', 'move', {index: 0, new_index: 1}),
        at('/Table', 'move', {index: 1, new_index: 0}),
        add('Rigidbody', {index: 0}),
        update({real: 'fast'}),
        update({flag: 1}),
        update({text: 5}),
        update({whole: 1.5}),
        update({small: 256}),
        update({signedSmall: -129}),
        update({unsignedWhole: -1}),
        update({position: 5}),
        update({position: {x: 'a', y: 0, z: 0}}),
        update({size: 'Gigantic'}),
        update({numbers: 7}),
        update({numbers: [1, 'two']}),
        update({best: []}),
        update({best: {amount: 'many'}}),
        update({other: 'Enemy'}),
        update({other: {$ref: 5}}),
        update({flag: false, real: 'fast'}), // no part of it is applied
        update({fade: {keys: 'none'}}),
        update({whole: null}),
    ],
};

eachEditor('errors of the editor', async (t, editor) => {
    const {client, disk} = await openShared(t, {editor, scene: SCENE});
    for (const [code, calls] of Object.entries(REFUSED))
        for (const [tool, args] of calls)
            await t.test(`${code}: ${tool} ${JSON.stringify(args)}`, async () => {
                const {details, retryable} = refused(await client.call(tool, args), code);
                assert.equal(details.tool, tool);
                assert.equal(retryable, tool !== 'manage_component');
                await disk.isOriginal(SCENE);
            });

    await t.test('an ambiguous name gets an error with all candidates, and each of them works', async () => {
        const error = refused(await client.call(...add('Marker')), 'ERR_COMPONENT_TYPE_AMBIGUOUS');
        for (const name of ['MyGame.Audio.Marker', 'MyGame.Map.Marker'])
            assert.ok(JSON.stringify(error.details).includes(name), name);
        assert.equal((await client.add('/Table', 'MyGame.Map.Marker')).component_type, 'MyGame.Map.Marker');
        await client.undo();
    });

    await t.test('a required component cannot be removed: the error names the components that need it', async () => {
        const error = refused(await client.call(...at('/Turret', 'remove', {index: 1})), 'ERR_COMPONENT_DEPENDENCY');
        assert.ok(JSON.stringify(error.details).includes('MyGame.Turret'), JSON.stringify(error));
    });

    await t.test('a wrong value gets an error with the name of its field', async () => {
        const error = refused(await client.call(...update({best: {amount: 'many'}})), 'ERR_INVALID_PARAMS');
        assert.match(error.details.message, /best\.amount|amount/);
    });

    await t.test('none of them is in the history', async () => {
        const {content} = await client.call('undo');
        assert.deepEqual(JSON.parse(content[0].text).undone, []);
        await disk.isOriginal(SCENE);
    });
});

const INVALID = [
    ['get_scene_hierarchy', {max_depth: 51}],
    ['get_scene_hierarchy', {max_depth: '1'}],
    ['get_scene_hierarchy', {max_game_objects: 0}],
    ['get_scene_hierarchy', {depth: 1}],
    ['get_component_info', {}],
    ['get_component_info', {game_object_path: '/Table'}],
    ['get_component_info', {game_object_path: '/Table', index: -1}],
    ['get_component_info', {game_object_path: '/Table', index: 0, max_array_elements: 65}],
    ['manage_component', {action: 'paint', game_object_path: '/Table'}],
    ['manage_component', {action: 'add', game_object_path: '/Table'}],
    ['manage_component', {action: 'update', game_object_path: '/Table', index: 1}],
    ['manage_component', {action: 'update', game_object_path: '/Table', fields: {}}],
    ['manage_component', {action: 'remove', game_object_path: '/Table'}],
    ['manage_component', {action: 'move', game_object_path: '/Table', index: 1}],
    ['manage_component', {action: 'remove', index: 1}],
];

eachEditor('the schemas refuse invalid arguments', async (t, editor) => {
    const {client, disk} = await openShared(t, {editor, scene: SCENE});
    for (const [tool, args] of INVALID)
        await t.test(`${tool} ${JSON.stringify(args)}`, async () => invalid(await client.call(tool, args)));
    await disk.isOriginal(SCENE);
});

eachEditor('missing fields are skipped, with the reason', async (t, editor) => {
    const {client, disk} = await openShared(t, {editor, scene: SCENE});
    const answer = await client.update('/Zoo', 2, {nothing: 1, forgotten: 2, Fixed: 3, real: 2.5, secret: 4});
    assert.deepEqual(answer.fields_set, ['real']);
    assert.deepEqual(answer.fields_skipped, ['nothing', 'forgotten', 'Fixed', 'secret']);
    assert.deepEqual(answer.skipped_reasons,
        {nothing: 'not_found', forgotten: 'not_found', Fixed: 'not_found', secret: 'not_found'});
    disk.changed(SCENE, {removed: ['  real: 1.5'], added: ['  real: 2.5']});
    await disk.shows(SCENE, '/Zoo', 2, {real: 2.5});
});

test('an edit in play mode (only in a live editor) is refused with advice', async t => {
    const {client, editor} = await start(t);
    const result = await client.call('manage_component',
        {action: 'remove', game_object_path: 'fake:error=ERR_PLAY_MODE_ACTIVE', index: 1});
    const error = fails(result, 'ERR_UNITY_EXECUTION');
    assert.equal(error.details.plugin_error_code, 'ERR_PLAY_MODE_ACTIVE');
    assert.equal(error.retryable, false);
    assert.equal(editor.executed(), 1);
});
