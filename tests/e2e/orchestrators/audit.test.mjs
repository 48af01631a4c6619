// The audit of the chaos finds violations: for each rule, a planted one.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {Random} from '../../chaos/random.mjs';
import {audit} from '../../orchestrator/check.mjs';
import {Plan} from '../../orchestrator/plan.mjs';

const at = ms => new Date(1_790_000_000_000 + ms).toISOString();
const KINDS = {SUCCEEDED: 'succeeded', FAILED: 'failed', BLOCKED: 'blocked', CANCELLED: 'cancelled'};

/** A correct history: one task after the other, each with a lost attempt before its last. */
function correctHistory(seed) {
    const plan = new Plan({random: new Random(seed), count: 60, folder: '/nowhere', probe: 'probe'});
    const books = {tasks: plan.tasks, lines: task => plan.linesOf(task), rows: new Map(), logs: new Map(), events: [],
        record: [], followed: new Map(), sightings: [], alive: [], errors: []};
    let now = 0, pid = 100;
    for (const task of plan.tasks) {
        const list = [];
        const event = kind => books.events.push({task: task.name, kind, number: list.length});
        const attempt = (end, lines) => {
            const started = now += 10;
            event('claimed');
            const addLine = (what, more) =>
                books.record.push({at: BigInt(now += 5), what, task: task.name, phase: 'test', pid, more});
            pid++;
            addLine('start', '');
            if (end === 'succeeded' || end === 'failed')
                addLine('end', end === 'succeeded' ? 'good' : 'bad');
            const number = list.length + 1;
            const half = Math.floor(lines.length / 2);
            books.logs.set(`${task.name}/${number}`, [
                {seq: 1, text: lines.slice(0, half).map(l => `[00:01]   ${l}\n`).join('')},
                {seq: 2, text: lines.slice(half).map(l => `        ${l}\n`).join('')}]);
            list.push({number, started_at: at(started), ended_at: at(now += 5), end, exit_code: end === 'failed' ? 1 : 0,
                log_pieces: 2});
        };
        if (task.kind === 'blocked')
            task.max = 2;
        const {criteria, numbered} = plan.linesOf(task);
        const work = [...criteria, 'worker 1 of 1: x', ...numbered.slice(0, 2), 'worker 1 of 1: y', ...numbered];
        if (!task.isSpoiled) {
            attempt('lost', [...criteria, 'worker 1 of 1: x', ...numbered.slice(0, 2)]);
            if (task.final === 'SUCCEEDED')
                attempt('succeeded', [...work, 'COMPLETE; 3 tokens']);
            else
                attempt('failed', [...work, 'FAILED: no']);
        }
        event(KINDS[task.final]);
        books.rows.set(task.name, {state: task.final, attempts: list.length, attempt_list: list, ended_at: at(now),
            counted: task.kind === 'blocked' ? 2 : 0});
    }
    const good = plan.tasks.find(t => t.final === 'SUCCEEDED' && t.lines > 2);
    books.followed.set(good.name, [1, 2].flatMap(n =>
        books.logs.get(`${good.name}/${n}`).map(p => ({...p, attempt: n}))));
    return books;
}

/** A task of this kind, its row and its last attempt. */
function pickTask(books, wants = task => task.final === 'SUCCEEDED' && task.lines > 2) {
    const task = books.tasks.find(wants);
    const row = books.rows.get(task.name);
    const number = row.attempt_list.length;
    return {task, row, last: row.attempt_list.at(-1), log: books.logs.get(`${task.name}/${number}`),
        lines: books.record.filter(line => line.task === task.name)};
}

