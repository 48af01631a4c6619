// The headless editor and the package in the stand-in editor give the same answers to the same
// calls: tests/editors.
//
//     EDITORS_LONG=1 EDITORS_SEED=7 node --test tests/e2e/editors/same-answers.test.mjs
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {compare} from '../../editors/compare.mjs';
import {DIFFERENCES, isWritten} from '../../editors/differences.mjs';
import {report} from '../../editors/pair.mjs';
import {sample, scenePath} from '../fixtures/unity.mjs';

const seed = Number(process.env.EDITORS_SEED ?? 1), long = Boolean(process.env.EDITORS_LONG);

test('the comparison finds differences, and only those', async t => {
    const mass = (project, value) => project.write(scenePath('GameScene'),
        project.read(scenePath('GameScene')).replace('m_Mass: 1\n', `m_Mass: ${value}\n`));
    const pair = await compare(t, sample, {
        editors: ['headless', 'headless'], scene: 'GameScene', only: ['hierarchies', 'components'],
        prepare: (first, second) => mass(second, 7),
    });
    assert.ok(pair.found.length > 0);
    for (const {tool, path, a, b} of pair.found)
        assert.deepEqual([tool, path, a, b], ['get_component_info', '.ok.fields.mass', 1, 7]);
    const same = await compare(t, sample, {editors: ['headless', 'headless'], scene: 'GameScene', seed});
    assert.deepEqual(same.found, []);
    assert.ok(same.calls > 1000, `${same.calls} calls`);
});

test('the same calls have the same answers', async t => {
    const pair = await compare(t, sample, {seed, long});
    t.diagnostic(`${pair.calls} calls`);
    assert.equal(pair.found.length, 0, report(pair));
    assert.ok(pair.calls > 5000, `${pair.calls} calls`);
});

test('the documents list every unavoidable difference with its reason', () => {
    assert.ok(isWritten(),
        'node tests/editors/differences.mjs --write, then meson compile -C build tools-md');
    for (const {id, tools, headless, live, why} of DIFFERENCES)
        assert.ok(tools.length && headless && live && why, id);
    assert.equal(new Set(DIFFERENCES.map(({id}) => id)).size, DIFFERENCES.length);
});
