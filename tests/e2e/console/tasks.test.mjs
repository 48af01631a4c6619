// Tasks in the console: what it shows and changes.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe} from 'node:test';

import {eachConsole, last} from '../fixtures/console_tasks.mjs';
import {openFeed} from '../fixtures/feed.mjs';
import {until} from '../fixtures/program.mjs';
import {FINE, waitsFor} from '../fixtures/store.mjs';
import {configOf, mock, task} from '../fixtures/tooling.mjs';
import {metaScript} from '../../standin/meta.mjs';

/** Run statements on the store itself; a call without one ends it. */
const waiting = [];
function change(place, sql) {
    if (sql)
        return waiting.push(sql);
    const all = waiting.splice(0).join(';\n');
    if (place.url) {
        execFileSync('psql', [place.url, '-q', '-v', 'ON_ERROR_STOP=1'], {input: `SET search_path TO multiverse;\n${all};\n`});
        return undefined;
    }
    const db = new DatabaseSync(path.join(place.user.home, 'tasks.db'));
    db.exec(`PRAGMA busy_timeout = 5000; BEGIN; ${all}; COMMIT`);
    return db.close();
}

const names = rows => rows.map(row => row.name);
const idsOf = async ask => Object.fromEntries((await ask('tasks')).tasks.map(row => [row.name, row.id]));
const near = at => assert.ok(Math.abs(at - Date.now()) < 60 * 60_000, `${at} is no time of now`);

