// The list of tasks, the graph, documents and plans, as data.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {documents} from '../../web/src/windows/tasks/docs.ts';
import {
    fit,
    LEAST,
    Links,
    MOST,
    reveal,
    step,
    way,
    zoom,
} from '../../web/src/windows/tasks/graph.ts';
import {chosen, consequences, faultOf, nameFault, plan} from '../../web/src/windows/tasks/plan.ts';
import {
    count,
    merge,
    nearest,
    parseSort,
    parseStates,
    range,
    toggled,
    view,
} from '../../web/src/windows/tasks/rows.ts';
import {applies} from '../../web/src/windows/tasks/types.ts';

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

    test('by entry, state, change, name; equal ones in the order of entry, either way', () => {
        assert.equal(names(view(ALL, filter())), 'b10 b9 a c');
        assert.equal(names(view(ALL, filter({down: true}))), 'c a b9 b10');
        assert.equal(names(view(ALL, filter({sort: 'state'}))), 'b9 c a b10');
        assert.equal(names(view(ALL, filter({sort: 'state', down: true}))), 'b10 a b9 c');
        assert.equal(names(view(ALL, filter({sort: 'changed'}))), 'b9 c b10 a');
        assert.equal(names(view(ALL, filter({sort: 'changed', down: true}))), 'a b10 b9 c');
        assert.equal(names(view(ALL, filter({sort: 'name'}))), 'a b9 b10 c');
    });

    test('filters: states, pool, and words in any order anywhere', () => {
        assert.equal(names(view(ALL, filter({states: new Set(['RUNNING', 'PENDING'])}))), 'b9 a c');
        assert.equal(names(view(ALL, filter({pool: 'unity'}))), 'b9');
        assert.equal(names(view(ALL, filter({text: 'roof <THE>'}))), 'a');
        assert.equal(names(view(ALL, filter({text: 'OPUS'}))), 'c');
        assert.equal(names(view(ALL, filter({text: '#4'}))), 'c');
        assert.equal(names(view(ALL, filter({text: 'roof opus'}))), '');
    });

    test('what stands in the address is checked', () => {
        assert.deepEqual([...parseStates('FAILED,x,BLOCKED,<b>')], ['FAILED', 'BLOCKED']);
        assert.deepEqual([...parseStates(undefined)], []);
        assert.deepEqual(parseSort('-changed'), {sort: 'changed', down: true});
        assert.deepEqual(parseSort('-nonsense'), {sort: 'entry', down: false});
    });

    test('counts; a state of a newer server is none of ours', () => {
        assert.deepEqual(
            Object.values(count([...ALL, task(9, {state: 'NEW'})])),
            [1, 0, 2, 0, 0, 1, 0, 0],
        );
    });

    test('news take their places; what was asked for and is not told is gone; the rest is the same object', () => {
        const next = merge(ALL, [task(2, {state: 'FAILED'}), task(7)], [2, 3, 7]);
        assert.deepEqual(
            next.map(t => `${t.id}${t.state}`),
            ['1SUCCEEDED', '2FAILED', '4RUNNING', '7READY'],
        );
        assert.equal(next[0], ALL[0]);
        assert.equal(merge([task(5)], [task(1)])[0].id, 1);
    });

    test('a range goes either way, and is the row alone when its begin is out of sight', () => {
        assert.deepEqual(range(ALL, 1, 3), [1, 2, 3]);
        assert.deepEqual(range(ALL, 4, 2), [2, 3, 4]);
        assert.deepEqual(range(ALL, 99, 2), [2]);
        assert.deepEqual(range(ALL, null, 2), [2]);
        assert.deepEqual(range(ALL, 1, 99), []);
    });

    test('toggling makes a new set', () => {
        const set = new Set([1]);
        assert.deepEqual([...toggled(set, 2)], [1, 2]);
        assert.deepEqual([...toggled(set, 1)], []);
        assert.deepEqual([...set], [1]);
    });

    test('the keyboard goes to the next row when its own is gone', () => {
        const without = ids => ALL.filter(t => !ids.includes(t.id));
        assert.equal(nearest(ALL, ALL, 2), 2);
        assert.equal(nearest(without([2]), ALL, 2), 3);
        assert.equal(nearest(without([2, 3]), ALL, 2), 4);
        assert.equal(nearest(without([4]), ALL, 4), 3);
        assert.equal(nearest([], ALL, 4), null);
    });

    test('what can be done to a task depends on its state', () => {
        const can = (state, more) =>
            ['cancel', 'retry', 'remove']
                .filter(a => applies(a, task(1, {state, ...more})))
                .join(' ');
        assert.equal(can('RUNNING'), 'cancel');
        assert.equal(can('RUNNING', {cancel_requested: true}), '');
        assert.equal(can('PENDING'), 'cancel remove');
        assert.equal(can('RETRY_WAIT'), 'cancel retry remove');
        assert.equal(can('BLOCKED'), 'cancel retry remove');
        assert.equal(can('SUCCEEDED'), 'remove');
        assert.equal(can('FAILED'), 'retry remove');
    });

    test('10,000 tasks are filtered and sorted in no time', () => {
        const many = Array.from({length: 10_000}, (_, i) =>
            task(i + 1, {changed_at: (i * 7919) % 10_000}),
        );
        const started = process.cpuUsage();
        for (const sort of ['entry', 'state', 'changed', 'name'])
            view(many, filter({sort, text: 'title'}));
        merge(many, many.slice(0, 1000), []);
        const {user, system} = process.cpuUsage(started); // of this process alone, however busy the machine is
        assert.ok(user + system < 2_000_000);
    });
});

