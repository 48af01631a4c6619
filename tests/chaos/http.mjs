// HTTP by hand, so that no byte is hidden: connections, and the two kinds of clients on them.
import net from 'node:net';

import {Client} from './ledger.mjs';

const ACCEPT = 'application/json, text/event-stream';
export const MODERN = '2026-07-28';
const KEY = 'io.modelcontextprotocol/';

/** The params of a modern request, with the envelope. */
export function enveloped(params, capabilities = {}) {
    return {
        ...params,
        _meta: {
            [`${KEY}protocolVersion`]: MODERN,
            [`${KEY}clientCapabilities`]: capabilities,
            [`${KEY}clientInfo`]: {name: 'chaos', version: '1'},
            ...params?._meta,
        },
    };
}

/** Every modern request states its client's capabilities; some clients can follow tasks. */
export function capabilitiesOf(client, params) {
    const isTask = params?.taskId !== undefined || client.random.chance(client.tasksPart ?? 0);
    return isTask ? {extensions: {[`${KEY}tasks`]: {}}} : {};
}

/** One keep-alive connection with one exchange at a time. */
class Connection {
    constructor(port, stray) {
        this.stray = stray;
        this.exchange = null; // {onHead, onBody, onEnd, onLost}
        this.bytes = Buffer.alloc(0);
        this.closed = false;
        this.socket = net.connect(port, '127.0.0.1');
        this.socket.setNoDelay(true);
        this.socket.on('data', piece => this.feed(piece));
        this.socket.on('error', () => {});
        this.socket.on('close', () => this.lost());
    }

    send(text, exchange) {
        this.exchange = exchange;
        this.state = 'head';
        this.socket.write(text);
    }

    destroy() {
        this.exchange = null; // the caller that closes it knows
        this.closed = true;
        this.socket.destroy();
    }

    lost() {
        const exchange = this.exchange;
        this.closed = true;
        this.exchange = null;
        exchange?.onLost();
    }

    feed(piece) {
        this.bytes = this.bytes.length ? Buffer.concat([this.bytes, piece]) : piece;
        while (this.bytes.length && !this.closed) {
            if (!this.exchange) {
                this.stray(this.bytes.toString('latin1').slice(0, 300));
                this.destroy();
                return;
            }
            if (!this.step())
                return;
        }
    }

    take(n) {
        const head = this.bytes.subarray(0, n);
        this.bytes = this.bytes.subarray(n);
        return head;
    }

    takeLine() {
        const end = this.bytes.indexOf('\r\n');
        return end < 0 ? null : this.take(end + 2).subarray(0, end).toString('latin1');
    }

    /** One step of the response; false: more bytes are needed. */
    step() {
        if (this.state === 'head')
            return this.readHead();
        if (this.state === 'length') {
            const piece = this.take(Math.min(this.left, this.bytes.length));
            this.left -= piece.length;
            this.exchange.onBody(piece);
            if (this.left === 0)
                this.finish();
            return true;
        }
        return this.readChunk();
    }

    readHead() {
        const end = this.bytes.indexOf('\r\n\r\n');
        if (end < 0)
            return false;
        const [line, ...fields] = this.take(end + 4).subarray(0, end).toString('latin1').split('\r\n');
        const headers = Object.fromEntries(fields.map(field => {
            const colon = field.indexOf(':');
            return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
        }));
        const status = Number(line.split(' ')[1]);
        this.exchange.onHead(status, headers);
        if (!this.exchange) // the owner has dropped the exchange
            return true;
        this.keep = headers.connection !== 'close';
        this.left = Number(headers['content-length'] ?? 0);
        this.state = headers['transfer-encoding'] === 'chunked' ? 'size' : 'length';
        if (this.state === 'length' && this.left === 0)
            this.finish();
        return true;
    }

    readChunk() {
        if (this.state === 'data') {
            const piece = this.take(Math.min(this.left, this.bytes.length));
            this.left -= piece.length;
            if (this.left === 0)
                this.state = 'data end';
            this.exchange.onBody(piece);
            return true;
        }
        const line = this.takeLine();
        if (line === null)
            return false;
        if (this.state === 'data end') {
            this.state = 'size';
        } else if (this.state === 'size') {
            this.left = parseInt(line, 16);
            this.state = this.left ? 'data' : 'trailer';
        } else if (line === '') {
            this.finish();
        }
        return true;
    }

