// A stand-in for the models behind the agents: one server on loopback that plays several accounts,
// each under a path of its own, over every interface of wires.mjs.
//
//     const standin = await startStandin(t);
//     const a = standin.account('a'), c = standin.account('c');
//     a.answers({fault: 'usage_limited', resetsAt});            // from now on
//     c.answers(['first', {text: 'then'}]);                     // in order; the last one stays
//     ... run agents with a.url and c.url as the base of their APIs ...
//     a.count, c.requests.at(-1).texts                          // the requests of each
//
// A reply is a text, or an object, or a function of the request that returns one (may be async):
//
//     {text, near?}                       a success; `near` {used, resetsAt}: a limit is near
//     {calls: [CALL, ...], text?}         a conversation: after n tool results comes call n, after
//                                         the last one the text, or the tools' results (SAID). A
//                                         CALL is {tool, args?} or {write: PATH, text}, which uses
//                                         the agent's own tool for it
//     {fault, retryAfter?, resetsAt?}     an error, as the provider reports it (faults.mjs)
//     {status, headers?, body?}           these bytes
//     {cut: N, ...}                       the reply's first N bytes, then the connection is closed
//     {hang: true}                        nothing, until the agent disconnects
//
// and in addition to any of these
//
//     when: {texts?, model?}              only for requests that contain this text, for this model
//     times: N                            how often; without: once, but the last in the list and
//                                         those with `when` forever
//
// A request is {account, wire, model, texts, results, tools, n, path, headers, body}; n counts from
// 1.
import http from 'node:http';
import zlib from 'node:zlib';

import {fault, near} from './faults.mjs';
import {findTool, toolNames, wires, write} from './wires.mjs';

/** A conversation without a text ends with this and the tools' results, cut at SAID_MAX. */
export const SAID = 'The tools said: ';
const SAID_MAX = 1_000;

// ---- writing files with the agents' own tools

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;
const patch = (path, text) => `*** Begin Patch\n*** Add File: ${path}\n` +
    text.replace(/\n$/, '').split('\n').map(line => `+${line}\n`).join('') + '*** End Patch\n';
const shell = (path, text) => `printf %s ${quoted(text)} > ${quoted(path)}`;

const writers = [ // in order of preference: name of the tool, its arguments
    ['write_file', (path, text) => ({file_path: path, content: text})],               // Gemini CLI
    ['Write', (path, text) => ({file_path: path, content: text})],                    // Claude Code
    ['exec_command', (path, text) => ({cmd: shell(path, text)})],                     // Codex
    ['shell_command', (path, text) => ({command: shell(path, text)})],
    ['shell', (path, text) => ({command: ['sh', '-c', shell(path, text)]})],
    ['apply_patch', patch],
];

function writing(tools, path, text) {
    for (const [name, args] of writers) {
        const tool = findTool(tools, name);
        if (tool)
            return {tool, args: args(path, text)};
    }
    return null;
}

// ---- replies

/** The model's next text in a conversation: a call, or the final text. */
function converse(answer, request) {
    const {body, results} = request;
    const n = results.length, call = answer.calls[n];
    if (!call)
        return {text: answer.text ?? SAID + results.map(text => text.slice(0, SAID_MAX)).join('\n')};
    const found = call.write ? writing(body.tools, call.write, call.text)
        : {tool: findTool(body.tools, call.tool), args: call.args ?? {}};
    return found?.tool ? {...found, n}
        : {text: `${call.tool ?? 'a tool that writes'} is not among ${request.tools.join(', ')}`};
}

/** The response {status, headers, type, text} to a request; functions have been called. */
function respond(answer, request) {
    const {wire, path, body} = request;
    if (answer.fault) {
        const {status, headers, ...rest} = fault(wire.name, {model: request.model, ...answer});
        return {status, headers, ...write(rest)};
    }
    if (answer.status)
        return {status: answer.status, headers: answer.headers ?? {}, type: 'application/json',
            text: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {})};
    const say = answer.calls ? converse(answer, request) : answer;
    return {status: 200, headers: answer.near ? near(wire.name, answer.near) : {},
        ...write(wire.answer(body, path, say))};
}

const asObject = answer => typeof answer === 'string' ? {text: answer} : answer;

class Account {
    count = 0;
    requests = [];
    #list = [];

    constructor(name, url) {
        this.name = name;
        this.url = url;
        this.answers('ok');
    }