describe('the graph', () => {
    // 1 above 2 and 3 above 4; 5 stands alone
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

    test('kin are all above and all below', () => {
        const {up, down} = links.kin(2);
        assert.deepEqual([[...up], [...down]], [[1], [4]]);
        assert.deepEqual([...links.kin(4).up].sort(), [1, 2, 3]);
        assert.deepEqual([...links.kin(5).up, ...links.kin(5).down], []);
    });

    test('a circle does not hang, and nobody is their own kin', () => {
        const round = new Links([
            {from: 1, to: 2},
            {from: 2, to: 1},
        ]);
        assert.deepEqual([...round.kin(1).down], [2]);
    });

    test('arrow keys go along lines and beside', () => {
        assert.equal(step(nodes, links, 1, 'ArrowDown'), 2);
        assert.equal(step(nodes, links, 4, 'ArrowUp'), 2);
        assert.equal(step(nodes, links, 2, 'ArrowRight'), 3);
        assert.equal(step(nodes, links, 3, 'ArrowLeft'), 2);
        assert.equal(step(nodes, links, 1, 'ArrowRight'), 5);
        assert.equal(step(nodes, links, 1, 'ArrowUp'), null);
        assert.equal(step(nodes, links, 99, 'ArrowUp'), 1);
        assert.equal(step(new Map(), links, 99, 'ArrowUp'), null);
    });

    test('lines are upright or curves that begin and end upright', () => {
        assert.equal(
            way([
                [0, 0],
                [0, 10],
                [20, 30],
            ]),
            'M0 0V10C0 20 20 20 20 30',
        );
        assert.equal(way([]), '');
    });

    test('zoom keeps the place under the pointer, within its limits', () => {
        const v = zoom({x: 10, y: 20, scale: 1}, 2, 50, 60);
        assert.equal((50 - v.x) / v.scale, 40);
        assert.equal(zoom(v, 1e9, 0, 0).scale, MOST);
        assert.equal(zoom(v, 1e-9, 0, 0).scale, LEAST);
    });

    test('fit shows all, and an empty one, too; reveal moves as little as needed', () => {
        const v = fit({width: 2000, height: 100}, 500, 400);
        assert.ok(v.x >= 0 && v.x + 2000 * v.scale <= 500);
        assert.ok(Number.isFinite(fit({width: 0, height: 0}, 500, 400).scale));
        const here = {x: 0, y: 0, scale: 1};
        assert.deepEqual(reveal(here, {...nodes.get(1), y: 50}, 500, 400), here);
        assert.equal(reveal(here, {...nodes.get(1), x: 900, y: 50}, 500, 400).x, 500 - 24 - 1000);
    });
});

describe('documents', () => {
    test('are cut at their marks and keep their lines', () => {
        const docs = documents('# two\n---\na: 1\n---\r\nb: |\n  ---\n  c\n...\n# end\n');
        assert.deepEqual(docs, [
            {text: '\na: 1\n', line: 2},
            {text: '\nb: |\n  ---\n  c\n', line: 4},
        ]);
        assert.deepEqual(documents('a: 1'), [{text: 'a: 1\n', line: 1}]);
        assert.deepEqual(documents('--- {a: 1}\n'), [{text: '    {a: 1}\n\n', line: 1}]);
        assert.deepEqual(documents('---\n---\n\n# nothing\n'), []);
    });
});

describe('a plan', () => {
    const PLAN = [
        ['ground', []],
        ['walls', ['ground']],
        ['garden', ['ground']],
        ['roof', ['walls', 'garden', 'older']],
    ].map(([name, needs]) => ({name, title: name, needs, yaml: `id: ${name}`}));

    test('as it is', () => {
        assert.deepEqual(
            chosen(plan(PLAN)),
            PLAN.map(({name, needs, yaml}) => ({yaml, name, needs})),
        );
        assert.deepEqual(consequences(plan(PLAN)), []);
    });

    test('renamed and left out: who needed them follows', () => {
        const p = plan(PLAN);
        p[0].to = 'base';
        p[1].out = true;
        assert.deepEqual(
            chosen(p).map(t => `${t.name}: ${t.needs}`),
            ['base: ', 'garden: base', 'roof: garden,older'],
        );
        assert.deepEqual(consequences(p), ['roof does not wait for walls then.']);
    });

    test('names that cannot be are told', () => {
        const p = plan(PLAN),
            taken = name => name === 'old';
        assert.equal(faultOf(p, p[0], taken), '');
        p[0].to = 'walls';
        assert.match(faultOf(p, p[0], taken), /Another/);
        p[1].out = true;
        assert.equal(faultOf(p, p[0], taken), '');
        p[0].to = 'old';
        assert.match(faultOf(p, p[0], taken), /already/);
        for (const wrong of ['', ' a', 'a\nb', 'é'.repeat(65)])
            assert.notEqual(nameFault(wrong), '');
        assert.equal(nameFault('<img onerror=1>'), '');
    });
});
