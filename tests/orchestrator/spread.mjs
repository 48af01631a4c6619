// Three machines, one PostgreSQL: each task runs once, and the machines share the work.
//
//     MULTIVERSE_BUILD=build tools/node.sh tests/orchestrator/spread.mjs [--tasks 1000] [--keep]
//
// A machine is a network namespace that reaches the server over a wire of its own (veth) and TCP;
// where that is not allowed, processes with separate homes use TCP on the loopback.
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

import {assess, complete, plan, whenAsked} from '../standin/meta.mjs';
import {readOptions} from './options.mjs';
import {isTimed} from '../waits.mjs';
import {openStore, until, World} from './world.mjs';

const MACHINES = 3;
const SPREAD = 0.2;

const ip = (...args) => {
    const {status, stderr} = spawnSync('ip', args, {encoding: 'utf8'});
    if (status !== 0)
        throw new Error(`ip ${args.join(' ')}: ${stderr}`);
};

/** A bridge with an address, and a namespace with its own wire for each machine. */
class Wires {
    constructor() {
        this.name = `mv${process.pid % 100000}`;
        this.net = `198.18.${process.pid % 250 + 1}`;
        this.address = `${this.net}.1`;
        this.machines = [];
    }

    open() {
        ip('link', 'add', this.name, 'type', 'bridge');
        ip('addr', 'add', `${this.address}/24`, 'dev', this.name);
        ip('link', 'set', this.name, 'up');
        for (let i = 1; i <= MACHINES; i++) {
            const space = `${this.name}-${i}`, wire = `${this.name}w${i}`;
            ip('netns', 'add', space);
            this.machines.push(space);
            ip('link', 'add', wire, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
            ip('link', 'set', wire, 'master', this.name, 'up');
            ip('-n', space, 'addr', 'add', `${this.net}.${i + 1}/24`, 'dev', 'eth0');
            ip('-n', space, 'link', 'set', 'eth0', 'up');
            ip('-n', space, 'link', 'set', 'lo', 'up');
        }
        return this;
    }

    /** The command that runs another one on this machine. */
    prefix(i) {
        return ['nsenter', `--net=/run/netns/${this.machines[i]}`, '--'];
    }

    close() {
        for (const space of this.machines)
            spawnSync('ip', ['netns', 'del', space]);
        spawnSync('ip', ['link', 'del', this.name]);
    }
}

class Loopback {
    constructor() {
        this.address = '127.0.0.1';
    }

    prefix() {
        return [];
    }

    close() {}
}

function openWires() {
    const wires = new Wires();
    try {
        return wires.open();
    } catch (error) {
        wires.close();
        return Object.assign(new Loopback(), {why: error.message.trim()});
    }
}

const freePort = address => new Promise((resolve, reject) => {
    const server = net.createServer().listen(0, address, () => {
        const {port} = server.address();
        server.close(() => resolve(port));
    }).on('error', reject);
});

/** isEven: each machine must do its third; on a busy machine the kernel decides who gets more. */
export async function spread({tasks = 1000, say = console.log, keep = false, isEven = isTimed}) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'multiverse-spread-'));
    const wires = openWires();
    const faults = [];
    let store, world;
    try {
        store = openStore('postgresql', folder,
            ['--no-fsync', '--listen', wires.address, '--port', String(await freePort(wires.address))]);
        world = new World({folder, store, homes: MACHINES});
        say(`${tasks} tasks, ${MACHINES} machines: ${wires.why ? `processes (${wires.why})` : 'network namespaces'}`);
        return await measure({tasks, folder, wires, world, faults, isEven});
    } finally {
        await world?.end();
        store?.close();
        wires.close();
        if (!keep)
            rmSync(folder, {recursive: true, force: true});
    }
}

