// The short form of `make chaos` for the orchestrator: tests/orchestrator/README.md.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {Chaos} from '../../orchestrator/chaos.mjs';
import {slow} from '../../orchestrator/world.mjs';

const seed = Number(process.env.CHAOS_SEED || 1);

describe('processes are killed again and again: no task is lost, none runs twice', {concurrency: 2}, () => {
    for (const storeName of ['sqlite', 'postgresql'])
        test(`${storeName}, seed ${seed}`, async t => {
            const chaos = new Chaos({storeName, seed, tasks: 20, workers: 4, seconds: 5, lease: 3 * slow,
                say: text => t.diagnostic(text)});
            try {
                await chaos.run();
                if (chaos.isMissing)
                    return t.skip(chaos.isMissing);
                assert.ok(chaos.isFine, chaos.report());
            } finally {
                chaos.close({keep: !chaos.isFine && !chaos.isMissing});
            }
            return undefined;
        });
});
