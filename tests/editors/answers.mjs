// Makes the answers of two editors comparable: ids and times are replaced, by the names of their
// keys; everything else must be equal, including the order of keys.
//
//     const a = answerOf(await client.call('undo'), '/tmp/a');  // {ok} | {error} | {thrown}
//     for (const {path, a, b} of differences(a, b)) ...  // [{path: '.ok.undone[0].name', a, b}]

const TIMES = new Set(['time', 'submitted_at', 'started_at', 'finished_at', 'duration_ms',
    'elapsed_ms', 'uptime_ms',
    'connected_ms']);
const IDS = new Set(['request_id', 'job_id', 'cursor', 'client_request_id']);

/** Integers that a double cannot represent keep their digits; `context` exists from Node 21 on. */
const exact = (key, value, context) => Number.isInteger(value) && !Number.isSafeInteger(value)
    ? `the integer ${/^-?\d+$/.test(context?.source ?? '') ? context.source : BigInt(value)}` : value;

function blot(value, key, folder) {
    if (TIMES.has(key) && value !== null)
        return '<time>';
    if (IDS.has(key) && typeof value === 'string')
        return '<id>';
    if (typeof value === 'string')
        return value.replaceAll(folder, '<project>').replace(/\b(req|job)-[0-9a-z]+-\d+\b/g, '<id>');
    if (Array.isArray(value))
        return value.map(item => blot(item, '', folder));
    if (value !== null && typeof value === 'object')
        return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, blot(v, k, folder)]));
    return value;
}

/** A tool's answer by an editor of the project in `folder`. */
export function answerOf(result, folder) {
    const content = blot(JSON.parse(result.content[0].text, exact), '', folder);
    return result.isError ? {error: content} : {ok: content};
}

/** The client itself failed: the answer does not match the schema, or there was none. */
export const thrown = (error, folder) => ({thrown: blot(error.message, '', folder)});

const isObject = value => value !== null && typeof value === 'object';

/** The differences of two values: [{path, a, b}], undefined for a missing one. */
export function differences(a, b, path = '') {
    if (a === b) // 0 and -0, too: Unity does not treat one as a change of the other
        return [];
    if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b))
        return [{path, a, b}];
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    const at = Array.isArray(a) ? name => `${path}[${name}]` : name => `${path}.${name}`;
    const list = names.flatMap(name => differences(a[name], b[name], at(name)));
    const order = value => Object.keys(value).join(', ');
    if (!list.length && order(a) !== order(b))
        list.push({path: `${path} (order)`, a: order(a), b: order(b)});
    return list;
}
