// Claude Code, Codex and Gemini CLI, as they are installed by users, connect to the program over both
// transports. They get a home of their own, nothing of the user's, and no network but loopback.
// Codex has no command that connects, so it runs a task with a stand-in for the model that calls a tool.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import http from 'node:http';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';
import {after, before, describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {everything, startHttp, within} from '../e2e/lib.mjs';

const LIMIT_MS = 120_000; // they start slowly
const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

const programs = {
    // Its package is a shell around the binary, made by a script at install time; we run no such scripts.
    claude: [path.join(path.dirname(require.resolve(
        `@anthropic-ai/claude-code-linux-${process.arch}/package.json`)), 'claude')],
    codex: [process.execPath, path.join(here, 'node_modules/.bin/codex')],
    gemini: [process.execPath, path.join(here, 'node_modules/.bin/gemini')],
};

let server;
let home;
before(async () => {
    server = await startHttp(null);
    home = mkdtempSync(path.join(os.tmpdir(), 'multiverse-clients-'));
    for (const name of ['work', 'codex', 'claude'])
        mkdirSync(path.join(home, name));
});
after(async () => {
    rmSync(home, {recursive: true, force: true});
    assert.equal((await server.stop()).code, 0, server.stderr);
});

function environment(more) {
    return {
        PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, TERM: 'dumb', NO_COLOR: '1',
        CLAUDE_CONFIG_DIR: path.join(home, 'claude'), CODEX_HOME: path.join(home, 'codex'),
        GEMINI_CLI_HOME: home, GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: '1',
        DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        // Whatever else wants to leave the machine ends at a port where nobody listens.
        HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9',
        NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost', ...more,
    };
}

/** Runs a client to its end: {code, out} with both streams in out. */
async function run(name, args, more = {}) {
    const [file, ...first] = programs[name];
    const child = spawn(file, [...first, ...args], {
        cwd: path.join(home, 'work'), env: environment(more), stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', text => { out += text; });
    try {
        const code = await within(new Promise(resolve => child.once('close', resolve)),
            `${name} ${args.join(' ')}`, LIMIT_MS);
        assert.equal(code, 0, `${name} ${args.join(' ')}\n${out}`);
    } catch (error) {
        error.message += `\n${out}`;
        throw error;
    } finally {
        if (child.exitCode === null)
            process.kill(-child.pid, 'SIGKILL');
    }
    return out;
}

describe('Claude Code', () => {
    before(async () => {
        await run('claude', ['mcp', 'add', '--transport', 'http', 'over-http', server.url]);
        await run('claude', ['mcp', 'add', 'over-stdio', '--', everything, '--stdio']);
    });

    for (const negotiation of ['auto', 'legacy'])
        test(`mcp list says connected, negotiation ${negotiation}`, async () => {
            const out = await run('claude', ['mcp', 'list'], {MCP_PROTOCOL_NEGOTIATION: negotiation});
            for (const name of ['over-http', 'over-stdio'])
                assert.match(out, new RegExp(`^${name}: .* ✔ Connected$`, 'm'));
        });

    test('mcp get says connected', async () => {
        assert.match(await run('claude', ['mcp', 'get', 'over-http']), /Status: ✔ Connected/);
    });
});

describe('Gemini CLI', () => {
    test('mcp list says connected', async () => {
        await run('gemini', ['mcp', 'add', '--transport', 'http', 'over-http', server.url]);
        await run('gemini', ['mcp', 'add', 'over-stdio', everything, '--', '--stdio']);
        const out = await run('gemini', ['mcp', 'list']);
        for (const name of ['over-http', 'over-stdio'])
            assert.match(out, new RegExp(`^✓ ${name}: .* Connected$`, 'm'));
    });
});

/** The tool of that name as Codex offers it to the model: {name, namespace}. */
function findTool(tools, wanted, namespace) {
    for (const tool of tools ?? []) {
        const found = tool.type === 'namespace' ? findTool(tool.tools, wanted, tool.name)
            : tool.name?.endsWith(wanted) && {name: tool.name, namespace};
        if (found)
            return found;
    }
    return null;
}

/** A model of two answers: call the tool, then say what it answered. Keeps the requests it got. */
async function startModel(t, wanted, args) {
    const requests = [];
    const model = http.createServer(async (req, res) => {
        let text = '';
        for await (const piece of req)
            text += piece;
        if (req.method !== 'POST' || !req.url.endsWith('/responses')) {
            res.writeHead(404).end('{}');
            return;
        }
        const body = JSON.parse(text);
        requests.push(body);
        const done = body.input.find(item => item.type === 'function_call_output');
        const tool = done ? null : findTool(body.tools, wanted);
        const item = tool
            ? {type: 'function_call', id: 'fc_1', call_id: 'call_1', arguments: JSON.stringify(args), ...tool}
            : {type: 'message', id: 'msg_1', role: 'assistant', status: 'completed',
                content: [{type: 'output_text', text: 'done', annotations: []}]};
        const usage = {input_tokens: 1, output_tokens: 1, total_tokens: 2};
        const events = [
            {type: 'response.created', response: {id: 'r'}},
            {type: 'response.output_item.done', output_index: 0, item},
            {type: 'response.completed', response: {id: 'r', status: 'completed', output: [item], usage}},
        ];
        res.writeHead(200, {'content-type': 'text/event-stream'});
        res.end(events.map(e => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join(''));
    });
    await new Promise(resolve => model.listen(0, '127.0.0.1', resolve));
    t.after(() => { model.closeAllConnections(); model.close(); });
    return {url: `http://127.0.0.1:${model.address().port}/v1`, requests};
}

describe('Codex', () => {
    test('mcp add and mcp list know both', async () => {
        await run('codex', ['mcp', 'add', 'over-http', '--url', server.url]);
        await run('codex', ['mcp', 'add', 'over-stdio', '--', everything, '--stdio']);
        const out = await run('codex', ['mcp', 'list']);
        assert.match(out, /over-stdio .* enabled/);
        assert.match(out, /over-http .* enabled +Unsupported/); // it asked: no login is needed
        await run('codex', ['mcp', 'remove', 'over-http']);
        await run('codex', ['mcp', 'remove', 'over-stdio']);
    });

    const transports = {
        http: () => `{url=${JSON.stringify(server.url)},required=true}`,
        stdio: () => `{command=${JSON.stringify(everything)},args=["--stdio"],required=true}`,
    };
    for (const [transport, config] of Object.entries(transports))
        test(`exec calls a tool over ${transport}`, async t => {
            const model = await startModel(t, 'test_structured_content', {name: 'from codex'});
            const out = await run('codex', ['exec', '--json', '--skip-git-repo-check', '--ephemeral',
                '-c', 'model_provider="local"', '-m', 'local-model',
                '-c', `model_providers.local={name="local",base_url=${JSON.stringify(model.url)},` +
                    'wire_api="responses",env_key="LOCAL_KEY",request_max_retries=0,stream_max_retries=0}',
                '-c', `mcp_servers.everything=${config()}`, 'call the tool'], {LOCAL_KEY: 'none'});
            const events = out.split('\n').filter(line => line.startsWith('{')).map(line => JSON.parse(line));
            const call = events.find(e => e.type === 'item.completed' && e.item.type === 'mcp_tool_call');
            assert.ok(call, out);
            assert.equal(call.item.status, 'completed', JSON.stringify(call));
            assert.deepEqual(call.item.result.structured_content, {name: 'from codex', bytes: 10});
            const seen = model.requests.at(-1).input.find(item => item.type === 'function_call_output');
            assert.match(JSON.stringify(seen.output), /from codex/);
        });
});
