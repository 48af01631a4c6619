// The result of get_job_status, prepared for display: counts, failures, and the whole as JSON.

export interface JobStatus {
    state: string;
    result?: Record<string, unknown> | null;
    error?: {code?: string; message?: string; details?: {message?: string}} | null;
    [more: string]: unknown;
}

export interface ResultView {
    isOpen: boolean;
    counts: {name: string; n: number; kind: '' | 'good' | 'bad' | 'warn'}[];
    failures: {name: string; text: string}[];
    error: string;
    json: string; // the whole result; '': none
}

const MOST_FAILURES = 200;

const toText = (value: unknown): string =>
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

export function readResult(status: JobStatus): ResultView {
    const result = status.result ?? {};
    const counts: ResultView['counts'] = [],
        failures: ResultView['failures'] = [];
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
                        name: toText(one.name),
                        text: [toText(one.message), toText(one.stack_trace ?? one.stack)]
                            .filter(Boolean)
                            .join('\n\n'),
                    });
    }
    const error = status.error;
    return {
        isOpen: status.state === 'queued' || status.state === 'running',
        counts,
        failures,
        error: error ? toText(error.details?.message ?? error.message ?? error.code) : '',
        json: Object.keys(result).length ? JSON.stringify(result, null, 2) : '',
    };
}
