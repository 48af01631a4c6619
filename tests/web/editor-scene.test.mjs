// The scene as lists, the rows of the tree, what keys mean, and who is who after a change.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {follow, followPaths} from '../../web/src/windows/editor/follow.ts';
import {
    above,
    children,
    CUT,
    flatten,
    graft,
    hasChildren,
    INACTIVE,
    MISSING,
    MORE,
    parentPath,
    PREFAB,
} from '../../web/src/windows/editor/scene.ts';
import {
    find,
    moveOf,
    rowOf,
    rowsOf,
    typeAhead,
    withAncestors,
    withBelow,
} from '../../web/src/windows/editor/tree.ts';

const still = () => undefined;
const MAX = 10_000;

/** 'A' | ['A', child, ...] | {name, ...}: as get_scene_hierarchy tells it; paths as the tools make them. */
function tree(list, parent = '') {
    const seen = new Map();
    return list.map(item => {
        const {
            name,
            below = [],
            ...more
        } = typeof item === 'string'
            ? {name: item}
            : Array.isArray(item)
              ? {name: item[0], below: item.slice(1)}
              : item;
        const n = seen.get(name) ?? 0;
        seen.set(name, n + 1);
        const path = `${parent}/${name.replaceAll('/', '\\/')}${n ? `[${n}]` : ''}`;
        return {
            name,
            path,
            active: true,
            components: ['UnityEngine.Transform'],
            children: below === '...' ? '...' : tree(below, path),
            ...more,
        };
    });
}

const hierarchy = (list, more = {}) => {
    const roots = tree(list);
    return {
        scene_name: 'S',
        scene_path: 'Assets/S.unity',
        root_game_objects: roots,
        total_game_objects: 0,
        truncated: false,
        ...more,
    };
};
const scene = async (list, more) => {
    const s = await flatten(hierarchy(list, more), MAX, still);
    s.total ||= s.names.length;
    return s;
};
const asked = (more = {}) => ({text: '', missing: false, prefabs: false, ...more});
const none = new Set();

test('objects stand in the order of the tree, with their parents, ends and places', async () => {
    const s = await scene([['A', ['B', 'C'], 'D'], 'E']);
    assert.deepEqual(s.names, ['A', 'B', 'C', 'D', 'E']);
    assert.deepEqual(s.depth, [0, 1, 2, 1, 0]);
    assert.deepEqual(s.parent, [-1, 0, 1, 0, -1]);
    assert.deepEqual(s.end, [4, 3, 3, 4, 5]);
    assert.deepEqual(s.place, [1, 1, 1, 2, 2]);
    assert.deepEqual(s.siblings, [2, 2, 1, 2, 2]);
    assert.equal(s.byPath.get('/A/B/C'), 2);
    assert.deepEqual(above(s, 2), [0, 1]);
    assert.deepEqual(children(s, 0), [1, 3]);
    assert.deepEqual(children(s, -1), [0, 4]);
});

test('marks: what is off, also from above; missing scripts; prefabs, also missing ones; what was cut', async () => {
    const s = await scene([
        {name: 'Off', active: false, below: ['Inside']},
        {name: 'Ghost', components: ['UnityEngine.Transform', null]},
        {name: 'Box', prefab: 'Assets/Box.prefab', prefab_asset_path: 'Assets/Box.prefab'},
        {name: 'Lost', prefab: null},
        {name: 'Deep', below: '...'},
    ]);
    assert.deepEqual(s.flags, [INACTIVE, INACTIVE, MISSING, PREFAB, PREFAB, CUT]);
    assert.deepEqual(s.prefab, ['', '', '', 'Assets/Box.prefab', '', '']);
    assert.ok(hasChildren(s, 5));
    assert.ok(!hasChildren(s, 2));
});

test('ten thousand objects are made in steps between which the page breathes', async () => {
    let breaths = 0;
    const list = Array.from({length: 100}, (_, i) => [
        `Root ${i}`,
        ...Array.from({length: 99}, (_, k) => `Child ${k}`),
    ]);
    const s = await flatten(hierarchy(list), MAX, () => {
        breaths++;
        return undefined;
    });
    assert.equal(s.names.length, 10_000);
    assert.ok(breaths >= 30, `${breaths}`);
});

