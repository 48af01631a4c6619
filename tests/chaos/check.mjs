// What must hold after the chaos. Three records are compared: the ledgers of the clients
// (ledger.mjs), the trace of the fake editor, which is the truth about what was executed, and the
// server's log.
import {isDeepStrictEqual} from 'node:util';

import {contentOf, isTerminal} from './run.mjs';

/** docs/spec/10-bridge.md, 8: code -> [retryable, execution_guarantee]. */
const ERRORS = {
    ERR_INVALID_REQUEST: [false, 'not_executed'], ERR_INVALID_PARAMS: [false, 'not_executed'],
    ERR_UNKNOWN_COMMAND: [false, 'not_executed'], ERR_JOB_NOT_FOUND: [false, 'not_executed'],
    ERR_CANCEL_NOT_SUPPORTED: [false, 'not_executed'], ERR_EDITOR_NOT_READY: [true, 'not_executed'],
    ERR_COMPILE_TIMEOUT: [true, 'not_executed'], ERR_UNITY_DISCONNECTED: [true, 'not_executed'],
    ERR_QUEUE_FULL: [true, 'not_executed'], ERR_REQUEST_TIMEOUT: [false, 'unknown'],
    ERR_RECONNECT_TIMEOUT: [false, 'unknown'], ERR_INVALID_RESPONSE: [false, 'unknown'],
    ERR_UNITY_EXECUTION: [null, 'completed_error'],
};
const RETRYABLE = new Set(['read_console', 'get_scene_hierarchy', 'get_component_info']);

const numberOf = id => Number(id.slice(id.lastIndexOf('-') + 1));
const markerOf = params => JSON.stringify(params).match(/fake:echo=([a-z]+\d+)/)?.[1];

export class Check {
    constructor({ledger, trace, log, limits, runs}) {
        Object.assign(this, {ledger, trace, log, limits, runs});
        this.received = trace.filter(line => line.what === 'received');
        this.byRequest = new Map(); // request_id -> lines
        this.byMarker = new Map(); // marker -> received lines
        for (const line of trace)
            if (line.request_id)
                (this.byRequest.get(line.request_id) ?? this.put(this.byRequest, line.request_id)).push(line);
        for (const line of this.received) {
            const marker = markerOf(line.params);
            (this.byMarker.get(marker) ?? this.put(this.byMarker, marker)).push(line);
        }
        this.calls = ledger.calls();
        this.outcomes = {};
        this.jobStates = {};
    }

    put(map, key) {
        const list = [];
        map.set(key, list);
        return list;
    }

    all() {
        this.everyCallIsAnswered();
        this.nothingRunsTwice();
        this.whatArrivedIsWhatWasSent();
        this.orderIsKept();
        this.queueIsBounded();
        for (const call of this.calls)
            this.answerIsTrue(call);
        this.jobsEndOnce();
        this.jobsAreWhatTheyWere();
    }

    bad(text, {request, requestId, line} = {}) {
        const lines = requestId ? this.byRequest.get(requestId) ?? [] : line ? [line] : [];
        const at = lines[0]?.at;
        const around = at === undefined ? [] : this.trace.slice(Math.max(0, at - 6), at + 7);
        const logged = requestId ? this.log.filter(l => l.request_id === requestId) : [];
        this.ledger.violation(text, request, [
            ...(lines.length ? ['trace of it:', ...lines.map(l => JSON.stringify(l))] : []),
            ...(around.length ? ['trace around it:', ...around.map(l => JSON.stringify(l))] : []),
            ...(logged.length ? ['log:', ...logged.map(l => JSON.stringify(l))] : []),
        ].join('\n'));
    }

    // ---- answers

    everyCallIsAnswered() {
        for (const request of this.ledger.requests)
            if (!request.givenUp && request.answers.length !== 1)
                this.bad(`${request.answers.length} answers`, {request});
    }

    lines(requestId, what) {
        return (this.byRequest.get(requestId) ?? []).filter(line => line.what === what);
    }

    /** Check a response against what the editor did. */
    answerIsTrue(request) {
        const {what, answer} = request;
        if (!answer) {
            this.count(`given up: ${request.givenUp}`);
            return;
        }
        if (answer.error) {
            this.rpcErrorIsTrue(request);
        } else if (answer.result.isError) {
            this.errorIsTrue(contentOf(answer), request, what.tool);
        } else if (what.kind === 'invalid' || what.kind === 'large') {
            this.bad('succeeded unexpectedly', {request});
        } else if (what.kind === 'control') {
            this.count('ok (by the server)');
            this.controlIsTrue(request);
        } else {
            this.count('ok');
            if (!what.isJob)
                this.successIsTrue(request);
        }
        if (!answer.error && !answer.result.task && answer.result.resultType !== 'task')
            this.textIsTheSame(request);
    }

