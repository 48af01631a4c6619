// The logic of the tooling window: history, diff, shares, places, secrets, completion.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {readFileSync} from 'node:fs';

import {countChanges, diffLines, foldRows} from '../../web/src/windows/tooling/diff.ts';
import {suggest} from '../../web/src/windows/tooling/hints.ts';
import {changeOf, History} from '../../web/src/windows/tooling/history.ts';
import {offsetOf, placeOf} from '../../web/src/windows/tooling/places.ts';
import {memberAt, modelsOf, shapeAt, SHAPES} from '../../web/src/windows/tooling/schema.ts';
import {isSecret, secretRanges} from '../../web/src/windows/tooling/secrets.ts';
import {plainShares, roundWeight, shares, sliderEnd} from '../../web/src/windows/tooling/shares.ts';

const source = name => readFileSync(new URL(`../../src/${name}`, import.meta.url), 'utf8');

describe('history', () => {
    test('undoes and redoes every step', () => {
        const h = new History(),
            texts = ['', 'a', 'ab', 'b', 'b\u{1f600}', 'b\u{1f601}', 'x'.repeat(50)];
        for (let i = 1; i < texts.length; i++) h.push(texts[i - 1], texts[i]);
        let now = texts.at(-1);
        for (let i = texts.length - 2; i >= 0; i--) {
            assert.ok(h.canUndo);
            now = h.undo(now);
            assert.equal(now, texts[i]);
        }
        assert.ok(!h.canUndo);
        assert.equal(h.undo(now), now);
        for (let i = 1; i < texts.length; i++) now = h.redo(now);
        assert.deepEqual([now, h.canRedo], [texts.at(-1), false]);
    });

    test('merges a group until it is sealed or undone', () => {
        const h = new History();
        h.push('w 1', 'w 2', 'weight');
        h.push('w 2', 'w 30', 'weight');
        h.seal();
        h.push('w 30', 'w 4', 'weight');
        assert.equal(h.undo('w 4'), 'w 30');
        h.push('w 30', 'w 5', 'weight');
        assert.ok(!h.canRedo);
        assert.equal(h.undo('w 5'), 'w 30');
        assert.equal(h.undo('w 30'), 'w 1');
        assert.ok(!h.canUndo);
    });

    test('a group without a net change is not a step', () => {
        const h = new History();
        h.push('a', 'b', 'g');
        h.push('b', 'a', 'g');
        assert.ok(!h.canUndo);
    });

    test('has a limited length', () => {
        const h = new History();
        let text = '';
        for (let i = 0; i < 3000; i++) h.push(text, (text += 'x'));
        let steps = 0;
        for (; h.canUndo; steps++) text = h.undo(text);
        assert.ok(steps >= 100 && steps <= 1000, `${steps}`);
    });

    test('a change never splits a character', () => {
        const {removed, inserted} = changeOf('a\u{1f600}b', 'a\u{1f601}b');
        assert.deepEqual([removed, inserted], ['\u{1f600}', '\u{1f601}']);
    });
});

describe('diff', () => {
    const apply = rows => ({
        before: rows.filter(r => r.kind !== 'new').map(r => r.text),
        after: rows.filter(r => r.kind !== 'gone').map(r => r.text),
    });

    test('contains both texts', () => {
        let seed = 7;
        const random = n => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
        for (let i = 0; i < 300; i++) {
            const text = () => Array.from({length: random(12)}, () => 'abcd'[random(4)]).join('\n');
            const a = text(),
                b = text(),
                rows = diffLines(a, b),
                lines = s => (s === '' ? [] : s.replace(/\n$/, '').split('\n'));
            assert.deepEqual(apply(rows), {before: lines(a), after: lines(b)});
            rows.filter(r => r.kind === 'same').forEach(r => assert.ok(r.old > 0 && r.new > 0));
        }
    });

    test('is minimal', () => {
        const rows = diffLines('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc');
        assert.deepEqual(countChanges(rows), {gone: 3, fresh: 2});
        assert.deepEqual(
            diffLines('a\nb', 'a\nb').map(r => r.kind),
            ['same', 'same'],
        );
    });

    test('has line numbers and removed lines before added ones', () => {
        assert.deepEqual(
            diffLines('1\n2\n3\n', '1\nx\n3\n').map(r => [r.kind, r.text, r.old, r.new]),
            [
                ['same', '1', 1, 1],
                ['gone', '2', 2, 0],
                ['new', 'x', 0, 2],
                ['same', '3', 3, 3],
            ],
        );
    });

    test('folds lines far from a change', () => {
        const lines = Array.from({length: 100}, (_, i) => `${i}`);
        const rows = foldRows(diffLines(lines.join('\n'), lines.with(50, 'x').join('\n')), 2);
        assert.deepEqual(
            rows.map(r => (r.kind === 'skip' ? r.count : r.kind)),
            [48, 'same', 'same', 'gone', 'new', 'same', 'same', 47],
        );
    });

    test('of large texts without common lines is fast', () => {
        const a = Array.from({length: 20_000}, (_, i) => `a${i}`).join('\n'),
            b = a.replaceAll('a', 'b');
        assert.deepEqual(countChanges(diffLines(a, b)), {gone: 20_000, fresh: 20_000});
    });
});

