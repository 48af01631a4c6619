// A run of the project's tests that was started on this page. It continues while the dialog is
// closed.
import {ApiError} from '../../lib/api.ts';
import {callTool} from '../../lib/mcp.ts';
import {type CallError, toCallError} from './errors.ts';

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

export const isFinished = (s: JobStatus): boolean => s.state !== 'queued' && s.state !== 'running';

class TestRun {
    status = $state.raw<JobStatus | null>(null);
    error = $state.raw<CallError | null>(null);
    isStarting = $state(false);
    #run = 0;

    get isRunning(): boolean {
        return this.isStarting || (this.status !== null && !isFinished(this.status));
    }

    async start(args: Record<string, unknown>): Promise<void> {
        const mine = ++this.#run;
        this.isStarting = true;
        this.status = null;
        this.error = null;
        try {
            this.status = await callTool<JobStatus>('run_tests', args);
            this.isStarting = false;
            while (mine === this.#run && !isFinished(this.status))
                this.status = await this.#nextStatus(this.status);
        } catch (e) {
            this.error = toCallError(e);
            this.status = null; // its state is unknown from now on
        }
        this.isStarting = false;
    }

    /** Wait for the next status; retry if the server does not respond. */
    async #nextStatus(known: JobStatus): Promise<JobStatus> {
        try {
            return await callTool<JobStatus>('get_job_status', {
                job_id: known.job_id,
                wait_ms: 20_000,
            });
        } catch (e) {
            if (!(e instanceof ApiError) || e.status !== 0) throw e;
            await new Promise(done => setTimeout(done, 1000));
            return known;
        }
    }

    async cancel(): Promise<void> {
        if (!this.status) return;
        try {
            await callTool('cancel_job', {job_id: this.status.job_id});
        } catch (e) {
            this.error = toCallError(e);
        }
    }
}

export const testRun = new TestRun();
