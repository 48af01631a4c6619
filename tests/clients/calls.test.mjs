// Each agent, told by a stand-in for its model, calls a tool of the server, over each transport: the
// answer must reach the model, and the agent's own output.
import assert from 'node:assert/strict';
import {after, before, describe, test} from 'node:test';

import {everything, startHttp} from '../e2e/lib.mjs';
import {agents, ask, missing, skipWithoutAgents} from './agents.mjs';
import {SAID, startModel} from './model.mjs';

skipWithoutAgents();

let server;
before(async () => { server = await startHttp(null); });
after(async () => assert.equal((await server.stop()).code, 0, server.stderr));

const transports = {
    http: () => ({url: server.url}),
    stdio: () => ({command: [everything, '--stdio']}),
};

for (const agent of Object.values(agents))
    describe(agent.title, {skip: missing(agent)}, () => {
        for (const [transport, where] of Object.entries(transports))
            test(`calls a tool over ${transport}`, async t => {
                const name = `from ${agent.title}`;
                const model = await startModel(t, [{tool: 'test_structured_content', args: {name}}]);
                const end = await ask(t, agent, {server: where(), model});
                assert.equal(end.code, 0, end.stderr);
                assert.deepEqual(model.results[0]?.json, {name, bytes: name.length}, end.stdout);
                assert.ok(end.said?.startsWith(SAID) && end.said.includes(name), end.stdout);
            });
    });
