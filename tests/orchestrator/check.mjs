// The audit: compares the store with the plan and with what really happened. Pure.
//
//     const {violations, counts} = audit(books);
//
// books = {
//   tasks:   [{name, needs, kind, final, isSpoiled, max}]                    the plan
//   lines:   task => {criteria: [text], numbered: [text]}               of a complete log
//   rows:    Map name -> {state, attempts, counted, attempt_list}            `task show --json`
//   logs:    Map "name/attempt" -> [{seq, text}]                             `task logs --json`
//   events:  [{task, kind, number, state}]                                   the feed, oldest first
//   record:  [{at, what, task, phase, pid, mark, more}]                          the probe's
//   followed: Map name -> [{attempt, seq, text}]                             `task logs -f --json`
//   sightings: [text]   two attempts of one task, seen alive at the same time
//   alive:   [text]     processes that are left
//   errors:  [text]     the standard error of the orchestrators
// }
const END_KINDS = {SUCCEEDED: 'succeeded', FAILED: 'failed', BLOCKED: 'blocked', CANCELLED: 'cancelled'};

export function audit(books) {
    const violations = [];
    const say = (rule, task, text) => violations.push(`${rule}: ${task ? `${task.name ?? task}: ` : ''}${text}`);
    const byTask = groupBy(books.record, line => line.task);
    const eventsOf = groupBy(books.events, event => event.task);
    for (const text of books.sightings)
        say('overlap', null, text);
    for (const text of books.alive)
        say('left alive', null, text);
    for (const text of books.errors)
        if (CRASH.test(text))
            say('crash', null, text.slice(0, 4000));
    for (const name of books.rows.keys())
        if (!books.tasks.some(task => task.name === name))
            say('tasks', name, 'unknown task');
    for (const task of books.tasks) {
        const row = books.rows.get(task.name);
        if (!row) {
            say('tasks', task, 'it is lost');
            continue;
        }
        const lines = byTask.get(task.name) ?? [];
        checkState(say, task, row, eventsOf.get(task.name) ?? []);
        checkAttempts(say, task, row);
        checkRecord(say, task, row, lines);
        checkNeeds(say, task, row, books, byTask);
        checkLogs(say, task, row, books, lines);
        checkFollowed(say, task, row, books);
    }
    return {violations, counts: count(books)};
}

function groupBy(list, key) {
    const groups = new Map();
    for (const item of list) {
        const k = key(item);
        groups.has(k) ? groups.get(k).push(item) : groups.set(k, [item]);
    }
    return groups;
}

/** The planned end, and one path of states to it. */
function checkState(say, task, row, events) {
    if (row.state !== task.final)
        say('final state', task, `${row.state} instead of ${task.final}: ${row.why ?? ''}`);
    // A task added below a failed one is blocked from the start. A task that was killed too often
    // is blocked, which is not final: a person may then cancel it.
    const kinds = events.map(e => e.kind === 'added' && e.state === 'BLOCKED' ? 'blocked' : e.kind)
        .filter(kind => Object.values(END_KINDS).includes(kind))
        .filter((kind, i, all) => !(kind === 'blocked' && all[i + 1] === 'cancelled'));
    if (kinds.length !== 1 || kinds[0] !== END_KINDS[task.final])
        say('once', task, `ended as ${kinds.join(', ') || 'nothing'}, planned ${task.final}`);
    const claims = events.filter(e => e.kind === 'claimed').length;
    if (claims !== row.attempt_list.length)
        say('claims', task, `${claims} claims, ${row.attempt_list.length} attempts`);
}