    textIsTheSame(request) {
        const {content, structuredContent} = request.answer.result;
        if (content?.length !== 1 || !isDeepStrictEqual(JSON.parse(content[0].text), structuredContent))
            this.bad('text and structuredContent differ', {request});
    }

    count(outcome) {
        this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
    }

    rpcErrorIsTrue(request) {
        const {what, answer} = request;
        this.count(`JSON-RPC ${answer.error.code}`);
        const fine = what.tool === 'no_such_tool' || (request.givenUp && answer.error.code === -32603) ||
            // the editor may not have it now
            (what.tool === 'get_scene_hierarchy' && answer.error.code === -32602);
        if (!fine)
            this.bad(`a JSON-RPC error: ${JSON.stringify(answer.error)}`, {request});
        else if (what.marker && !what.repeats && request.givenUp === null && this.byMarker.has(what.marker))
            this.bad('refused, but sent to the editor nevertheless', {request, line: this.byMarker.get(what.marker)[0]});
    }

    errorIsTrue(error, request, tool) {
        const {code, details = {}} = error ?? {};
        const [retryable, guarantee] = ERRORS[code] ?? [];
        const id = details.request_id;
        const about = {request, requestId: id};
        this.count(code);
        if (guarantee === undefined)
            return this.bad(`an error code that the specification does not contain: ${JSON.stringify(error)}`, about);
        if (details.execution_guarantee !== guarantee)
            this.bad(`${code} has ${details.execution_guarantee}, not ${guarantee}`, about);
        if (error.retryable !== (retryable ?? RETRYABLE.has(tool)))
            this.bad(`${code} has retryable ${error.retryable}`, about);
        if (guarantee === 'not_executed' && id && this.byRequest.has(id))
            this.bad(`${code} has not_executed, but the editor got it`, about);
        if (guarantee === 'completed_error' && !this.lines(id, 'executed').length && !this.lines(id, 'rejected').length &&
            !this.lines(id, 'cancelled').length)
            this.bad(`${code} has completed_error, but the editor did not do it`, about);
        if (request?.what.kind === 'invalid' && guarantee !== 'not_executed')
            this.bad(`invalid arguments end with ${code}`, about);
        return undefined;
    }

    /** Check that it was executed exactly once, and that the result belongs to this call. */
    successIsTrue(request) {
        const {what, answer} = request;
        const lines = this.byMarker.get(what.marker) ?? [];
        const done = lines.filter(line => this.lines(line.request_id, 'executed').length);
        if (lines.length > 1 && (what.reads || !what.crid))
            this.bad(`sent ${lines.length} times`, {request, line: lines[1]});
        if (!done.length)
            return this.bad('succeeded without having been executed', {request, line: lines[0]});
        const content = contentOf(answer);
        const echo = {
            read_console: c => c.cursor, get_scene_hierarchy: c => c.scene_name,
            get_component_info: c => markerOf({p: c.game_object_path}),
            manage_component: c => markerOf({p: c.game_object_path}),
        }[what.tool](content);
        if (echo !== what.marker)
            this.bad(`the result is that of another call: ${echo}, not ${what.marker}`, {request, line: lines[0]});
        if (what.tool === 'get_component_info' && content.index !== what.args.index)
            this.bad(`index ${content.index}`, {request, line: lines[0]});
        if (what.tool === 'manage_component' && content.action !== what.args.action)
            this.bad(`action ${content.action}`, {request, line: lines[0]});
        return undefined;
    }

    controlIsTrue(request) {
        const {what, answer} = request;
        const content = contentOf(answer);
        if (what.tool === 'get_editor_state') {
            if (!(content.queue.waiting <= content.queue.capacity))
                this.bad(`${content.queue.waiting} calls wait, ${content.queue.capacity} may`, {request});
            if (content.queue.capacity !== this.limits.queue_max_size)
                this.bad(`the queue holds ${content.queue.capacity}`, {request});
        } else if (content.job_id !== what.args.job_id) {
            this.bad(`the response is about ${content.job_id}`, {request});
        }
    }

    // ---- the editor's side

    nothingRunsTwice() {
        const windowMs = this.limits.dedupe_ms;
        const groups = new Map();
        for (const [id, lines] of this.byRequest) {
            const times = what => lines.filter(line => line.what === what).length;
            if (times('received') > 1)
                this.bad(`${id} was sent ${times('received')} times`, {requestId: id});
            if (times('executed') > 1)
                this.bad(`${id} was executed ${times('executed')} times`, {requestId: id});
        }
        for (const line of this.received) {
            if (!line.client_request_id?.startsWith('id-'))
                continue;
            const key = `${line.tool_name} ${line.client_request_id}`;
            const before = groups.get(key);
            const ms = before ? this.begun(line.request_id) - this.over(before.request_id) : Infinity;
            if (ms < windowMs)
                this.bad(`${key} was sent again after ${ms} ms: ${before.request_id} and ` +
                    `${line.request_id}`, {requestId: line.request_id});
            groups.set(key, line);
        }
    }

