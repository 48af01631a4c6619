// Changing lists without repeating their unchanged elements: {"$element": n} stands for element n
// (docs/spec/20-scene-tools.md, 4). Also component_type with index: the type that the caller
// expects there.
import assert from 'node:assert/strict';

import {ok} from '../fixtures/bridge.mjs';
import {eachEditor, openShared, refused} from '../fixtures/unity.mjs';

const SCENE = 'WorkshopScene', ZOO = ['/Zoo', 2];
const E = n => ({$element: n});
const COIN = ['  - id: coin', '    amount: 3', '    rarity: 0'], GEM = ['  - id: gem', '    amount: 1', '    rarity: 2'];
const vector = (x, y, z) => ({x, y, z});
const loot = (id, amount, rarity) => ({value: {id, amount, rarity: {type: 'MyGame.Rarity', value: rarity}}});
const list = (type, value) => ({type: `System.Collections.Generic.List<${type}>`, value});

// name, fields, fields as shown afterwards, removed lines, added lines
const CASES = [
    ['two elements are exchanged', {loot: [E(1), E(0)]}, {loot: list('MyGame.Loot', [loot('gem', 1, 'Unique'),
        loot('coin', 3, 'Common')])}, COIN, COIN],
    ['an element is removed', {loot: [E(1)]}, {loot: list('MyGame.Loot', [loot('gem', 1, 'Unique')])}, COIN, []],
    ['an element is inserted', {loot: [E(0), {id: 'pearl', amount: 5}, E(1)]}, {loot: list('MyGame.Loot',
        [loot('coin', 3, 'Common'), loot('pearl', 5, 'Common'), loot('gem', 1, 'Unique')])},
    [], ['  - id: pearl', '    amount: 5', '    rarity: 0']],
    ['an element is duplicated', {loot: [E(0), E(1), E(1)]}, {loot: list('MyGame.Loot', [loot('coin', 3, 'Common'),
        loot('gem', 1, 'Unique'), loot('gem', 1, 'Unique')])}, [], GEM],
    ['a member of an element', {loot: [E(0), {...E(1), amount: 8}]}, {loot: list('MyGame.Loot', [loot('coin', 3, 'Common'),
        loot('gem', 8, 'Unique')])}, ['    amount: 1'], ['    amount: 8']],
    ['a list in a struct', {'chest.content': [{...E(0), id: 'ring'}, {rarity: 'Rare'}]}, null,
        ['    - id: coin'], ['    - id: ring', '    - id: coin', '      amount: 1', '      rarity: 1']],
    ['texts', {words: [E(2), E(0), 'new']}, {words: {type: 'System.String[]', value: ['three: 3', 'one', 'new']}},
        ['  - one', '  - '], ['  - one', '  - new']],
    ['numbers in one line of the file', {numbers: [E(2), 7, E(0)]}, {numbers: {type: 'System.Int32[]',
        value: [300, 7, 100]}}, ['  numbers: 64000000c80000002c010000'], ['  numbers: 2c0100000700000064000000']],
    ['parts of a vector', {points: [{...E(1), y: 9}, E(0)]}, {points: list('UnityEngine.Vector3',
        [{value: vector(1, 9, 3)}, {value: vector(0, 0, 0)}])}, ['  - {x: 1, y: 2, z: 3}'], ['  - {x: 1, y: 9, z: 3}']],
    ['references', {targets: [E(1), E(0)]}, null, ['  - {fileID: 540357622}'], ['  - {fileID: 540357622}']],
];

