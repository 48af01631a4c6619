// Runs the official conformance suite against a server and evaluates its saved checks.
//
//     tools/node.sh tests/conformance/run.mjs build/tests/mcp-everything
//
// Stricter than the suite itself, whose exit code covers required scenarios only: every scenario
// must have run once, with a successful check and none that failed or warned. Only the scenario
// named below may be skipped. Prints one line, or the failures and the server's stderr.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {startHttp, within} from '../e2e/fixtures/program.mjs';

const VERSION = '0.2.0-alpha.12';
const RUNS = [ // required + others: the number of scenarios, so that none can disappear unnoticed
    {revision: '2025-06-18', required: 0, others: 27},
    {revision: '2025-11-25', required: 30, others: 3},
    {revision: '2026-07-28', required: 37, others: 13},
];
const SKIPPED = ['tasks-status-notifications']; // the suite does not implement it yet

const here = path.dirname(fileURLToPath(import.meta.url));
const suite = path.join(here, '../e2e/node_modules/@modelcontextprotocol/conformance');
const fromSuite = createRequire(path.join(suite, 'package.json'));
const faults = [];

async function runSuite(...args) {
    const child = spawn(process.execPath, [path.join(suite, 'dist/index.js'), ...args],
        {stdio: ['ignore', 'pipe', 'pipe']});
    let out = '';
    child.stdout.on('data', text => { out += text; });
    child.stderr.on('data', text => { out += text; });
    const [code] = await within(once(child, 'close'), `the suite ${args.join(' ')}`, () => out);
    return {code, out};
}

/** The names of the scenarios: {required, others}. */
async function scenariosOf({revision, required}) {
    if (!required) {
        const {out} = await runSuite('list', '--server', '--spec-version', revision);
        const names = [...out.matchAll(/^\s*- (\S+) \[/gm)].map(match => match[1]);
        return {required: [], others: names};
    }
    const file = path.join(suite, 'requirements', `${revision}.yaml`);
    const set = fromSuite('yaml').parse(readFileSync(file, 'utf8'));
    return {
        required: set.server,
        others: set.not_scored.filter(s => s.leg === 'server').map(s => s.scenario),
    };
}

/** scenario -> its checks, from DIR/server-SCENARIO-TIMESTAMP/checks.json. */
function readChecks(dir, revision) {
    const found = new Map();
    for (const name of readdirSync(dir)) {
        const [, scenario] = name.match(/^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/) ?? [];
        if (!scenario || found.has(scenario))
            faults.push(`${revision}: ${name} is there, ${scenario ? 'again' : 'which is not a scenario'}`);
        else
            found.set(scenario, JSON.parse(readFileSync(path.join(dir, name, 'checks.json'), 'utf8')));
    }
    return found;
}

/** Return "passed", "skipped" or "failed"; add failures to `faults`. */
function judge(where, checks, count) {
    const before = faults.length;
    for (const check of checks ?? []) {
        count[check.status] = (count[check.status] ?? 0) + 1;
        if (!['SUCCESS', 'INFO', 'SKIPPED'].includes(check.status))
            faults.push(`${where}: ${check.status} ${check.id}: ` +
                (check.errorMessage ?? check.description));
    }
    if (faults.length > before)
        return 'failed';
    if (checks?.some(check => check.status === 'SUCCESS'))
        return 'passed';
    if (checks?.length && SKIPPED.includes(where.split(' ')[1]))
        return 'skipped';
    faults.push(`${where}: ${checks ? 'no check succeeded' : 'did not run'}`);
    return 'failed';
}

async function run(server, wanted, dir, count) {
    const {revision} = wanted;
    const sets = await scenariosOf(wanted);
    for (const kind of ['required', 'others'])
        if (sets[kind].length !== wanted[kind])
            faults.push(`${revision}: ${sets[kind].length} ${kind}, not ${wanted[kind]}`);
    mkdirSync(dir, {recursive: true});
    const {code, out} = await runSuite('server', '--url', server.url, '-o', dir,
        wanted.required ? '--requirements' : '--spec-version', revision);
    const before = faults.length;
    const found = readChecks(dir, revision);
    const passed = {};
    let skipped = 0;
    for (const kind of ['required', 'others']) {
        const verdicts = sets[kind].map(name =>
            judge(`${revision} ${name}`, found.get(name), count));
        passed[kind] = verdicts.filter(v => v === 'passed').length;
        skipped += verdicts.filter(v => v === 'skipped').length;
        sets[kind].forEach(name => found.delete(name));
    }
    for (const name of found.keys())
        faults.push(`${revision} ${name}: ran, but is in no set`);
    if (code !== 0 && faults.length === before) // for a reason that is in no check
        faults.push(`${revision}: the suite ended with ${code}\n${out}`);
    const parts = [];
    if (wanted.required)
        parts.push(`${passed.required}/${wanted.required} required`);
    parts.push(`${passed.others}/${wanted.others - skipped} ${wanted.required ? 'others' : 'scenarios'}`);
    return `${revision} ${parts.join(', ')}` + (skipped ? ` (${skipped} skipped by the suite)` : '');
}

async function main() {
    const binary = path.resolve(process.argv[2] ?? 'build/tests/mcp-everything');
    const {version} = fromSuite('./package.json');
    if (version !== VERSION)
        faults.push(`the suite is ${version}, not ${VERSION}`);
    const results = path.join(path.dirname(binary), 'conformance-results');
    rmSync(results, {recursive: true, force: true});

    const server = await startHttp(null, [], {file: binary});
    const count = {};
    const lines = [];
    for (const wanted of RUNS)
        lines.push(await run(server, wanted, path.join(results, wanted.revision), count));
    const {code, signal} = await server.stop();
    if (code !== 0)
        faults.push(`the server ended with ${code ?? signal}`);

    const sum = Object.values(count).reduce((a, b) => a + b, 0);
    console.log(`conformance ${version}: ${lines.join('; ')}; ${sum} checks, ` +
        `${count.FAILURE ?? 0} failed, ${count.WARNING ?? 0} warnings`);
    if (faults.length) {
        console.log(faults.join('\n'));
        console.log(`results are in ${results}; stderr of the server:\n${server.stderr}`);
    }
    return faults.length ? 1 : 0;
}

process.exitCode = await main();
