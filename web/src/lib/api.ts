// Questions to /api. Every failure is an ApiError with a sentence that can be shown.
import {authorization} from './token.ts';

export class ApiError extends Error {
    readonly status: number; // 0: the server was not reached
    readonly code: string;
    readonly body: Record<string, unknown>;
    constructor(status: number, code: string, message: string, body: Record<string, unknown> = {}) {
        super(message);
        this.status = status;
        this.code = code;
        this.body = body;
    }
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return ask<T>(path, {headers: authorization(), signal: signal ?? null});
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return ask<T>(path, {
        method: 'POST',
        headers: {...authorization(), 'Content-Type': 'application/json'},
        body: JSON.stringify(body),
        signal: signal ?? null,
    });
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
    let answer: Response;
    try {
        answer = await fetch(path, {...init, cache: 'no-store', credentials: 'omit'});
    } catch (e) {
        if (init.signal?.aborted) throw e;
        throw new ApiError(0, 'ERR_UNREACHABLE', 'The server does not answer.');
    }
    const text = await answer.text();
    let body: Record<string, unknown> = {};
    try {
        body = JSON.parse(text) as Record<string, unknown>;
    } catch {
        if (answer.ok)
            throw new ApiError(
                answer.status,
                'ERR_INVALID_RESPONSE',
                'The answer of the server is no JSON.',
            );
    }
    if (answer.ok) return body as T;
    const error = (body.error ?? {}) as {code?: string; message?: string};
    throw new ApiError(
        answer.status,
        error.code ?? `HTTP ${answer.status}`,
        error.message ?? (text.slice(0, 300) || answer.statusText),
        body,
    );
}
