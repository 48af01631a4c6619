// read_console of both editors compared with a model: the result follows from the whole list, the
// filters and the page (docs/spec/15-editor-tools.md).
import assert from 'node:assert/strict';

import {ok} from '../fixtures/bridge.mjs';
import {eachEditor, openProject, refused} from '../fixtures/unity.mjs';

const WHOLE = {max_entries: 2000, deduplicate: false, stack_trace_lines: 100};
const read = async (client, args = {}) => ok(await client.call('read_console', args));

/** Add lines of all kinds, some of them duplicates: from the game, or the headless editor's own
 * warnings and edits. */
async function fill(client, unity) {
    if (unity) {
        const LINES = [['log', 'first'], ['log', 'first'], ['log', 'first'], ['warning', 'careful: x'],
            ['error', 'wrong\nsecond line'], ['log', 'first'], ['assert', 'must hold'], ['exception', 'Boom'],
            ['exception', 'Boom'], ['warning', 'careful: y'], ['log', 'Zo\u00eb \u2603 \u{1f600}'],
            ['log', '']];
        for (const [type, message] of LINES)
            await unity.command('log', {type, message});
        return;
    }
    for (const mass of [2, 3, 2, 3])
        await client.update('/Player', 1, {mass});
    await client.openScene('WorkshopScene');
    await client.openScene('GameScene');
    await client.add('/Enemy', 'BoxCollider');
}

/** The expected result, without the cursor. */
function model(all, args) {
    const {max_entries = 10, log_type, message_pattern, stack_trace_lines = 1, deduplicate = true,
        offset = 0} = args;
    const matching = all.filter(({message}) => !message_pattern || new RegExp(message_pattern,
        'iu').test(message));
    const type_summary = {log: 0, warning: 0, error: 0, assert: 0, exception: 0};
    for (const {type} of matching)
        type_summary[type]++;
    const list = [];
    for (const entry of matching.filter(({type}) => !log_type || log_type.includes(type))) {
        const last = list.at(-1);
        if (deduplicate && last?.type === entry.type && last.message === entry.message)
            last.count = (last.count ?? 1) + 1;
        else
            list.push({...entry});
    }
    const entries = list.slice(offset, offset + max_entries).map(entry => {
        const lines = entry.stack_trace?.split('\n').slice(0, stack_trace_lines);
        const {stack_trace, ...rest} = entry;
        return lines?.length ? {...rest, stack_trace: lines.join('\n')} : rest;
    });
    const end = Math.min(list.length, offset + max_entries), truncated = end < list.length;
    return {
        entries, count: entries.length, total_count: list.length, truncated, type_summary,
        ...(truncated ? {next_offset: end} : {}),
    };
}

eachEditor('read_console returns what follows from the whole list, the filters and the page',
    async (t, editor) => {
    const {client, unity} = await openProject(t, {editor});
    await fill(client, unity);
    const {entries: all} = await read(client, WHOLE);
    assert.ok(all.length > 5, JSON.stringify(all));
    const ARGS = [
        {}, {max_entries: 0}, {max_entries: 1}, {max_entries: 3}, {max_entries: 2000}, {deduplicate: false},
        {max_entries: 3, offset: 2}, {max_entries: 3, offset: 1000},
        {max_entries: 2, offset: 1, deduplicate: false},
        {log_type: ['log']}, {log_type: ['warning', 'error']}, {log_type: ['exception']}, {log_type: []},
        {log_type: ['assert', 'log'], deduplicate: false, max_entries: 4},
        {message_pattern: 'FIRST'}, {message_pattern: '^careful'}, {message_pattern: 'x|y$'},
        {message_pattern: 'no such line'},
        {message_pattern: '[a-f]o'}, {message_pattern: 'a', log_type: ['warning']},
        {message_pattern: '.', offset: 1},
        {stack_trace_lines: 0}, {stack_trace_lines: 1}, {stack_trace_lines: 3, max_entries: 50},
        {message_pattern: ''}, {message_pattern: '\\/(Player|Enemy)', max_entries: 1},
    ];
    for (const args of ARGS)
        await t.test(JSON.stringify(args), async () => {
            const {cursor, ...answer} = await read(client, args);
            assert.ok(cursor.length > 0);
            assert.deepEqual(answer, model(all, args));
        });

    await t.test('pages follow each other', async () => {
        const pages = [];
        for (let offset = 0; offset !== undefined;) {
            const page = await read(client, {max_entries: 2, offset, stack_trace_lines: 100});
            pages.push(...page.entries);
            offset = page.next_offset;
        }
        assert.deepEqual(pages, model(all, {max_entries: 2000, stack_trace_lines: 100}).entries);
    });

    await t.test('a cursor returns only later lines', async () => {
        const {cursor} = await read(client, {max_entries: 0});
        assert.deepEqual((await read(client, {...WHOLE, since: cursor})).entries, []);
        if (unity)
            await unity.command('log', {type: 'warning', message: 'one more'});
        else
            await client.update('/Player', 1, {mass: 9});
        const {entries, total_count} = await read(client, {...WHOLE, since: cursor});
        assert.deepEqual([entries.length, total_count], [1, 1], JSON.stringify(entries));
        assert.equal((await read(client, {max_entries: 1})).entries[0].message, entries[0].message);
    });

    await t.test('an invalid cursor', async () => {
        for (const since of ['', 'x', '-1', '5', 'zz-', '\u2603-1'])
            refused(await client.call('read_console', {since}), 'ERR_INVALID_PARAMS');
        const {cursor} = await read(client, {max_entries: 0});
        const other = cursor.replace(/^./,
            c => c === '0' ? '1' : '0'); // of an earlier run: older than everything
        assert.equal((await read(client, {...WHOLE, since: other})).entries.length,
            (await read(client, WHOLE)).entries.length);
    });
});