function checkAttempts(say, task, row) {
    const list = row.attempt_list;
    if (row.attempts !== list.length)
        say('attempts', task, `${row.attempts} made, ${list.length} listed`);
    list.forEach((a, i) => {
        if (a.number !== i + 1)
            say('attempts', task, `attempt ${a.number} is in the place of ${i + 1}`);
        if (!a.ended_at)
            say('attempts', task, `attempt ${a.number} never ended`);
        else if (time(a.ended_at) < time(a.started_at))
            say('attempts', task, `attempt ${a.number} ended before it began`);
        if (i && list[i - 1].ended_at && time(a.started_at) < time(list[i - 1].ended_at))
            say('overlap', task, `attempt ${a.number} began at ${a.started_at}, ${i} ended at ${list[i - 1].ended_at}`);
    });
    const good = list.filter(a => a.end === 'succeeded');
    if (good.length !== (task.final === 'SUCCEEDED' ? 1 : 0))
        say('once', task, `${good.length} attempts succeeded`);
    if (good.length === 1 && good[0] !== list.at(-1))
        say('once', task, `attempt ${good[0].number} succeeded, and there is a ${list.at(-1).number}`);
    if (task.isSpoiled && list.length)
        say('dependencies', task, `it ran ${list.length} times although a dependency never succeeded`);
    if (task.max && row.counted > task.max)
        say('attempts', task, `${row.counted} counted of ${task.max}`);
    if (task.kind === 'blocked' && row.counted !== task.max)
        say('attempts', task, `given up after ${row.counted} of ${task.max}`);
}

const time = text => Date.parse(text);

/** The probe's record: alone, in order, and the last line good where the task succeeded. */
function checkRecord(say, task, row, lines) {
    for (const line of lines)
        if (line.what === 'overlap' || line.what === 'outlived')
            say('overlap', task, `the ${line.phase} (pid ${line.pid}) was not alone`);
        else if (line.what === 'early')
            say('dependencies', task, `it ran before ${line.more} had ended`);
    const open = new Map(); // pid -> its start
    for (const line of lines) {
        if (line.what === 'start' && line.phase !== 'child')
            open.set(line.pid, line);
        if (line.what !== 'end')
            continue;
        const start = open.get(line.pid);
        open.delete(line.pid);
        if (!start || start.phase !== line.phase)
            say('record', task, `an end without a start (pid ${line.pid})`);
        else
            for (const other of lines)
                if (other.what === 'start' && other.phase !== 'child' && other !== start &&
                    other.at > start.at && other.at < line.at)
                    say('overlap', task, `pids ${line.pid} and ${other.pid} at the same time`);
    }
    if (task.final === 'SUCCEEDED' && !(lines.at(-1)?.phase === 'test' && lines.at(-1).more === 'good'))
        say('record', task, `it succeeded, but the last line is "${lines.at(-1)?.what} ${lines.at(-1)?.more}"`);
    if (task.isSpoiled && lines.length)
        say('dependencies', task, 'it ran although a dependency never succeeded');
}

/** By the store's clock and by the probe's. */
function checkNeeds(say, task, row, books, byTask) {
    const first = row.attempt_list[0];
    if (!first)
        return;
    const start = (byTask.get(task.name) ?? []).find(line => line.what === 'start');
    for (const name of task.needs) {
        const needed = books.rows.get(name);
        if (!needed?.ended_at || needed.state !== 'SUCCEEDED')
            say('dependencies', task, `it ran, and ${name} is ${needed?.state}`);
        else if (time(first.started_at) < time(needed.ended_at))
            say('dependencies', task, `claimed at ${first.started_at}, ${name} ended at ${needed.ended_at}`);
        const last = (byTask.get(name) ?? []).at(-1);
        if (start && last && last.at > start.at)
            say('dependencies', task, `something of ${name} happened after it had begun`);
    }
}

const CRASH = /Sanitizer|runtime error:|Assertion .* failed|core dumped/;
const CLOCK = /^\[[\d:]+\] +|^ +/;

/** Whether the last worker of the successful attempt was killed: its run may have continued without
 * it. */
function isCutOff(lines) {
    const test = lines.at(-1);
    return lines.findLast(line => line.phase === 'agent' && line.mark === test?.mark)?.what === 'start';
}