    finish() {
        const exchange = this.exchange;
        this.exchange = null;
        exchange.onEnd(this.keep);
    }
}

/** The response to one POST or GET, in any form: its messages go to the client. */
class Response {
    constructor(client, request, done) {
        this.client = client;
        this.request = request; // null: of a notification, or of the stream of notifications
        this.done = done;
        this.text = '';
        this.decoder = new TextDecoder();
        this.lastEventId = null;
    }

    onHead(status, headers) {
        this.status = status;
        this.headers = headers;
        this.isStream = (headers['content-type'] ?? '').startsWith('text/event-stream');
    }

    onBody(piece) {
        this.text += this.decoder.decode(piece, {stream: true});
        if (!this.isStream)
            return;
        for (let end; (end = this.text.indexOf('\n\n')) >= 0; this.text = this.text.slice(end + 2))
            this.onEvent(this.text.slice(0, end));
    }

    onEvent(block) {
        let data = '';
        for (const line of block.split('\n')) {
            if (line.startsWith('id: '))
                this.lastEventId = line.slice(4);
            else if (line.startsWith('data: '))
                data += line.slice(6);
            else if (line && !/^(data:|event: message|retry: \d+|:.*)$/.test(line))
                this.client.ledger.violation(`a line that is not an event: ${line}`, this.request);
        }
        if (data)
            this.client.receive(JSON.parse(data), this.request ?? undefined);
        this.onEventRead?.();
    }

    onEnd(keep) {
        const {client, request} = this;
        if (this.isStream && this.text)
            client.ledger.violation(`an incomplete event at the end: ${this.text}`, request);
        else if (!this.isStream && this.text)
            this.readJson();
        this.done(keep);
        if (request?.isOpen)
            client.ledger.violation(`the response ended without a result (status ${this.status})`, request,
                this.text);
        request?.end();
    }

    readJson() {
        const {client, request} = this;
        let message;
        try {
            message = JSON.parse(this.text);
        } catch {
            client.ledger.violation(`status ${this.status}, no JSON: ${this.text.slice(0, 300)}`, request);
            return;
        }
        // An error of HTTP itself has no id: its session has ended meanwhile.
        if (message.error && (message.id ?? null) === null)
            client.onRefusal(request, this.status, message);
        else
            client.receive(message, request ?? undefined);
    }

    onLost() {
        this.done(false);
        if (this.request?.isOpen)
            this.client.ledger.violation('the server closed the connection without a response', this.request);
        this.request?.end();
    }
}

class HttpClient extends Client {
    constructor(name, ledger, random, port) {
        super(name, ledger, random);
        this.port = port;
        this.idle = [];
        this.all = new Set();
    }

    connection() {
        for (let c; (c = this.idle.pop());)
            if (!c.closed)
                return c;
        const c = new Connection(this.port, text =>
            this.ledger.violation(`${this.name}: unexpected bytes: ${text}`));
        this.all.add(c);
        return c;
    }

