// The answer of get_job_status as it is shown: counts, what failed, the rest as it is.

export interface JobStatus {
    state: string;
    result?: Record<string, unknown> | null;
    error?: {code?: string; message?: string; details?: {message?: string}} | null;
    [more: string]: unknown;
}

export interface Shown {
    isOpen: boolean;
    counts: {name: string; n: number; kind: '' | 'good' | 'bad' | 'warn'}[];
    failures: {name: string; text: string}[];
    error: string;
    rest: string; // JSON, '' if there is no more
}

const MOST_FAILURES = 200;

const text = (value: unknown): string =>
    typeof value === 'string'
        ? value
        : value === undefined || value === null
          ? ''
          : JSON.stringify(value);

function kindOf(name: string, n: number): '' | 'good' | 'bad' | 'warn' {
    if (!n) return '';
    return /fail|error/.test(name)
        ? 'bad'
        : /pass|succe/.test(name)
          ? 'good'
          : /skip|inconcl/.test(name)
            ? 'warn'
            : '';
}

function isFailure(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && 'name' in value && 'message' in value;
}

export function readResult(status: JobStatus): Shown {
    const result = status.result ?? {};
    const counts: Shown['counts'] = [],
        failures: Shown['failures'] = [];
    const {summary, ...others} = result;
    for (const [name, value] of Object.entries({
        ...(typeof summary === 'object' ? summary : {}),
        ...others,
    })) {
        if (typeof value === 'number' && Number.isInteger(value) && !name.endsWith('_ms'))
            counts.push({name: name.replaceAll('_', ' '), n: value, kind: kindOf(name, value)});
        else if (Array.isArray(value))
            for (const one of value.slice(0, MOST_FAILURES))
                if (isFailure(one))
                    failures.push({
                        name: text(one.name),
                        text: [text(one.message), text(one.stack_trace ?? one.stack)]
                            .filter(Boolean)
                            .join('\n\n'),
                    });
    }
    const error = status.error;
    return {
        isOpen: status.state === 'queued' || status.state === 'running',
        counts,
        failures,
        error: error ? text(error.details?.message ?? error.message ?? error.code) : '',
        rest: Object.keys(result).length ? JSON.stringify(result, null, 2) : '',
    };
}