function checkLogs(say, task, row, books, record) {
    for (const a of row.attempt_list) {
        const pieces = books.logs.get(`${task.name}/${a.number}`) ?? [];
        if (pieces.length !== a.log_pieces)
            say('log', task, `attempt ${a.number}: ${pieces.length} pieces, its row has ${a.log_pieces}`);
        const hole = pieces.findIndex((p, i) => p.seq !== i + 1);
        if (hole >= 0)
            say('log', task, `attempt ${a.number}: piece ${pieces[hole].seq} is in the place of ${hole + 1}`);
        const lines = pieces.map(p => p.text).join('').split('\n').map(line => line.replace(CLOCK, ''));
        const crash = lines.find(line => CRASH.test(line));
        if (crash)
            say('crash', task, `attempt ${a.number}: ${crash}`);
        checkLines(say, task, a, lines, books.lines(task), isCutOff(record));
    }
}

const isPart = (list, whole) => list.every((line, i) =>
    i + 1 < list.length ? whole[i] === line : whole[i]?.startsWith(line));
const isWhole = (list, whole) => list.length === whole.length && list.every((line, i) => whole[i] === line);

/** The output of each worker: when one dies, another takes its place in the same attempt. */
function splitWorkers(lines) {
    const all = [];
    for (const line of lines)
        if (/^worker \d+ of \d+: /.test(line))
            all.push([]);
        else if (line.startsWith('said '))
            (all.length ? all : [all[0] = []]).at(-1).push(line);
    return all;
}

/** The numbered lines of a successful attempt are complete; after a kill they are a beginning. */
function checkLines(say, task, a, lines, wanted, isCut) {
    const criteria = lines.filter(line => /^AC-\d+: criterion /.test(line));
    const parts = splitWorkers(lines);
    const last = a.end === 'succeeded' && !isCut ? parts.pop() ?? [] : null;
    const bad = (what, list, whole) => say('log', task, `attempt ${a.number}: of the ${what} ${list.length} of ` +
        `${whole.length} lines, the first wrong one: ${JSON.stringify(list.find((line, i) => line !== whole[i]))}`);
    if (!(a.end === 'succeeded' ? isWhole : isPart)(criteria, wanted.criteria))
        bad('criteria', criteria, wanted.criteria);
    if (last && !isWhole(last, wanted.numbered))
        bad('last worker', last, wanted.numbered);
    for (const list of parts)
        if (!isPart(list, wanted.numbered))
            bad('worker', list, wanted.numbered);
    const ending = {succeeded: 'COMPLETE', failed: a.exit_code === 1 ? 'FAILED' : ''}[a.end] ?? '';
    if (!lines.some(line => line.startsWith(ending)))
        say('log', task, `attempt ${a.number} ${a.end}, its log has no end: ${JSON.stringify(lines.slice(-3))}`);
}

/** A follower sees exactly what is stored afterwards. */
function checkFollowed(say, task, row, books) {
    const seen = books.followed.get(task.name);
    if (!seen)
        return;
    const text = list => list.map(p => `${p.attempt}/${p.seq} ${p.text}`).join('');
    const first = Math.min(...seen.map(p => p.attempt));
    const there = row.attempt_list.filter(a => a.number >= first).flatMap(a =>
        (books.logs.get(`${task.name}/${a.number}`) ?? []).map(p => ({...p, attempt: a.number})));
    if (text(seen) !== text(there))
        say('followed log', task, `${seen.length} pieces were seen, ${there.length} are there`);
}

function count(books) {
    const attempts = [...books.rows.values()].flatMap(row => row.attempt_list);
    const ends = {};
    for (const a of attempts)
        ends[a.end || 'none'] = (ends[a.end || 'none'] ?? 0) + 1;
    const pieces = [...books.logs.values()].reduce((sum, list) => sum + list.length, 0);
    return {tasks: books.rows.size, attempts: attempts.length, ends, pieces, events: books.events.length,
        record: books.record.length};
}

/** Parse the probe's file. */
export function readRecord(text) {
    return text.split('\n').filter(Boolean).map(line => {
        const [at, what, task, phase, pid, mark, ...more] = line.split(' ');
        return {at: BigInt(at), what, task, phase, pid: Number(pid), mark, more: more.join(' ')};
    });
}
