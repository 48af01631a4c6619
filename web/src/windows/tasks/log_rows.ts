// Lays out the lines of a log in rows of equal height: a line longer than the width continues in
// the next row. So a virtual list can show wrapped lines and lines of any length.
import type {LogLines, Span, Style} from './log.ts';
import type {Matches} from './matches.ts';

export const UNWRAPPED = 5000; // columns of a row without wrapping

/** Return the columns of a displayed character: 2 for a wide one, 8 for one shown as ⟨U+202E⟩. */
export function columnsOf(code: number): number {
    if (code < 0x300) return code >= 0x80 && code < 0xa0 ? 8 : 1;
    if (
        (code >= 0x200b && code <= 0x200f) ||
        (code >= 0x2028 && code <= 0x202e) ||
        (code >= 0x2060 && code <= 0x2069) ||
        code === 0xfeff ||
        (code >= 0xfff9 && code <= 0xfffb) ||
        (code >= 0xd800 && code <= 0xdfff)
    )
        return 8;
    return (code >= 0x1100 && code <= 0x115f) ||
        (code >= 0x2e80 && code <= 0xa4cf) ||
        (code >= 0xac00 && code <= 0xd7a3) ||
        (code >= 0xf900 && code <= 0xfaff) ||
        (code >= 0xfe30 && code <= 0xfe6f) ||
        (code >= 0xff00 && code <= 0xff60) ||
        (code >= 0x1f300 && code <= 0x1faff) ||
        (code >= 0x20000 && code <= 0x3fffd)
        ? 2
        : 1;
}

const TAB = 8;

/** Return the offsets at which the rows of a line start; the first is 0. Never splits a character.
 * */
export function rowStarts(text: string, width: number): number[] {
    const out = [0];
    // eslint-disable-next-line no-control-regex
    if (!/[^\x20-\x7e]/.test(text)) {
        for (let i = width; i < text.length; i += width) out.push(i);
        return out;
    }
    let at = 0;
    for (let i = 0; i < text.length;) {
        const code = text.codePointAt(i)!;
        let wide = code === 9 ? TAB - (at % TAB) : columnsOf(code);
        if (at + wide > width && at > 0) {
            out.push(i);
            at = 0;
            if (code === 9) wide = TAB;
        }
        at += wide;
        i += code > 0xffff ? 2 : 1;
    }
    return out;
}

export interface Row {
    line: number; // permanent line number, from 0
    start: number;
    end: number;
}

/** The rows of a growing log. */
export class LogRows {
    length = 0;
    readonly width: number;
    #line: number[] = [];
    #start: number[] = [];
    #dropped = 0;
    #log: LogLines;

    constructor(log: LogLines, width: number) {
        this.#log = log;
        this.width = Math.max(1, width);
        this.update();
    }

    /** Add rows for new lines; lay out the last known line again, because it may have grown. */
    update(): void {
        const log = this.#log;
        if (log.dropped !== this.#dropped) {
            const count = this.#firstOf(log.dropped);
            this.#line.splice(0, count);
            this.#start.splice(0, count);
            this.#dropped = log.dropped;
        }
        const last = this.#line.at(-1);
        let from = Math.max(last ?? 0, log.dropped);
        while (this.#line.length && this.#line.at(-1) === last) {
            this.#line.pop();
            this.#start.pop();
        }
        for (; from < log.dropped + log.lines.length; from++) {
            const text = log.lines[from - log.dropped]!;
            if (text.length * 8 <= this.width) {
                this.#line.push(from);
                this.#start.push(0);
            } else {
                for (const start of rowStarts(text, this.width)) {
                    this.#line.push(from);
                    this.#start.push(start);
                }
            }
        }
        this.length = this.#line.length;
    }

    row(i: number): Row {
        const line = this.#line[i]!,
            start = this.#start[i]!;
        const end =
            this.#line[i + 1] === line
                ? this.#start[i + 1]!
                : this.#log.lines[line - this.#dropped]!.length;
        return {line, start, end};
    }

    slice(first: number, last: number): Row[] {
        const out: Row[] = [];
        for (let i = Math.max(0, first); i < Math.min(last, this.length); i++)
            out.push(this.row(i));
        return out;
    }

    /** Return the first row of this line or of a later one. */
    #firstOf(line: number): number {
        let low = 0,
            high = this.#line.length;
        while (low < high) {
            const mid = (low + high) >> 1;
            if (this.#line[mid]! < line) low = mid + 1;
            else high = mid;
        }
        return low;
    }

    /** Return the row that contains this place of a line, or the nearest one. */
    find(line: number, at: number): number {
        let low = 0,
            high = this.length;
        while (low < high) {
            const mid = (low + high) >> 1;
            if (this.#line[mid]! < line || (this.#line[mid] === line && this.#start[mid]! <= at))
                low = mid + 1;
            else high = mid;
        }
        return Math.max(0, low - 1);
    }
}

export interface Segment {
    text: string;
    style: Style | null;
    hit: '' | 'hit' | 'current';
}

/** Split a row at the boundaries of colours and matches. */
export function splitRow(
    text: string,
    row: Row,
    spans: readonly Span[] | undefined,
    matches: Matches | null,
    current: number,
): Segment[] {
    const first = matches ? matches.firstOf(row.line) : 0;
    const cuts = new Set([row.start, row.end]);
    const addCut = (i: number) => {
        if (i > row.start && i < row.end) cuts.add(i);
    };
    for (const s of spans ?? []) {
        addCut(s.start);
        addCut(s.end);
    }
    const hits: {start: number; end: number; index: number}[] = [];
    if (matches)
        for (
            let i = first;
            i < matches.count && matches.line[i] === row.line && matches.start[i]! < row.end;
            i++
        )
            if (matches.end[i]! > row.start) {
                hits.push({start: matches.start[i]!, end: matches.end[i]!, index: i});
                addCut(matches.start[i]!);
                addCut(matches.end[i]!);
            }
    const at = [...cuts].sort((a, b) => a - b);
    const out: Segment[] = [];
    for (let i = 0; i + 1 < at.length; i++) {
        const from = at[i]!,
            to = at[i + 1]!;
        const hit = hits.find(h => h.start <= from && h.end >= to);
        out.push({
            text: text.slice(from, to),
            style: spans?.find(s => s.start <= from && s.end >= to) ?? null,
            hit: hit ? (hit.index === current ? 'current' : 'hit') : '',
        });
    }
    return out;
}
