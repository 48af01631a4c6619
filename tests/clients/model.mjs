// A stand-in for the model behind a coding agent: a server on loopback that plays a fixed conversation
// over the three interfaces the agents speak, so that a real agent really calls a tool of ours.
//
//     const model = await startModel(t, [{tool: 'get_editor_state', args: {}}]);
//     ... run the agent with model.url as the base of its API ...
//     model.result('get_editor_state').json      // what the call's answer held, as the model saw it
//
// It answers by the number of tool results in the request, so retries and side questions do no harm:
// after n results comes call n, and after the last a final text with all results in it.
//
//     OpenAI      POST /v1/responses                              Codex
//     Anthropic   POST /v1/messages                               Claude Code
//     Gemini      POST /v1beta/models/M:[stream]generateContent   Gemini CLI
import http from 'node:http';

/** The final text begins with this; what follows is what the tools answered, each cut at SAID_MAX. */
export const SAID = 'The tools said: ';
const SAID_MAX = 1_000;
const PATIENCE = 50;

const sse = events => events.map(event =>
    `${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('');

/** The tool whose name ends with the wanted one, as the agent offers it: {name, namespace?}. */
function findTool(tools, wanted, namespace) {
    for (const tool of tools ?? []) {
        const inner = tool.functionDeclarations ?? (tool.type === 'namespace' ? tool.tools : null);
        const found = inner ? findTool(inner, wanted, tool.name)
            : tool.name?.endsWith(wanted) && {name: tool.name, ...(namespace && {namespace})};
        if (found)
            return found;
    }
    return null;
}

/** Every name in a list of tools. */
function toolNames(tools) {
    return (tools ?? []).flatMap(tool => tool.functionDeclarations || tool.type === 'namespace'
        ? toolNames(tool.functionDeclarations ?? tool.tools) : tool.name ?? []);
}

// One object for each interface:
//   matches(path)            is this request its own?
//   results(body)            texts of the tool results in the request, in order
//   answer(body, path, say)  the response {type, text} that says a {text}, or a {tool, args, n}

const openai = {
    matches: path => path.endsWith('/responses'),
    results: body => body.input.filter(item => item.type === 'function_call_output')
        .map(item => flatten(item.output)),
    answer(body, path, say) {
        const item = say.tool
            ? {type: 'function_call', id: `fc_${say.n}`, call_id: `call_${say.n}`, ...say.tool,
                arguments: JSON.stringify(say.args)}
            : {type: 'message', id: 'msg_1', role: 'assistant', status: 'completed',
                content: [{type: 'output_text', text: say.text, annotations: []}]};
        const usage = {input_tokens: 1, output_tokens: 1, total_tokens: 2};
        return {type: 'text/event-stream', text: sse([
            {type: 'response.created', response: {id: 'r'}},
            {type: 'response.output_item.done', output_index: 0, item},
            {type: 'response.completed', response: {id: 'r', status: 'completed', output: [item], usage}},
        ])};
    },
};

const anthropic = {
    matches: path => path.endsWith('/messages'),
    results: body => body.messages.flatMap(message => Array.isArray(message.content) ? message.content : [])
        .filter(block => block.type === 'tool_result').map(block => flatten(block.content)),
    answer(body, path, say) {
        const block = say.tool
            ? {type: 'tool_use', id: `toolu_${say.n}`, name: say.tool.name, input: say.args}
            : {type: 'text', text: say.text};
        const stop = {stop_reason: say.tool ? 'tool_use' : 'end_turn', stop_sequence: null};
        const usage = {input_tokens: 1, output_tokens: 1};
        const message = {id: 'msg_1', type: 'message', role: 'assistant', model: body.model,
            content: [block], ...stop, usage};
        if (!body.stream)
            return {type: 'application/json', text: JSON.stringify(message)};
        const empty = say.tool ? {...block, input: {}} : {...block, text: ''};
        const delta = say.tool ? {type: 'input_json_delta', partial_json: JSON.stringify(say.args)}
            : {type: 'text_delta', text: say.text};
        return {type: 'text/event-stream', text: sse([
            {type: 'message_start', message: {...message, content: [], stop_reason: null}},
            {type: 'content_block_start', index: 0, content_block: empty},
            {type: 'content_block_delta', index: 0, delta},
            {type: 'content_block_stop', index: 0},
            {type: 'message_delta', delta: stop, usage},
            {type: 'message_stop'},
        ])};
    },
};

const gemini = {
    matches: path => /:(streamG|g)enerateContent$/.test(path),
    results: body => body.contents.flatMap(content => content.parts ?? [])
        .filter(part => part.functionResponse)
        .map(({functionResponse: {response}}) => response.output ?? response.error ?? flatten(response)),
    answer(body, path, say) {
        const part = say.tool ? {functionCall: {name: say.tool.name, args: say.args}} : {text: say.text};
        const answer = {
            candidates: [{index: 0, finishReason: 'STOP', content: {role: 'model', parts: [part]}}],
            usageMetadata: {promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2},
        };
        return path.includes(':stream')
            ? {type: 'text/event-stream', text: sse([answer])}
            : {type: 'application/json', text: JSON.stringify(answer)};
    },
};

const interfaces = [openai, anthropic, gemini];

/** A result is a text, or a list of contents with texts. */
function flatten(content) {
    if (typeof content === 'string')
        return content;
    if (Array.isArray(content))
        return content.map(item => item.text ?? JSON.stringify(item)).join('\n');
    return JSON.stringify(content);
}

/** What the agent is told, and so prints, when the stand-in itself or a test's `before` failed. */
const failed = error => ({text: `The stand-in for the model failed: ${error.stack}`});

/** The object a text holds, whatever the agent wrote around it; undefined if there is none. */
export function jsonIn(text) {
    const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
    try {
        return JSON.parse(text.slice(from, to + 1));
    } catch {
        return undefined;
    }
}

/**
 * Plays the conversation until t ends. A call is {tool, args?, before?, meanwhile?}:
 *   before()    is awaited before the model answers with the call
 *   meanwhile   is called instead as long as the tool is not offered, as often as PATIENCE
 * Answers {url, requests, offered, results, result(tool)}: all requests {path, body}, the names of the
 * tools in the latest, the answers {tool, text, json} of the tools so far, and the last answer of one.
 */
export async function startModel(t, calls) {
    const model = {requests: [], offered: [], results: []};
    model.result = tool => model.results.findLast(result => result.tool === tool);
    const played = []; // the call, or null, that answers a request with n results
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

    async function say(api, body) {
        model.offered = toolNames(body.tools);
        if (model.offered.length === 0) // a title, a summary: not the conversation
            return {text: 'none'};
        const texts = api.results(body);
        const call = await (played[texts.length] ??= play(body.tools));
        const all = await Promise.all(played);
        model.results = texts.map((text, n) => ({tool: all[n]?.tool, text, json: jsonIn(text)}));
        if (!call)
            return {text: SAID + texts.map(text => text.slice(0, SAID_MAX)).join('\n')};
        const tool = findTool(body.tools, call.tool);
        return tool ? {tool, args: call.args ?? {}, n: texts.length}
            : {text: `${call.tool} is not among ${model.offered.join(', ')}`};
    }

    const server = http.createServer(async (req, res) => {
        let text = '';
        for await (const piece of req.setEncoding('utf8'))
            text += piece;
        const {pathname} = new URL(req.url, 'http://model');
        const api = req.method === 'POST' && interfaces.find(i => i.matches(pathname));
        if (!api) {
            res.writeHead(404, {'content-type': 'application/json'}).end('{}');
            return;
        }
        const body = JSON.parse(text);
        model.requests.push({path: pathname, body});
        const answer = api.answer(body, pathname, await say(api, body).catch(failed));
        res.writeHead(200, {'content-type': answer.type}).end(answer.text);
    });
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
        server.closeAllConnections();
        server.close();
    });
    model.url = `http://127.0.0.1:${server.address().port}`;
    return model;
}