test('an answer that was cut by its number marks who may have more children; one of roots says so', async () => {
    const s = await flatten(
        hierarchy([['A', 'B'], {name: 'C', below: '...'}], {
            truncated: true,
            returned_game_objects: 3,
            total_game_objects: 9,
        }),
        3,
        still,
    );
    assert.deepEqual(s.flags, [MORE, 0, CUT]);
    const roots = await flatten(
        hierarchy(['A', 'B'], {truncated: true, returned_game_objects: 2, total_game_objects: 9}),
        2,
        still,
    );
    assert.ok(roots.rootsCut);
    const deep = await flatten(
        hierarchy([{name: 'C', below: '...'}], {
            truncated: true,
            returned_game_objects: 1,
            total_game_objects: 9,
        }),
        3,
        still,
    );
    assert.deepEqual([deep.flags, deep.rootsCut], [[CUT], false]);
});

test('what was left out is put in its place; all others keep theirs', async () => {
    const s = await scene(
        [
            ['A', {name: 'B', below: '...', active: false}, 'C'],
            ['D', 'E'],
        ],
        {total_game_objects: 9},
    );
    const part = {
        ...hierarchy([]),
        root_game_objects: tree([{name: 'B', active: false, below: [['X', 'Y'], 'Z']}], '/A'),
    };
    const g = await graft(s, 1, part, MAX, still);
    const whole = await scene([
        ['A', {name: 'B', active: false, below: [['X', 'Y'], 'Z']}, 'C'],
        ['D', 'E'],
    ]);
    for (const key of ['names', 'paths', 'depth', 'parent', 'end', 'place', 'siblings', 'flags'])
        assert.deepEqual(g[key], whole[key], key);
    assert.deepEqual([...g.byPath], [...whole.byPath]);
    assert.equal(g.total, 9);
});

test('the path of a parent: slashes of names do not count', () => {
    assert.equal(parentPath('/A/B'), '/A');
    assert.equal(parentPath('/A'), '');
    assert.equal(parentPath('/A/in\\/out'), '/A');
    assert.equal(parentPath('/A\\\\/B'), '/A\\\\');
    assert.equal(parentPath(''), '');
});

test('rows are what is open', async () => {
    const s = await scene([['A', ['B', 'C'], 'D'], 'E']);
    const names = rows => rows.map(i => s.names[i]).join('');
    assert.equal(names(rowsOf(s, none, null, none)), 'AE');
    assert.equal(names(rowsOf(s, new Set(['/A']), null, none)), 'ABDE');
    assert.equal(names(rowsOf(s, new Set(['/A', '/A/B', '/E']), null, none)), 'ABCDE');
    assert.equal(names(rowsOf(s, new Set(['/A/B']), null, none)), 'AE');
    assert.deepEqual([...withAncestors(s, none, 2)], ['/A', '/A/B']);
    assert.deepEqual([...withBelow(s, none, 0, true)], ['/A', '/A/B']);
    assert.deepEqual([...withBelow(s, new Set(['/A', '/A/B', '/E']), -1, false)], ['/E']);
});

test('a search finds parts of names in any case, shows what is above, and counts', async () => {
    const s = await scene([['Alpha', ['Beta', 'alphabet'], 'Gamma'], 'Delta']);
    const found = find(s, asked({text: ' ALPHA '}));
    assert.deepEqual(found.matches, [0, 2]);
    assert.deepEqual(rowsOf(s, none, found, none), [0, 1, 2]);
    assert.deepEqual(rowsOf(s, none, found, new Set(['/Alpha/Beta'])), [0, 1]);
    assert.deepEqual(find(s, asked({text: 'nothing'})).matches, []);
});

test('a search looks for what is typed, be it like a pattern or of several words', async () => {
    const s = await scene(['a.b', 'axb', '[x] (y)', 'two words', '<img onerror=1>']);
    for (const [text, wanted] of [
        ['a.b', [0]],
        ['[x] (', [2]],
        ['o w', [3]],
        ['<img', [4]],
        ['words two', []],
    ])
        assert.deepEqual(find(s, asked({text})).matches, wanted, text);
});

test('t:Type looks for components, filters for missing scripts and prefabs', async () => {
    const s = await scene([
        {name: 'A', components: ['UnityEngine.Transform', 'UnityEngine.Rigidbody']},
        {name: 'B', components: ['UnityEngine.Transform', null]},
        {name: 'C', prefab: 'Assets/C.prefab'},
        {name: 'AB', components: ['UnityEngine.Rigidbody2D']},
    ]);
    assert.deepEqual(find(s, asked({text: 't:rigid'})).matches, [0, 3]);
    assert.deepEqual(find(s, asked({text: 'b t:rigid'})).matches, [3]);
    assert.deepEqual(find(s, asked({missing: true})).matches, [1]);
    assert.deepEqual(find(s, asked({prefabs: true})).matches, [2]);
    assert.deepEqual(find(s, asked({missing: true, prefabs: true})).matches, [1, 2]);
    assert.deepEqual(find(s, asked({missing: true, text: 'c'})).matches, []);
});

