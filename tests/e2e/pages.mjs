// Page tests of several files in one process, so with one browser:
//
//     tools/node.sh --test-reporter=spec tests/e2e/pages.mjs page/editor-tree page/editor-scene
//
// One file alone is run as any other: tools/node.sh --test tests/e2e/page/editor-tree.test.mjs
import {suite} from 'node:test';

import './fixtures/console.mjs'; // here, because its browser ends with what imports it first: the run, not the first file

const FILE_MS = 600_000; // a file that hangs fails, and the next one is run

for (const name of process.argv.slice(2))
    suite(name, {timeout: FILE_MS}, async () => { await import(`./${name}.test.mjs`); });
