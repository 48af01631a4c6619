// The scene as lists, tree rows, keys, and matching of objects after a change.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {mapPaths, matchScenes} from '../../web/src/windows/editor/scene_match.ts';
import {
    ancestorsOf,
    childrenOf,
    CUT,
    flattenHierarchy,
    replaceSubtree,
    hasChildren,
    INACTIVE,
    MISSING,
    MORE,
    parentPath,
    PREFAB,
} from '../../web/src/windows/editor/scene.ts';
import {
    findObjects,
    keyAction,
    rowOf,
    visibleRows,
    findTyped,
    withAncestors,
    withBelow,
} from '../../web/src/windows/editor/tree.ts';

const neverYield = () => undefined;
const MAX = 10_000;

/** Build the result of get_scene_hierarchy from 'A' | ['A', child, ...] | {name, ...}. */
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
    const s = await flattenHierarchy(hierarchy(list, more), MAX, neverYield);
    s.total ||= s.names.length;
    return s;
};
const queryOf = (more = {}) => ({text: '', missing: false, prefabs: false, ...more});
const none = new Set();

test('objects are listed in tree order with parents, ends and positions', async () => {
    const s = await scene([['A', ['B', 'C'], 'D'], 'E']);
    assert.deepEqual(s.names, ['A', 'B', 'C', 'D', 'E']);
    assert.deepEqual(s.depth, [0, 1, 2, 1, 0]);
    assert.deepEqual(s.parent, [-1, 0, 1, 0, -1]);
    assert.deepEqual(s.end, [4, 3, 3, 4, 5]);
    assert.deepEqual(s.place, [1, 1, 1, 2, 2]);
    assert.deepEqual(s.siblings, [2, 2, 1, 2, 2]);
    assert.equal(s.byPath.get('/A/B/C'), 2);
    assert.deepEqual(ancestorsOf(s, 2), [0, 1]);
    assert.deepEqual(childrenOf(s, 0), [1, 3]);
    assert.deepEqual(childrenOf(s, -1), [0, 4]);
});

