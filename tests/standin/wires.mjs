// The four interfaces of models, read and written as the providers do.
//
//     OpenAI Responses   POST .../responses                                 Codex
//     OpenAI chat        POST .../chat/completions                          openai-chat
//     Anthropic          POST .../messages                                  Claude Code
//     Gemini             POST .../models/M:[stream]generateContent          Gemini CLI
//
// Each is an object:
//   matches(path)              is this request its own?
//   model(body, path)          the requested model
//   texts(body)                all texts for the model, as one: instructions, prompts
//   results(body)              texts of the tool results in the request, in order
//   answer(body, path, say)    the response {type, events | json}; say: {text} or {tool, args, n}

/** The usage that every response reports. */
export const USAGE = {input: 11, output: 7};

/** The text of a result, which is a text or a list of contents with texts. */
export function flatten(content) {
    if (typeof content === 'string')
        return content;
    if (Array.isArray(content))
        return content.map(item => item.text ?? JSON.stringify(item)).join('\n');
    return content === undefined || content === null ? '' : JSON.stringify(content);
}

/** Split a text into at most three non-empty pieces: streams come in pieces. */
function pieces(text) {
    const size = Math.max(1, Math.ceil(text.length / 3));
    return text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [''];
}

/** The tool whose name ends with the wanted one, as the agent offers it: {name, namespace?,
 * custom?}. */
export function findTool(tools, wanted, namespace) {
    for (const tool of tools ?? []) {
        const inner = tool.functionDeclarations ?? (tool.type === 'namespace' ? tool.tools : null);
        const name = tool.function?.name ?? tool.name;
        const found = inner ? findTool(inner, wanted, tool.name)
            : name?.endsWith(wanted) &&
                {name, ...(namespace && {namespace}), ...(tool.type === 'custom' && {custom: true})};
        if (found)
            return found;
    }
    return null;
}

/** Every name in a list of tools. */
export function toolNames(tools) {
    return (tools ?? []).flatMap(tool => tool.functionDeclarations || tool.type === 'namespace'
        ? toolNames(tool.functionDeclarations ?? tool.tools) : tool.function?.name ?? tool.name ?? []);
}

const responses = {
    name: 'responses',
    matches: path => path.endsWith('/responses'),
    model: body => body.model,
    texts: body => [body.instructions ?? '', ...body.input.filter(item => item.type === 'message')
        .map(item => flatten(item.content))].join('\n'),
    results: body => body.input
        .filter(item => item.type === 'function_call_output' || item.type === 'custom_tool_call_output')
        .map(item => flatten(item.output)),
    answer(body, path, say) {
        const id = say.tool && {id: `fc_${say.n}`, call_id: `call_${say.n}`};
        const {custom, ...tool} = say.tool ?? {};
        const item = custom ? {type: 'custom_tool_call', ...id, ...tool, input: say.args}
            : say.tool ? {type: 'function_call', ...id, ...tool, arguments: JSON.stringify(say.args)}
            : {type: 'message', id: 'msg_1', role: 'assistant', status: 'completed',
                content: [{type: 'output_text', text: say.text, annotations: []}]};
        const usage = {input_tokens: USAGE.input, output_tokens: USAGE.output,
            total_tokens: USAGE.input + USAGE.output};
        const response = {id: 'resp_1', object: 'response', status: 'completed', model: body.model,
            output: [item], usage};
        if (!body.stream)
            return {json: response};
        return {events: [
            {type: 'response.created', response: {id: 'resp_1'}},
            ...(say.tool ? [] : [
                {type: 'response.output_item.added', output_index: 0,
                    item: {...item, status: 'in_progress', content: []}},
                ...pieces(say.text).map(delta => ({type: 'response.output_text.delta', item_id: 'msg_1',
                    output_index: 0, content_index: 0, delta})),
            ]),
            {type: 'response.output_item.done', output_index: 0, item},
            {type: 'response.completed', response},
        ]};
    },
};

