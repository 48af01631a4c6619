// How tests wait: for an event, never for a time.
//
//     const answer = await within(promise, 'the answer', program);      // fails at once when the program ends
//     const pid = await until(() => readPid(), 'the pid file');          // polls what has no event
//     await until(() => state(), 'that it runs', {is: s => s === 'RUNNING'});   // a failure shows the last state
//
// No wait has a limit of its own. One limit holds for the whole file, and it is the same everywhere: when it is over,
// every pending wait fails with what it waited for and what was seen last. It is shorter than the timeout of meson
// (meson.build), which ends a file without a word. LIMIT_S in the environment changes it, for the long forms of tests.

export const FILE_MS = Number(process.env.LIMIT_S || 540) * 1000;
const LAST_WORDS_MS = 30_000; // for the ends of tests, after that

const pending = new Set();
const expiring = [];
let isOver = false;

/** The text of something that was seen, its end if it is long. */
export function shown(value, most = 4000) {
    const text = typeof value === 'string' ? value : value instanceof Error ? String(value.stack)
        : JSON.stringify(value, (_, v) => typeof v === 'bigint' ? `${v}n` : v) ?? String(value);
    return text.length > most ? `[...]${text.slice(-most)}` : text;
}

/** Where events come from: a program, a stream. When it is lost, every wait for it fails at once. */
export class Source {
    #waits = new Set();

    /** No event will come any more, for this reason. */
    lose(error) {
        if (this.lost)
            return;
        this.lost = error;
        for (const wait of this.#waits)
            wait.fail(error.message, error);
    }

    /** What came last, for the message of a wait that failed. */
    seen() {
        return '';
    }

    /** Lost with that other source, too. */
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

const isTelling = value => ![undefined, null, false, ''].includes(value);
export const seenOf = from => typeof from === 'function' ? from() : from?.seen?.();

/** The promise. The wait fails when `from`, a Source, is lost; `from` may also be a function, or an object with
 * seen(), that returns what was seen last. */
export async function within(promise, what, from) {
    const wait = new Wait(what, () => seenOf(from), within);
    const source = from instanceof Source ? from : undefined;
    const all = [promise, wait.failed]; // in this order: a promise that is kept already is kept
    source?.join(wait);
    try {
        return await Promise.race(all);
    } finally {
        source?.leave(wait);
        pending.delete(wait);
    }
}

/** Waits until the function returns something true, and returns that: for what has no event. `from` as above; or
 * {is, from}: until is(value), and what was seen last is the value. */
export async function until(probe, what, from) {
    const {is = Boolean} = from ?? {};
    const source = from instanceof Source ? from : from?.from;
    let value, pause = 10; // ms; grows, because a probe may be a command or a question to a browser
    const wait = new Wait(what, () => [isTelling(value) && shown(value), seenOf(from), source !== from && seenOf(source)]
        .filter(Boolean).join('\n'), until);
    try {
        for (;;) {
            const {lost} = source ?? {}; // asked before the probe: what came before the end counts
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

/** Runs when the limit of the file is over and the process does not end: the last chance to end what it started. */
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
    }, LAST_WORDS_MS).unref();
    for (const wait of waits)
        wait.expire();
    if (!waits.length)
        throw new Error(`the file takes longer than ${FILE_MS / 1000} s, and waits for nothing that is known here`);
}

setTimeout(expire, FILE_MS - performance.now()).unref();

// ---- limits of the program

/** Whether this is `make timing`, on a machine that does nothing else. */
export const isTimed = process.env.MULTIVERSE_TIMING === '1';

/** A limit that the program promises (docs/spec). It depends on the speed of the machine, so that only `make timing`
 * holds the program to it; everywhere else the limit of the file ends what hangs. */
export function inTime(ms, most, what) {
    if (isTimed && !(ms <= most))
        throw new Error(`${what}: ${Math.round(ms)} ms, at most ${most} ms`);
}
