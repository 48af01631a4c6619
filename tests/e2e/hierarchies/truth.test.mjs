// Compares hierarchies with hand-written ones: tests/truth/compare.mjs on the sample project. Also
// checks that the comparison finds differences.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {cpSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {folder} from '../fixtures/bridge.mjs';
import {build} from '../fixtures/program.mjs';
import {sample} from '../fixtures/unity.mjs';

const truth = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../truth');
const FILE = 'sample-project-2022.3.56f1/Assets_Scenes_ArenaScene.unity.expanded.json';

function compare(truths, ...args) {
    const {status, stdout, stderr} = spawnSync(process.execPath,
        [path.join(truth, 'compare.mjs'), '--json', ...args, path.dirname(sample), truths],
        {encoding: 'utf8', env: {...process.env, MULTIVERSE_BUILD: build}});
    assert.equal(stderr, '');
    return {status, ...JSON.parse(stdout)};
}

test('the sample project matches its hand-written hierarchies', () => {
    const {status, differences, scenes, nodes} = compare(path.join(truth, 'examples'), '--strict');
    assert.deepEqual(differences, []);
    assert.deepEqual([status, scenes, nodes], [0, 1, 21]);
});

const CHANGES = [
    ['a node more', roots => roots.push({name: 'New', active: true, components: [], children: []}), /\/New: not shown/],
    ['a node less', roots => roots.pop(), /\/Watcher: shown, but not there/],
    ['a flag', roots => { roots[0].active = false; }, /\/Main Camera: active is true, not false/],
    ['a component', roots => roots[2].components.pop(), /\/Crate: components/],
    ['the order of components', roots => roots[2].components.reverse(), /\/Crate: components/],
    ['a missing script', roots => { roots[2].components[4] = null; }, /\/Crate: components .*, not \[.*null\]/],
];
for (const [name, change, pattern] of CHANGES)
    test(`the comparison finds ${name}`, t => {
        const dir = folder(t);
        cpSync(path.join(truth, 'examples'), dir, {recursive: true});
        const file = path.join(dir, FILE), json = JSON.parse(readFileSync(file, 'utf8'));
        change(json.roots);
        writeFileSync(file, JSON.stringify(json));
        const {status, differences} = compare(dir);
        assert.equal(status, 1);
        assert.ok(differences.some(text => pattern.test(text)), JSON.stringify(differences));
    });

test('another order of siblings is counted, but is not a difference', t => {
    const dir = folder(t);
    cpSync(path.join(truth, 'examples'), dir, {recursive: true});
    const file = path.join(dir, FILE), json = JSON.parse(readFileSync(file, 'utf8'));
    json.roots.reverse();
    writeFileSync(file, JSON.stringify(json));
    const {status, otherOrder} = compare(dir);
    assert.deepEqual([status, otherOrder], [0, 1]);
});
