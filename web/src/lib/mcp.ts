// Tool calls, as any MCP client makes them (revision 2026-07-28: one stateless request each).
import {ApiError} from './api.ts';
import {parseExact, stringifyExact} from './exact.ts';
import {authorization} from './token.ts';

export const CLIENT = 'multiverse-console';
const REVISION = '2026-07-28';
let nextId = 1;

/** The error of a tool call: code and guarantee as in docs/spec/10-bridge.md, 8. */
export class ToolError extends ApiError {
    readonly details: Record<string, unknown>;
    constructor(error: {code?: string; message?: string; details?: Record<string, unknown>}) {
        super(
            200,
            error.code ?? 'ERR_UNITY_EXECUTION',
            String(error.details?.message ?? error.message ?? 'The tool failed.'),
        );
        this.details = error.details ?? {};
    }
}

/** Call a tool and return its structured content. Aborting the signal cancels the call. With
 * `exact`, integers that a double cannot hold are BigInt in the result (arguments may always
 * contain them). */
export async function callTool<T>(
    tool: string,
    args: Record<string, unknown> = {},
    signal?: AbortSignal,
    exact = false,
): Promise<T> {
    const reply = await sendRequest(
        'tools/call',
        {name: tool, arguments: args},
        tool,
        signal,
        exact,
    );
    const content = (reply.structuredContent ?? {}) as Record<string, unknown>;
    if (reply.isError)
        throw new ToolError(
            (content.error ?? content) as ConstructorParameters<typeof ToolError>[0],
        );
    return content as T;
}

export interface ToolInfo {
    name: string;
    description?: string;
    inputSchema?: {properties?: Record<string, {description?: string; enum?: unknown[]}>};
}

/** Return the tools of the connected editor. */
export async function listTools(signal?: AbortSignal): Promise<ToolInfo[]> {
    const tools: ToolInfo[] = [];
    let cursor: unknown;
    do {
        const page = await sendRequest(
            'tools/list',
            cursor === undefined ? {} : {cursor},
            undefined,
            signal,
        );
        tools.push(...((page.tools ?? []) as ToolInfo[]));
        cursor = page.nextCursor;
    } while (typeof cursor === 'string');
    return tools;
}

async function sendRequest(
    method: string,
    params: Record<string, unknown>,
    name?: string,
    signal?: AbortSignal,
    exact = false,
): Promise<Record<string, unknown>> {
    let response: Response, text: string;
    try {
        response = await fetch('/mcp', {
            method: 'POST',
            cache: 'no-store',
            credentials: 'omit',
            signal: signal ?? null,
            headers: {
                ...authorization(),
                'Content-Type': 'application/json',
                Accept: 'application/json, text/event-stream',
                'MCP-Protocol-Version': REVISION,
                'Mcp-Method': method,
                ...(name === undefined ? {} : {'Mcp-Name': name}),
            },
            body: stringifyExact({
                jsonrpc: '2.0',
                id: nextId++,
                method,
                params: {
                    ...params,
                    _meta: {
                        'io.modelcontextprotocol/protocolVersion': REVISION,
                        'io.modelcontextprotocol/clientInfo': {name: CLIENT, version: '1'},
                        'io.modelcontextprotocol/clientCapabilities': {},
                    },
                },
            }),
        });
        text = await response.text();
    } catch (e) {
        if (signal?.aborted) throw e;
        throw new ApiError(0, 'ERR_UNREACHABLE', 'The server is not responding.');
    }
    return readReply(response.status, text, exact);
}

interface Reply {
    error?: {code: number; message: string};
    result?: Record<string, unknown>;
}

function readReply(status: number, text: string, exact: boolean): Record<string, unknown> {
    let reply: Reply;
    try {
        const data = lastData(text);
        reply = (exact ? parseExact(data) : JSON.parse(data)) as Reply;
    } catch {
        throw new ApiError(
            status,
            'ERR_INVALID_RESPONSE',
            text.slice(0, 300) || `The server returned status ${status}.`,
        );
    }
    if (reply.error) throw new ApiError(status, String(reply.error.code), reply.error.message);
    return reply.result ?? {};
}

/** Return the JSON of a response; in an event stream it is the last message. */
function lastData(text: string): string {
    if (!/^(event|id|data|retry|:)/.test(text)) return text;
    const events = text
        .split(/\r?\n\r?\n/)
        .map(e =>
            e
                .split(/\r?\n/)
                .filter(l => l.startsWith('data:'))
                .map(l => l.slice(5).trim())
                .join('\n'),
        )
        .filter(d => d);
    return events.at(-1) ?? '';
}