const chat = {
    name: 'chat',
    matches: path => path.endsWith('/chat/completions'),
    model: body => body.model,
    texts: body => body.messages.filter(m => m.role !== 'tool' && m.role !== 'assistant')
        .map(m => flatten(m.content)).join('\n'),
    results: body => body.messages.filter(m => m.role === 'tool').map(m => flatten(m.content)),
    answer(body, path, say) {
        const head = {id: 'chatcmpl-1', created: 1_700_000_000, model: body.model};
        const usage = {prompt_tokens: USAGE.input, completion_tokens: USAGE.output,
            total_tokens: USAGE.input + USAGE.output};
        const calls = say.tool && [{index: 0, id: `call_${say.n}`, type: 'function',
            function: {name: say.tool.name, arguments: JSON.stringify(say.args)}}];
        const finish_reason = say.finish ?? (calls ? 'tool_calls' : 'stop');
        if (!body.stream)
            return {json: {...head, object: 'chat.completion', usage, choices: [{index: 0, finish_reason,
                message: {role: 'assistant', content: say.text ?? null, ...(calls && {tool_calls: calls})}}]}};
        const chunk = (delta, finish = null) =>
            ({...head, object: 'chat.completion.chunk', choices: [{index: 0, delta, finish_reason: finish}]});
        return {done: '[DONE]', events: [
            chunk({role: 'assistant', content: ''}),
            ...(calls ? [chunk({tool_calls: calls})] : pieces(say.text).map(content => chunk({content}))),
            chunk({}, finish_reason),
            ...(body.stream_options?.include_usage
                ? [{...head, object: 'chat.completion.chunk', choices: [], usage}] : []),
        ].map(data => ({data}))};
    },
};

const messages = {
    name: 'messages',
    matches: path => path.endsWith('/messages'),
    model: body => body.model,
    texts: body => [flatten(body.system), ...body.messages.filter(m => m.role === 'user')
        .map(m => flatten(Array.isArray(m.content) ? m.content.filter(b => b.type === 'text') : m.content)),
    ].join('\n'),
    results: body => body.messages.flatMap(m => Array.isArray(m.content) ? m.content : [])
        .filter(block => block.type === 'tool_result').map(block => flatten(block.content)),
    answer(body, path, say) {
        const block = say.tool
            ? {type: 'tool_use', id: `toolu_${say.n}`, name: say.tool.name, input: say.args}
            : {type: 'text', text: say.text};
        const stop = {stop_reason: say.tool ? 'tool_use' : 'end_turn', stop_sequence: null};
        const usage = {input_tokens: USAGE.input, output_tokens: USAGE.output,
            cache_creation_input_tokens: 0, cache_read_input_tokens: 0};
        const message = {id: 'msg_1', type: 'message', role: 'assistant', model: body.model,
            content: [block], ...stop, usage};
        if (!body.stream)
            return {json: message};
        const empty = say.tool ? {...block, input: {}} : {...block, text: ''};
        const deltas = say.tool ? [{type: 'input_json_delta', partial_json: JSON.stringify(say.args)}]
            : pieces(say.text).map(text => ({type: 'text_delta', text}));
        return {events: [
            {type: 'message_start', message: {...message, content: [], stop_reason: null}},
            {type: 'content_block_start', index: 0, content_block: empty},
            ...deltas.map(delta => ({type: 'content_block_delta', index: 0, delta})),
            {type: 'content_block_stop', index: 0},
            {type: 'message_delta', delta: stop, usage},
            {type: 'message_stop'},
        ]};
    },
};

const gemini = {
    name: 'gemini',
    matches: path => /:(streamG|g)enerateContent$/.test(path),
    model: (body, path) => path.match(/([^/]+):[a-zA-Z]+$/)[1],
    texts: body => [flatten(body.systemInstruction?.parts), ...body.contents
        .filter(content => content.role !== 'model').flatMap(content => content.parts ?? [])
        .map(part => part.text ?? '')].join('\n'),
    results: body => body.contents.flatMap(content => content.parts ?? [])
        .filter(part => part.functionResponse)
        .map(({functionResponse: {response}}) => response.output ?? response.error ?? flatten(response)),
    answer(body, path, say) {
        const parts = say.tool ? [{functionCall: {name: say.tool.name, args: say.args}}]
            : pieces(say.text).map(text => ({text}));
        const usageMetadata = {promptTokenCount: USAGE.input, candidatesTokenCount: USAGE.output,
            totalTokenCount: USAGE.input + USAGE.output};
        const answer = (list, end) => ({
            candidates: [{index: 0, ...(end && {finishReason: 'STOP'}), content: {role: 'model', parts: list}}],
            ...(end && {usageMetadata}),
        });
        return path.includes(':stream')
            ? {events: parts.map((part, i) => ({data: answer([part], i === parts.length - 1)}))}
            : {json: answer(parts, true)};
    },
};

export const wires = [responses, chat, messages, gemini];

/** The bytes of a response: {type, text}. */
export function write({json, events, done}) {
    if (json)
        return {type: 'application/json', text: JSON.stringify(json)};
    const text = events.map(event => event.data ? `data: ${JSON.stringify(event.data)}\n\n`
        : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    return {type: 'text/event-stream', text: text + (done ? `data: ${done}\n\n` : '')};
}
