// How tests wait: for events, never for a fixed time.
//
//     const answer = await within(promise, 'the answer', program);   // fails when it ends
//     const pid = await until(() => readPid(), 'the pid file');          // polls what has no event
//     await until(() => state(), 'that it runs', {is: s => s === 'RUNNING'});
//
// No wait has a limit of its own. One limit holds for the whole file, and it is the same for every
// file: when it expires, every pending wait fails with what it waited for and what it saw last. The
// limit is shorter than meson's timeout (meson.build), which kills the file without any message.
// LIMIT_S in the environment changes it for the long forms of tests.

export const FILE_MS = Number(process.env.LIMIT_S || 540) * 1000;
const CLEANUP_MS = 30_000; // for t.after() hooks, after the limit

const pending = new Set();
const expiring = [];
let isOver = false;

/** A value as text; a long text is cut to its end. */
export function shown(value, most = 4000) {
    const text = typeof value === 'string' ? value : value instanceof Error ? String(value.stack)
        : JSON.stringify(value, (_, v) => typeof v === 'bigint' ? `${v}n` : v) ?? String(value);
    return text.length > most ? `[...]${text.slice(-most)}` : text;
}

/** The origin of events: a program, a stream. When it is lost, every wait for it fails at once. */
export class Source {
    #waits = new Set();

    /** No more events will come, because of `error`. */
    lose(error) {
        if (this.lost)
            return;
        this.lost = error;
        for (const wait of this.#waits)
            wait.fail(error.message, error);
    }

    /** The last event, for the message of a failed wait. */
    seen() {
        return '';
    }

    /** Lose this source when the other one is lost. */
    follow(other) {
        other.join({fail: (_, error) => this.lose(error)});
    }

    join(wait) {
        this.#waits.add(wait);
        if (this.lost)
            wait.fail(this.lost.message, this.lost);
    }

    leave(wait) {
        this.#waits.delete(wait);
    }
}

class Wait {
    #reject;

    constructor(what, seen, caller) {
        this.what = what;
        this.seen = seen;
        this.failed = new Promise((_, reject) => { this.#reject = reject; });
        this.failed.catch(() => {});
        Error.captureStackTrace(this.place = {}, caller);
        pending.add(this);
        if (isOver)
            setImmediate(() => this.expire());
    }

    describe() {
        let seen;
        try {
            seen = this.seen();
        } catch (error) {
            seen = error;
        }
        return seen === undefined || seen === '' ? '' : `\nlast seen: ${shown(seen)}`;
    }

    fail(reason, cause) {
        const error = new Error(`${this.what}: ${reason}${this.describe()}`, cause && {cause});
        error.stack = `Error: ${error.message}\n${String(this.place.stack).split('\n').slice(1).join('\n')}`;
        this.#reject(error);
    }

    expire() {
        this.fail(`not within the ${FILE_MS / 1000} s of the whole file`);
    }
}

const isInformative = value => ![undefined, null, false, ''].includes(value);
export const seenOf = from => typeof from === 'function' ? from() : from?.seen?.();

/** Return the value of the promise. The wait fails when `from`, a Source, is lost. `from` may also
 * be a function, or an object with seen(), that returns what was seen last. */
export async function within(promise, what, from) {
    const wait = new Wait(what, () => seenOf(from), within);
    const source = from instanceof Source ? from : undefined;
    const all = [promise, wait.failed]; // in this order: a promise that is already settled wins
    source?.join(wait);
    try {
        return await Promise.race(all);
    } finally {
        source?.leave(wait);
        pending.delete(wait);
    }
}

/** Poll `probe` until it returns a truthy value, and return that value. Only for what has no event.
 * `from` as above, or {is, from}: poll until is(value); the last value is what was seen last. */
export async function until(probe, what, from) {
    const {is = Boolean} = from ?? {};
    const source = from instanceof Source ? from : from?.from;
    let value, pause = 10; // ms; grows, because a probe may run a command or query a browser
    const wait = new Wait(what, () => [isInformative(value) && shown(value), seenOf(from), source !== from && seenOf(source)]
        .filter(Boolean).join('\n'), until);
    try {
        for (;;) {
            const {lost} = source ?? {}; // read before the probe: what came before the end counts
            value = await Promise.race([probe(), wait.failed]);
            if (is(value))
                return value;
            if (lost)
                wait.fail(lost.message, lost);
            await Promise.race([new Promise(resolve => setTimeout(resolve, pause)), wait.failed]);
            pause = Math.min(50, pause * 1.25);
        }
    } finally {
        pending.delete(wait);
    }
}

/** Runs when the limit of the file has expired and the process does not exit: the last chance to
 * stop child processes. */
export const onExpiry = run => expiring.push(run);

function expire() {
    isOver = true;
    const waits = [...pending];
    for (const wait of waits)
        process.stderr.write(`after ${FILE_MS / 1000} s still waiting for ${wait.what}${wait.describe()}\n`);
    setTimeout(() => {
        process.stderr.write(`the process does not end: ${process.getActiveResourcesInfo()}\n`);
        for (const run of expiring)
            run();
        process.exit(1);
    }, CLEANUP_MS).unref();
    for (const wait of waits)
        wait.expire();
    if (!waits.length)
        throw new Error(`the file takes longer than ${FILE_MS / 1000} s, but no wait is pending`);
}

setTimeout(expire, FILE_MS - performance.now()).unref();

// ---- time limits of the program

/** Whether `make timing` runs this, on an otherwise idle machine. */
export const isTimed = process.env.MULTIVERSE_TIMING === '1';

/** Check a time limit that the program promises (docs/spec). It depends on the speed of the
 * machine, so only `make timing` enforces it; everywhere else only the limit of the file
 * applies. */
export function inTime(ms, most, what) {
    if (isTimed && !(ms <= most))
        throw new Error(`${what}: ${Math.round(ms)} ms, at most ${most} ms`);
}
