// Calls of tools, as every MCP client makes them (revision 2026-07-28: one stateless request each).
import {ApiError} from './api.ts';
import {authorization} from './token.ts';

export const CLIENT = 'multiverse-console';
const REVISION = '2026-07-28';
let next = 1;

/** What a tool says when it could not: code and guarantee as in docs/spec/10-bridge.md, 8. */
export class ToolError extends ApiError {
    readonly details: Record<string, unknown>;
    constructor(error: {code?: string; message?: string; details?: Record<string, unknown>}) {
        super(200, error.code ?? 'ERR_UNITY_EXECUTION', String(error.details?.message ?? error.message ?? 'the tool failed'));
        this.details = error.details ?? {};
    }
}

/** The structured answer of a tool. Aborting the signal cancels the call. */
export async function call<T>(tool: string, args: Record<string, unknown> = {}, signal?: AbortSignal): Promise<T> {
    let answer: Response;
    try {
        answer = await fetch('/mcp', {
            method: 'POST',
            cache: 'no-store',
            credentials: 'omit',
            signal: signal ?? null,
            headers: {
                ...authorization(),
                'Content-Type': 'application/json',
                'Accept': 'application/json, text/event-stream',
                'MCP-Protocol-Version': REVISION,
                'Mcp-Method': 'tools/call',
                'Mcp-Name': tool,
            },
            body: JSON.stringify({
                jsonrpc: '2.0', id: next++, method: 'tools/call',
                params: {
                    name: tool, arguments: args,
                    _meta: {
                        'io.modelcontextprotocol/protocolVersion': REVISION,
                        'io.modelcontextprotocol/clientInfo': {name: CLIENT, version: '1'},
                        'io.modelcontextprotocol/clientCapabilities': {},
                    },
                },
            }),
        });
    } catch (e) {
        if (signal?.aborted)
            throw e;
        throw new ApiError(0, 'ERR_UNREACHABLE', 'The server does not answer.');
    }
    return result<T>(answer.status, await answer.text());
}

interface Reply {
    error?: {code: number; message: string};
    result?: {structuredContent?: Record<string, unknown>; isError?: boolean};
}

function result<T>(status: number, text: string): T {
    let reply: Reply;
    try {
        reply = JSON.parse(lastData(text)) as Reply;
    } catch {
        throw new ApiError(status, 'ERR_INVALID_RESPONSE', text.slice(0, 300) || `the server answered with status ${status}`);
    }
    if (reply.error)
        throw new ApiError(status, String(reply.error.code), reply.error.message);
    const content = reply.result?.structuredContent ?? {};
    if (reply.result?.isError)
        throw new ToolError((content.error ?? content) as ConstructorParameters<typeof ToolError>[0]);
    return content as T;
}

/** The answer may come as a stream whose last message it is. */
function lastData(text: string): string {
    if (!/^(event|id|data|retry|:)/.test(text))
        return text;
    const events = text.split(/\r?\n\r?\n/).map(e => e.split(/\r?\n/).filter(l => l.startsWith('data:'))
        .map(l => l.slice(5).trim()).join('\n')).filter(d => d);
    return events.at(-1) ?? '';
}