describe('the list', () => {
    eachConsole('nothing yet', async (t, {ask, place}) => {
        const {tasks, counts, control, orchestrators, after, now, store} = await ask('tasks');
        assert.deepEqual([tasks, orchestrators, after], [[], [], null]);
        assert.deepEqual(control, {mode: 'RUNNING', stops: 0, since: null});
        assert.equal(Object.keys(counts).length, 8);
        assert.ok(Object.values(counts).every(n => n === 0));
        near(now);
        assert.match(store, place.url ? /^postgres/ : /tasks\.db$/);
        assert.deepEqual(await ask('tasks/graph'),
            {width: 32, height: 32, nodes: [], edges: [], left_out: 0, lines_left_out: 0});
    });

    eachConsole('tasks by state and pool, in pages', async (t, {ask, refused, place}) => {
        await place.add({a: [], b: ['a'], c: []});
        await place.add({d: []}, '--pool', 'other', '--max-attempts', '7');
        const all = await ask('tasks');
        assert.deepEqual(names(all.tasks), ['a', 'b', 'c', 'd']);
        assert.deepEqual([all.counts.READY, all.counts.PENDING, all.after], [3, 1, null]);
        const [a, b, , d] = all.tasks;
        assert.deepEqual([a.title, a.state, a.pool, a.repo, a.attempts, a.max_attempts, a.started_at],
            ['Task a', 'READY', 'default', place.user.repo, 0, null, null]);
        assert.deepEqual([b.open_needs, d.max_attempts, d.pool], [1, 7, 'other']);
        near(a.added_at);
        // The same as the command line shows, except for times.
        const shown = (await place.list())[0];
        assert.deepEqual(Object.keys(a), Object.keys(shown));
        assert.equal(a.added_at, Date.parse(shown.added_at));

        assert.deepEqual(names((await ask('tasks?state=PENDING')).tasks), ['b']);
        assert.deepEqual(names((await ask('tasks?state=PENDING,READY&pool=default')).tasks), ['a', 'b', 'c']);
        assert.deepEqual(names((await ask('tasks?pool=none%20such')).tasks), []);
        const first = await ask('tasks?most=3');
        assert.deepEqual([names(first.tasks), first.after], [['a', 'b', 'c'], first.tasks[2].id]);
        const second = await ask(`tasks?most=3&after=${first.after}`);
        assert.deepEqual([names(second.tasks), second.after], [['d'], null]);

        assert.deepEqual(names((await ask(`tasks/rows?ids=${d.id},999999,${a.id}`)).tasks), ['a', 'd']);
        assert.deepEqual((await ask('tasks/rows')).tasks, []);
        await refused(400, 'tasks?state=READY,WRONG');
        await refused(400, 'tasks?most=0');
        await refused(400, 'tasks?most=999999');
        await refused(400, 'tasks?after=-1');
        await refused(400, 'tasks/rows?ids=1,x');
        await refused(400, `tasks/rows?ids=${Array.from({length: 1001}, (_, i) => i + 1)}`);
        for (const where of ['tasks/0', 'tasks/-1', 'tasks/x', 'tasks/1/what', 'tasks/1/log/x', 'tasks/99999999999999999999'])
            await refused(404, where);
    });

    eachConsole('one: what it is, what it needs, its attempts and why who was chosen', async (t, {ask, refused, place}) => {
        await place.add({a: [], b: ['a'], c: ['b', 'a']});
        const {a, b, c} = await idsOf(ask);
        assert.equal((await place.orchestrate('--until-idle')).code, 0);
        const one = await ask(`tasks/${b}`);
        assert.deepEqual([one.id, one.name, one.state, one.attempts], [b, 'b', 'SUCCEEDED', 1]);
        assert.deepEqual(one.needs, [{id: a, name: 'a', state: 'SUCCEEDED'}]);
        assert.deepEqual(one.needed_by, [{id: c, name: 'c', state: 'SUCCEEDED'}]);
        assert.match(one.spec, /version: 1/);
        const [attempt] = one.attempt_list;
        assert.deepEqual([one.attempt_list.length, attempt.number, attempt.end, attempt.exit_code, attempt.files],
            [1, 1, 'succeeded', 0, []]);
        assert.deepEqual([attempt.tool, attempt.model], [one.tool, one.model]);
        assert.ok(one.tool && (await ask(`tasks/rows?ids=${b}`)).tasks[0].tool === one.tool);
        near(attempt.started_at);
        assert.ok(attempt.ended_at >= attempt.started_at && attempt.log_pieces > 0);
        assert.equal(one.decisions_error, null);
        assert.ok(one.decisions.length > 0);
        for (const decision of one.decisions) {
            assert.equal(decision.run, attempt.run);
            assert.ok(decision.candidates.length > 0 && decision.category);
        }
        const times = one.decisions.map(d => d.id);
        assert.deepEqual(times, times.toSorted((x, y) => y - x));
        await refused(404, 'tasks/4711');
        await refused(404, 'tasks/4711/log');
    });

    eachConsole('one that runs: its run is known, and so is why who was chosen', async (t, {ask, place}) => {
        const go = path.join(place.user.dir, 'go');
        await place.add({a: {test: {command: waitsFor(go)}}});
        const {a} = await idsOf(ask);
        const program = place.orchestrator('--until-idle');
        const one = await until(() => ask(`tasks/${a}`), 'a decision of what runs',
            {is: now => now.state === 'RUNNING' && now.decisions.length > 0, from: program});
        assert.equal(one.attempt_list[0].ended_at, null);
        assert.equal(one.attempt_list[0].run, one.decisions[0].run);
        const {orchestrators, counts} = await ask('tasks');
        assert.deepEqual([orchestrators.length, orchestrators[0].running, orchestrators[0].gone, counts.RUNNING],
            [1, 1, false, 1]);
        assert.equal(orchestrators[0].pid, program.pid);
        writeFileSync(go, '');
        assert.equal((await program.ended('its end')).code, 0);
        assert.equal((await ask(`tasks/${a}`)).attempt_list[0].run, one.attempt_list[0].run);
    });

    eachConsole('who was out, and why', async (t, {ask, place}) => {
        await place.add({a: []});
        const {a} = await idsOf(ask);
        assert.equal((await place.orchestrate('--until-idle')).code, 0);
        const {decisions} = await ask(`tasks/${a}`);
        const out = decisions.flatMap(d => d.candidates).filter(c => c.out);
        assert.ok(out.some(c => c.model === 'tired' && /rest|limit/.test(c.why)), JSON.stringify(out));
    }, {tooling: configOf({meta: {fallback: true, candidates: [mock('tired', [{fail: 'rate_limited', after_ms: 600_000,
        repeat: true}]), mock('planner', metaScript())]}})});
});

