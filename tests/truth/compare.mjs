#!/usr/bin/env node
// Compares hierarchies as the program shows them with independent hierarchies of the same scenes.
//
//     node tests/truth/compare.mjs [--strict] [--json] PROJECTS TRUTH
//
// PROJECTS contains Unity projects, TRUTH a folder for each:
// <Project>-<version>/<scene>.expanded.json. The project is the one in PROJECTS whose name starts
// with <Project>, or a folder in it (ml-agents/Project), that has the scene. A file is
// {scene, roots: [node]}; a node is {name, active, components: [full type name, or null for a missing
// script], children, from?}. `from` is the origin: nodes that stand for a model or for a missing
// prefab ("unexpanded:...", "model-node:...") have only the added components, so the program may
// show more.
//
// Compared are the set of nodes by path, the active flags and the components in their order.
// Siblings may be in another order, which is only counted: no file stores it for objects added to an
// instance by editors before 2022.2. For scripts without a .cs in the project only the file name is
// known, so only the last part of the type's name is compared (not with --strict). Where the scene
// itself shows that a truth is wrong, known.json lists the difference with the reason; those are
// counted, and another number of them than listed is a difference again. Exit code: 0 no difference,
// 1 differences, 2 the comparison was not possible. MULTIVERSE_BUILD is the build directory.
import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const multiverse = path.join(process.env.MULTIVERSE_BUILD ?? path.join(root, 'build'), 'multiverse');
const known = JSON.parse(readFileSync(path.join(root, 'tests/truth/known.json'), 'utf8'));
const MAX_SHOWN = 20;

function fail(text) {
    process.stderr.write(`compare: ${text}\n`);
    process.exit(2);
}

const options = process.argv.slice(2).filter(arg => arg.startsWith('--'));
const [projects, truths, ...rest] = process.argv.slice(2).filter(arg => !arg.startsWith('--'));
if (!truths || rest.length || options.some(option => !['--strict', '--json'].includes(option)))
    fail('usage: compare.mjs [--strict] [--json] PROJECTS TRUTH');
const strict = options.includes('--strict');

const folders = dir => readdirSync(dir).sort().map(name => path.join(dir, name)).filter(name => statSync(name).isDirectory());

/** The Unity project that a folder of truths belongs to. */
function findProject(name, scene) {
    const wanted = name.replace(/-[0-9][0-9a-z.]*$/, '');
    const named = folders(projects).filter(dir => {
        const base = path.basename(dir);
        return base === wanted || base === name || base.replace(/-[0-9][0-9a-z.]*$/, '') === wanted;
    });
    const found = named.flatMap(dir => [dir, ...folders(dir)])
        .find(dir => existsSync(path.join(dir, 'ProjectSettings')) && existsSync(path.join(dir, scene)));
    return found ?? fail(`no project in ${projects} for ${name} with ${scene}`);
}

function call(project, scene, args) {
    const {status, stdout, stderr, error} = spawnSync(multiverse, ['call', 'get_scene_hierarchy', JSON.stringify(args),
        '--project', project, '--scene', scene], {encoding: 'utf8', maxBuffer: 1 << 30});
    if (error || status !== 0)
        fail(`${path.basename(project)} ${scene}: ${error ?? stderr}`);
    return JSON.parse(stdout);
}

/** The whole tree, read in parts if one result cannot hold it. */
function hierarchy(project, scene) {
    const ask = args => call(project, scene, {max_depth: 50, max_game_objects: 10000, ...args}).root_game_objects;
    const complete = nodes => nodes.forEach(node => {
        if (node.children === '...')
            node.children = ask({root_path: node.path})[0].children;
        if (node.children === '...')
            fail(`${scene}: ${node.path} has more than 10000 children`);
        complete(node.children);
    });
    const roots = ask({});
    complete(roots);
    return roots;
}

/** Nodes by their path of names; a path may have several nodes. */
function byPath(roots) {
    const map = new Map();
    const walk = (nodes, prefix) => {
        for (const node of nodes) {
            const at = `${prefix}/${node.name}`;
            map.set(at, [...map.get(at) ?? [], node]);
            walk(node.children, at);
        }
    };
    walk(roots, '');
    return map;
}

const isPlaceholder = node => /^(unexpanded|model-node):/.test(node.from ?? '');
const lastPart = name => name.split(/[.+]/).at(-1);
const counts = {byFileName: 0, otherOrder: 0, known: 0};

