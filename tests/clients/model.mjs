// A fixed conversation with a coding agent, so that a real agent really calls one of our tools: one
// account of the stand-in for the models (../standin), which has the agents' APIs.
//
//     const model = await startModel(t, [{tool: 'get_editor_state', args: {}}]);
//     ... run the agent with model.url as the base of its API ...
//     model.result('get_editor_state').json      // the call's result as the model saw it
//
// It chooses the reply by the number of tool results in the request, so retries and side requests
// are harmless: after n results comes call n, and after the last one a final text with all results.
import {SAID, startStandin} from '../standin/standin.mjs';
import {findTool} from '../standin/wires.mjs';

export {SAID};
const PATIENCE = 50;

/** The reply that the agent prints when a test's `before` failed. */
const failed = error => ({text: `The stand-in for the model failed: ${error.stack}`});

/** The JSON object in a text, whatever the agent wrote around it; undefined if there is none. */
export function jsonIn(text) {
    const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
    try {
        return JSON.parse(text.slice(from, to + 1));
    } catch {
        return undefined;
    }
}

/**
 * Play the conversation until t ends. A call is {tool, args?, before?, meanwhile?}:
 *   before()    is awaited before the model replies with the call
 *   meanwhile   is called instead while the tool is not offered, at most PATIENCE times
 * Return {url, requests, offered, results, result(tool)}: all requests {path, body}, the names of
 * the tools in the latest, the results {tool, text, json} of the tools so far, and the last result
 * of one tool.
 */
export async function startModel(t, calls) {
    const account = (await startStandin(t)).account('');
    const model = {url: account.url, requests: account.requests, offered: [], results: []};
    model.result = tool => model.results.findLast(result => result.tool === tool);
    const replies = []; // the call, or null, that is the reply to a request with n results
    const left = [...calls];
    let patience = PATIENCE;

    async function play(tools) {
        const [call] = left;
        if (!call)
            return null;
        if (call.meanwhile && !findTool(tools, call.tool) && patience-- > 0)
            return {tool: call.meanwhile};
        left.shift();
        await call.before?.();
        return call;
    }

    async function reply({body, tools, results}) {
        model.offered = tools;
        if (tools.length === 0) // a title, a summary: not the conversation
            return 'none';
        await (replies[results.length] ??= play(body.tools));
        const all = await Promise.all(replies);
        model.results = results.map((text, n) => ({tool: all[n]?.tool, text, json: jsonIn(text)}));
        return {calls: all.filter(call => call)};
    }

    account.answers(request => reply(request).catch(failed));
    return model;
}
