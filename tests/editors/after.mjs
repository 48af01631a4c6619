// What must hold after the reloads (reloads.mjs): no call is lost, nothing is executed twice, every
// response is true.
import {contentOf} from '../chaos/run.mjs';
import {isTimed} from '../waits.mjs';

/** From the first update of a domain to an editor that the server considers connected; checked by
 * `make timing`. */
const BACK_MS = 1000;

/** Why tests cannot start: other clients edit and play all the time. */
const REFUSED = new Set(['ERR_UNSAVED_CHANGES', 'ERR_PLAY_MODE_ACTIVE']);

const percentile = (list, part) => list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * part)] ?? 0;

export class After {
    constructor(run) {
        this.run = run;
        this.ledger = run.ledger;
        this.trace = run.trace();
        this.log = run.server.log();
        this.idOf = new Map(); // marker -> request_id
        for (const {event, client_request_id, request_id} of this.log)
            if (event === 'request' && client_request_id)
                this.idOf.set(client_request_id, request_id);
        this.byRequest = Map.groupBy(this.trace.filter(line => line.request_id), line => line.request_id);
        this.outcomes = {};
        this.states = {};
        this.back = [];
        this.refused = 0;
    }

    all() {
        for (const request of this.ledger.requests)
            if (request.answers.length !== 1)
                this.bad(`${request.answers.length} answers`, request);
        for (const request of this.ledger.calls().filter(({what}) => what.marker))
            this.answerIsTrue(request);
        this.nothingRunsTwice();
        this.sceneIsTrue();
        this.jobsAreTrue();
        this.isBackInTime();
    }

    bad(text, request, lines = []) {
        this.ledger.violation(text, request, lines.map(line => `    ${JSON.stringify(line)}`).join('\n'));
    }

    // ---- calls

    answerIsTrue(request) {
        const {what, answer} = request;
        if (!answer || answer.error)
            return this.bad(`no result: ${JSON.stringify(answer)}`, request);
        const content = contentOf(answer), isError = answer.result.isError === true;
        const guarantee = isError ? content.details.execution_guarantee : 'ok',
            code = isError ? content.code : 'ok';
        this.outcomes[code] = (this.outcomes[code] ?? 0) + 1;
        if (what.isJob)
            return undefined;
        const id = this.idOf.get(what.marker), lines = this.byRequest.get(id) ?? [];
        const count = name => lines.filter(line => line.what === name).length;
        const wasRefused = code === 'ERR_UNITY_EXECUTION' &&
            guarantee === 'not_executed'; // the tool refused before it acted
        if (code === 'ok' && (count('begin') !== 1 || count('done') !== 1))
            this.bad(`succeeded, and was executed ${count('begin')} times`, request, lines);
        if (guarantee === 'completed_error' && count('begin') !== 1)
            this.bad(`failed, and was executed ${count('begin')} times`, request, lines);
        if (wasRefused && (count('begin') !== 1 || count('done')))
            this.bad('refused, but the trace has something else', request, lines);
        if (guarantee === 'not_executed' && !wasRefused && lines.length)
            this.bad(`${code} says not_executed, but it began`, request, lines);
        if (guarantee === 'unknown' && !this.run.kills)
            this.bad(`${code}: an unknown outcome, but the editor was never killed`,
                request, lines);
        return undefined;
    }

    nothingRunsTwice() {
        for (const [id, lines] of this.byRequest)
            for (const what of ['begin', 'done'])
                if (lines.filter(line => line.what === what).length > 1)
                    this.bad(`${id}: ${what} twice`, null, lines);
    }

    // ---- the scene

    /** The expected scene: everything done in it, except what was unsaved when an editor was
     * killed. */
    expected() {
        const byId = new Map(this.ledger.calls().map(request => [this.idOf.get(request.what.marker), request]));
        let now = {boxes: 0, y: 0}, saved = now;
        for (const {what, request_id, killed} of this.trace) {
            const request = byId.get(request_id);
            if (killed)
                now = saved;
            else if (what === 'done' && request)
                now = {boxes: now.boxes + (request.what.counts ? 1 : 0), y: request.what.sets ?? now.y};
            if (what === 'done' && request?.what.tool === 'save_scene' && contentOf(request.answer)?.scene_path !== '')
                saved = now;
        }
        return now;
    }

