// The official inspector as a command: strict about schemas, both eras, both transports.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';
import {after, before, test} from 'node:test';

import {build, everything, startHttp, within} from '../fixtures/program.mjs';

const require = createRequire(import.meta.url);
const manifest = require.resolve('@modelcontextprotocol/inspector/package.json');
const program = path.join(path.dirname(manifest), require(manifest).bin['mcp-inspector']);

let server;
let home;
before(async () => {
    server = await startHttp(null);
    home = mkdtempSync(path.join(os.tmpdir(), 'multiverse-inspector-'));
});
after(async () => {
    rmSync(home, {recursive: true, force: true});
    assert.equal((await server.stop()).code, 0, server.stderr);
});

async function inspect(...args) {
    const child = spawn(process.execPath, [program, '--cli', ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {...process.env, HOME: home, NO_COLOR: '1', MCP_INSPECTOR_SECRET_STORE: 'memory'},
    });
    let out = '';
    let err = '';
    child.stdout.on('data', text => { out += text; });
    child.stderr.on('data', text => { err += text; });
    const code = await within(new Promise(resolve => child.once('close', resolve)), 'the inspector',
        () => out + err);
    assert.equal(code, 0, `${args.join(' ')}\n${out}\n${err}`);
    assert.doesNotMatch(err, /schema/i); // neither errors nor warnings
    return JSON.parse(out);
}

for (const era of ['legacy', 'modern'])
    test(`accepts the tools for Unity: ${era}`, async () => {
        const {tools} = await inspect(path.join(build, 'multiverse'), 'serve', '--stdio', '--port', '0',
            '--log-level', 'error', '--no-headless', '--protocol-era', era, '--method', 'tools/list', '--strict');
        assert.ok(tools.some(tool => tool.name === 'manage_component'));
    });

for (const transport of ['http', 'stdio'])
    for (const era of ['legacy', 'modern']) {
        const target = () => [...transport === 'http' ? [server.url] : [everything, '--stdio'],
            '--protocol-era', era];

        test(`accepts the tools: ${era} over ${transport}`, async () => {
            const {tools} = await inspect(...target(), '--method', 'tools/list', '--strict');
            assert.ok(tools.length >= 38);
            const {execution} = tools.find(tool => tool.name === 'slow_compute');
            assert.equal(execution?.taskSupport, era === 'legacy' ? 'optional' : undefined);
        });

        test(`calls a tool: ${era} over ${transport}`, async () => {
            const result = await inspect(...target(), '--method', 'tools/call', '--tool-name',
                'test_structured_content', '--tool-arg', 'name=abc');
            assert.deepEqual(result.structuredContent, {name: 'abc', bytes: 3});
        });
    }
