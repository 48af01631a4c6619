// Searching in lines. Expressions of a person may take for ever on a line of somebody else: searcher.ts has those
// worked on beside the page.

export interface Query {
    text: string;
    regex: boolean;
    cased: boolean;
}

export const MOST_MATCHES = 100_000;

/** Throws a SyntaxError that says what is wrong with an expression. */
export function expression(q: Query): RegExp {
    const flags = q.cased ? 'g' : 'gi';
    const source = q.regex ? q.text : q.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    try {
        return new RegExp(source, `${flags}u`);
    } catch (e) {
        if (!q.regex) throw e;
        return new RegExp(source, flags); // what only the strict form refuses, as \-
    }
}

/** Places, by line and then by start. */
export class Matches {
    line: number[] = [];
    start: number[] = [];
    end: number[] = [];

    get count(): number {
        return this.line.length;
    }

    get full(): boolean {
        return this.count >= MOST_MATCHES;
    }

    /** Forgets those from this line on: it may have gone on. */
    cut(line: number): void {
        const to = this.firstOf(line);
        this.line.length = this.start.length = this.end.length = to;
    }

    /** Where those of this line begin, or would. */
    firstOf(line: number): number {
        let low = 0,
            high = this.count;
        while (low < high) {
            const mid = (low + high) >> 1;
            if (this.line[mid]! < line) low = mid + 1;
            else high = mid;
        }
        return low;
    }

    /** Matches of nothing (x*) are none. */
    find(re: RegExp, text: string, line: number): void {
        re.lastIndex = 0;
        for (let m = re.exec(text); m && !this.full; m = re.exec(text)) {
            if (m[0] === '') {
                re.lastIndex += (text.codePointAt(re.lastIndex) ?? 0) > 0xffff ? 2 : 1;
                continue;
            }
            this.line.push(line);
            this.start.push(m.index);
            this.end.push(m.index + m[0].length);
        }
    }

    add(other: Pick<Matches, 'line' | 'start' | 'end'>): void {
        for (let i = 0; i < other.line.length && !this.full; i++) {
            this.line.push(other.line[i]!);
            this.start.push(other.start[i]!);
            this.end.push(other.end[i]!);
        }
    }
}