    sceneIsTrue() {
        const {counter, gauge} = this.run.shown, want = this.expected();
        const shown = {
            boxes: counter.root_game_objects[0].components.length - 2, y: gauge.fields.localPosition.value.y,
        };
        for (const name of Object.keys(want))
            if (shown[name] !== want[name])
                this.bad(`${name}: ${want[name]} by the trace, ${shown[name]} is there`);
    }

    // ---- jobs

    jobsAreTrue() {
        let job = null;
        const tests = new Map(); // job_id -> names, in order
        for (const line of this.trace)
            if (line.what === 'job')
                tests.set(job = line.job_id, []);
            else if (line.what === 'test')
                tests.get(job)?.push(line.test);
        const begun = this.trace.filter(line => line.what === 'job').map(line => line.job_id);
        for (const id of begun)
            if (begun.filter(other => other === id).length > 1)
                this.bad(`${id} was started twice`);
        for (const [id, status] of this.run.jobs)
            this.jobIsTrue(id, status, tests.get(id) ?? []);
        this.begun = begun.length;
    }

    jobIsTrue(id, status, names) {
        const {state, result, error} = status;
        this.states[state] = (this.states[state] ?? 0) + 1;
        const twice = names.filter((name, at) => names.indexOf(name) !== at);
        if (twice.length)
            this.bad(`${id}: ran twice: ${twice.join(', ')}`, null, [status]);
        if (state === 'succeeded' && (result.summary.total !== names.length ||
            result.summary.failed !== 1 || result.failed_tests.length !== 1))
            this.bad(`${id} says ${result.summary.total} tests, ${names.length} ran`, null, [status]);
        const {plugin_error_code: code, execution_guarantee: guarantee} = error?.details ?? {};
        const isLost = state === 'failed' && guarantee === 'unknown' && this.run.kills;
        const isRefused = state === 'failed' && REFUSED.has(code) && !names.length;
        if (state !== 'succeeded' && state !== 'cancelled' && !isLost && !isRefused)
            this.bad(`${id} is lost: ${state}`, null, [status]);
        this.refused += isRefused;
    }

    // ---- time

    /** Each domain is connected and ready soon after its first update, unless it ended before. */
    isBackInTime() {
        const isReady = ({event, state, to}) => (event === 'editor connected' && state === 'ready') ||
            (event === 'editor state' && to === 'ready');
        const ready = this.log.filter(isReady).map(line => Date.parse(line.time));
        const events = this.trace.filter(line => line.what === 'domain' || line.what === 'domain ends');
        events.forEach(({ms, what}, at) => {
            const before = events[at - 1]?.ms ?? 0, end = events[at + 1]?.ms ?? Infinity;
            const back = ready.find(time => time >= Math.floor(before) && time <= end);
            if (what !== 'domain' || (back === undefined && end - ms < BACK_MS))
                return;
            // it connects while the domain is still loading
            this.back.push(Math.max(0, (back ?? Infinity) - ms));
            if (isTimed && this.back.at(-1) > BACK_MS)
                this.bad(`no reconnect within ${BACK_MS} ms, but after ${this.back.at(-1)}`, null, [events[at]]);
        });
    }

    lines() {
        const list = counts => Object.entries(counts).sort().map(([name, count]) =>
            `${name} ${count}`).join(', ');
        const back = part => Math.round(percentile(this.back, part));
        return [
            `calls: ${list(this.outcomes)}`,
            `jobs: ${this.begun} begun; ${list(this.states)} (${this.refused} refused)`,
            `back after ${back(0.5)} ms in the middle, ${back(1)} ms at most, in ${this.back.length} domains`,
        ];
    }
}
