// The competitor of bridge_bench.mjs: the smallest possible bridge on the official SDK. Three tools
// without arguments to validate, one WebSocket hop, the editor's text passed on unparsed; results
// are matched to calls by their order, and there is no queue, no timeout, no error.
//
//     tools/node.sh bench/node_bridge.mjs
import {randomUUID} from 'node:crypto';
import http from 'node:http';

const modules = '../tests/e2e/node_modules';
const {McpServer} = await import(`${modules}/@modelcontextprotocol/sdk/dist/esm/server/mcp.js`);
const {StreamableHTTPServerTransport} = await import(
    `${modules}/@modelcontextprotocol/sdk/dist/esm/server/streamableHttp.js`);
const {WebSocketServer} = await import(`${modules}/ws/wrapper.mjs`);

let editor;
let next = 0;
const waiting = [];

function ask(name) {
    return new Promise(resolve => {
        waiting.push(resolve);
        editor.send(`{"type":"execute","request_id":"req-${++next}","tool_name":"${name}","params":{}}`);
    });
}

function newServer() {
    const server = new McpServer({name: 'competitor', version: '1'});
    for (const name of ['read_console', 'get_component_info', 'get_scene_hierarchy'])
        server.registerTool(name, {description: 'Asks the editor.'},
            async () => ({content: [{type: 'text', text: await ask(name)}]}));
    return server;
}

const sessions = new Map();
const server = http.createServer(async (req, res) => {
    const known = sessions.get(req.headers['mcp-session-id']);
    if (known)
        return known.handleRequest(req, res);
    const transport = new StreamableHTTPServerTransport({
        enableJsonResponse: true,
        sessionIdGenerator: randomUUID,
        onsessioninitialized: id => { sessions.set(id, transport); },
    });
    await newServer().connect(transport);
    return transport.handleRequest(req, res);
});
new WebSocketServer({server, path: '/plain', perMessageDeflate: false, maxPayload: 64 << 20})
    .on('connection', socket => {
        editor = socket;
        socket.on('message', data => waiting.shift()?.(data.toString()));
    });
server.listen(0, '127.0.0.1', () => {
    console.error(`listening on http://127.0.0.1:${server.address().port}/mcp`);
});
process.on('SIGTERM', () => process.exit(0));