    /** When the server began and ended this request, by its own clock: the editor may receive it
     * much later. */
    begun(id) {
        return this.timesOf(id).find(({event}) => event === 'request moved')?.at ?? -Infinity;
    }

    over(id) {
        return this.timesOf(id).findLast(({event}) => event === 'request')?.at ?? Infinity;
    }

    timesOf(id) {
        this.times ??= Map.groupBy(this.log.filter(line => line.request_id), line => line.request_id);
        return (this.times.get(id) ?? []).map(({event, time}) => ({event, at: Date.parse(time)}));
    }

    whatArrivedIsWhatWasSent() {
        const sent = new Map();
        for (const {what} of this.calls)
            if (what.marker && !what.repeats)
                sent.set(what.marker, what);
        for (const line of this.received) {
            const what = sent.get(markerOf(line.params));
            if (!what) {
                this.bad('the editor got a call that nobody sent', {line});
                continue;
            }
            const {timeout_ms: _, wait_ms: __, client_request_id: id, ...own} = what.args;
            if (line.tool_name !== what.tool || line.client_request_id !== id ||
                !isDeepStrictEqual(line.params, own))
                this.bad(`the editor got other arguments than ${JSON.stringify(what.args)}`, {line});
            if (what.kind !== 'plain')
                this.bad(`${what.kind} arguments reached the editor`, {line});
        }
    }

    // ---- order and bounds

    /** Request numbers count arrivals: they only increase, except for a job that waited for
     * another. */
    orderIsKept() {
        let lastCall = 0, lastJob = 0;
        for (const line of this.received) {
            const n = numberOf(line.request_id);
            const isJob = line.type === 'submit_job';
            if (n <= lastJob || (!isJob && n <= lastCall))
                this.bad(`out of order: after call ${lastCall} and job ${lastJob}`, {line});
            if (isJob)
                lastJob = Math.max(lastJob, n);
            else
                lastCall = Math.max(lastCall, n);
        }
    }

    /** Replay the server's own record of its queue. */
    queueIsBounded() {
        const tools = new Map();
        const ends = new Map();
        for (const line of this.log)
            if (line.event === 'request' && line.request_id) {
                tools.set(line.request_id, line.tool);
                ends.set(line.request_id, (ends.get(line.request_id) ?? 0) + 1);
            }
        for (const [id, n] of ends)
            if (n > 1)
                this.bad(`${id} ended ${n} times`, {requestId: id});
        const waiting = new Set();
        let running = null, job = null;
        this.mostWaiting = 0;
        for (const line of this.log) {
            const {request_id: id, job_id: jobId, from, to} = line;
            if (line.event === 'request moved') {
                const isJob = tools.get(id) === 'run_tests';
                if (to === 'running' && running && running !== id)
                    this.bad(`${id} runs together with ${running}`, {requestId: id});
                if (to === 'running' && from !== 'running')
                    this.isFirst(id, isJob, waiting, tools, job);
                if (to === 'waiting_editor_ready' || to === 'queued')
                    waiting.add(id);
                else
                    waiting.delete(id);
                running = to === 'running' ? id : running === id ? null : running;
                this.mostWaiting = Math.max(this.mostWaiting, waiting.size);
                if (waiting.size > this.limits.queue_max_size)
                    this.bad(`${waiting.size} calls in the queue`, {requestId: id});
            } else if (line.event === 'job moved') {
                if (to === 'running' && job)
                    this.bad(`${jobId} runs together with ${job}`);
                job = to === 'running' ? jobId : job === jobId ? null : job;
            } else if (line.event === 'not a log line') {
                this.bad(`the server printed: ${line.line}`);
            }
        }
    }

    isFirst(id, isJob, waiting, tools, job) {
        for (const other of waiting)
            if (numberOf(other) < numberOf(id) && (isJob || tools.get(other) !== 'run_tests' || !job))
                this.bad(`${id} went before ${other}`, {requestId: id});
    }

    // ---- jobs

    jobsEndOnce() {
        this.jobs = new Map(); // job_id -> {state, outcome, requestId}
        const submissions = new Map();
        for (const line of this.received)
            if (line.job_id)
                submissions.set(line.job_id, line.request_id);
        let ended = 0;
        for (const line of this.log) {
            if (line.event === 'job moved' && !this.jobs.has(line.job_id))
                this.jobs.set(line.job_id, {states: []});
            if (line.event === 'job moved')
                this.jobs.get(line.job_id).states.push(line.to);
            if (line.event === 'job')
                Object.assign(this.jobs.get(line.job_id), {outcome: line.outcome, place: ++ended});
        }
        this.ended = ended;
        for (const [id, job] of this.jobs) {
            const ends = job.states.filter(isTerminal);
            [job.state] = ends;
            job.requestId = submissions.get(id);
            this.jobStates[job.state] = (this.jobStates[job.state] ?? 0) + 1;
            if (ends.length !== 1 || job.states.at(-1) !== job.state)
                this.bad(`${id} went through ${job.states}`, {requestId: job.requestId});
            else
                this.jobIsTrue(id, job);
        }
    }

