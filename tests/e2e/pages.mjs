// Run the page tests of several files in one process, so that they share one browser:
//
//     tools/node.sh --test-reporter=spec tests/e2e/pages.mjs page/editor-tree page/editor-scene
//
// A single file runs like any other: tools/node.sh --test tests/e2e/page/editor-tree.test.mjs
import {suite} from 'node:test';

// imported here, so that the browser is closed at the end of the run, not of the first file
import './fixtures/console.mjs';

for (const name of process.argv.slice(2))
    suite(name, async () => { await import(`./${name}.test.mjs`); });