function write(folder, name) {
    const file = path.join(folder, 'tasks', `${name}.json`);
    const script = [{...whenAsked('plan_task'), say: plan(), repeat: true},
        {...whenAsked('next_action'), say: complete(), repeat: true},
        {...whenAsked('completion_assessment'), say: assess(), repeat: true}];
    writeFileSync(file, JSON.stringify({version: 1,
        task: {id: name, title: name, repo: path.join(folder, 'repo'), prd: {text: 'Nothing.'},
            test: {command: `echo ${name} >>${folder}/record`}},
        runner: {mcp: 'off', tooling: {active_profile: 'p', profiles: [{id: 'p', name: 'P',
            categories: {meta: {candidates: [{tool: 'mock', model: 'm', tool_specific: {script}}]}}}]}}}));
    return file;
}

async function measure({tasks, folder, wires, world, faults, isEven}) {
    for (const name of ['tasks', 'repo'])
        mkdirSync(path.join(folder, name));
    const names = Array.from({length: tasks}, (_, i) => `n${String(i + 1).padStart(4, '0')}`);
    const add = await world.command('task', 'add', ...names.map(name => write(folder, name)));
    if (add.code !== 0)
        throw new Error(add.stderr);
    await world.json('orchestrate', 'pause');
    const all = world.homes.map((_, i) => world.orchestrate(i, [], true, wires.prefix(i)));
    await until(async () => (await world.json('orchestrate', 'status')).orchestrators, 'three orchestrators connected to the store',
        {is: all => all.length === MACHINES, from: world});
    const began = performance.now();
    await world.json('orchestrate', 'resume');
    await until(async () => {
        const rows = await world.json('task', 'list', '--state', 'PENDING,READY,RUNNING,RETRY_WAIT');
        return (rows.tasks ?? rows).length;
    }, 'the end of all tasks', {is: left => left === 0, from: world});
    const seconds = (performance.now() - began) / 1000;
    for (const one of all) {
        one.kept = false;
        one.child.kill('SIGTERM');
        const end = await one.ended;
        if (end !== 0)
            faults.push(`an orchestrator ended with ${end}`);
    }
    return {...audit(world, names, faults, isEven), seconds};
}

function audit(world, names, faults, isEven) {
    const rows = world.store.query('SELECT t.name AS task, s.state AS state, a.owner AS owner, a.end_kind AS "end" ' +
        'FROM multiverse.task t JOIN multiverse.status s ON s.task = t.id LEFT JOIN multiverse.attempt a ON a.task = t.id');
    const shares = {}, attempts = {}, runs = {};
    for (const {task, state, owner, end} of rows) {
        attempts[task] = (attempts[task] ?? 0) + 1;
        shares[owner] = (shares[owner] ?? 0) + 1;
        if (state !== 'SUCCEEDED' || end !== 'succeeded')
            faults.push(`${task} is ${state}, its attempt ended as ${end}`);
    }
    for (const name of readFileSync(path.join(world.folder, 'record'), 'utf8').split('\n').filter(Boolean))
        runs[name] = (runs[name] ?? 0) + 1;
    for (const name of names)
        if (attempts[name] !== 1 || runs[name] !== 1)
            faults.push(`${name} has ${attempts[name] ?? 0} attempts and ran ${runs[name] ?? 0} times`);
    const third = names.length / MACHINES;
    if (Object.keys(shares).length !== MACHINES)
        faults.push(`${Object.keys(shares).length} orchestrators worked`);
    for (const [owner, n] of Object.entries(shares))
        if (isEven && Math.abs(n - third) > third * SPREAD)
            faults.push(`${owner} did ${n} of ${names.length}`);
    faults.push(...world.faults);
    return {shares: Object.values(shares), faults};
}

async function main() {
    const options = readOptions({tasks: [1000, 'number'], keep: [false, null]});
    const {shares, seconds, faults} = await spread({...options, isEven: true});
    console.log(`spread: ${options.tasks} tasks in ${seconds.toFixed(1)} s, by orchestrator ${shares.join(', ')}, ` +
        `violations: ${faults.length}`);
    for (const fault of faults.slice(0, 20))
        console.log(fault);
    process.exitCode = faults.length ? 1 : 0;
}

if (process.argv[1] === import.meta.filename)
    await main();