describe('the graph', () => {
    const overlap = (p, q) => p.x < q.x + q.width && q.x < p.x + p.width && p.y < q.y + q.height && q.y < p.y + p.height;

    eachConsole('each stands below what it needs, lines go from box to box', async (t, {ask, refused, place}) => {
        await place.add({a: [], b: ['a'], c: ['a'], d: ['b', 'c', 'a'], alone: []});
        const ids = await idsOf(ask);
        const {width, height, nodes, edges, left_out: out} = await ask('tasks/graph');
        assert.equal(out, 0);
        assert.deepEqual(names(nodes).toSorted(), ['a', 'alone', 'b', 'c', 'd']);
        assert.deepEqual(edges.map(e => `${e.from}>${e.to}`).toSorted(),
            [[ids.a, ids.b], [ids.a, ids.c], [ids.a, ids.d], [ids.b, ids.d], [ids.c, ids.d]].map(e => e.join('>')).toSorted());
        const at = Object.fromEntries(nodes.map(n => [n.id, n]));
        for (const n of nodes)
            assert.ok(n.x >= 0 && n.y >= 0 && n.x + n.width <= width && n.y + n.height <= height && n.title && n.state);
        for (const [i, n] of nodes.entries())
            assert.ok(nodes.slice(i + 1).every(other => !overlap(n, other)));
        for (const {from, to, points} of edges) {
            const [x, y] = points[0], [endX, endY] = points.at(-1);
            assert.ok(y === at[from].y + at[from].height && x > at[from].x && x < at[from].x + at[from].width);
            assert.ok(endY === at[to].y && endX > at[to].x && endX < at[to].x + at[to].width);
            assert.ok(points.every((p, i) => !i || p[1] >= points[i - 1][1]));
        }
        const some = await ask(`tasks/graph?ids=${ids.b},${ids.d},777`);
        assert.deepEqual([names(some.nodes), some.edges.length], [['b', 'd'], 1]);
        await refused(400, 'tasks/graph?ids=0');
    });

    eachConsole('what hangs together with some: all they need, all that need them', async (t, {ask, refused, place}) => {
        await place.add({a: [], b: ['a'], c: ['b'], side: ['a'], x: [], y: ['x'], alone: []});
        const ids = await idsOf(ask);
        const kin = async (...of) => names((await ask(`tasks/graph?of=${of.map(n => ids[n] ?? n)}`)).nodes);
        assert.deepEqual(await kin('b'), ['a', 'b', 'c']);
        assert.deepEqual(await kin('a'), ['a', 'b', 'c', 'side']);
        assert.deepEqual(await kin('b', 'y', 'b'), ['a', 'b', 'c', 'x', 'y']);
        assert.deepEqual(await kin('alone'), ['alone']);
        assert.deepEqual(await kin(4711), []);
        const {edges} = await ask(`tasks/graph?of=${ids.c}`);
        assert.deepEqual(edges.map(e => [e.from, e.to]).toSorted((p, q) => p[0] - q[0]), [[ids.a, ids.b], [ids.b, ids.c]]);
        await refused(400, 'tasks/graph?of=0');
    });

    eachConsole('a plan that is not added is drawn, too', async (t, {ask, refused, place}) => {
        const tasks = [{name: 'ground', title: 'Level <it>', needs: []}, {name: 'left', title: '', needs: ['ground', 'elsewhere']},
            {name: 'right', needs: ['ground']}, {name: 'roof', title: 'R', needs: ['left', 'right']}, {name: 'left', needs: []}];
        const {nodes, edges, width, left_out: out} = await ask('tasks/graph', {tasks});
        assert.deepEqual(nodes.map(n => [n.id, n.name, n.title, n.state]), [[1, 'ground', 'Level <it>', null],
            [2, 'left', '', null], [3, 'right', '', null], [4, 'roof', 'R', null], [5, 'left', '', null]]);
        assert.deepEqual(edges.map(e => `${e.from}>${e.to}`).toSorted(), ['1>2', '1>3', '2>4', '3>4']);
        assert.ok(nodes[0].y < nodes[1].y && nodes[1].y === nodes[2].y && nodes[2].y < nodes[3].y && width > 0 && out === 0);
        // In a circle: boxes without lines.
        const round = await ask('tasks/graph', {tasks: [{name: 'a', needs: ['b']}, {name: 'b', needs: ['a']}]});
        assert.deepEqual([round.nodes.length, round.edges, round.lines_left_out], [2, [], 2]);
        assert.deepEqual((await ask('tasks/graph', {tasks: []})).nodes, []);
        for (const wrong of [undefined, {}, [7], [{}], [{name: 7}], [{name: 'a', needs: 'b'}], [{name: 'a', needs: [7]}],
            [{name: 'a', title: 7}], Array.from({length: 2001}, (_, i) => ({name: `t${i}`}))])
            await refused(400, 'tasks/graph', {tasks: wrong});
        assert.deepEqual(await place.list(), []);
    });

    eachConsole('what is over is left out, unless all is, or it hangs together with what is not',
        async (t, {ask, place}) => {
            await place.add({old: [], a: []});
            assert.equal((await place.orchestrate('--until-idle')).code, 0);
            assert.deepEqual(names((await ask('tasks/graph')).nodes), ['old', 'a']);
            await place.add({b: ['a']});
            assert.deepEqual(names((await ask('tasks/graph')).nodes), ['a', 'b']);
        });
});

