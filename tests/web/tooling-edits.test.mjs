// Edits of tooling.json: everything else stays unchanged, byte for byte.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {readFileSync} from 'node:fs';

import * as changes from '../../web/src/windows/tooling/changes.ts';
import {
    insertItem,
    moveItem,
    parse,
    removeAt,
    renameKey,
    setValue,
    sourceAt,
    toPath,
    toPointer,
} from '../../web/src/windows/tooling/json_text.ts';
import {readDraft, settingsOf} from '../../web/src/windows/tooling/model.ts';

const DEFAULT = readFileSync(
    new URL('../../src/tooling/data/tooling.json', import.meta.url),
    'utf8',
);

/** Return the lines in which two texts differ. */
function changedLines(before, after) {
    const a = before.split('\n'),
        b = after.split('\n');
    return {gone: a.filter(l => !b.includes(l)), fresh: b.filter(l => !a.includes(l))};
}

const candidate = (text, category = 'worker', index = 0, profile = 0) =>
    readDraft(text).profiles[profile].categories[category].candidates[index];
const category = (text, name = 'worker', profile = 0) =>
    readDraft(text).profiles[profile].categories[name];

describe('a value', () => {
    test('is replaced without other changes', () => {
        const out = changes.setCandidate(DEFAULT, candidate(DEFAULT), 'weight', 61);
        assert.deepEqual(changedLines(DEFAULT, out), {
            gone: ['            { "tool": "codex-cli", "model": "gpt-5.2-codex", "weight": 60 },'],
            fresh: ['            { "tool": "codex-cli", "model": "gpt-5.2-codex", "weight": 61 },'],
        });
    });

    test('is added last in the style of its neighbours', () => {
        assert.equal(setValue('{"a":1}', ['b'], 2), '{"a":1, "b":2}');
        assert.equal(setValue('{"a" : 1,"c" : 3}', ['b'], 'x'), '{"a" : 1,"c" : 3,"b" : "x"}');
        assert.equal(
            setValue('{\n\t"a": 1\n}\n', ['b'], [1, 2]),
            '{\n\t"a": 1,\n\t"b": [1, 2]\n}\n',
        );
        assert.equal(
            setValue('{\r\n  "a": 1\r\n}\r\n', ['b'], true),
            '{\r\n  "a": 1,\r\n  "b": true\r\n}\r\n',
        );
        assert.equal(setValue('{}', ['a'], 1), '{"a": 1}');
        assert.equal(setValue('{\n}', ['a'], 1), '{\n  "a": 1\n}');
        assert.equal(
            setValue('{ "x": { "y": 1 } }', ['x', 'z'], {}),
            '{ "x": { "y": 1, "z": {} } }',
        );
    });

    test('is added with its missing parents', () => {
        assert.deepEqual(JSON.parse(setValue('{"a": 1}', ['b', 'c', 'd'], 5)), {
            a: 1,
            b: {c: {d: 5}},
        });
        assert.deepEqual(JSON.parse(setValue('{"b": null}', ['b', 'c'], 5)), {b: {c: 5}});
        assert.deepEqual(JSON.parse(setValue('{}', ['list', 0], 'x')), {list: ['x']});
    });

    test('is removed with its comma', () => {
        const text = '{\n  "a": 1,\n  "b": {"x": [1, 2]},\n  "c": 3\n}';
        assert.equal(removeAt(text, ['a']), '{\n  "b": {"x": [1, 2]},\n  "c": 3\n}');
        assert.equal(removeAt(text, ['b']), '{\n  "a": 1,\n  "c": 3\n}');
        assert.equal(removeAt(text, ['c']), '{\n  "a": 1,\n  "b": {"x": [1, 2]}\n}');
        assert.equal(
            removeAt(text, ['b', 'x', 0]),
            '{\n  "a": 1,\n  "b": {"x": [2]},\n  "c": 3\n}',
        );
        assert.equal(removeAt('{ "a": 1 }', ['a']), '{}');
        assert.equal(removeAt(text, ['nothing']), text);
    });

    test('is escaped correctly', () => {
        const name = 'a"b\\c/~ \u0001 \u202e 名',
            text = setValue('{}', [name], {[name]: name});
        assert.deepEqual(JSON.parse(text), {[name]: {[name]: name}});
        assert.deepEqual(JSON.parse(setValue(text, [name, name], 5)), {[name]: {[name]: 5}});
        assert.deepEqual(toPath(toPointer(['a/b', '~', 0]), null), ['a/b', '~', '0']);
    });
});

test('a byte order mark is the only reported error', () => {
    assert.deepEqual(
        parse('\ufeff{"a": }').faults.map(f => [f.offset, f.message]),
        [[0, 'remove the byte order mark: JSON does not allow it']],
    );
    assert.equal(parse('\ufeff{}').root, null);
});

