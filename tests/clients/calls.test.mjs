// Each agent, driven by a stand-in for its model, calls tools of the program over each transport:
// the result must reach the model, and the agent's own output.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';

import {agents, ask, missing, skipWithoutAgents} from './agents.mjs';
import {SAID, startModel} from './model.mjs';
import {connectEditor, listTools, makeProject, overStdio, startServer} from './server.mjs';

skipWithoutAgents();

const transports = {
    http: server => ({url: server.url}),
    stdio: server => ({command: overStdio(server)}),
};

/** An object path at which the fake editor fails in this way. */
const NOBODY = 'fake:error=ERR_OBJECT_NOT_FOUND';

/** Let the agent play the conversation to its end, and check that it printed the model's texts. */
async function converse(t, agent, server, calls) {
    const model = await startModel(t, calls);
    const end = await ask(t, agent, {server, model});
    assert.equal(end.code, 0, end.stderr);
    assert.ok(end.text && end.text.startsWith(SAID), `${end.text}\n${end.stdout}\n${end.stderr}`);
    return {model, text: end.text};
}

for (const agent of Object.values(agents))
    describe(agent.title, {skip: missing(agent)}, () => {
        for (const [transport, reach] of Object.entries(transports)) {
            test(`reads the editor's state over ${transport}, and there is none`, async t => {
                const server = transport === 'http' ? await startServer(t)
                    : {port: 0, project: makeProject(t)}; // the agent starts the only server
                const {model, text} = await converse(t, agent, reach(server), [{tool: 'get_editor_state'}]);
                const state = model.result('get_editor_state').json;
                assert.equal(state.server_state, 'waiting_editor');
                assert.equal(state.connected, false);
                assert.equal(state.project_path, server.project);
                assert.ok(text.includes('"waiting_editor"'), text);
            });

            test(`reads the editor's console over ${transport}, and gets an error`, async t => {
                const server = await startServer(t);
                await connectEditor(t, server);
                const {model, text} = await converse(t, agent, reach(server), [
                    {tool: 'read_console', args: {max_entries: 3}},
                    {tool: 'get_component_info', args: {game_object_path: NOBODY, index: 0}},
                ]);
                for (const name of await listTools(server))
                    assert.ok(model.offered.some(offered => offered.endsWith(name)), `${name} is not offered`);
                const {entries, count} = model.result('read_console').json;
                assert.equal(count, 3);
                assert.ok(entries.every(entry => entry.message.startsWith('console line ')));
                assert.ok(text.includes(entries[0].message), text);
                const failure = model.result('get_component_info').text;
                assert.match(failure, /ERR_UNITY_EXECUTION/);
                assert.match(failure, /ERR_OBJECT_NOT_FOUND/);
            });

            test(`runs the project's tests as a job over ${transport}`, async t => {
                const server = await startServer(t);
                await connectEditor(t, server);
                const {model, text} = await converse(t, agent, reach(server), [
                    {tool: 'run_tests', args: {wait_ms: 20_000}},
                ]);
                const job = model.result('run_tests');
                assert.equal(job.json?.state, 'succeeded', job.text);
                assert.ok(text.includes(job.json.job_id), text);
            });

            test(`finds a tool that the editor has added, over ${transport}`, async t => {
                const server = await startServer(t);
                const bringAll = await connectEditor(t, server, ['run_tests']);
                const {model} = await converse(t, agent, reach(server), [
                    {tool: 'get_editor_state', before: bringAll},
                    {tool: 'read_console', args: {max_entries: 1}, meanwhile: 'get_editor_state'},
                ]);
                assert.doesNotMatch(JSON.stringify(model.requests[0].body.tools), /read_console/);
                assert.equal(model.result('read_console').json.count, 1);
            });
        }

        test('continues after a restart of the server, over http', {skip: agent.restart}, async t => {
            const server = await startServer(t);
            const restart = async () => {
                await server.stop();
                await startServer(t, server); // on the same port, for the same project
            };
            const {model} = await converse(t, agent, {url: server.url}, [
                {tool: 'get_editor_state'},
                {tool: 'get_editor_state', before: restart},
            ]);
            assert.equal(model.results[1].json.server_state, 'waiting_editor');
        });
    });
