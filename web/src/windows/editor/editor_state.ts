// Describes why the editor is busy and which calls wait for it.
import type {EditorState} from '../../lib/types.ts';
import {plural} from '../../lib/text.ts';

const REASONS: Record<string, string> = {
    compiling: 'The editor is compiling scripts',
    reloading: 'The editor is reloading its scripts',
};

export function isBusy(e: EditorState): boolean {
    return e.editor_state in REASONS;
}

/** Return the description, or null if the editor is not busy. */
export function waitText(e: EditorState): string | null {
    const reason = REASONS[e.editor_state];
    if (!reason) return null;
    const running = e.queue.running ? [`${e.queue.running.tool} is running`] : [];
    const waiting = e.queue.waiting > 0 ? [`${plural(e.queue.waiting, 'call')} waiting`] : [];
    const calls = [...running, ...waiting].join(', ');
    return `${reason}. ${calls ? `${calls}.` : 'Calls wait until it is ready.'}`;
}
