// What went wrong with a call, in words for the place where it happened.
import {ApiError} from '../../lib/api.ts';
import {ToolError} from '../../lib/mcp.ts';

export interface Fault {
    code: string;
    message: string;
    /** What is known about its effect; '' where there is nothing to know (a question). */
    effect: string;
}

const EFFECTS: Record<string, string> = {
    not_executed: 'Nothing was changed.',
    completed_error: 'It ran and failed; what is shown has been read again.',
    unknown: 'It is not known whether it took effect; what is shown has been read again.',
};

export function isAbort(e: unknown): boolean {
    return e instanceof DOMException && e.name === 'AbortError';
}

/** `changes`: the call was to change something. */
export function faultOf(e: unknown, changes = false): Fault {
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
