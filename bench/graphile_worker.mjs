// The competitor of orchestrator_bench.mjs: graphile-worker, with all jobs added before, four at
// once.
//
//     tools/node.sh bench/graphile_worker.mjs add URL COUNT
//     tools/node.sh bench/graphile_worker.mjs run URL COUNT plain|batch       prints {"ms": ...}
//
// From the call of run() to the moment when the last job is completed in the database. batch: what
// its manual recommends for many small jobs, a local queue of jobs that are locked ahead, and
// completions written together.
import {EventEmitter} from 'node:events';
import {Logger, makeWorkerUtils, run} from 'graphile-worker';

const [what, connectionString, text, mode] = process.argv.slice(2);
const count = Number(text);
const logger = new Logger(() => () => {});
const BATCH = {worker: {localQueue: {size: 500}, completeJobBatchDelay: 0, failJobBatchDelay: 0}};

const query = async (sql, values = []) => {
    const utils = await makeWorkerUtils({connectionString, logger});
    await utils.migrate();
    const {rows} = await utils.withPgClient(pg => pg.query(sql, values));
    await utils.release();
    return rows;
};

const add = async () => {
    await query('SELECT graphile_worker.add_job($2) FROM generate_series(1, $1)', [count, 'noop']);
    await query('VACUUM ANALYZE');
};

const work = async () => {
    const events = new EventEmitter();
    let left = count;
    const over = new Promise(resolve => {
        events.on('job:complete', () => --left || resolve(performance.now()));
    });
    const begin = performance.now();
    const runner = await run({
        preset: mode === 'batch' ? BATCH : {}, connectionString, concurrency: 4, logger, events,
        noHandleSignals: true, taskList: {noop: async () => {}},
    });
    const ms = await over - begin;
    await runner.stop();
    const [{n}] = await query('SELECT count(*)::int AS n FROM graphile_worker.jobs');
    if (n) throw new Error(`${n} jobs are left`);
    console.log(JSON.stringify({ms}));
};

await (what === 'add' ? add() : work());
