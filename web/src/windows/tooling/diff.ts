// A line diff of two texts (Myers, 1986), as a list of rows with some unchanged lines around each
// change.

export type RowKind = 'same' | 'gone' | 'new' | 'skip';

export interface Row {
    kind: RowKind;
    text: string; // without the end of the line; of `skip`: ""
    old: number; // line number from 1; 0: none
    new: number;
    count: number; // of `skip`: number of omitted lines
}

const MOST_EDITS = 1500; // with more edits the texts have little in common: replace the middle

function splitLines(text: string): string[] {
    return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

type Pair = [number, number]; // indices of equal lines
/** Whether the path to diagonal k came from above (a line of b was inserted). */
function isDown(v: Int32Array, k: number, d: number, zero: number): boolean {
    return k === -d || (k !== d && v[zero + k - 1]! < v[zero + k + 1]!);
}

/** Return pairs of equal lines in order, or null if the texts differ too much. */
function matchLines(a: string[], b: string[]): Pair[] | null {
    const most = Math.min(a.length + b.length, MOST_EDITS),
        zero = most + 1;
    const v = new Int32Array(2 * most + 3);
    const trace: Int32Array[] = []; // trace[d]: diagonals -d-1 .. d+1 before round d
    for (let d = 0; d <= most; d++) {
        trace.push(v.slice(zero - d - 1, zero + d + 2));
        for (let k = -d; k <= d; k += 2) {
            let x = isDown(v, k, d, zero) ? v[zero + k + 1]! : v[zero + k - 1]! + 1;
            while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
            v[zero + k] = x;
            if (x >= a.length && x - k >= b.length) return walkBack(trace, a.length, b.length);
        }
    }
    return null;
}

function walkBack(trace: Int32Array[], x: number, y: number): Pair[] {
    const pairs: Pair[] = [];
    for (let d = trace.length - 1; d >= 0; d--) {
        const v = trace[d]!,
            zero = d + 1,
            k = x - y;
        const from = isDown(v, k, d, zero) ? k + 1 : k - 1;
        const fromX = d === 0 ? 0 : v[zero + from]!,
            fromY = d === 0 ? 0 : fromX - from;
        while (x > fromX && y > fromY) {
            x--;
            y--;
            pairs.push([x, y]);
        }
        x = fromX;
        y = fromY;
    }
    return pairs.reverse();
}

/** Return all rows; removed lines come before added ones. */
export function diffLines(before: string, after: string): Row[] {
    const a = splitLines(before),
        b = splitLines(after);
    let head = 0;
    while (head < a.length && head < b.length && a[head] === b[head]) head++;
    let tail = 0;
    while (
        tail < a.length - head &&
        tail < b.length - head &&
        a[a.length - 1 - tail] === b[b.length - 1 - tail]
    )
        tail++;
    const middle = matchLines(a.slice(head, a.length - tail), b.slice(head, b.length - tail)) ?? [];
    const pairs: Pair[] = [
        ...Array.from({length: head}, (_, i): Pair => [i, i]),
        ...middle.map(([x, y]): Pair => [x + head, y + head]),
        ...Array.from({length: tail}, (_, i): Pair => [a.length - tail + i, b.length - tail + i]),
    ];
    const rows: Row[] = [];
    let x = 0,
        y = 0;
    for (const [px, py] of [...pairs, [a.length, b.length] as Pair]) {
        for (; x < px; x++) rows.push({kind: 'gone', text: a[x]!, old: x + 1, new: 0, count: 0});
        for (; y < py; y++) rows.push({kind: 'new', text: b[y]!, old: 0, new: y + 1, count: 0});
        if (px < a.length && py < b.length)
            rows.push({kind: 'same', text: a[px]!, old: px + 1, new: py + 1, count: 0});
        x = px + 1;
        y = py + 1;
    }
    return rows;
}

/** Replace unchanged lines farther than `around` from a change with one `skip` row. */
export function foldRows(rows: Row[], around = 3): Row[] {
    const near = new Array<boolean>(rows.length).fill(false);
    let last = -Infinity;
    rows.forEach((r, i) => {
        if (r.kind !== 'same') last = i;
        near[i] = i - last <= around;
    });
    last = Infinity;
    for (let i = rows.length - 1; i >= 0; i--) {
        if (rows[i]!.kind !== 'same') last = i;
        near[i] ||= last - i <= around;
    }
    const out: Row[] = [];
    rows.forEach((r, i) => {
        const top = out.at(-1);
        if (near[i]) out.push(r);
        else if (top?.kind === 'skip') top.count++;
        else out.push({kind: 'skip', text: '', old: r.old, new: r.new, count: 1});
    });
    return out;
}

export function countChanges(rows: Row[]): {gone: number; fresh: number} {
    return {
        gone: rows.filter(r => r.kind === 'gone').length,
        fresh: rows.filter(r => r.kind === 'new').length,
    };
}
