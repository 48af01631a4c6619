// A world for one test: a store, orchestrators, small tasks. All processes end with the test.
//
//     const crew = await makeCrew(t, 'postgresql');
//     await crew.add(crew.task('a'), crew.task('b', {needs: ['a'], ms: 500}));
//     await crew.untilIdle();                 // multiverse orchestrate --until-idle: its exit code
//     crew.record('b')                        // the record of the probe
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, test} from 'node:test';

import {assess, complete, plan, whenAsked, work} from '../standin/meta.mjs';
import {readRecord} from './check.mjs';
import {shown} from '../waits.mjs';
import {openStore, probe, until, within, World} from './world.mjs';

/** The script of a planner that needs no worker; `first` comes before it. */
export const script = (...first) => [
    ...first,
    {...whenAsked('plan_task'), say: plan(), repeat: true},
    {when: {prompt_has: ['next_action', 'The last run of the test command FAILED']}, fail: 'request',
        message: 'the test failed', repeat: true},
    {...whenAsked('next_action'), say: complete(), repeat: true},
    {...whenAsked('completion_assessment'), say: assess(), repeat: true},
];

/** The same, but one worker runs first. */
export const workScript = () => [
    {when: {prompt_has: ['next_action', 'Worker runs so far\n\nNone.']}, say: work('do it'), repeat: true}, ...script()];

/** Settings with these candidates for everything, or {category: candidates}. */
export function tooling(candidates) {
    const categories = Array.isArray(candidates) ? {meta: candidates} : candidates;
    return {active_profile: 'p', profiles: [{id: 'p', name: 'P', categories: Object.fromEntries(
        Object.entries(categories).map(([name, list]) =>
            [name, {strategy: 'priority', cooldown_sec: 1, candidates: list}]))}]};
}

export const mock = (model, steps = script(), more = {}) =>
    ({tool: 'mock', model, tool_specific: {script: steps, ...more.tool_specific}, ...more.candidate});

export class Crew extends World {
    constructor(options) {
        super(options);
        for (const name of ['tasks', 'lock', 'done', 'fails', 'free', 'repo'])
            mkdirSync(path.join(this.folder, name));
    }

    probe(name, {ms = 0, fails = 0, needs = []} = {}) {
        return [probe, 'test', this.folder, name, ms, fails, ...needs].join(' ');
    }

    /** Write a Task YAML; return its path. ms: how long its test takes; fails: how often it fails
     * (-1: always). */
    task(name, {needs = [], ms = 0, fails = 0, settings = tooling([mock(`planner-${name}`)]), test = true, repo,
        runner, text = 'Do it.'} = {}) {
        const file = path.join(this.folder, 'tasks', `${name}.json`);
        writeFileSync(file, JSON.stringify({
            version: 1,
            task: {id: name, title: `Task ${name}`, repo: repo ?? path.join(this.folder, 'repo'), dependencies: needs,
                prd: {text}, ...(test && {test: {command: this.probe(name, {ms, fails, needs})}})},
            runner: {mcp: 'off', max_loops: 2, tooling: settings, ...runner},
        }));
        return file;
    }

    /** A task whose test runs until free(). */
    endless(name, more = {}) {
        return this.task(name, {ms: 20, fails: -2, ...more});
    }

    /** Let the endless test of this task end; wait until it has. */
    async free(name) {
        writeFileSync(path.join(this.folder, 'free', name), '');
        await this.until(() => this.record(name).some(l => l.phase === 'test' && l.what === 'end'), `the end of ${name}`);
    }

    /** Run `multiverse task add`, which must succeed. */
    async add(...args) {
        const end = await this.command('task', 'add', ...args);
        assert.equal(end.code, 0, end.stderr);
        return end;
    }

    async fine(...args) {
        const end = await this.command(...args);
        assert.equal(end.code, 0, `multiverse ${args.join(' ')}: ${end.stderr}`);
        return end;
    }

    async states() {
        const rows = await this.json('task', 'list');
        return Object.fromEntries((rows.tasks ?? rows).map(row => [row.name, row.state]));
    }

    show(name) {
        return this.json('task', 'show', name);
    }

    /** Wait for one of these states; return the row. */
    untilState(name, ...states) {
        return this.until(() => this.show(name).then(({spec, ...row}) => row), `${name} ${states.join(' or ')}`,
            row => states.includes(row.state));
    }

