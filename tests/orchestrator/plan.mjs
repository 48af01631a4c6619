// The tasks and their planned ends: a random graph, the same for the same seed.
//
//     const plan = makePlan({random, count: 500, folder, probe});
//     plan.tasks       // [{name, needs, kind, final, batch, file, lines}], in the order of entry
//     plan.write()     // one Task YAML each
//
// Kinds: plain; fails (twice, by its test, then it succeeds); limited (all its planners are rate
// limited at first); blocked (its test never passes: the backlog); wrong (its repo is missing:
// FAILED); cancelled (it never ends and is cancelled). Tasks that depend on one of the last three,
// directly or not, are BLOCKED in the end.
import {mkdirSync, rmdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';

import {assess, complete, plan as criteria, whenAsked, work} from '../standin/meta.mjs';

const WINDOW = 60; // a task depends on some of those shortly before it: the graph is wide and deep
const MOST_BELOW = 8; // the most tasks that one failure may block
const NO_RUNS = 'Worker runs so far\n\nNone.';
const TEST_FAILED = 'The last run of the test command FAILED';

function drawGraph(random, count) {
    const width = String(count).length;
    const tasks = Array.from({length: count}, (_, i) => ({name: `t${String(i + 1).padStart(width, '0')}`, needs: []}));
    tasks.forEach((task, i) => {
        const many = Number(random.weighted({0: 25, 1: 35, 2: 25, 3: 10, 6: 5}));
        const needs = new Set();
        for (let k = 0; k < many && i; k++)
            needs.add(random.between(Math.max(0, i - WINDOW), i - 1));
        task.needs = [...needs].map(k => tasks[k].name);
    });
    return tasks;
}

/** All tasks that depend on this one, directly or not. */
export function below(tasks, name) {
    const found = new Set([name]);
    for (const task of tasks) // dependencies come first
        if (task.needs.some(n => found.has(n)))
            found.add(task.name);
    found.delete(name);
    return found;
}

/** Choose the tasks that end badly: few, with few below them, and none below another. */
function spoil(random, tasks, shares) {
    const lost = new Set();
    for (const [kind, share] of Object.entries(shares)) {
        let left = Math.max(1, Math.round(share * tasks.length));
        for (let tries = 0; left && tries < 1000; tries++) {
            const task = random.pick(tasks);
            const down = below(tasks, task.name);
            const fits = task.kind === 'plain' && !lost.has(task.name) && down.size <= MOST_BELOW &&
                [...down].every(name => !lost.has(name));
            if (!fits)
                continue;
            task.kind = kind;
            left--;
            lost.add(task.name);
            for (const name of down) {
                lost.add(name);
                tasks.find(t => t.name === name).final = 'BLOCKED';
            }
        }
    }
}

const FINAL = {plain: 'SUCCEEDED', fails: 'SUCCEEDED', limited: 'SUCCEEDED', blocked: 'BLOCKED', wrong: 'FAILED',
    cancelled: 'CANCELLED'};
const FAILS = {fails: 2, blocked: -1, cancelled: -2};

export class Plan {
    /** busyMs: how long all tests and agents take together; 0: any time. */
    constructor({random, count, folder, probe, busyMs = 0}) {
        this.folder = folder;
        this.probe = probe;
        this.tasks = drawGraph(random, count);
        for (const task of this.tasks)
            task.kind = 'plain', task.final = null;
        spoil(random.fork(1), this.tasks, {blocked: 0.02, wrong: 0.012, cancelled: 0.02});
        const chance = random.fork(2);
        for (const task of this.tasks) {
            if (task.kind === 'plain')
                task.kind = chance.weighted({plain: 84, fails: 9, limited: 7});
            task.isSpoiled = task.final === 'BLOCKED';
            task.final ??= FINAL[task.kind];
            task.batch = task.isSpoiled ? 2 : task.final === 'SUCCEEDED' ? 0 : 1;
            task.fails = FAILS[task.kind] ?? 0;
            task.worker = chance.chance(0.4);
            task.lines = task.worker ? chance.weighted({3: 50, 12: 45, 400: 5}) * 1 : 0;
            task.width = task.lines === 400 ? 120 : chance.between(1, 40);
            task.criteria = chance.weighted({1: 50, 7: 40, 60: 10}) * 1;
            task.flags = chance.weighted({'-': 85, d: 8, i: 7});
            task.sleep = chance.between(5, chance.chance(0.1) ? 1500 : 150);
            task.agentSleep = chance.between(5, 300);
            task.file = path.join(folder, 'tasks', `${task.name}.json`);
        }
        this.stretch(busyMs);
    }

    /** Make the tasks long enough to be killed during the whole chaos. */
    stretch(busyMs) {
        const all = this.tasks.reduce((sum, task) => sum + task.sleep + (task.worker ? task.agentSleep : 0), 0);
        for (const task of busyMs ? this.tasks : []) {
            task.sleep = Math.ceil(task.sleep * busyMs / all);
            task.agentSleep = Math.ceil(task.agentSleep * busyMs / all);
        }
    }

    get endings() {
        const counts = {};
        for (const task of this.tasks)
            counts[task.final] = (counts[task.final] ?? 0) + 1;
        return counts;
    }

    repoOf(task) {
        return path.join(this.folder, task.kind === 'wrong' ? `gone/${task.name}` : 'repo');
    }

    /** The lines of every completed attempt, in order: {criteria, numbered}. */
    linesOf(task) {
        const list = (n, text) => Array.from({length: n}, (_, i) => text(i + 1));
        return {
            criteria: list(task.criteria, i => `AC-${i}: criterion ${task.name} ${i} of ${task.criteria}`),
            numbered: list(task.lines, i => `said ${task.name} ${i} of ${task.lines} ${'0'.repeat(task.width)}`),
        };
    }

    script(task) {
        const texts = this.linesOf(task).criteria.map(line => line.replace(/^AC-\d+: /, ''));
        return [
            ...(task.kind === 'limited' ? [{...whenAsked('plan_task'), fail: 'rate_limited', after_ms: 1500}] : []),
            {...whenAsked('plan_task'), say: criteria(texts), repeat: true},
            {when: {prompt_has: ['next_action', TEST_FAILED]}, fail: 'request', message: 'it failed', repeat: true},
            ...(task.worker ? [{when: {prompt_has: ['next_action', NO_RUNS]}, say: work('do it'), repeat: true}] : []),
            {...whenAsked('next_action'), say: complete(), repeat: true},
            {...whenAsked('completion_assessment'), say: assess(texts.map(() => true)), repeat: true},
        ];
    }

    specOf(task) {
        // Several, because a killed one cools down for a while, and another one is asked.
        const spare = task.kind === 'limited' ? 2 : 4;
        const planners = Array.from({length: spare}, (_, i) => ({tool: 'mock', model: `planner${i + 1}-${task.name}`,
            tool_specific: {script: this.script(task), ...(task.kind === 'limited' &&
                {state: path.join(this.folder, 'mock', `${task.name}-${i + 1}.json`)})}}));
        const agents = Array.from({length: 4}, (_, i) => ({tool: 'claude-code', model: `agent${i + 1}-${task.name}`,
            cli_path: this.probe,
            env: {PROBE: [this.folder, task.name, task.lines, task.width, task.agentSleep, task.flags].join(' ')}}));
        const settings = {cooldown_sec: 1, strategy: 'priority'};
        const command = [this.probe, 'test', this.folder, task.name, task.sleep, task.fails, ...task.needs].join(' ');
        return {
            version: 1,
            task: {id: task.name, title: `${task.kind} task ${task.name}`, repo: this.repoOf(task),
                dependencies: task.needs, prd: {text: 'Do what the others did.'}, test: {command}},
            runner: {mcp: 'off', max_loops: 1, tooling: {active_profile: 'p', profiles: [{id: 'p', name: 'P',
                categories: {meta: {...settings, candidates: planners}, worker: {...settings, candidates: agents}}}]}},
        };
    }

    write() {
        for (const name of ['tasks', 'lock', 'done', 'fails', 'mock', 'repo', 'gone'])
            mkdirSync(path.join(this.folder, name), {recursive: true});
        for (const task of this.tasks) {
            mkdirSync(this.repoOf(task), {recursive: true});
            writeFileSync(task.file, JSON.stringify(this.specOf(task)));
        }
    }

    /** Remove the repos of the tasks that are to fail, after they were added. */
    spoilRepos() {
        for (const task of this.tasks)
            if (task.kind === 'wrong')
                rmdirSync(this.repoOf(task));
    }
}
