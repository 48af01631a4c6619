// The competitor of mcp_bench.mjs: the official TypeScript SDK serving one tool with a constant
// result.
//
//     tools/node.sh bench/ts_server.mjs v1-stateless|v1-session|v2-stateless|v2-session
//
// v1 is @modelcontextprotocol/sdk, v2 is @modelcontextprotocol/server. Each is used as documented,
// in its cheapest form: Node's own HTTP server without a framework, JSON responses instead of event
// streams, a tool without arguments to validate. "stateless" creates a server object for every
// request (the SDKs require it), "session" one for each initialize. Only v2-stateless supports the
// modern revision.
import {randomUUID} from 'node:crypto';
import http from 'node:http';

const modules = '../tests/e2e/node_modules';
const [version, state] = (process.argv[2] ?? '').split('-');
const text = 'This is a simple text response for testing.';

function addTool(server) {
    server.registerTool('test_simple_text', {description: 'Returns one text block.'},
        () => ({content: [{type: 'text', text}]}));
    return server;
}

const info = {name: 'competitor', version: '1'};
let listener;
if (version === 'v1') {
    const {McpServer} = await import(`${modules}/@modelcontextprotocol/sdk/dist/esm/server/mcp.js`);
    const {StreamableHTTPServerTransport} = await import(
        `${modules}/@modelcontextprotocol/sdk/dist/esm/server/streamableHttp.js`);
    listener = serve(() => new McpServer(info),
        options => new StreamableHTTPServerTransport(options),
        (transport, req, res) => transport.handleRequest(req, res));
} else if (version === 'v2') {
    const {McpServer, WebStandardStreamableHTTPServerTransport, createMcpHandler} =
        await import(`${modules}/@modelcontextprotocol/server/dist/index.mjs`);
    const {getRequestListener} = await import(`${modules}/@hono/node-server/dist/index.mjs`);
    const plain = {overrideGlobalObjects: false};
    if (state === 'stateless') {
        const handler = createMcpHandler(() => addTool(new McpServer(info)), {responseMode: 'json'});
        listener = getRequestListener(request => handler.fetch(request), plain);
    } else {
        listener = serve(() => new McpServer(info),
            options => {
                const transport = new WebStandardStreamableHTTPServerTransport(options);
                transport.listen = getRequestListener(r => transport.handleRequest(r), plain);
                return transport;
            },
            (transport, req, res) => transport.listen(req, res));
    }
} else {
    console.error('usage: ts_server.mjs v1-stateless|v1-session|v2-stateless|v2-session');
    process.exit(2);
}

function serve(newServer, newTransport, handle) {
    const sessions = new Map();
    return async (req, res) => {
        const known = sessions.get(req.headers['mcp-session-id']);
        if (known)
            return handle(known, req, res);
        const transport = newTransport({
            enableJsonResponse: true,
            sessionIdGenerator: state === 'session' ? randomUUID : undefined,
            onsessioninitialized: id => { sessions.set(id, transport); },
        });
        const server = addTool(newServer());
        await server.connect(transport);
        return handle(transport, req, res);
    };
}

const server = http.createServer(listener);
server.listen(0, '127.0.0.1', () => {
    console.error(`listening on http://127.0.0.1:${server.address().port}/mcp`);
});
process.on('SIGTERM', () => process.exit(0));
