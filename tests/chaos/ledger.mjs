// The clients' ledger: every request sent, every message received, and every violation.
//
// A request ends when it is answered, or when its client gives it up (it cancels, closes the
// stream, drops the connection). A received message must be the one response of a request, or an
// allowed notification; everything else is a violation at once. Requests without a response are
// found at the end.

export class Request {
    constructor(client, id, method, params, what) {
        this.client = client;
        this.id = id;
        this.method = method;
        this.params = params;
        this.what = what; // of a tool call: {tool, args, marker, ...}, see plan.mjs
        this.answers = [];
        this.givenUp = null; // or how it was given up
        this.sentAt = performance.now();
        this.isOver = false;
        this.ended = new Promise(resolve => {
            this.end = () => {
                this.isOver = true;
                resolve();
            };
        });
    }

    get answer() {
        return this.answers[0];
    }

    get isOpen() {
        return !this.isOver;
    }

    giveUp(how) {
        this.givenUp ??= how;
        this.end();
    }

    toString() {
        const age = Math.round(performance.now() - this.sentAt);
        return `${this.client.name} id ${this.id} ${this.method} ${JSON.stringify(this.params)}`.slice(0, 600) +
            ` (${age} ms ago${this.givenUp ? `, given up: ${this.givenUp}` : ''})`;
    }
}

export class Ledger {
    constructor() {
        this.requests = [];
        this.violations = [];
        this.progress = 0;
        this.notices = {};
        this.onViolation = () => {};
    }

    violation(text, request, more) {
        this.violations.push({text, request, more});
        this.onViolation();
    }

    open() {
        return this.requests.filter(r => r.isOpen);
    }

    /** The tool calls of a run. */
    calls() {
        return this.requests.filter(r => r.what);
    }
}

/** What the requests and responses of one client have in common on every transport. */
export class Client {
    constructor(name, ledger, random) {
        this.name = name;
        this.ledger = ledger;
        this.random = random;
        this.byId = new Map();
        this.nextId = 1;
        this.tasks = new Map(); // taskId -> request that made it
    }

    newRequest(method, params, what) {
        const id = this.random.chance(0.5) ? this.nextId++ : `${this.name}-${this.nextId++}`;
        if (what?.progress)
            params = {...params, _meta: {...params._meta, progressToken: id}};
        const request = new Request(this, id, method, params, what);
        this.byId.set(id, request);
        this.ledger.requests.push(request);
        return request;
    }

    openCount() {
        let n = 0;
        for (const request of this.byId.values())
            n += request.isOpen;
        return n;
    }

    /** One message of the server; `only`: the request whose stream brought it. */
    receive(message, only) {
        if (message?.jsonrpc !== '2.0')
            this.ledger.violation(`${this.name}: no JSON-RPC: ${JSON.stringify(message).slice(0, 300)}`);
        else if (message.method !== undefined)
            this.receiveNotice(message);
        else
            this.receiveAnswer(message, only);
    }

    receiveAnswer(message, only) {
        const request = this.byId.get(message.id);
        const text = () => JSON.stringify(message).slice(0, 600);
        if (!request) {
            this.ledger.violation(`${this.name}: an unexpected response: ${text()}`);
            return;
        }
        if (only && only !== request)
            this.ledger.violation('the response came on the stream of another request', request, text());
        request.answers.push(message);
        if (request.answers.length > 1)
            this.ledger.violation('answered more than once', request,
                request.answers.map(a => JSON.stringify(a).slice(0, 400)).join('\n'));
        if ((message.result === undefined) === (message.error === undefined))
            this.ledger.violation('neither a result nor an error', request, text());
        request.answeredAt = performance.now();
        request.end();
    }

    receiveNotice(message) {
        const {method, params} = message;
        const text = JSON.stringify(message).slice(0, 400);
        this.ledger.notices[method] = (this.ledger.notices[method] ?? 0) + 1;
        if (message.id !== undefined)
            this.ledger.violation(`${this.name}: a request of the server: ${text}`);
        else if (method === 'notifications/progress')
            this.receiveProgress(params, text);
        else if (method !== 'notifications/tools/list_changed' && method !== 'notifications/tasks/status')
            this.ledger.violation(`${this.name}: a notification that is not allowed: ${text}`);
    }

    receiveProgress({progressToken, progress}, text) {
        const request = this.byId.get(progressToken);
        this.ledger.progress++;
        if (!request || request.params._meta?.progressToken !== progressToken)
            this.ledger.violation(`${this.name}: progress of an unknown request: ${text}`);
        else if (request.answers.length && !request.answer.result?.task)
            this.ledger.violation('progress after the response', request, text);
        else if (progress <= (request.progress ?? -1))
            this.ledger.violation(`progress that does not increase (it was ${request.progress})`, request, text);
        else
            request.progress = progress;
    }
}