describe('the log', () => {
    eachConsole('is there while it is written, and the feed says when there is more', async (t, {ask, server, place}) => {
        const go = path.join(place.user.dir, 'go');
        await place.add({a: {test: {command: waitsFor(go)}}});
        const {a} = await idsOf(ask);
        assert.deepEqual(await ask(`tasks/${a}/log`), {attempt: null, pieces: [], ended: false});
        const feed = await openFeed(t, server);
        let {log} = await last(feed, 'tasks');
        const program = place.orchestrator('--until-idle');
        let text = '', after = 0, ended = false;
        const more = async () => {
            const answer = await ask(`tasks/${a}/log?after=${after}&most=2`);
            assert.ok(answer.pieces.length <= 2);
            for (const piece of answer.pieces) {
                assert.equal(piece.seq, ++after);
                near(piece.at);
                text += piece.text;
            }
            ended = answer.ended;
            return answer.pieces.length > 0;
        };
        const follow = async until_ => {
            while (!until_()) {
                while (await more());
                if (until_())
                    return;
                ({log} = await last(feed, 'tasks', e => e.log > log));
            }
        };
        await follow(() => /VALIDATING/.test(text));
        assert.ok(!ended);
        writeFileSync(go, '');
        await follow(() => ended);
        assert.equal((await program.ended('its end')).code, 0);
        assert.equal(text, (await place.task('logs', 'a')).stdout);
        assert.deepEqual(await ask(`tasks/${a}/log?after=${after}&attempt=1`), {attempt: 1, pieces: [], ended: true});
    });

    eachConsole('of each attempt', async (t, {ask, refused, place}) => {
        await place.add({a: []});
        const {a} = await idsOf(ask);
        assert.equal((await place.orchestrate('--until-idle')).code, 0);
        const of = async number => (await ask(`tasks/${a}/log?attempt=${number}`)).pieces.map(p => p.text).join('');
        assert.match(await of(1), /not today/);
        assert.match(await of(2), /COMPLETE/);
        assert.equal((await ask(`tasks/${a}/log`)).attempt, 2);
        await refused(404, `tasks/${a}/log?attempt=3`);
        await refused(400, `tasks/${a}/log?after=x`);
        await refused(400, `tasks/${a}/log?most=100000`);
    }, {tooling: configOf({meta: {candidates: [{tool: 'mock', model: 'm', toolSpecific: {
        script: [{fail: 'request', message: 'not today'}, ...metaScript()], state: 'mock-state.json'}}]}})});

    eachConsole('a large one comes in parts of a mebibyte', async (t, {ask, place}) => {
        await place.add({a: []});
        const {a} = await idsOf(ask);
        assert.equal((await place.orchestrate('--until-idle')).code, 0);
        const COUNT = 300, SIZE = 16 << 10;
        change(place, `DELETE FROM log`);
        for (let seq = 1; seq <= COUNT; seq++)
            change(place, `INSERT INTO log (task, number, seq, at, text) VALUES (${a}, 1, ${seq}, 1000,
                '${String(seq).padStart(SIZE, 'x')}')`);
        change(place); // all of them
        let after = 0, answers = 0, ended = false;
        while (!ended) {
            const answer = await ask(`tasks/${a}/log?after=${after}&most=2000`);
            const size = answer.pieces.reduce((n, p) => n + p.text.length, 0);
            assert.ok(size >= SIZE && size < (1 << 20) + SIZE, `${size} bytes`);
            for (const piece of answer.pieces)
                assert.deepEqual([piece.seq, piece.text], [++after, String(after).padStart(SIZE, 'x')]);
            answers++;
            ({ended} = answer);
        }
        assert.deepEqual([after, answers], [COUNT, 5]);
    });
});