test('flags mark inactive objects, missing scripts, prefabs and omitted children', async () => {
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

test('building ten thousand objects yields to the page', async () => {
    let yields = 0;
    const list = Array.from({length: 100}, (_, i) => [
        `Root ${i}`,
        ...Array.from({length: 99}, (_, k) => `Child ${k}`),
    ]);
    const s = await flattenHierarchy(hierarchy(list), MAX, () => {
        yields++;
        return undefined;
    });
    assert.equal(s.names.length, 10_000);
    assert.ok(yields >= 30, `${yields}`);
});

test('a truncated response marks the objects that may have more children', async () => {
    const s = await flattenHierarchy(
        hierarchy([['A', 'B'], {name: 'C', below: '...'}], {
            truncated: true,
            returned_game_objects: 3,
            total_game_objects: 9,
        }),
        3,
        neverYield,
    );
    assert.deepEqual(s.flags, [MORE, 0, CUT]);
    const roots = await flattenHierarchy(
        hierarchy(['A', 'B'], {truncated: true, returned_game_objects: 2, total_game_objects: 9}),
        2,
        neverYield,
    );
    assert.ok(roots.rootsCut);
    const deep = await flattenHierarchy(
        hierarchy([{name: 'C', below: '...'}], {
            truncated: true,
            returned_game_objects: 1,
            total_game_objects: 9,
        }),
        3,
        neverYield,
    );
    assert.deepEqual([deep.flags, deep.rootsCut], [[CUT], false]);
});

test('a loaded subtree replaces the omitted one and moves no other object', async () => {
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
    const g = await replaceSubtree(s, 1, part, MAX, neverYield);
    const whole = await scene([
        ['A', {name: 'B', active: false, below: [['X', 'Y'], 'Z']}, 'C'],
        ['D', 'E'],
    ]);
    for (const key of ['names', 'paths', 'depth', 'parent', 'end', 'place', 'siblings', 'flags'])
        assert.deepEqual(g[key], whole[key], key);
    assert.deepEqual([...g.byPath], [...whole.byPath]);
    assert.equal(g.total, 9);
});

test('the parent path ignores slashes in names', () => {
    assert.equal(parentPath('/A/B'), '/A');
    assert.equal(parentPath('/A'), '');
    assert.equal(parentPath('/A/in\\/out'), '/A');
    assert.equal(parentPath('/A\\\\/B'), '/A\\\\');
    assert.equal(parentPath(''), '');
});

test('rows are the expanded objects', async () => {
    const s = await scene([['A', ['B', 'C'], 'D'], 'E']);
    const names = rows => rows.map(i => s.names[i]).join('');
    assert.equal(names(visibleRows(s, none, null, none)), 'AE');
    assert.equal(names(visibleRows(s, new Set(['/A']), null, none)), 'ABDE');
    assert.equal(names(visibleRows(s, new Set(['/A', '/A/B', '/E']), null, none)), 'ABCDE');
    assert.equal(names(visibleRows(s, new Set(['/A/B']), null, none)), 'AE');
    assert.deepEqual([...withAncestors(s, none, 2)], ['/A', '/A/B']);
    assert.deepEqual([...withBelow(s, none, 0, true)], ['/A', '/A/B']);
    assert.deepEqual([...withBelow(s, new Set(['/A', '/A/B', '/E']), -1, false)], ['/E']);
});

test('a search ignores case and shows the ancestors of matches', async () => {
    const s = await scene([['Alpha', ['Beta', 'alphabet'], 'Gamma'], 'Delta']);
    const found = findObjects(s, queryOf({text: ' ALPHA '}));
    assert.deepEqual(found.matches, [0, 2]);
    assert.deepEqual(visibleRows(s, none, found, none), [0, 1, 2]);
    assert.deepEqual(visibleRows(s, none, found, new Set(['/Alpha/Beta'])), [0, 1]);
    assert.deepEqual(findObjects(s, queryOf({text: 'nothing'})).matches, []);
});

test('a search takes the text literally', async () => {
    const s = await scene(['a.b', 'axb', '[x] (y)', 'two words', '<img onerror=1>']);
    for (const [text, wanted] of [
        ['a.b', [0]],
        ['[x] (', [2]],
        ['o w', [3]],
        ['<img', [4]],
        ['words two', []],
    ])
        assert.deepEqual(findObjects(s, queryOf({text})).matches, wanted, text);
});

test('t:Type finds components and the filters find missing scripts and prefabs', async () => {
    const s = await scene([
        {name: 'A', components: ['UnityEngine.Transform', 'UnityEngine.Rigidbody']},
        {name: 'B', components: ['UnityEngine.Transform', null]},
        {name: 'C', prefab: 'Assets/C.prefab'},
        {name: 'AB', components: ['UnityEngine.Rigidbody2D']},
    ]);
    assert.deepEqual(findObjects(s, queryOf({text: 't:rigid'})).matches, [0, 3]);
    assert.deepEqual(findObjects(s, queryOf({text: 'b t:rigid'})).matches, [3]);
    assert.deepEqual(findObjects(s, queryOf({missing: true})).matches, [1]);
    assert.deepEqual(findObjects(s, queryOf({prefabs: true})).matches, [2]);
    assert.deepEqual(findObjects(s, queryOf({missing: true, prefabs: true})).matches, [1, 2]);
    assert.deepEqual(findObjects(s, queryOf({missing: true, text: 'c'})).matches, []);
});

test('a hidden object has the row of its nearest visible ancestor', async () => {
    const s = await scene([['A', ['B', 'C'], 'D'], 'E']);
    const rows = visibleRows(s, new Set(['/A']), null, none);
    assert.equal(rowOf(s, rows, 2), 1);
    assert.equal(rowOf(s, rows, 3), 2);
    assert.equal(rowOf(s, [], 3), -1);
});

test('tree keys follow the ARIA pattern', async () => {
    const s = await scene([['A', ['B', 'C'], 'D'], {name: 'E', below: '...'}]);
    const open = new Set(['/A']);
    const rows = visibleRows(s, open, null, none); // A B D E
    const key = (at, name) => keyAction(s, rows, at, name, i => open.has(s.paths[i]));
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

test('typing selects the next row with this prefix and wraps around', async () => {
    const s = await scene(['Apple', 'Bear', 'Ant', 'bee']);
    const rows = visibleRows(s, none, null, none);
    assert.equal(findTyped(s, rows, 0, 'a'), 2);
    assert.equal(findTyped(s, rows, 2, 'a'), 0);
    assert.equal(findTyped(s, rows, 0, 'ap'), 0);
    assert.equal(findTyped(s, rows, 0, 'b'), 1);
    assert.equal(findTyped(s, rows, 1, 'be'), 1);
    assert.equal(findTyped(s, rows, 0, 'z'), -1);
    assert.equal(findTyped(s, [], -1, 'z'), -1);
});

const matchPaths = async (before, after) => {
    const a = await scene(before),
        b = await scene(after),
        to = matchScenes(a, b);
    return Object.fromEntries(a.paths.map((p, i) => [p, to[i] < 0 ? null : b.paths[to[i]]]));
};

test('objects keep their identity when siblings are added or removed', async () => {
    const twin = what => ({name: 'T', components: ['UnityEngine.Transform', what]});
    assert.deepEqual(await matchPaths([twin('A'), twin('B')], [twin('B')]), {
        '/T': null,
        '/T[1]': '/T',
    });
    assert.deepEqual(await matchPaths([twin('A'), twin('B')], [twin('A')]), {
        '/T': '/T',
        '/T[1]': null,
    });
    assert.deepEqual(await matchPaths([twin('A'), twin('B')], [twin('C'), twin('A'), twin('B')]), {
        '/T': '/T[1]',
        '/T[1]': '/T[2]',
    });
});

test('a renamed object and its descendants keep their identity', async () => {
    assert.deepEqual(await matchPaths(['A', ['B', 'X'], 'C'], ['A', ['B2', 'X'], 'C']), {
        '/A': '/A',
        '/B': '/B2',
        '/B/X': '/B2/X',
        '/C': '/C',
    });
});

test('an object with a new component keeps its identity and a removed one has none', async () => {
    assert.deepEqual(await matchPaths(['A', 'B'], [{name: 'A', components: ['T', 'R']}, 'B']), {
        '/A': '/A',
        '/B': '/B',
    });
    assert.deepEqual(await matchPaths([['A', 'B'], 'C'], ['C']), {
        '/A': null,
        '/A/B': null,
        '/C': '/C',
    });
});

test('expanded paths follow their objects', async () => {
    const a = await scene(['A', ['B', 'X']]),
        b = await scene(['A', ['B2', 'X']]);
    assert.deepEqual([...mapPaths(a, b, matchScenes(a, b), ['/B', '/gone'])], ['/B2']);
});
