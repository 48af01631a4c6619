// Console lines, choices for a reference, and the description of a busy editor.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {
    countTypes,
    linesOf,
    withNewer,
    withOlder,
} from '../../web/src/windows/editor/console_lines.ts';
import {listChoices} from '../../web/src/windows/editor/reference_choices.ts';
import {flattenHierarchy} from '../../web/src/windows/editor/scene.ts';
import {waitText} from '../../web/src/windows/editor/editor_state.ts';

const entry = (message, type = 'log', more = {}) => ({
    type,
    message,
    time: '2026-03-01T09:30:00Z',
    ...more,
});
const texts = lines => lines.map(l => l.entry.message);
const none = new Set();

test('newer entries are appended in order and the oldest are dropped', () => {
    const a = withNewer([], [entry('2'), entry('1')], 100, 3);
    assert.deepEqual(texts(a), ['1', '2']);
    assert.deepEqual(
        a.map(l => l.id),
        [100, 101],
    );
    const b = withNewer(a, [entry('4'), entry('3')], 102, 3);
    assert.deepEqual(texts(b), ['2', '3', '4']);
    assert.deepEqual(
        b.map(l => l.id),
        [101, 102, 103],
    );
});

test('older entries are inserted at the start up to the limit', () => {
    const a = withNewer([], [entry('5'), entry('4')], 100, 4);
    const b = withOlder(a, [entry('3'), entry('2'), entry('1')], 100, 4);
    assert.deepEqual(texts(b), ['2', '3', '4', '5']);
    assert.equal(new Set(b.map(l => l.id)).size, 4);
});

test('equal consecutive entries are one line and types can be hidden', () => {
    const all = withNewer([], [entry('b'), entry('a', 'error'), entry('a'), entry('a')], 0, 10);
    assert.deepEqual(
        linesOf(all, none, true).map(l => [l.entry.message, l.entry.type, l.count]),
        [
            ['a', 'log', 2],
            ['a', 'error', 1],
            ['b', 'log', 1],
        ],
    );
    assert.equal(linesOf(all, none, false).length, 4);
    assert.deepEqual(
        linesOf(all, new Set(['log']), true).map(l => l.entry.type),
        ['error'],
    );
    assert.deepEqual(countTypes(all), {log: 3, warning: 0, error: 1, assert: 0, exception: 0});
    assert.equal(linesOf([{id: 1, entry: entry('x', 'log', {count: 5})}], none, true)[0].count, 5);
});

test('a collapsed line keeps its id when another duplicate arrives', () => {
    const a = withNewer([], [entry('a')], 7, 10);
    const b = withNewer(a, [entry('a')], 8, 10);
    assert.equal(linesOf(b, none, true)[0].id, 7);
});

const object = (name, components) => ({
    name,
    path: `/${name}`,
    active: true,
    components,
    children: [],
});
const scene = list =>
    flattenHierarchy(
        {
            scene_name: 'S',
            scene_path: 'S',
            root_game_objects: list,
            total_game_objects: list.length,
            truncated: false,
        },
        100,
        () => undefined,
    );

test('the choices for a reference are the matching objects or components', async () => {
    const s = await scene([
        object('A', [
            'UnityEngine.Transform',
            'UnityEngine.BoxCollider',
            'UnityEngine.BoxCollider',
        ]),
        object('B', ['UnityEngine.Transform', null]),
    ]);
    assert.deepEqual(
        listChoices(s, 'UnityEngine.GameObject', null, '').map(c => c.value),
        [{$ref: '/A'}, {$ref: '/B'}],
    );
    assert.deepEqual(
        listChoices(s, 'UnityEngine.BoxCollider', null, '').map(c => c.value),
        [
            {$ref: '/A', index: 1},
            {$ref: '/A', index: 2},
        ],
    );
    assert.deepEqual(listChoices(s, 'UnityEngine.Collider', null, '').length, 0);
    assert.deepEqual(
        listChoices(s, 'UnityEngine.Collider', new Set(['UnityEngine.BoxCollider']), '').length,
        2,
    );
    assert.deepEqual(listChoices(s, 'UnityEngine.Component', null, '').length, 4);
    assert.deepEqual(
        listChoices(s, 'UnityEngine.GameObject', null, ' b ').map(c => c.name),
        ['B'],
    );
});

test('the wait text names the reason and the waiting calls', () => {
    const e = {
        editor_state: 'ready',
        wait_reason: null,
        queue: {waiting: 0, capacity: 32, running: null},
    };
    assert.equal(waitText(e), null);
    assert.match(
        waitText({...e, editor_state: 'compiling', wait_reason: 'compiling'}),
        /compiling.*Calls wait/,
    );
    assert.match(
        waitText({
            ...e,
            editor_state: 'reloading',
            wait_reason: 'reloading',
            queue: {...e.queue, waiting: 2, running: {tool: 'undo'}},
        }),
        /reloading.*undo is running, 2 calls waiting/,
    );
    // No editor is connected.
    assert.equal(waitText({...e, editor_state: 'disconnected', wait_reason: 'reconnecting'}), null);
});