describe('changes', () => {
    eachConsole('cancel, retry and remove: what can be is done, and each says what became of it',
        async (t, {ask, refused, place}) => {
            await place.add({a: [], b: ['a'], c: ['b'], d: []});
            const {a, b, c, d} = await idsOf(ask);
            const gone = await ask('tasks/cancel', {ids: [a, 12345, d, a]});
            assert.deepEqual(gone.changed.map(x => [x.id, x.before, x.after, x.asked, x.touched]),
                [[a, 'READY', 'CANCELLED', false, 2], [d, 'READY', 'CANCELLED', false, 0]]);
            assert.deepEqual(gone.failed.map(x => [x.id, x.code]), [[12345, 'ERR_TASK_NOT_FOUND']]);
            assert.deepEqual(await place.states(), {a: 'CANCELLED', b: 'BLOCKED', c: 'BLOCKED', d: 'CANCELLED'});
            const twice = await ask('tasks/cancel', {ids: [a]});
            assert.deepEqual([twice.changed, twice.failed[0].code], [[], 'ERR_TASK_STATE']);
            assert.match(twice.failed[0].message, /has already ended/);
            const again = await ask('tasks/retry', {ids: [b, a]});
            assert.deepEqual(again.changed.map(x => [x.id, x.after]), [[a, 'READY']]);
            assert.match(again.failed[0].message, /retry that one/);
            assert.deepEqual(await place.states(), {a: 'READY', b: 'PENDING', c: 'PENDING', d: 'CANCELLED'});
            const kept = await ask('tasks/remove', {ids: [b]});
            assert.match(kept.failed[0].message, /needed by c/);
            const removed = await ask('tasks/remove', {ids: [a, b, c]});
            assert.deepEqual(removed.changed.map(x => [x.id, x.before, x.after]),
                [[a, 'READY', null], [b, 'PENDING', null], [c, 'PENDING', null]]);
            assert.deepEqual(await place.states(), {d: 'CANCELLED'});
            assert.deepEqual(await ask('tasks/cancel', {ids: []}), {changed: [], failed: []});
            for (const ids of [undefined, 'x', [0], [-1], ['1'], [1.5], Array.from({length: 1001}, (_, i) => i + 1)])
                await refused(400, 'tasks/cancel', {ids});
        });

    eachConsole('one that runs is asked to stop', async (t, {ask, place}) => {
        await place.add({a: {test: {command: waitsFor(path.join(place.user.dir, 'never'))}}});
        const {a} = await idsOf(ask);
        const program = place.orchestrator('--until-idle');
        await until(() => ask(`tasks/${a}`), 'that it runs', {is: now => now.state === 'RUNNING'});
        const refusedNow = await ask('tasks/remove', {ids: [a]});
        assert.equal(refusedNow.failed[0].code, 'ERR_TASK_STATE');
        const {changed: [change]} = await ask('tasks/cancel', {ids: [a]});
        assert.deepEqual([change.before, change.after, change.asked], ['RUNNING', 'RUNNING', true]);
        await program.ended('its end');
        assert.equal((await ask(`tasks/${a}`)).state, 'CANCELLED');
    });

    eachConsole('pause, resume and stop all', async (t, {ask, refused, place}) => {
        const {control} = await ask('orchestrate', {action: 'pause'});
        assert.deepEqual([control.mode, control.stops], ['PAUSED', 0]);
        near(control.since);
        assert.equal((await place.run('orchestrate', 'status', '--json').then(r => JSON.parse(r.stdout))).state, 'PAUSED');
        assert.deepEqual((await ask('tasks')).control, control);
        assert.equal((await ask('orchestrate', {action: 'resume'})).control.mode, 'RUNNING');
        const stopped = (await ask('orchestrate', {action: 'stop'})).control;
        assert.deepEqual([stopped.mode, stopped.stops], ['PAUSED', 1]);
        await refused(400, 'orchestrate', {action: 'explode'});
        await refused(400, 'orchestrate', {});
    });
});