    /** Wait for something that the orchestrators do; fail at once when none of their processes is
     * left. */
    until(probe, what, is = Boolean) {
        return until(probe, what, {is, from: this});
    }

    seen() {
        return `${super.seen()}\nthe end of the record: ${shown(this.record().slice(-10))}`;
    }

    async log(name, attempt) {
        const pieces = await this.lines('task', 'logs', name, ...(attempt ? ['--attempt', String(attempt)] : []));
        pieces.forEach((p, i) => assert.equal(p.seq, i + 1, `a gap in the log of ${name}`));
        return pieces.map(p => p.text).join('');
    }

    /** Run an orchestrator until no task is left; return its exit code. */
    async untilIdle(more = [], index = 0) {
        const one = this.orchestrate(index, ['--until-idle', ...more], false);
        return this.ended(one, 'an orchestrator that runs until idle');
    }

    ended(one, what) {
        return within(one.ended, what, () => this.seen());
    }

    /** Start an orchestrator that runs until it is stopped. */
    begin(more = [], index = 0) {
        return this.orchestrate(index, more, false);
    }

    /** Send SIGTERM and wait for the end. */
    async stop(one) {
        one.child.kill('SIGTERM');
        return this.ended(one, 'an orchestrator that drains');
    }

    /** Send SIGTERM twice: it stops at once. */
    async halt(one) {
        const drains = () => this.events(one.index).filter(e => e.event === 'draining').length;
        const before = drains();
        one.child.kill('SIGTERM');
        await this.until(() => drains() > before, 'an orchestrator that drains');
        one.child.kill('SIGTERM');
        return this.ended(one, 'an orchestrator that stops now');
    }

    errors(index = 0) {
        return this.output(index, 'err');
    }

    /** Read a file in its folder. */
    read(name) {
        const file = path.join(this.folder, name);
        return existsSync(file) ? readFileSync(file, 'utf8') : '';
    }

    /** The events that an orchestrator has printed. */
    events(index = 0) {
        const text = this.output(index, 'out');
        return text.slice(0, text.lastIndexOf('\n') + 1).split('\n').filter(Boolean).map(line => JSON.parse(line));
    }

    record(name) {
        const file = path.join(this.folder, 'record');
        const lines = existsSync(file) ? readRecord(readFileSync(file, 'utf8')) : [];
        return name ? lines.filter(line => line.task === name) : lines;
    }

    /** How often its test has started. */
    starts(name) {
        return this.record(name).filter(line => line.what === 'start' && line.phase === 'test').length;
    }

    /** Check that nothing overlapped and nothing ran too early. */
    assertOrder() {
        for (const line of this.record())
            assert.ok(!['overlap', 'early', 'outlived'].includes(line.what), JSON.stringify({...line, at: String(line.at)}));
        assert.deepEqual(this.sightings, []);
    }
}

/** A crew until t ends; skip the test if its store is not available. */
export async function makeCrew(t, storeName, {store, ...options} = {}) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'multiverse-crew-'));
    try {
        const crew = new Crew({folder, store: store ?? openStore(storeName, folder), homes: 1, ...options});
        t.after(async () => {
            await crew.end();
            if (!store)
                crew.store.close();
            rmSync(folder, {recursive: true, force: true});
        });
        return crew;
    } catch (error) {
        rmSync(folder, {recursive: true, force: true});
        if (!error.isMissing)
            throw error;
        t.skip(error.message);
        return null;
    }
}

let shared; // a server for all tests of the file, each in a database of its own

after(() => {
    shared?.close();
    if (shared)
        rmSync(shared.folder.replace(/-pg$/, ''), {recursive: true, force: true});
});

/** Run the same test on both stores. */
export function onBoth(name, run, options) {
    test(`${name} (sqlite)`, async t => run(await makeCrew(t, 'sqlite', options), t));
    test(`${name} (postgresql)`, async t => {
        try {
            shared ??= openStore('postgresql', mkdtempSync(path.join(os.tmpdir(), 'multiverse-crews-')));
        } catch (error) {
            if (!error.isMissing)
                throw error;
            return t.skip(error.message);
        }
        return run(await makeCrew(t, 'postgresql', {...options, store: shared.fresh()}), t);
    });
}
