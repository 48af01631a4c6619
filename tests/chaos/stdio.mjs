// MCP over pipes: the server's own client, and clients of a second, attached `serve --stdio`.
import {spawn} from 'node:child_process';

import {capabilitiesOf, enveloped} from './http.mjs';
import {Client} from './ledger.mjs';

export class StdioClient extends Client {
    constructor(name, ledger, random, {modern = false} = {}) {
        super(name, ledger, random);
        this.modern = modern;
        this.rest = '';
    }

    /** Use the pipes of a process. */
    use(child) {
        this.child = child;
        this.rest = '';
        child.stdin.on('error', () => {});
        child.stdout.setEncoding('utf8').on('data', text => {
            const parts = (this.rest + text).split('\n');
            this.rest = parts.pop();
            for (const part of parts)
                this.receiveLine(part);
        });
    }

    receiveLine(line) {
        let message;
        try {
            message = JSON.parse(line);
        } catch {
            this.ledger.violation(`${this.name}: a line that is not JSON: ${line.slice(0, 300)}`);
            return;
        }
        this.receive(message);
    }

    write(message) {
        this.child.stdin.write(JSON.stringify(message) + '\n');
    }

    request(method, params, what) {
        const wrapped = this.modern ? enveloped(params, capabilitiesOf(this, params)) : params;
        const request = this.newRequest(method, wrapped, what);
        this.write({jsonrpc: '2.0', id: request.id, method, params: wrapped});
        return request;
    }

    notify(method, params) {
        this.write({jsonrpc: '2.0', method, params});
        return Promise.resolve();
    }

    async open() {
        if (this.modern)
            return;
        await this.request('initialize',
            {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: this.name, version: '1'}}).ended;
        this.notify('notifications/initialized');
    }

    cancel(request) {
        if (!request.isOpen)
            return;
        request.giveUp('cancelled');
        this.notify('notifications/cancelled', {requestId: request.id, reason: 'chaos'});
    }

    async close() {}
}

/** A client with an attached process of its own, which comes and goes. */
export class AttachedClient extends StdioClient {
    constructor(name, ledger, random, server, options) {
        super(name, ledger, random, options);
        this.server = server;
        this.drops = 0;
    }

    async open() {
        const child = spawn(this.server.file, ['serve', '--stdio', '--port', String(this.server.port)],
            {cwd: this.server.folder, stdio: ['pipe', 'pipe', 'pipe']});
        let stderr = '';
        child.stderr.setEncoding('utf8').on('data', text => { stderr += text; });
        this.gone = new Promise(resolve => child.once('close', (code, signal) => resolve({code, signal, stderr})));
        this.gone.then(end => this.onGone(child, end));
        this.use(child);
        await super.open();
    }

    onGone(child, {code, signal, stderr}) {
        if (child === this.child && !this.leaving)
            this.ledger.violation(`${this.name}: the attached process ended with ${code ?? signal}: ${stderr}`);
        for (const request of this.byId.values())
            if (request.isOpen && request.child === child)
                this.ledger.violation('the attached process ended without its response', request);
    }

    request(method, params, what) {
        const request = super.request(method, params, what);
        request.child = this.child;
        return request;
    }

    /** Killed, or stopped by the end of its input; the next open() starts another one. */
    async leave(kill) {
        this.leaving = true;
        this.drops++;
        for (const request of this.byId.values())
            if (request.isOpen)
                request.giveUp('client dropped');
        if (kill)
            this.child.kill('SIGKILL');
        else
            this.child.stdin.end();
        const {code, signal, stderr} = await this.gone;
        if (!kill && code !== 0)
            this.ledger.violation(`${this.name}: the attached process ended with ${code ?? signal}: ${stderr}`);
        this.leaving = false;
        this.child = null;
    }

    async close() {
        if (this.child)
            await this.leave(false);
    }
}
