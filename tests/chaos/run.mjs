// The clients at work: each keeps some calls open, cancels some, disconnects and reconnects, until
// the plan is complete. They share what they learn about jobs.
import {setTimeout as sleep} from 'node:timers/promises';

import {until} from '../waits.mjs';

const TERMINAL = new Set(['succeeded', 'failed', 'timeout', 'cancelled']);
export const isTerminal = state => TERMINAL.has(state);

/** structuredContent of a tool result, or undefined. */
export const contentOf = message => message?.result?.structuredContent;

export class Run {
    constructor({plan, clients, ledger, random, slow}) {
        Object.assign(this, {plan, clients, ledger, random, slow});
        this.followers = new Set();
        this.sightings = []; // of jobs: {request, status}
        this.jobs = new Map(); // job_id -> call
        this.counts = {cancels: 0, closed: 0, dropped: 0, resumed: 0, tasks: 0};
    }

    async work() {
        await Promise.all(this.clients.map(client => this.workOf(client)));
        while (this.followers.size)
            await Promise.all(this.followers);
    }

    async workOf(client) {
        const random = client.random;
        while (!this.plan.isOver) {
            await this.maybeLeave(client);
            const depth = random.chance(0.1) ? 8 : random.between(1, 3);
            await client.pause;
            for (let i = 0; i < depth && !this.plan.isOver; i++)
                this.follow(this.call(client, this.plan.next()));
            await this.someEnd(client, depth);
        }
    }

    follow(promise) {
        this.followers.add(promise);
        promise.catch(error => this.ledger.violation(`the test itself: ${error.stack}`))
            .finally(() => this.followers.delete(promise));
    }

    /** Wait until there is room for more. */
    async someEnd(client, depth) {
        for (;;) {
            const open = [...client.byId.values()].filter(r => r.isOpen);
            if (open.length < depth)
                return;
            await Promise.race(open.map(r => r.ended));
        }
    }

    /** Attached clients die and return, sessions end and begin. */
    async maybeLeave(client) {
        const random = client.random;
        if (client.leave && random.chance(0.02)) {
            await client.leave(random.chance(0.5));
            await client.open();
        } else if (client.endSession && client.endsSessions && random.chance(0.02)) {
            await client.endSession();
            await client.open();
        }
    }

    // ---- one call

    send(client, what) {
        const params = {name: what.tool, arguments: what.args};
        if (what.task && client.legacyTasks)
            params.task = {ttl: 60_000};
        return client.request('tools/call', params, what);
    }

    async call(client, what) {
        const request = this.send(client, what);
        this.disturb(client, request);
        await request.ended;
        if (!request.answer)
            return;
        const content = contentOf(request.answer);
        if (content?.code === 'ERR_QUEUE_FULL')
            client.pause = sleep(client.random.between(50, 250) * this.slow);
        if (what.isJob && !what.repeats && content?.details?.execution_guarantee === 'not_executed')
            this.plan.jobs++; // it was not created: another one is due
        const taskId = request.answer.result?.task?.taskId ?? request.answer.result?.taskId;
        if (what.isJob && taskId)
            await this.followTask(client, what, taskId);
        else if (what.isJob && content?.job_id && !request.answer.result.isError)
            await this.followJob(what, content, request);
        else if (what.tool === 'get_job_status' && content?.state)
            this.sightings.push({request, status: content});
    }

    /** Cancel some calls, in the ways of their transport. */
    disturb(client, request) {
        const random = client.random;
        const way = random.weighted({none: 84, cancel: 8, drop: 3, resume: 5});
        const ms = random.chance(0.3) ? 0 : random.between(1, 60);
        if (way === 'none' || (way === 'drop' && !client.drop) || (way === 'resume' && !client.breakAndResume))
            return;
        setTimeout(() => {
            if (!request.isOpen || (request.child !== undefined && request.child !== client.child))
                return;
            if (way === 'cancel') {
                this.counts.cancels++;
                client.cancel(request);
            } else if (way === 'drop') {
                this.counts.dropped++;
                client.drop(request, 'connection dropped');
            } else {
                client.breakAndResume(request);
            }
        }, ms);
    }

    // ---- jobs

    /** Poll until the job has ended; sometimes cancel it. */
    async followJob(what, first, request) {
        const random = this.random;
        const id = first.job_id;
        if (!this.jobs.has(id)) {
            this.jobs.set(id, what);
            this.plan.jobIds.push(id);
        }
        this.sightings.push({request, status: first});
        let stopAt = random.weighted({'': 65, queued: 15, running: 20});
        for (let status = first; !isTerminal(status.state);) {
            if (status.state === stopAt) {
                stopAt = '';
                this.follow(this.ask({tool: 'cancel_job', args: {job_id: id}, kind: 'control'}));
            }
            const answer = await this.ask(this.plan.askJob(id));
            status = contentOf(answer) ?? status;
            if (status.code) // not found: it ended long ago, or never existed; the checks will tell
                return;
        }
    }

    /** Call through any connected client; return the message. */
    async ask(what) {
        for (let tries = 0; tries < 50; tries++) {
            const isThere = c => c.child !== null && !c.leaving && c.session !== null;
            await until(() => this.clients.some(isThere), 'a connected client');
            const able = this.clients.filter(isThere); // it may have left before the wait ended
            if (!able.length)
                continue;
            const client = this.random.pick(able);
            const request = this.send(client, what);
            this.plan.calls--;
            await request.ended;
            if (!request.answer)
                continue;
            const content = contentOf(request.answer);
            if (what.tool === 'get_job_status' && content?.state)
                this.sightings.push({request, status: content});
            return request.answer;
        }
        return undefined;
    }

    async followTask(client, what, taskId) {
        const random = client.random;
        const era = client.session ?? client.child; // a legacy task ends with its session
        const same = () => (client.session ?? client.child) === era && !client.leaving;
        const ask = async method => {
            if (!same())
                return undefined;
            const request = client.request(method, {taskId});
            await request.ended;
            return request.answer;
        };
        this.counts.tasks++;
        if (random.chance(0.25)) {
            await sleep(random.between(0, 30));
            await ask('tasks/cancel');
        }
        for (;;) {
            const answer = await ask('tasks/get');
            if (!answer || answer.error) {
                if (answer?.error && same())
                    this.ledger.violation(`tasks/get of ${taskId}: ${JSON.stringify(answer.error)}`);
                return;
            }
            const {status, result} = answer.result;
            if (status !== 'working' && status !== 'input_required') {
                await this.endTask(ask, what, {taskId, status, result});
                return;
            }
            await sleep(random.between(2, 20));
        }
    }

    async endTask(ask, what, {taskId, status, result}) {
        const fetched = result ?? (await ask('tasks/result'))?.result;
        const content = fetched?.structuredContent;
        if (content?.job_id && content.state)
            this.sightings.push({status: content, task: {taskId, status}, what});
        if (status !== 'cancelled' && content?.state && !isTerminal(content.state))
            this.ledger.violation(`the task ${taskId} is ${status}, its job ${content.state}`);
    }
}
