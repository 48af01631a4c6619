// Kills random processes of the world with SIGKILL, and suspends some, which is worse than a death.
//
//     const killer = new Killer({world, random, lease: 4});
//     await killer.work(() => isOver);
//     killer.kills                           // {supervisor: 12, run: 9, ...}
import {setTimeout as sleep} from 'node:timers/promises';

const WEIGHTS = {supervisor: 14, run: 14, agent: 12, probe: 10, guard: 6, several: 10, family: 2, orchestrator: 14, stop: 6, halt: 4,
    server: 6};

export class Killer {
    constructor({world, random, lease, pace = [80, 700], without = []}) {
        this.world = world;
        this.random = random;
        this.lease = lease;
        this.pace = pace;
        this.weights = {...WEIGHTS};
        for (const kind of world.store.name === 'postgresql' ? without : [...without, 'server'])
            delete this.weights[kind];
        this.kills = {};
        this.pending = new Set(); // actions that must be undone
        this.log = [];
    }

    note(kind, what) {
        this.kills[kind] = (this.kills[kind] ?? 0) + 1;
        this.log.push(`${new Date().toISOString()} ${kind} ${what}`);
    }

    signal(pid, signal) {
        try {
            process.kill(pid, signal);
            return true;
        } catch {
            return false; // it has ended
        }
    }

    async work(isOver) {
        const calls = {several: c => this.several(c), family: c => this.family(c), orchestrator: () => this.orchestrator(), stop: () => this.stop(),
            halt: c => this.halt(c), server: () => this.server()};
        while (!isOver()) {
            await sleep(this.random.between(...this.pace));
            const census = this.world.watch();
            const kind = this.random.weighted(this.weights);
            (calls[kind] ?? (c => this.one(kind, c)))(census);
        }
        await Promise.all(this.pending);
    }

    one(kind, census) {
        const victims = census.filter(p => p.kind === kind);
        if (!victims.length)
            return;
        const p = this.random.pick(victims);
        if (this.signal(p.pid, 'SIGKILL'))
            this.note(kind, `${p.pid} ${p.mark ?? ''}`);
    }

    /** Some processes of one attempt at the same moment; sometimes its orchestrator, too. */
    several(census) {
        const marks = [...new Set(census.map(p => p.mark).filter(Boolean))];
        if (!marks.length)
            return;
        const mark = this.random.pick(marks);
        const all = census.filter(p => p.mark === mark);
        const victims = all.filter(() => this.random.chance(0.6));
        const supervisor = all.find(p => p.kind === 'supervisor');
        const parent = this.world.orchestrators.find(one => one?.child.pid === supervisor?.ppid);
        if (parent && this.random.chance(0.3)) {
            parent.killed = true;
            this.signal(parent.child.pid, 'SIGKILL');
            this.note('orchestrator', `${parent.index} with ${victims.length} of ${mark}`);
        }
        for (const p of victims)
            this.signal(p.pid, 'SIGKILL');
        if (victims.length)
            this.note('several', `${victims.map(p => `${p.pid} ${p.kind}`).join(', ')} of ${mark}`);
    }

    /** All processes of this program, as `killall -9 multiverse` does; processes they have started
     * are left behind. */
    family(census) {
        for (const one of this.world.orchestrators)
            if (one)
                one.killed = true;
        const victims = census.filter(p => ['orchestrator', 'supervisor', 'run', 'guard', 'agent'].includes(p.kind));
        for (const p of victims)
            this.signal(p.pid, 'SIGKILL');
        this.note('family', `${victims.length} processes`);
    }

    orchestrator() {
        const one = this.random.pick(this.world.orchestrators.filter(Boolean));
        one.killed = true;
        if (this.signal(one.child.pid, 'SIGKILL'))
            this.note('orchestrator', one.index);
    }

    later(ms, undo) {
        const done = sleep(ms).then(undo).then(() => this.pending.delete(done));
        this.pending.add(done);
    }

    /** Suspend an orchestrator, sometimes for longer than its leases. */
    stop() {
        const {index, child} = this.random.pick(this.world.orchestrators.filter(Boolean));
        const ms = this.lease * 1000 * (0.3 + this.random.unit() * 1.5);
        if (!this.signal(child.pid, 'SIGSTOP'))
            return;
        this.note('stop', `${index} for ${Math.round(ms)} ms`);
        this.later(ms, () => this.signal(child.pid, 'SIGCONT'));
    }

    /** Suspend a process of an attempt; never its supervisor, which all others need. */
    halt(census) {
        const victims = census.filter(p => ['run', 'agent', 'probe', 'guard'].includes(p.kind));
        if (!victims.length)
            return;
        const p = this.random.pick(victims);
        if (!this.signal(p.pid, 'SIGSTOP'))
            return;
        this.note('halt', `${p.pid} ${p.kind} ${p.mark}`);
        this.later(this.random.between(500, 3000), () => this.signal(p.pid, 'SIGCONT'));
    }

    /** The whole server, as in a loss of power; it restarts some time later. */
    server() {
        if (this.isDown)
            return;
        this.isDown = true;
        this.world.store.kill();
        const ms = this.random.between(0, this.lease * 1000);
        this.note('server', `back after ${ms} ms`);
        this.later(ms, () => {
            this.world.store.again();
            this.isDown = false;
        });
    }
}
