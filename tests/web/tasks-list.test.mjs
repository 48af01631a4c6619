// The logic of the task list, the graph, YAML documents and plans.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {splitDocuments} from '../../web/src/windows/tasks/yaml_documents.ts';
import {
    fitView,
    MIN_SCALE,
    Links,
    MAX_SCALE,
    revealNode,
    nextNode,
    linePath,
    zoomView,
} from '../../web/src/windows/tasks/graph.ts';
import {
    includedTasks,
    exclusionNotes,
    taskError,
    nameError,
    createPlan,
} from '../../web/src/windows/tasks/plan.ts';
import {
    countStates,
    mergeTasks,
    nearestId,
    parseSort,
    parseStates,
    idsBetween,
    toggleId,
    filterTasks,
} from '../../web/src/windows/tasks/rows.ts';
import {canApply} from '../../web/src/windows/tasks/types.ts';

const task = (id, more = {}) => ({
    id,
    name: `t${id}`,
    title: `Title ${id}`,
    state: 'READY',
    pool: 'default',
    repo: '/r',
    why: '',
    open_needs: 0,
    attempts: 0,
    counted: 0,
    lost: 0,
    max_attempts: null,
    cancel_requested: false,
    owner: '',
    due_at: null,
    lease_until: null,
    added_at: id,
    changed_at: id,
    started_at: null,
    ended_at: null,
    ...more,
});
const filter = more => ({
    states: new Set(),
    pool: '',
    text: '',
    sort: 'entry',
    down: false,
    ...more,
});
const names = rows => rows.map(r => r.name).join(' ');