    /** Send a request and read the response; return the connection, which may be closed at any
     * time. */
    exchange(verb, headers, body, request, onDone) {
        const c = this.connection();
        const lines = Object.entries(headers).map(([k, v]) => `${k}: ${v}\r\n`).join('');
        const text = body === undefined ? '' : JSON.stringify(body);
        const length = body === undefined ? '' :
            `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
        const response = new Response(this, request, keep => {
            if (keep && !c.closed)
                this.idle.push(c);
            else
                this.forget(c);
            onDone?.(response);
        });
        c.response = response;
        c.send(`${verb} /mcp HTTP/1.1\r\nHost: 127.0.0.1:${this.port}\r\nAccept: ${ACCEPT}\r\n` +
            `${lines}${length}\r\n${text}`, response);
        return c;
    }

    forget(c) {
        this.all.delete(c);
        c.destroy();
    }

    request(method, params, what) {
        const request = this.newRequest(method, this.wrap(params), what);
        const message = {jsonrpc: '2.0', id: request.id, method, params: request.params};
        request.connection = this.exchange('POST', this.headersOf(message), message, request);
        return request;
    }

    notify(method, params) {
        const message = {jsonrpc: '2.0', method, params};
        return new Promise(resolve => {
            this.exchange('POST', this.headersOf(message), message, null, response => {
                if (response.status !== 202 && response.status !== 404)
                    this.ledger.violation(`${this.name}: status ${response.status} for ${method}`);
                resolve();
            });
        });
    }

    /** Close the connection during the request. */
    drop(request, how) {
        if (!request.isOpen)
            return;
        request.giveUp(how);
        this.forget(request.connection);
    }

    onRefusal(request, status, message) {
        this.ledger.violation(`status ${status}: ${JSON.stringify(message)}`, request);
    }

    async close() {
        for (const request of this.byId.values())
            if (request.isOpen)
                request.giveUp('client closed');
        for (const c of [...this.all])
            this.forget(c);
    }
}

/** 2026-07-28: no session; closing a stream cancels. */
export class ModernClient extends HttpClient {
    wrap(params) {
        return enveloped(params, capabilitiesOf(this, params));
    }

    headersOf({method, params}) {
        const name = params?.name ?? params?.taskId;
        return {
            'MCP-Protocol-Version': MODERN,
            'Mcp-Method': method,
            ...(name === undefined ? {} : {'Mcp-Name': name}),
        };
    }

    async open() {}

    cancel(request) {
        this.drop(request, 'stream closed');
    }
}

/** 2025-11-25 and before: a session; a lost connection cancels nothing. */
export class LegacyClient extends HttpClient {
    constructor(name, ledger, random, port, version = '2025-11-25') {
        super(name, ledger, random, port);
        this.version = version;
        this.session = null;
    }

    wrap(params) {
        return params ?? {};
    }

    headersOf() {
        return this.session ? {'Mcp-Session-Id': this.session, 'MCP-Protocol-Version': this.version} : {};
    }

    async open() {
        this.session = null;
        const request = this.request('initialize',
            {protocolVersion: this.version, capabilities: {}, clientInfo: {name: this.name, version: '1'}});
        const {response} = request.connection;
        await request.ended;
        this.session = response.headers['mcp-session-id'];
        await this.notify('notifications/initialized');
        if (this.listens)
            this.listen();
    }

    /** The stream of the session's notifications. */
    listen() {
        this.listening = this.exchange('GET', this.headersOf(), undefined, null, () => {});
    }

    cancel(request) {
        if (!request.isOpen)
            return;
        request.giveUp('cancelled');
        this.notify('notifications/cancelled', {requestId: request.id, reason: 'chaos'});
    }

    /** Break the connection of a stream and resume it. */
    breakAndResume(request) {
        const {response} = request.connection;
        const last = response?.lastEventId;
        if (!request.isOpen || !response?.isStream || !last)
            return;
        this.forget(request.connection);
        this.resumed = (this.resumed ?? 0) + 1;
        const again = () => {
            request.connection = this.exchange('GET', {...this.headersOf(), 'Last-Event-ID': last}, undefined,
                request);
            const next = request.connection.response;
            const {onHead} = next;
            next.onHead = (status, headers) => { // the old connection may not be closed yet
                if (status !== 409)
                    return onHead.call(next, status, headers);
                this.forget(request.connection);
                setTimeout(again, 5);
            };
        };
        again();
    }

    /** End a session during its requests, which are given up. */
    async endSession() {
        const {session} = this;
        for (const request of this.byId.values())
            if (request.isOpen)
                request.giveUp('session ended');
        this.session = null;
        this.sessions = (this.sessions ?? 0) + 1;
        if (!session)
            return;
        await new Promise(resolve => {
            this.exchange('DELETE', {'Mcp-Session-Id': session, 'MCP-Protocol-Version': this.version},
                undefined, null, resolve);
        });
    }

    onRefusal(request, status, message) {
        const late = this.sessions > 0 && (!request || request.givenUp);
        if (status !== 404 || !late)
            super.onRefusal(request, status, message);
    }

    async close() {
        if (this.session)
            await this.endSession();
        await super.close();
    }
}