test('an invalid text is returned unchanged', () => {
    for (const text of [
        '',
        '{',
        '{"a": }',
        '[1,]',
        '{"a": 1} x',
        '// no\n{}',
        '['.repeat(100_000),
    ]) {
        assert.ok(parse(text).faults.length > 0, text.slice(0, 20));
        assert.equal(setValue(text, ['a'], 1), text);
        assert.equal(removeAt(text, ['a']), text);
        assert.equal(insertItem(text, [], 0, 1), text);
        assert.equal(moveItem(text, [], 0, 1), text);
        assert.equal(renameKey(text, ['a'], 'b'), text);
        assert.equal(sourceAt(text, ['a']), null);
        assert.equal(readDraft(text), null);
    }
});

describe('candidates', () => {
    test('are added on one line like the others', () => {
        const gemini = '"tool": "gemini-cli", "model": "gemini-3-flash-preview"';
        const last = `            { ${gemini}, "weight": 15 }`;
        const out = changes.addCandidate(DEFAULT, category(DEFAULT), {
            tool: 'mock',
            model: 'm',
            weight: 5,
        });
        assert.deepEqual(changedLines(DEFAULT, out), {
            gone: [last],
            fresh: [`${last},`, '            { "tool": "mock", "model": "m", "weight": 5 }'],
        });
    });

    test('are added on several lines like the others', () => {
        const text = JSON.stringify(JSON.parse(DEFAULT), null, 4);
        const out = changes.addCandidate(text, category(text), {tool: 'mock', weight: 5});
        const added = JSON.parse(DEFAULT);
        added.profiles[0].categories.worker.candidates.push({tool: 'mock', weight: 5});
        assert.equal(out, JSON.stringify(added, null, 4));
    });

    test('are added to an empty or missing list', () => {
        for (const meta of [
            '{}',
            '{ "candidates": [] }',
            '{"candidates":null}',
            '{"candidates": [ ], "x": 1}',
        ]) {
            const text = `{"profiles":[{"id":"x","categories":{"meta":${meta}}}]}`;
            const out = changes.addCandidate(text, category(text, 'meta'), {tool: 'mock'});
            assert.deepEqual(
                JSON.parse(out).profiles[0].categories.meta.candidates,
                [{tool: 'mock'}],
                out,
            );
        }
    });

    test('are added to a file of one line', () => {
        const text = JSON.stringify(JSON.parse(DEFAULT));
        const out = changes.addCandidate(text, category(text), {tool: 'mock', weight: 5});
        assert.ok(!out.includes('\n'));
        assert.deepEqual(candidate(out, 'worker', 3).tool, 'mock');
    });

    test('are moved with all their members', () => {
        const text = setValue(DEFAULT, [...candidate(DEFAULT).path, 'unknown'], {keep: [1]});
        const out = changes.moveCandidate(text, category(text), 0, 2);
        assert.deepEqual(
            category(out).candidates.map(c => c.tool),
            ['claude-code', 'gemini-cli', 'codex-cli'],
        );
        assert.deepEqual(JSON.parse(out).profiles[0].categories.worker.candidates[2].unknown, {
            keep: [1],
        });
        assert.equal(changes.moveCandidate(out, category(out), 2, 0), text);
        assert.equal(changes.moveCandidate(text, category(text), 0, 9), text);
    });

    test('are removed', () => {
        const out = changes.removeCandidate(DEFAULT, category(DEFAULT), 1);
        assert.deepEqual(
            category(out).candidates.map(c => c.tool),
            ['codex-cli', 'gemini-cli'],
        );
        assert.deepEqual(changedLines(DEFAULT, out).fresh, []);
    });

    test('empty values are omitted', () => {
        let out = changes.setOptional(DEFAULT, candidate(DEFAULT), 'cliPath', '/opt/codex');
        out = changes.setOptional(out, candidate(out), 'flags', ['--a', '--b']);
        assert.match(out, /"weight": 60, "cliPath": "\/opt\/codex", "flags": \["--a", "--b"\] \}/);
        out = changes.setOptional(out, candidate(out), 'flags', []);
        out = changes.setOptional(out, candidate(out), 'cliPath', '');
        assert.equal(out, DEFAULT);
    });

    test('variables are added, renamed in place and removed', () => {
        let out = changes.setVariable(DEFAULT, candidate(DEFAULT), 'A', 'env:B');
        out = changes.setVariable(out, candidate(out), 'C', 'd');
        out = changes.renameVariable(out, candidate(out), 'A', 'Z');
        assert.deepEqual(candidate(out).env, [
            ['Z', 'env:B'],
            ['C', 'd'],
        ]);
        assert.equal(
            changes.renameVariable(out, candidate(out), 'Z', 'C'),
            out,
            'duplicate names are invalid',
        );
        out = changes.removeVariable(out, candidate(out), 'Z');
        out = changes.removeVariable(out, candidate(out), 'C');
        assert.equal(out, DEFAULT);
    });
});

