// The stand-in for the models: it answers as the providers do, and it counts requests.
import assert from 'node:assert/strict';
import path from 'node:path';
import {describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import zlib from 'node:zlib';

import {onLines} from '../fixtures/bridge.mjs';
import {parseEvents, Program, until} from '../fixtures/program.mjs';
import {faultNames} from '../../standin/faults.mjs';
import {SAID, Standin, startStandin} from '../../standin/standin.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const RESETS_AT = Math.floor(Date.now() / 1000) + 7200;

// How to call each API, and how to read its response: {text, calls: [{name, args}], usage: [in,
// out]}.
const apis = {
    responses: {
        path: '/v1/responses',
        ask: (prompt, more) => ({model: 'm', stream: true, instructions: 'be good', input: [
            {type: 'message', role: 'user', content: [{type: 'input_text', text: prompt}]},
            ...(more?.results ?? []).map((output, n) =>
                ({type: 'function_call_output', call_id: `call_${n}`, output})),
        ], tools: [{type: 'namespace', name: 'mcp__x', tools: [{type: 'function', name: 'look'}]},
            {type: 'function', name: 'exec_command'}]}),
        read(text) {
            const end = parseEvents(text).at(-1).json;
            assert.equal(end.type, 'response.completed');
            const [item] = end.response.output;
            return {text: item.content?.[0].text,
                calls: item.type === 'function_call' ? [{name: item.name, args: JSON.parse(item.arguments)}] : [],
                usage: [end.response.usage.input_tokens, end.response.usage.output_tokens]};
        },
    },
    chat: {
        path: '/v1/chat/completions',
        ask: (prompt, more) => ({model: 'm', stream: true, stream_options: {include_usage: true}, messages: [
            {role: 'system', content: 'be good'}, {role: 'user', content: prompt},
            ...(more?.results ?? []).map((content, n) => ({role: 'tool', tool_call_id: `call_${n}`, content})),
        ], tools: [{type: 'function', function: {name: 'look'}}, {type: 'function', function: {name: 'shell_command'}}]}),
        read(text) {
            const datas = text.split('\n').filter(l => l.startsWith('data: ')).map(l => l.slice(6));
            assert.equal(datas.pop(), '[DONE]');
            const chunks = datas.map(JSON.parse);
            const deltas = chunks.flatMap(c => c.choices).map(c => c.delta);
            const {usage} = chunks.at(-1);
            return {text: deltas.map(d => d.content ?? '').join('') || undefined,
                calls: deltas.flatMap(d => d.tool_calls ?? [])
                    .map(c => ({name: c.function.name, args: JSON.parse(c.function.arguments)})),
                usage: [usage.prompt_tokens, usage.completion_tokens]};
        },
    },
    messages: {
        path: '/v1/messages',
        ask: (prompt, more) => ({model: 'm', stream: true, max_tokens: 10, system: [{type: 'text', text: 'be good'}],
            messages: [{role: 'user', content: prompt}, ...(more?.results ?? []).map((content, n) =>
                ({role: 'user', content: [{type: 'tool_result', tool_use_id: `toolu_${n}`, content}]}))],
            tools: [{name: 'mcp__x__look'}, {name: 'Write'}]}),
        read(text) {
            const events = parseEvents(text).map(e => e.json);
            assert.equal(events.at(-1).type, 'message_stop');
            const deltas = events.filter(e => e.type === 'content_block_delta').map(e => e.delta);
            const block = events.find(e => e.type === 'content_block_start').content_block;
            const {usage} = events.find(e => e.type === 'message_delta');
            return {text: block.type === 'text' ? deltas.map(d => d.text).join('') : undefined,
                calls: block.type === 'tool_use'
                    ? [{name: block.name, args: JSON.parse(deltas.map(d => d.partial_json).join(''))}] : [],
                usage: [usage.input_tokens, usage.output_tokens]};
        },
    },
    gemini: {
        path: '/v1beta/models/m:streamGenerateContent',
        ask: (prompt, more) => ({systemInstruction: {parts: [{text: 'be good'}]}, contents: [
            {role: 'user', parts: [{text: prompt}]},
            ...(more?.results ?? []).map(output => ({role: 'user', parts: [{functionResponse: {response: {output}}}]})),
        ], tools: [{functionDeclarations: [{name: 'mcp_x_look'}, {name: 'write_file'}]}]}),
        read(text) {
            const answers = parseEvents(text).map(e => e.json);
            const parts = answers.flatMap(a => a.candidates[0].content.parts);
            const {usageMetadata: u} = answers.at(-1);
            return {text: parts.map(p => p.text ?? '').join('') || undefined,
                calls: parts.filter(p => p.functionCall).map(p => p.functionCall),
                usage: [u.promptTokenCount, u.candidatesTokenCount]};
        },
    },
};

async function post(url, body, headers = {}) {
    const response = await fetch(url, {method: 'POST', headers: {'content-type': 'application/json', ...headers},
        body: Buffer.isBuffer(body) ? body : JSON.stringify(body)});
    return {status: response.status, headers: response.headers, text: await response.text()};
}

/** The status each provider uses for an error, and its place in the body. */
const STATUS = {
    rate_limited: {responses: 429, chat: 429, messages: 429, gemini: 429},
    usage_limited: {responses: 429, messages: 429, gemini: 429},
    billing: {responses: 429, chat: 429, messages: 400, gemini: 429},
    overloaded: {responses: 503, chat: 503, messages: 529, gemini: 503},
    server: {responses: 500, chat: 500, messages: 500, gemini: 500},
    auth: {responses: 401, chat: 401, messages: 401, gemini: 400},
    model: {responses: 404, chat: 404, messages: 404, gemini: 404},
    request: {responses: 400, chat: 400, messages: 400, gemini: 400},
    context: {responses: 400, chat: 400, messages: 400, gemini: 400},
    stream_overloaded: {responses: 200, chat: 200, messages: 200},
};

for (const [name, api] of Object.entries(apis))
    describe(name, () => {
        test('returns a text, in pieces, and the usage', async t => {
            const a = (await startStandin(t)).account('a').answers('Grüße — 🚀 and "quotes"\n');
            const {status, text} = await post(a.url + api.path, api.ask('hello'));
            assert.equal(status, 200);
            assert.deepEqual(api.read(text), {text: 'Grüße — 🚀 and "quotes"\n', calls: [], usage: [11, 7]});
            const [{texts, model, n, account, results}] = a.requests;
            assert.deepEqual([model, n, account, results], ['m', 1, 'a', []]);
            assert.equal(texts, 'be good\nhello');
        });

        test('chooses the next reply by the number of tool results', async t => {
            const a = (await startStandin(t)).account('a')
                .answers({calls: [{tool: 'look', args: {at: 1}}, {write: '/p/f.txt', text: "it's"}]});
            const say = async results => api.read((await post(a.url + api.path, api.ask('go', {results}))).text);
            const [first] = (await say([])).calls;
            assert.ok(first.name.endsWith('look'));
            assert.deepEqual(first.args, {at: 1});
            const [second] = (await say(['seen'])).calls;
            assert.ok(/write_file|Write|exec_command|shell_command/.test(second.name), second.name);
            assert.ok(JSON.stringify(second.args).includes('/p/f.txt'));
            assert.equal((await say(['seen', 'written'])).text, `${SAID}seen\nwritten`);
            assert.equal((await say([])).calls.length, 1, 'a repeated request gets the same reply');
        });

        test('a call of a tool that was not offered is reported', async t => {
            const a = (await startStandin(t)).account('a').answers({calls: [{tool: 'nothing'}]});
            const {text} = api.read((await post(a.url + api.path, api.ask('go'))).text);
            assert.match(text, /^nothing is not among .*look/);
        });

        test('every fault has the provider\'s status', async t => {
            const a = (await startStandin(t)).account('a');
            assert.deepEqual(faultNames(name).toSorted(),
                Object.keys(STATUS).filter(f => STATUS[f][name]).toSorted());
            for (const fault of faultNames(name)) {
                a.answers({fault, resetsAt: RESETS_AT, retryAfter: 3});
                const {status, text} = await post(a.url + api.path, api.ask('x'));
                assert.equal(status, STATUS[fault][name], fault);
                const bodies = status === 200 ? parseEvents(text).map(e => e.json) : [JSON.parse(text)];
                assert.ok(bodies.some(b => b.error?.message ?? b.response?.error?.message), text);
            }
        });

        test('a connection is cut in the middle of a response', async t => {
            const a = (await startStandin(t)).account('a').answers({text: 'a long text', cut: 40});
            await assert.rejects(post(a.url + api.path, api.ask('x')), /terminated|socket|other side/);
        });
    });

test('limits state when they end, in each provider\'s form', async t => {
    const standin = await startStandin(t);
    const ask = async (name, answer) => {
        const account = standin.account('a').answers(answer);
        const {headers, text} = await post(account.url + apis[name].path, apis[name].ask('x'));
        return {headers, json: JSON.parse(text)};
    };
    const usage = {fault: 'usage_limited', resetsAt: RESETS_AT};
    const codex = await ask('responses', usage);
    assert.equal(codex.json.error.type, 'usage_limit_reached');
    assert.equal(codex.json.error.resets_at, RESETS_AT);
    assert.equal(codex.headers.get('x-codex-primary-reset-at'), String(RESETS_AT));
    const claude = await ask('messages', usage);
    assert.equal(claude.headers.get('anthropic-ratelimit-unified-status'), 'rejected');
    assert.equal(claude.headers.get('anthropic-ratelimit-unified-reset'), String(RESETS_AT));
    const gemini = await ask('gemini', usage);
    const [{quotaId}] = gemini.json.error.details[0].violations;
    assert.match(quotaId, /PerDay/);
    assert.match(gemini.json.error.details[1].retryDelay, /^7[12]\d\ds$/);
    assert.match(gemini.json.error.message, /Please retry in (2h0s|1h5\dm\d+s)\./);
    const rate = {fault: 'rate_limited', retryAfter: 3};
    assert.equal((await ask('chat', rate)).headers.get('retry-after-ms'), '3000');
    assert.equal((await ask('messages', rate)).headers.get('retry-after'), '3');
    assert.equal((await ask('gemini', rate)).json.error.details[1].retryDelay, '3s');
    assert.equal((await ask('chat', {fault: 'rate_limited'})).headers.get('retry-after'), null);
});

test('one server plays several accounts, which can change while it runs', async t => {
    const standin = await startStandin(t);
    const [a, b] = ['a', 'b'].map(name => standin.account(name));
    const ask = async (account, prompt = 'x', model = 'm') =>
        (await post(account.url + apis.chat.path, {...apis.chat.ask(prompt), model})).status;
    a.answers([{fault: 'overloaded', times: 2}, 'fine']);
    assert.deepEqual([await ask(a), await ask(a), await ask(a), await ask(a)], [503, 503, 200, 200]);
    assert.equal(await ask(b), 200);
    assert.deepEqual([a.count, b.count], [4, 1]);
    a.answers({fault: 'auth'});
    assert.equal(await ask(a), 401);
    a.forget();
    assert.deepEqual([a.count, a.requests.length], [0, 0]);
    b.answers([{when: {model: 'big'}, fault: 'model'}, {when: {texts: 'plan_task'}, fault: 'billing'}, 'fine']);
    assert.deepEqual([await ask(b), await ask(b, 'x', 'big'), await ask(b, 'now plan_task'), await ask(b, 'x', 'big')],
        [200, 404, 429, 404]);
    b.answers(async request => ({status: 418, body: {n: request.n}}));
    assert.equal(await ask(b), 418);
});

test('a hanging request ends with its agent', async t => {
    const a = (await startStandin(t)).account('a').answers({hang: true});
    const abort = new AbortController();
    const hanging = fetch(a.url + apis.chat.path, {method: 'POST', body: JSON.stringify(apis.chat.ask('x')),
        signal: abort.signal});
    await until(() => a.count === 1, 'the request');
    abort.abort();
    await assert.rejects(hanging, /abort/i);
});

test('side requests are answered and not counted; bodies may be compressed', async t => {
    const standin = await startStandin(t);
    const a = standin.account('a');
    const status = async (method, path, headers) => (await fetch(a.url + path, {method, headers})).status;
    assert.equal(await status('HEAD', '/'), 200);
    assert.equal(await status('GET', '/v1/models'), 200);
    assert.equal(await status('POST', '/v1/messages/count_tokens'), 200);
    assert.equal(await status('POST', '/v1beta/models/m:countTokens'), 200);
    assert.equal(await status('GET', '/nothing'), 404);
    assert.equal(a.count, 0);
    for (const [encoding, pack] of [['gzip', zlib.gzipSync], ['zstd', zlib.zstdCompressSync]])
        assert.equal((await post(a.url + apis.responses.path, pack(JSON.stringify(apis.responses.ask('packed'))),
            {'content-encoding': encoding})).status, 200);
    assert.match(a.requests.at(-1).texts, /packed/);
    assert.equal(a.count, 2);
});

test('a defect of the stand-in is reported as such, not as a provider\'s error', async t => {
    const standin = await new Standin().listen();
    t.after(() => standin.close());
    const a = standin.account('a').answers({fault: 'unheard_of'});
    const {status, text} = await post(a.url + apis.chat.path, apis.chat.ask('x'));
    assert.equal(status, 500);
    assert.match(text, /the stand-in failed: no fault unheard_of at chat: rate_limited/);
    assert.equal(standin.errors.length, 1);
});

test('the program takes commands as lines of JSON', async t => {
    const program = new Program([path.join(here, '../../standin/main.mjs')], {file: process.execPath});
    t.after(() => program.stop());
    const lines = [];
    onLines(program, program.child.stdout, text => lines.push(JSON.parse(text)));
    const line = n => until(() => lines[n], `line ${n}`, program);
    const {url} = await line(0);
    program.child.stdin.write('{"account":"a","answers":{"fault":"server"}}\nno json\n');
    assert.deepEqual(await line(1), {account: 'a', url: `${url}/a`});
    assert.match((await line(2)).error, /JSON/);
    assert.equal((await post(`${url}/a${apis.gemini.path}`, apis.gemini.ask('x'))).status, 500);
    assert.deepEqual(await line(3), {account: 'a', wire: 'gemini', model: 'm', n: 1, status: 500});
    program.child.stdin.end();
    assert.equal((await program.ended()).code, 0, program.stderr);
});