describe('shares', () => {
    test('are proportional to the weights of available candidates', () => {
        assert.deepEqual(
            shares('weighted', [
                {weight: 30, out: null},
                {weight: 10, out: null},
                {weight: 60, out: 'resting'},
            ]),
            [0.75, 0.25, 0],
        );
        assert.deepEqual(
            shares('weighted', [
                {weight: 0, out: null},
                {weight: 1e9, out: null},
            ]),
            [0, 1],
        );
        assert.deepEqual(shares('weighted', [{weight: 5, out: 'resting'}]), [0]);
        assert.deepEqual(plainShares('weighted', [3, 1]), [0.75, 0.25]);
    });
    test('follow the other strategies', () => {
        const all = [
            {weight: 9, out: 'resting'},
            {weight: 1, out: null},
            {weight: 5, out: null},
        ];
        assert.deepEqual(shares('priority', all), [0, 1, 0]);
        assert.deepEqual(shares('round_robin', all), [0, 0.5, 0.5]);
        assert.deepEqual(shares('least_recent', all), [0, null, null]);
        assert.deepEqual(shares('least_recent', all.slice(0, 2)), [0, 1]);
    });
    test('the largest slider value is not less than any weight', () => {
        assert.deepEqual(
            [[], [3, 100], [101], [250], [5000], [999_999_999]].map(w => sliderEnd(w)),
            [100, 100, 200, 500, 5000, 1e9],
        );
        // also for small fractions
        assert.deepEqual(
            [[0.5, 0.25], [1, 0.5], [1, 1], [0, 0], [12.5, 3], [0.02]].map(w => sliderEnd(w)),
            [0.5, 1, 100, 100, 20, 0.02],
        );
    });

    test('slider values are rounded', () => {
        const values = [
            [33.3, 100],
            [0.2512, 0.5],
            [0.5, 0.5],
            [3.337, 20],
            [123_456_789, 1e9],
            [1e9, 1e9],
            [499.6, 500],
            [0, 0.5],
        ];
        assert.deepEqual(
            values.map(([v, end]) => roundWeight(v, end)),
            [33, 0.25, 0.5, 3.3, 125_000_000, 1e9, 500, 0],
        );
    });
});

test('places and offsets convert both ways', () => {
    const text = 'ab\n\u{1f600}c\r\n\nlast';
    for (let i = 0; i <= text.length; i++)
        if (i !== 4)
            // inside a surrogate pair
            assert.equal(offsetOf(text, placeOf(text, i)), i);
    assert.deepEqual(placeOf(text, 5), {line: 2, column: 2});
    assert.equal(offsetOf(text, {line: 99, column: 1}), text.length);
    assert.equal(offsetOf(text, {line: 1, column: 99}), 2);
});

describe('secrets', () => {
    test('are detected by name and by value', () => {
        for (const [name, value] of [
            ['API_KEY', 'x'],
            ['authToken', 'x'],
            ['KEY2', 'x'],
            ['DB_PASSWORD', 'x'],
            ['OTHER', 'sk-abcdefghijklmnop'],
            ['URL', 'https://me:pass@host/'],
        ])
            assert.ok(isSecret(name, value), name);
        for (const [name, value] of [
            ['API_KEY', 'env:WORK_KEY'],
            ['API_KEY', ''],
            ['MAX_TOKENS', '5'],
            ['CODEX_HOME', '/var/me'],
            ['URL', 'https://host:80/a@b'],
        ])
            assert.ok(!isSecret(name, value), name);
    });
    test('are found in complete and incomplete texts', () => {
        const text =
            '{"a": {"env": {"API_KEY": "hush", "X": "y", "T_TOKEN": "env:A"}}, "API_KEY": "no env"';
        assert.deepEqual(
            secretRanges(text).map(([a, b]) => text.slice(a, b)),
            ['hush'],
        );
        assert.deepEqual(secretRanges('{"env": {"API_KEY": "hush", "Z": ').length, 1);
    });
});

