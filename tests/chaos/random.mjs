// Reproducible random numbers: a seed gives the same numbers on every machine.
export class Random {
    constructor(seed) {
        this.state = Number(BigInt.asUintN(32, BigInt(seed)));
    }

    /** In [0, 1). splitmix32. */
    unit() {
        this.state = (this.state + 0x9e3779b9) | 0;
        let z = this.state ^ (this.state >>> 16);
        z = Math.imul(z, 0x21f0aaad);
        z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
        return ((z ^ (z >>> 15)) >>> 0) / 0x1_0000_0000;
    }

    below(n) {
        return Math.floor(this.unit() * n);
    }

    between(least, most) {
        return least + this.below(most - least + 1);
    }

    chance(p) {
        return this.unit() < p;
    }

    pick(list) {
        return list[this.below(list.length)];
    }

    /** A key of {key: weight}. */
    weighted(weights) {
        const entries = Object.entries(weights);
        let at = this.unit() * entries.reduce((sum, [, w]) => sum + w, 0);
        for (const [key, weight] of entries)
            if ((at -= weight) < 0)
                return key;
        return entries.at(-1)[0];
    }

    /** An independent sequence. */
    fork(salt) {
        return new Random(Math.imul(this.state ^ salt, 0x85ebca6b) + salt);
    }
}
