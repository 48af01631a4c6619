// A log that comes in pieces, as lines. A piece may end anywhere: in a line, in a character, in a colour code.
// Simple colours (SGR) become spans beside the text; other codes of terminals are left out; what else is not
// printable stays and is made visible when it is shown.

export interface Style {
    colour: number; // 0: as usual, 1..8 black..white, 9..16 their bright ones
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
const LONGEST_CODE = 256; // a sequence that does not end is text after so many characters
export const MOST_LINES = 400_000;

const isPlain = (s: Style) => !s.colour && !s.bold && !s.dim && !s.italic && !s.underline;

/** The style after "31;1" and the like; what is not known changes nothing. */
export function sgr(style: Style, codes: string): Style {
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
            // 256 colours: the first 16 are ours; 24 bit: none
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

// Behind ESC: a control sequence, a string up to BEL or ESC \, or one character with what may stand before it.
// eslint-disable-next-line no-control-regex
const CODE =
    /^\x1b(?:\[([0-9;:<=>?]*)[ -/]*([@-~])|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-Z\\`-~])/;

// eslint-disable-next-line no-control-regex
const NEXT = /[\x1b\r]/g;

export class LogLines {
    lines: string[] = [];
    times: number[] = []; // when the piece came in which the line begins
    spans = new Map<number, Span[]>(); // of lines that have colours, by the number they have for ever
    dropped = 0; // lines at the beginning that are not kept
    pieces: string[] = []; // as they came: to copy, to save
    seq = 0; // of the last piece
    longest = 0;
    #open = false; // the last line may go on
    #style: Style = PLAIN;
    #pending = ''; // of a code, or a \r whose \n may follow

    /** Pieces with a seq that was there already are left out. */
    push(piece: {seq: number; at: number; text: string}): void {
        if (piece.seq <= this.seq) return;
        this.seq = piece.seq;
        this.pieces.push(piece.text);
        const text = this.#pending + piece.text;
        this.#pending = '';
        // eslint-disable-next-line no-control-regex
        if (isPlain(this.#style) && !/[\x1b\r]/.test(text)) this.#addLines(text, piece.at);
        else this.#addCoded(text, piece.at);
        this.#drop();
    }

    get text(): string {
        return this.pieces.join('');
    }

    #addLines(text: string, at: number): void {
        let from = 0;
        while (from < text.length) {
            const end = text.indexOf('\n', from);
            this.#append(text.slice(from, end < 0 ? text.length : end), at);
            if (end < 0) return;
            this.#open = false;
            from = end + 1;
        }
    }

    /** To the line that is open, or as a new one. */
    #append(text: string, at: number): void {
        if (this.#open) {
            this.lines[this.lines.length - 1] += text;
        } else {
            this.lines.push(text);
            this.times.push(at);
            this.#open = true;
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
                if (!this.#open) this.#append('', at);
                this.#open = false;
                continue;
            }
            const taken = this.#takeCode(text, from, at);
            if (taken < 0) return;
            from += taken;
        }
    }

    /** How many characters the code has; -1: its end is in the next piece. */
    #takeCode(text: string, from: number, at: number): number {
        const part = text.slice(from, from + LONGEST_CODE);
        const code = CODE.exec(part);
        if (code) {
            if (code[2] === 'm' && /^[0-9;:]*$/.test(code[1]!))
                this.#style = sgr(this.#style, code[1]!);
            return code[0].length;
        }
        // eslint-disable-next-line no-control-regex
        const mayGoOn =
            part.length < LONGEST_CODE &&
            /^\x1b(?:\[[0-9;:<=>?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)$/.test(part);
        if (mayGoOn) {
            this.#pending = part;
            return -1;
        }
        this.#append('\x1b', at);
        return 1;
    }

    /** What waited for more is what it is, when nothing more comes. */
    end(at: number): void {
        const rest = this.#pending;
        this.#pending = '';
        if (rest === '\r') this.#open = false;
        else if (rest) this.#append(rest, at);
    }

    #drop(): void {
        const more = this.lines.length - MOST_LINES;
        if (more < MOST_LINES / 8)
            // now and then, as it moves all others
            return;
        this.lines.splice(0, more);
        this.times.splice(0, more);
        for (let i = 0; i < more; i++) this.spans.delete(this.dropped + i);
        this.dropped += more;
    }
}