describe('suggestions', () => {
    const labels = text =>
        suggest(text.replace('|', ''), text.indexOf('|'), {
            tools: [{value: 'mock', about: ''}],
            profiles: [],
        })?.options.map(o => o.label);

    test('of keys omit present ones in both spellings', () => {
        assert.deepEqual(
            labels('{"profiles":[{"categories":{"meta":{"cooldown_sec":1,"candidates":[],|}}}]}'),
            ['strategy', 'fallbackOnRateLimit'],
        );
    });

    test('of values depend on the place', () => {
        assert.deepEqual(labels('{"force":{"tool":"|"}}'), ['mock']);
        assert.deepEqual(labels('{"force":{"enabled":|}}'), ['true', 'false']);
        assert.deepEqual(
            labels('{"force":{"tool":"codex-cli","model":"|"}}'),
            modelsOf('codex-cli'),
        );
        assert.equal(labels('{"unknown":{"of":"|"}}'), undefined);
    });
});

describe('the table of keys', () => {
    test('is looked up by path in both spellings', () => {
        const at = ['profiles', 0, 'categories', 'worker'];
        assert.match(memberAt(['activeProfile']).about, /profile/);
        assert.equal(memberAt(['active_profile']), memberAt(['activeProfile']));
        assert.deepEqual(
            memberAt([...at, 'strategy']).values.map(v => v.value),
            ['weighted', 'round_robin', 'priority', 'least_recent'],
        );
        assert.equal(memberAt([...at, 'candidates', 3, 'tool']).values, 'tools');
        assert.deepEqual(
            Object.keys(
                shapeAt([...at, 'candidates', 3, 'toolSpecific'], 'openai-chat').members,
            ).sort(),
            ['base_url', 'max_tokens', 'reasoning_effort', 'temperature'],
        );
        assert.match(memberAt([...at, 'candidates', 0, 'env', 'ANYTHING']).about, /variable/);
        assert.equal(memberAt(['force', 'enabled']).type, 'true or false');
    });

    test('returns null for unknown paths', () => {
        for (const path of [
            ['x'],
            ['profiles', 'id'],
            ['profiles', 0, 'x', 'y'],
            ['constructor'],
            ['profiles', 0, 'toString'],
            [],
        ])
            assert.equal(memberAt(path), null, path.join('/'));
        assert.equal(shapeAt(['profiles']), null);
        assert.deepEqual(modelsOf('constructor'), []);
    });

    test('has the same names as the program', () => {
        const names = (file, list) =>
            [
                ...new RegExp(`${list}\\[\\] = \\{([^}]*)\\}`)
                    .exec(source(file))[1]
                    .matchAll(/"(\w+)"/g),
            ]
                .map(m => m[1])
                .sort();
        const mine = shape => Object.keys(SHAPES[shape].members).sort();
        const file = 'tooling/tooling_read.c';
        assert.deepEqual(mine('top'), names(file, 'top_names'));
        assert.deepEqual(mine('profile'), names(file, 'profile_names'));
        assert.deepEqual(mine('settings'), names(file, 'settings_names'));
        assert.deepEqual(mine('force'), names(file, 'candidate_names'));
        for (const tool of ['claude', 'codex', 'cursor', 'gemini', 'mock', 'openai']) {
            const options = /provider_option options\[\] = \{(.*?)\{0\}/s.exec(
                source(`agent/provider_${tool}.c`),
            )[1];
            const shape = Object.keys(SHAPES).find(s => s.startsWith(`toolSpecific:${tool}`));
            assert.deepEqual(
                mine(shape),
                [...options.matchAll(/\.name = "(\w+)"/g)].map(m => m[1]).sort(),
            );
            for (const m of options.matchAll(
                /\.name = "(\w+)",\s*\.kind = OPTION_CHOICE,\s*\.choices = "([^"]*)"/g,
            ))
                assert.deepEqual(
                    SHAPES[shape].members[m[1]].values.map(v => v.value),
                    m[2].split(' '),
                );
        }
    });
});
