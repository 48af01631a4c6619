// Search in lines of text. A regular expression may take very long, so log_search.svelte.ts runs it
// in a worker.

export interface Query {
    text: string;
    regex: boolean;
    matchCase: boolean;
}

export const MOST_MATCHES = 100_000;

/** Compile a query; throw a SyntaxError if the expression is invalid. */
export function compileQuery(q: Query): RegExp {
    const flags = q.matchCase ? 'g' : 'gi';
    const source = q.regex ? q.text : q.text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    try {
        return new RegExp(source, `${flags}u`);
    } catch (e) {
        if (!q.regex) throw e;
        // Accept what only the strict "u" form rejects, such as \-
        return new RegExp(source, flags);
    }
}

/** Matches, sorted by line and start. */
export class Matches {
    line: number[] = [];
    start: number[] = [];
    end: number[] = [];

    get count(): number {
        return this.line.length;
    }

    get isFull(): boolean {
        return this.count >= MOST_MATCHES;
    }

    /** Remove the matches from this line on, because the line may have grown. */
    cut(line: number): void {
        const to = this.firstOf(line);
        this.line.length = this.start.length = this.end.length = to;
    }

    /** Return the index of the first match in this line or a later one. */
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

    /** Add the matches in a line; ignore empty ones (x*). */
    addFrom(re: RegExp, text: string, line: number): void {
        re.lastIndex = 0;
        for (let m = re.exec(text); m && !this.isFull; m = re.exec(text)) {
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
        for (let i = 0; i < other.line.length && !this.isFull; i++) {
            this.line.push(other.line[i]!);
            this.start.push(other.start[i]!);
            this.end.push(other.end[i]!);
        }
    }
}
