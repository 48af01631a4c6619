// docs/orchestrator.md: its commands can be pasted and work.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {run, start} from '../fixtures/cli.mjs';
import {build} from '../fixtures/program.mjs';
import {makeUser} from '../fixtures/tooling.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const page = readFileSync(path.resolve(here, '../../../docs/orchestrator.md'), 'utf8');

test('the sixty seconds', async t => {
    const [, example] = page.match(/^## Sixty seconds[\s\S]*?^```sh\n([\s\S]*?)^```/m);
    const user = makeUser(t);
    const program = start(['-e'], {file: 'sh', cwd: user.dir, input: example,
        env: {...user.env, MULTIVERSE_HOME: '', PATH: `${build}:${user.env.PATH}`}});
    const {code} = await program.ended('the example');
    assert.equal(code, 0, program.stdout + program.stderr);
    assert.equal(program.stdout.match(/^\d +\w+ +SUCCEEDED /gm)?.length, 4, program.stdout);
    assert.match(program.stdout, /COMPLETE/);
});

test('every option of orchestrate is on the page', async () => {
    const {stdout} = await run(['orchestrate', '--help']);
    const names = [...stdout.matchAll(/^ +(?:-\w, )?--([a-z-]+)/gm)].map(m => m[1]);
    assert.ok(names.includes('until-idle'));
    for (const name of names.filter(n => !['help'].includes(n)))
        assert.match(page, new RegExp('`--' + name + '[ `]'), name);
});
