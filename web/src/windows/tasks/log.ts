// Splits a log that arrives in pieces into lines. A piece may end anywhere: inside a line, a
// character or a colour code. SGR colours become spans beside the text; other terminal codes are
// removed; other control characters stay and are made visible for display.

export interface Style {
    colour: number; // 0: default, 1..8: black..white, 9..16: the bright colours
    bold: boolean;
    dim: boolean;
    italic: boolean;
    underline: boolean;
}

export interface Span extends Style {
    start: number;
    end: number;
}

const PLAIN: Style = {colour: 0, bold: false, dim: false, italic: false, underline: false};
const LONGEST_CODE = 256; // a longer unterminated sequence is text
export const MOST_LINES = 400_000;

const isPlain = (s: Style) => !s.colour && !s.bold && !s.dim && !s.italic && !s.underline;

/** Return the style after SGR codes such as "31;1"; ignore unknown ones. */
export function applySgr(style: Style, codes: string): Style {
    const n = codes.split(/[;:]/).map(c => (c === '' ? 0 : Number(c)));
    let s = {...style};
    for (let i = 0; i < n.length; i++) {
        const c = n[i]!;
        if (c === 0) s = {...PLAIN};
        else if (c === 1) s.bold = true;
        else if (c === 2) s.dim = true;
        else if (c === 3) s.italic = true;
        else if (c === 4) s.underline = true;
        else if (c === 22) s.bold = s.dim = false;
        else if (c === 23) s.italic = false;
        else if (c === 24) s.underline = false;
        else if (c >= 30 && c <= 37) s.colour = c - 29;
        else if (c >= 90 && c <= 97) s.colour = c - 81;
        else if (c === 39) s.colour = 0;
        else if (c === 38 || c === 48) {
            // of 256 colours the first 16 are supported, 24-bit colours are not
            if (n[i + 1] === 5) {
                const k = n[i + 2] ?? -1;
                if (c === 38) s.colour = k >= 0 && k < 16 ? k + 1 : 0;
                i += 2;
            } else if (n[i + 1] === 2) {
                if (c === 38) s.colour = 0;
                i += 4;
            }
        }
    }
    return s;
}

// After ESC: a control sequence, a string up to BEL or ESC \, or one character with intermediate
// ones. eslint-disable-next-line no-control-regex
const CODE =
    /^\x1b(?:\[([0-9;:<=>?]*)[ -/]*([@-~])|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-Z\\`-~])/;

// eslint-disable-next-line no-control-regex
const NEXT = /[\x1b\r]/g;

export class LogLines {
    lines: string[] = [];
    times: number[] = []; // arrival of the piece in which the line starts
    spans = new Map<number, Span[]>(); // of coloured lines, by permanent line number
    dropped = 0; // number of dropped lines at the start
    pieces: string[] = []; // unchanged, for copy and download
    seq = 0; // number of the last piece
    longest = 0;
    #isOpen = false; // the last line may continue
    #style: Style = PLAIN;
    #pending = ''; // an incomplete code, or a \r that \n may follow

    /** Append a piece; ignore one that was appended before. */
    push(piece: {seq: number; at: number; text: string}): void {
        if (piece.seq <= this.seq) return;
        this.seq = piece.seq;
        this.pieces.push(piece.text);
        const text = this.#pending + piece.text;
        this.#pending = '';
        // eslint-disable-next-line no-control-regex
        if (isPlain(this.#style) && !/[\x1b\r]/.test(text)) this.#addLines(text, piece.at);
        else this.#addCoded(text, piece.at);
        this.#dropOldLines();
    }

    get text(): string {
        return this.pieces.join('');
    }

    #addLines(text: string, at: number): void {
        let from = 0;
        while (from < text.length) {
            const end = text.indexOf('\n', from);
            this.#appendText(text.slice(from, end < 0 ? text.length : end), at);
            if (end < 0) return;
            this.#isOpen = false;
            from = end + 1;
        }
    }

    /** Append to the open line, or start a new one. */
    #appendText(text: string, at: number): void {
        if (this.#isOpen) {
            this.lines[this.lines.length - 1] += text;
        } else {
            this.lines.push(text);
            this.times.push(at);
            this.#isOpen = true;
        }
        this.longest = Math.max(this.longest, this.lines.at(-1)!.length);
        if (!isPlain(this.#style) && text) {
            const end = this.lines.at(-1)!.length,
                line = this.dropped + this.lines.length - 1;
            const list = this.spans.get(line) ?? [];
            list.push({...this.#style, start: end - text.length, end});
            this.spans.set(line, list);
        }
    }

    #addCoded(text: string, at: number): void {
        let from = 0;
        while (from < text.length) {
            NEXT.lastIndex = from;
            const next = NEXT.exec(text)?.index ?? text.length;
            if (next > from) this.#addLines(text.slice(from, next), at);
            from = next;
            if (from === text.length) return;
            if (text[from] === '\r') {
                if (from + 1 === text.length) {
                    this.#pending = '\r';
                    return;
                }
                from += text[from + 1] === '\n' ? 2 : 1;
                if (!this.#isOpen) this.#appendText('', at);
                this.#isOpen = false;
                continue;
            }
            const length = this.#parseCode(text, from, at);
            if (length < 0) return;
            from += length;
        }
    }

    /** Apply the code at `from` and return its length, or -1 if it continues in the next piece. */
    #parseCode(text: string, from: number, at: number): number {
        const part = text.slice(from, from + LONGEST_CODE);
        const code = CODE.exec(part);
        if (code) {
            if (code[2] === 'm' && /^[0-9;:]*$/.test(code[1]!))
                this.#style = applySgr(this.#style, code[1]!);
            return code[0].length;
        }
        // eslint-disable-next-line no-control-regex
        const mayContinue =
            part.length < LONGEST_CODE &&
            /^\x1b(?:\[[0-9;:<=>?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)$/.test(part);
        if (mayContinue) {
            this.#pending = part;
            return -1;
        }
        this.#appendText('\x1b', at);
        return 1;
    }

    /** End the log: treat an incomplete code as text. */
    end(at: number): void {
        const rest = this.#pending;
        this.#pending = '';
        if (rest === '\r') this.#isOpen = false;
        else if (rest) this.#appendText(rest, at);
    }

    #dropOldLines(): void {
        const count = this.lines.length - MOST_LINES;
        if (count < MOST_LINES / 8) return; // rarely, because it moves all other lines
        this.lines.splice(0, count);
        this.times.splice(0, count);
        for (let i = 0; i < count; i++) this.spans.delete(this.dropped + i);
        this.dropped += count;
    }
}