describe('the feed', () => {
    eachConsole('tells which tasks have news, once they were asked for', async (t, {ask, server, place}) => {
        const feed = await openFeed(t, server);
        const {run} = feed;
        assert.ok(!feed.all.some(e => e.event === 'tasks'), 'nobody asked');
        await ask('tasks');
        const first = await last(feed, 'tasks');
        assert.deepEqual([first.reset, first.changed, first.trouble], [true, [], null]);
        await place.add({a: [], b: ['a']});
        const {a, b} = await idsOf(ask);
        const added = await last(feed, 'tasks', e => e.changed.includes(b));
        assert.ok(!added.reset && added.after > first.after);
        await place.task('cancel', 'a');
        const both = new Set((await last(feed, 'tasks', e => e.after > added.after && e.changed.includes(a))).changed);
        assert.ok(both.has(a));
        const before = await last(feed, 'tasks');
        await place.run('orchestrate', 'pause');
        await last(feed, 'tasks', e => e.control > before.control);
        await place.task('rm', 'b');
        const removed = await last(feed, 'tasks', e => e.changed.includes(b) && e.after > before.after);

        // Another stream continues where this one was; from elsewhere it starts again.
        const on = await openFeed(t, server, {run, tasks: added.after});
        const told = await last(on, 'tasks', e => e.after >= removed.after);
        assert.deepEqual([told.reset, told.changed.toSorted((x, y) => x - y)], [false, [a, b]]);
        const same = await openFeed(t, server, {run, tasks: told.after});
        const nothing = await last(same, 'tasks');
        assert.deepEqual([nothing.reset, nothing.changed], [false, []]);
        for (const query of [{run, tasks: told.after + 99}, {run: 'other', tasks: told.after}, {}]) {
            const anew = await last(await openFeed(t, server, query), 'tasks');
            assert.deepEqual([anew.reset, anew.changed, anew.after], [true, [], told.after]);
        }
    });

    eachConsole('goes on after a time in which nobody looked', async (t, {ask, server, place}) => {
        await ask('tasks');
        const feed = await openFeed(t, server);
        const {run} = feed;
        const {after} = await last(feed, 'tasks');
        await feed.close();
        await place.add({a: []});
        const {a} = await idsOf(ask);
        const on = await openFeed(t, server, {run, tasks: after});
        const told = await last(on, 'tasks', e => e.changed.includes(a));
        assert.equal(told.reset, false);
    });

    eachConsole('begins anew when more has happened than is kept', async (t, {ask, server, place}) => {
        await ask('tasks');
        const feed = await openFeed(t, server);
        const {run} = feed;
        const {after} = await last(feed, 'tasks');
        await feed.close();
        const tasks = Array.from({length: 4500}, (_, i) => ({yaml: task({id: `t${i}`, repo: place.user.repo})}));
        assert.equal((await ask('tasks/add', {tasks})).tasks.length, 4500);
        const on = await openFeed(t, server, {run, tasks: after});
        const told = await last(on, 'tasks', e => e.reset);
        assert.ok(told.after > after);
    });
});

describe('hostile content', () => {
    const EVIL = '</script><img src=x onerror=alert(1)> \u202e \u2028 "quotes" \\ \ud83d\ude00';

    eachConsole('titles, names and logs come as they are', async (t, {ask, place}) => {
        const name = '<b onmouseover="x">&amp;';
        await ask('tasks/add', {tasks: [{form: {name, title: EVIL, repo: place.user.repo, prd: `${EVIL}\n\u0007bell`,
            test_command: `printf '%b' '<script>alert(1)</script>\\033[31m\\007 \\377\\376 \\r\\n'; false`, max_loops: 1}}],
        max_attempts: 1});
        const {tasks: [row]} = await ask('tasks');
        assert.deepEqual([row.name, row.title], [name, EVIL]);
        await place.orchestrate('--until-idle');
        const {pieces} = await ask(`tasks/${row.id}/log`);
        const text = pieces.map(p => p.text).join('');
        assert.ok(text.includes('<script>alert(1)</script>'), text);
        assert.ok(!/[\u0000-\u0008\u001b]/.test(text), JSON.stringify(text));
        const {nodes: [node]} = await ask('tasks/graph');
        assert.deepEqual([node.name, node.title], [name, EVIL]);
        assert.equal((await ask(`tasks/${row.id}`)).title, EVIL);
    });
});

