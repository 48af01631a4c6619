// A log in pieces becomes lines, rows and places that were searched for.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {LogLines, MOST_LINES, sgr} from '../../web/src/windows/tasks/log.ts';
import {breaks, LogRows, segments, UNWRAPPED} from '../../web/src/windows/tasks/logrows.ts';
import {expression, Matches, MOST_MATCHES} from '../../web/src/windows/tasks/search.ts';

/** The log of these pieces; piece i comes at time 100 * i, from 1. */
function logOf(...texts) {
    const log = new LogLines();
    texts.forEach((text, i) => log.push({seq: i + 1, at: (i + 1) * 100, text}));
    return log;
}

/** All ways to cut a text in two. */
const cuts = text =>
    Array.from({length: text.length + 1}, (_, i) => [text.slice(0, i), text.slice(i)]);

describe('lines', () => {
    test('are the same wherever pieces end', () => {
        const text =
            'one\n\ntwo \u{1f600} 二\r\nthree\rfour\x1b[31mred\x1b[0m\x1b]0;title\x07!\nlast';
        const want = logOf(text);
        assert.deepEqual(want.lines, ['one', '', 'two \u{1f600} 二', 'three', 'fourred!', 'last']);
        for (const parts of cuts(text)) {
            const log = logOf(...parts);
            assert.deepEqual(log.lines, want.lines, JSON.stringify(parts));
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
        assert.deepEqual(logOf(...text).lines, want.lines);
    });

    test('have the time of the piece in which they begin', () => {
        assert.deepEqual(logOf('a', 'b\nc', '\nd').times, [100, 200, 300]);
    });

    test('a piece that comes twice is taken once', () => {
        const log = logOf('a\n', 'b\n');
        log.push({seq: 2, at: 5, text: 'b\n'});
        assert.deepEqual(log.lines, ['a', 'b']);
    });

    test('nothing behind the last line end is no line', () => {
        assert.deepEqual(logOf('a\n').lines, ['a']);
        assert.deepEqual(logOf('').lines, []);
        assert.deepEqual(logOf('\n\n').lines, ['', '']);
    });

    test('a return at the very end is an end, once nothing more comes', () => {
        const log = logOf('a\r');
        log.end(1);
        log.push({seq: 2, at: 2, text: 'b'});
        assert.deepEqual(log.lines, ['a', 'b']);
    });

    test('too many: the oldest are not kept, and counted', () => {
        const log = logOf('x\n'.repeat(MOST_LINES), 'y\n'.repeat(MOST_LINES / 4));
        assert.equal(log.lines.length + log.dropped, MOST_LINES * 1.25);
        assert.ok(log.lines.length <= MOST_LINES * 1.2);
        assert.equal(log.lines.at(-1), 'y');
    });
});

describe('codes of terminals', () => {
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

    test('colours go on in the next line until they end', () => {
        const log = logOf('\x1b[31ma\nb\x1b[0m\nc');
        assert.deepEqual([...log.spans.keys()], [0, 1]);
    });

    test('a code that never ends is text, and does not grow', () => {
        const log = logOf('\x1b]' + 'x'.repeat(1000) + '\nnext');
        assert.match(log.lines[0], /^\x1b\]xxx/);
        assert.equal(log.lines[1], 'next');
        const cut = logOf('\x1b[3');
        assert.deepEqual(cut.lines, []);
        cut.end(1);
        assert.deepEqual(cut.lines, ['\x1b[3']);
    });

    test('numbers that mean nothing change nothing', () => {
        const style = {colour: 2, bold: true, dim: false, italic: false, underline: false};
        assert.deepEqual(sgr(style, '77;999;'), {...style, colour: 0, bold: false});
        assert.deepEqual(sgr(style, '77;999'), style);
    });
});

describe('rows', () => {
    test('break at the width, never in a character; wide ones take two columns', () => {
        assert.deepEqual(breaks('abcdefgh', 3), [0, 3, 6]);
        assert.deepEqual(breaks('', 3), [0]);
        assert.deepEqual(breaks('abc', 3), [0]);
        assert.deepEqual(breaks('二二二', 4), [0, 2]);
        assert.deepEqual(breaks('\u{1f600}\u{1f600}', 2), [0, 2]);
        assert.deepEqual(breaks('a\tb', 9), [0]);
        assert.deepEqual(breaks('a\tb', 8), [0, 2]);
        assert.deepEqual(breaks('\u202e\u202e', 8), [0, 1]); // spelled out when shown
    });

    test('grow with the log, also within its last line', () => {
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

    test('are the same after the oldest lines went as if they had never been', () => {
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

    test('a line without end is many rows, wrapped or not', () => {
        const rows = new LogRows(logOf('x'.repeat(UNWRAPPED * 3)), UNWRAPPED);
        assert.equal(rows.length, 3);
    });

    test('100,000 lines, then another piece: only what is new is looked at', () => {
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

describe('searching', () => {
    const found = (text, query) => {
        const m = new Matches();
        m.find(expression({regex: false, cased: false, ...query}), text, 0);
        return m.start.map((s, i) => text.slice(s, m.end[i]));
    };

    test('text is text, whatever stands in it', () => {
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

    test('case counts if it is told to', () => {
        assert.deepEqual(found('Ab aB', {text: 'ab'}), ['Ab', 'aB']);
        assert.deepEqual(found('Ab ab', {text: 'ab', cased: true}), ['ab']);
        assert.deepEqual(found('İstanbul istanbul', {text: 'istanbul'}).length, 1);
    });

    test('expressions; those that match nothing do not hang', () => {
        assert.deepEqual(found('a1 b22', {text: '[a-z]\\d+', regex: true}), ['a1', 'b22']);
        assert.deepEqual(found('aaxb', {text: 'a*', regex: true}), ['aa']);
        assert.deepEqual(found('\u{1f600}a', {text: 'x*', regex: true}), []);
        assert.deepEqual(found('a-b', {text: 'a\\-b', regex: true}), ['a-b']);
        assert.throws(() => expression({text: '(', regex: true, cased: true}), SyntaxError);
    });

    test('there is a most of matches', () => {
        assert.equal(found('a'.repeat(MOST_MATCHES + 5), {text: 'a'}).length, MOST_MATCHES);
    });

    test('places from a line on can be forgotten', () => {
        const m = new Matches();
        for (let line = 0; line < 5; line++) m.find(/x/g, 'x.x', line);
        m.cut(3);
        assert.deepEqual(m.line, [0, 0, 1, 1, 2, 2]);
        assert.equal(m.firstOf(2), 4);
    });
});

describe('segments of a row', () => {
    test('are cut where colours and matches begin and end, across rows', () => {
        const log = logOf('ab\x1b[31mcdef\x1b[0mgh');
        const m = new Matches();
        m.find(/def/g, log.lines[0], 0);
        const row = (start, end) =>
            segments(log.lines[0], {line: 0, start, end}, log.spans.get(0), m, 0).map(
                s => `${s.text}:${s.style?.colour ?? 0}${s.hit}`,
            );
        assert.deepEqual(row(0, 4), ['ab:0', 'c:2', 'd:2current']);
        assert.deepEqual(row(4, 8), ['ef:2current', 'gh:0']);
        assert.deepEqual(segments('', {line: 1, start: 0, end: 0}, undefined, m, 0), []);
    });
});
