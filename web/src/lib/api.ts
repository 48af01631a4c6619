// Requests to /api. Every failure is an ApiError whose message can be shown to a person.
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
    return sendRequest<T>(path, {headers: authorization(), signal: signal ?? null});
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return sendRequest<T>(path, {
        method: 'POST',
        headers: {...authorization(), 'Content-Type': 'application/json'},
        body: JSON.stringify(body),
        signal: signal ?? null,
    });
}

async function sendRequest<T>(path: string, init: RequestInit): Promise<T> {
    let response: Response;
    try {
        response = await fetch(path, {...init, cache: 'no-store', credentials: 'omit'});
    } catch (e) {
        if (init.signal?.aborted) throw e;
        throw new ApiError(0, 'ERR_UNREACHABLE', 'The server is not responding.');
    }
    const text = await response.text();
    let body: Record<string, unknown> = {};
    try {
        body = JSON.parse(text) as Record<string, unknown>;
    } catch {
        if (response.ok)
            throw new ApiError(
                response.status,
                'ERR_INVALID_RESPONSE',
                'The response of the server is not JSON.',
            );
    }
    if (response.ok) return body as T;
    const error = (body.error ?? {}) as {code?: string; message?: string};
    throw new ApiError(
        response.status,
        error.code ?? `HTTP ${response.status}`,
        error.message ?? (text.slice(0, 300) || response.statusText),
        body,
    );
}