describe('adding', () => {
    eachConsole('a text is checked: what is wrong, and where', async (t, {ask, refused}) => {
        const fine = await ask('tasks/check', {yaml: 'version: 1\ntask:\n  id: a\n  dependencies: [b]\n  prd: do it\n'});
        assert.deepEqual([fine.fault, fine.warnings, fine.name, fine.needs], [null, [], 'a', ['b']]);
        assert.match(fine.yaml, /repo: /);
        const wrong = await ask('tasks/check', {yaml: 'version: 1\ntask:\n  id: a\n  prd: 7\n'});
        assert.deepEqual([wrong.fault.line, wrong.fault.column, wrong.fault.pointer, wrong.yaml, wrong.name],
            [4, 8, '/task/prd', null, null]);
        assert.match(wrong.fault.message, /^must be text/);
        const broken = await ask('tasks/check', {yaml: 'version: 1\ntask: [\n'});
        assert.ok(broken.fault.line >= 2 && broken.fault.message);
        const odd = await ask('tasks/check', {yaml: 'version: 1\ntask: {prd: x, titel: y}\n'});
        assert.deepEqual([odd.fault, odd.name], [null, 'task']);
        assert.match(odd.warnings[0], /titel/);
        const secret = await ask('tasks/check', {yaml: task({runner: {worker: {env: {OPENAI_API_KEY: 'sk-abcdefghijklmnop'}}}})});
        assert.match(secret.warnings.join(), /OPENAI_API_KEY will be stored in plain text/);
        assert.ok(!secret.warnings.join().includes('sk-abc'));
        assert.match((await ask('tasks/check', {yaml: 'x'.repeat(1 << 20) + 'x'})).fault.message, /bytes|MiB|large|long/);
        await refused(400, 'tasks/check', {});
        await refused(400, 'tasks/check', {yaml: 'x', form: {}});
        await refused(400, 'tasks/check', {yaml: 7});
    });

    eachConsole('a form is a text, too', async (t, {ask, place}) => {
        mkdirSync(path.join(place.user.repo, 'sub'));
        const form = {name: 'a', title: 'A task: #1', repo: 'sub', prd: 'line\n  - two: "x"\n', needs: ['b', 'c d'],
            test_command: 'make test && echo "fine"', max_loops: 3};
        const made = await ask('tasks/check', {form});
        assert.deepEqual([made.fault, made.name, made.needs], [null, 'a', ['b', 'c d']]);
        const again = await ask('tasks/check', {yaml: made.yaml});
        assert.deepEqual([again.fault, again.yaml], [null, made.yaml]);
        for (const part of [`${place.user.repo}/sub`, 'max_loops: 3', 'make test'])
            assert.ok(made.yaml.includes(part), made.yaml);
        const faults = {name: [{name: ''}, {name: undefined}, {name: 7}, {name: 'x\ny'}], title: [{title: {}}],
            repo: [{repo: 'not/there'}, {repo: 7}], prd: [{prd: ''}, {prd: ' \n'}], 'needs/0': [{needs: [7]}],
            needs: [{needs: 'b'}], test_command: [{test_command: 7}], max_loops: [{max_loops: 0}, {max_loops: 'x'}]};
        for (const [pointer, changes] of Object.entries(faults))
            for (const change of changes) {
                const {fault} = await ask('tasks/check', {form: {...form, ...change}});
                assert.equal(fault?.pointer, `/${pointer}`, `${JSON.stringify(change)}: ${JSON.stringify(fault)}`);
                assert.ok(fault.message && fault.line === 1 && fault.column === 1);
            }
        assert.match((await ask('tasks/check', {form: {...form, prd: undefined}})).fault.message, /prd is missing/);
        assert.match((await ask('tasks/check', {form: {...form, extra: 1}})).fault.message, /"extra"/);
        assert.match((await ask('tasks/check', {form: [1]})).fault.message, /object/);
        const least = await ask('tasks/check', {form: {name: 'x', title: '', repo: '', prd: 'y', needs: [], test_command: ''}});
        assert.deepEqual([least.fault, least.name], [null, 'x']);
        assert.ok(least.yaml.includes(`repo: ${place.user.repo}`), 'relative to the project that is served');
    });

    eachConsole('all or none', async (t, {ask, refused, place}) => {
        const form = (name, needs = []) => ({form: {name, title: name, repo: '.', prd: 'do it', needs}});
        const {tasks, warnings} = await ask('tasks/add', {tasks: [form('b', ['a']), form('a'),
            {yaml: 'version: 1\ntask: {id: c, prd: x, titel: y}\n'}], pool: 'p', max_attempts: 5, goal: 'A house'});
        assert.deepEqual(tasks.map(r => [r.name, r.state, r.pool, r.max_attempts, r.goal]),
            [['b', 'PENDING', 'p', 5, 'A house'], ['a', 'READY', 'p', 5, 'A house'], ['c', 'READY', 'p', 5, 'A house']]);
        assert.match(warnings[0], /titel/);
        assert.equal((await place.show('a')).repo, place.user.repo);
        const before = await place.states();

        const none = async (list, pattern, more = {}) => {
            const answer = await refused(400, 'tasks/add', {tasks: list, ...more});
            assert.match(answer.error.message, pattern);
            assert.deepEqual(await place.states(), before);
            return answer;
        };
        const wrong = await none([form('x'), {yaml: 'version: 1\ntask:\n  id: y\n'}], /prd is missing/);
        assert.deepEqual([wrong.index, wrong.error.line, wrong.error.pointer], [1, 3, '/task']);
        assert.match(wrong.error.message, /^task-2\.yaml:/);
        assert.equal((await none([form('x'), form('')], /missing/)).error.pointer, '/name');
        await none([form('x'), form('a')], /there is a task a already/);
        await none([form('x'), form('x')], /duplicate task/);
        await none([form('x', ['y']), form('y', ['x'])], /cycle: x -> y -> x/);
        await none([form('roof', ['rooff'])], /which does not exist/);
        await none([form('x')], /pool/, {pool: 'a\nb'});
        await none([form(' ')], /missing/);
        await none([form('#1')], /number/);
        await none([form('x'.repeat(200))], /128 bytes/);
        await none([{}], /yaml/);
        await none([{yaml: 'version: 1', form: {}}], /yaml/);
        await none([7], /yaml/);
        await none([], /1 to/);
        await none('x', /array/);
        await none([form('x')], /max_attempts/, {max_attempts: 0});
        await none([form('x')], /goal/, {goal: 7});
        assert.equal((await server413(refused, form)).error.code, 'ERR_LIMIT');
    });

    eachConsole('a text under another name, with other needs', async (t, {ask, refused, place}) => {
        const yaml = (id, needs = []) => task({id, repo: place.user.repo, dependencies: needs});
        const checked = await ask('tasks/check', {yaml: yaml('a', ['b']), name: 'z', needs: ['y', 'x']});
        assert.deepEqual([checked.fault, checked.name, checked.needs], [null, 'z', ['y', 'x']]);
        assert.deepEqual((await ask('tasks/check', {yaml: checked.yaml})).name, 'z');
        assert.deepEqual((await ask('tasks/check', {yaml: yaml('a', ['b']), name: 7})).fault.pointer, '/name');
        assert.deepEqual((await ask('tasks/check', {yaml: yaml('a', ['b']), needs: 7})).fault.pointer, '/needs');
        await place.add({a: []});
        const {tasks} = await ask('tasks/add', {tasks: [{yaml: yaml('a'), name: 'first'},
            {yaml: yaml('b', ['a']), needs: ['first']}, {yaml: yaml('c', ['a', 'b'])}]});
        assert.deepEqual(tasks.map(r => [r.name, r.state]), [['first', 'READY'], ['b', 'PENDING'], ['c', 'PENDING']]);
        assert.deepEqual((await place.show('b')).needs.map(n => n.name), ['first']);
        assert.deepEqual((await place.show('c')).needs.map(n => n.name).toSorted(), ['a', 'b']);
        assert.match((await place.show('first')).spec, /id: first/);
        const wrong = await refused(400, 'tasks/add', {tasks: [{yaml: yaml('d')}, {yaml: yaml('e'), name: ' '}]});
        assert.deepEqual([wrong.index, wrong.error.pointer], [1, '/name']);
        assert.match((await refused(400, 'tasks/add', {tasks: [{yaml: yaml('d'), name: 'x\ny'}]})).error.message, /name/);
        assert.equal((await place.list()).length, 4);
    });

    const server413 = (refused, form) => refused(413, 'tasks/add', {tasks: [form('x')], goal: 'x'.repeat(65537)});
});