    /** Set the replies from now on: one, a list of them, or a function of the request. */
    answers(list) {
        const all = [list].flat();
        this.#list = all.map((item, i) => {
            const answer = typeof item === 'function' ? {make: item} : asObject(item);
            const ever = i === all.length - 1 || answer.when;
            return {answer, left: answer.times ?? (ever ? Infinity : 1)};
        });
        return this;
    }

    /** Restart the count of requests. */
    forget() {
        this.count = 0;
        this.requests = [];
    }

    #pick(request) {
        const fits = ({when}) => !when || ((when.texts === undefined || request.texts.includes(when.texts)) &&
            (when.model === undefined || request.model === when.model));
        const entry = this.#list.find(({answer, left}) => left > 0 && fits(answer));
        if (!entry)
            throw new Error(`account ${this.name} has no answer left for ${request.model}: ${request.texts.slice(-500)}`);
        entry.left--;
        return entry.answer;
    }

    async take(request) {
        request.n = ++this.count;
        this.requests.push(request);
        const answer = this.#pick(request);
        return answer.make ? asObject(await answer.make(request)) : answer;
    }
}

// ---- the server

async function readBody(req) {
    const pieces = [];
    for await (const piece of req)
        pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    const open = {gzip: zlib.gunzipSync, zstd: zlib.zstdDecompressSync}[req.headers['content-encoding']];
    return (open ? open(bytes) : bytes).toString();
}

/** Side requests of agents: lists of models, counts of tokens. Everything else is 404. */
function aside(req, path) {
    if ((req.headers.upgrade ?? '').toLowerCase() === 'websocket')
        return [426, {error: {message: 'no WebSocket here'}}];
    if (req.method === 'HEAD')
        return [200, {}];
    if (path.endsWith('/models'))
        return [200, {object: 'list', data: []}];
    if (path.endsWith('/count_tokens'))
        return [200, {input_tokens: 10}];
    if (path.endsWith(':countTokens'))
        return [200, {totalTokens: 10}];
    return [404, {error: {message: `no such path: ${path}`}}];
}

/** Account names are single path elements; a path without one belongs to the account ''. */
export class Standin {
    #accounts = new Map();
    #server = http.createServer((req, res) => this.#serve(req, res).catch(error => this.#fail(res, error)));
    /** Called with each request after the response, and the response's status. */
    onAnswer = () => {};
    /** Errors of the stand-in itself; they fail the test at its end. */
    errors = [];

    async listen(port = 0) {
        await new Promise((resolve, reject) => {
            this.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
        });
        this.url = `http://127.0.0.1:${this.#server.address().port}`;
        return this;
    }

    close() {
        this.#server.closeAllConnections();
        this.#server.close();
    }

    account(name) {
        if (!this.#accounts.has(name))
            this.#accounts.set(name, new Account(name, name ? `${this.url}/${name}` : this.url));
        return this.#accounts.get(name);
    }

    #fail(res, error) {
        this.errors.push(error);
        if (!res.headersSent)
            res.writeHead(500, {'content-type': 'application/json'});
        res.end(JSON.stringify({error: {message: `the stand-in failed: ${error.message}`}}));
    }

    async #serve(req, res) {
        const {pathname} = new URL(req.url, this.url);
        const text = await readBody(req);
        const wire = req.method === 'POST' && wires.find(w => w.matches(pathname));
        if (!wire) {
            const [status, json] = aside(req, pathname);
            res.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(json));
            return;
        }
        const [, first] = pathname.split('/');
        const account = this.#accounts.get(first) ?? this.account('');
        const body = JSON.parse(text);
        const request = {account: account.name, wire, model: wire.model(body, pathname), texts: wire.texts(body),
            results: wire.results(body), tools: toolNames(body.tools), path: pathname, headers: req.headers, body};
        const answer = await account.take(request);
        if (answer.hang) {
            this.onAnswer(request, 0);
            await new Promise(resolve => res.once('close', resolve));
            return;
        }
        const response = respond(answer, request);
        this.onAnswer(request, response.status);
        this.#send(res, response, answer.cut);
    }

    #send(res, {status, headers, type, text}, cut) {
        res.writeHead(status, {'content-type': type, ...headers});
        if (cut === undefined)
            res.end(text);
        else
            res.write(text.slice(0, cut), () => res.destroy());
    }
}

/** A promise that opens on demand, for replies that must wait. */
export function gate() {
    let open;
    const opened = new Promise(resolve => { open = resolve; });
    return {open, opened};
}

/** A stand-in until t ends; it must have no error of its own. */
export async function startStandin(t) {
    const standin = await new Standin().listen();
    t.after(() => {
        standin.close();
        if (standin.errors.length)
            throw standin.errors[0];
    });
    return standin;
}
