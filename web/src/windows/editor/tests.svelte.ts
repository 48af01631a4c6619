// The run of the project's tests that was started here: it goes on while its dialog is closed.
import {ApiError} from '../../lib/api.ts';
import {call} from '../../lib/mcp.ts';
import {type Fault, faultOf} from './faults.ts';

export interface JobStatus {
    job_id: string;
    state: 'queued' | 'running' | 'succeeded' | 'failed' | 'timeout' | 'cancelled';
    progress?: {done: number; total: number; current: string} | null;
    result?: {
        summary: {
            total: number;
            passed: number;
            failed: number;
            skipped: number;
            inconclusive: number;
            duration_ms: number;
        };
        failed_tests: {name: string; message: string; stack_trace: string; duration_ms: number}[];
        skipped_tests: string[];
        truncated: boolean;
    };
    error?: {code: string; message: string; details?: {message?: string}};
}

export const isOver = (s: JobStatus): boolean => s.state !== 'queued' && s.state !== 'running';

class Tests {
    status = $state.raw<JobStatus | null>(null);
    fault = $state.raw<Fault | null>(null);
    isStarting = $state(false);
    #run = 0;

    get isRunning(): boolean {
        return this.isStarting || (this.status !== null && !isOver(this.status));
    }

    async start(args: Record<string, unknown>): Promise<void> {
        const mine = ++this.#run;
        this.isStarting = true;
        this.status = null;
        this.fault = null;
        try {
            this.status = await call<JobStatus>('run_tests', args);
            this.isStarting = false;
            while (mine === this.#run && !isOver(this.status))
                this.status = await this.#news(this.status);
        } catch (e) {
            this.fault = faultOf(e);
            this.status = null; // nothing more will be known of it
        }
        this.isStarting = false;
    }

    /** The next status; a server that does not answer is asked again. */
    async #news(known: JobStatus): Promise<JobStatus> {
        try {
            return await call<JobStatus>('get_job_status', {job_id: known.job_id, wait_ms: 20_000});
        } catch (e) {
            if (!(e instanceof ApiError) || e.status !== 0) throw e;
            await new Promise(done => setTimeout(done, 1000));
            return known;
        }
    }

    async cancel(): Promise<void> {
        if (!this.status) return;
        try {
            await call('cancel_job', {job_id: this.status.job_id});
        } catch (e) {
            this.fault = faultOf(e);
        }
    }
}

export const tests = new Tests();
