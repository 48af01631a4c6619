// The input of "Add tasks". It is kept when the dialog is closed, until the tasks are added.
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
        // Repo, pool and attempts are usually the same for the next task.
        this.name = this.title = this.prd = this.test = '';
        this.needs = [];
    }

    get isEmpty(): boolean {
        return !this.name && !this.title && !this.prd && !this.test && !this.needs.length;
    }

    toForm(): Form {
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

/** Parse "max_attempts": undefined if empty, NaN if invalid. */
export function parseAttempts(text: string): number | undefined {
    if (!text.trim()) return undefined;
    const n = Number(text);
    return Number.isInteger(n) && n >= 1 && n <= 1000 ? n : NaN;
}

/** Return the options of POST /api/tasks/add. */
export function addOptions(draft: {pool: string; attempts: string}): {
    pool?: string;
    max_attempts?: number;
} {
    const n = parseAttempts(draft.attempts);
    return {
        ...(draft.pool.trim() && {pool: draft.pool.trim()}),
        ...(n !== undefined && {max_attempts: n}),
    };
}