test('the row of an object, or of who is above it', async () => {
    const s = await scene([['A', ['B', 'C'], 'D'], 'E']);
    const rows = rowsOf(s, new Set(['/A']), null, none);
    assert.equal(rowOf(s, rows, 2), 1);
    assert.equal(rowOf(s, rows, 3), 2);
    assert.equal(rowOf(s, [], 3), -1);
});

test('keys of a tree', async () => {
    const s = await scene([['A', ['B', 'C'], 'D'], {name: 'E', below: '...'}]);
    const open = new Set(['/A']);
    const rows = rowsOf(s, open, null, none); // A B D E
    const key = (at, name) => moveOf(s, rows, at, name, i => open.has(s.paths[i]));
    assert.deepEqual(key(0, 'ArrowDown'), {to: 1});
    assert.deepEqual(key(3, 'ArrowDown'), {to: 3});
    assert.deepEqual(key(0, 'ArrowUp'), {to: 0});
    assert.deepEqual(key(2, 'Home'), {to: 0});
    assert.deepEqual(key(0, 'End'), {to: 3});
    assert.deepEqual(key(0, 'ArrowRight'), {to: 1});
    assert.deepEqual(key(1, 'ArrowRight'), {open: 1});
    assert.deepEqual(key(2, 'ArrowRight'), null);
    assert.deepEqual(key(3, 'ArrowRight'), {open: 4});
    assert.deepEqual(key(0, 'ArrowLeft'), {close: 0});
    assert.deepEqual(key(2, 'ArrowLeft'), {to: 0});
    assert.deepEqual(key(-1, 'ArrowDown'), {to: 0});
    assert.equal(key(0, 'x'), null);
});

test('typing goes to the next row that begins so, and around', async () => {
    const s = await scene(['Apple', 'Bear', 'Ant', 'bee']);
    const rows = rowsOf(s, none, null, none);
    assert.equal(typeAhead(s, rows, 0, 'a'), 2);
    assert.equal(typeAhead(s, rows, 2, 'a'), 0);
    assert.equal(typeAhead(s, rows, 0, 'ap'), 0);
    assert.equal(typeAhead(s, rows, 0, 'b'), 1);
    assert.equal(typeAhead(s, rows, 1, 'be'), 1);
    assert.equal(typeAhead(s, rows, 0, 'z'), -1);
    assert.equal(typeAhead(s, [], -1, 'z'), -1);
});

const went = async (before, after) => {
    const a = await scene(before),
        b = await scene(after),
        to = follow(a, b);
    return Object.fromEntries(a.paths.map((p, i) => [p, to[i] < 0 ? null : b.paths[to[i]]]));
};

test('objects are followed: siblings of the same name that come and go change paths, not objects', async () => {
    const twin = what => ({name: 'T', components: ['UnityEngine.Transform', what]});
    assert.deepEqual(await went([twin('A'), twin('B')], [twin('B')]), {'/T': null, '/T[1]': '/T'});
    assert.deepEqual(await went([twin('A'), twin('B')], [twin('A')]), {'/T': '/T', '/T[1]': null});
    assert.deepEqual(await went([twin('A'), twin('B')], [twin('C'), twin('A'), twin('B')]), {
        '/T': '/T[1]',
        '/T[1]': '/T[2]',
    });
});

test('one that was renamed is still the same, and so is what is below it', async () => {
    assert.deepEqual(await went(['A', ['B', 'X'], 'C'], ['A', ['B2', 'X'], 'C']), {
        '/A': '/A',
        '/B': '/B2',
        '/B/X': '/B2/X',
        '/C': '/C',
    });
});

test('one that got a component is still the same; what is gone is gone', async () => {
    assert.deepEqual(await went(['A', 'B'], [{name: 'A', components: ['T', 'R']}, 'B']), {
        '/A': '/A',
        '/B': '/B',
    });
    assert.deepEqual(await went([['A', 'B'], 'C'], ['C']), {'/A': null, '/A/B': null, '/C': '/C'});
});

test('paths that were open are open where their objects went', async () => {
    const a = await scene(['A', ['B', 'X']]),
        b = await scene(['A', ['B2', 'X']]);
    assert.deepEqual([...followPaths(a, b, follow(a, b), ['/B', '/gone'])], ['/B2']);
});
