// The agents' own commands that add a server and check whether it is reachable.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {agents, makeHome, missing, run, skipWithoutAgents} from './agents.mjs';
import {overStdio, startServer} from './server.mjs';

skipWithoutAgents();

/** Run a command that must succeed; return its whole output. */
async function command(agent, home, args, env) {
    const end = await run(agent, home, args, {env});
    assert.equal(end.code, 0, `${args.join(' ')}\n${end.stdout}${end.stderr}`);
    return end.stdout + end.stderr;
}

const {claude, codex, gemini} = agents;

describe(claude.title, {skip: missing(claude)}, () => {
    test('mcp list and mcp get show it connected', async t => {
        const [home, server] = [makeHome(t), await startServer(t)];
        const [file, ...args] = overStdio(server);
        await command(claude, home, ['mcp', 'add', '--transport', 'http', 'over-http', server.url]);
        await command(claude, home, ['mcp', 'add', 'over-stdio', '--', file, ...args]);
        for (const negotiation of ['auto', 'legacy']) {
            const out = await command(claude, home, ['mcp', 'list'], {MCP_PROTOCOL_NEGOTIATION: negotiation});
            for (const name of ['over-http', 'over-stdio'])
                assert.match(out, new RegExp(`^${name}: .* ✔ Connected$`, 'm'), negotiation);
        }
        assert.match(await command(claude, home, ['mcp', 'get', 'over-http']), /Status: ✔ Connected/);
    });
});

describe(gemini.title, {skip: missing(gemini)}, () => {
    test('mcp list shows it connected', async t => {
        const [home, server] = [makeHome(t), await startServer(t)];
        const [file, ...args] = overStdio(server);
        await command(gemini, home, ['mcp', 'add', '--transport', 'http', 'over-http', server.url]);
        await command(gemini, home, ['mcp', 'add', 'over-stdio', file, '--', ...args]);
        const out = await command(gemini, home, ['mcp', 'list']);
        for (const name of ['over-http', 'over-stdio'])
            assert.match(out, new RegExp(`^✓ ${name}: .* Connected$`, 'm'));
    });
});

describe(codex.title, {skip: missing(codex)}, () => {
    test('mcp list knows both, and that no login is needed', async t => {
        const [home, server] = [makeHome(t), await startServer(t)];
        const [file, ...args] = overStdio(server);
        await command(codex, home, ['mcp', 'add', 'over-http', '--url', server.url]);
        await command(codex, home, ['mcp', 'add', 'over-stdio', '--', file, ...args]);
        const out = await command(codex, home, ['mcp', 'list']);
        assert.match(out, /over-stdio .* enabled/);
        assert.match(out, /over-http .* enabled +Unsupported/); // it has asked the server
    });
});