describe('the list', () => {
    const ALL = [
        task(1, {state: 'SUCCEEDED', changed_at: 50, name: 'b10'}),
        task(2, {state: 'RUNNING', changed_at: 90, name: 'b9', pool: 'unity'}),
        task(3, {state: 'PENDING', changed_at: 10, name: 'a', title: 'Build <the> Roof'}),
        task(4, {state: 'RUNNING', changed_at: 90, name: 'c', tool: 'claude', model: 'opus'}),
    ];

    test('sorts by creation, state, change and name', () => {
        assert.equal(names(filterTasks(ALL, filter())), 'b10 b9 a c');
        assert.equal(names(filterTasks(ALL, filter({down: true}))), 'c a b9 b10');
        assert.equal(names(filterTasks(ALL, filter({sort: 'state'}))), 'b9 c a b10');
        assert.equal(names(filterTasks(ALL, filter({sort: 'state', down: true}))), 'b10 a b9 c');
        assert.equal(names(filterTasks(ALL, filter({sort: 'changed'}))), 'b9 c b10 a');
        assert.equal(names(filterTasks(ALL, filter({sort: 'changed', down: true}))), 'a b10 b9 c');
        assert.equal(names(filterTasks(ALL, filter({sort: 'name'}))), 'a b9 b10 c');
    });

    test('filters by state, pool and words in any order', () => {
        assert.equal(
            names(filterTasks(ALL, filter({states: new Set(['RUNNING', 'PENDING'])}))),
            'b9 a c',
        );
        assert.equal(names(filterTasks(ALL, filter({pool: 'unity'}))), 'b9');
        assert.equal(names(filterTasks(ALL, filter({text: 'roof <THE>'}))), 'a');
        assert.equal(names(filterTasks(ALL, filter({text: 'OPUS'}))), 'c');
        assert.equal(names(filterTasks(ALL, filter({text: '#4'}))), 'c');
        assert.equal(names(filterTasks(ALL, filter({text: 'roof opus'}))), '');
    });

    test('ignores invalid values in the address', () => {
        assert.deepEqual([...parseStates('FAILED,x,BLOCKED,<b>')], ['FAILED', 'BLOCKED']);
        assert.deepEqual([...parseStates(undefined)], []);
        assert.deepEqual(parseSort('-changed'), {sort: 'changed', down: true});
        assert.deepEqual(parseSort('-nonsense'), {sort: 'entry', down: false});
    });

    test('counts states and ignores unknown ones', () => {
        assert.deepEqual(
            Object.values(countStates([...ALL, task(9, {state: 'NEW'})])),
            [1, 0, 2, 0, 0, 1, 0, 0],
        );
    });

    test('merges changed tasks, removes missing ones and keeps the other objects', () => {
        const next = mergeTasks(ALL, [task(2, {state: 'FAILED'}), task(7)], [2, 3, 7]);
        assert.deepEqual(
            next.map(t => `${t.id}${t.state}`),
            ['1SUCCEEDED', '2FAILED', '4RUNNING', '7READY'],
        );
        assert.equal(next[0], ALL[0]);
        assert.equal(mergeTasks([task(5)], [task(1)])[0].id, 1);
    });

    test('selects a range in both directions, or one row without an anchor', () => {
        assert.deepEqual(idsBetween(ALL, 1, 3), [1, 2, 3]);
        assert.deepEqual(idsBetween(ALL, 4, 2), [2, 3, 4]);
        assert.deepEqual(idsBetween(ALL, 99, 2), [2]);
        assert.deepEqual(idsBetween(ALL, null, 2), [2]);
        assert.deepEqual(idsBetween(ALL, 1, 99), []);
    });

    test('toggling returns a new set', () => {
        const set = new Set([1]);
        assert.deepEqual([...toggleId(set, 2)], [1, 2]);
        assert.deepEqual([...toggleId(set, 1)], []);
        assert.deepEqual([...set], [1]);
    });

    test('the next row becomes active when the active one is removed', () => {
        const without = ids => ALL.filter(t => !ids.includes(t.id));
        assert.equal(nearestId(ALL, ALL, 2), 2);
        assert.equal(nearestId(without([2]), ALL, 2), 3);
        assert.equal(nearestId(without([2, 3]), ALL, 2), 4);
        assert.equal(nearestId(without([4]), ALL, 4), 3);
        assert.equal(nearestId([], ALL, 4), null);
    });

    test('the possible actions depend on the state', () => {
        const can = (state, more) =>
            ['cancel', 'retry', 'remove']
                .filter(a => canApply(a, task(1, {state, ...more})))
                .join(' ');
        assert.equal(can('RUNNING'), 'cancel');
        assert.equal(can('RUNNING', {cancel_requested: true}), '');
        assert.equal(can('PENDING'), 'cancel remove');
        assert.equal(can('RETRY_WAIT'), 'cancel retry remove');
        assert.equal(can('BLOCKED'), 'cancel retry remove');
        assert.equal(can('SUCCEEDED'), 'remove');
        assert.equal(can('FAILED'), 'retry remove');
    });

    test('10,000 tasks are filtered and sorted within 2 s', () => {
        const many = Array.from({length: 10_000}, (_, i) =>
            task(i + 1, {changed_at: (i * 7919) % 10_000}),
        );
        const started = process.cpuUsage();
        for (const sort of ['entry', 'state', 'changed', 'name'])
            filterTasks(many, filter({sort, text: 'title'}));
        mergeTasks(many, many.slice(0, 1000), []);
        // CPU time of this process does not depend on the load of the machine.
        const {user, system} = process.cpuUsage(started);
        assert.ok(user + system < 2_000_000);
    });
});