describe('many', () => {
    eachConsole('10,000 tasks: a page of the list is quick, the graph says what it leaves out',
        async (t, {ask, server, place}) => {
            const COUNT = 10_000, AT_ONCE = 2500;
            for (let i = 0; i < COUNT; i += AT_ONCE)
                await ask('tasks/add', {tasks: Array.from({length: AT_ONCE}, (_, k) => ({yaml: task({id: `t${i + k}`,
                    repo: place.user.repo, dependencies: (i + k) % 10 ? [`t${i + k - 1}`] : []})}))});
            const began = performance.now();
            let after = 0, seen = 0, slowest = 0;
            while (after !== null) {
                const start = performance.now();
                const page = await ask(`tasks?most=500&after=${after}`);
                slowest = Math.max(slowest, performance.now() - start);
                seen += page.tasks.length;
                ({after} = page);
            }
            assert.equal(seen, COUNT);
            t.diagnostic(`20 pages in ${Math.round(performance.now() - began)} ms, slowest ${Math.round(slowest)} ms`);
            const start = performance.now();
            const graph = await ask('tasks/graph');
            t.diagnostic(`graph in ${Math.round(performance.now() - start)} ms`);
            assert.deepEqual([graph.nodes.length, graph.left_out], [2000, COUNT - 2000]);
            assert.equal(graph.nodes.at(-1).name, `t${COUNT - 1}`);

            // The server answers other requests while it makes the graph.
            const slow = ask('tasks/graph');
            const beats = [];
            for (let i = 0; i < 10; i++) {
                const asked = performance.now();
                await ask('tooling');
                beats.push(performance.now() - asked);
            }
            await slow;
            t.diagnostic(`others meanwhile: ${Math.round(Math.max(...beats))} ms at most`);

            const many = await Promise.all(Array.from({length: 20}, (_, i) => ask(i % 2 ? 'tasks?most=100' : `tasks/${i + 1}`)));
            assert.ok(many.every(Boolean));
            assert.equal(server.program.child.exitCode, null);
        }, {tooling: FINE});
});