eachEditor('elements of a list can be kept, moved, removed and copied', async (t, editor) => {
    const {client, disk} = await openShared(t, {editor, scene: SCENE});
    for (const [what, fields, shown, removed, added] of CASES)
        await t.test(what, () => client.undoAfter(async () => {
            const answer = await client.update(...ZOO, fields);
            assert.deepEqual([answer.fields_set, answer.fields_skipped], [Object.keys(fields), []]);
            disk.changed(SCENE, {removed, added});
            if (shown) {
                assert.deepEqual((await client.info(...ZOO, {fields: Object.keys(fields)})).fields, shown);
                await disk.shows(SCENE, ...ZOO, shown);
            }
            await client.undo();
            await disk.isOriginal(SCENE);
            assert.equal(ok(await client.call('redo')).undone.length, 1);
            disk.changed(SCENE, {removed, added});
        }));
    await t.test('unchanged lists change nothing', async () => {
        await client.update(...ZOO, {loot: [E(0), E(1)], words: [E(0), E(1), E(2)], targets: [E(0), E(1)]});
        await disk.isOriginal(SCENE);
        assert.equal(ok(await client.call('undo')).undone.length, 0);
    });
    await t.test('invalid references are refused', async () => {
        for (const [fields, words] of [
            [{loot: [E(0), E(2)]}, /^fields\.loot\[1\]: there is no element 2 to keep: the array has 2$/],
            [{loot: [E(-1)]}, /^fields\.loot\[0\]: \$element is the index/],
            [{loot: [E('0')]}, /^fields\.loot\[0\]: \$element is the index/],
            [{loot: E(0)}, /^fields\.loot: \{"\$element": n\} keeps element n/],
            [{best: E(0)}, /^fields\.best: \{"\$element": n\} keeps element n/],
            [{real: E(0)}, /^fields\.real: \{"\$element": n\} keeps element n/],
            [{fade: {keys: [E(0)]}}, /^fields\.fade: \{"\$element": n\} keeps element n/],
            [{targets: [{...E(0), $ref: '/Zoo'}]}, /^fields\.targets\[0\]: only members of a struct/],
            [{loot: [{...E(0), amount: 'x'}]}, /^fields\.loot\[0\]\.amount: expected an integer/],
        ]) {
            const args = {action: 'update', game_object_path: ZOO[0], index: ZOO[1], fields};
            assert.match(refused(await client.manage(args), 'ERR_INVALID_PARAMS').details.message, words);
        }
        const {fields_set, skipped_reasons} = await client.update(...ZOO, {moves: [E(1), E(0)]});
        assert.deepEqual([fields_set, skipped_reasons], [[], {moves: 'unsupported_type'}]);
        await disk.isOriginal(SCENE);
    });
});

eachEditor('a list of a prefab instance stores only the differences', async (t, editor) => {
    const {client, disk} = await openShared(t, {editor, scene: 'ArenaScene'});
    const path = await client.hierarchy({max_depth: 10}).then(({root_game_objects}) => find(root_game_objects));
    const index = (await client.components(path)).indexOf('MyGame.Breakable');
    const drops = async () => (await client.info(path, index, {fields: ['drops']})).fields.drops.value;
    const before = await drops();
    assert.ok(before.length >= 1, JSON.stringify(before));
    await client.update(path, index, {drops: before.map((_, i) => E(i))});
    await disk.isOriginal('ArenaScene');
    await client.update(path, index, {drops: [E(0), ...before.map((_, i) => E(i))]});
    assert.deepEqual(await drops(), [before[0], ...before]);
    await client.undo();
    await disk.isOriginal('ArenaScene');
    await client.update(path, index, {drops: []});
    await client.undo();
    await disk.isOriginal('ArenaScene');
});

function find(nodes) {
    for (const node of nodes) {
        if (node.prefab_asset_path && node.components.includes('MyGame.Breakable'))
            return node.path;
        const below = Array.isArray(node.children) && find(node.children);
        if (below)
            return below;
    }
    return null;
}

eachEditor('a component of an unexpected type is not changed', async (t, editor) => {
    const {client, disk} = await openShared(t, {editor, scene: SCENE});
    const calls = [{action: 'update', fields: {mass: 9}}, {action: 'remove'}, {action: 'move', new_index: 1}];
    const at = {game_object_path: '/Zoo', index: (await client.components('/Zoo')).indexOf('UnityEngine.Rigidbody')};
    for (const call of calls)
        for (const component_type of ['MyGame.FieldZoo', 'UnityEngine.Component', 'Missing Script', 'rigidbody', '']) {
            const error = refused(await client.manage({...call, ...at, component_type}), 'ERR_INVALID_PARAMS');
            assert.match(error.details.message, new RegExp(`^component ${at.index} of Zoo is `));
        }
    await disk.isOriginal(SCENE);
    await client.undoAfter(async () => {
        for (const component_type of ['UnityEngine.Rigidbody', 'Rigidbody'])
            ok(await client.manage({...calls[0], ...at, component_type}));
        assert.equal((await client.info(at.game_object_path, at.index)).fields.mass, 9);
    });
});