function sameComponent(got, want) {
    if (got === want)
        return true;
    if (strict || got === null || want === null || /[.+]/.test(got) || lastPart(want) !== got)
        return false;
    counts.byFileName++;
    return true;
}

/** How the node differs; empty: it does not. */
function fault(got, want) {
    if (got.active !== want.active)
        return `active is ${got.active}, not ${want.active}`;
    const ours = got.components, theirs = want.components;
    if (isPlaceholder(want)) { // some of ours, in order
        let at = 0;
        for (const name of ours)
            at += at < theirs.length && sameComponent(name, theirs[at]) ? 1 : 0;
        return at === theirs.length ? '' : `components [${ours}] without all of [${theirs}]`;
    }
    if (ours.length === theirs.length && ours.every((name, i) => sameComponent(name, theirs[i])))
        return '';
    return `components [${ours.map(String)}], not [${theirs.map(String)}]`;
}

/** Compare the nodes of one path: each takes the first match. */
function comparePath(at, ours, theirs, say) {
    const left = [...ours];
    const open = theirs.filter(want => {
        const i = left.findIndex(got => !fault(got, want));
        return i < 0 || (left.splice(i, 1), false);
    });
    for (const want of open) {
        const got = left.shift();
        say(got ? `${at}: ${fault(got, want)}` : `${at}: not shown`);
    }
    for (const got of left)
        say(`${at}: shown, but not there [${got.components.map(String)}]`);
}

function countOrder(ours, theirs) {
    const names = nodes => nodes.map(node => node.name).join('\n');
    if (names(ours) !== names(theirs))
        counts.otherOrder++;
    const left = [...ours];
    for (const want of theirs) {
        const i = left.findIndex(got => got.name === want.name);
        if (i >= 0)
            countOrder(left.splice(i, 1)[0].children, want.children);
    }
}

function withoutKnown(name, scene, said) {
    for (const {project, scene: where, path: at, difference, count} of known) {
        const text = `${at}: ${difference}`, found = said.filter(other => other === text).length;
        if (!name.startsWith(`${project}-`) || where !== scene)
            continue;
        if (found !== count)
            said = [...said, `${text}: ${count} times by known.json, but ${found} times`];
        said = said.filter(other => other !== text);
        counts.known += found;
    }
    return said;
}

let nodes = 0, scenes = 0;
const differences = [];
for (const dir of folders(truths))
    for (const file of readdirSync(dir).sort().filter(name => name.endsWith('.expanded.json'))) {
        const {scene, roots} = JSON.parse(readFileSync(path.join(dir, file), 'utf8'));
        const shown = hierarchy(findProject(path.basename(dir), scene), scene);
        const ours = byPath(shown), theirs = byPath(roots);
        // Below a placeholder only the program knows the contents.
        const unsure = [...theirs].filter(([, list]) => list.some(isPlaceholder)).map(([at]) => `${at}/`);
        const said = [];
        const say = text => said.push(text);
        for (const at of new Set([...theirs.keys(), ...ours.keys()]))
            if (theirs.has(at) || !unsure.some(prefix => at.startsWith(prefix)))
                comparePath(at, ours.get(at) ?? [], theirs.get(at) ?? [], say);
        countOrder(shown, roots);
        differences.push(...withoutKnown(path.basename(dir), scene, said).map(text => `${path.basename(dir)} ${scene}: ${text}`));
        nodes += [...theirs.values()].reduce((sum, list) => sum + list.length, 0);
        scenes++;
    }
if (!scenes)
    fail(`no *.expanded.json in the folders of ${truths}`);
if (options.includes('--json')) {
    process.stdout.write(`${JSON.stringify({scenes, nodes, ...counts, differences})}\n`);
} else {
    for (const text of differences.slice(0, MAX_SHOWN))
        console.log(text);
    if (differences.length > MAX_SHOWN)
        console.log(`... and ${differences.length - MAX_SHOWN} more`);
    console.log(`${scenes} scenes, ${nodes} nodes, ${differences.length} differences (and ${counts.known} known ones); ` +
        `${counts.byFileName} scripts known by the name of their file only, ${counts.otherOrder} lists of siblings in another order`);
}
process.exit(differences.length ? 1 : 0);