    /** Check its end against what the editor did. */
    jobIsTrue(id, {state, outcome, requestId}) {
        const has = what => this.lines(requestId, what).length > 0;
        const about = {requestId};
        const guarantee = ERRORS[outcome]?.[1];
        if (state === 'succeeded' && (!has('executed') || !has('accepted')))
            this.bad(`${id} succeeded, but was not executed`, about);
        if (state === 'cancelled' && requestId && !has('cancelled'))
            this.bad(`${id} is cancelled, but the editor did not stop it`, about);
        if (state === 'cancelled' && has('executed'))
            this.bad(`${id} is cancelled, but was executed to its end`, about);
        if (state === 'failed' && guarantee === 'not_executed' && requestId)
            this.bad(`${id} failed with ${outcome}, but the editor got it`, about);
        if (state === 'failed' && guarantee === 'completed_error' && !has('executed') && !has('rejected'))
            this.bad(`${id} failed with ${outcome}, but the editor did not do it`, about);
        if (state === 'failed' && guarantee === undefined)
            this.bad(`${id} failed with ${outcome}`, about);
    }

    /** What clients saw of jobs: a final state is permanent, the same for all, and that of the
     * log. */
    jobsAreWhatTheyWere() {
        const ends = new Map(); // job_id -> {status, at}
        const sightings = this.runs.flatMap(run => run.sightings);
        for (const {status, request, what = request?.what} of sightings) {
            const job = this.jobs.get(status.job_id);
            if (!job) {
                this.bad(`${status.job_id} is unknown to the server's log`, {request});
                continue;
            }
            if (isTerminal(status.state))
                this.endIsTheSame(status, request, ends, job);
            if (status.error)
                this.jobErrorIsTrue(status, job, request);
            const echo = status.result?.skipped_tests?.[0];
            const sent = job.requestId && this.byRequest.get(job.requestId)[0];
            if (status.result && echo !== markerOf(sent.params))
                this.bad(`${status.job_id} has the result of another: ${echo}`, {request, requestId: job.requestId});
            if (what?.isJob && sent && markerOf(sent.params) !== what.marker)
                this.bad(`${status.job_id} is the job of another call`, {request, requestId: job.requestId});
        }
        for (const {status, request} of sightings) {
            const end = ends.get(status.job_id);
            if (request && end && request.sentAt > end.at && !isTerminal(status.state))
                this.bad(`${status.job_id} was ${end.status.state} and is ${status.state} again`, {request});
        }
        this.forgottenInOrder(ends);
    }

    endIsTheSame(status, request, ends, job) {
        const before = ends.get(status.job_id);
        const at = request?.answeredAt ?? Infinity;
        const core = ({state, result, error, finished_at: end}) => ({state, result, error, end});
        if (status.state !== job.state)
            this.bad(`${status.job_id} ended as ${job.state}, a client saw ${status.state}`, {request});
        if (!before || at < before.at)
            ends.set(status.job_id, {status, at});
        // {job_id, state} alone is the short form
        if (before && before.status.tool && status.tool && !isDeepStrictEqual(core(before.status), core(status)))
            this.bad(`${status.job_id} ended as ${JSON.stringify(before.status)} and as ` +
                `${JSON.stringify(status)}`, {request});
    }

    jobErrorIsTrue({error, job_id: id, state}, job, request) {
        const guarantee = ERRORS[error.code]?.[1];
        if (!guarantee || error.details.execution_guarantee !== guarantee)
            this.bad(`${id} (${state}) has a wrong error: ${JSON.stringify(error)}`, {request});
        if (error.code !== job.outcome)
            this.bad(`${id} ended with ${job.outcome}, a client saw ${error.code}`, {request});
    }

    /** A job may become unknown only after enough others have ended since. */
    forgottenInOrder() {
        for (const request of this.calls) {
            const {what, answer} = request;
            const content = contentOf(answer);
            if (what.tool !== 'get_job_status' || content?.code !== 'ERR_JOB_NOT_FOUND')
                continue;
            const job = this.jobs.get(what.args.job_id);
            if (job && !(this.ended - job.place >= this.limits.job_keep_count))
                this.bad(`${what.args.job_id} is forgotten too early`, {request});
        }
    }
}
