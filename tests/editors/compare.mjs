// Makes the same calls to the headless editor and to the package in the stand-in editor, on equal
// copies of a project.
//
//     node tests/editors/compare.mjs PROJECT [--scene S] [--seed N] [--long] [--only PHASE,...]
//
// Prints the differences and counts; exits with 1 if differences.mjs does not explain one.
// MULTIVERSE_BUILD is the build directory. The project itself is not changed.
import {cpSync, createWriteStream} from 'node:fs';
import path from 'node:path';
import {parseArgs} from 'node:util';

import {Random} from '../chaos/random.mjs';
import {folder} from '../e2e/fixtures/bridge.mjs';
import {openProject, Project} from '../e2e/fixtures/unity.mjs';
import * as editing from './editing.mjs';
import {finding} from './finding.mjs';
import {Pair, report} from './pair.mjs';
import * as reading from './reading.mjs';
import * as scenes from './scenes.mjs';
import {World} from './world.mjs';

/** The number of attempts; the seed makes every choice. */
const SHORT = {paths: 3, infos: 0.15, alike: 1, others: 0.03, fields: 3, values: 1, types: 12,
    removals: 2, moves: 2, links: 2, walks: 1,
    steps: 12, saves: 4};
const LONG = {paths: 40, infos: 1, alike: 4, others: 0.2, fields: 1000, values: 12, types: 1000,
    removals: 30, moves: 20, links: 40, walks: 12,
    steps: 60, saves: 20};

const {hierarchies, components} = reading, {fields, additions, removals, moves, links, walks} = editing;
const IN_A_SCENE = {hierarchies, components, fields, additions, removals, moves, links, walks};
const OF_THE_PROJECT = {finding, lists: scenes.lists, opening: scenes.opening, saving: scenes.saving};

/** A copy without generated files. */
function copyOf(t, project) {
    const to = path.join(folder(t), 'project');
    cpSync(project, to,
        {recursive: true, filter: from => !/^(Temp|Logs|obj|Library)$/.test(path.relative(project, from)) ||
        /PackageCache/.test(from)});
    return new Project(to);
}

/** The live editor opens the scene that the other one has open, so that no particular scene is
 * required. */
async function openBoth(t, editors, folders) {
    const opened = [];
    let scene;
    for (const [i, editor] of editors.entries()) {
        const {client, project} = await openProject(t,
            {editor, project: folders[i], args: editor === 'headless' ? ['--save', 'manual'] : [],
            config: {queue_max_size: 256}, scene});
        scene = (await client.state()).active_scene ?? undefined;
        opened.push({name: editors[0] === editors[1] ? `${editor} ${i + 1}` : editor, client, folder: project.dir});
    }
    return opened;
}

/** Compare; return the pair with all differences. `t` stops the programs, as in a test; `prepare`
 * may change the copies, `tell` gets a line for each phase, `onAnswer` each call. */
export async function compare(t, project, options = {}) {
    const {editors = ['headless', 'package'], scene, seed = 1, long = false, only} = options;
    const {prepare = () => {}, tell = () => {}, onAnswer = () => {}} = options;
    const folders = editors.map(() => copyOf(t, project));
    prepare(...folders);
    const pair = new Pair(...await openBoth(t, editors, folders));
    pair.onAnswer = onAnswer;
    const world = new World(folders[0].dir), budget = long ? LONG : SHORT;
    const run = async (name, phase, salt) => {
        if (only && !only.includes(name))
            return;
        const before = pair.calls, start = performance.now();
        pair.phase = name;
        await phase(pair, world, {random: new Random(seed).fork(salt), budget});
        tell(`${pair.scene} ${name}: ${pair.calls - before} calls, ${Math.round(performance.now() - start)} ms`);
    };
    pair.phase = 'start';
    world.scenes = (await pair.one('list_scenes', {max_results: 1000})).ok.scenes.map(({path}) => path);
    const chosen = scene ? world.scenes.filter(path => path.includes(scene)) : world.scenes;
    for (const [at, path] of chosen.entries()) {
        await world.open(pair, path);
        if (world.isOpen)
            for (const [name, phase] of Object.entries(IN_A_SCENE))
                await run(name, phase, at);
    }
    world.scenes = chosen;
    for (const [name, phase] of Object.entries(OF_THE_PROJECT))
        await run(name, phase, 1000);
    if (!only || only.includes('saving'))
        await compareFiles(t, pair, folders, world);
    return pair;
}

/** Compare what the headless editor reads from the files that both have written. */
async function compareFiles(t, pair, folders, world) {
    const {sides} = pair;
    pair.sides = await openBoth(t, ['headless', 'headless'], folders);
    pair.phase = 'saved files';
    for (const scene of world.saved) {
        await world.open(pair, scene);
        await reading.components(pair, world, {random: new Random(1), budget: {paths: 0, infos: 0}});
    }
    pair.sides = sides;
}

// ---- the command

const USAGE = `usage: compare.mjs PROJECT [option...]
  --scene TEXT      only scenes with this in their path
  --seed N          other choices
  --long            far more of them
  --only A,B        only these phases
  --editors A,B     headless,package (the default) or any two of them
  --most N          kinds of differences that are shown, 40 if left out
  --log FILE        every call with both answers, as lines of JSON
  --verbose         what each phase takes, how many calls of which outcome`;

async function main() {
    const text = {type: 'string'}, flag = {type: 'boolean', default: false};
    const {values, positionals} = parseArgs({allowPositionals: true, options: {
        scene: text, seed: {...text, default: '1'}, long: flag, only: text, most: {...text, default: '40'},
        editors: {...text, default: 'headless,package'}, log: text, verbose: flag,
    }});
    if (positionals.length !== 1) {
        console.error(USAGE);
        return 2;
    }
    const endings = [], t = {after: run => endings.push(run), diagnostic: line => console.error(line)};
    const log = values.log && createWriteStream(values.log);
    try {
        const pair = await compare(t, path.resolve(positionals[0]), {
            ...values, seed: Number(values.seed), only: values.only?.split(','), editors: values.editors.split(','),
            tell: values.verbose ? line => console.error(line) : undefined,
            onAnswer: log ? call => log.write(`${JSON.stringify(call)}\n`) : undefined,
        });
        if (values.verbose)
            for (const [outcome, count] of [...pair.outcomes].sort())
                console.error(`${String(count).padStart(8)}  ${outcome}`);
        console.log(report(pair, {most: Number(values.most)}));
        return pair.found.length ? 1 : 0;
    } finally {
        for (const run of endings.reverse())
            await run();
        log?.end();
    }
}

if (process.argv[1] === import.meta.filename)
    process.exitCode = await main();
