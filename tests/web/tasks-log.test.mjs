// A log in pieces becomes lines, rows and matches.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {LogLines, MOST_LINES, applySgr} from '../../web/src/windows/tasks/log.ts';
import {rowStarts, LogRows, splitRow, UNWRAPPED} from '../../web/src/windows/tasks/log_rows.ts';
import {compileQuery, Matches, MOST_MATCHES} from '../../web/src/windows/tasks/matches.ts';

/** Return the log of these pieces; piece i (from 1) arrives at time 100 * i. */
function logOf(...texts) {
    const log = new LogLines();
    texts.forEach((text, i) => log.push({seq: i + 1, at: (i + 1) * 100, text}));
    return log;
}

/** Return all ways to split a text into two pieces. */
const cuts = text =>
    Array.from({length: text.length + 1}, (_, i) => [text.slice(0, i), text.slice(i)]);

describe('lines', () => {
    test('do not depend on the boundaries of pieces', () => {
        const text =
            'one\n\ntwo \u{1f600} 二\r\nthree\rfour\x1b[31mred\x1b[0m\x1b]0;title\x07!\nlast';
        const expected = logOf(text);
        assert.deepEqual(expected.lines, [
            'one',
            '',
            'two \u{1f600} 二',
            'three',
            'fourred!',
            'last',
        ]);
        for (const parts of cuts(text)) {
            const log = logOf(...parts);
            assert.deepEqual(log.lines, expected.lines, JSON.stringify(parts));
            assert.deepEqual(
                [...log.spans].map(([line, spans]) => [
                    line,
                    spans.map(s => log.lines[line].slice(s.start, s.end)).join(''),
                ]),
                [[4, 'red']],
                JSON.stringify(parts),
            );
            assert.equal(log.text, text);
        }
        assert.deepEqual(logOf(...text).lines, expected.lines);
    });

    test('have the time of the piece in which they start', () => {
        assert.deepEqual(logOf('a', 'b\nc', '\nd').times, [100, 200, 300]);
    });

    test('a duplicate piece is ignored', () => {
        const log = logOf('a\n', 'b\n');
        log.push({seq: 2, at: 5, text: 'b\n'});
        assert.deepEqual(log.lines, ['a', 'b']);
    });

    test('there is no line after the last line end', () => {
        assert.deepEqual(logOf('a\n').lines, ['a']);
        assert.deepEqual(logOf('').lines, []);
        assert.deepEqual(logOf('\n\n').lines, ['', '']);
    });

    test('a carriage return at the end of the log ends the line', () => {
        const log = logOf('a\r');
        log.end(1);
        log.push({seq: 2, at: 2, text: 'b'});
        assert.deepEqual(log.lines, ['a', 'b']);
    });

    test('the oldest lines beyond the limit are dropped and counted', () => {
        const log = logOf('x\n'.repeat(MOST_LINES), 'y\n'.repeat(MOST_LINES / 4));
        assert.equal(log.lines.length + log.dropped, MOST_LINES * 1.25);
        assert.ok(log.lines.length <= MOST_LINES * 1.2);
        assert.equal(log.lines.at(-1), 'y');
    });
});

describe('terminal codes', () => {
    const CODES = [
        ['\x1b[1;31mA\x1b[0mB', 'AB', [{colour: 2, bold: true, start: 0, end: 1}]],
        ['\x1b[92mA\x1b[39mB', 'AB', [{colour: 11, start: 0, end: 1}]],
        ['\x1b[38;5;4mA\x1b[mB', 'AB', [{colour: 5, start: 0, end: 1}]],
        ['\x1b[38;5;200mA', 'A', []],
        ['\x1b[38;2;1;2;3mA\x1b[4mB', 'AB', [{underline: true, start: 1, end: 2}]],
        ['\x1b[2K\x1b[1A\x1b[?25lA', 'A', []],
        ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link', []],
        ['\x1b(BA\x1bcB', 'AB', []],
    ];
    for (const [text, plain, spans] of CODES)
        test(JSON.stringify(text), () => {
            const log = logOf(text);
            assert.equal(log.lines.join('\n'), plain);
            const got = (log.spans.get(0) ?? []).map(s =>
                Object.fromEntries(Object.entries(s).filter(([k, v]) => v || k === 'start')),
            );
            assert.deepEqual(got, spans);
        });

    test('colours continue on the next line', () => {
        const log = logOf('\x1b[31ma\nb\x1b[0m\nc');
        assert.deepEqual([...log.spans.keys()], [0, 1]);
    });

    test('an unterminated code is text', () => {
        const log = logOf('\x1b]' + 'x'.repeat(1000) + '\nnext');
        assert.match(log.lines[0], /^\x1b\]xxx/);
        assert.equal(log.lines[1], 'next');
        const incomplete = logOf('\x1b[3');
        assert.deepEqual(incomplete.lines, []);
        incomplete.end(1);
        assert.deepEqual(incomplete.lines, ['\x1b[3']);
    });

    test('unknown codes are ignored', () => {
        const style = {colour: 2, bold: true, dim: false, italic: false, underline: false};
        assert.deepEqual(applySgr(style, '77;999;'), {...style, colour: 0, bold: false});
        assert.deepEqual(applySgr(style, '77;999'), style);
    });
});

