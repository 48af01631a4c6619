// What was typed into "Add tasks": it survives the closing of the dialog, until it is added.
import {live} from '../../lib/feed.svelte.ts';
import type {Form} from './types.ts';

export class FormDraft {
    name = $state('');
    title = $state('');
    repo = $state('');
    prd = $state('');
    needs = $state.raw<readonly string[]>([]);
    test = $state('');
    pool = $state('');
    attempts = $state('');

    clear(): void {
        this.name = this.title = this.prd = this.test = ''; // repo, pool and attempts are mostly the same again
        this.needs = [];
    }

    get isEmpty(): boolean {
        return !this.name && !this.title && !this.prd && !this.test && !this.needs.length;
    }

    form(): Form {
        return {
            name: this.name.trim(),
            title: this.title.trim() || this.name.trim(),
            repo: this.repo.trim() || live.project,
            prd: this.prd,
            needs: [...this.needs],
            ...(this.test.trim() && {test_command: this.test}),
        };
    }
}

export const form = new FormDraft();

class YamlDraft {
    text = $state('');
    pool = $state('');
    attempts = $state('');
}

export const yaml = new YamlDraft();

class GoalDraft {
    goal = $state('');
    repo = $state('');
    prefix = $state('');
}

export const goal = new GoalDraft();

/** "max_attempts" as it is typed: undefined for nothing, NaN for nonsense. */
export function attempts(text: string): number | undefined {
    if (!text.trim()) return undefined;
    const n = Number(text);
    return Number.isInteger(n) && n >= 1 && n <= 1000 ? n : NaN;
}

/** What goes beside the tasks of POST /api/tasks/add. */
export function options(draft: {pool: string; attempts: string}): {
    pool?: string;
    max_attempts?: number;
} {
    const n = attempts(draft.attempts);
    return {
        ...(draft.pool.trim() && {pool: draft.pool.trim()}),
        ...(n !== undefined && {max_attempts: n}),
    };
}