describe('categories', () => {
    const without = removeAt(DEFAULT, ['profiles', 0, 'categories', 'worker']);

    test("without settings use meta's or get a copy of them", () => {
        const profile = readDraft(without).profiles[0];
        assert.equal(profile.categories.worker, undefined);
        assert.equal(settingsOf(profile, 'worker'), profile.categories.meta);
        const out = changes.addSettings(without, profile, 'worker', 'mock');
        const {meta, worker} = JSON.parse(out).profiles[0].categories;
        assert.deepEqual(worker, meta);
        assert.equal(changes.removeSettings(out, category(out)), without);
        assert.ok(
            out.includes('        "worker": {\n          "strategy": "weighted",\n'),
            'indented correctly',
        );
    });

    test('start with one candidate if meta has no settings', () => {
        const plan = '{"candidates": [{"tool": "mock"}]}';
        const text = `{"profiles": [{"id": "a", "categories": {"plan": ${plan}}}]}`;
        const profile = readDraft(text).profiles[0];
        assert.equal(settingsOf(profile, 'worker'), null);
        const out = changes.addSettings(text, profile, 'worker', 'mock');
        assert.deepEqual(JSON.parse(out).profiles[0].categories.worker, {
            strategy: 'weighted',
            candidates: [{tool: 'mock', weight: 1}],
        });
    });

    test('settings keep the spelling of the file', () => {
        const meta = '{"cooldown_sec": 5, "candidates": [{"tool": "mock"}]}';
        const text = `{"profiles": [{"id": "a", "categories": {"meta": ${meta}}}]}`;
        let out = changes.setSetting(text, category(text, 'meta'), 'cooldownSec', 7);
        out = changes.setSetting(out, category(out, 'meta'), 'fallbackOnRateLimit', false);
        assert.deepEqual(JSON.parse(out).profiles[0].categories.meta, {
            cooldown_sec: 7,
            candidates: [{tool: 'mock'}],
            fallback_on_rate_limit: false,
        });
        assert.equal(category(out, 'meta').fallback, false);
        assert.equal(category(out, 'meta').cooldownSec, 7);
    });
});

describe('profiles and force mode', () => {
    test('the first profile is active unless another is named', () => {
        assert.equal(readDraft(DEFAULT).active, 'balanced');
        assert.equal(readDraft(changes.setActive(DEFAULT, 'fast')).active, 'fast');
        const text = removeAt(DEFAULT, ['activeProfile']);
        assert.equal(readDraft(text).active, 'balanced');
        assert.equal(JSON.parse(changes.setActive(text, 'fast')).activeProfile, 'fast');
    });

    test('force keeps its other members', () => {
        const text = '{"profiles": [], "force": {"flags": ["-x"], "tool": "mock"}}';
        assert.deepEqual(
            JSON.parse(changes.setForce(text, {enabled: true, tool: 'codex-cli', model: 'm'}))
                .force,
            {flags: ['-x'], tool: 'codex-cli', enabled: true, model: 'm'},
        );
        assert.deepEqual(
            JSON.parse(changes.setForce('{}', {enabled: true, tool: 'mock', model: ''})).force,
            {enabled: true, tool: 'mock', model: ''},
        );
    });

    test('a copy gets its own id and the last profile cannot be removed', () => {
        const model = readDraft(DEFAULT);
        const id = changes.freeId(model, 'fast');
        const out = changes.copyProfile(DEFAULT, model.profiles[1], id, 'Fast too');
        const now = readDraft(out);
        assert.deepEqual(
            now.profiles.map(p => [p.id, p.name]),
            [
                ['balanced', 'Balanced'],
                ['fast', 'Fast'],
                ['fast-2', 'Fast too'],
            ],
        );
        assert.deepEqual(
            JSON.parse(out).profiles[2].categories,
            JSON.parse(out).profiles[1].categories,
        );
        assert.equal(changes.removeProfile(out, now, now.profiles[2]), DEFAULT);
        const one = changes.removeProfile(DEFAULT, model, model.profiles[0]);
        assert.deepEqual([readDraft(one).active, readDraft(one).profiles.length], ['fast', 1]);
        assert.equal(changes.removeProfile(one, readDraft(one), readDraft(one).profiles[0]), one);
    });
});

test('the valid part of a draft is read', () => {
    assert.equal(readDraft('[]'), null);
    const odd = readDraft(
        JSON.stringify({
            profiles: [
                5,
                {
                    id: 7,
                    categories: {
                        meta: {
                            candidates: [
                                null,
                                {
                                    tool: 3,
                                    weight: -4,
                                    flags: ['a', 1],
                                    env: {A: 1, __proto__x: 'y'},
                                },
                            ],
                            strategy: 'x',
                            cooldownSec: '1',
                        },
                        nope: {},
                    },
                },
            ],
            force: [],
        }),
    );
    assert.deepEqual([odd.active, odd.profiles.length], ['', 2]);
    const {meta} = odd.profiles[1].categories;
    assert.deepEqual([meta.strategy, meta.cooldownSec, meta.candidates.length], ['x', 120, 2]);
    assert.deepEqual(
        [meta.candidates[1].tool, meta.candidates[1].weight, meta.candidates[1].flags],
        ['', 1, ['a', '1']],
    );
    assert.deepEqual(meta.candidates[1].env, [
        ['A', ''],
        ['__proto__x', 'y'],
    ]);
});