describe('rows', () => {
    test('break at the width and never inside a character', () => {
        assert.deepEqual(rowStarts('abcdefgh', 3), [0, 3, 6]);
        assert.deepEqual(rowStarts('', 3), [0]);
        assert.deepEqual(rowStarts('abc', 3), [0]);
        assert.deepEqual(rowStarts('二二二', 4), [0, 2]);
        assert.deepEqual(rowStarts('\u{1f600}\u{1f600}', 2), [0, 2]);
        assert.deepEqual(rowStarts('a\tb', 9), [0]);
        assert.deepEqual(rowStarts('a\tb', 8), [0, 2]);
        assert.deepEqual(rowStarts('\u202e\u202e', 8), [0, 1]); // displayed as ⟨U+202E⟩
    });

    test('grow with the log and its last line', () => {
        const log = logOf('abcdef\nab');
        const rows = new LogRows(log, 4);
        const texts = () =>
            rows
                .slice(0, rows.length)
                .map(r => log.lines[r.line - log.dropped].slice(r.start, r.end));
        assert.deepEqual(texts(), ['abcd', 'ef', 'ab']);
        log.push({seq: 3, at: 1, text: 'cdefghij\nx'});
        rows.update();
        assert.deepEqual(texts(), ['abcd', 'ef', 'abcd', 'efgh', 'ij', 'x']);
        assert.deepEqual(
            texts(),
            new LogRows(log, 4).slice(0, 99).map(r => log.lines[r.line].slice(r.start, r.end)),
        );
        assert.equal(rows.find(1, 5), 3);
        assert.equal(rows.find(0, 0), 0);
        assert.equal(rows.find(99, 0), 5);
    });

    test('are correct after the oldest lines were dropped', () => {
        const log = logOf('abcdef\n'.repeat(MOST_LINES));
        const rows = new LogRows(log, 4);
        log.push({seq: 9, at: 1, text: 'xyz\nlonger\n'.repeat(MOST_LINES / 8)});
        rows.update();
        const fresh = new LogRows(log, 4);
        assert.ok(log.dropped > 0 && rows.length === fresh.length);
        for (const i of [0, 1, 2, rows.length >> 1, rows.length - 2, rows.length - 1])
            assert.deepEqual(rows.row(i), fresh.row(i));
        assert.equal(rows.row(0).line, log.dropped);
    });

    test('a very long line takes several rows even without wrapping', () => {
        const rows = new LogRows(logOf('x'.repeat(UNWRAPPED * 3)), UNWRAPPED);
        assert.equal(rows.length, 3);
    });

    test('appending to 100,000 lines processes only the new ones', () => {
        const log = logOf('a line of a log, as they are\n'.repeat(100_000));
        const rows = new LogRows(log, 20);
        assert.equal(rows.length, 200_000);
        const started = process.cpuUsage();
        for (let i = 2; i < 1002; i++) {
            log.push({seq: i, at: i, text: 'more\n'});
            rows.update();
        }
        assert.equal(rows.length, 201_000);
        const {user, system} = process.cpuUsage(started);
        assert.ok(user + system < 5_000_000);
    });
});

describe('search', () => {
    const found = (text, query) => {
        const m = new Matches();
        m.addFrom(compileQuery({regex: false, matchCase: false, ...query}), text, 0);
        return m.start.map((s, i) => text.slice(s, m.end[i]));
    };

    test('takes special characters literally', () => {
        for (const odd of [
            'a.b',
            '(',
            '[x]',
            '\\',
            '^$',
            '*',
            '<img onerror=1>',
            '/',
            '{2}',
            '\u{1f600}',
            '-',
        ])
            assert.deepEqual(found(`x${odd}y${odd}`, {text: odd}), [odd, odd]);
        assert.deepEqual(found('axb', {text: 'a.b'}), []);
    });

    test('matches case on request', () => {
        assert.deepEqual(found('Ab aB', {text: 'ab'}), ['Ab', 'aB']);
        assert.deepEqual(found('Ab ab', {text: 'ab', matchCase: true}), ['ab']);
        assert.deepEqual(found('İstanbul istanbul', {text: 'istanbul'}).length, 1);
    });

    test('supports regular expressions and ignores empty matches', () => {
        assert.deepEqual(found('a1 b22', {text: '[a-z]\\d+', regex: true}), ['a1', 'b22']);
        assert.deepEqual(found('aaxb', {text: 'a*', regex: true}), ['aa']);
        assert.deepEqual(found('\u{1f600}a', {text: 'x*', regex: true}), []);
        assert.deepEqual(found('a-b', {text: 'a\\-b', regex: true}), ['a-b']);
        assert.throws(() => compileQuery({text: '(', regex: true, matchCase: true}), SyntaxError);
    });

    test('stops at the limit of matches', () => {
        assert.equal(found('a'.repeat(MOST_MATCHES + 5), {text: 'a'}).length, MOST_MATCHES);
    });

    test('removes the matches from a line on', () => {
        const m = new Matches();
        for (let line = 0; line < 5; line++) m.addFrom(/x/g, 'x.x', line);
        m.cut(3);
        assert.deepEqual(m.line, [0, 0, 1, 1, 2, 2]);
        assert.equal(m.firstOf(2), 4);
    });
});

describe('segments of a row', () => {
    test('are split at the boundaries of colours and matches', () => {
        const log = logOf('ab\x1b[31mcdef\x1b[0mgh');
        const m = new Matches();
        m.addFrom(/def/g, log.lines[0], 0);
        const row = (start, end) =>
            splitRow(log.lines[0], {line: 0, start, end}, log.spans.get(0), m, 0).map(
                s => `${s.text}:${s.style?.colour ?? 0}${s.hit}`,
            );
        assert.deepEqual(row(0, 4), ['ab:0', 'c:2', 'd:2current']);
        assert.deepEqual(row(4, 8), ['ef:2current', 'gh:0']);
        assert.deepEqual(splitRow('', {line: 1, start: 0, end: 0}, undefined, m, 0), []);
    });
});
