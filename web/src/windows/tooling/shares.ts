// The share of each candidate, computed in the page while a slider moves. The same rules as
// select_shares in C.
import type {Strategy} from '../../lib/types.ts';

export interface Weighed {
    weight: number;
    out: string | null; // why it is unavailable
}

/** Return the shares of the available candidates. Null: only the server knows it (least_recent). */
export function shares(strategy: Strategy | string, all: Weighed[]): (number | null)[] {
    const isIn = (c: Weighed): boolean => c.out === null && c.weight > 0;
    const many = all.filter(isIn).length;
    if (strategy === 'weighted') {
        const largest = Math.max(0, ...all.filter(isIn).map(c => c.weight));
        const sum = all.reduce((n, c) => (isIn(c) ? n + c.weight / largest : n), 0);
        return all.map(c => (isIn(c) ? c.weight / largest / sum : 0));
    }
    if (strategy === 'round_robin') return all.map(c => (isIn(c) ? 1 / many : 0));
    if (strategy === 'priority') {
        const first = all.findIndex(isIn);
        return all.map((_, i) => (i === first ? 1 : 0));
    }
    return all.map(c => (!isIn(c) ? 0 : many === 1 ? 1 : null));
}

/** Return the shares if all enabled candidates were available. */
export function plainShares(strategy: Strategy | string, weights: number[]): (number | null)[] {
    return shares(
        strategy,
        weights.map(weight => ({weight, out: null})),
    );
}

/** Return the largest value of the sliders: a round number not less than any weight. */
export function sliderEnd(weights: number[]): number {
    const most = Math.max(0, ...weights);
    if (most === 0 || (most <= 100 && weights.every(Number.isInteger))) return 100;
    const power = 10 ** Math.floor(Math.log10(most));
    return [1, 2, 5, 10].map(n => n * power).find(n => n >= most) ?? most;
}

/** Round a slider value to the precision that a hand can set. */
export function roundWeight(value: number, end: number): number {
    return end >= 100 && end <= 1000
        ? Math.round(value)
        : Math.min(end, Number(((Math.round((value / end) * 200) / 200) * end).toPrecision(3)));
}