const FAULTS = {
    'a lost task': [/^tasks/, b => b.rows.delete('t07')],
    'an unknown task': [/^tasks/, b => b.rows.set('t99', pickTask(b).row)],
    'a task that still runs': [/^final state/, b => { pickTask(b).row.state = 'RUNNING'; }],
    'a task that failed unexpectedly': [/^final state/, b => { pickTask(b).row.state = 'BLOCKED'; }],
    'a duplicate end': [/^once/, b => b.events.push({task: pickTask(b).task.name, kind: 'succeeded'})],
    'two successful attempts': [/^once/, b => { pickTask(b).row.attempt_list[0].end = 'succeeded'; }],
    'an attempt after the successful one': [/^once/, b => pickTask(b).row.attempt_list.reverse()],
    'a claim without an attempt': [/^claims/, b => b.events.push({task: pickTask(b).task.name, kind: 'claimed'})],
    'a missing attempt': [/^attempts/, b => pickTask(b).row.attempt_list.shift()],
    'an attempt without an end': [/^attempts/, b => { pickTask(b).row.attempt_list[0].ended_at = null; }],
    'more attempts than allowed': [/^attempts/, b => { pickTask(b, t => t.kind === 'blocked').row.counted = 3; }],
    'too few attempts': [/^attempts/, b => { pickTask(b, t => t.kind === 'blocked').row.counted = 1; }],
    'attempts that overlap in the store': [/^overlap/, b => { pickTask(b).row.attempt_list[0].ended_at = at(99_999_999); }],
    'a lock that was already taken': [/^overlap/, b => b.record.push({...pickTask(b).lines[0], what: 'overlap'})],
    'two at the same time in the record': [/^overlap/, b => {
        const {lines} = pickTask(b);
        b.record.push({...lines.at(-2), pid: 1, at: lines.at(-2).at + 1n}, {...lines.at(-1)});
    }],
    'two attempts seen alive': [/^overlap/, b => b.sightings.push('t01: 5 and 6')],
    'a child that outlived its run': [/^overlap/, b =>
        b.record.push({...pickTask(b).lines[0], phase: 'child', what: 'outlived'})],
    'a leftover process': [/^left alive/, b => b.alive.push('77 multiverse run')],
    'a task that ran too early': [/^dependencies/, b =>
        b.record.push({...pickTask(b).lines[0], what: 'early', more: 't01'})],
    'a claim before the end of a dependency': [/^dependencies/, b => {
        pickTask(b, t => t.needs.length && t.final === 'SUCCEEDED').row.attempt_list[0].started_at = at(0);
    }],
    'a dependency that ran again': [/^dependencies/, b => {
        const {task} = pickTask(b, t => t.needs.length && t.final === 'SUCCEEDED');
        b.record.push({at: 999_999n, what: 'end', task: task.needs[0], phase: 'test', pid: 1, more: 'good'});
    }],
    'a task that ran although its dependency failed': [/^dependencies/, b => {
        const {task, row} = pickTask(b, t => t.isSpoiled);
        row.attempt_list.push({...pickTask(b).last, number: 1});
        b.record.push({...pickTask(b).lines[0], task: task.name});
    }],
    'a success that was not recorded': [/^record/, b => { pickTask(b).lines.at(-1).more = 'bad'; }],
    'a missing piece': [/^log/, b => pickTask(b).log.shift()],
    'a missing last piece': [/^log/, b => pickTask(b).log.pop()],
    'pieces in the wrong order': [/^log/, b => pickTask(b).log.reverse()],
    'a missing line': [/^log/, b => {
        const {log} = pickTask(b);
        log[1].text = log[1].text.replace(/ +said [^\n]*\n/, '');
    }],
    'a duplicate line': [/^log/, b => {
        const {log} = pickTask(b);
        log[1].text = log[1].text.replace(/( +said [^\n]*\n)/, '$1$1');
    }],
    'a log without its end': [/^log/, b => {
        const {log} = pickTask(b);
        log[1].text = log[1].text.replace(/ +COMPLETE.*\n/, '');
    }],
    'a gap in the output of a killed worker': [/^log/, b => {
        const {log, task} = pickTask(b);
        const second = `said ${task.name} 2 of ${task.lines} ${'0'.repeat(task.width)}`;
        log[0].text += `  worker 1 of 1: z\n  ${second}\n  worker 1 of 1: z\n`;
    }],
    'a line of another task in a truncated log': [/^log/, b => {
        const {task} = pickTask(b);
        b.logs.get(`${task.name}/1`)[0].text = `[00:01]   said other 1 of 2 0\n`;
    }],
    'a crashed run': [/^crash/, b => {
        pickTask(b).log[0].text += '==17==ERROR: AddressSanitizer: heap-use-after-free\n';
    }],
    'a crashed orchestrator': [/^crash/, b => b.errors.push("multiverse: x.c:7: f: Assertion `p' failed.")],
    'a follower that missed output': [/^followed log/, b => [...b.followed.values()][0].splice(1, 1)],
};

describe('the audit', () => {
    test('finds nothing in a correct history', () => {
        for (const seed of [1, 2, 3, 4, 5])
            assert.deepEqual(audit(correctHistory(seed)).violations, []);
    });

    for (const [name, [rule, plant]] of Object.entries(FAULTS))
        test(`finds ${name}`, () => {
            const books = correctHistory(3);
            plant(books);
            const {violations} = audit(books);
            assert.ok(violations.some(v => rule.test(v)), violations.join('\n') || 'nothing was found');
        });
});
