// Three orchestrators on three machines share one PostgreSQL: tests/orchestrator/spread.mjs.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {spread} from '../../orchestrator/spread.mjs';

const tasks = 60;

test(`${tasks} tasks on three machines: each runs once, and the machines share the work`, async t => {
    let end;
    try {
        end = await spread({tasks, say: text => t.diagnostic(text)});
    } catch (error) {
        if (!error.isMissing)
            throw error;
        return t.skip(error.message);
    }
    t.diagnostic(`${end.seconds.toFixed(1)} s, ${end.shares.join(', ')}`);
    assert.deepEqual(end.faults, []);
    return undefined;
});