describe('the graph', () => {
    // 1 is above 2 and 3, which are above 4; 5 is separate.
    const edges = [
        {from: 1, to: 2},
        {from: 1, to: 3},
        {from: 2, to: 4},
        {from: 3, to: 4},
    ];
    const node = (id, x, y) => ({
        id,
        name: `t${id}`,
        title: '',
        state: 'READY',
        x,
        y,
        width: 100,
        height: 40,
    });
    const nodes = new Map(
        [node(1, 75, 0), node(2, 0, 100), node(3, 150, 100), node(4, 75, 200), node(5, 400, 0)].map(
            n => [n.id, n],
        ),
    );
    const links = new Links(edges);

    test('related tasks are all dependencies and all dependents', () => {
        const {up, down} = links.related(2);
        assert.deepEqual([[...up], [...down]], [[1], [4]]);
        assert.deepEqual([...links.related(4).up].sort(), [1, 2, 3]);
        assert.deepEqual([...links.related(5).up, ...links.related(5).down], []);
    });

    test('a cycle terminates and a task is not related to itself', () => {
        const cycle = new Links([
            {from: 1, to: 2},
            {from: 2, to: 1},
        ]);
        assert.deepEqual([...cycle.related(1).down], [2]);
    });

    test('arrow keys move along lines and to neighbours', () => {
        assert.equal(nextNode(nodes, links, 1, 'ArrowDown'), 2);
        assert.equal(nextNode(nodes, links, 4, 'ArrowUp'), 2);
        assert.equal(nextNode(nodes, links, 2, 'ArrowRight'), 3);
        assert.equal(nextNode(nodes, links, 3, 'ArrowLeft'), 2);
        assert.equal(nextNode(nodes, links, 1, 'ArrowRight'), 5);
        assert.equal(nextNode(nodes, links, 1, 'ArrowUp'), null);
        assert.equal(nextNode(nodes, links, 99, 'ArrowUp'), 1);
        assert.equal(nextNode(new Map(), links, 99, 'ArrowUp'), null);
    });

    test('lines are vertical or curves with vertical ends', () => {
        assert.equal(
            linePath([
                [0, 0],
                [0, 10],
                [20, 30],
            ]),
            'M0 0V10C0 20 20 20 20 30',
        );
        assert.equal(linePath([]), '');
    });

    test('zoom keeps the point under the pointer and its limits', () => {
        const v = zoomView({x: 10, y: 20, scale: 1}, 2, 50, 60);
        assert.equal((50 - v.x) / v.scale, 40);
        assert.equal(zoomView(v, 1e9, 0, 0).scale, MAX_SCALE);
        assert.equal(zoomView(v, 1e-9, 0, 0).scale, MIN_SCALE);
    });

    test('fit shows the whole graph and reveal pans as little as needed', () => {
        const v = fitView({width: 2000, height: 100}, 500, 400);
        assert.ok(v.x >= 0 && v.x + 2000 * v.scale <= 500);
        assert.ok(Number.isFinite(fitView({width: 0, height: 0}, 500, 400).scale));
        const here = {x: 0, y: 0, scale: 1};
        assert.deepEqual(revealNode(here, {...nodes.get(1), y: 50}, 500, 400), here);
        assert.equal(
            revealNode(here, {...nodes.get(1), x: 900, y: 50}, 500, 400).x,
            500 - 24 - 1000,
        );
    });
});

describe('documents', () => {
    test('are split at their markers and keep their line numbers', () => {
        const docs = splitDocuments('# two\n---\na: 1\n---\r\nb: |\n  ---\n  c\n...\n# end\n');
        assert.deepEqual(docs, [
            {text: '\na: 1\n', line: 2},
            {text: '\nb: |\n  ---\n  c\n', line: 4},
        ]);
        assert.deepEqual(splitDocuments('a: 1'), [{text: 'a: 1\n', line: 1}]);
        assert.deepEqual(splitDocuments('--- {a: 1}\n'), [{text: '    {a: 1}\n\n', line: 1}]);
        assert.deepEqual(splitDocuments('---\n---\n\n# nothing\n'), []);
    });
});

describe('a plan', () => {
    const PLAN = [
        ['ground', []],
        ['walls', ['ground']],
        ['garden', ['ground']],
        ['roof', ['walls', 'garden', 'older']],
    ].map(([name, needs]) => ({name, title: name, needs, yaml: `id: ${name}`}));

    test('is added unchanged by default', () => {
        assert.deepEqual(
            includedTasks(createPlan(PLAN)),
            PLAN.map(({name, needs, yaml}) => ({yaml, name, needs})),
        );
        assert.deepEqual(exclusionNotes(createPlan(PLAN)), []);
    });

    test('dependencies follow renamed and excluded tasks', () => {
        const p = createPlan(PLAN);
        p[0].to = 'base';
        p[1].isExcluded = true;
        assert.deepEqual(
            includedTasks(p).map(t => `${t.name}: ${t.needs}`),
            ['base: ', 'garden: base', 'roof: garden,older'],
        );
        assert.deepEqual(exclusionNotes(p), ['roof will not wait for walls.']);
    });

    test('invalid names are reported', () => {
        const p = createPlan(PLAN),
            isTaken = name => name === 'old';
        assert.equal(taskError(p, p[0], isTaken), '');
        p[0].to = 'walls';
        assert.match(taskError(p, p[0], isTaken), /Another/);
        p[1].isExcluded = true;
        assert.equal(taskError(p, p[0], isTaken), '');
        p[0].to = 'old';
        assert.match(taskError(p, p[0], isTaken), /exists/);
        for (const invalid of ['', ' a', 'a\nb', 'é'.repeat(65)])
            assert.notEqual(nameError(invalid), '');
        assert.equal(nameError('<img onerror=1>'), '');
    });
});
