// Errors of tool calls, with their effect, for display where they occurred.
import {ApiError} from '../../lib/api.ts';
import {ToolError} from '../../lib/mcp.ts';

export interface CallError {
    code: string;
    message: string;
    /** The known effect of the call; '' for a read. */
    effect: string;
}

const EFFECTS: Record<string, string> = {
    not_executed: 'Nothing was changed.',
    completed_error: 'It was executed and failed; the data was reloaded.',
    unknown: 'It may have been executed; the data was reloaded.',
};

export function isAbort(e: unknown): boolean {
    return e instanceof DOMException && e.name === 'AbortError';
}

/** Convert an exception of a tool call. `changes`: the call was an edit. */
export function toCallError(e: unknown, changes = false): CallError {
    if (e instanceof ToolError) {
        const code = String(e.details.plugin_error_code ?? e.code);
        const effect = changes
            ? (EFFECTS[String(e.details.execution_guarantee)] ?? EFFECTS.unknown!)
            : '';
        return {code, message: e.message.replace(`${code}: `, ''), effect};
    }
    if (e instanceof ApiError)
        return {
            code: e.code,
            message: e.message,
            effect: changes ? (e.status === 0 ? EFFECTS.unknown! : EFFECTS.not_executed!) : '',
        };
    return {code: '', message: e instanceof Error ? e.message : String(e), effect: ''};
}
